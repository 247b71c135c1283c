//! Frames and greetings between two that are up.

use fairdeal::net::{Dial, FRAME_BYTES, GREETING_BYTES, NetEvent, Transport, key_hash};
use fairdeal::protocol::crypto::identity::PublicKey;

use crate::node::{Node, secret, secrets, tcp_detour};

/// Sends numbered frames both ways and checks their order.
fn exchange(one: &mut Node, two: &mut Node, count: u32) {
    let (a, b) = (one.key(), two.key());
    for number in 0..count {
        one.send(b, &number.to_le_bytes());
        two.send(a, &(number + 7).to_le_bytes());
    }
    for number in 0..count {
        assert_eq!(two.frame(a), number.to_le_bytes());
        assert_eq!(one.frame(b), (number + 7).to_le_bytes());
    }
}

fn path(node: &mut Node, with: PublicKey) -> Transport {
    let transport = node.until(|event| match event {
        NetEvent::Up { peer, path, .. } if *peer == with => path.transport(),
        _ => None,
    });
    node.net().welcome(with);
    transport
}

#[test]
fn in_order_over_quic() {
    let (mut one, mut two) = (Node::start(), Node::start());
    one.net().dial(Dial::Key(two.key()), two.addresses());
    let (a, b) = (one.key(), two.key());
    assert_eq!((path(&mut one, b), path(&mut two, a)), (Transport::Quic, Transport::Quic));
    exchange(&mut one, &mut two, 200);
}

#[test]
fn in_order_over_tcp() {
    let (mut one, mut two) = (Node::start(), Node::start());
    one.net().dial(Dial::Key(two.key()), vec![tcp_detour(two.port())]);
    let (a, b) = (one.key(), two.key());
    assert_eq!((path(&mut one, b), path(&mut two, a)), (Transport::Tcp, Transport::Tcp));
    exchange(&mut one, &mut two, 200);
}

#[test]
fn the_largest_and_the_smallest_pass() {
    let (mut one, mut two) = (Node::start(), Node::start());
    one.know(&two);
    one.up(two.key());
    two.up(one.key());
    for length in [0, 1, FRAME_BYTES] {
        one.send(two.key(), &vec![9; length]);
        assert_eq!(two.frame(one.key()), vec![9; length]);
    }
    let error = one.net().send(two.key(), vec![0; FRAME_BYTES + 1]).expect_err("too long");
    assert!(error.to_string().contains("too long"), "{error}");
}

#[test]
fn a_star_of_five() {
    let mut host = Node::start();
    let mut guests: Vec<Node> = (0..4).map(|_| Node::start()).collect();
    for guest in &guests {
        guest.net().dial(Dial::Hash(key_hash(&host.key())), host.addresses());
    }
    let mut up = Vec::new();
    while up.len() < guests.len() {
        if let NetEvent::Up { peer, .. } = host.next() {
            up.push(peer);
        }
    }
    for guest in &mut guests {
        guest.up(host.key());
        guest.send(host.key(), b"here");
    }
    for _ in 0..guests.len() {
        let from = host.until(|event| match event {
            NetEvent::Frame { peer, bytes } => Some((*peer, bytes.clone())),
            _ => None,
        });
        assert_eq!(from.1, b"here");
    }
    for number in 0..50u8 {
        up.iter().for_each(|guest| host.send(*guest, &[number]));
    }
    for guest in &mut guests {
        for number in 0..50u8 {
            assert_eq!(guest.frame(host.key()), [number]);
        }
    }
}

#[test]
fn greetings_are_exchanged_and_change() {
    let [low, high] = secrets();
    let mut one = Node::start_as(low, 0, b"one");
    let mut two = Node::start_as(high, 0, b"two");
    one.know(&two);
    assert_eq!(one.up(two.key()), b"two");
    assert_eq!(two.up(one.key()), b"one");
    one.net().set_greeting(b"one, changed".to_vec()).expect("it fits");
    two.net().set_greeting(vec![7; GREETING_BYTES]).expect("it fits");
    let (a, b) = (one.key(), two.key());
    let changed = NetEvent::Greeting { peer: a, bytes: b"one, changed".to_vec() };
    two.until(|event| (*event == changed).then_some(()));
    let changed = NetEvent::Greeting { peer: b, bytes: vec![7; GREETING_BYTES] };
    one.until(|event| (*event == changed).then_some(()));
    let mut three = Node::start_as(secret(), 0, &[]);
    three.know(&one);
    assert_eq!(three.up(one.key()), b"one, changed");
}

#[test]
fn greetings_over_the_limit_are_refused() {
    let node = Node::start();
    assert!(node.net().set_greeting(vec![0; GREETING_BYTES + 1]).is_err());
}

#[test]
fn frames_sent_at_once_after_up_arrive_in_order() {
    let (mut one, mut two) = (Node::start(), Node::start());
    one.know(&two);
    two.know(&one);
    let (a, b) = (one.key(), two.key());
    for (node, other) in [(&mut one, b), (&mut two, a)] {
        node.up(other);
        for number in 0..500u32 {
            node.send(other, &number.to_le_bytes());
        }
    }
    for (node, other) in [(&mut two, a), (&mut one, b)] {
        let mut expected = 0u32;
        while expected < 500 {
            match node.next() {
                NetEvent::Frame { peer, bytes } if peer == other => {
                    assert_eq!(bytes, expected.to_le_bytes());
                    expected += 1;
                }
                NetEvent::Down { .. } => panic!("nothing broke the stream"),
                _ => {}
            }
        }
    }
}

#[test]
fn the_last_frames_arrive_before_a_goodbye() {
    let (mut host, mut guest) = (Node::start(), Node::start());
    guest.know(&host);
    guest.up(host.key());
    host.up(guest.key());
    let (host_key, guest_key) = (host.key(), guest.key());
    for number in 0..20u8 {
        host.send(guest_key, &[number]);
    }
    host.shutdown();
    for number in 0..20u8 {
        assert_eq!(guest.frame(host_key), [number]);
    }
    guest.down(host_key);
}
