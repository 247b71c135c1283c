//! What becomes of a record or a verdict that comes in: taken, kept for later, or held against what
//! the log has.

use super::{Link, News, Output, Session};
use crate::{
    game::Seat,
    planted::{Bug, planted},
    protocol::{
        limits::{LOG_RECORDS_MAX, VOTES_A_LINK},
        log::record::{Body, Signed, Unchecked},
        message::Talk,
        table::Refusal,
        vote::SignedVote,
    },
};

impl Session {
    /// Takes a record if it belongs to the open phase; `fresh` ones are forwarded.
    pub(super) fn take(&mut self, link: Link, bytes: &[u8], fresh: bool) -> Taken {
        if self.chain.table.length() >= LOG_RECORDS_MAX {
            return Taken::Refused;
        }
        if self.knows(bytes) || fresh && self.is_late(bytes) {
            return Taken::Known;
        }
        if fresh && let Some(seat) = self.seat_at_fault(bytes) {
            if self.may_look(link, seat) {
                self.keep_either(bytes);
            }
            return Taken::Refused;
        }
        match self.chain.table.admit(bytes) {
            Ok(entry) if entry.is_verdict() => self.take_verdict(&entry),
            Ok(record) => self.take_admitted(record, link, fresh),
            Err(Refusal::Elsewhere(record)) => self.compare_with_log(link, *record, fresh),
            Err(Refusal::Wrong { record, .. }) => {
                self.receive_fault(vec![record.bytes().to_vec()], Some(link));
                Taken::Refused
            }
            Err(Refusal::AfterEnd) => Taken::Known,
            Err(_) => {
                self.outputs.push_back(Output::Tell(News::BadNeighbour(link)));
                Taken::Refused
            }
        }
    }

    /// Whether these very bytes are in the log or held: most that come are, and a look is cheaper
    /// than a signature check.
    fn knows(&self, bytes: &[u8]) -> bool {
        let Ok(unchecked) = Unchecked::decode(bytes) else {
            return false;
        };
        let record = unchecked.record();
        let held = unchecked.seat().and_then(|seat| self.chain.held().get(&seat));
        held.is_some_and(|held| held.bytes() == bytes)
            || self.chain.logged_at(&record.base).iter().any(|logged| logged == bytes)
    }

    /// Whether it has come before and was not taken.
    fn is_late(&self, bytes: &[u8]) -> bool {
        let bench = self.benches.get(self.chain.table.base());
        bench.is_some_and(|bench| bench.late.iter().any(|late| late.bytes() == bytes))
    }

    /// Its seat, if it is of a program that was caught: it is kept for when others are seen to hold
    /// it, and proves nothing more.
    fn seat_at_fault(&self, bytes: &[u8]) -> Option<Seat> {
        let table = &self.chain.table;
        let seat = Unchecked::decode(bytes).ok()?.seat()?;
        self.faults.has_program(table, table.program(seat)).then_some(seat)
    }

    /// Whether a record of a seat at fault, which may be dear to check, is looked at: a few that a
    /// neighbour sends are. It may send fewer votes in the name of that seat then.
    fn may_look(&mut self, link: Link, seat: Seat) -> bool {
        self.may_hear(link, seat.index() as u8, VOTES_A_LINK / 4)
    }

    /// A record of a seat at fault is not taken on sight, but others may hold it, or of two either:
    /// where another one is known for its place, that is noted.
    pub(super) fn keep_either(&mut self, bytes: &[u8]) {
        let record = match self.chain.table.admit(bytes) {
            Ok(record) => record,
            Err(Refusal::Elsewhere(record)) => *record,
            Err(_) => return,
        };
        let Some(seat) = record.seat().filter(|_| !record.is_verdict()) else { return };
        let base = record.record().base;
        let known = match base == *self.chain.table.base() {
            true => self.chain.held().get(&seat).map(|held| held.bytes().to_vec()),
            false => self.chain.logged_of(&base, seat).map(<[u8]>::to_vec),
        };
        let Some(table) = self.chain.table_at(&base) else { return };
        let (program, owners) = (table.program(seat), table.owners());
        let bench = Session::bench(&mut self.benches, &self.chain, self.seat, &base);
        let Some(bench) = bench.filter(|_| owners.contains(program)) else { return };
        let is_other = |known: &[u8]| {
            known != bytes && Unchecked::decode(known).is_ok_and(|known| !known.is_verdict())
        };
        let mut late = bench.late.iter().filter(|late| late.seat() == Some(seat));
        if known.is_some_and(|known| is_other(&known)) || late.any(|late| is_other(late.bytes())) {
            bench.court.note_double(program);
        }
        if base == *self.chain.table.base() {
            bench.keep_late(record);
        }
    }

    /// A verdict at the open base: its votes are heard like any.
    fn take_verdict(&mut self, entry: &Signed) -> Taken {
        let length = self.chain.table.length();
        self.hear_verdict(entry);
        let held = entry.seat().and_then(|seat| self.chain.held().get(&seat));
        let taken = held.is_some_and(|held| held.bytes() == entry.bytes());
        if taken || self.chain.table.length() > length { Taken::New } else { Taken::Contested }
    }

    fn take_admitted(&mut self, record: Signed, link: Link, fresh: bool) -> Taken {
        let Some(seat) = record.seat() else { return Taken::Refused };
        if let Some(held) = self.chain.held().get(&seat).cloned() {
            if held.is_verdict() {
                return Taken::Contested;
            }
            self.accuse_twice(held.bytes(), &record);
            return Taken::Contested;
        }
        let late = self
            .benches
            .get(&record.record().base)
            .and_then(|bench| bench.late.iter().find(|late| late.seat() == Some(seat)).cloned());
        if let Some(late) = late {
            self.accuse_twice(late.bytes(), &record);
        }
        if seat == self.seat && !self.adopt_own(&record) {
            return Taken::Refused;
        }
        if !self.take_here(record, fresh.then_some(link), fresh) {
            return Taken::Contested;
        }
        self.go_on();
        Taken::New
    }

    /// Takes an admitted record at its open place: it is held, unless this seat has signed an
    /// attempt that excludes it. Who is caught up with does not tell it on: its neighbours ask for
    /// themselves. True if it is held.
    pub(super) fn take_here(&mut self, record: Signed, from: Option<Link>, tells: bool) -> bool {
        let Some(seat) = record.seat() else { return false };
        let table = &self.chain.table;
        let program = table.program(seat);
        self.asked = self.asked.without(program);
        let bytes = record.bytes().to_vec();
        if let Some(bench) = self.benches.get_mut(table.base()) {
            let against = bench.court.held(program).is_some()
                || bench
                    .court
                    .signed(table.program(self.seat))
                    .any(|own| own.without.contains(program))
                || bench.court.said_of(program).is_some();
            if against && seat != self.seat {
                bench.keep_late(record);
                self.say_to_all(&Talk::Fresh(bytes), from);
                return false;
            }
        }
        if tells {
            self.say_to_all(&Talk::Fresh(bytes), from);
        }
        if let Some(bench) = self.benches.get_mut(self.chain.table.base()) {
            bench.late.retain(|late| late.bytes() != record.bytes());
        }
        self.chain.hold(record);
        if let Some(thing) = super::judge::held_of(&self.chain, program)
            && let Some(bench) = self.benches.get_mut(self.chain.table.base())
        {
            bench.court.take(program, thing);
        }
        true
    }

    /// Something signed that does not stand on the open base: another entry for a place the log
    /// has, or one that is ahead of the log.
    fn compare_with_log(&mut self, link: Link, entry: Signed, fresh: bool) -> Taken {
        let base = entry.record().base;
        if !self.chain.has(&base) {
            return Taken::Ahead;
        }
        let Some(seat) = entry.seat() else { return Taken::Refused };
        let Some(logged) = self.chain.logged_of(&base, seat).map(<[u8]>::to_vec) else {
            return Taken::Refused;
        };
        if logged == entry.bytes() {
            return Taken::Known;
        }
        if !fresh {
            // The neighbour's log has the other one: now it has both, too.
            self.outputs.push_back(Output::Send(link, Talk::Fresh(logged.clone())));
        }
        if entry.is_verdict() {
            self.hear_verdict(&entry);
        } else if Unchecked::decode(&logged).is_ok_and(|logged| !logged.is_verdict()) {
            self.accuse_twice(&logged, &entry);
        }
        if self.chain.table.base() == &base { Taken::New } else { Taken::Contested }
    }

    /// Hears the votes of a verdict, and takes it where they are enough. Where the log has
    /// something else, that is only while the place is not final and the verdict did not ask this
    /// seat's program.
    fn hear_verdict(&mut self, entry: &Signed) {
        let Body::Verdict(verdict) = &entry.record().body else { return };
        let base = &entry.record().base;
        let Some(table) = self.chain.table_at(base) else { return };
        let votes = verdict.signed(base);
        let votes: Vec<_> = votes.iter().filter_map(|vote| table.open_vote(vote)).collect();
        votes.into_iter().for_each(|vote| self.hear_logged(vote));
        self.go_on();
    }

    /// A vote that a log holds.
    pub(super) fn hear_logged(&mut self, vote: SignedVote) {
        if usize::from(vote.paper().program) == self.seat.index() {
            self.adopt_vote(vote);
        } else {
            self.hear(vote, None);
        }
    }

    fn accuse_twice(&mut self, known: &[u8], record: &Signed) {
        if planted(Bug::NoProof) || known == record.bytes() {
            return;
        }
        let mut proof = vec![known.to_vec(), record.bytes().to_vec()];
        proof.sort();
        self.receive_fault(proof.clone(), None);
        if let Some(seat) = record.seat() {
            self.note_double(seat, &proof);
        }
    }
}

/// What became of a record.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Taken {
    New,
    Known,
    Ahead,
    /// Its place is not decided, or decided otherwise.
    Contested,
    Refused,
}
