//! libp2p put together: transports, behaviours, limits, and the sockets to listen on.

use std::net::{IpAddr, Ipv4Addr, Ipv6Addr, TcpListener};

use futures::StreamExt;
use libp2p::allow_block_list::{self, BlockedPeers};
use libp2p::connection_limits::{self, ConnectionLimits};
use libp2p::core::transport::ListenerId;
use libp2p::identity::Keypair;
use libp2p::multiaddr::Protocol;
use libp2p::swarm::behaviour::toggle::Toggle;
use libp2p::swarm::{NetworkBehaviour, SwarmEvent};
use libp2p::{
    Multiaddr, PeerId, Swarm, SwarmBuilder, dcutr, identify, mdns, noise, relay, tcp, upnp, yamux,
};

use super::fault::NetError;
use super::limits::{
    CIRCUIT_BYTES, CIRCUIT_TIME, CIRCUITS, CIRCUITS_A_PEER, CONNECTIONS, CONNECTIONS_A_PEER,
    CONNECTIONS_INBOUND, CONNECTIONS_PENDING, DIALS, IDLE, LISTEN, MDNS_QUERY, MDNS_TTL,
    PORT_TRIES, QUIC_CONNECTION_BYTES, QUIC_STREAM_BYTES, RELAY_BURST, RELAY_RATE, RESERVATIONS,
};
use super::streams;

/// What runs on each connection. The gates come first: they deny before others act.
#[derive(NetworkBehaviour)]
pub(super) struct Behaviour {
    limits: connection_limits::Behaviour,
    pub(super) refused: allow_block_list::Behaviour<BlockedPeers>,
    pub(super) streams: streams::Behaviour,
    identify: identify::Behaviour,
    relay_client: relay::client::Behaviour,
    /// Offered once it is known that we can be reached.
    pub(super) relay: relay::Behaviour,
    dcutr: dcutr::Behaviour,
    mdns: Toggle<mdns::tokio::Behaviour>,
    upnp: Toggle<upnp::tokio::Behaviour>,
}

/// A swarm with this identity that does not listen yet; with `mapping` the router is asked to
/// forward what it will listen on.
pub(super) fn build(pair: Keypair, lan: bool, mapping: bool) -> Result<Swarm<Behaviour>, NetError> {
    let start = |error: &dyn std::fmt::Display| NetError::Start(error.to_string());
    let swarm = SwarmBuilder::with_existing_identity(pair)
        .with_tokio()
        .with_tcp(tcp::Config::new().nodelay(true), noise::Config::new, yamux::Config::default)
        .map_err(|error| start(&error))?
        .with_quic_config(|mut quic| {
            quic.max_stream_data = QUIC_STREAM_BYTES;
            quic.max_connection_data = QUIC_CONNECTION_BYTES;
            quic
        })
        .with_relay_client(noise::Config::new, yamux::Config::default)
        .map_err(|error| start(&error))?
        .with_behaviour(|pair, relay_client| {
            let config =
                mdns::Config { ttl: MDNS_TTL, query_interval: MDNS_QUERY, enable_ipv6: false };
            let id = pair.public().to_peer_id();
            let mdns = lan.then(|| mdns::tokio::Behaviour::new(config, id)).transpose()?;
            Ok(Behaviour {
                limits: connection_limits::Behaviour::new(limits()),
                refused: allow_block_list::Behaviour::default(),
                streams: streams::Behaviour::new(),
                identify: identify::Behaviour::new(introduction(pair)),
                relay_client,
                relay: relay_server(id),
                dcutr: dcutr::Behaviour::new(id),
                mdns: mdns.into(),
                upnp: mapping.then(upnp::tokio::Behaviour::default).into(),
            })
        })
        .map_err(|error| start(&error))?
        .with_swarm_config(|config| config.with_idle_connection_timeout(IDLE).with_smart_dial())
        .build();
    Ok(swarm)
}

/// Listens by QUIC and TCP on one port, the preferred one if it is free, and returns when the
/// system says so, with what else happened meanwhile.
pub(super) async fn listen(
    swarm: &mut Swarm<Behaviour>,
    port: u16,
    loopback: bool,
    second_port: bool,
) -> Result<Vec<SwarmEvent<BehaviourEvent>>, NetError> {
    let ip = if loopback { Ipv4Addr::LOCALHOST } else { Ipv4Addr::UNSPECIFIED };
    let mut bound = bind_free(swarm, ip, port);
    for _ in 0..PORT_TRIES {
        if bound.is_ok() {
            break;
        }
        bound = bind_free(swarm, ip, 0);
    }
    let failed = |reason| NetError::Listen { port, reason };
    let (free, listeners) = bound.map_err(failed)?;
    if second_port
        && let Some(next) = free.checked_add(1)
        && let Err(reason) = bind_free(swarm, ip, next)
    {
        tracing::warn!(reason, next, "not listening on a second port");
    }
    // A machine without IPv6 says no here, and that is fine.
    if !loopback && let Err(reason) = bind(swarm, Ipv6Addr::UNSPECIFIED.into(), free, None) {
        tracing::info!(reason, "not listening by IPv6");
    }
    let standing = tokio::time::timeout(LISTEN, stand(swarm, listeners.to_vec())).await;
    standing.unwrap_or_else(|_| Err("the system does not answer".into())).map_err(failed)
}

/// Waits until all these listeners have an address; gives the events.
async fn stand(
    swarm: &mut Swarm<Behaviour>,
    mut waiting: Vec<ListenerId>,
) -> Result<Vec<SwarmEvent<BehaviourEvent>>, String> {
    let mut events = Vec::new();
    while !waiting.is_empty() {
        let event = swarm.select_next_some().await;
        match &event {
            SwarmEvent::NewListenAddr { listener_id, .. } => {
                waiting.retain(|id| id != listener_id);
            }
            SwarmEvent::ListenerClosed { listener_id, reason, .. }
                if waiting.contains(listener_id) =>
            {
                return Err(reason.as_ref().err().map_or("closed".into(), ToString::to_string));
            }
            _ => {}
        }
        events.push(event);
    }
    Ok(events)
}

/// Binds UDP and TCP to one port that nobody has. libp2p would share a taken TCP port silently,
/// so a plain socket takes it first and holds it while UDP is bound.
fn bind_free(
    swarm: &mut Swarm<Behaviour>,
    ip: Ipv4Addr,
    port: u16,
) -> Result<(u16, [ListenerId; 2]), String> {
    let hold = TcpListener::bind((ip, port)).map_err(|error| error.to_string())?;
    let port = hold.local_addr().map_err(|error| error.to_string())?.port();
    Ok((port, bind(swarm, ip.into(), port, Some(hold))?))
}

/// Listens by QUIC, then, what was held being free, by TCP.
fn bind(
    swarm: &mut Swarm<Behaviour>,
    ip: IpAddr,
    port: u16,
    hold: Option<TcpListener>,
) -> Result<[ListenerId; 2], String> {
    let base = Multiaddr::from(ip);
    let quic = base.clone().with(Protocol::Udp(port)).with(Protocol::QuicV1);
    let quic = swarm.listen_on(quic).map_err(|error| error.to_string())?;
    drop(hold);
    match swarm.listen_on(base.with(Protocol::Tcp(port))) {
        Ok(tcp) => Ok([quic, tcp]),
        Err(error) => {
            swarm.remove_listener(quic);
            Err(error.to_string())
        }
    }
}

/// What is said to every peer of the swarm: what we understand, and as what we see it. Where we
/// listen is the table's business only, so no listen addresses, and none are kept of others.
fn introduction(pair: &Keypair) -> identify::Config {
    identify::Config::new("fairdeal".into(), pair.public())
        .with_agent_version("fairdeal".into())
        .with_hide_listen_addrs(true)
        .with_cache_size(0)
}

/// The relay in every node, with limits of our own, and not offered yet.
fn relay_server(id: PeerId) -> relay::Behaviour {
    let config = relay::Config {
        max_reservations: RESERVATIONS,
        max_reservations_per_peer: 2,
        max_circuits: CIRCUITS,
        max_circuits_per_peer: CIRCUITS_A_PEER,
        max_circuit_duration: CIRCUIT_TIME,
        max_circuit_bytes: CIRCUIT_BYTES,
        reservation_rate_limiters: Vec::new(),
        circuit_src_rate_limiters: Vec::new(),
        ..relay::Config::default()
    };
    let config = config.reservation_rate_per_peer(RELAY_BURST, RELAY_RATE);
    let mut relay = relay::Behaviour::new(id, config.circuit_src_per_peer(RELAY_BURST, RELAY_RATE));
    // A circuit to us is an address outside too, and no reason to offer circuits.
    relay.set_status(Some(relay::Status::Disable));
    relay
}

/// The limits of connections.
fn limits() -> ConnectionLimits {
    ConnectionLimits::default()
        .with_max_established_per_peer(Some(CONNECTIONS_A_PEER))
        .with_max_established(Some(CONNECTIONS))
        .with_max_established_incoming(Some(CONNECTIONS_INBOUND))
        .with_max_pending_incoming(Some(CONNECTIONS_PENDING))
        .with_max_pending_outgoing(Some(DIALS))
}
