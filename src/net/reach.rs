//! Reaching and being reached where routers are in between: relays, and how we look from outside.
//!
//! A relay is a peer that offers circuits and is connected directly: one that was named, or one
//! of our table that can be reached. It is asked to keep a place for us, and whoever is not
//! connected is sought through it. A hole is punched by libp2p once a circuit stands; then
//! `steer` moves the stream. All of it waits for the relay's introduction, which says as what it
//! sees us: without that nobody could punch.

use std::net::IpAddr;
use std::time::Instant;

use libp2p::core::transport::ListenerId;
use libp2p::multiaddr::Protocol;
use libp2p::swarm::dial_opts::{DialOpts, PeerCondition};
use libp2p::swarm::{ConnectionId, DialError};
use libp2p::{PeerId, dcutr, identify, relay, upnp};

use super::address::{Address, Reach, Transport};
use super::attempt::Attempt;
use super::crowd::{Crowd, Flood};
use super::driver::Driver;
use super::fault::DialFault;
use super::key::{key_of, peer_id};
use super::limits::{CIRCUITS, OUTSIDE, RELAYS, RESERVATIONS};
use super::node::{NetEvent, Served};
use super::path::Path;
use super::peer::{Peer, Retry};
use super::swarm::BehaviourEvent;
use crate::protocol::crypto::identity::PublicKey;

/// What is known of our place in the network.
pub(super) struct Reachability {
    /// The newest last.
    named: Vec<Named>,
    /// Addresses that lead here from outside, as far as we know; the newest last.
    pub(super) outside: Vec<Address>,
    /// Connections that came from outside unasked and have not introduced themselves.
    pub(super) calls: Vec<ConnectionId>,
    /// Whether one has: others can reach us, and we need nobody's circuits.
    called: bool,
    served: Served,
    /// Those for whom a place is kept, and those who have called another through us: who belongs
    /// here is not counted.
    places: Crowd<PublicKey>,
    circuits: Crowd<(PublicKey, PublicKey)>,
}

impl Default for Reachability {
    fn default() -> Reachability {
        Reachability {
            named: Vec::new(),
            outside: Vec::new(),
            calls: Vec::new(),
            called: false,
            served: Served::default(),
            places: Crowd::new(RESERVATIONS),
            circuits: Crowd::new(CIRCUITS),
        }
    }
}

/// A relay that was named by its address.
struct Named {
    address: Address,
    /// Whose it is, once someone has answered there.
    key: Option<PublicKey>,
    retry: Retry,
}

/// A peer as a relay.
pub(super) struct Hop {
    /// Whether it offers circuits.
    offered: bool,
    /// Where we are called through it, or will be.
    listener: Option<ListenerId>,
    /// Whether it has agreed to keep that place.
    held: bool,
    retry: Retry,
}

impl Hop {
    /// No relay, as far as we know.
    pub(super) fn new(now: Instant) -> Hop {
        Hop { offered: false, listener: None, held: false, retry: Retry::new(now) }
    }

    /// Whether we are called through it, or will be.
    pub(super) fn is_used(&self) -> bool {
        self.listener.is_some()
    }
}

impl Driver {
    /// Takes addresses that are known to lead here.
    pub(super) fn outside(&mut self, addresses: &[Address]) {
        for address in addresses {
            self.confirm(*address, Transport::Quic);
            self.confirm(*address, Transport::Tcp);
        }
    }

    /// Uses the relay at this address.
    pub(super) fn use_relay(&mut self, address: Address, now: Instant) {
        if self.reach.named.iter().any(|named| named.address == address) {
            return;
        }
        if self.reach.named.len() >= RELAYS {
            let oldest = self.reach.named.remove(0);
            if let Some(peer) = oldest.key.and_then(|key| self.peers.get_mut(&key)) {
                peer.named = false;
            }
        }
        self.reach.named.push(Named { address, key: None, retry: Retry::new(now) });
        self.tend_relays(now);
        self.run_attempts(now);
    }

    /// Somebody answered where a relay was sought.
    pub(super) fn found_relay(&mut self, key: PublicKey, address: Address, now: Instant) {
        let named = self.reach.named.iter_mut().find(|named| named.address == address);
        if let (Some(named), Some(peer)) = (named, self.peers.get_mut(&key)) {
            named.key = Some(key);
            named.retry = Retry::new(now);
            peer.named = true;
            peer.leaving = None;
            peer.learn(&[address]);
        }
    }

    /// Seeks relays, asks them for a place, and seeks through them who is not connected.
    pub(super) fn tend_relays(&mut self, now: Instant) {
        for named in &mut self.reach.named {
            let known = named.key.and_then(|key| self.peers.get(&key));
            if named.key.is_some() && !known.is_some_and(|peer| peer.named) {
                named.key = None;
            }
            let sought = |attempt: &Attempt| attempt.sought_relay() == Some(named.address);
            if named.key.is_none() && named.retry.due(now) && !self.attempts.iter().any(sought) {
                named.retry.later(now);
                self.attempts.push(Attempt::relay(named.address, now));
            }
        }
        let keys: Vec<PublicKey> = self.peers.keys().copied().collect();
        for key in keys {
            self.reserve(key, now);
            self.dial_via(key, now);
        }
        let relays: Vec<Address> =
            self.reach.named.iter().filter(|named| self.holds(named)).map(|n| n.address).collect();
        self.wires.shared.set_relays(relays);
    }

    fn holds(&self, named: &Named) -> bool {
        named.key.and_then(|key| self.peers.get(&key)).is_some_and(|peer| peer.hop.held)
    }

    /// Asks a relay to keep a place for us.
    fn reserve(&mut self, key: PublicKey, now: Instant) {
        let called = self.reach.called;
        let Some(peer) = self.peers.get_mut(&key) else {
            return;
        };
        let wanted = peer.named || (peer.keep && !called);
        let free = is_relay(peer) && peer.hop.listener.is_none() && peer.hop.retry.due(now);
        if let (true, Some(circuit)) = (wanted && free, circuit(&key, peer)) {
            peer.hop.retry.later(now);
            match self.swarm.listen_on(circuit) {
                Ok(listener) => peer.hop.listener = Some(listener),
                Err(error) => tracing::debug!(?key, %error, "no place at the relay"),
            }
        }
    }

    /// Dials a peer through all relays.
    fn dial_via(&mut self, key: PublicKey, now: Instant) {
        if !self.peers.get(&key).is_some_and(|peer| peer.due_via(now)) {
            return;
        }
        let relays = self.peers.iter().filter(|(relay, peer)| **relay != key && is_relay(peer));
        let circuits = relays.filter_map(|(relay, peer)| circuit(relay, peer));
        let addresses: Vec<_> =
            circuits.map(|circuit| circuit.with(Protocol::P2p(peer_id(&key)))).collect();
        if addresses.is_empty() {
            return;
        }
        let options = DialOpts::peer_id(peer_id(&key))
            .addresses(addresses)
            .condition(PeerCondition::Disconnected)
            .build();
        let id = options.connection_id();
        if let Some(peer) = self.peers.get_mut(&key) {
            peer.via = Some(id);
            peer.sought = true;
        }
        if let Err(error) = self.swarm.dial(options) {
            self.dial_failed(key, id, DialFault::of(&error), now);
        }
    }

    /// A place at a relay is gone, or was refused.
    pub(super) fn unreserved(&mut self, listener: ListenerId, now: Instant) {
        let lost = self.peers.iter_mut().find(|(_, peer)| peer.hop.listener == Some(listener));
        if let Some((key, peer)) = lost {
            peer.hop.listener = None;
            peer.hop.held = false;
            peer.hop.retry.later(now);
            let key = *key;
            self.tell_relay(key, Err(DialFault::Cut));
            self.tend_relays(now);
        }
    }

    /// A connection is gone: a relay without one is none until it introduces itself again.
    pub(super) fn hung_up(&mut self, key: PublicKey, id: ConnectionId) {
        self.reach.calls.retain(|call| *call != id);
        if let Some(peer) = self.peers.get_mut(&key)
            && peer.direct().is_none()
        {
            peer.hop.offered = false;
        }
    }

    /// Whether no connection to this peer stands, nor is one on its way.
    pub(super) fn is_new(&self, key: &PublicKey) -> bool {
        let known = |peer: &Peer| {
            !peer.connections.is_empty() || peer.dialling.is_some() || peer.via.is_some()
        };
        !self.peers.get(key).is_some_and(known)
    }

    /// A path with the key of its relay, which libp2p leaves out where the relay dialled us.
    pub(super) fn with_relay(&self, path: Path) -> Path {
        match path {
            Path::Relayed { relay: None, at } => {
                let there = |peer: &Peer| {
                    peer.direct().is_some_and(|connection| connection.path.remote() == Some(at))
                };
                let found = self.peers.iter().find(|(_, peer)| there(peer));
                Path::Relayed { relay: found.map(|(key, _)| *key), at }
            }
            path => path,
        }
    }

    /// Acts on what libp2p's parts for reaching say.
    pub(super) fn on_reach(&mut self, event: BehaviourEvent) {
        match event {
            BehaviourEvent::Identify(identify::Event::Received {
                connection_id,
                peer_id,
                info,
            }) => self.introduced(peer_id, connection_id, &info),
            BehaviourEvent::RelayClient(relay::client::Event::ReservationReqAccepted {
                relay_peer_id,
                renewal: false,
                ..
            }) => self.reserved(relay_peer_id),
            BehaviourEvent::Relay(event) => self.count(&event),
            BehaviourEvent::Dcutr(dcutr::Event { remote_peer_id, result: Err(error) }) => {
                tracing::info!(%error, peer = %remote_peer_id, "no direct path");
                if let Some(key) = key_of(remote_peer_id) {
                    self.not_punched(key);
                }
            }
            BehaviourEvent::Upnp(upnp::Event::NewExternalAddr { external_addr, .. }) => {
                if let Some((address, transport)) = Address::from_multiaddr(&external_addr) {
                    tracing::info!(?address, ?transport, "the router forwards");
                    self.confirm(address, transport);
                }
            }
            BehaviourEvent::Upnp(upnp::Event::ExpiredExternalAddr { external_addr, .. }) => {
                let lost = Address::from_multiaddr(&external_addr).map(|(address, _)| address);
                self.reach.outside.retain(|address| Some(*address) != lost);
                self.on_listening();
            }
            other => tracing::debug!(?other, "reach"),
        }
    }

    /// A peer introduced itself on one of its connections.
    fn introduced(&mut self, id: PeerId, on: ConnectionId, info: &identify::Info) {
        let Some(key) = key_of(id) else {
            return;
        };
        let called = self.reach.calls.contains(&on);
        self.reach.calls.retain(|call| *call != on);
        let Some(peer) = self.peers.get_mut(&key) else {
            return;
        };
        let connection = peer.connections.iter().find(|connection| connection.id == on);
        let Some(remote) = connection.and_then(|connection| connection.path.remote()) else {
            return;
        };
        peer.hop.offered = info.protocols.contains(&relay::HOP_PROTOCOL_NAME);
        let seen = Address::from_multiaddr(&info.observed_addr);
        if let Some((seen, transport)) = seen
            && remote.reach() == Reach::Public
            && seen.reach() == Reach::Public
        {
            tracing::debug!(?seen, ?transport, called, "seen from outside");
            if called {
                self.reach.called = true;
                self.confirm(seen, transport);
            } else if self.listeners().any(|own| own.port() == seen.port()) {
                // A router that keeps the port may well forward it: guests try in vain at worst.
                self.note_outside(seen);
            }
        }
        self.tend_relays(Instant::now());
    }

    /// An address leads here: it is told to others, and with it we can be a relay.
    pub(super) fn confirm(&mut self, address: Address, transport: Transport) {
        self.swarm.add_external_address(address.multiaddr(transport));
        self.swarm.behaviour_mut().relay.set_status(Some(relay::Status::Enable));
        self.note_outside(address);
    }

    fn note_outside(&mut self, address: Address) {
        if !self.reach.outside.contains(&address) {
            self.reach.outside.push(address);
            let extra = self.reach.outside.len().saturating_sub(OUTSIDE);
            self.reach.outside.drain(..extra);
            self.on_listening();
        }
    }

    fn reserved(&mut self, relay: PeerId) {
        let Some(key) = key_of(relay) else {
            return;
        };
        let now = Instant::now();
        if let Some(peer) = self.peers.get_mut(&key) {
            peer.hop.held = true;
            peer.hop.retry = Retry::new(now);
        }
        self.tend_relays(now);
        self.tell_relay(key, Ok(()));
    }

    /// Tells how a relay that was named is doing.
    fn tell_relay(&mut self, key: PublicKey, ready: Result<(), DialFault>) {
        let named = self.reach.named.iter().find(|named| named.key == Some(key));
        if let Some(address) = named.map(|named| named.address) {
            self.notice(NetEvent::Relay { address, ready });
        }
    }

    /// A dial by key failed. If it was to punch a hole, it counts: the side that called through the
    /// relay is not told by libp2p when the last one has failed.
    pub(super) fn punch_failed(&mut self, key: PublicKey, id: ConnectionId, error: &DialError) {
        let peer = self.peers.get_mut(&key).filter(|peer| !peer.dials(id));
        if peer.is_some_and(|peer| peer.punch.failed(error)) {
            self.not_punched(key);
        }
    }

    /// The search for a direct path is over.
    fn not_punched(&mut self, peer: PublicKey) {
        let known = self.peers.get_mut(&peer).filter(|known| known.on_circuit_only());
        if let Some(reason) = known.and_then(|known| known.punch.give_up()) {
            self.notice(NetEvent::StaysRelayed { peer, reason });
        }
    }

    /// Counts what is carried for others, and makes room for the newest.
    fn count(&mut self, event: &relay::Event) {
        let served = &mut self.reach.served;
        match event {
            relay::Event::ReservationReqAccepted { src_peer_id, renewed: false } => {
                served.reservations += 1;
                self.keep_place(*src_peer_id);
            }
            relay::Event::ReservationClosed { src_peer_id }
            | relay::Event::ReservationTimedOut { src_peer_id } => {
                served.reservations = served.reservations.saturating_sub(1);
                self.reach.places.retain(|peer| peer_id(peer) != *src_peer_id);
            }
            relay::Event::CircuitReqAccepted { src_peer_id, dst_peer_id } => {
                served.circuits += 1;
                self.carry(*src_peer_id, *dst_peer_id);
            }
            relay::Event::CircuitClosed { src_peer_id, dst_peer_id, .. } => {
                served.circuits = served.circuits.saturating_sub(1);
                let over = |(from, to): &(PublicKey, PublicKey)| {
                    peer_id(from) == *src_peer_id && peer_id(to) == *dst_peer_id
                };
                self.reach.circuits.retain(|circuit| !over(circuit));
            }
            relay::Event::ReservationReqDenied { .. } | relay::Event::CircuitReqDenied { .. } => {
                served.refused += 1;
            }
            _ => {}
        }
        let served = self.reach.served;
        tracing::debug!(?event, ?served, "relay");
        self.wires.shared.set_served(served);
    }

    /// A place is kept for a peer; where that is one too many, another one loses its own.
    fn keep_place(&mut self, peer: PeerId) {
        let Some((key, ip)) = self.serve(peer) else { return };
        self.reach.places.retain(|other| *other != key);
        if let Some((from, gone)) = self.reach.places.enter(ip, key) {
            Flood::turned_away(&self.flood, from);
            self.disconnect(&gone);
        }
    }

    /// A peer has called another through us; where that is one too many, another one is cut off.
    fn carry(&mut self, from: PeerId, to: PeerId) {
        let (Some((key, ip)), Some(to)) = (self.serve(from), key_of(to)) else { return };
        if let Some((from, (gone, _))) = self.reach.circuits.enter(ip, (key, to)) {
            Flood::turned_away(&self.flood, from);
            self.disconnect(&gone);
        }
    }

    /// Notes that something is done for a peer, and from where it comes; `None` if it belongs here
    /// and has a right to that.
    fn serve(&mut self, peer: PeerId) -> Option<(PublicKey, Option<IpAddr>)> {
        let key = key_of(peer)?;
        let known = self.peers.get_mut(&key)?;
        known.served = true;
        let ip = known.direct().and_then(|connection| connection.path.remote());
        (!known.belongs()).then_some((key, ip.map(|address| address.ip())))
    }
}

/// Whether a peer offers circuits, over a connection that will stay: of several that were made at
/// one moment all but one are closed before there is a session.
fn is_relay(peer: &Peer) -> bool {
    peer.hop.offered && peer.in_session()
}

/// The way through a peer that is connected directly.
fn circuit(key: &PublicKey, peer: &Peer) -> Option<libp2p::Multiaddr> {
    match peer.direct()?.path {
        Path::Direct { transport, remote } => Some(remote.circuit(transport, key)),
        Path::Relayed { .. } => None,
    }
}
