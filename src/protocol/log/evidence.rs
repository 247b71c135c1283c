//! Proof of a fault as a file anyone can check without a network.
//!
//! `fairdeal evidence 1\r\n`, a u32 (little-endian) that counts the log's records, those records,
//! then what the seat at fault signed: one record that is wrong against that log, or two different
//! records for one place. Each record stands behind its length as in a log.

use super::{
    file::{FileError, Frames, frame},
    record::Unchecked,
};
use crate::{
    game::Seat,
    protocol::{
        table::{Refusal, Table},
        vote::SignedVote,
    },
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
    /// What it accuses a seat of having signed was not signed by it.
    #[error("no seat of that table signed what it shows")]
    Unsigned,
    /// What it shows is no fault.
    #[error("what it shows is no fault")]
    NoFault,
}

/// The reason of evidence with two records.
pub const TWO_RECORDS: &str = "signed two different records for one place";

/// The reason of evidence with two votes.
pub const TWO_VOTES: &str = "signed two different votes of one kind in one try";

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
    let (seat, reason) = match signed {
        [one] => wrong_record(&table, one)?,
        [one, other] => {
            two_votes(&table, one, other).map_or_else(|| two_records(&table, one, other), Ok)?
        }
        _ => return Err(NoEvidence::Form),
    };
    Ok(Evidence { table, seat, reason })
}

fn wrong_record(table: &Table, bytes: &[u8]) -> Result<(Seat, String), NoEvidence> {
    match table.admit(bytes) {
        Err(Refusal::Wrong { record, reason }) => {
            let seat = Seat::new(record.record().seat).ok_or(NoEvidence::Unsigned)?;
            Ok((seat, reason))
        }
        Ok(_) => Err(NoEvidence::NoFault),
        Err(_) => Err(NoEvidence::Unsigned),
    }
}

fn two_votes(table: &Table, one: &[u8], other: &[u8]) -> Option<(Seat, String)> {
    let (one, other) = (table.open_vote(one)?, table.open_vote(other)?);
    let place = |vote: &SignedVote| {
        let paper = vote.paper();
        (paper.base, paper.owner, paper.voter, paper.at(), paper.sort())
    };
    let twice = place(&one) == place(&other) && one.bytes() != other.bytes();
    twice.then(|| Seat::new(one.paper().voter)).flatten().map(|seat| (seat, TWO_VOTES.into()))
}

fn two_records(table: &Table, one: &[u8], other: &[u8]) -> Result<(Seat, String), NoEvidence> {
    let signed = |bytes: &[u8]| {
        let unchecked = Unchecked::decode(bytes).map_err(|_| NoEvidence::Unsigned)?;
        let seat = Seat::new(unchecked.record().seat).ok_or(NoEvidence::Unsigned)?;
        let key = table.player(seat).ok_or(NoEvidence::Unsigned)?.key;
        unchecked.signed_by(&key).map(|record| (seat, record)).ok_or(NoEvidence::Unsigned)
    };
    let ((seat, one), (accused, other)) = (signed(one)?, signed(other)?);
    let one_place = seat == accused && one.record().base == other.record().base;
    if one_place && one.bytes() != other.bytes() {
        Ok((seat, TWO_RECORDS.into()))
    } else {
        Err(NoEvidence::NoFault)
    }
}
