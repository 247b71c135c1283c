//! Where a peer may be reached: one IP address and one port, for QUIC and TCP alike.

use std::fmt;
use std::net::{IpAddr, Ipv4Addr, SocketAddr};
use std::str::FromStr;

use libp2p::Multiaddr;
use libp2p::multiaddr::Protocol;

use super::key::peer_id;
use super::limits::PORT;
use crate::protocol::crypto::identity::PublicKey;

/// An address that can be dialled, by QUIC and by TCP with the same port.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Address {
    ip: IpAddr,
    port: u16,
}

/// From where an address can be dialled, the farthest first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Reach {
    /// From anywhere, as far as the address tells.
    Public,
    /// From the same network.
    Lan,
    /// From this machine only.
    Loopback,
}

/// By which transport a connection runs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Transport {
    /// QUIC, over UDP.
    Quic,
    /// TCP.
    Tcp,
}

impl fmt::Display for Transport {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Transport::Quic => "QUIC",
            Transport::Tcp => "TCP",
        })
    }
}

impl Address {
    /// This IP and port; `None` if nobody can dial it: port 0, unspecified, multicast, or IPv6
    /// link-local, which needs an interface beside it.
    pub fn new(ip: IpAddr, port: u16) -> Option<Address> {
        let ip = ip.to_canonical();
        let dead = match ip {
            IpAddr::V4(ip) => ip.is_broadcast(),
            IpAddr::V6(ip) => ip.is_unicast_link_local(),
        };
        let dead = dead || port == 0 || ip.is_unspecified() || ip.is_multicast();
        (!dead).then_some(Address { ip, port })
    }

    /// The IP address; an IPv4 one is never written as IPv6.
    pub fn ip(&self) -> IpAddr {
        self.ip
    }

    /// The port, of both TCP and UDP.
    pub fn port(&self) -> u16 {
        self.port
    }

    /// From where it can be dialled.
    pub fn reach(&self) -> Reach {
        let private = match self.ip {
            IpAddr::V4(ip) => private_v4(ip),
            IpAddr::V6(ip) => ip.is_unique_local(),
        };
        match (self.ip.is_loopback(), private) {
            (true, _) => Reach::Loopback,
            (_, true) => Reach::Lan,
            _ => Reach::Public,
        }
    }

    /// The address in one of libp2p's, with its transport; `None` if it is neither TCP nor QUIC,
    /// or leads through a relay.
    pub(super) fn from_multiaddr(address: &Multiaddr) -> Option<(Address, Transport)> {
        let parts: Vec<Protocol> = address.iter().take(5).collect();
        let (ip, transport, port) = match parts.as_slice() {
            [ip, Protocol::Tcp(port)] | [ip, Protocol::Tcp(port), Protocol::P2p(_)] => {
                (ip, Transport::Tcp, *port)
            }
            [ip, Protocol::Udp(port), Protocol::QuicV1]
            | [ip, Protocol::Udp(port), Protocol::QuicV1, Protocol::P2p(_)] => {
                (ip, Transport::Quic, *port)
            }
            _ => return None,
        };
        let ip = match ip {
            Protocol::Ip4(ip) => IpAddr::V4(*ip),
            Protocol::Ip6(ip) => IpAddr::V6(*ip),
            _ => return None,
        };
        Some((Address::new(ip, port)?, transport))
    }

    /// The address as libp2p dials it.
    pub(super) fn multiaddr(&self, transport: Transport) -> Multiaddr {
        let base = Multiaddr::from(self.ip);
        match transport {
            Transport::Quic => base.with(Protocol::Udp(self.port)).with(Protocol::QuicV1),
            Transport::Tcp => base.with(Protocol::Tcp(self.port)),
        }
    }

    /// The beginning of every way through the relay that is there: on it we listen, and with a
    /// peer behind it we dial.
    pub(super) fn circuit(&self, transport: Transport, relay: &PublicKey) -> Multiaddr {
        self.multiaddr(transport).with(Protocol::P2p(peer_id(relay))).with(Protocol::P2pCircuit)
    }
}

impl fmt::Display for Address {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        SocketAddr::new(self.ip, self.port).fmt(f)
    }
}

impl fmt::Debug for Address {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

/// Why a text is no address.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("this is not an address: write 192.168.1.5, 192.168.1.5:7268 or [2001:db8::5]:7268")]
pub struct NotAnAddress;

impl FromStr for Address {
    type Err = NotAnAddress;

    /// `ip:port`, or an IP alone for the default port.
    fn from_str(text: &str) -> Result<Address, NotAnAddress> {
        let socket = text.parse::<SocketAddr>().or_else(|_| {
            let bare = text.strip_prefix('[').and_then(|t| t.strip_suffix(']')).unwrap_or(text);
            bare.parse().map(|ip| SocketAddr::new(ip, PORT))
        });
        let socket = socket.map_err(|_| NotAnAddress)?;
        Address::new(socket.ip(), socket.port()).ok_or(NotAnAddress)
    }
}

/// Private, link-local, and the shared space of carriers (and of some VPNs).
fn private_v4(ip: Ipv4Addr) -> bool {
    let [a, b, ..] = ip.octets();
    ip.is_private() || ip.is_link_local() || (a == 100 && (64..128).contains(&b))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn address(text: &str) -> Address {
        text.parse().expect(text)
    }

    #[test]
    fn text_and_back() {
        for text in ["192.168.1.5:7268", "[2001:db8::5]:80", "127.0.0.1:1"] {
            assert_eq!(address(text).to_string(), text);
        }
        assert_eq!(address("10.0.0.1"), address("10.0.0.1:7268"));
        assert_eq!(address("2001:db8::5"), address("[2001:db8::5]:7268"));
        assert_eq!(address("[2001:db8::5]"), address("[2001:db8::5]:7268"));
        assert_eq!(address("[::ffff:10.0.0.1]:5"), address("10.0.0.1:5"));
    }

    #[test]
    fn what_cannot_be_dialled_is_no_address() {
        let dead = ["0.0.0.0:1", "1.2.3.4:0", "224.0.0.1:1", "[fe80::1]:1", "[::]:1"];
        for text in dead.into_iter().chain(["", "host:1", "1.2.3.4:", "1.2.3:4", "1.2.3.4:70000"]) {
            assert_eq!(text.parse::<Address>(), Err(NotAnAddress), "{text}");
        }
    }

    #[test]
    fn reach() {
        assert_eq!(address("127.0.0.1").reach(), Reach::Loopback);
        assert_eq!(address("[::1]").reach(), Reach::Loopback);
        for text in ["10.1.1.1", "172.20.0.1", "192.168.0.1", "100.64.0.1", "[fd00::1]:1"] {
            assert_eq!(address(text).reach(), Reach::Lan, "{text}");
        }
        assert_eq!(address("203.0.113.7").reach(), Reach::Public);
        assert_eq!(address("[2001:db8::5]").reach(), Reach::Public);
    }
}
