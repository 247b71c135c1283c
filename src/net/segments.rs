//! TCP in small segments. There are paths on which packets over some 1,000 bytes vanish without a
//! word, and there TCP sends its first full segment again and again. QUIC cannot be helped, for its
//! first packets have 1,200 bytes; a card game never misses the speed.

use std::io;
use std::pin::Pin;
use std::task::{Context, Poll, ready};

use futures::{AsyncRead, AsyncWrite};
use libp2p::tcp::tokio::TcpStream;

use super::limits::SEGMENT_BYTES;

/// A connection that sends no more than `SEGMENT_BYTES` in one packet.
pub(super) struct Segments(pub(super) TcpStream);

impl Segments {
    /// Writes the beginning of these bytes as one segment, which the system does not put together
    /// with others, also where it sends it again.
    #[cfg(any(target_os = "linux", target_os = "android"))]
    fn send(&self, bytes: &[u8]) -> io::Result<usize> {
        use rustix::net::{SendFlags, send};
        use tokio::io::Interest;
        // The end of a record: for TCP a border that no segment crosses.
        let one = || Ok(send(&self.0.0, bytes, SendFlags::EOR | SendFlags::NOSIGNAL)?);
        self.0.0.try_io(Interest::WRITABLE, one)
    }

    /// The same as far as the system sends what is written at once.
    #[cfg(not(any(target_os = "linux", target_os = "android")))]
    fn send(&self, bytes: &[u8]) -> io::Result<usize> {
        self.0.0.try_write(bytes)
    }
}

impl AsyncRead for Segments {
    fn poll_read(
        mut self: Pin<&mut Self>,
        cx: &mut Context<'_>,
        bytes: &mut [u8],
    ) -> Poll<io::Result<usize>> {
        Pin::new(&mut self.0).poll_read(cx, bytes)
    }
}

impl AsyncWrite for Segments {
    fn poll_write(
        self: Pin<&mut Self>,
        cx: &mut Context<'_>,
        bytes: &[u8],
    ) -> Poll<io::Result<usize>> {
        let bytes = bytes.get(..SEGMENT_BYTES).unwrap_or(bytes);
        loop {
            ready!(self.0.0.poll_write_ready(cx))?;
            match self.send(bytes) {
                Err(error) if error.kind() == io::ErrorKind::WouldBlock => {}
                sent => return Poll::Ready(sent),
            }
        }
    }

    fn poll_flush(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.0).poll_flush(cx)
    }

    fn poll_close(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.0).poll_close(cx)
    }
}
