//! What goes wrong in a planned run besides the network: seats that fall silent, partitions that
//! heal, a seat that signs two records for one place.

use super::faults::Faults;
use crate::protocol::{
    crypto::{hash::hash, identity::Identity},
    log::record::{Body, Kind, Unchecked},
    message::Talk,
    table::Table,
};

/// A moment of a game.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Stop {
    /// The kind of record asked for.
    pub kind: Kind,
    /// Rounds dealt before.
    pub rounds: u8,
}

/// A seat is cut off from all others.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Cut {
    /// The seat, from 0.
    pub seat: u8,
    /// From when its own table is here.
    pub at: Stop,
    /// For how long, in milliseconds; for good without.
    pub ms: Option<u64>,
}

/// A seat signs two records for one place.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Twice {
    /// The seat, from 0.
    pub seat: u8,
    /// The kind of record; a commitment of an open deal, a choice or a turn.
    pub kind: Kind,
    /// From this length of the log on, in records.
    pub from: u32,
}

/// A seat's disk fails it once, at one of its writes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct BadWrite {
    /// The seat, from 0.
    pub seat: u8,
    /// Which of its writes, from 0.
    pub write: u32,
    /// What becomes of it.
    pub how: BadWriteHow,
}

/// What becomes of a write that does not go well.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum BadWriteHow {
    /// It fails and leaves the file as it was.
    Fails,
    /// The seat crashes when so many of its bytes are on disk; all of them if there are fewer.
    Torn(usize),
}

/// What goes wrong. Bots claim a seat when the terms' patience is over, close a game that stands,
/// and come back when they learn that they are out.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Plan {
    /// Seats cut off.
    pub cuts: [Option<Cut>; 4],
    /// A seat that signs two records.
    pub twice: Option<Twice>,
    /// The seats (bits) on one side of a partition, from when to when in milliseconds.
    pub parted: Option<(u8, u64, u64)>,
    /// What goes wrong until the table heals.
    pub faults: Faults,
    /// One write that does not go well.
    pub write: Option<BadWrite>,
    /// A seat (from 0) that votes both ways: what it says of an attempt to some neighbours, it
    /// says otherwise to the others.
    pub both_ways: Option<u8>,
    /// The longest that a player thinks, in milliseconds.
    pub think_ms: u64,
    /// How many rounds are enough; a whole game if 0.
    pub rounds: u8,
}

/// Whether a partition keeps two seats apart.
pub fn parted(plan: &Plan, a: usize, b: usize, now: u64) -> bool {
    plan.parted
        .is_some_and(|(side, from, to)| (from..to).contains(&now) && side >> a & 1 != side >> b & 1)
}

impl Plan {
    /// The seats (from 0) whose programs lie.
    pub fn liars(&self) -> impl Iterator<Item = usize> {
        let twice = self.twice.map(|twice| twice.seat);
        [twice, self.both_ways].into_iter().flatten().map(usize::from)
    }

    /// Whether a seat (from 0) lies.
    pub fn lies(&self, seat: usize) -> bool {
        self.liars().any(|liar| liar == seat)
    }
}

impl Stop {
    /// Whether a table is here.
    pub(super) fn is_here(&self, table: &Table) -> bool {
        table.phase().kind() == Some(self.kind) && table.game().round_number() == self.rounds
    }
}

/// What the seat that signs twice tells some of its neighbours: another record for the place.
pub(super) fn second(twice: &Twice, identity: &Identity, talk: &Talk) -> Option<Talk> {
    let Talk::Fresh(bytes) = talk else { return None };
    let mut record = Unchecked::decode(bytes).ok()?.record().clone();
    if record.seat != twice.seat || record.body.kind() != twice.kind {
        return None;
    }
    record.body = match record.body {
        Body::Commit(commitment) => Body::Commit(hash("sim other", &[&commitment])),
        Body::Choice(commitment) => Body::Choice(hash("sim other", &[&commitment])),
        Body::Action(text) if text.starts_with("scout left") => {
            Body::Action(text.replacen("left", "right", 1))
        }
        _ => return None,
    };
    Some(Talk::Fresh(record.sign(identity)))
}
