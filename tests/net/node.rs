//! A node for tests, and a detour that only TCP can take.

use std::io;
use std::net::{Ipv4Addr, TcpListener, TcpStream};
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use fairdeal::net::{Address, Net, NetConfig, NetEvent, start};
use fairdeal::protocol::crypto::identity::{Identity, PublicKey};
use tokio::runtime::{Builder, Runtime};
use tokio::sync::mpsc;

/// How long anything may take before a test gives up.
pub const PATIENCE: Duration = Duration::from_secs(30);

pub struct Node {
    net: Option<Net>,
    events: mpsc::Receiver<NetEvent>,
    runtime: Option<Runtime>,
}

/// A secret nobody else in this process has.
pub fn secret() -> [u8; 32] {
    static NEXT: AtomicU64 = AtomicU64::new(1);
    let mut secret = [42; 32];
    secret[..8].copy_from_slice(&NEXT.fetch_add(1, Ordering::Relaxed).to_le_bytes());
    secret
}

/// The public key of a secret.
pub fn key(secret: [u8; 32]) -> PublicKey {
    Identity::from_secret(&secret).public()
}

/// Checks each case, all at once: most of a test's time is waiting.
pub fn each<T: Send>(cases: impl IntoIterator<Item = T>, check: impl Fn(T) + Sync) {
    std::thread::scope(|scope| {
        for case in cases {
            let check = &check;
            scope.spawn(move || check(case));
        }
    });
}

/// Two secrets in both orders of their keys.
pub fn both_orders() -> [[[u8; 32]; 2]; 2] {
    let [low, high] = secrets();
    let mut reversed = secrets();
    reversed.reverse();
    [[low, high], reversed]
}

/// Two secrets, that of the lower key, which opens the streams, first.
pub fn secrets() -> [[u8; 32]; 2] {
    let mut both = [secret(), secret()];
    both.sort_by_key(|secret| key(*secret));
    both
}

impl Node {
    pub fn start() -> Node {
        Node::start_as(secret(), 0, b"hello")
    }

    pub fn start_as(secret: [u8; 32], port: u16, greeting: &[u8]) -> Node {
        Node::start_at(secret, port, greeting, vec![])
    }

    /// A relay: it knows of an address from outside, whatever that leads to.
    pub fn relay() -> Node {
        let outside = vec!["127.0.0.2:7268".parse().expect("an address")];
        Node::start_at(secret(), 0, b"relay", outside)
    }

    fn start_at(secret: [u8; 32], port: u16, greeting: &[u8], outside: Vec<Address>) -> Node {
        Node::run(NetConfig {
            secret: secret.into(),
            port,
            loopback: true,
            outside,
            second_port: false,
            mdns: false,
            greeting: greeting.to_vec(),
        })
    }

    fn run(config: NetConfig) -> Node {
        let runtime = Builder::new_multi_thread().worker_threads(1).enable_all().build();
        let runtime = runtime.expect("a runtime");
        let (net, events) = runtime.block_on(start(config)).expect("it listens");
        Node { net: Some(net), events, runtime: Some(runtime) }
    }

    pub fn net(&self) -> &Net {
        self.net.as_ref().expect("it runs")
    }

    pub fn key(&self) -> PublicKey {
        self.net().key()
    }

    pub fn addresses(&self) -> Vec<Address> {
        self.net().listening()
    }

    pub fn port(&self) -> u16 {
        self.addresses()[0].port()
    }

    pub fn know(&self, other: &Node) {
        self.net().know(other.key(), other.addresses(), true);
    }

    /// The next event.
    pub fn next(&mut self) -> NetEvent {
        self.next_within(PATIENCE).expect("an event in time")
    }

    /// The next event, if one comes in this time.
    pub fn next_within(&mut self, time: Duration) -> Option<NetEvent> {
        let runtime = self.runtime.as_ref().expect("it runs");
        let next = async { tokio::time::timeout(time, self.events.recv()).await };
        runtime.block_on(next).ok().map(|event| event.expect("the network runs"))
    }

    /// Skips events until one fits.
    pub fn until<T>(&mut self, mut fits: impl FnMut(&NetEvent) -> Option<T>) -> T {
        loop {
            if let Some(found) = fits(&self.next()) {
                return found;
            }
        }
    }

    /// Waits until this peer is up, and lets it in; gives its greeting.
    pub fn up(&mut self, with: PublicKey) -> Vec<u8> {
        let greeting = self.until(|event| match event {
            NetEvent::Up { peer, greeting, .. } if *peer == with => Some(greeting.clone()),
            _ => None,
        });
        self.net().welcome(with);
        greeting
    }

    /// Waits until this peer is down.
    pub fn down(&mut self, with: PublicKey) {
        self.until(|event| (*event == NetEvent::Down { peer: with }).then_some(()));
    }

    /// Waits for a frame of this peer.
    pub fn frame(&mut self, from: PublicKey) -> Vec<u8> {
        self.until(|event| match event {
            NetEvent::Frame { peer, bytes } if *peer == from => Some(bytes.clone()),
            _ => None,
        })
    }

    /// Checks that nobody goes down for a while.
    pub fn stays_up(&mut self) {
        while let Some(event) = self.next_within(Duration::from_millis(500)) {
            assert!(!matches!(event, NetEvent::Down { .. }));
        }
    }

    pub fn send(&self, to: PublicKey, frame: &[u8]) {
        self.net().send(to, frame.to_vec()).expect("it fits");
    }

    pub fn shutdown(mut self) {
        let net = self.net.take().expect("it runs");
        self.runtime.as_ref().expect("it runs").block_on(net.shutdown());
    }

    /// As a killed process: no goodbye, the sockets gone at once.
    pub fn kill(self) {
        drop(self);
    }
}

impl Drop for Node {
    fn drop(&mut self) {
        if let Some(runtime) = self.runtime.take() {
            runtime.shutdown_timeout(Duration::from_secs(5));
        }
    }
}

/// An address from which TCP is carried to this port; QUIC finds nobody there.
pub fn tcp_detour(port: u16) -> Address {
    let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).expect("a port");
    let address = listener.local_addr().expect("an address");
    std::thread::spawn(move || {
        for inward in listener.incoming().map_while(Result::ok) {
            // Nobody listens there while a node is restarted.
            if let Ok(outward) = TcpStream::connect((Ipv4Addr::LOCALHOST, port)) {
                carry(&inward, &outward);
                carry(&outward, &inward);
            }
        }
    });
    Address::new(address.ip(), address.port()).expect("an address")
}

fn carry(from: &TcpStream, to: &TcpStream) {
    let (mut from, mut to) = (from.try_clone().expect("a socket"), to.try_clone().expect("one"));
    std::thread::spawn(move || {
        let _ = io::copy(&mut from, &mut to);
        let _ = to.shutdown(std::net::Shutdown::Both);
        let _ = from.shutdown(std::net::Shutdown::Both);
    });
}

/// An address where nobody listens.
pub fn vacant() -> Address {
    let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).expect("a port");
    let address = listener.local_addr().expect("an address");
    Address::new(address.ip(), address.port()).expect("an address")
}
