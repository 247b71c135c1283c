//! How two find each other, lose each other, and meet again.

use std::array;
use std::net::UdpSocket;
use std::time::{Duration, Instant};

use fairdeal::net::{Address, Dial, DialFault, NetEvent, key_hash};

use crate::node::{Node, both_orders, each, key, secret, secrets, tcp_detour, vacant};

/// Long before a peer that is silent is given up three times over.
const SOON: Duration = Duration::from_secs(20);

/// A peer is killed and started again with its key and port; the other, which keeps it, is up
/// with it again.
fn killed_and_back(secrets: [[u8; 32]; 2], over_tcp: bool) {
    let [stays, leaves] = secrets;
    let mut stays = Node::start_as(stays, 0, b"stays");
    let mut gone = Node::start_as(leaves, 0, b"first");
    let port = gone.port();
    let addresses = if over_tcp { vec![tcp_detour(port)] } else { gone.addresses() };
    stays.net().know(gone.key(), addresses, true);
    let (key, other) = (gone.key(), stays.key());
    assert_eq!(stays.up(key), b"first");
    gone.up(other);
    gone.kill();
    let killed = Instant::now();
    let mut back = Node::start_as(leaves, port, b"second");
    assert_eq!(back.port(), port);
    stays.down(key);
    assert_eq!(stays.up(key), b"second");
    back.up(other);
    assert!(killed.elapsed() < SOON, "{:?}", killed.elapsed());
    back.send(other, b"again");
    assert_eq!(stays.frame(key), b"again");
}

#[test]
fn a_killed_opener_comes_back_over_quic() {
    let [low, high] = secrets();
    killed_and_back([high, low], false);
}

#[test]
fn a_killed_acceptor_comes_back_over_quic() {
    killed_and_back(secrets(), false);
}

#[test]
fn a_killed_opener_comes_back_over_tcp() {
    let [low, high] = secrets();
    killed_and_back([high, low], true);
}

#[test]
fn a_killed_acceptor_comes_back_over_tcp() {
    killed_and_back(secrets(), true);
}

#[test]
fn one_that_restarts_and_dials_is_up_again() {
    each(both_orders(), |secrets| {
        let mut host = Node::start_as(secrets[0], 0, b"host");
        let mut guest = Node::start_as(secrets[1], 0, b"first");
        let (key, other) = (guest.key(), host.key());
        guest.know(&host);
        host.up(key);
        guest.up(other);
        guest.kill();
        let mut guest = Node::start_as(secrets[1], 0, b"second");
        guest.know(&host);
        host.down(key);
        assert_eq!(host.up(key), b"second");
        guest.up(other);
        guest.send(other, b"again");
        assert_eq!(host.frame(key), b"again");
    });
}

#[test]
fn a_clean_exit_is_noticed_before_the_heartbeat() {
    let (mut one, mut two) = (Node::start(), Node::start());
    one.know(&two);
    one.up(two.key());
    two.up(one.key());
    let key = two.key();
    let begun = Instant::now();
    two.shutdown();
    one.down(key);
    assert!(begun.elapsed() < Duration::from_secs(4), "{:?}", begun.elapsed());
}

#[test]
fn dialling_each_other_at_once_ends_in_one_stream() {
    each(0..5, |_| {
        let (mut one, mut two) = (Node::start(), Node::start());
        let (a, b) = (one.key(), two.key());
        one.net().dial(Dial::Key(b), two.addresses());
        two.net().dial(Dial::Key(a), one.addresses());
        one.up(b);
        two.up(a);
        one.stays_up();
        two.stays_up();
        for number in 0..20u8 {
            one.send(b, &[number]);
            assert_eq!(two.frame(a), [number]);
            two.send(a, &[number]);
            assert_eq!(one.frame(b), [number]);
        }
    });
}

#[test]
fn two_with_one_identity_do_not_harm_each_other() {
    let twin = secret();
    let mut first = Node::start_as(twin, 0, b"first");
    let second = Node::start_as(twin, 0, b"second");
    first.net().dial(Dial::Anyone, second.addresses());
    assert_eq!(failure(&mut first), (Dial::Anyone, DialFault::Own));
    first.net().dial(Dial::Key(second.key()), second.addresses());
    assert_eq!(failure(&mut first), (Dial::Key(second.key()), DialFault::Own));
    for node in [&first, &second] {
        let mut other = Node::start();
        other.know(node);
        other.up(node.key());
    }
}

/// The next dial that failed.
fn failure(node: &mut Node) -> (Dial, DialFault) {
    node.until(|event| match event {
        NetEvent::DialFailed { who, reason } => Some((*who, *reason)),
        _ => None,
    })
}

#[test]
fn an_invite_finds_its_host_by_the_hash() {
    let (mut host, mut guest) = (Node::start(), Node::start());
    let nobody = vacant();
    let mut addresses = vec![nobody];
    addresses.extend(host.addresses());
    guest.net().dial(Dial::Hash(key_hash(&host.key())), addresses);
    guest.up(host.key());
    host.up(guest.key());
    guest.stays_up();
    host.stays_up();
}

#[test]
fn a_host_with_another_key_is_refused() {
    for (who, secrets) in [
        (Dial::Hash([7; 16]), secrets()),
        (Dial::Hash([7; 16]), {
            let [low, high] = secrets();
            [high, low]
        }),
        (Dial::Key(key(secret())), secrets()),
    ] {
        let mut host = Node::start_as(secrets[0], 0, b"host");
        let mut guest = Node::start_as(secrets[1], 0, b"guest");
        guest.net().dial(who, host.addresses());
        assert_eq!(failure(&mut guest), (who, DialFault::Stranger));
        assert!(guest.next_within(Duration::from_millis(300)).is_none());
        while let Some(event) = host.next_within(Duration::from_millis(100)) {
            assert!(!matches!(event, NetEvent::Up { .. }));
        }
    }
}

#[test]
fn nobody_there() {
    let sought = key(secret());
    let cases = [
        (Dial::Anyone, vec![vacant()], DialFault::Refused),
        (Dial::Key(sought), vec![vacant()], DialFault::Refused),
        (Dial::Anyone, vec![], DialFault::NoAddress),
    ];
    each(cases, |(who, addresses, reason)| {
        let mut node = Node::start();
        node.net().dial(who, addresses);
        assert_eq!(failure(&mut node), (who, reason));
    });
    let mut own = Node::start();
    own.net().dial(Dial::Anyone, own.addresses());
    assert_eq!(failure(&mut own), (Dial::Anyone, DialFault::Own));
}

/// More often than there are dials: what is being dialled already is not dialled again.
#[test]
fn asked_for_again_and_again_somebody_silent_leaves_room_for_others() {
    let silent: [UdpSocket; 8] = array::from_fn(|_| UdpSocket::bind("127.0.0.1:0").expect("one"));
    let at = |socket: &UdpSocket| {
        let port = socket.local_addr().expect("an address").port();
        Address::new([127, 0, 0, 1].into(), port).expect("an address")
    };
    let silent_at: Vec<Address> = silent.iter().map(at).collect();
    let (mut guest, mut host) = (Node::start(), Node::start());
    for _ in 0..64 {
        guest.net().dial(Dial::Hash([7; 16]), silent_at.clone());
    }
    guest.net().dial(Dial::Hash(key_hash(&host.key())), host.addresses());
    let first = guest.until(|event| match event {
        NetEvent::Up { .. } | NetEvent::DialFailed { .. } => Some(event.clone()),
        _ => None,
    });
    assert!(matches!(first, NetEvent::Up { .. }), "{first:?}");
    host.up(guest.key());
}

#[test]
fn a_kept_peer_that_starts_late_is_found() {
    let port = vacant().port();
    let late = secret();
    let mut early = Node::start();
    let key = key(late);
    let there = Address::new([127, 0, 0, 1].into(), port).expect("an address");
    early.net().know(key, vec![there], true);
    assert_eq!(failure(&mut early), (Dial::Key(key), DialFault::Refused));
    let mut late = Node::start_as(late, port, b"late");
    assert_eq!(early.up(key), b"late");
    late.up(early.key());
}

#[test]
fn a_refused_peer_gets_the_last_word_and_cannot_come_back() {
    each(both_orders(), |secrets| {
        let mut host = Node::start_as(secrets[0], 0, b"host");
        let mut guest = Node::start_as(secrets[1], 0, b"guest");
        let (key, other) = (guest.key(), host.key());
        guest.know(&host);
        host.up(key);
        guest.up(other);
        host.send(key, b"not you");
        host.net().refuse(key);
        assert_eq!(guest.frame(other), b"not you");
        guest.down(other);
        host.down(key);
        guest.net().dial(Dial::Key(other), vec![]);
        assert_eq!(failure(&mut guest), (Dial::Key(other), DialFault::Closed));
        while let Some(event) = host.next_within(Duration::from_secs(2)) {
            assert!(!matches!(event, NetEvent::Up { .. }), "{event:?}");
        }
    });
}

#[test]
fn a_forgotten_peer_is_let_go_and_may_return() {
    let (mut one, mut two) = (Node::start(), Node::start());
    one.know(&two);
    one.up(two.key());
    two.up(one.key());
    one.net().forget(two.key());
    one.down(two.key());
    two.down(one.key());
    two.know(&one);
    one.up(two.key());
    two.up(one.key());
}

#[test]
fn a_taken_port_is_left_to_its_owner() {
    let first = Node::start();
    let second = Node::start_as(secret(), first.port(), b"second");
    assert_ne!(first.port(), second.port());
    let taken = std::net::TcpListener::bind(("127.0.0.1", 0)).expect("a port");
    let port = taken.local_addr().expect("an address").port();
    assert_ne!(Node::start_as(secret(), port, b"third").port(), port);
}
