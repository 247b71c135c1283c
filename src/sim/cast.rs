//! Who plays in a simulated world: keys, secrets and a roster that follow from a seed.

use crate::protocol::{
    crypto::{
        hash::{Hash, Secret, hash},
        identity::Identity,
    },
    lobby::{DealKind, Join, LOG_VERSION, Roster, Terms},
    session::Start,
};

/// The players of a simulated table.
#[derive(Debug, Clone, Copy)]
pub struct Cast {
    /// Seats, 2 to 5.
    pub seats: u8,
    /// How the cards are dealt.
    pub deal: DealKind,
    /// What every key and secret follows from.
    pub seed: u64,
    /// How many of the last seats are bots that seat 1 keeps.
    pub bots: u8,
}

impl Cast {
    /// A table without bots.
    pub const fn new(seats: u8, deal: DealKind, seed: u64) -> Cast {
        Cast { seats, deal, seed, bots: 0 }
    }

    /// The seat (from 0) whose program plays a seat: its own, or seat 1's for a bot.
    pub fn program(&self, seat: usize) -> usize {
        if seat + usize::from(self.bots) >= usize::from(self.seats) { 0 } else { seat }
    }

    /// Whether two seats speak with each other at all: a bot speaks with its keeper only.
    pub fn linked(&self, a: usize, b: usize) -> bool {
        let kept = |seat: usize| self.program(seat) != seat;
        a != b && (!kept(a) || b == 0) && (!kept(b) || a == 0)
    }

    /// The key of a seat (from 0).
    pub fn identity(&self, seat: u8) -> Identity {
        Identity::from_secret(&self.derive("sim identity", seat))
    }

    /// The game's secret of a seat.
    pub fn secret(&self, seat: u8) -> Hash {
        self.derive("sim secret", seat)
    }

    /// The log's first record.
    pub fn first_record(&self) -> Vec<u8> {
        self.roster().sign(&self.identity(0))
    }

    /// What the session of a seat that sits down for the first time starts from.
    pub fn start(&self, seat: u8) -> Start {
        Start {
            identity: self.identity(seat),
            secret: Secret::new(self.secret(seat)),
            entropy: Secret::new(self.derive("sim entropy", seat)),
            log: vec![self.first_record()],
            journal: Vec::new(),
            boot: u64::from(seat),
            again: false,
        }
    }

    fn roster(&self) -> Roster {
        let names = ["Ana", "Ben", "Cy", "Dora", "Eli"];
        let joins = (0..self.seats).zip(names).filter_map(|(seat, name)| {
            Some(Join {
                key: self.identity(seat).public(),
                name: name.parse().ok()?,
                nonce: self.derive("sim nonce", seat),
                kept_by: (self.program(seat.into()) != usize::from(seat)).then_some(0),
            })
        });
        Roster {
            terms: Terms {
                id: self.derive("sim table", 0),
                version: LOG_VERSION,
                deal: self.deal,
                clock_s: 0,
                patience_s: 60,
            },
            number: 1,
            joins: joins.collect(),
        }
    }

    fn derive(&self, dom: &str, seat: u8) -> Hash {
        hash(dom, &[&self.seed.to_le_bytes(), &[seat]])
    }
}
