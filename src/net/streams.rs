//! The one place that knows libp2p-stream, an alpha: opening streams and accepting them.

use futures::StreamExt;
use libp2p::{Stream, StreamProtocol};
use libp2p_stream::{Control, OpenStreamError};
use tokio::sync::mpsc::UnboundedSender;
use tokio::time::timeout;

use super::fault::DialFault;
use super::frame::{self, Frame};
use super::key::peer_id;
use super::limits::{OPEN_TRIES, OPEN_WAIT, WELCOME};
use super::session::{Opened, Report};
use crate::protocol::crypto::identity::PublicKey;

pub(super) use libp2p_stream::Behaviour;

/// The protocol and its version: another version answers, and is no peer of ours.
const PROTOCOL: StreamProtocol = StreamProtocol::new("/fairdeal/1");

/// Opens streams to connected peers.
#[derive(Clone)]
pub(super) struct Streams(Control);

impl Streams {
    /// Starts to accept: each stream becomes a report at once, since the behaviour drops what
    /// nobody takes.
    pub(super) fn accept(behaviour: &Behaviour, reports: UnboundedSender<Report>) -> Streams {
        let mut control = behaviour.new_control();
        // It fails only where the protocol is accepted already, and this behaviour is new.
        if let Ok(mut incoming) = control.accept(PROTOCOL) {
            tokio::spawn(async move {
                while let Some((peer, stream)) = incoming.next().await {
                    if reports.send(Report::Stream { peer, stream }).is_err() {
                        return;
                    }
                }
            });
        }
        Streams(control)
    }

    /// Opens a stream to a connected peer and exchanges Hello and Welcome. A stream the other
    /// side dropped is tried again.
    pub(super) async fn open(
        mut self,
        peer: PublicKey,
        said: Vec<u8>,
    ) -> Result<Opened, DialFault> {
        let hello = Frame::Hello(said.clone());
        let mut wait = OPEN_WAIT;
        for _ in 0..OPEN_TRIES {
            match timeout(WELCOME, self.open_once(peer, &hello)).await {
                Ok(Err(Some(fault))) => return Err(fault),
                Ok(Ok((stream, greeting))) => {
                    return Ok(Opened { stream, said, greeting });
                }
                Ok(Err(None)) | Err(_) => tokio::time::sleep(wait).await,
            }
            wait *= 2;
        }
        Err(DialFault::Closed)
    }

    /// One try; an error without a fault may pass.
    async fn open_once(
        &mut self,
        peer: PublicKey,
        hello: &Frame,
    ) -> Result<(Stream, Vec<u8>), Option<DialFault>> {
        let opened = self.0.open_stream(peer_id(&peer), PROTOCOL).await;
        let mut stream = opened.map_err(|error| match error {
            OpenStreamError::UnsupportedProtocol(_) => Some(DialFault::NotFairdeal),
            _ => None,
        })?;
        frame::write(&mut stream, hello).await.map_err(|_| None)?;
        match frame::read(&mut stream).await {
            Ok(Frame::Welcome(greeting)) => Ok((stream, greeting)),
            Ok(_) | Err(frame::End::Fault) => Err(Some(DialFault::NotFairdeal)),
            Err(_) => Err(None),
        }
    }
}
