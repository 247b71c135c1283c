//! Proof of a fault as a file anyone can check without a network.
//!
//! `fairdeal evidence 1\r\n`, a u32 (little-endian) that counts the log's records, those records,
//! then what the seat at fault signed: one record that is wrong against that log, or two different
//! records for one place. Each record stands behind its length as in a log.

use super::file::{FileError, Frames, frame};
use crate::{
    game::Seat,
    protocol::table::{Refusal, Table},
};

/// The first bytes of every evidence file of this version.
pub const EVIDENCE_MAGIC: &[u8; 21] = b"fairdeal evidence 1\r\n";

/// What an evidence file proves.
#[derive(Debug, Clone)]
pub struct Evidence {
    /// The table, as far as the evidence needs it.
    pub table: Table,
    /// The seat at fault.
    pub seat: Seat,
    /// What it did.
    pub reason: String,
}

/// Why a file proves nothing.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum NoEvidence {
    /// It cannot be cut into records.
    #[error("{0}")]
    File(#[from] FileError),
    /// It does not start as evidence does, or holds too few or too many records.
    #[error("it is not evidence as fairdeal writes it")]
    Form,
    /// A record of its log is refused.
    #[error("record {0} of its log: {1}")]
    Log(usize, Refusal),
    /// What it shows is no fault, or no seat of its table signed it.
    #[error("what it shows is no fault of a seat of that table")]
    NoFault,
}

/// The bytes of evidence: a log up to the place, and what was signed there.
pub fn encode(log: &[Vec<u8>], records: &[&[u8]]) -> Vec<u8> {
    let mut bytes = EVIDENCE_MAGIC.to_vec();
    bytes.extend((log.len() as u32).to_le_bytes());
    bytes.extend(log.iter().flat_map(|record| frame(record)));
    bytes.extend(records.iter().flat_map(|record| frame(record)));
    bytes
}

/// Checks evidence.
///
/// # Errors
/// [`NoEvidence`] if it does not prove a fault.
pub fn check(file: &[u8]) -> Result<Evidence, NoEvidence> {
    let rest = file.strip_prefix(EVIDENCE_MAGIC).ok_or(NoEvidence::Form)?;
    let (count, rest) = rest.split_first_chunk::<4>().ok_or(NoEvidence::Form)?;
    let count = u32::from_le_bytes(*count) as usize;
    let frames = Frames::headless(rest).map(|found| found.map(|(_, bytes)| bytes));
    let frames: Vec<&[u8]> = frames.collect::<Result<_, _>>()?;
    if count == 0 || frames.len() <= count {
        return Err(NoEvidence::Form);
    }
    let (log, signed) = frames.split_at(count);
    let refused = |index: usize| move |refusal| NoEvidence::Log(index + 1, refusal);
    let first = log.first().copied().unwrap_or_default();
    let (mut table, _) = Table::found(first).map_err(refused(0))?;
    for (index, bytes) in log.iter().enumerate().skip(1) {
        let record = table.admit(bytes).map_err(refused(index))?;
        table.append(record).map_err(refused(index))?;
    }
    if signed.len() > 2 {
        return Err(NoEvidence::Form);
    }
    let (seat, reason) = table.fault_in(signed).ok_or(NoEvidence::NoFault)?;
    Ok(Evidence { table, seat, reason })
}
