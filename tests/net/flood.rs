//! Strangers in numbers, and those who hold a place for nothing.

use std::net::{Ipv4Addr, TcpStream};
use std::time::{Duration, Instant};

use fairdeal::{
    net::{Address, Dial, DialFault, NetEvent, RESERVATIONS},
    protocol::crypto::identity::PublicKey,
};

use crate::node::{Node, key, secret, secrets, tcp_detour};
use crate::raw::{Raw, frame, peer_id};

/// As many as came when they shut everybody out.
const MANY: usize = 64;

/// In what time a friend gets in through a flood.
const SOON: Duration = Duration::from_secs(3);

/// Waits until a peer is up, without letting it in.
fn comes(node: &mut Node, who: PublicKey) {
    node.until(|event| matches!(event, NetEvent::Up { peer, .. } if *peer == who).then_some(()));
}

#[test]
fn sockets_without_a_byte_shut_nobody_out() {
    let mut host = Node::start();
    let at = (Ipv4Addr::LOCALHOST, host.port());
    let idle: Vec<TcpStream> =
        (0..MANY).map(|_| TcpStream::connect(at).expect("it is open")).collect();
    for over_tcp in [true, false] {
        let mut friend = Node::start();
        let begun = Instant::now();
        let way = if over_tcp { vec![tcp_detour(host.port())] } else { host.addresses() };
        friend.net().know(host.key(), way, true);
        friend.up(host.key());
        host.up(friend.key());
        assert!(begun.elapsed() < SOON, "{over_tcp}: {:?}", begun.elapsed());
    }
    let told = host.until(|event| match event {
        NetEvent::Flooded { addresses } => Some(*addresses),
        _ => None,
    });
    assert_eq!(told, 1);
    drop(idle);
}

/// Each of them comes again as soon as it is let go.
#[test]
fn strangers_who_only_say_hello_hold_no_place() {
    let mut host = Node::start();
    let mut seat = Node::start();
    host.net().know(seat.key(), vec![], true);
    let strangers: Vec<Node> = (0..MANY).map(|_| Node::start()).collect();
    strangers.iter().for_each(|stranger| stranger.know(&host));
    host.until(|event| matches!(event, NetEvent::Flooded { .. }).then_some(()));
    let mut friend = Node::start();
    let begun = Instant::now();
    friend.know(&host);
    seat.know(&host);
    let (mut sits, mut told) = (false, 0);
    while let Some(event) = host.next_within(SOON.saturating_sub(begun.elapsed())) {
        match event {
            // A host lets a guest in as soon as it asks.
            NetEvent::Up { peer, .. } if peer == friend.key() => {
                host.net().welcome(peer);
                sits = true;
            }
            // It may have had to make room before that, and comes again.
            NetEvent::Down { peer } if peer == friend.key() => sits = false,
            NetEvent::Down { peer } => assert_ne!(peer, seat.key(), "a seat stays"),
            NetEvent::Flooded { .. } => told += 1,
            _ => {}
        }
    }
    assert!(sits, "the friend is in");
    assert_eq!(told, 0, "a flood is told of once");
    friend.up(host.key());
    seat.up(host.key());
}

#[test]
fn who_neither_asks_nor_looks_is_let_go() {
    let mut host = Node::start();
    let mut others: Vec<Node> = (0..3).map(|_| Node::start()).collect();
    let [silent, looks, sits] = [0, 1, 2].map(|at| others[at].key());
    for other in &mut others {
        other.net().dial(Dial::Key(host.key()), host.addresses());
        comes(&mut host, other.key());
    }
    host.net().bear(looks);
    host.net().welcome(sits);
    let gone = host.until(|event| match event {
        NetEvent::Down { peer } => Some(*peer),
        _ => None,
    });
    assert_eq!(gone, silent);
    others[0].down(host.key());
    others[1].stays_up();
    others[2].stays_up();
}

#[test]
fn a_stranger_says_little() {
    let [low, high] = secrets();
    let mut node = Node::start_as(high, 0, b"node");
    let mut raw = Raw::dial(low, node.addresses()[0]);
    let mut stream = raw.open(peer_id(high));
    raw.write(&mut stream, &frame(3, 3, b"hi"));
    comes(&mut node, key(low));
    let begun = Instant::now();
    for number in 0..20u8 {
        raw.write(&mut stream, &frame(2, 1, &[number]));
    }
    for number in 0..20u8 {
        assert_eq!(node.frame(key(low)), [number]);
    }
    assert!(begun.elapsed() > Duration::from_secs(1), "so many a second: {:?}", begun.elapsed());
    raw.write(&mut stream, &frame(5001, 1, &[7; 5000]));
    node.down(key(low));
}

/// A guest that is let in may say as much as it likes, from then on.
#[test]
fn a_guest_says_what_it_likes() {
    let (mut host, mut guest) = (Node::start_as(secret(), 0, b"host"), Node::start());
    guest.know(&host);
    guest.up(host.key());
    host.up(guest.key());
    let begun = Instant::now();
    for number in 0..200u8 {
        guest.send(host.key(), &vec![number; 5000]);
    }
    for number in 0..200u8 {
        assert_eq!(host.frame(guest.key()), vec![number; 5000]);
    }
    assert!(begun.elapsed() < SOON, "{:?}", begun.elapsed());
}

/// Waits until a relay keeps a place for a node, or says why not.
fn placed(node: &mut Node) -> Result<(), DialFault> {
    node.until(|event| match event {
        NetEvent::Relay { ready, .. } => Some(*ready),
        _ => None,
    })
}

/// More strangers than a relay has places take them all; a friend gets one nevertheless.
#[test]
fn a_relay_whose_places_are_taken_keeps_one_for_a_friend() {
    let mut relay = Node::relay();
    let here = |at: &&Address| at.ip() == Ipv4Addr::LOCALHOST;
    let at = *relay.addresses().iter().find(here).expect("an address");
    let mut strangers: Vec<Node> = (0..RESERVATIONS).map(|_| Node::start()).collect();
    for stranger in &mut strangers {
        stranger.net().relay(at);
        assert_eq!(placed(stranger), Ok(()));
    }
    let mut friend = Node::start();
    friend.net().relay(at);
    assert_eq!(placed(&mut friend), Ok(()));
    relay.until(|event| matches!(event, NetEvent::Flooded { .. }).then_some(()));
    let served = relay.net().served();
    assert!(served.refused == 0 && served.reservations <= RESERVATIONS + 1, "{served:?}");
}
