//! Who gives way where more come than there is room for: the newest gets in, and of the network
//! that has most inside, and of the machine that has most of those, the one goes who has been
//! inside longest. So one network cannot shut out another, and who only holds a place loses it to
//! whoever comes next.

use std::cmp::Reverse;
use std::collections::{BTreeMap, BTreeSet, VecDeque};
use std::net::{IpAddr, Ipv6Addr};
use std::sync::{Arc, Mutex};
use std::time::Instant;

use libp2p::Multiaddr;
use libp2p::multiaddr::Protocol;

use super::limits::{FLOOD_ADDRESSES, FLOOD_COUNT, FLOOD_OVER};
use super::session::lock;

/// From where somebody comes, as far as one owner may have many addresses there: a /24 of IPv4, a
/// /48 of IPv6. All that comes through relays is one.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Origin {
    V4([u8; 3]),
    V6([u8; 6]),
    Relayed,
}

impl Origin {
    /// The origin of an address.
    pub(super) fn of(ip: IpAddr) -> Origin {
        match ip.to_canonical() {
            IpAddr::V4(ip) => {
                let [a, b, c, _] = ip.octets();
                Origin::V4([a, b, c])
            }
            IpAddr::V6(ip) => {
                let [a, b, c, d, e, f, ..] = ip.octets();
                Origin::V6([a, b, c, d, e, f])
            }
        }
    }
}

/// The IP address that one of libp2p's begins with; `None` where somebody comes through a relay,
/// for that is the relay's.
pub(super) fn ip_of(address: &Multiaddr) -> Option<IpAddr> {
    if address.iter().any(|part| part == Protocol::P2pCircuit) {
        return None;
    }
    match address.iter().next()? {
        Protocol::Ip4(ip) => Some(ip.into()),
        Protocol::Ip6(ip) => Some(ip.into()),
        _ => None,
    }
}

/// Those inside, oldest first.
#[derive(Debug)]
pub(super) struct Crowd<T> {
    places: usize,
    inside: VecDeque<(Option<IpAddr>, T)>,
}

impl<T> Crowd<T> {
    /// Room for this many.
    pub(super) fn new(places: usize) -> Crowd<T> {
        Crowd { places, inside: VecDeque::new() }
    }

    /// Lets one in; gives who has to go for it.
    pub(super) fn enter(&mut self, from: Option<IpAddr>, who: T) -> Option<(Option<IpAddr>, T)> {
        self.inside.push_back((from, who));
        if self.inside.len() <= self.places {
            return None;
        }
        let all = || self.inside.iter().map(|(ip, _)| *ip).enumerate();
        let network = fullest(all().map(|(_, ip)| origin(ip)))?;
        let there = || all().filter(|(_, ip)| origin(*ip) == network);
        let most = fullest(there().map(|(_, ip)| ip.map(machine)))?;
        let (goes, _) = there().find(|(_, ip)| ip.map(machine) == most)?;
        self.inside.remove(goes)
    }

    /// Keeps only those for whom this holds.
    pub(super) fn retain(&mut self, mut stays: impl FnMut(&T) -> bool) {
        self.inside.retain(|(_, who)| stays(who));
    }
}

/// What comes most often, and of several the one that comes first.
fn fullest<K: Ord + Copy>(keys: impl Iterator<Item = K>) -> Option<K> {
    let mut counts: BTreeMap<K, (usize, usize)> = BTreeMap::new();
    for (at, key) in keys.enumerate() {
        counts.entry(key).or_insert((0, at)).0 += 1;
    }
    let most = counts.into_iter().max_by_key(|(_, (count, first))| (*count, Reverse(*first)));
    most.map(|(key, _)| key)
}

/// One machine, or one home: an address of IPv4, a /64 of IPv6.
fn machine(ip: IpAddr) -> IpAddr {
    match ip.to_canonical() {
        IpAddr::V6(ip) => Ipv6Addr::from_bits(ip.to_bits() >> 64 << 64).into(),
        ip => ip,
    }
}

fn origin(ip: Option<IpAddr>) -> Origin {
    ip.map_or(Origin::Relayed, Origin::of)
}

/// Who has been turned away lately, to tell of a flood once.
#[derive(Debug, Default)]
pub(super) struct Flood {
    addresses: BTreeSet<IpAddr>,
    first: Option<Instant>,
    last: Option<Instant>,
    told: bool,
}

/// The flood as all doors of a program see it.
pub(super) type SharedFlood = Arc<Mutex<Flood>>;

impl Flood {
    /// Somebody from there was turned away.
    pub(super) fn turned_away(flood: &SharedFlood, from: Option<IpAddr>) {
        let mut flood = lock(flood);
        let now = Instant::now();
        flood.first.get_or_insert(now);
        flood.last = Some(now);
        if flood.addresses.len() < FLOOD_ADDRESSES {
            flood.addresses.extend(from);
        }
    }

    /// From how many addresses a flood comes: once, a moment after it has begun. One that has been
    /// over for a while is forgotten.
    pub(super) fn news(&mut self, now: Instant) -> Option<usize> {
        if self.last.is_some_and(|last| now.duration_since(last) > FLOOD_OVER) {
            *self = Flood::default();
        }
        let counted = self.first.is_some_and(|first| now.duration_since(first) > FLOOD_COUNT);
        (counted && !std::mem::replace(&mut self.told, counted)).then_some(self.addresses.len())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn ip(text: &str) -> Option<IpAddr> {
        Some(text.parse().expect("an IP address"))
    }

    #[test]
    fn the_fullest_network_gives_way() {
        let mut crowd = Crowd::new(4);
        for (number, from) in ["10.0.0.1", "10.0.1.1", "10.0.1.2", "10.0.2.1"].iter().enumerate() {
            assert_eq!(crowd.enter(ip(from), number), None);
        }
        assert_eq!(crowd.enter(ip("10.0.3.1"), 4), Some((ip("10.0.1.1"), 1)));
        assert_eq!(crowd.enter(ip("10.0.3.2"), 5), Some((ip("10.0.3.1"), 4)), "its own go first");
        crowd.retain(|who| *who != 5);
        assert_eq!(crowd.enter(None, 6), None);
        assert_eq!(crowd.enter(None, 7), Some((None, 6)), "all relays are one network");
        assert_eq!(crowd.enter(ip("2001:db8::1"), 8), Some((ip("10.0.0.1"), 0)), "or the oldest");
    }

    #[test]
    fn of_one_network_the_fullest_machine_gives_way() {
        let mut crowd = Crowd::new(3);
        for (number, from) in ["10.0.0.1", "10.0.0.2", "10.0.0.2"].iter().enumerate() {
            assert_eq!(crowd.enter(ip(from), number), None);
        }
        assert_eq!(crowd.enter(ip("10.0.0.3"), 3), Some((ip("10.0.0.2"), 1)));
        assert_eq!(crowd.enter(ip("10.0.0.2"), 4), Some((ip("10.0.0.2"), 2)));
        assert_eq!(crowd.enter(ip("10.0.0.4"), 5), Some((ip("10.0.0.1"), 0)), "or the oldest");
    }

    #[test]
    fn one_owner_of_ipv6_is_one_network() {
        let of = |text: &str| origin(ip(text));
        assert_eq!(of("2001:db8:1:2::3"), of("2001:db8:1:9::4"));
        assert_ne!(of("2001:db8:1::3"), of("2001:db8:2::3"));
        assert_eq!(of("::ffff:10.0.0.7"), of("10.0.0.9"));
    }

    #[test]
    fn a_flood_is_told_once_and_again_when_it_has_been_over() {
        let shared = SharedFlood::default();
        for last in 0..5u8 {
            Flood::turned_away(&shared, Some([10, 0, 0, last].into()));
            Flood::turned_away(&shared, Some([10, 0, 0, last].into()));
        }
        let now = Instant::now();
        let mut flood = lock(&shared);
        assert_eq!(flood.news(now), None, "they are counted first");
        assert_eq!(flood.news(now + FLOOD_COUNT * 2), Some(5));
        assert_eq!(flood.news(now + FLOOD_COUNT * 3), None);
        assert_eq!(flood.news(now + FLOOD_OVER * 2), None);
        assert_eq!(flood.first, None);
    }
}
