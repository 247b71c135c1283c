//! The log of a seat, what it holds ahead of it, and what of it is final.
//!
//! A place is *final* once the log holds, above it, a record of every program that was live there,
//! its owner aside. What is final is never given up. The table and the view at each phase that is
//! not final are kept: nothing is ever read again to look back at one.

use std::collections::{BTreeMap, VecDeque};

use crate::{
    game::{Game, SEATS, Seat},
    protocol::{
        crypto::hash::Hash,
        log::record::{Body, Signed, Unchecked},
        table::{Fact, Table},
    },
};

/// The log and the phase that is open at its end.
pub(super) struct Chain {
    pub(super) table: Table,
    /// The game as this seat knows it.
    pub(super) view: Game,
    log: Vec<Vec<u8>>,
    /// Entries of the open phase.
    held: BTreeMap<Seat, Signed>,
    /// Phases by base, and the first record of each in the log.
    phases: BTreeMap<Hash, u32>,
    firsts: Vec<u32>,
    /// The phases that are not final, the oldest first.
    past: VecDeque<Past>,
    /// By seat: the last phase with an own record of it.
    spoke: [u32; SEATS],
    /// When the open phase began.
    pub(super) phase_at: u64,
}

/// A phase that is not final, as it was when it was open.
struct Past {
    table: Table,
    view: Game,
    spoke: [u32; SEATS],
}

/// A phase that has gone into the log.
pub(super) struct Filled {
    pub(super) base: Hash,
    pub(super) records: Vec<Vec<u8>>,
    pub(super) bodies: Vec<Body>,
    pub(super) facts: Vec<Fact>,
}

/// A tail that was cut off the log.
pub(super) struct Tail {
    pub(super) kept: u32,
    pub(super) records: Vec<Vec<u8>>,
    /// The bases the log does not go to any more.
    pub(super) bases: Vec<Hash>,
}

impl Chain {
    /// A log of the roster alone.
    pub(super) fn new(table: Table, roster: &Signed) -> Chain {
        Chain {
            view: Game::new(table.players()),
            log: vec![roster.bytes().to_vec()],
            held: BTreeMap::new(),
            phases: BTreeMap::from([(*table.game_id(), 0)]),
            firsts: vec![0, 1],
            past: VecDeque::new(),
            spoke: [0; SEATS],
            phase_at: 0,
            table,
        }
    }

    pub(super) fn log(&self) -> &[Vec<u8>] {
        &self.log
    }

    pub(super) fn held(&self) -> &BTreeMap<Seat, Signed> {
        &self.held
    }

    /// The seats the table waits for.
    pub(super) fn awaited(&self) -> Vec<Seat> {
        let held = |seat: &Seat| self.held.contains_key(seat);
        self.table.expected().into_iter().filter(|seat| !held(seat)).collect()
    }

    /// Holds an admitted entry of the open phase.
    pub(super) fn hold(&mut self, entry: Signed) {
        if let Some(seat) = entry.seat() {
            self.held.insert(seat, entry);
        }
    }

    /// Lets go what is held at a place, and gives it.
    pub(super) fn let_go(&mut self, seat: Seat) -> Option<Signed> {
        self.held.remove(&seat)
    }

    /// Moves a full phase into the log. What is final now is forgotten but for its records.
    pub(super) fn fill(&mut self, now: u64) -> Option<Filled> {
        if self.held.is_empty() || !self.awaited().is_empty() {
            return None;
        }
        let (table, view, spoke) = (self.table.clone(), self.view, self.spoke);
        let number = table.phase_number();
        let base = *table.base();
        self.phases.insert(base, number);
        self.past.push_back(Past { table, view, spoke });
        let mut filled = Filled { base, records: Vec::new(), bodies: Vec::new(), facts: vec![] };
        for (seat, entry) in std::mem::take(&mut self.held) {
            if !entry.is_verdict() && self.table.program(seat) == seat {
                self.spoke[seat.index()] = number;
            }
            let bytes = entry.bytes().to_vec();
            filled.bodies.push(entry.record().body.clone());
            match self.table.append(entry) {
                Ok(facts) => filled.facts.extend(facts),
                Err(refusal) => debug_assert!(false, "a held entry is refused: {refusal}"),
            }
            self.log.push(bytes.clone());
            filled.records.push(bytes);
        }
        self.firsts.push(self.log.len() as u32);
        self.phase_at = now;
        self.settle();
        Some(filled)
    }

    /// Forgets the phases that are final now.
    fn settle(&mut self) {
        let is_final = |past: &Past| {
            let owners = past.table.owners();
            let aside = if owners.count() == 1 { owners } else { Default::default() };
            let mut others = past.table.live_programs().minus(aside).iter();
            others.all(|program| self.spoke[program.index()] > past.table.phase_number())
        };
        while self.past.front().is_some_and(is_final) {
            self.past.pop_front();
        }
    }

    /// The number of records that are final.
    pub(super) fn length_final(&self) -> u32 {
        let oldest = self.past.front().map_or(&self.table, |past| &past.table);
        self.first_of(oldest.phase_number())
    }

    fn first_of(&self, phase: u32) -> u32 {
        self.firsts.get(phase as usize).copied().unwrap_or(self.log.len() as u32)
    }

    /// Whether the log has come to a base.
    pub(super) fn has(&self, base: &Hash) -> bool {
        base == self.table.base() || self.phases.contains_key(base)
    }

    /// The table at the open base, or at a base of the log that is not final.
    pub(super) fn table_at(&self, base: &Hash) -> Option<&Table> {
        if base == self.table.base() {
            return Some(&self.table);
        }
        self.past_at(base).and_then(|index| self.past.get(index)).map(|past| &past.table)
    }

    fn past_at(&self, base: &Hash) -> Option<usize> {
        let phase = *self.phases.get(base)?;
        let oldest = self.past.front()?.table.phase_number();
        let index = phase.checked_sub(oldest)? as usize;
        (index < self.past.len()).then_some(index)
    }

    /// The bases of the log that are not final.
    pub(super) fn bases_open(&self) -> impl Iterator<Item = &Hash> {
        self.past.iter().map(|past| past.table.base()).chain([self.table.base()])
    }

    /// The entries of the log that stand on a base.
    pub(super) fn logged_at(&self, base: &Hash) -> &[Vec<u8>] {
        let range = self
            .phases
            .get(base)
            .map(|phase| self.first_of(*phase) as usize..self.first_of(phase + 1) as usize);
        range.and_then(|range| self.log.get(range)).unwrap_or_default()
    }

    /// The entry of a seat that the log has on a base.
    pub(super) fn logged_of(&self, base: &Hash, seat: Seat) -> Option<&[u8]> {
        let of_seat = |bytes: &&Vec<u8>| {
            Unchecked::decode(bytes).is_ok_and(|entry| entry.record().seat == seat.index() as u8)
        };
        self.logged_at(base).iter().find(of_seat).map(Vec::as_slice)
    }

    /// The newest record of a seat that is held or in the log; none is a verdict.
    pub(super) fn newest_of(&self, seat: Seat) -> Option<Vec<u8>> {
        let held = self.held.get(&seat).filter(|held| !held.is_verdict());
        let own = |bytes: &&Vec<u8>| {
            Unchecked::decode(bytes)
                .is_ok_and(|entry| !entry.is_verdict() && entry.record().seat == seat.index() as u8)
        };
        let logged = || self.log.iter().rev().find(own).cloned();
        held.map(|held| held.bytes().to_vec()).or_else(logged)
    }

    /// Cuts the log where a phase that is not final began: it is open again, and its entries are
    /// given back.
    pub(super) fn cut(&mut self, base: &Hash, now: u64) -> Option<Tail> {
        let index = self.past_at(base)?;
        let gone = self.past.split_off(index);
        let mut bases: Vec<Hash> = gone.iter().skip(1).map(|past| *past.table.base()).collect();
        bases.push(*self.table.base());
        let Past { table, view, spoke } = gone.into_iter().next()?;
        let kept = self.first_of(table.phase_number());
        let records = self.log.split_off(kept as usize);
        self.firsts.truncate(table.phase_number() as usize + 1);
        self.phases.retain(|other, _| !bases.contains(other) && other != base);
        self.held.clear();
        (self.table, self.view, self.spoke, self.phase_at) = (table, view, spoke, now);
        Some(Tail { kept, records, bases })
    }
}
