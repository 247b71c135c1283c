//! Those who are connected and have not shown that they belong here: so many, and no more. Who
//! is trusted takes none of their places.

use std::collections::{HashSet, VecDeque};
use std::convert::Infallible;
use std::task::{Context, Poll};

use libp2p::core::Endpoint;
use libp2p::core::transport::PortUse;
use libp2p::swarm::behaviour::ListenFailure;
use libp2p::swarm::{
    CloseConnection, ConnectionClosed, ConnectionDenied, ConnectionId, FromSwarm, NetworkBehaviour,
    THandler, THandlerInEvent, THandlerOutEvent, ToSwarm, dummy,
};
use libp2p::{Multiaddr, PeerId};

use super::crowd::{Crowd, Flood, SharedFlood, ip_of};
use super::limits::STRANGERS;

/// The strangers' part of the swarm.
pub(super) struct Behaviour {
    trusted: HashSet<PeerId>,
    inside: Crowd<(PeerId, ConnectionId)>,
    going: VecDeque<(PeerId, ConnectionId)>,
    flood: SharedFlood,
}

impl Behaviour {
    /// Everybody is a stranger yet.
    pub(super) fn new(flood: SharedFlood) -> Behaviour {
        let (trusted, inside) = (HashSet::new(), Crowd::new(STRANGERS));
        Behaviour { trusted, inside, going: VecDeque::new(), flood }
    }

    /// From now on these are no strangers, and all others are.
    pub(super) fn trust(&mut self, peers: HashSet<PeerId>) {
        self.inside.retain(|(peer, _)| !peers.contains(peer));
        self.trusted = peers;
    }
}

impl NetworkBehaviour for Behaviour {
    type ConnectionHandler = dummy::ConnectionHandler;
    type ToSwarm = Infallible;

    fn handle_established_inbound_connection(
        &mut self,
        connection: ConnectionId,
        peer: PeerId,
        _: &Multiaddr,
        from: &Multiaddr,
    ) -> Result<THandler<Self>, ConnectionDenied> {
        if !self.trusted.contains(&peer)
            && let Some((ip, gone)) = self.inside.enter(ip_of(from), (peer, connection))
        {
            Flood::turned_away(&self.flood, ip);
            self.going.push_back(gone);
        }
        Ok(dummy::ConnectionHandler)
    }

    fn handle_established_outbound_connection(
        &mut self,
        _: ConnectionId,
        _: PeerId,
        _: &Multiaddr,
        _: Endpoint,
        _: PortUse,
    ) -> Result<THandler<Self>, ConnectionDenied> {
        Ok(dummy::ConnectionHandler)
    }

    fn on_swarm_event(&mut self, event: FromSwarm) {
        match event {
            FromSwarm::ConnectionClosed(ConnectionClosed { connection_id, .. })
            | FromSwarm::ListenFailure(ListenFailure { connection_id, .. }) => {
                self.inside.retain(|(_, connection)| *connection != connection_id);
            }
            _ => {}
        }
    }

    fn on_connection_handler_event(
        &mut self,
        _: PeerId,
        _: ConnectionId,
        event: THandlerOutEvent<Self>,
    ) {
        match event {}
    }

    fn poll(&mut self, _: &mut Context<'_>) -> Poll<ToSwarm<Infallible, THandlerInEvent<Self>>> {
        match self.going.pop_front() {
            Some((peer_id, connection)) => {
                let connection = CloseConnection::One(connection);
                Poll::Ready(ToSwarm::CloseConnection { peer_id, connection })
            }
            None => Poll::Pending,
        }
    }
}
