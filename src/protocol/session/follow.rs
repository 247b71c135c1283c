//! Catching up past a base where this seat has signed an attempt: what a log of others shows there.

use super::{Session, bench::thing};
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

    /// Notes who has gone on above what a neighbour's log has at the open base, where this seat
    /// waits for their word or holds another record than they do.
    pub(super) fn note_above(&mut self, records: &[Vec<u8>]) {
        let base = *self.chain.table.base();
        let waits = self.outcome(&base).is_some() && !self.may_fill();
        let Some(bench) = self.benches.get(&base) else { return };
        let doubles = bench.court.doubles();
        if !waits && (bench.court.is_live() || doubles.is_empty()) {
            return;
        }
        let mut table = self.chain.table.clone();
        let (mut entries, mut above) = (Vec::new(), Seats::NONE);
        for bytes in records {
            let Ok(record) = table.admit(bytes) else { continue };
            let here = table.base() == &base;
            let by = record.seat().filter(|seat| !here && table.program(*seat) == *seat);
            let by = by.filter(|_| !record.is_verdict());
            if table.append(record.clone()).is_ok() {
                entries.extend(here.then_some(record));
                above = by.into_iter().fold(above, Seats::with);
            }
        }
        let bytes: Vec<&[u8]> = entries.iter().map(Signed::bytes).collect();
        let outcome = self.chain.table.name_of_outcome(&bytes);
        let Some(bench) = self.benches.get_mut(&base) else { return };
        for program in above.iter() {
            bench.court.hear_above(program, outcome);
            for owner in doubles.iter() {
                let of = |entry: &&Signed| {
                    let seat = entry.seat().filter(|_| !entry.is_verdict());
                    seat.is_some_and(|seat| self.chain.table.program(seat) == owner)
                };
                let owed: Vec<&[u8]> = entries.iter().filter(of).map(Signed::bytes).collect();
                if !owed.is_empty() {
                    bench.court.hear_gone_on(program, owner, thing(&owed));
                }
            }
        }
    }
}
