//! The handle on the network, and what it tells.

use std::sync::Arc;
use std::time::Duration;

use libp2p::identity::Keypair;
use tokio::sync::{mpsc, oneshot};
use zeroize::Zeroizing;

use super::address::{Address, Transport};
use super::crowd::SharedFlood;
use super::driver::Driver;
use super::fault::{DialFault, NetError};
use super::key::own_key;
use super::limits::{EVENTS, FRAME_BYTES, GREETING_BYTES};
use super::path::Path;
use super::punch::{Punched, Unpunched};
use super::session::{Shared, Wires};
use super::streams::Streams;
use super::swarm;
use super::target::Dial;
use crate::protocol::crypto::identity::PublicKey;

/// How to start.
pub struct NetConfig {
    /// The ed25519 secret key.
    pub secret: Zeroizing<[u8; 32]>,
    /// The port for TCP and QUIC on all interfaces; if it is taken, a free one. 0 is any.
    pub port: u16,
    /// Whether to listen on 127.0.0.1 only. Else the router is asked to forward the port (UPnP).
    pub loopback: bool,
    /// Addresses known to lead here from outside, as where a router forwards the port.
    pub outside: Vec<Address>,
    /// Whether to listen on the next port too: two ports show a peer whether its router gives
    /// each connection another one.
    pub second_port: bool,
    /// Whether to search the local network and be found on it.
    pub mdns: bool,
    /// What each peer is told first, at most `GREETING_BYTES`.
    pub greeting: Vec<u8>,
}

/// What happens on the network. Of one peer, `Up`, its frames and greetings, and `Down` come in
/// this order, again and again.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum NetEvent {
    /// The addresses others can dial have changed.
    Listening(Vec<Address>),
    /// Frames pass from and to this peer.
    Up {
        /// Who.
        peer: PublicKey,
        /// What it says of itself.
        greeting: Vec<u8>,
        /// How it is connected.
        path: Path,
        /// The hole that was punched before anything was said.
        punched: Option<Punched>,
    },
    /// The peer's path changed, usually from relayed to direct; like Down followed by Up. Frames
    /// sent and not answered may be lost.
    Moved {
        /// Who.
        peer: PublicKey,
        /// What it says of itself.
        greeting: Vec<u8>,
        /// How it is connected now.
        path: Path,
    },
    /// Frames no longer pass; those sent and not answered may be lost.
    Down {
        /// Who.
        peer: PublicKey,
    },
    /// A frame came.
    Frame {
        /// From whom.
        peer: PublicKey,
        /// At most `FRAME_BYTES`.
        bytes: Vec<u8>,
    },
    /// A peer that is up changed its greeting.
    Greeting {
        /// Who.
        peer: PublicKey,
        /// What it says now.
        bytes: Vec<u8>,
    },
    /// A libp2p program is on this network. Dial it to learn whether it is a fairdeal.
    Found {
        /// Who.
        peer: PublicKey,
        /// Where.
        addresses: Vec<Address>,
    },
    /// No direct path to a peer was found, so the relay carries on: a router gives each
    /// connection another port, or lets nothing in.
    StaysRelayed {
        /// Who.
        peer: PublicKey,
        /// Why.
        reason: Unpunched,
    },
    /// Whether a relay keeps a place for us where others can reach us; if not, it is tried again.
    Relay {
        /// Which.
        address: Address,
        /// Why not.
        ready: Result<(), DialFault>,
    },
    /// More strangers come than there is room for; told once, a moment after it has begun.
    Flooded {
        /// From how many addresses.
        addresses: usize,
    },
    /// The system lets us use one transport only.
    Without {
        /// The other one.
        transport: Transport,
        /// What the system said.
        reason: String,
    },
    /// A peer was not reached. Peers that are kept are dialled again.
    DialFailed {
        /// Who was sought.
        who: Dial,
        /// Why, in words.
        reason: DialFault,
    },
}

/// What is carried for others.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Served {
    /// Peers that can be reached through us.
    pub reservations: usize,
    /// Circuits between two peers through us.
    pub circuits: usize,
    /// Requests refused since the start because of the limits.
    pub refused: usize,
}

/// The running network. Dropped, it stops at once; `shutdown` says goodbye.
pub struct Net {
    key: PublicKey,
    shared: Arc<Shared>,
    commands: mpsc::UnboundedSender<NetCommand>,
}

/// What the handle asks of the driver.
pub(super) enum NetCommand {
    Know { peer: PublicKey, addresses: Vec<Address>, keep: bool },
    Dial { who: Dial, addresses: Vec<Address> },
    Relay { address: Address },
    Leave { peer: PublicKey, refuse: bool },
    Welcome { peer: PublicKey },
    Bear { peer: PublicKey },
    Shutdown(oneshot::Sender<()>),
}

/// Starts the network on the current tokio runtime, and returns when it listens.
pub async fn start(config: NetConfig) -> Result<(Net, mpsc::Receiver<NetEvent>), NetError> {
    fits(config.greeting.len(), GREETING_BYTES, NetError::Greeting)?;
    let mut secret = config.secret;
    let pair = Keypair::ed25519_from_bytes(&mut secret[..]).map_err(|_| NetError::Key)?;
    let key = own_key(&pair).ok_or(NetError::Key)?;
    let flood = SharedFlood::default();
    let mut swarm = swarm::build(&pair, config.mdns, !config.loopback, &flood)?;
    let shared = Arc::new(Shared::new(config.greeting));
    let (events, told) = mpsc::channel(EVENTS);
    let (reports, reported) = mpsc::unbounded_channel();
    let streams = Streams::accept(&swarm.behaviour().streams, reports.clone());
    let listening =
        swarm::listen(&mut swarm, config.port, config.loopback, config.second_port).await?;
    let (commands, asked) = mpsc::unbounded_channel();
    let wires = Wires { shared: Arc::clone(&shared), events, reports };
    let mut driver = Driver::new(key, swarm, streams, wires, flood);
    driver.outside(&config.outside);
    for event in listening.events {
        driver.on_swarm(event);
    }
    if let Some((transport, reason)) = listening.without {
        driver.notice(NetEvent::Without { transport, reason });
    }
    tokio::spawn(driver.run(asked, reported));
    Ok((Net { key, shared, commands }, told))
}

impl Net {
    /// Who we are.
    pub fn key(&self) -> PublicKey {
        self.key
    }

    /// The addresses to give to others: public first, the local network's next.
    pub fn listening(&self) -> Vec<Address> {
        self.shared.listening()
    }

    /// The relays through which we can be reached now.
    pub fn relays(&self) -> Vec<Address> {
        self.shared.relays()
    }

    /// What is carried for others now.
    pub fn served(&self) -> Served {
        self.shared.served()
    }

    /// The last round trip to a peer that is up; `None` if none has come back yet.
    pub fn rtt(&self, peer: &PublicKey) -> Option<Duration> {
        self.shared.rtt(peer)
    }

    /// Uses the relay at an address, whoever answers there: a relay carries what it cannot read
    /// or change. Peers that are sought are dialled through it too, and it is asked to keep a
    /// place where others can reach us. Beyond `RELAYS` the one named longest ago is left.
    pub fn relay(&self, address: Address) {
        self.ask(NetCommand::Relay { address });
    }

    /// Notes where a peer may be. With `keep` it is dialled whenever it is not connected, until
    /// forgotten: after 0.5 s, doubled up to 8 s.
    pub fn know(&self, peer: PublicKey, addresses: Vec<Address>, keep: bool) {
        self.ask(NetCommand::Know { peer, addresses, keep });
    }

    /// Dials once. `Up` or `DialFailed` follows, nothing if the peer is up already.
    pub fn dial(&self, who: Dial, addresses: Vec<Address>) {
        self.ask(NetCommand::Dial { who, addresses });
    }

    /// Takes a peer that has come for no stranger any more, for as long as it is connected: it
    /// keeps its place, and may say as much as it likes. A peer that is kept or dialled is none.
    pub fn welcome(&self, peer: PublicKey) {
        self.ask(NetCommand::Welcome { peer });
    }

    /// Bears a stranger for a while longer, who looks and wants nothing else.
    pub fn bear(&self, peer: PublicKey) {
        self.ask(NetCommand::Bear { peer });
    }

    /// No longer dials a peer, sends what is queued for it, and closes. It may come back.
    pub fn forget(&self, peer: PublicKey) {
        self.shared.drain(&peer);
        self.ask(NetCommand::Leave { peer, refuse: false });
    }

    /// Like `forget`, and this process never accepts the peer again.
    pub fn refuse(&self, peer: PublicKey) {
        self.shared.drain(&peer);
        self.ask(NetCommand::Leave { peer, refuse: true });
    }

    /// Sends a frame to a peer that is up; to others it is dropped, since their `Down` is on its
    /// way. A peer that takes too little is disconnected. Refuses frames over `FRAME_BYTES`.
    pub fn send(&self, peer: PublicKey, frame: Vec<u8>) -> Result<(), NetError> {
        fits(frame.len(), FRAME_BYTES, NetError::Frame)?;
        self.shared.send(&peer, frame);
        Ok(())
    }

    /// Changes our greeting, and tells it to peers that are up. Refuses greetings over
    /// `GREETING_BYTES`.
    pub fn set_greeting(&self, greeting: Vec<u8>) -> Result<(), NetError> {
        fits(greeting.len(), GREETING_BYTES, NetError::Greeting)?;
        self.shared.set_greeting(greeting);
        Ok(())
    }

    /// Sends what is queued, closes every connection, and stops; takes half a second at most.
    pub async fn shutdown(self) {
        let (done, stopped) = oneshot::channel();
        self.ask(NetCommand::Shutdown(done));
        let _ = stopped.await;
    }

    fn ask(&self, command: NetCommand) {
        // The driver outlives the handle, unless its runtime is gone.
        let _ = self.commands.send(command);
    }
}

/// An error of this kind if a length is over its limit.
fn fits(length: usize, limit: usize, error: fn(usize) -> NetError) -> Result<(), NetError> {
    if length > limit { Err(error(length)) } else { Ok(()) }
}
