//! A peer that does with a stream what it likes.

use std::time::Duration;

use fairdeal::net::Address;
use futures::{AsyncReadExt, AsyncWriteExt, StreamExt};
use libp2p::identity::Keypair;
use libp2p::swarm::dial_opts::DialOpts;
use libp2p::{Multiaddr, PeerId, Stream, StreamProtocol, Swarm, SwarmBuilder};
use libp2p_stream::IncomingStreams;
use tokio::runtime::{Builder, Runtime};

use crate::node::PATIENCE;

pub struct Raw {
    runtime: Runtime,
    control: libp2p_stream::Control,
    /// Where the streams of others arrive, where it speaks the protocol.
    _incoming: Option<IncomingStreams>,
}

const PROTOCOL: StreamProtocol = StreamProtocol::new("/fairdeal/1");

/// A frame's bytes, with a length that may lie.
pub fn frame(length: u32, kind: u8, payload: &[u8]) -> Vec<u8> {
    let mut bytes = length.to_le_bytes().to_vec();
    bytes.push(kind);
    bytes.extend(payload);
    bytes
}

impl Raw {
    /// Dials a node by QUIC and stays connected; takes the node's streams and says nothing.
    pub fn dial(secret: [u8; 32], to: Address) -> Raw {
        let to = format!("/ip4/{}/udp/{}/quic-v1", to.ip(), to.port());
        let mut raw = Raw::run(secret, move |swarm| {
            let to: Multiaddr = to.parse().expect("an address");
            swarm.dial(DialOpts::unknown_peer_id().address(to).build()).expect("a dial");
        });
        raw._incoming = raw.control.accept(PROTOCOL).ok();
        raw
    }

    /// Listens by QUIC on a port, and does not speak the protocol.
    pub fn listen(secret: [u8; 32], port: u16) -> Raw {
        Raw::run(secret, move |swarm| {
            let at = format!("/ip4/127.0.0.1/udp/{port}/quic-v1");
            swarm.listen_on(at.parse().expect("an address")).expect("it listens");
        })
    }

    fn run(
        mut secret: [u8; 32],
        begin: impl FnOnce(&mut Swarm<libp2p_stream::Behaviour>) + Send + 'static,
    ) -> Raw {
        let runtime = Builder::new_multi_thread().worker_threads(1).enable_all().build();
        let runtime = runtime.expect("a runtime");
        let pair = Keypair::ed25519_from_bytes(&mut secret[..]).expect("a key");
        let control = runtime.block_on(async {
            let idle = Duration::from_secs(60);
            let mut swarm = SwarmBuilder::with_existing_identity(pair)
                .with_tokio()
                .with_quic()
                .with_behaviour(|_| libp2p_stream::Behaviour::new())
                .expect("a behaviour")
                .with_swarm_config(|config| config.with_idle_connection_timeout(idle))
                .build();
            let control = swarm.behaviour().new_control();
            begin(&mut swarm);
            tokio::spawn(async move {
                loop {
                    swarm.select_next_some().await;
                }
            });
            control
        });
        Raw { runtime, control, _incoming: None }
    }

    /// Opens a stream of the protocol.
    pub fn open(&mut self, to: PeerId) -> Stream {
        let control = &mut self.control;
        self.runtime.block_on(async {
            let until = tokio::time::Instant::now() + PATIENCE;
            loop {
                match control.open_stream(to, PROTOCOL).await {
                    Ok(stream) => return stream,
                    Err(error) if tokio::time::Instant::now() > until => panic!("{error}"),
                    Err(_) => tokio::time::sleep(Duration::from_millis(20)).await,
                }
            }
        })
    }

    pub fn write(&self, stream: &mut Stream, bytes: &[u8]) {
        // It may be closed already, and that is what some tests want.
        self.runtime.block_on(async {
            let _ = stream.write_all(bytes).await;
            let _ = stream.flush().await;
        });
    }

    /// Reads until the other side closes.
    pub fn read_to_end(&self, stream: &mut Stream) -> Vec<u8> {
        let mut bytes = Vec::new();
        let reading = async {
            let mut buffer = [0; 1024];
            while let Ok(n @ 1..) = stream.read(&mut buffer).await {
                bytes.extend(&buffer[..n]);
            }
        };
        let ended = async { tokio::time::timeout(PATIENCE, reading).await };
        self.runtime.block_on(ended).expect("the stream ends");
        bytes
    }
}

/// The libp2p identity of a secret.
pub fn peer_id(mut secret: [u8; 32]) -> PeerId {
    Keypair::ed25519_from_bytes(&mut secret[..]).expect("a key").public().to_peer_id()
}
