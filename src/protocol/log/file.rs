//! The log as a file: a line that names the format, then each record behind its length.
//!
//! `fairdeal 1\r\n`, then for each record a u32 (little-endian) and that many bytes. The carriage
//! return shows a file that a text-mode transfer has changed. A running game's file and a
//! finished game's are the same file: nothing is rewritten when a game ends.

use crate::protocol::limits::{RECORD_BYTES_MAX, VOTE_BYTES_MAX};

/// The first bytes of every log file of this version.
pub const MAGIC: &[u8; 12] = b"fairdeal 1\r\n";

/// What every version's magic starts with.
const FAMILY: &[u8] = b"fairdeal ";

/// Why a file cannot be cut into records.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum FileError {
    /// It does not start as a log does.
    #[error("not a fairdeal game file")]
    NotALog,
    /// It is a log of a version this program does not know.
    #[error("it was made by another version of fairdeal; use a newer program to read it")]
    Version,
    /// A record's length is not possible.
    #[error("record {record} at byte {offset}: a record cannot be {length} bytes long")]
    Length {
        /// Number of the record, from 1.
        record: u32,
        /// Where its length stands in the file.
        offset: u64,
        /// The length it claims.
        length: u32,
    },
    /// The file ends in the middle of a record.
    #[error("record {record} at byte {offset}: the file ends inside it")]
    Torn {
        /// Number of the record, from 1.
        record: u32,
        /// Where its length stands in the file.
        offset: u64,
    },
}

/// `bytes` behind their length, as they stand in a file.
pub fn frame(bytes: &[u8]) -> Vec<u8> {
    let mut framed = (bytes.len() as u32).to_le_bytes().to_vec();
    framed.extend_from_slice(bytes);
    framed
}

/// The records of a file with the offset of each, in bytes from its start.
#[derive(Debug, Clone)]
pub struct Frames<'a> {
    file: &'a [u8],
    offset: usize,
    record: u32,
    most: usize,
}

impl<'a> Frames<'a> {
    /// Reads a whole log file.
    ///
    /// # Errors
    /// [`FileError::NotALog`] or [`FileError::Version`].
    pub fn new(file: &'a [u8]) -> Result<Frames<'a>, FileError> {
        if file.starts_with(MAGIC) {
            Ok(Frames { file, offset: MAGIC.len(), record: 0, most: RECORD_BYTES_MAX })
        } else if file.starts_with(FAMILY) && file.len() >= MAGIC.len() {
            Err(FileError::Version)
        } else {
            Err(FileError::NotALog)
        }
    }

    /// Reads a sequence of frames without a first line, as the journal is; votes may be among them.
    pub fn headless(file: &'a [u8]) -> Frames<'a> {
        Frames { file, offset: 0, record: 0, most: VOTE_BYTES_MAX }
    }
}

impl<'a> Iterator for Frames<'a> {
    type Item = Result<(u64, &'a [u8]), FileError>;

    fn next(&mut self) -> Option<Self::Item> {
        let rest = self.file.get(self.offset..).filter(|rest| !rest.is_empty())?;
        let offset = self.offset as u64;
        self.record += 1;
        let record = self.record;
        let torn = FileError::Torn { record, offset };
        self.offset = self.file.len();
        let Some((length, rest)) = rest.split_first_chunk::<4>() else {
            return Some(Err(torn));
        };
        let length = u32::from_le_bytes(*length);
        if length == 0 || length as usize > self.most {
            return Some(Err(FileError::Length { record, offset, length }));
        }
        let Some(bytes) = rest.get(..length as usize) else {
            return Some(Err(torn));
        };
        self.offset = offset as usize + 4 + bytes.len();
        Some(Ok((offset, bytes)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn frames_come_back_with_their_offsets() {
        let mut file = MAGIC.to_vec();
        file.extend(frame(b"one"));
        file.extend(frame(b"three"));
        let read: Vec<_> = Frames::new(&file).unwrap().collect();
        assert_eq!(read, [Ok((12, &b"one"[..])), Ok((19, &b"three"[..]))]);
        for cut in 20..file.len() {
            let last = Frames::new(&file[..cut]).unwrap().last();
            assert_eq!(last, Some(Err(FileError::Torn { record: 2, offset: 19 })), "{cut}");
        }
    }

    #[test]
    fn a_record_has_at_least_a_byte_and_at_most_its_limit() {
        let headed = |bytes: &[u8]| [MAGIC.as_slice(), &frame(bytes)].concat();
        let length = |offset, length| FileError::Length { record: 1, offset, length };
        for (most, start) in [(RECORD_BYTES_MAX, MAGIC.len()), (VOTE_BYTES_MAX, 0)] {
            let read = |count| {
                let file = headed(&vec![7; count]);
                let log = Frames::new(&file).unwrap();
                let mut frames = if start > 0 { log } else { Frames::headless(&file[12..]) };
                frames.next().unwrap().map(|(_, bytes)| bytes.len())
            };
            assert_eq!((read(1), read(most)), (Ok(1), Ok(most)));
            assert_eq!(read(0), Err(length(start as u64, 0)));
            assert_eq!(read(most + 1), Err(length(start as u64, most as u32 + 1)));
        }
    }

    #[test]
    fn other_files_are_named_as_such() {
        assert_eq!(Frames::new(b"").unwrap_err(), FileError::NotALog);
        assert_eq!(Frames::new(b"%PDF-1.7 and more").unwrap_err(), FileError::NotALog);
        assert_eq!(Frames::new(b"fairdeal 1\n and more").unwrap_err(), FileError::Version);
        assert_eq!(Frames::new(b"fairdeal 2\r\n").unwrap_err(), FileError::Version);
    }
}
