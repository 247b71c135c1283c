//! Finding the host of a table: dialling it, looking on the local network, and telling in words
//! how that goes.

use std::{collections::BTreeMap, path::PathBuf, time::Duration};

use tokio::time::{Instant, Interval, interval_at};

use super::{
    Connection, GuestError, LobbyNews, Presence, RunError,
    disk::finished,
    greet::{greeting, table_id},
    peers::{path_words, public, without_words},
};
use crate::{
    net::{self, Address, Dial, NetConfig, NetEvent, PeerKey, Target, table_words},
    protocol::{
        codec,
        crypto::{hash::Hash, identity::PublicKey},
        message::{Greeting, Message},
        name::Name,
        text::clean,
    },
    store::Profile,
};

/// How long a host that was not reached is left alone before it is dialled again.
const REDIAL: Duration = Duration::from_secs(2);

/// Somebody who looks for a table.
pub(super) struct Seek {
    pub(super) connection: Connection,
    pub(super) target: Target,
    host: Option<(PublicKey, Hash)>,
    /// The table's secret where the host is connected already and was not asked yet.
    met: Option<Vec<u8>>,
    redial: Interval,
    told: String,
    /// The file of the table's game, where it has been played here.
    finished: Option<PathBuf>,
}

/// What came of it.
pub(super) enum Sought {
    /// The host answers, for the first time or again: it is to be told what is wanted of it, with
    /// this secret.
    Met { secret: Vec<u8> },
    /// The host says this.
    Said(Message),
    /// Time has passed, and the host is there.
    Later,
}

impl Seek {
    /// Starts the network.
    pub(super) async fn open(
        profile: &Profile,
        name: &Name,
        target: Target,
        local: bool,
    ) -> Result<Seek, RunError> {
        let started = net::start(NetConfig {
            secret: profile.identity().secret(),
            port: if local { 0 } else { net::PORT },
            loopback: local,
            outside: Vec::new(),
            second_port: false,
            mdns: matches!(target, Target::Words(_)),
            greeting: greeting(name, None, None),
        })
        .await?;
        let mut connection = Connection::new(started);
        if let Target::Invite(invite) = &target {
            connection.use_relays(invite.relays().iter().copied());
        }
        let redial = interval_at(Instant::now() + REDIAL, REDIAL);
        let finished = match &target {
            Target::Invite(invite) => {
                finished(profile.home(), &table_id(&invite.host(), invite.secret()))
            }
            _ => None,
        };
        let (host, met, told) = (None, None, String::new());
        Ok(Seek { connection, target, host, met, redial, told, finished })
    }

    /// Looks for another table over connections that are there.
    pub(super) fn again(connection: Connection, target: Target) -> Seek {
        let redial = interval_at(Instant::now() + REDIAL, REDIAL);
        let (host, met, told, finished) = (None, None, String::new(), None);
        Seek { connection, target, host, met, redial, told, finished }
    }

    /// Dials the table, and tells so; not one whose game has been played here.
    pub(super) fn begin(&mut self, tell: &mut impl FnMut(LobbyNews)) -> Result<(), GuestError> {
        if let Some(path) = self.finished.take() {
            return Err(GuestError::Finished(path));
        }
        if !self.is_met() {
            self.dial();
            tell(LobbyNews::Note(self.looking()));
        }
        Ok(())
    }

    /// Whether the host of the invite is connected already.
    fn is_met(&mut self) -> bool {
        let Target::Invite(invite) = &self.target else { return false };
        let is_host = |key: &&PublicKey| {
            PeerKey::new(*key.as_bytes()).is_some_and(|peer| peer.hash() == invite.host())
        };
        let Some(key) = self.connection.up.keys().find(is_host).copied() else { return false };
        self.host = Some((key, table_id(&invite.host(), invite.secret())));
        self.met = Some(invite.secret().to_vec());
        true
    }

    /// The host that has answered, and its table.
    pub(super) fn host(&self) -> Option<(PublicKey, Hash)> {
        self.host
    }

    /// How those can be reached that this program is connected to.
    pub(super) fn presence(&self) -> BTreeMap<PublicKey, Presence> {
        let up = self.connection.up.iter();
        up.map(|(key, (path, _))| (*key, Presence::Connected(*path))).collect()
    }

    /// Says something to the host.
    pub(super) fn say(&self, message: &Message) {
        if let Some((host, _)) = self.host {
            self.connection.send(&host, message);
        }
    }

    /// Waits until the host answers or says something; dials it again where it is not there.
    pub(super) async fn next(
        &mut self,
        tell: &mut impl FnMut(LobbyNews),
    ) -> Result<Sought, GuestError> {
        if let Some(secret) = self.met.take() {
            return Ok(Sought::Met { secret });
        }
        loop {
            let event = tokio::select! {
                event = self.connection.next() => event.ok_or(GuestError::Stopped)?,
                _ = self.redial.tick() => {
                    if self.host.is_some() {
                        return Ok(Sought::Later);
                    }
                    self.dial();
                    self.not_found(tell);
                    continue;
                }
            };
            match event {
                NetEvent::Up { peer, greeting, path, punched } => {
                    let words = match punched {
                        None => path_words(&path),
                        Some(hole) => format!("{path}, met through the relay {}", hole.relay),
                    };
                    if let Some(met) = self.greeted(&peer, &greeting, &words, tell)? {
                        return Ok(met);
                    }
                }
                NetEvent::Moved { peer, greeting, path } => {
                    if let Some(met) = self.greeted(&peer, &greeting, &path_words(&path), tell)? {
                        return Ok(met);
                    }
                }
                NetEvent::Frame { peer, bytes } if self.is_host(&peer) => {
                    if let Ok(message) = codec::decode(&bytes) {
                        return Ok(Sought::Said(message));
                    }
                }
                event => self.note(event, tell),
            }
        }
    }

    /// Tells of what happens on the way, once each.
    fn note(&mut self, event: NetEvent, tell: &mut impl FnMut(LobbyNews)) {
        let reason = match event {
            NetEvent::StaysRelayed { peer, .. } if self.is_host(&peer) => {
                let text = "no direct path to the host: the relay carries on";
                return tell(LobbyNews::Note(text.into()));
            }
            NetEvent::Down { peer } if self.is_host(&peer) => {
                self.host = None;
                let text = "the host is gone; looking for it again";
                return tell(LobbyNews::Note(text.into()));
            }
            NetEvent::Found { peer, addresses } => {
                return self.connection.net().dial(Dial::Key(peer), addresses);
            }
            NetEvent::Relay { address, ready: Err(reason) } => {
                format!("the relay {address}: {reason}")
            }
            NetEvent::DialFailed { reason, .. } => reason.to_string(),
            NetEvent::Without { transport, reason } => {
                return tell(LobbyNews::Note(without_words(transport, &reason)));
            }
            _ => return,
        };
        if reason != self.told && self.host.is_none() {
            tell(LobbyNews::Note(reason.clone()));
            self.told = reason;
        }
    }

    /// Says that a table is not to be found on this network, once.
    fn not_found(&mut self, tell: &mut impl FnMut(LobbyNews)) {
        let Target::Words(words) = &self.target else { return };
        let text = format!(
            "no word from {words} on this network yet, looking on; the host's line leads there \
             from anywhere"
        );
        if self.told != text {
            tell(LobbyNews::Note(text.clone()));
            self.told = text;
        }
    }

    fn dial(&self) {
        let net = self.connection.net();
        match &self.target {
            Target::Invite(invite) => {
                let who = invite.host_key().map_or(Dial::Hash(invite.host()), Dial::Key);
                net.dial(who, invite.addresses().to_vec());
            }
            Target::Address(who, address) => net.dial(*who, vec![*address]),
            Target::Words(_) => {}
        }
    }

    /// What is done to find the host, in words.
    fn looking(&self) -> String {
        let list = |addresses: &[Address]| {
            addresses.iter().map(Address::to_string).collect::<Vec<_>>().join(", ")
        };
        match &self.target {
            Target::Words(words) => format!("looking for {words} on this network"),
            Target::Address(_, address) => format!("asking {address}"),
            Target::Invite(invite) if invite.relays().is_empty() => {
                format!("asking {}", list(invite.addresses()))
            }
            Target::Invite(invite) => format!(
                "asking {} directly, and through the relay {}",
                list(invite.addresses()),
                list(invite.relays())
            ),
        }
    }

    fn is_host(&self, peer: &PeerKey) -> bool {
        self.host.is_some_and(|(host, _)| public(peer) == Some(host))
    }

    /// A peer answered, by this way in words: tells so if it is the host that is sought.
    fn greeted(
        &mut self,
        peer: &PeerKey,
        bytes: &[u8],
        way: &str,
        tell: &mut impl FnMut(LobbyNews),
    ) -> Result<Option<Sought>, GuestError> {
        let greeting: Option<Greeting> = codec::decode(bytes).ok();
        let Some((greeting, key)) = greeting.zip(public(peer)) else { return Ok(None) };
        let secret = match &self.target {
            Target::Invite(invite) if peer.hash() == invite.host() => {
                if greeting.table != Some(table_id(&invite.host(), invite.secret())) {
                    return Err(GuestError::Over);
                }
                invite.secret().to_vec()
            }
            Target::Address(..) if greeting.hosts.is_some() => Vec::new(),
            Target::Words(words) if *words == table_words(peer) => Vec::new(),
            _ => return Ok(None),
        };
        let Some(table) = greeting.table else { return Err(GuestError::Over) };
        self.host = Some((key, table));
        tell(LobbyNews::Note(format!("at the table of {}, {way}", greeting.name)));
        Ok(Some(Sought::Met { secret }))
    }
}

/// A neighbour's words without what would disturb a terminal.
pub(super) fn printable(text: &str) -> String {
    clean(text).chars().take(200).collect()
}
