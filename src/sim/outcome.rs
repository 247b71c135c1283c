//! What a run starts from and what comes of it.

use std::collections::BTreeMap;

use super::{cast::Cast, disk::Disk, network::Network};
use crate::{bot::Bot, protocol::lobby::DealKind};

/// One run.
#[derive(Debug, Clone, Copy)]
pub struct Options {
    /// Seats, 2 to 5.
    pub seats: u8,
    /// What everything random in the run follows from.
    pub seed: u64,
    /// The network.
    pub network: Network,
    /// How the cards are dealt.
    pub deal: DealKind,
    /// Who plays.
    pub bot: Bot,
    /// Virtual time the game has, in milliseconds.
    pub time_ms_max: u64,
    /// How many of the last seats are bots that seat 1 keeps.
    pub bots: u8,
}

impl Options {
    /// Who plays.
    pub fn cast(&self) -> Cast {
        Cast { seats: self.seats, deal: self.deal, seed: self.seed, bots: self.bots }
    }
}

/// A run that ended as it should.
#[derive(Debug, Clone)]
pub struct Outcome {
    /// The disk of each seat.
    pub disks: Vec<Disk>,
    /// Virtual time the game took, in milliseconds.
    pub time_ms: u64,
    /// Messages handed to the network.
    pub messages: u64,
    /// The seats (from 0) that did not come to the end of the game.
    pub behind: Vec<usize>,
    /// Whether the live seats closed the game because no quorum was to be had.
    pub closed: bool,
    /// Whether a seat that votes both ways held the table up for good.
    pub held_up: bool,
    /// Verdicts in the log of seat 1.
    pub verdicts: u32,
    /// Records that were undone, at all seats together.
    pub undone: u32,
    /// The most records that one seat undid at once.
    pub deepest: u32,
    /// The proofs of a fault that seats told of.
    pub accused: Vec<Accusation>,
    /// The seats (from 0) to which came two records of one seat for one place.
    pub told_both: Vec<usize>,
    /// The disks of seats that crashed, as the crash left them.
    pub crashed: Vec<(usize, Disk)>,
    /// How many writes each seat's disk has seen.
    pub writes: Vec<u32>,
    /// How often each sort of fault befell the run.
    pub faults: BTreeMap<&'static str, u64>,
}

/// A seat tells that another is at fault.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Accusation {
    /// Who tells it, from 0.
    pub by: usize,
    /// The seat at fault, from 0.
    pub seat: usize,
    /// What it did.
    pub reason: String,
    /// The file that proves it.
    pub evidence: Vec<u8>,
}

/// A run that did not.
#[derive(Debug, Clone)]
pub struct Failure {
    /// What happened.
    pub what: String,
    /// The options and the plan, which reproduce it.
    pub run: String,
    /// What happened last.
    pub events: String,
}

impl std::fmt::Display for Failure {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{}\n{}reproduced by {}", self.what, self.events, self.run)
    }
}
