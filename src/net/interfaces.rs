//! Which of this machine's addresses are worth giving to others, and who is on its networks.

use std::net::{IpAddr, Ipv4Addr};

use if_addrs::{IfAddr, Interface};

use super::address::{Address, Reach};
use super::limits::ADDRESSES;
use super::path::Path;

/// Linux tells here by which interface each network is reached.
const ROUTES: &str = "/proc/net/route";

/// How the bridges of containers and virtual machines are named.
const BRIDGES: [&str; 7] = ["docker", "br-", "veth", "virbr", "podman", "lxcbr", "cni"];

/// The addresses others can dial: public first, then the local network's; loopback only if there
/// is nothing else; no link-local, no container bridges.
pub(super) fn dialable(all: impl Iterator<Item = Address>) -> Vec<Address> {
    select(all, &std::fs::read_to_string(ROUTES).unwrap_or_default())
}

/// Whether a peer is on this machine, or on a private network that this machine is on as well, and
/// connected directly. The network's router is not meant: it may stand for anybody outside, where
/// it forwards a port and puts its own address.
pub fn is_near(path: &Path) -> bool {
    let Some(remote) = path.remote() else { return false };
    match remote.reach() {
        Reach::Loopback => true,
        Reach::Public => false,
        Reach::Lan => {
            let routes = std::fs::read_to_string(ROUTES).unwrap_or_default();
            let interfaces = if_addrs::get_if_addrs().unwrap_or_default();
            on_link(remote.ip(), &interfaces) && !gateways(&routes).contains(&remote.ip())
        }
    }
}

/// Whether an address is in the network of an interface.
fn on_link(ip: IpAddr, interfaces: &[Interface]) -> bool {
    interfaces.iter().any(|interface| match (&interface.addr, ip) {
        (IfAddr::V4(own), IpAddr::V4(ip)) => {
            let net = |ip: Ipv4Addr| ip.to_bits() & own.netmask.to_bits();
            net(own.ip) == net(ip)
        }
        (IfAddr::V6(own), IpAddr::V6(ip)) => {
            let net = |ip: std::net::Ipv6Addr| ip.to_bits() & own.netmask.to_bits();
            net(own.ip) == net(ip)
        }
        _ => false,
    })
}

/// The routers in Linux's table of routes.
fn gateways(routes: &str) -> Vec<IpAddr> {
    let gateway = |line: &str| {
        let field = line.split_whitespace().nth(2)?;
        let bits = u32::from_str_radix(field, 16).ok().filter(|bits| *bits != 0)?;
        Some(IpAddr::from(bits.to_ne_bytes()))
    };
    routes.lines().filter_map(gateway).collect()
}

fn select(all: impl Iterator<Item = Address>, routes: &str) -> Vec<Address> {
    let bridges = bridges(routes);
    let useless = |ip: IpAddr| match ip {
        IpAddr::V4(ip) => {
            let bits = u32::from_ne_bytes(ip.octets());
            ip.is_link_local() || bridges.iter().any(|(net, mask)| bits & mask == *net)
        }
        IpAddr::V6(_) => false,
    };
    let mut good: Vec<Address> = all.filter(|address| !useless(address.ip())).collect();
    good.sort_by_key(|address| (address.reach(), address.ip().is_ipv6(), *address));
    good.dedup();
    if good.first().is_some_and(|first| first.reach() != Reach::Loopback) {
        good.retain(|address| address.reach() != Reach::Loopback);
    }
    good.truncate(ADDRESSES);
    good
}

/// The networks (address, mask; in memory's order) of bridges in Linux's table of routes.
fn bridges(routes: &str) -> Vec<(u32, u32)> {
    let network = |line: &str| {
        let fields: Vec<&str> = line.split_whitespace().collect();
        let [name, net, gateway, _, _, _, _, mask, ..] = fields.as_slice() else {
            return None;
        };
        let bridge = BRIDGES.iter().any(|start| name.starts_with(start));
        let number = |field: &str| u32::from_str_radix(field, 16).ok();
        let (net, mask) = (number(net)?, number(mask)?);
        (bridge && number(gateway)? == 0 && mask != 0).then_some((net, mask))
    };
    routes.lines().filter_map(network).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// As `/proc/net/route` reads on a little-endian machine.
    const ROUTES: &str = "\
Iface\tDestination\tGateway \tFlags\tRefCnt\tUse\tMetric\tMask\t\tMTU\tWindow\tIRTT
eth0\t00000000\t0101A8C0\t0003\t0\t0\t100\t00000000\t0\t0\t0
eth0\t0001A8C0\t00000000\t0001\t0\t0\t100\t00FFFFFF\t0\t0\t0
docker0\t000011AC\t00000000\t0001\t0\t0\t0\t0000FFFF\t0\t0\t0
br-5f2e\t000012AC\t00000000\t0001\t0\t0\t0\t0000FFFF\t0\t0\t0
";

    fn selected(all: &[&str]) -> Vec<String> {
        let all = all.iter().map(|text| text.parse().expect("an address"));
        select(all, ROUTES).iter().map(|address| address.ip().to_string()).collect()
    }

    #[test]
    fn public_first_then_the_lan() {
        let all = ["127.0.0.1", "192.168.1.5", "2001:db8::5", "203.0.113.7", "169.254.3.4"];
        assert_eq!(selected(&all), ["203.0.113.7", "2001:db8::5", "192.168.1.5"]);
    }

    #[test]
    #[cfg(target_endian = "little")]
    fn no_container_bridges() {
        let all = ["172.17.0.1", "172.18.0.1", "172.19.0.1", "192.168.1.5", "192.168.1.5"];
        assert_eq!(selected(&all), ["172.19.0.1", "192.168.1.5"]);
    }

    #[test]
    fn near_is_who_is_on_a_network_of_ours() {
        let v4 = |ip: [u8; 4], bits: u32| {
            let netmask = Ipv4Addr::from_bits(u32::MAX << (32 - bits));
            let (ip, prefixlen) = (ip.into(), bits as u8);
            let addr = IfAddr::V4(if_addrs::Ifv4Addr { ip, netmask, broadcast: None, prefixlen });
            let (name, oper_status) = ("eth0".into(), if_addrs::IfOperStatus::Up);
            Interface { name, addr, index: None, oper_status, is_p2p: false }
        };
        let own = [v4([192, 168, 1, 5], 24), v4([100, 64, 3, 4], 32)];
        for (ip, near) in [
            ("192.168.1.7", true),
            ("192.168.2.7", false),
            ("100.64.3.5", false),
            ("fd00::1", false),
        ] {
            assert_eq!(on_link(ip.parse().expect(ip), &own), near, "{ip}");
        }
        let public = Path::Direct {
            transport: super::super::address::Transport::Tcp,
            remote: "203.0.113.7".parse().expect("an address"),
        };
        assert!(!is_near(&public));
    }

    #[test]
    #[cfg(target_endian = "little")]
    fn the_router_is_known() {
        assert_eq!(gateways(ROUTES), ["192.168.1.1".parse::<IpAddr>().expect("an address")]);
    }

    #[test]
    fn loopback_only_alone() {
        assert_eq!(selected(&["127.0.0.1", "172.17.0.1", "::1"])[0], "127.0.0.1");
        assert_eq!(select(["127.0.0.1".parse().expect("one")].into_iter(), "garbage").len(), 1);
    }
}
