//! Which of this machine's addresses are worth giving to others.

use std::net::IpAddr;

use super::address::{Address, Reach};
use super::limits::ADDRESSES;

/// Linux tells here by which interface each network is reached.
const ROUTES: &str = "/proc/net/route";

/// How the bridges of containers and virtual machines are named.
const BRIDGES: [&str; 7] = ["docker", "br-", "veth", "virbr", "podman", "lxcbr", "cni"];

/// The addresses others can dial: public first, then the local network's; loopback only if there
/// is nothing else; no link-local, no container bridges.
pub(super) fn dialable(all: impl Iterator<Item = Address>) -> Vec<Address> {
    select(all, &std::fs::read_to_string(ROUTES).unwrap_or_default())
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
    fn loopback_only_alone() {
        assert_eq!(selected(&["127.0.0.1", "172.17.0.1", "::1"])[0], "127.0.0.1");
        assert_eq!(select(["127.0.0.1".parse().expect("one")].into_iter(), "garbage").len(), 1);
    }
}
