//! The door of a transport: handshakes that others began, each in its time, and so many at once.

use std::io;
use std::pin::Pin;
use std::sync::{Arc, Mutex};
use std::task::{Context, Poll};

use futures::FutureExt;
use futures::future::{AbortHandle, Abortable, BoxFuture};
use libp2p::core::muxing::StreamMuxerBox;
use libp2p::core::transport::{Boxed, DialOpts, ListenerId, TransportError, TransportEvent};
use libp2p::{Multiaddr, PeerId, Transport};
use tokio::time::timeout;

use super::crowd::{Crowd, Flood, SharedFlood, ip_of};
use super::limits::{DIAL_TIME, HANDSHAKE, HANDSHAKES};
use super::session::lock;

/// A connection, and whose it is.
type Made = (PeerId, StreamMuxerBox);

/// A handshake that is not over.
struct Pending {
    number: u64,
    end: AbortHandle,
}

/// A transport behind its door.
pub(super) struct Door {
    inner: Boxed<Made>,
    pending: Arc<Mutex<Crowd<Pending>>>,
    number: u64,
    flood: SharedFlood,
}

impl Door {
    /// A door before this transport.
    pub(super) fn before(inner: Boxed<Made>, flood: &SharedFlood) -> Door {
        let pending = Arc::new(Mutex::new(Crowd::new(HANDSHAKES)));
        Door { inner, pending, number: 0, flood: Arc::clone(flood) }
    }

    /// A handshake with its place among the others: it ends when it has taken too long, or has to
    /// make room.
    fn admit(
        &mut self,
        upgrade: BoxFuture<'static, io::Result<Made>>,
        from: &Multiaddr,
    ) -> BoxFuture<'static, io::Result<Made>> {
        self.number += 1;
        let number = self.number;
        let (end, registration) = AbortHandle::new_pair();
        let goes = lock(&self.pending).enter(ip_of(from), Pending { number, end });
        if let Some((ip, gone)) = goes {
            gone.end.abort();
            Flood::turned_away(&self.flood, ip);
        }
        let place = Place { pending: Arc::clone(&self.pending), number };
        let upgrade = Abortable::new(timeout(HANDSHAKE, upgrade), registration);
        async move {
            let _place = place;
            match upgrade.await {
                Ok(Ok(made)) => made,
                Ok(Err(_)) => Err(io::ErrorKind::TimedOut.into()),
                Err(_) => Err(io::Error::other("it gave way to others")),
            }
        }
        .boxed()
    }
}

/// The place of a handshake, free again when that is over.
struct Place {
    pending: Arc<Mutex<Crowd<Pending>>>,
    number: u64,
}

impl Drop for Place {
    fn drop(&mut self) {
        lock(&self.pending).retain(|pending| pending.number != self.number);
    }
}

impl Transport for Door {
    type Output = Made;
    type Error = io::Error;
    type ListenerUpgrade = BoxFuture<'static, io::Result<Made>>;
    type Dial = BoxFuture<'static, io::Result<Made>>;

    fn listen_on(
        &mut self,
        id: ListenerId,
        address: Multiaddr,
    ) -> Result<(), TransportError<io::Error>> {
        self.inner.listen_on(id, address)
    }

    fn remove_listener(&mut self, id: ListenerId) -> bool {
        self.inner.remove_listener(id)
    }

    fn dial(
        &mut self,
        address: Multiaddr,
        options: DialOpts,
    ) -> Result<Self::Dial, TransportError<io::Error>> {
        let dial = timeout(DIAL_TIME, self.inner.dial(address, options)?);
        Ok(dial.map(|made| made.unwrap_or_else(|_| Err(io::ErrorKind::TimedOut.into()))).boxed())
    }

    fn poll(
        mut self: Pin<&mut Self>,
        cx: &mut Context<'_>,
    ) -> Poll<TransportEvent<Self::ListenerUpgrade, io::Error>> {
        Pin::new(&mut self.inner).poll(cx).map(|event| match event {
            TransportEvent::Incoming { listener_id, upgrade, local_addr, send_back_addr } => {
                let upgrade = self.admit(upgrade, &send_back_addr);
                TransportEvent::Incoming { listener_id, upgrade, local_addr, send_back_addr }
            }
            other => other,
        })
    }
}
