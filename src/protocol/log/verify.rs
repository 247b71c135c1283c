//! Checking a log file from its bytes alone.

use std::collections::BTreeMap;

use super::{
    file::{FileError, Frames},
    record::{Body, Signed},
};
use crate::{
    game::{Action, BySeat, Ending, Seat},
    protocol::{
        crypto::hash::Hash,
        deal::wire::SealedTurn,
        limits::LOG_RECORDS_MAX,
        table::{Fact, Phase, Refusal, Table},
    },
};

/// The first thing wrong with a log.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum Wrong {
    /// The file cannot be cut into records.
    #[error("{0}")]
    File(#[from] FileError),
    /// A record is refused.
    #[error("record {record} at byte {offset}: {reason}")]
    Record {
        /// Number of the record, from 1.
        record: u32,
        /// Where its length stands in the file, in bytes from the start.
        offset: u64,
        /// Why.
        reason: Refusal,
    },
    /// There is no record at all.
    #[error("it holds no records")]
    Empty,
    /// More records than a game can have.
    #[error("it holds more than {LOG_RECORDS_MAX} records")]
    Long,
}

/// How one round of a verified game went.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RoundReport {
    /// The round, from 1.
    pub round: u8,
    /// The seat that started.
    pub start: Seat,
    /// Turns taken.
    pub turns: u32,
    /// How it ended and what it gave, unless it is still being played.
    pub end: Option<(Ending, BySeat<i32>)>,
}

/// What a log proves.
#[derive(Debug, Clone)]
pub struct Report {
    /// The table after the last record.
    pub table: Table,
    /// Number of records.
    pub records: u32,
    /// The rounds dealt, in order.
    pub rounds: Vec<RoundReport>,
    /// The seats that went out and came back, in order: the record's number, and the fact.
    pub absences: Vec<(u32, Fact)>,
    /// What was proven of sealed deals.
    pub proofs: Proofs,
}

/// Proofs of sealed deals that were checked.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Proofs {
    /// Shuffles, each proven to be one of the deck before it.
    pub shuffles: u32,
    /// Records of shares, each proven to be made with its seat's key.
    pub shares: u32,
    /// Cards shown, each proven to be the one dealt or scouted.
    pub cards: u32,
    /// Deals recomputed from the seeds of all seats.
    pub audited: u32,
}

impl Report {
    /// Whether every round was played and every seat signed the result.
    pub fn complete(&self) -> bool {
        self.table.phase() == Phase::Complete
    }
}

/// Reads a whole log file, checks every record, and hands each with its offset and the facts that
/// follow from it to `each`, together with the table after it.
///
/// # Errors
/// [`Wrong`]: the first thing wrong. `each` has seen all that came before.
pub fn read(file: &[u8], each: impl FnMut(&Table, &Signed, u64, &[Fact])) -> Result<Table, Wrong> {
    read_knowing(file, BTreeMap::new(), each)
}

/// The same with every card known that the whole log lets anyone compute: those of a sealed deal
/// whose seats have all revealed their seeds are known from the start of the deal.
///
/// # Errors
/// [`Wrong`]: the first thing wrong. `each` is called only if the log is right.
pub fn read_open(
    file: &[u8],
    each: impl FnMut(&Table, &Signed, u64, &[Fact]),
) -> Result<Table, Wrong> {
    let (mut seeds, mut revealed) = (BTreeMap::new(), Vec::new());
    read(file, |_, record, _, facts| {
        if let Body::Reveal(seed) = record.record().body {
            revealed.push(seed);
        }
        for fact in facts {
            match fact {
                Fact::Audited { deal } => {
                    seeds.insert(*deal, std::mem::take(&mut revealed));
                }
                Fact::Dealt { .. } => revealed.clear(),
                _ => {}
            }
        }
    })?;
    read_knowing(file, seeds, each)
}

fn read_knowing(
    file: &[u8],
    seeds: BTreeMap<u32, Vec<Hash>>,
    mut each: impl FnMut(&Table, &Signed, u64, &[Fact]),
) -> Result<Table, Wrong> {
    let mut frames = Frames::new(file)?;
    let (offset, first) = frames.next().ok_or(Wrong::Empty)??;
    let wrong = |record, offset| move |reason| Wrong::Record { record, offset, reason };
    let (table, roster) = Table::found(first).map_err(wrong(1, offset))?;
    let mut table = table.knowing(seeds);
    each(&table, &roster, offset, &[]);
    for frame in frames {
        let (offset, bytes) = frame?;
        let number = table.length() + 1;
        if number > LOG_RECORDS_MAX {
            return Err(Wrong::Long);
        }
        let record = table.admit(bytes).map_err(wrong(number, offset))?;
        let facts = table.append(record.clone()).map_err(wrong(number, offset))?;
        each(&table, &record, offset, &facts);
    }
    Ok(table)
}

/// Checks a whole log file and reports what it proves.
///
/// # Errors
/// [`Wrong`]: the first thing wrong.
pub fn verify(file: &[u8]) -> Result<Report, Wrong> {
    let mut rounds: Vec<RoundReport> = Vec::new();
    let (mut absences, mut proofs) = (Vec::new(), Proofs::default());
    let table = read(file, |table, record, _, facts| {
        proofs.count(record, facts);
        for fact in facts {
            match fact {
                Fact::Out { .. } | Fact::Back { .. } => {
                    absences.push((table.length(), fact.clone()));
                }
                _ => {}
            }
            note(&mut rounds, fact);
        }
    })?;
    Ok(Report { records: table.length(), table, rounds, absences, proofs })
}

impl Proofs {
    /// Counts what a record and the facts that follow from it have proven.
    pub fn count(&mut self, record: &Signed, facts: &[Fact]) {
        let audited = facts.iter().filter(|fact| matches!(fact, Fact::Audited { .. }));
        self.audited += audited.count() as u32;
        match &record.record().body {
            Body::Shuffle(_) => self.shuffles += 1,
            Body::Shares(_) => self.shares += 1,
            Body::SealedAction(SealedTurn { opening: Some(opening), .. })
            | Body::Stuck(opening) => self.cards += opening.cards.len() as u32,
            _ => {}
        }
    }
}

fn note(rounds: &mut Vec<RoundReport>, fact: &Fact) {
    match fact {
        Fact::Dealt { round, start } => {
            rounds.push(RoundReport { round: *round, start: *start, turns: 0, end: None });
        }
        Fact::Acted { action, .. } if !matches!(action, Action::Keep | Action::Flip) => {
            if let Some(round) = rounds.last_mut() {
                round.turns += 1;
            }
        }
        Fact::RoundOver { ending, points, .. } => {
            if let Some(round) = rounds.last_mut() {
                round.end = Some((*ending, *points));
            }
        }
        _ => {}
    }
}
