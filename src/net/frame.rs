//! Frames on a stream: `u32le length ‖ kind ‖ payload`, the length counting the kind.

use futures::{AsyncRead, AsyncReadExt, AsyncWrite, AsyncWriteExt};
use tokio::time::timeout;

use super::limits::{FRAME_BYTES, FRAME_TIME, GREETING_BYTES, SILENCE};

/// What passes between two peers.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Frame {
    /// Says that the sender lives; the other side answers with the same number.
    Beat(u32),
    /// A frame of the layer above.
    Data(Vec<u8>),
    /// The sender's greeting changed.
    Greeting(Vec<u8>),
    /// The opener's first frame: its greeting.
    Hello(Vec<u8>),
    /// The answer to Hello: the other's greeting.
    Welcome(Vec<u8>),
    /// The answer to Beat.
    Echo(u32),
}

/// Why a stream ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum End {
    /// It was closed or its connection broke.
    Closed,
    /// Nothing came for `SILENCE`, or a frame took longer than `FRAME_TIME`.
    Silent,
    /// What came is no frame of this protocol.
    Fault,
    /// We ended it at once: superseded, or its queue was full.
    Stopped,
    /// We ended it, and our last frames are out.
    Left,
}

/// Writes one frame and sees it off.
pub(super) async fn write(to: &mut (impl AsyncWrite + Unpin), frame: &Frame) -> Result<(), End> {
    let bytes = encode(frame);
    let sent = async {
        to.write_all(&bytes).await?;
        to.flush().await
    };
    match timeout(FRAME_TIME, sent).await {
        Ok(Ok(())) => Ok(()),
        Ok(Err(_)) => Err(End::Closed),
        Err(_) => Err(End::Silent),
    }
}

/// Reads one frame. Its length is checked before anything is allocated for it.
pub(super) async fn read(from: &mut (impl AsyncRead + Unpin)) -> Result<Frame, End> {
    let mut head = [0; 5];
    fill(from, &mut head, SILENCE).await?;
    let [a, b, c, d, kind] = head;
    let length = u32::from_le_bytes([a, b, c, d]) as usize;
    let lengths = match kind {
        0 | 5 => 4..=4,
        1 => 0..=FRAME_BYTES,
        _ => 0..=GREETING_BYTES,
    };
    let length = length.checked_sub(1).filter(|length| lengths.contains(length));
    let length = length.ok_or(End::Fault)?;
    let mut payload = vec![0; length];
    fill(from, &mut payload, FRAME_TIME).await?;
    let number = || payload.as_slice().try_into().map(u32::from_le_bytes).map_err(|_| End::Fault);
    match kind {
        0 => Ok(Frame::Beat(number()?)),
        5 => Ok(Frame::Echo(number()?)),
        1 => Ok(Frame::Data(payload)),
        2 => Ok(Frame::Greeting(payload)),
        3 => Ok(Frame::Hello(payload)),
        4 => Ok(Frame::Welcome(payload)),
        _ => Err(End::Fault),
    }
}

/// Reads exactly as many bytes as fit, within a time.
async fn fill(
    from: &mut (impl AsyncRead + Unpin),
    bytes: &mut [u8],
    time: std::time::Duration,
) -> Result<(), End> {
    match timeout(time, from.read_exact(bytes)).await {
        Ok(Ok(())) => Ok(()),
        Ok(Err(_)) => Err(End::Closed),
        Err(_) => Err(End::Silent),
    }
}

/// A frame's bytes.
fn encode(frame: &Frame) -> Vec<u8> {
    let number;
    let (kind, payload): (u8, &[u8]) = match frame {
        Frame::Beat(beat) | Frame::Echo(beat) => {
            number = beat.to_le_bytes();
            (if matches!(frame, Frame::Beat(_)) { 0 } else { 5 }, &number)
        }
        Frame::Data(payload) => (1, payload),
        Frame::Greeting(payload) => (2, payload),
        Frame::Hello(payload) => (3, payload),
        Frame::Welcome(payload) => (4, payload),
    };
    let mut bytes = Vec::with_capacity(5 + payload.len());
    bytes.extend((payload.len() as u32 + 1).to_le_bytes());
    bytes.push(kind);
    bytes.extend(payload);
    bytes
}

#[cfg(test)]
mod tests {
    use super::*;
    use futures::io::Cursor;

    async fn read_bytes(bytes: &[u8]) -> Result<Frame, End> {
        read(&mut Cursor::new(bytes)).await
    }

    #[tokio::test]
    async fn frames_pass_unchanged() {
        let frames = [
            Frame::Beat(7),
            Frame::Echo(u32::MAX),
            Frame::Data(vec![]),
            Frame::Data(vec![7; FRAME_BYTES]),
            Frame::Greeting(vec![1; GREETING_BYTES]),
            Frame::Hello(b"hello".to_vec()),
            Frame::Welcome(b"welcome".to_vec()),
        ];
        let mut line = Cursor::new(Vec::new());
        for frame in &frames {
            write(&mut line, frame).await.expect("written");
        }
        line.set_position(0);
        for frame in frames {
            assert_eq!(read(&mut line).await, Ok(frame));
        }
        assert_eq!(read(&mut line).await, Err(End::Closed));
    }

    #[tokio::test]
    async fn lengths_out_of_bounds_are_faults_before_they_are_read() {
        let head = |length: u32, kind: u8| {
            let mut head = length.to_le_bytes().to_vec();
            head.push(kind);
            head
        };
        for (length, kind) in [
            (0, 1),
            (FRAME_BYTES as u32 + 2, 1),
            (u32::MAX, 1),
            (1, 0),
            (2, 0),
            (6, 5),
            (GREETING_BYTES as u32 + 2, 2),
            (GREETING_BYTES as u32 + 2, 3),
            (GREETING_BYTES as u32 + 2, 255),
            (1, 6),
        ] {
            assert_eq!(read_bytes(&head(length, kind)).await, Err(End::Fault), "{length} {kind}");
        }
        assert_eq!(read_bytes(&head(9, 1)).await, Err(End::Closed));
        assert_eq!(read_bytes(&[1, 0]).await, Err(End::Closed));
    }

    #[test]
    fn the_bytes_are_fixed() {
        assert_eq!(encode(&Frame::Data(b"ab".to_vec())), [3, 0, 0, 0, 1, b'a', b'b']);
    }
}
