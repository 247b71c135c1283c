//! The one task that owns the swarm. What it decides of a peer is in `steer`.

use std::collections::{BTreeMap, HashMap, HashSet, VecDeque};
use std::time::Instant;

use futures::StreamExt;
use libp2p::core::ConnectedPoint;
use libp2p::swarm::dial_opts::DialOpts;
use libp2p::swarm::{ConnectionId, DialError, SwarmEvent};
use libp2p::{Multiaddr, PeerId, Swarm, mdns};
use tokio::sync::mpsc::UnboundedReceiver;
use tokio::time::{MissedTickBehavior, interval, sleep};

use super::address::{Address, Reach};
use super::attempt::Attempt;
use super::crowd::SharedFlood;
use super::fault::DialFault;
use super::interfaces::dialable;
use super::key::{key_hash, key_of, peer_id};
use super::limits::{LEAVE, LOOKER, NOTICES, TICK};
use super::node::{NetCommand, NetEvent};
use super::path::Path;
use super::peer::{Peer, PeerConnection};
use super::reach::Reachability;
use super::session::{Report, Wires, lock};
use super::streams::Streams;
use super::swarm::{Behaviour, BehaviourEvent};
use super::target::Dial;
use crate::protocol::crypto::identity::PublicKey;

/// The swarm, and what is known of each peer.
pub(super) struct Driver {
    pub(super) key: PublicKey,
    pub(super) swarm: Swarm<Behaviour>,
    pub(super) streams: Streams,
    pub(super) wires: Wires,
    pub(super) peers: HashMap<PublicKey, Peer>,
    pub(super) attempts: Vec<Attempt>,
    pub(super) reach: Reachability,
    /// Who was turned away at the doors.
    pub(super) flood: SharedFlood,
    /// Events of the driver's own that wait for room.
    notices: VecDeque<NetEvent>,
    /// The number of the last opening or session.
    pub(super) number: u64,
}

impl Driver {
    /// A driver that knows nobody.
    pub(super) fn new(
        key: PublicKey,
        swarm: Swarm<Behaviour>,
        streams: Streams,
        wires: Wires,
        flood: SharedFlood,
    ) -> Driver {
        Driver {
            key,
            swarm,
            streams,
            wires,
            peers: HashMap::new(),
            attempts: Vec::new(),
            reach: Reachability::default(),
            flood,
            notices: VecDeque::new(),
            number: 0,
        }
    }

    /// Runs until the handle is dropped or shuts down.
    pub(super) async fn run(
        mut self,
        mut asked: UnboundedReceiver<NetCommand>,
        mut reported: UnboundedReceiver<Report>,
    ) {
        let events = self.wires.events.clone();
        let mut tick = interval(TICK);
        tick.set_missed_tick_behavior(MissedTickBehavior::Delay);
        let done = loop {
            tokio::select! {
                event = self.swarm.select_next_some() => self.on_swarm(event),
                Some(report) = reported.recv() => self.on_report(report),
                command = asked.recv() => match command {
                    None => return,
                    Some(NetCommand::Shutdown(done)) => break done,
                    Some(command) => self.on_command(command),
                },
                _ = tick.tick() => self.on_tick(Instant::now()),
                room = events.reserve(), if !self.notices.is_empty() => {
                    if let (Some(notice), Ok(room)) = (self.notices.pop_front(), room) {
                        room.send(notice);
                    }
                }
            }
        };
        self.leave_all(reported).await;
        let _ = done.send(());
    }

    /// Lets the sessions write what is queued, then closes the connections.
    async fn leave_all(&mut self, mut reported: UnboundedReceiver<Report>) {
        let keys: Vec<PublicKey> = self.peers.keys().copied().collect();
        keys.iter().for_each(|key| self.wires.shared.drain(key));
        self.wait_while(&mut reported, Peer::in_session).await;
        keys.iter().for_each(|key| self.disconnect(key));
        self.wait_while(&mut reported, |peer| !peer.connections.is_empty()).await;
    }

    /// Goes on while this holds for any peer, `LEAVE` at most.
    async fn wait_while(
        &mut self,
        reported: &mut UnboundedReceiver<Report>,
        holds: impl Fn(&Peer) -> bool,
    ) {
        let late = sleep(LEAVE);
        tokio::pin!(late);
        while self.peers.values().any(&holds) {
            tokio::select! {
                event = self.swarm.select_next_some() => self.on_swarm(event),
                Some(report) = reported.recv() => self.on_report(report),
                () = &mut late => return,
            }
        }
    }

    /// Keeps an event of our own until there is room for it.
    pub(super) fn notice(&mut self, event: NetEvent) {
        if self.notices.len() >= NOTICES {
            self.notices.pop_front();
        }
        self.notices.push_back(event);
    }

    /// Acts on what libp2p says.
    pub(super) fn on_swarm(&mut self, event: SwarmEvent<BehaviourEvent>) {
        match event {
            SwarmEvent::ConnectionEstablished { peer_id, connection_id, endpoint, .. } => {
                self.on_established(peer_id, connection_id, &endpoint);
            }
            SwarmEvent::ConnectionClosed { peer_id, connection_id, .. } => {
                if let Some(key) = key_of(peer_id) {
                    self.closed(key, connection_id, Instant::now());
                    self.hung_up(key, connection_id);
                }
            }
            SwarmEvent::OutgoingConnectionError { connection_id, peer_id, error } => {
                self.on_dial_error(connection_id, peer_id, &error);
            }
            SwarmEvent::NewListenAddr { address, .. } => {
                match Address::from_multiaddr(&address) {
                    Some((own, transport)) if own.reach() == Reach::Public => {
                        self.confirm(own, transport);
                    }
                    _ => {}
                }
                self.on_listening();
            }
            SwarmEvent::ExpiredListenAddr { .. } => self.on_listening(),
            SwarmEvent::ListenerClosed { listener_id, reason, .. } => {
                tracing::debug!(?reason, "a listener closed");
                self.unreserved(listener_id, Instant::now());
                self.on_listening();
            }
            SwarmEvent::Behaviour(BehaviourEvent::Mdns(mdns::Event::Discovered(found))) => {
                self.on_found(&found);
            }
            SwarmEvent::Behaviour(event) => self.on_reach(event),
            other => tracing::trace!(?other, "swarm"),
        }
    }

    fn on_established(&mut self, id: PeerId, connection: ConnectionId, point: &ConnectedPoint) {
        let (Some(key), Some(path)) = (key_of(id), Path::of(point)) else {
            self.swarm.close_connection(connection);
            return;
        };
        let tried = self.attempts.iter_mut().find_map(|attempt| {
            let right = attempt.established(connection, &key)?;
            Some((attempt.who(), attempt.sought_relay(), right))
        });
        if let Some((_, _, false)) = tried {
            self.swarm.close_connection(connection);
            self.end_attempts();
            return;
        }
        let now = Instant::now();
        let path = self.with_relay(path);
        let outside = path.remote().is_some_and(|remote| remote.reach() == Reach::Public);
        let called = outside && !point.is_dialer() && self.is_new(&key);
        let peer = self.peers.entry(key).or_insert_with(|| Peer::new(now));
        peer.sought |= tried.is_some();
        match tried {
            Some((who, None, _)) if !peer.in_session() => peer.asked = Some(who),
            Some((_, Some(address), _)) => self.found_relay(key, address, now),
            _ => {}
        }
        self.reach.calls.extend(called.then_some(connection));
        if let (true, Some(remote), Some(peer)) =
            (point.is_dialer(), path.remote(), self.peers.get_mut(&key))
        {
            peer.reached_at(remote);
        }
        let connection = PeerConnection { id: connection, path, since: now, closing: false };
        self.connected(key, connection, now);
        self.end_attempts();
    }

    fn on_dial_error(&mut self, id: ConnectionId, peer: Option<PeerId>, error: &DialError) {
        let fault = DialFault::of(error);
        tracing::debug!(%error, ?fault, "dial failed");
        if self.attempts.iter_mut().any(|attempt| attempt.failed(id, fault)) {
            self.run_attempts(Instant::now());
        } else if let Some(key) = peer.and_then(key_of) {
            self.punch_failed(key, id, error);
            self.dial_failed(key, id, fault, Instant::now());
        }
    }

    /// The addresses of our own sockets.
    pub(super) fn listeners(&self) -> impl Iterator<Item = Address> {
        let all = self.swarm.listeners().filter_map(Address::from_multiaddr);
        all.map(|(address, _)| address)
    }

    /// Tells of addresses that are new.
    pub(super) fn on_listening(&mut self) {
        let inside: Vec<Address> = self.listeners().collect();
        let addresses = dialable(inside.iter().chain(&self.reach.outside).copied());
        if self.wires.shared.set_listening(&addresses) {
            self.notice(NetEvent::Listening(addresses));
        }
    }

    fn on_found(&mut self, found: &[(PeerId, Multiaddr)]) {
        let mut peers: BTreeMap<PublicKey, Vec<Address>> = BTreeMap::new();
        for (id, address) in found {
            let found = (key_of(*id), Address::from_multiaddr(address));
            if let (Some(key), Some((address, _))) = found {
                let addresses = peers.entry(key).or_default();
                if !addresses.contains(&address) {
                    addresses.push(address);
                }
            }
        }
        peers.remove(&self.key);
        for (peer, addresses) in peers {
            if let Some(known) = self.peers.get_mut(&peer) {
                known.seen_at(&addresses);
                known.retry.after(Instant::now(), std::time::Duration::ZERO);
            }
            self.notice(NetEvent::Found { peer, addresses });
        }
    }

    fn on_report(&mut self, report: Report) {
        let now = Instant::now();
        match report {
            Report::Stream { peer, stream } => {
                if let Some(key) = key_of(peer) {
                    self.heard_stream(key, stream);
                }
            }
            Report::Hello { peer, hello } => self.heard_hello(peer, hello, now),
            Report::Opened { peer, number, opened } => self.opened(peer, number, opened, now),
            Report::Up { peer, number } => self.up(peer, number, now),
            Report::Ended { peer, number, end } => self.ended(peer, number, end, now),
        }
    }

    fn on_command(&mut self, command: NetCommand) {
        let now = Instant::now();
        match command {
            NetCommand::Know { peer, addresses, keep } => self.know(peer, &addresses, keep, now),
            NetCommand::Dial { who: Dial::Key(key), addresses } => {
                self.dial_key(key, &addresses, now);
            }
            NetCommand::Dial { who, addresses } => {
                let sought = |(key, peer): (&PublicKey, &Peer)| {
                    peer.in_session() && who == Dial::Hash(key_hash(key))
                };
                let mut attempt = Attempt::new(who, &addresses, now);
                let wanted = attempt.leave_out(&self.attempts) || addresses.is_empty();
                if wanted && !self.peers.iter().any(sought) {
                    self.attempts.push(attempt);
                    self.run_attempts(now);
                }
            }
            NetCommand::Relay { address } => self.use_relay(address, now),
            NetCommand::Leave { peer, refuse } => self.leave(peer, refuse, now),
            NetCommand::Welcome { peer } => {
                if let Some(peer) = self.peers.get_mut(&peer) {
                    peer.welcome = !peer.connections.is_empty();
                }
            }
            NetCommand::Bear { peer } => {
                if let Some(peer) = self.peers.get_mut(&peer) {
                    peer.borne = now + LOOKER;
                }
            }
            NetCommand::Shutdown(_) => {}
        }
        self.sort_strangers();
    }

    /// Says to the doors, and to who reads what peers say, who is no stranger.
    fn sort_strangers(&mut self) {
        let trusted = self.peers.iter().filter(|(_, peer)| peer.is_trusted());
        let keys: HashSet<PublicKey> = trusted.map(|(key, _)| *key).collect();
        let ids = keys.iter().map(peer_id).collect();
        self.swarm.behaviour_mut().strangers.trust(ids);
        self.wires.shared.trust(keys);
    }

    fn on_tick(&mut self, now: Instant) {
        let keys: Vec<PublicKey> = self.peers.keys().copied().collect();
        for key in keys {
            self.tend(key, now);
        }
        self.peers.retain(|_, peer| !peer.forgotten());
        self.sort_strangers();
        let flooded = lock(&self.flood).news(now);
        flooded.into_iter().for_each(|addresses| self.notice(NetEvent::Flooded { addresses }));
        self.tend_relays(now);
        self.run_attempts(now);
    }

    /// Dials what the attempts want dialled now.
    pub(super) fn run_attempts(&mut self, now: Instant) {
        for attempt in &mut self.attempts {
            while let Some(address) = attempt.next(now) {
                let options = DialOpts::unknown_peer_id().address(address.clone()).build();
                let id = options.connection_id();
                match self.swarm.dial(options) {
                    Ok(()) => attempt.begun(id, address),
                    // libp2p leaves out our own addresses, and then there is none.
                    Err(DialError::NoAddresses) => attempt.fail(DialFault::Own),
                    Err(error) => attempt.fail(DialFault::of(&error)),
                }
            }
        }
        self.end_attempts();
    }

    /// Tells of the attempts that failed, and forgets those that are over.
    fn end_attempts(&mut self) {
        let mut failed = Vec::new();
        self.attempts.retain(|attempt| match attempt.over() {
            None => true,
            Some(Ok(())) => false,
            Some(Err(reason)) => {
                failed.push(match attempt.sought_relay() {
                    Some(address) => NetEvent::Relay { address, ready: Err(reason) },
                    None => NetEvent::DialFailed { who: attempt.who(), reason },
                });
                false
            }
        });
        failed.into_iter().for_each(|event| self.notice(event));
    }
}
