//! libp2p put together: transports, behaviours, limits, and the sockets to listen on.

use std::error::Error;
use std::io::ErrorKind;
use std::net::{IpAddr, Ipv4Addr, Ipv6Addr, TcpListener, UdpSocket};

use futures::StreamExt;
use libp2p::allow_block_list::{self, BlockedPeers};
use libp2p::connection_limits::{self, ConnectionLimits};
use libp2p::core::muxing::StreamMuxerBox;
use libp2p::core::transport::{Boxed, ListenerId};
use libp2p::core::upgrade::Version;
use libp2p::identity::Keypair;
use libp2p::multiaddr::Protocol;
use libp2p::swarm::behaviour::toggle::Toggle;
use libp2p::swarm::{self, NetworkBehaviour, SwarmEvent};
use libp2p::{
    Multiaddr, PeerId, Swarm, Transport, dcutr, identify, mdns, noise, quic, relay, tcp, upnp,
    yamux,
};

use super::address::{Address, Reach, Transport as Over};
use super::crowd::SharedFlood;
use super::doors::Door;
use super::fault::NetError;
use super::limits::{
    ADDRESS, CIRCUIT_BYTES, CIRCUIT_TIME, CIRCUITS, CIRCUITS_A_PEER, CONNECTIONS_A_PEER, DIALS,
    IDLE, LISTEN, MDNS_QUERY, MDNS_TTL, PORT_TRIES, QUIC_CONNECTION_BYTES, QUIC_STREAM_BYTES,
    RELAY_BURST, RELAY_RATE, RESERVATIONS,
};
use super::segments::Segments;
use super::strangers;
use super::streams;

/// What runs on each connection. The gates come first: they deny before others act.
#[derive(NetworkBehaviour)]
pub(super) struct Behaviour {
    limits: connection_limits::Behaviour,
    pub(super) refused: allow_block_list::Behaviour<BlockedPeers>,
    pub(super) strangers: strangers::Behaviour,
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
/// forward what it will listen on. Who is turned away at its doors is noted in `flood`.
pub(super) fn build(
    pair: &Keypair,
    lan: bool,
    mapping: bool,
    flood: &SharedFlood,
) -> Result<Swarm<Behaviour>, NetError> {
    let start = |error: &dyn Error| NetError::Start(reason(error));
    let id = pair.public().to_peer_id();
    let (circuits, relay_client) = relay::client::new(id);
    let noise = noise::Config::new(pair).map_err(|error| start(&error))?;
    let config = mdns::Config { ttl: MDNS_TTL, query_interval: MDNS_QUERY, enable_ipv6: false };
    let mdns = lan.then(|| mdns::tokio::Behaviour::new(config, id)).transpose();
    let behaviour = Behaviour {
        limits: connection_limits::Behaviour::new(limits()),
        refused: allow_block_list::Behaviour::default(),
        strangers: strangers::Behaviour::new(SharedFlood::clone(flood)),
        streams: streams::Behaviour::new(),
        identify: identify::Behaviour::new(introduction(pair)),
        relay_client,
        relay: relay_server(id),
        dcutr: dcutr::Behaviour::new(id),
        mdns: mdns.map_err(|error| start(&error))?.into(),
        upnp: mapping.then(upnp::tokio::Behaviour::default).into(),
    };
    let config = swarm::Config::with_tokio_executor();
    let config = config.with_idle_connection_timeout(IDLE).with_smart_dial();
    Ok(Swarm::new(transport(pair, noise, circuits, flood), behaviour, id, config))
}

/// Circuits, TCP and QUIC, each behind a door of its own, so that no flood of one shuts another.
fn transport(
    pair: &Keypair,
    noise: noise::Config,
    circuits: relay::client::Transport,
    flood: &SharedFlood,
) -> Boxed<(PeerId, StreamMuxerBox)> {
    let circuits = circuits
        .upgrade(Version::V1Lazy)
        .authenticate(noise.clone())
        .multiplex(yamux::Config::default());
    let tcp = tcp::tokio::Transport::new(tcp::Config::new().nodelay(true))
        .map(|stream, _| Segments(stream))
        .upgrade(Version::V1Lazy)
        .authenticate(noise)
        .multiplex(yamux::Config::default());
    let mut config = quic::Config::new(pair);
    config.max_stream_data = QUIC_STREAM_BYTES;
    config.max_connection_data = QUIC_CONNECTION_BYTES;
    let quic = quic::tokio::Transport::new(config)
        .map(|(peer, connection), _| (peer, StreamMuxerBox::new(connection)));
    // TCP would take the address of a circuit for that of its relay.
    Door::before(circuits.boxed(), flood)
        .or_transport(Door::before(tcp.boxed(), flood))
        .map(|either, _| either.into_inner())
        .or_transport(Door::before(quic.boxed(), flood))
        .map(|either, _| either.into_inner())
        .boxed()
}

/// What listening has come to.
#[derive(Default)]
pub(super) struct Listening {
    /// What else happened meanwhile.
    pub(super) events: Vec<SwarmEvent<BehaviourEvent>>,
    /// The transport that the system does not let us use, and its reason.
    pub(super) without: Option<(Over, String)>,
}

/// The sockets of one port.
struct Bound {
    port: u16,
    listeners: Vec<(Over, ListenerId)>,
    without: Option<(Over, String)>,
}

/// Listens by QUIC and TCP on one port, the preferred one if it is free, and returns when the
/// system says so. One of the two is enough.
pub(super) async fn listen(
    swarm: &mut Swarm<Behaviour>,
    port: u16,
    loopback: bool,
    second_port: bool,
) -> Result<Listening, NetError> {
    let ip = if loopback { Ipv4Addr::LOCALHOST } else { Ipv4Addr::UNSPECIFIED };
    let mut bound = bind_free(swarm, ip, port);
    for _ in 0..PORT_TRIES {
        if bound.is_ok() {
            break;
        }
        bound = bind_free(swarm, ip, 0);
    }
    let failed = |reason| NetError::Listen { port, reason };
    let bound = bound.map_err(failed)?;
    if second_port
        && let Some(next) = bound.port.checked_add(1)
        && let Err(reason) = bind_free(swarm, ip, next)
    {
        tracing::warn!(reason, next, "not listening on a second port");
    }
    // A machine without IPv6 says no here, and that is fine.
    if !loopback {
        for (over, _) in &bound.listeners {
            if let Err(reason) = listen_over(swarm, Ipv6Addr::UNSPECIFIED.into(), bound.port, *over)
            {
                tracing::info!(reason, %over, "not listening by IPv6");
            }
        }
    }
    let standing = tokio::time::timeout(LISTEN, stand(swarm, bound)).await;
    let standing = standing.unwrap_or_else(|_| Err("the system does not answer".into()));
    let mut listening = standing.map_err(failed)?;
    if !loopback {
        // A machine on no network has no other address, and goes on without.
        let _ = tokio::time::timeout(ADDRESS, leads_out(swarm, &mut listening.events)).await;
    }
    Ok(listening)
}

/// Waits for an address that leads here from elsewhere: the first one told is this machine's own.
async fn leads_out(swarm: &mut Swarm<Behaviour>, events: &mut Vec<SwarmEvent<BehaviourEvent>>) {
    let outer = |address: &Multiaddr| {
        let address = Address::from_multiaddr(address);
        address.is_some_and(|(address, _)| address.reach() != Reach::Loopback)
    };
    while !swarm.listeners().any(outer) {
        events.push(swarm.select_next_some().await);
    }
}

/// Waits until all these listeners have an address, or one of them is refused.
async fn stand(swarm: &mut Swarm<Behaviour>, bound: Bound) -> Result<Listening, String> {
    let Bound { listeners: mut waiting, without, .. } = bound;
    let mut listening = Listening { events: Vec::new(), without };
    while !waiting.is_empty() {
        let event = swarm.select_next_some().await;
        match &event {
            SwarmEvent::NewListenAddr { listener_id, .. } => {
                waiting.retain(|(_, id)| id != listener_id);
            }
            SwarmEvent::ListenerClosed { listener_id, reason: why, .. } => {
                if let Some(at) = waiting.iter().position(|(_, id)| id == listener_id) {
                    let (over, _) = waiting.remove(at);
                    let why = why.as_ref().err().map_or("closed".into(), |error| reason(error));
                    if let Some((_, before)) = &listening.without {
                        return Err(format!("{before}; {why}"));
                    }
                    listening.without = Some((over, why));
                }
            }
            _ => {}
        }
        listening.events.push(event);
    }
    Ok(listening)
}

/// Binds UDP and TCP to one port that nobody has, or the one of them that the system allows.
/// libp2p would share a taken TCP port silently, so a plain socket takes it first and holds it
/// while UDP is bound.
fn bind_free(swarm: &mut Swarm<Behaviour>, ip: Ipv4Addr, port: u16) -> Result<Bound, String> {
    let tcp = TcpListener::bind((ip, port)).and_then(|held| Ok((held.local_addr()?.port(), held)));
    let wanted = tcp.as_ref().map_or(port, |(port, _)| *port);
    let udp = UdpSocket::bind((ip, wanted)).and_then(|socket| Ok(socket.local_addr()?.port()));
    for error in [tcp.as_ref().err(), udp.as_ref().err()].into_iter().flatten() {
        if error.kind() == ErrorKind::AddrInUse {
            return Err(error.to_string());
        }
    }
    let port = match (&tcp, &udp) {
        (Ok((port, _)), _) | (Err(_), Ok(port)) => *port,
        (Err(tcp), Err(udp)) => return Err(both(&tcp.to_string(), &udp.to_string())),
    };
    let udp = udp.map_err(|error| error.to_string());
    let quic = udp.and_then(|_| listen_over(swarm, ip.into(), port, Over::Quic));
    let tcp = match tcp {
        Ok((_, held)) => {
            drop(held);
            listen_over(swarm, ip.into(), port, Over::Tcp)
        }
        Err(error) => Err(error.to_string()),
    };
    let bound = |listeners, without| Ok(Bound { port, listeners, without });
    match (quic, tcp) {
        (Ok(quic), Ok(tcp)) => bound(vec![(Over::Quic, quic), (Over::Tcp, tcp)], None),
        (Ok(quic), Err(why)) => bound(vec![(Over::Quic, quic)], Some((Over::Tcp, why))),
        (Err(why), Ok(tcp)) => bound(vec![(Over::Tcp, tcp)], Some((Over::Quic, why))),
        (Err(quic), Err(tcp)) => Err(both(&tcp, &quic)),
    }
}

/// Why neither transport is to be had.
fn both(tcp: &str, udp: &str) -> String {
    if tcp == udp { tcp.into() } else { format!("TCP: {tcp}; UDP: {udp}") }
}

/// Listens over one transport.
fn listen_over(
    swarm: &mut Swarm<Behaviour>,
    ip: IpAddr,
    port: u16,
    over: Over,
) -> Result<ListenerId, String> {
    let base = Multiaddr::from(ip);
    let address = match over {
        Over::Quic => base.with(Protocol::Udp(port)).with(Protocol::QuicV1),
        Over::Tcp => base.with(Protocol::Tcp(port)),
    };
    swarm.listen_on(address).map_err(|error| reason(&error))
}

/// What an error of libp2p's says; some say nothing, and what they come from says it.
fn reason(error: &dyn Error) -> String {
    let mut said: Vec<String> = Vec::new();
    let mut next = Some(error);
    while let Some(error) = next {
        let text = error.to_string();
        if !text.is_empty() && !said.iter().any(|before| before.contains(&text)) {
            said.push(text);
        }
        next = error.source();
    }
    said.join(": ")
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
        // Who comes when all places are taken gets one: `reach` makes room.
        max_reservations: 2 * RESERVATIONS,
        max_reservations_per_peer: 2,
        max_circuits: 2 * CIRCUITS,
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

/// The limits of connections. Who comes in is up to the doors, and to `strangers`.
fn limits() -> ConnectionLimits {
    ConnectionLimits::default()
        .with_max_established_per_peer(Some(CONNECTIONS_A_PEER))
        .with_max_pending_outgoing(Some(DIALS))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[derive(Debug, thiserror::Error)]
    #[error("")]
    struct Silent(#[source] std::io::Error);

    #[test]
    fn a_reason_is_looked_for_in_what_an_error_comes_from() {
        let denied = std::io::Error::from_raw_os_error(1);
        let text = denied.to_string();
        assert!(!text.is_empty());
        assert_eq!(reason(&Silent(denied)), text);
        assert_eq!(both("no", "no"), "no");
        assert_eq!(both("no", "never"), "TCP: no; UDP: never");
    }
}
