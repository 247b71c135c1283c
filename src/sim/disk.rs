//! A seat's disk: the bytes of its log and its journal, written as its session asks and read as
//! a start reads them.

use crate::protocol::{
    log::file::{FileError, Frames, MAGIC, frame},
    session::Output,
};

/// Records by their bytes.
type Records = Vec<Vec<u8>>;

/// The two files of a seat.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Disk {
    /// The log, which is the replay.
    pub log: Vec<u8>,
    /// The own records, votes and notes, in the order they were signed.
    pub journal: Vec<u8>,
}

impl Disk {
    /// The disk of a game that has its first record.
    pub(super) fn new(first: &[u8]) -> Disk {
        Disk { log: [MAGIC.as_slice(), &frame(first)].concat(), journal: Vec::new() }
    }

    /// Whether an output is one for the disk.
    pub(super) fn is_write(output: &Output) -> bool {
        matches!(output, Output::Journal(_) | Output::Append(_) | Output::Cut { .. })
    }

    /// Carries a write out, all of it.
    pub(super) fn write(&mut self, output: &Output) {
        match output {
            Output::Cut { tail, .. } => {
                let bytes: usize = tail.iter().map(|record| record.len() + 4).sum();
                self.log.truncate(self.log.len().saturating_sub(bytes));
            }
            output => self.tear(output, usize::MAX),
        }
    }

    /// Carries a write out as far as its first `most` bytes: a crash falls into it. A file is cut
    /// or it is not.
    pub(super) fn tear(&mut self, output: &Output, most: usize) {
        let (file, bytes) = match output {
            Output::Journal(record) => (&mut self.journal, frame(record)),
            Output::Append(records) => {
                (&mut self.log, records.iter().flat_map(|record| frame(record)).collect())
            }
            Output::Cut { .. } | Output::Send(..) | Output::Tell(_) => return,
        };
        file.extend(bytes.get(..most).unwrap_or(&bytes));
    }

    /// The log's records and the own ones, as a start reads them: what a crash has torn at the end
    /// of a file is cut.
    ///
    /// # Errors
    /// [`FileError`] if the log does not begin as one.
    pub fn read(&mut self) -> Result<(Records, Records), FileError> {
        let (log, end) = whole(Frames::new(&self.log)?, MAGIC.len());
        self.log.truncate(end);
        let (journal, end) = whole(Frames::headless(&self.journal), 0);
        self.journal.truncate(end);
        Ok((log, journal))
    }

    /// Makes the log these records: those of phases that every seat had filled.
    pub(super) fn keep(&mut self, records: &[Vec<u8>]) {
        let bytes: usize = records.iter().map(|record| record.len() + 4).sum();
        self.log.truncate(MAGIC.len() + bytes);
    }
}

/// The whole frames from the start of a file, and where they end.
fn whole(frames: Frames<'_>, start: usize) -> (Vec<Vec<u8>>, usize) {
    let records: Vec<Vec<u8>> =
        frames.map_while(Result::ok).map(|(_, bytes)| bytes.to_vec()).collect();
    let bytes: usize = records.iter().map(|record| record.len() + 4).sum();
    (records, start + bytes)
}
