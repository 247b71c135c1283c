//! Peers that break the protocol, or take too little.

use std::time::Duration;

use fairdeal::net::{Dial, DialFault, FRAME_BYTES, GREETING_BYTES, NetEvent};
use libp2p::Stream;

use crate::node::{Node, both_orders, each, key, secrets, vacant};
use crate::raw::{Raw, frame, peer_id};

/// A node, and a raw peer with a lower key, which may open streams, with its first one.
fn attacked() -> (Node, [u8; 32], Raw, Stream) {
    let [low, high] = secrets();
    let node = Node::start_as(high, 0, b"node");
    let mut raw = Raw::dial(low, node.addresses()[0]);
    let stream = raw.open(peer_id(high));
    (node, low, raw, stream)
}

/// Whether a good node can still be up with this one.
fn still_serves(node: &mut Node) {
    let mut good = Node::start();
    good.know(node);
    good.up(node.key());
    node.up(good.key());
}

#[test]
fn garbage_instead_of_hello_closes() {
    for garbage in [
        b"GET / HTTP/1.1\r\n\r\n".to_vec(),
        frame(6, 1, b"frame"),
        frame(1, 0, b""),
        frame(8, 4, b"welcome"),
        frame(GREETING_BYTES as u32 + 2, 3, b"too long"),
        frame(0, 3, b""),
        frame(u32::MAX, 3, b""),
    ] {
        let (mut node, _, raw, mut stream) = attacked();
        raw.write(&mut stream, &garbage);
        assert_eq!(raw.read_to_end(&mut stream), b"");
        while let Some(event) = node.next_within(Duration::from_millis(50)) {
            assert!(!matches!(event, NetEvent::Up { .. }), "{garbage:?}");
        }
        still_serves(&mut node);
    }
}

#[test]
fn a_peer_that_says_nothing_is_left() {
    let (mut node, _, raw, mut stream) = attacked();
    assert_eq!(raw.read_to_end(&mut stream), b"");
    still_serves(&mut node);
}

#[test]
fn bad_frames_after_hello_close() {
    for bad in [
        frame(FRAME_BYTES as u32 + 2, 1, b"x"),
        frame(u32::MAX, 1, b"x"),
        frame(GREETING_BYTES as u32 + 2, 2, b"x"),
        frame(0, 0, b""),
        frame(2, 0, b"x"),
        frame(2, 5, b"x"),
        frame(3, 3, b"hi"),
    ] {
        let (mut node, secret, raw, mut stream) = attacked();
        raw.write(&mut stream, &frame(3, 3, b"hi"));
        assert_eq!(node.up(key(secret)), b"hi");
        raw.write(&mut stream, &frame(3, 1, b"ok"));
        assert_eq!(node.frame(key(secret)), b"ok");
        raw.write(&mut stream, &bad);
        node.down(key(secret));
        assert!(raw.read_to_end(&mut stream).starts_with(&frame(5, 4, b"node")));
        still_serves(&mut node);
    }
}

#[test]
fn silence_and_half_a_frame_are_down() {
    each([vec![], frame(100, 1, b"half")], |said| {
        let (mut node, secret, raw, mut stream) = attacked();
        raw.write(&mut stream, &frame(3, 3, b"hi"));
        node.up(key(secret));
        raw.write(&mut stream, &said);
        node.down(key(secret));
    });
}

#[test]
fn the_newest_stream_wins() {
    let (mut node, secret, mut raw, mut first) = attacked();
    raw.write(&mut first, &frame(3, 3, b"v1"));
    assert_eq!(node.up(key(secret)), b"v1");
    let mut second = raw.open(key_id(&node));
    raw.write(&mut second, &frame(3, 3, b"v2"));
    node.down(key(secret));
    assert_eq!(node.up(key(secret)), b"v2");
    raw.write(&mut first, &frame(2, 1, b"1"));
    raw.write(&mut second, &frame(2, 1, b"2"));
    assert_eq!(node.frame(key(secret)), b"2");
    assert!(raw.read_to_end(&mut first).starts_with(&frame(5, 4, b"node")));
}

fn key_id(node: &Node) -> libp2p::PeerId {
    let public = libp2p::identity::ed25519::PublicKey::try_from_bytes(node.key().as_bytes());
    libp2p::identity::PublicKey::from(public.expect("a key")).to_peer_id()
}

#[test]
fn streams_are_the_lower_keys_to_open() {
    let [low, high] = secrets();
    let mut node = Node::start_as(low, 0, b"node");
    let mut raw = Raw::dial(high, node.addresses()[0]);
    let mut stream = raw.open(peer_id(low));
    raw.write(&mut stream, &frame(3, 3, b"hi"));
    assert_eq!(raw.read_to_end(&mut stream), b"");
    while let Some(event) = node.next_within(Duration::from_millis(100)) {
        assert!(!matches!(event, NetEvent::Up { .. }));
    }
    still_serves(&mut node);
}

#[test]
fn a_peer_that_takes_nothing_is_dropped() {
    let (mut one, mut two) = (Node::start(), Node::start());
    one.net().dial(Dial::Key(two.key()), two.addresses());
    let (a, b) = (one.key(), two.key());
    one.up(b);
    two.up(a);
    // Nobody takes the events of the second: what is on its way is full at some point.
    for _ in 0..400 {
        one.send(b, &vec![7; FRAME_BYTES]);
    }
    one.down(b);
    let mut frames = 0;
    two.until(|event| match event {
        NetEvent::Frame { bytes, .. } => {
            assert_eq!(bytes.len(), FRAME_BYTES);
            frames += 1;
            None
        }
        NetEvent::Down { .. } => Some(()),
        _ => None,
    });
    assert!(frames < 400);
}

#[test]
fn another_libp2p_program_is_no_fairdeal() {
    let cases = both_orders().into_iter().chain(both_orders()).zip(0..);
    each(cases, |([ours, theirs], number)| {
        let mut node = Node::start_as(ours, 0, b"node");
        let there = vacant();
        let _raw = Raw::listen(theirs, there.port());
        let who = if number < 2 { Dial::Key(key(theirs)) } else { Dial::Anyone };
        node.net().dial(who, vec![there]);
        let failed = node.until(|event| match event {
            NetEvent::DialFailed { who, reason } => Some((*who, *reason)),
            _ => None,
        });
        assert_eq!(failed, (who, DialFault::NotFairdeal));
    });
}
