//! What the driver decides of one peer: one connection, one stream, opened by the lower key; the
//! newest good one wins; what is kept is dialled again.

use std::sync::Arc;
use std::time::{Duration, Instant};

use libp2p::Stream;
use libp2p::swarm::ConnectionId;
use libp2p::swarm::dial_opts::{DialOpts, PeerCondition};
use tokio::sync::Notify;

use super::address::{Address, Transport};
use super::driver::Driver;
use super::fault::DialFault;
use super::frame::End;
use super::key::peer_id;
use super::limits::{HELLOS_A_PEER, LEAVE, POLITE, STREAMLESS, VIA};
use super::node::NetEvent;
use super::peer::{Peer, PeerConnection, Stage};
use super::session::{self, Opened, PeerSession, Report};
use super::target::Dial;
use crate::protocol::crypto::identity::PublicKey;

impl Driver {
    /// Notes where a peer may be.
    pub(super) fn know(&mut self, key: PublicKey, addresses: &[Address], keep: bool, now: Instant) {
        if key == self.key {
            return;
        }
        let polite = if self.opens(&key) { Duration::ZERO } else { POLITE };
        let peer = self.peers.entry(key).or_insert_with(|| Peer::new(now));
        if !peer.keep && keep {
            peer.retry.after(now, polite);
        }
        peer.learn(addresses);
        peer.keep = keep;
        peer.leaving = None;
        self.tend(key, now);
    }

    /// Dials a peer once because someone asked.
    pub(super) fn dial_key(&mut self, key: PublicKey, addresses: &[Address], now: Instant) {
        let who = Dial::Key(key);
        if key == self.key {
            self.notice(NetEvent::DialFailed { who, reason: DialFault::Own });
            return;
        }
        let peer = self.peers.entry(key).or_insert_with(|| Peer::new(now));
        peer.learn(addresses);
        peer.leaving = None;
        peer.sought = true;
        if peer.in_session() {
            return;
        }
        peer.asked = Some(who);
        if peer.connections.is_empty() && peer.dialling.is_none() {
            self.dial(key, now);
        }
    }

    /// Lets a peer go, once what is queued for it is out.
    pub(super) fn leave(&mut self, key: PublicKey, refuse: bool, now: Instant) {
        let peer = self.peers.entry(key).or_insert_with(|| Peer::new(now));
        peer.keep = false;
        peer.asked = None;
        peer.leaving = Some((now + LEAVE, refuse));
        if !peer.in_session() {
            self.left(key, now);
        }
    }

    /// A connection stands.
    pub(super) fn connected(&mut self, key: PublicKey, connection: PeerConnection, now: Instant) {
        let Some(peer) = self.peers.get_mut(&key) else {
            return;
        };
        if peer.dialling == Some(connection.id) {
            peer.dialling = None;
        }
        if peer.via == Some(connection.id) {
            peer.via = None;
        }
        peer.joined(connection, now);
        peer.retry.after(now, Duration::ZERO);
        self.settle(key, now);
    }

    /// A connection is gone.
    pub(super) fn closed(&mut self, key: PublicKey, id: ConnectionId, now: Instant) {
        let Some(peer) = self.peers.get_mut(&key) else {
            return;
        };
        let relayed = |c: &PeerConnection| c.id == id && c.path.is_relayed();
        let cut = peer.connections.iter().any(relayed);
        peer.connections.retain(|connection| connection.id != id);
        if let Stage::Opening { on, .. } = peer.stream
            && on == id
        {
            peer.stop(now);
        }
        if peer.connections.is_empty() {
            peer.welcome = false;
            peer.served = false;
        }
        if peer.connections.is_empty() && !peer.in_session() {
            // A session that ended has set the time already.
            if peer.retry.due(now) {
                peer.retry.later(now);
            }
            peer.via_retry.after(now, VIA);
            self.answer(key, if cut { DialFault::Cut } else { DialFault::Closed });
        }
        self.settle(key, now);
    }

    /// A dial by key failed.
    pub(super) fn dial_failed(
        &mut self,
        key: PublicKey,
        id: ConnectionId,
        reason: DialFault,
        now: Instant,
    ) {
        let Some(peer) = self.peers.get_mut(&key).filter(|peer| peer.dials(id)) else {
            return;
        };
        if peer.via == Some(id) {
            peer.via = None;
            peer.via_retry.later(now);
        } else {
            peer.dialling = None;
            peer.retry.later(now);
        }
        // We cancelled this dial for another one: it tells nothing about the peer.
        if reason != DialFault::Closed {
            peer.fault = peer.fault.max(reason);
        }
        let trying = peer.via.is_some() || peer.dialling.is_some();
        if peer.named && reason == DialFault::Stranger {
            // The relay has a new key: whoever answers at its address is the relay.
            peer.named = false;
        } else if peer.connections.is_empty() && !trying && (peer.keep || peer.asked.is_some()) {
            let who = peer.asked.take().unwrap_or(Dial::Key(key));
            let reason = std::mem::replace(&mut peer.fault, DialFault::NoAddress).max(reason);
            self.notice(NetEvent::DialFailed { who, reason });
        }
    }

    /// A peer opened a stream. Accepts it if they are the opener and we want one of their
    /// connections.
    pub(super) fn heard_stream(&mut self, key: PublicKey, stream: Stream) {
        let ours = self.opens(&key);
        let Some(peer) = self.peers.get_mut(&key) else {
            return;
        };
        let wanted = !ours && peer.leaving.is_none() && peer.best().is_some();
        if wanted && peer.hellos < HELLOS_A_PEER {
            peer.hellos += 1;
            tokio::spawn(session::hear(key, stream, self.wires.clone()));
        }
    }

    /// A peer's stream said Hello, or ended before.
    pub(super) fn heard_hello(
        &mut self,
        key: PublicKey,
        hello: Result<(Stream, Vec<u8>), End>,
        now: Instant,
    ) {
        let Some(peer) = self.peers.get_mut(&key) else {
            return;
        };
        peer.hellos = peer.hellos.saturating_sub(1);
        match hello {
            Ok((stream, greeting)) if peer.leaving.is_none() => {
                peer.stop(now);
                self.begin(key, stream, greeting, None);
            }
            Err(End::Fault) => self.disconnect(&key),
            // The peer has given it up, or will try again.
            Ok(_) | Err(_) => {}
        }
    }

    /// Our opening ended.
    pub(super) fn opened(
        &mut self,
        key: PublicKey,
        number: u64,
        opened: Result<Opened, DialFault>,
        now: Instant,
    ) {
        let Some(peer) = self.peers.get_mut(&key).filter(|peer| peer.is_current(number)) else {
            return;
        };
        match opened {
            Ok(Opened { stream, said, greeting }) => {
                self.begin(key, stream, greeting, Some(said));
            }
            Err(fault) => {
                peer.ended(now);
                self.answer(key, fault);
                self.disconnect(&key);
            }
        }
    }

    /// A session told Up.
    pub(super) fn up(&mut self, key: PublicKey, number: u64, now: Instant) {
        let Some(peer) = self.peers.get_mut(&key).filter(|peer| peer.is_current(number)) else {
            return;
        };
        peer.asked = None;
        if let Stage::Session { up, .. } = &mut peer.stream {
            *up = Some(now);
        }
    }

    /// A session is over. A stream that merely closed leaves the connection for the next one.
    pub(super) fn ended(&mut self, key: PublicKey, number: u64, end: End, now: Instant) {
        let Some(peer) = self.peers.get_mut(&key).filter(|peer| peer.is_current(number)) else {
            return;
        };
        peer.ended(now);
        if peer.leaving.is_some() {
            self.left(key, now);
        } else if end != End::Closed {
            self.disconnect(&key);
        }
        self.settle(key, now);
    }

    /// Redials, upgrades and gives up, as time passes.
    pub(super) fn tend(&mut self, key: PublicKey, now: Instant) {
        let opens = self.opens(&key);
        let Some(peer) = self.peers.get_mut(&key) else {
            return;
        };
        let idle = matches!(peer.stream, Stage::Idle) && !peer.connections.is_empty();
        if peer.leaving.is_some_and(|(end, _)| now >= end) {
            self.left(key, now);
        } else if peer.is_idle(now) {
            self.leave(key, false, now);
        } else if peer.due(now) || peer.due_upgrade(now) {
            self.dial(key, now);
        } else if idle && now.duration_since(peer.streamless) > STREAMLESS {
            peer.streamless = now;
            self.answer(key, DialFault::NotFairdeal);
            self.disconnect(&key);
        } else if opens {
            self.settle(key, now);
        } else {
            peer.leftovers(now).iter().for_each(|connection| {
                self.swarm.close_connection(connection.id);
            });
        }
    }

    /// Closes every connection.
    pub(super) fn disconnect(&mut self, key: &PublicKey) {
        if let Some(peer) = self.peers.get_mut(key) {
            peer.connections.iter_mut().for_each(|connection| connection.closing = true);
        }
        // It fails where there is none.
        let _ = self.swarm.disconnect_peer_id(peer_id(key));
    }

    /// Whether the stream with this peer is ours to open.
    fn opens(&self, key: &PublicKey) -> bool {
        self.key < *key
    }

    /// As the opener: closes all connections but the best, and opens the stream on that.
    fn settle(&mut self, key: PublicKey, now: Instant) {
        let opens = self.opens(&key);
        let Some(peer) = self.peers.get_mut(&key) else {
            return;
        };
        let Some(best) = peer.best().filter(|_| opens && peer.leaving.is_none()) else {
            return;
        };
        for connection in &mut peer.connections {
            if connection.id != best.id && !connection.closing {
                connection.closing = true;
                self.swarm.close_connection(connection.id);
            }
        }
        if peer.on().is_some_and(|on| on != best.id) {
            peer.stop(now);
        }
        // libp2p-stream picks any connection, so there must be one only.
        let ready = peer.connections.len() == 1 && peer.retry.due(now);
        if ready && matches!(peer.stream, Stage::Idle) {
            self.number += 1;
            let number = self.number;
            let said = self.wires.shared.greeting();
            let opening = self.streams.clone().open(key, said);
            let reports = self.wires.reports.clone();
            let task = tokio::spawn(async move {
                let opened = opening.await;
                let _ = reports.send(Report::Opened { peer: key, number, opened });
            });
            peer.stream = Stage::Opening { number, on: best.id, task: task.abort_handle() };
        }
    }

    /// Starts the session of a greeted stream.
    fn begin(&mut self, key: PublicKey, stream: Stream, greeting: Vec<u8>, said: Option<Vec<u8>>) {
        let Some(peer) = self.peers.get_mut(&key) else {
            return;
        };
        // Without a connection the stream is dead already.
        let Some(best) = peer.best() else {
            peer.stream = Stage::Idle;
            return;
        };
        self.number += 1;
        let number = self.number;
        let stop = Arc::new(Notify::new());
        let session = PeerSession {
            peer: key,
            number,
            path: best.path,
            punched: peer.punched(&best),
            greeting,
            said,
            previous: peer.previous.take(),
            next: Arc::default(),
            stop: Arc::clone(&stop),
        };
        peer.stream = Stage::Session { number, on: best.id, stop, up: None };
        peer.previous = Some(session.spawn(stream, self.wires.clone()));
    }

    /// Dials a peer at all its addresses; libp2p paces them.
    fn dial(&mut self, key: PublicKey, now: Instant) {
        let Some(peer) = self.peers.get_mut(&key) else {
            return;
        };
        let both = |address: Address| {
            [Transport::Quic, Transport::Tcp].map(|transport| address.multiaddr(transport))
        };
        let condition = match peer.on_circuit_only() {
            true => PeerCondition::NotDialing,
            false => PeerCondition::DisconnectedAndNotDialing,
        };
        let options = DialOpts::peer_id(peer_id(&key))
            .addresses(peer.addresses().into_iter().flat_map(both).collect())
            .condition(condition)
            .build();
        let id = options.connection_id();
        peer.dialling = Some(id);
        peer.sought = true;
        if let Err(error) = self.swarm.dial(options) {
            self.dial_failed(key, id, DialFault::of(&error), now);
        }
    }

    /// Tells whoever asked for this peer why it was not reached.
    fn answer(&mut self, key: PublicKey, reason: DialFault) {
        let asked = self.peers.get_mut(&key).and_then(|peer| peer.asked.take());
        if let Some(who) = asked {
            self.notice(NetEvent::DialFailed { who, reason });
        }
    }

    /// Ends what is left of a peer we let go.
    fn left(&mut self, key: PublicKey, now: Instant) {
        let Some(peer) = self.peers.get_mut(&key) else {
            return;
        };
        let refuse = peer.leaving.take().is_some_and(|(_, refuse)| refuse);
        peer.stop(now);
        self.disconnect(&key);
        if refuse {
            self.swarm.behaviour_mut().refused.block_peer(peer_id(&key));
        }
    }
}
