//! Trying the way to a host for real, as nobody: with a key drawn for the occasion. The host sees
//! a stranger who comes, asks for nothing, and goes.

use std::time::Duration;

use tokio::sync::mpsc;
use tokio::time::{Instant, timeout_at};
use zeroize::Zeroizing;

use super::address::{Address, Transport};
use super::fault::{DialFault, NetError};
use super::invite::Invite;
use super::key::key_hash;
use super::limits::TRIAL;
use super::node::{Net, NetConfig, NetEvent, start};
use super::path::Path;
use super::punch::{Punched, Unpunched};
use super::target::Dial;

/// What came of it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Tried {
    /// The host was reached without a relay.
    Direct {
        /// Over what.
        transport: Transport,
        /// After how long.
        after: Duration,
    },
    /// The host was reached through a relay, and then directly.
    Punched {
        /// Where the relay is.
        relay: Address,
        /// Over what.
        transport: Transport,
        /// How long after it was reached through the relay.
        after: Duration,
    },
    /// The host was reached through a relay only.
    Relayed {
        /// Where the relay is.
        relay: Address,
        /// Why; `None` where no word of it came in time.
        reason: Option<Unpunched>,
    },
    /// The host was not reached.
    Unreached(DialFault),
}

/// Goes to the host of an invite and sees by what way. Takes most of a minute where no hole can be
/// punched; `word` is said to the host, so that it bears the stranger as long.
pub async fn try_path(port: u16, invite: &Invite, word: &[u8]) -> Result<Tried, NetError> {
    let mut secret = Zeroizing::new([0; 32]);
    getrandom::fill(&mut secret[..]).map_err(|error| NetError::Start(error.to_string()))?;
    let config = NetConfig {
        secret,
        port,
        loopback: false,
        outside: Vec::new(),
        second_port: false,
        mdns: false,
        greeting: Vec::new(),
    };
    let (net, mut events) = start(config).await?;
    let tried = Trial::begin(&net, invite, word).run(&mut events).await;
    net.shutdown().await;
    Ok(tried)
}

/// A try that is not over.
struct Trial<'a> {
    net: &'a Net,
    invite: &'a Invite,
    word: &'a [u8],
    begun: Instant,
    /// The relays that have not answered yet.
    waiting: Vec<Address>,
    /// A dial that is not over; whether all relays had answered when it began.
    dialling: Option<bool>,
    fault: DialFault,
    /// Through which relay the host was reached, and when.
    relayed: Option<(Address, Instant)>,
}

impl Trial<'_> {
    fn begin<'a>(net: &'a Net, invite: &'a Invite, word: &'a [u8]) -> Trial<'a> {
        let waiting = invite.relays().to_vec();
        waiting.iter().for_each(|relay| net.relay(*relay));
        let (dialling, relayed) = (None, None);
        let (begun, fault) = (Instant::now(), DialFault::NoAnswer);
        let mut trial = Trial { net, invite, word, begun, waiting, dialling, fault, relayed };
        trial.dial();
        trial
    }

    async fn run(mut self, events: &mut mpsc::Receiver<NetEvent>) -> Tried {
        loop {
            let Ok(Some(event)) = timeout_at(self.begun + TRIAL, events.recv()).await else {
                return match self.relayed {
                    None => Tried::Unreached(self.fault),
                    Some((relay, _)) => Tried::Relayed { relay, reason: None },
                };
            };
            if let Some(tried) = self.on(event) {
                return tried;
            }
        }
    }

    fn on(&mut self, event: NetEvent) -> Option<Tried> {
        match event {
            NetEvent::Up { peer, path, punched, .. } if key_hash(&peer) == self.invite.host() => {
                if let Err(error) = self.net.send(peer, self.word.to_vec()) {
                    tracing::error!(%error, "the host was told nothing");
                }
                self.reached(path, punched)
            }
            NetEvent::Moved { peer, path, .. } if key_hash(&peer) == self.invite.host() => {
                let (relay, since) = self.relayed?;
                self.reached(path, Some(Punched { relay, after: since.elapsed() }))
            }
            NetEvent::StaysRelayed { peer, reason } if key_hash(&peer) == self.invite.host() => {
                let (relay, _) = self.relayed?;
                Some(Tried::Relayed { relay, reason: Some(reason) })
            }
            NetEvent::Down { peer } if key_hash(&peer) == self.invite.host() => {
                self.relayed = None;
                self.seek_again();
                None
            }
            NetEvent::Relay { address, .. } => {
                self.waiting.retain(|waiting| *waiting != address);
                self.seek_again();
                None
            }
            NetEvent::DialFailed { reason, .. } if self.relayed.is_none() => {
                self.fault = self.fault.max(reason);
                let last = self.dialling.take() == Some(true);
                self.seek_again();
                last.then_some(Tried::Unreached(self.fault))
            }
            _ => None,
        }
    }

    fn reached(&mut self, path: Path, punched: Option<Punched>) -> Option<Tried> {
        match (path, punched) {
            (Path::Direct { transport, .. }, None) => {
                Some(Tried::Direct { transport, after: self.begun.elapsed() })
            }
            (Path::Direct { transport, .. }, Some(Punched { relay, after })) => {
                Some(Tried::Punched { relay, transport, after })
            }
            (Path::Relayed { at, .. }, _) => {
                self.dialling = None;
                self.relayed = self.relayed.or(Some((at, Instant::now())));
                None
            }
        }
    }

    /// Dials again once all relays have answered, for the last time.
    fn seek_again(&mut self) {
        if self.waiting.is_empty() && self.dialling.is_none() && self.relayed.is_none() {
            self.dial();
        }
    }

    fn dial(&mut self) {
        let who = self.invite.host_key().map_or(Dial::Hash(self.invite.host()), Dial::Key);
        self.net.dial(who, self.invite.addresses().to_vec());
        self.dialling = Some(self.waiting.is_empty());
    }
}
