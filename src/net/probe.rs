//! What stands between this machine and others: a look around without a table.
//!
//! We ask a relay at two ports, over QUIC and TCP, under which address it sees us. If our router
//! shows both ports the same address, a hole can be punched through it; otherwise not.

use std::time::{Duration, Instant};

use futures::StreamExt;
use libp2p::identity::Keypair;
use libp2p::swarm::dial_opts::DialOpts;
use libp2p::swarm::{ConnectionId, SwarmEvent};
use libp2p::{PeerId, Swarm, identify, relay, upnp};
use tokio::sync::mpsc;
use zeroize::Zeroizing;

use super::address::{Address, Reach, Transport};
use super::crowd::SharedFlood;
use super::fault::{DialFault, NetError};
use super::interfaces::dialable;
use super::key::key_of;
use super::limits::{PROBE, PROBE_REST};
use super::session::Report;
use super::streams::Streams;
use super::swarm::{self, Behaviour, BehaviourEvent};

/// What was found.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Probed {
    /// The addresses of this machine that others can dial.
    pub inside: Vec<Address>,
    /// Whether the router forwards a port when asked (UPnP).
    pub mapping: Mapping,
    /// What the relay showed, if one was given.
    pub relay: Option<Asked>,
}

/// How the router answers when asked for a port.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Mapping {
    /// It forwards one.
    Forwards(Address),
    /// There is a router that answers, and it has no public address itself.
    NotPublic,
    /// No router answers.
    None,
}

/// What a relay showed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Asked {
    /// Where it is.
    pub address: Address,
    /// How long a connection over QUIC took.
    pub quic: Option<Duration>,
    /// How long a connection over TCP took.
    pub tcp: Option<Duration>,
    /// Why no connection stands, if none does.
    pub fault: DialFault,
    /// Our address as its ports see it.
    pub seen: Vec<(Transport, Address)>,
    /// Whether it keeps a place for us.
    pub keeps: bool,
}

/// What stands in between.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Nat {
    /// This machine has no address but its own.
    NoNetwork,
    /// Nobody could tell.
    Unknown,
    /// Nothing: others see this machine's own address.
    Public,
    /// A router that shows everybody the same port.
    Cone,
    /// A router that shows each connection another port.
    Symmetric,
    /// A router or firewall that lets no UDP through.
    NoUdp,
    /// A router; the relay answers at one port only, so whether it shows everybody the same port
    /// is not known. One that has kept this machine's own most often does.
    OnePort {
        /// Whether the router has kept it.
        kept: bool,
    },
}

impl Probed {
    /// What stands in between, as far as it was seen.
    pub fn nat(&self) -> Nat {
        let local = |address: &Address| address.reach() == Reach::Loopback;
        if self.inside.iter().all(local) {
            return Nat::NoNetwork;
        }
        let Some(asked) = &self.relay else { return Nat::Unknown };
        let by = |transport| {
            let seen = asked.seen.iter().filter(move |(by, _)| *by == transport);
            seen.map(|(_, address)| *address).collect::<Vec<_>>()
        };
        let (quic, tcp) = (by(Transport::Quic), by(Transport::Tcp));
        let own = |seen: &Address| self.inside.iter().any(|inside| inside.ip() == seen.ip());
        match (quic.as_slice(), tcp.as_slice()) {
            ([], []) => Nat::Unknown,
            ([seen, ..], _) if own(seen) => Nat::Public,
            ([], _) => Nat::NoUdp,
            ([first, second], _) if first == second => Nat::Cone,
            ([_, _], _) => Nat::Symmetric,
            ([seen, ..], _) => {
                let own = |inside: &Address| inside.port() == seen.port();
                Nat::OnePort { kept: self.inside.iter().any(own) }
            }
        }
    }
}

/// A dial on its way. There is one connection at a time: a relay closes doubles, as every peer.
struct Try {
    id: ConnectionId,
    step: Step,
    begun: Instant,
}

/// A port of the relay over a transport.
#[derive(Clone, Copy)]
struct Step {
    transport: Transport,
    /// Whether it is the relay's second port.
    second: bool,
}

/// Looks around; asks the relay at this address, if one is given. Takes some seconds.
pub async fn probe(
    mut secret: Zeroizing<[u8; 32]>,
    port: u16,
    relay: Option<Address>,
) -> Result<Probed, NetError> {
    let pair = Keypair::ed25519_from_bytes(&mut secret[..]).map_err(|_| NetError::Key)?;
    let mut swarm = swarm::build(&pair, false, true, &SharedFlood::default())?;
    swarm::listen(&mut swarm, port, false, false).await?;
    let asked = relay.map(|address| Asked {
        address,
        quic: None,
        tcp: None,
        fault: DialFault::NoAddress,
        seen: Vec::new(),
        keeps: false,
    });
    let (reports, mut reported) = mpsc::unbounded_channel();
    // A stream that nobody takes is what another program does, and a relay hangs up on that.
    let _streams = Streams::accept(&swarm.behaviour().streams, reports);
    let mut look = Look::new(asked);
    let begun = Instant::now();
    look.dial(&mut swarm);
    while !look.is_over() {
        let all = if look.is_asked() { PROBE_REST } else { PROBE };
        let left = tokio::time::sleep(all.saturating_sub(begun.elapsed()));
        tokio::select! {
            event = swarm.select_next_some() => look.on(&mut swarm, event),
            // Kept open until the end, and not answered.
            Some(report) = reported.recv() => look.held.push(report),
            () = left => break,
        }
    }
    let all = swarm.listeners().filter_map(Address::from_multiaddr);
    let inside = dialable(all.map(|(address, _)| address));
    let mapping = look.mapping.unwrap_or(Mapping::None);
    Ok(Probed { inside, mapping, relay: look.asked })
}

/// A look around that is not over.
struct Look {
    /// What is still to be dialled, the next last.
    steps: Vec<Step>,
    current: Option<Try>,
    mapping: Option<Mapping>,
    asked: Option<Asked>,
    /// Whether the relay was asked to keep a place.
    begged: bool,
    held: Vec<Report>,
}

impl Look {
    fn new(asked: Option<Asked>) -> Look {
        let ports = |transport| [true, false].map(|second| Step { transport, second });
        let all = [Transport::Tcp, Transport::Quic].into_iter().flat_map(ports);
        let steps = if asked.is_some() { all.collect() } else { Vec::new() };
        Look { steps, current: None, mapping: None, asked, begged: false, held: Vec::new() }
    }

    /// Dials the next port.
    fn dial(&mut self, swarm: &mut Swarm<Behaviour>) {
        self.current = None;
        let Some(relay) = self.asked.as_ref().map(|asked| asked.address) else { return };
        while let Some(step) = self.steps.pop() {
            let port = relay.port().checked_add(u16::from(step.second));
            let address = port.and_then(|port| Address::new(relay.ip(), port));
            let Some(address) = address else { continue };
            let address = address.multiaddr(step.transport);
            let options = DialOpts::unknown_peer_id().address(address).build();
            let (id, begun) = (options.connection_id(), Instant::now());
            if swarm.dial(options).is_ok() {
                self.current = Some(Try { id, step, begun });
                return;
            }
        }
    }

    /// Whether the relay has shown all it can.
    fn is_asked(&self) -> bool {
        self.current.is_none()
    }

    fn is_over(&self) -> bool {
        self.mapping.is_some() && self.is_asked()
    }

    /// Ends the connection that stands; the next dial follows when it is gone.
    fn hang_up(&self, swarm: &mut Swarm<Behaviour>) {
        if let Some(current) = &self.current {
            swarm.close_connection(current.id);
        }
    }

    fn on(&mut self, swarm: &mut Swarm<Behaviour>, event: SwarmEvent<BehaviourEvent>) {
        let of_current = |id| self.current.as_ref().is_some_and(|current| current.id == id);
        match event {
            SwarmEvent::ConnectionEstablished { connection_id, .. }
                if of_current(connection_id) =>
            {
                self.note_time();
            }
            SwarmEvent::ConnectionClosed { connection_id, .. } if of_current(connection_id) => {
                self.dial(swarm);
            }
            SwarmEvent::OutgoingConnectionError { connection_id, error, .. }
                if of_current(connection_id) =>
            {
                self.failed(DialFault::of(&error));
                self.dial(swarm);
            }
            // The relay refuses; a place that was kept closes with its connection.
            SwarmEvent::ListenerClosed { .. }
                if self.asked.as_ref().is_some_and(|asked| !asked.keeps) =>
            {
                self.hang_up(swarm);
            }
            SwarmEvent::Behaviour(BehaviourEvent::Identify(identify::Event::Received {
                connection_id,
                peer_id,
                info,
            })) if of_current(connection_id) => self.introduced(swarm, peer_id, &info),
            SwarmEvent::Behaviour(BehaviourEvent::RelayClient(
                relay::client::Event::ReservationReqAccepted { .. },
            )) => {
                if let Some(asked) = &mut self.asked {
                    asked.keeps = true;
                }
                self.hang_up(swarm);
            }
            SwarmEvent::Behaviour(BehaviourEvent::Upnp(event)) => self.mapping = mapping(&event),
            _ => {}
        }
    }

    /// The relay told us our address as it sees it. The first time, we also ask it for a place.
    fn introduced(&mut self, swarm: &mut Swarm<Behaviour>, id: PeerId, info: &identify::Info) {
        let (Some(current), Some(asked)) = (&self.current, &mut self.asked) else { return };
        let transport = current.step.transport;
        let seen = Address::from_multiaddr(&info.observed_addr).map(|(seen, _)| seen);
        asked.seen.extend(seen.map(|seen| (transport, seen)));
        let begged = std::mem::replace(&mut self.begged, true);
        let circuit = key_of(id).map(|key| asked.address.circuit(transport, &key));
        if begged || circuit.is_none_or(|circuit| swarm.listen_on(circuit).is_err()) {
            self.hang_up(swarm);
        }
    }

    fn note_time(&mut self) {
        if let (Some(Try { step, begun, .. }), Some(asked)) = (&self.current, &mut self.asked)
            && !step.second
        {
            let time = Some(begun.elapsed());
            match step.transport {
                Transport::Quic => asked.quic = time,
                Transport::Tcp => asked.tcp = time,
            }
        }
    }

    /// A dial failed. If the first port does not answer, the second is skipped.
    fn failed(&mut self, fault: DialFault) {
        if let (Some(Try { step, .. }), Some(asked)) = (&self.current, &mut self.asked)
            && !step.second
        {
            asked.fault = asked.fault.max(fault);
            self.steps.pop();
        }
    }
}

fn mapping(event: &upnp::Event) -> Option<Mapping> {
    match event {
        upnp::Event::NewExternalAddr { external_addr, .. } => {
            Address::from_multiaddr(external_addr).map(|(address, _)| Mapping::Forwards(address))
        }
        upnp::Event::NonRoutableGateway => Some(Mapping::NotPublic),
        upnp::Event::GatewayNotFound | upnp::Event::ExpiredExternalAddr { .. } => {
            Some(Mapping::None)
        }
    }
}
