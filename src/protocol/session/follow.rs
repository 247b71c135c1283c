//! Catching up past a base where this seat has signed an attempt: what a log of others shows there.

use super::Session;
use crate::{
    game::Seats,
    protocol::{
        log::record::{Signed, Unchecked},
        table::Fact,
    },
};

impl Session {
    /// Follows who was asked and has gone on above something else, where what this seat holds came
    /// from an attempt that is void: who signed it has also said never to.
    pub(super) fn follow(&mut self, records: &[Vec<u8>]) {
        let base = *self.chain.table.base();
        let expected = self.chain.table.expected();
        let Some(bench) = self.benches.get(&base) else { return };
        let (Some(taken), Some(liar)) = (bench.court.taken(), bench.court.is_void()) else {
            return;
        };
        let stands = |bytes: &&Vec<u8>| {
            Unchecked::decode(bytes).is_ok_and(|entry| entry.record().base == base)
        };
        let here: Vec<&Vec<u8>> = records.iter().filter(stands).take(expected.len()).collect();
        let table = &self.chain.table;
        let entries: Option<Vec<Signed>> =
            here.iter().map(|bytes| table.admit(bytes).ok()).collect();
        let Some(entries) = entries.filter(|entries| entries.len() == expected.len()) else {
            return;
        };
        let head = entries.iter().fold(*table.head(), |head, entry| entry.head_on(&head));
        let asked: Seats = table.live_programs().minus(taken.without).without(liar);
        let above = records.iter().filter_map(|bytes| Unchecked::decode(bytes).ok()).any(|next| {
            let by = next.seat().filter(|seat| next.record().base == head && asked.contains(*seat));
            let key = by.and_then(|by| table.key_of(by.index() as u8));
            key.is_some_and(|key| next.signed_by(&key).is_some())
        });
        if bench.court.is_locked() || !above {
            return;
        }
        for entry in entries {
            if let Some(program) = entry.seat().map(|seat| self.chain.table.program(seat)) {
                self.chain.hold(entry);
                if let Some(thing) = super::judge::held_of(&self.chain, program)
                    && let Some(bench) = self.benches.get_mut(&base)
                {
                    bench.court.follow(program, thing);
                }
            }
        }
        self.go_on();
    }

    /// The others went on above what this seat has signed not to take, and above that without it:
    /// it follows their log, and signs nothing until that is final.
    pub(super) fn trail(&mut self, records: &[Vec<u8>]) {
        let base = *self.chain.table.base();
        let me = self.chain.table.program(self.seat);
        let open = self.benches.get(&base).filter(|bench| bench.court.signed(me).next().is_some());
        if open.is_none() || self.may_fill() {
            return;
        }
        let mut table = self.chain.table.clone();
        let mut entries = Vec::new();
        for bytes in records {
            let Ok(entry) = table.admit(bytes) else { return };
            if entry.record().base == base {
                entries.push(entry.clone());
            }
            let Ok(facts) = table.append(entry) else { return };
            let without_me = |fact: &Fact| match fact {
                Fact::Out { seat, .. } => self.chain.table.program(*seat) == me,
                _ => false,
            };
            if table.base() != &base && facts.iter().any(without_me) {
                break;
            }
        }
        if table.live_programs().contains(me) || entries.len() != self.chain.table.expected().len()
        {
            return;
        }
        entries.into_iter().for_each(|entry| self.chain.hold(entry));
        self.fill_at_once(self.now);
        let Some(table) = self.chain.table_at(&base) else { return };
        if let Some(bench) = self.benches.get_mut(&base) {
            bench.lock(table, self.chain.logged_at(&base));
        }
    }

    /// Notes who has gone on above just what this seat holds, where it waits for their word.
    pub(super) fn note_above(&mut self, records: &[Vec<u8>]) {
        let base = *self.chain.table.base();
        let Some(outcome) = self.outcome(&base).filter(|_| !self.may_fill()) else { return };
        let mut table = self.chain.table.clone();
        for held in self.chain.held().values() {
            if table.append(held.clone()).is_err() {
                return;
            }
        }
        let mut above = Seats::NONE;
        for bytes in records {
            let Ok(record) = table.admit(bytes) else { continue };
            let seat = record.seat().filter(|_| !record.is_verdict());
            if table.append(record).is_ok() {
                above = seat
                    .into_iter()
                    .filter(|seat| table.program(*seat) == *seat)
                    .fold(above, Seats::with);
            }
        }
        if let Some(bench) = self.benches.get_mut(&base) {
            above.iter().for_each(|program| bench.court.hear_above(program, outcome));
        }
    }
}
