//! How a peer is connected.

use std::fmt;

use libp2p::Multiaddr;
use libp2p::core::ConnectedPoint;
use libp2p::multiaddr::Protocol;

use super::address::{Address, Transport};
use super::key::key_of;
use crate::protocol::crypto::identity::PublicKey;

/// How a peer is connected; as text, in words ("direct over QUIC").
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Path {
    /// By a connection of its own.
    Direct {
        /// Over what.
        transport: Transport,
        /// Where the peer is seen; behind a router that is the router's address.
        remote: Address,
    },
    /// By way of a third program, which carries what it cannot read.
    Relayed {
        /// Whose it is, where that is known.
        relay: Option<PublicKey>,
        /// Where that is.
        at: Address,
    },
}

impl Path {
    /// The path of a connection of libp2p's; `None` if it is none of ours.
    pub(super) fn of(point: &ConnectedPoint) -> Option<Path> {
        match point {
            ConnectedPoint::Dialer { address, .. } => Path::from_multiaddr(address),
            // The far end of a circuit is known by its key only: the relay stands in our own.
            ConnectedPoint::Listener { local_addr, .. } if point.is_relayed() => {
                Path::from_multiaddr(local_addr)
            }
            ConnectedPoint::Listener { send_back_addr, .. } => Path::from_multiaddr(send_back_addr),
        }
    }

    /// The path to an address.
    fn from_multiaddr(address: &Multiaddr) -> Option<Path> {
        let circuit = |part: &Protocol| *part == Protocol::P2pCircuit;
        if !address.iter().any(|part| circuit(&part)) {
            let (remote, transport) = Address::from_multiaddr(address)?;
            return Some(Path::Direct { transport, remote });
        }
        let first: Multiaddr = address.iter().take_while(|part| !circuit(part)).collect();
        let relay = match first.iter().last()? {
            Protocol::P2p(id) => key_of(id),
            _ => None,
        };
        let (at, _) = Address::from_multiaddr(&first)?;
        Some(Path::Relayed { relay, at })
    }

    /// Where the peer is seen, if it is connected directly.
    pub fn remote(&self) -> Option<Address> {
        match self {
            Path::Direct { remote, .. } => Some(*remote),
            Path::Relayed { .. } => None,
        }
    }

    /// By which transport, if it is connected directly.
    pub fn transport(&self) -> Option<Transport> {
        match self {
            Path::Direct { transport, .. } => Some(*transport),
            Path::Relayed { .. } => None,
        }
    }

    /// Whether it leads through a relay.
    pub fn is_relayed(&self) -> bool {
        matches!(self, Path::Relayed { .. })
    }
}

impl fmt::Display for Path {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Path::Direct { transport, .. } => write!(f, "direct over {transport}"),
            Path::Relayed { at, .. } => write!(f, "through the relay {at}"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn multiaddresses_and_back() {
        for text in ["192.168.1.5:7268", "[2001:db8::5]:80"] {
            let remote: Address = text.parse().expect(text);
            for transport in [Transport::Quic, Transport::Tcp] {
                let path = Path::from_multiaddr(&remote.multiaddr(transport));
                assert_eq!(path, Some(Path::Direct { transport, remote }));
            }
        }
        for text in ["/ip4/1.2.3.4/udp/5", "/dns/example.org/tcp/5", "/ip4/1.2.3.4/tcp/5/ws"] {
            assert_eq!(Path::from_multiaddr(&text.parse().expect(text)), None, "{text}");
        }
    }

    #[test]
    fn a_circuit_names_its_relay() {
        let pair = libp2p::identity::Keypair::generate_ed25519();
        let relay = crate::net::key::own_key(&pair).expect("a key");
        let at: Address = "198.51.100.10".parse().expect("an address");
        let id = pair.public().to_peer_id();
        let circuit = at.circuit(Transport::Quic, &relay);
        for whole in [circuit.clone(), circuit.with(Protocol::P2p(id))] {
            let path = Path::from_multiaddr(&whole).expect("a path");
            assert_eq!(path, Path::Relayed { relay: Some(relay), at });
            assert_eq!(path.to_string(), "through the relay 198.51.100.10:7268");
        }
        assert_eq!(Path::from_multiaddr(&"/p2p-circuit".parse().expect("one")), None);
    }
}
