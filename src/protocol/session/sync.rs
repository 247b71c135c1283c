//! Neighbours: what comes from them, and how one behind the other catches up.

use std::collections::BTreeMap;

use super::{Link, News, Output, Session, quota::Quota};
use crate::{
    game::{Seat, Seats},
    planted::{Bug, planted},
    protocol::{
        crypto::hash::Hash,
        limits::{BATCH_BYTES_MAX, GET_MS, LINKS_MAX, LOG_RECORDS_MAX, SERVED_BYTES_MAX},
        log::record::{Body, Signed, Unchecked},
        message::{Status, Talk},
        table::Refusal,
    },
};

/// The neighbours, and what is known of each.
#[derive(Debug, Default)]
pub(super) struct Links {
    links: BTreeMap<Link, Neighbour>,
    /// The head each has told last, also of those that are gone.
    heads: BTreeMap<Link, Hash>,
}

impl Links {
    pub(super) fn has(&self, link: Link) -> bool {
        self.links.contains_key(&link)
    }

    pub(super) fn all(&self) -> Vec<Link> {
        self.links.keys().copied().collect()
    }

    /// Whether so many bytes may be sent to a neighbour in this second.
    pub(super) fn may_serve(&mut self, link: Link, bytes: usize, now: u64) -> bool {
        let next = self.links.get_mut(&link);
        next.is_some_and(|next| next.served.take(now / 1_000, bytes, SERVED_BYTES_MAX))
    }

    fn note_head(&mut self, link: Link, head: Hash) {
        if self.has(link) {
            self.heads.insert(link, head);
            if self.heads.len() > 2 * LINKS_MAX {
                let links = &self.links;
                self.heads.retain(|link, _| links.contains_key(link));
            }
        }
    }

    fn may_ask(&mut self, link: Link) {
        if let Some(neighbour) = self.links.get_mut(&link) {
            neighbour.asked_until = 0;
        }
    }
}

/// What is known of a neighbour.
#[derive(Debug, Clone, Default)]
pub(super) struct Neighbour {
    asked_until: u64,
    /// Whether records were asked for that have not come.
    asked: bool,
    /// How many records before the own log's end are asked for: more than none where the logs
    /// differ and the place is sought.
    back: u32,
    /// The head it was told last.
    told: Hash,
    /// The bytes of records sent in this second.
    pub(super) served: Quota,
}

impl Session {
    /// A neighbour can be reached.
    pub fn link_up(&mut self, link: Link) {
        if self.links.links.len() < LINKS_MAX {
            self.links.links.insert(link, Neighbour::default());
            self.send_status(link);
            self.restart_link_up(link);
        }
    }

    /// A neighbour is gone.
    pub fn link_down(&mut self, link: Link) {
        self.links.links.remove(&link);
    }

    /// Whether that neighbour has said that it has all of this log, even if it is gone since.
    pub fn has_met(&self, link: Link) -> bool {
        self.links.heads.get(&link) == Some(self.chain.table.head())
    }

    /// A neighbour said something about this game.
    pub fn receive(&mut self, link: Link, talk: Talk, now: u64) {
        self.now = now;
        match talk {
            Talk::Status(status) => self.receive_status(link, status, now),
            Talk::Get(from) => self.answer_get(link, from, now),
            Talk::Records { from, length, records } => {
                self.receive_records(link, (from, length), &records, now);
            }
            Talk::Fresh(record) => {
                if self.take(link, &record, true) == Taken::Ahead {
                    self.ask(link, now);
                }
            }
            Talk::Note(note) => self.receive_note(link, note, now),
            Talk::Vote(vote) => self.receive_vote(link, &vote, now),
            Talk::Fault(proof) => {
                let bytes = proof.iter().map(Vec::len).sum();
                if proof.len() <= 2 && self.links.may_serve(link, bytes, now) {
                    self.receive_fault(proof, Some(link));
                }
            }
        }
        self.progress(now);
    }

    pub(super) fn send_status(&mut self, link: Link) {
        if let Some(neighbour) = self.links.links.get_mut(&link) {
            neighbour.told = *self.chain.table.head();
        }
        let status = Talk::Status(self.status());
        self.outputs.push_back(Output::Send(link, status));
    }

    fn receive_status(&mut self, link: Link, status: Status, now: u64) {
        let own = self.status();
        if status.length > own.length {
            self.ask(link, now);
        } else if status.length < own.length {
            // Once a head: statuses that cross would otherwise answer each other without end.
            if self.links.links.get(&link).is_some_and(|neighbour| neighbour.told != own.head) {
                self.send_status(link);
            }
        } else if status.head != own.head {
            self.search_fork(link, now);
        } else {
            let missing = |seat: &Seat| status.held >> seat.index() & 1 == 0;
            let fresh =
                self.chain.held().iter().filter(|(seat, held)| missing(seat) && !held.is_verdict());
            let late = self.benches.get(&own.head).map(|bench| bench.late.as_slice());
            let late = late.unwrap_or_default().iter();
            let late = late.filter(|late| late.seat().is_some_and(|seat| missing(&seat)));
            let fresh = fresh.map(|(_, held)| held).chain(late);
            let fresh: Vec<Vec<u8>> = fresh.map(|record| record.bytes().to_vec()).collect();
            let Some(neighbour) = self.links.links.get_mut(&link) else { return };
            neighbour.back = 0;
            for record in fresh {
                if !self.links.may_serve(link, record.len(), now) {
                    break;
                }
                self.outputs.push_back(Output::Send(link, Talk::Fresh(record)));
            }
        }
        let same = status.head == own.head && status.votes == own.votes;
        if !same {
            self.send_votes(link, &status.head, now);
        }
        if status.head != own.head && status.length >= own.length {
            self.send_votes(link, &own.head, now);
        }
        self.links.note_head(link, status.head);
    }

    /// Tells a neighbour the votes at its head, if that is not final here.
    fn send_votes(&mut self, link: Link, head: &Hash, now: u64) {
        let Some(bench) = self.benches.get(head) else { return };
        let votes: Vec<Vec<u8>> = bench.votes().map(|vote| vote.bytes().to_vec()).collect();
        for vote in votes {
            if !self.links.may_serve(link, vote.len(), now) {
                return;
            }
            self.outputs.push_back(Output::Send(link, Talk::Vote(vote)));
        }
    }

    /// Asks for the records after the own log, unless an answer is still awaited.
    pub(super) fn ask(&mut self, link: Link, now: u64) {
        let back = self.links.links.get(&link).map_or(0, |neighbour| neighbour.back);
        self.ask_from(link, self.chain.table.length().saturating_sub(back), now);
    }

    fn ask_from(&mut self, link: Link, from: u32, now: u64) {
        if let Some(neighbour) = self.links.links.get_mut(&link)
            && neighbour.asked_until <= now
            && !planted(Bug::NeverAsks)
        {
            neighbour.asked_until = now + GET_MS;
            neighbour.asked = true;
            self.outputs.push_back(Output::Send(link, Talk::Get(from)));
        }
    }

    /// A neighbour's log has another record where this one has one: asks for records further and
    /// further back, until the two for one place meet. They are the proof against their seat.
    fn search_fork(&mut self, link: Link, now: u64) {
        let length = self.chain.table.length();
        let Some(neighbour) = self.links.links.get_mut(&link) else { return };
        if neighbour.back >= length || neighbour.asked_until > now {
            return;
        }
        if neighbour.back == 0 {
            self.outputs.push_back(Output::Tell(News::Forked(link)));
        }
        neighbour.back = (neighbour.back * 2).clamp(1, length);
        self.ask(link, now);
    }

    /// Sends records to a neighbour that asks, at most a fixed number of bytes a second.
    fn answer_get(&mut self, link: Link, from: u32, now: u64) {
        let Some(neighbour) = self.links.links.get_mut(&link) else { return };
        if !neighbour.served.take(now / 1_000, 0, SERVED_BYTES_MAX) {
            return;
        }
        let mut bytes = 0;
        let rest = self.chain.log().iter().skip(from as usize);
        let records = rest.take_while(|record| {
            bytes += record.len() + 8;
            bytes <= BATCH_BYTES_MAX
        });
        let records: Vec<Vec<u8>> = records.cloned().collect();
        neighbour.served.take(now / 1_000, bytes, SERVED_BYTES_MAX);
        let talk = Talk::Records { from, length: self.chain.table.length(), records };
        self.outputs.push_back(Output::Send(link, talk));
    }

    fn receive_records(
        &mut self,
        link: Link,
        (from, length): (u32, u32),
        records: &[Vec<u8>],
        now: u64,
    ) {
        // What was not asked for is not read, and who answers with rubbish is asked again later.
        let Some(neighbour) = self.links.links.get_mut(&link).filter(|next| next.asked) else {
            return;
        };
        neighbour.asked = false;
        let before = *self.chain.table.head();
        let mut known = true;
        self.follow(records);
        for (index, record) in records.iter().enumerate() {
            match self.take(link, record, false) {
                Taken::Refused => return,
                Taken::Ahead if index == 0 => {
                    self.links.may_ask(link);
                    return self.search_fork(link, now);
                }
                Taken::Ahead | Taken::Contested => known = false,
                Taken::New | Taken::Known => {}
            }
        }
        // An answer that brings nothing new is waited for again before the next is asked for: two
        // logs that differ would otherwise ask each other without end.
        let next = from.saturating_add(records.len() as u32);
        let moved = *self.chain.table.head() != before;
        let more = known && next < length && !records.is_empty();
        if moved || more {
            self.links.may_ask(link);
        }
        if more {
            self.ask_from(link, next.min(self.chain.table.length()), now);
        }
        if moved {
            if let Some(neighbour) = self.links.links.get_mut(&link) {
                neighbour.back = 0;
            }
            for link in self.links.all() {
                self.send_status(link);
            }
        }
    }

    /// Takes a record if it belongs to the open phase; `fresh` ones are forwarded.
    fn take(&mut self, link: Link, bytes: &[u8], fresh: bool) -> Taken {
        if self.chain.table.length() >= LOG_RECORDS_MAX {
            return Taken::Refused;
        }
        if self.knows(bytes) {
            return Taken::Known;
        }
        if fresh && self.names_faulty(bytes) {
            self.keep_either(bytes);
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
        let held = Seat::new(record.seat).and_then(|seat| self.chain.held().get(&seat));
        held.is_some_and(|held| held.bytes() == bytes)
            || self.chain.logged_at(&record.base).iter().any(|logged| logged == bytes)
            || self
                .benches
                .get(&record.base)
                .is_some_and(|bench| bench.late.iter().any(|late| late.bytes() == bytes))
    }

    /// Whether it is of a program that was caught: nothing new is taken from it, and a wrong proof
    /// is not checked again and again.
    fn names_faulty(&self, bytes: &[u8]) -> bool {
        let seat = Unchecked::decode(bytes).ok().and_then(|named| Seat::new(named.record().seat));
        let table = &self.chain.table;
        seat.is_some_and(|seat| self.faults.has_program(table, table.program(seat)))
    }

    /// Of a seat that has signed two records here both may be needed: others may hold either.
    pub(super) fn keep_either(&mut self, bytes: &[u8]) {
        let table = &self.chain.table;
        let Ok(record) = table.admit(bytes) else { return };
        let program = record.seat().map(|seat| table.program(seat));
        if let Some(bench) = self.benches.get_mut(table.base())
            && program.is_some_and(|program| bench.court.doubles().contains(program))
        {
            bench.keep_late(record);
        }
    }

    /// A verdict at the open base: its votes are heard like any.
    fn take_verdict(&mut self, entry: &Signed) -> Taken {
        let Body::Verdict(verdict) = &entry.record().body else { return Taken::Refused };
        let base = entry.record().base;
        for vote in verdict.signed(&base) {
            if let Some(vote) = self.chain.table.open_vote(&vote) {
                self.hear_logged(vote);
            }
        }
        let length = self.chain.table.length();
        self.go_on();
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
            self.hear_verdict_at(&base, &entry);
        } else if Unchecked::decode(&logged).is_ok_and(|logged| !logged.is_verdict()) {
            self.accuse_twice(&logged, &entry);
        }
        if self.chain.table.base() == &base { Taken::New } else { Taken::Contested }
    }

    /// A verdict at a place where the log has something else: where the place is not final, and the
    /// verdict did not ask this seat's program, it is taken.
    fn hear_verdict_at(&mut self, base: &Hash, entry: &Signed) {
        let Body::Verdict(verdict) = &entry.record().body else { return };
        let Some(table) = self.chain.table_at(base) else { return };
        let votes = verdict.signed(base);
        let votes: Vec<_> = votes.iter().filter_map(|vote| table.open_vote(vote)).collect();
        votes.into_iter().for_each(|vote| self.hear_logged(vote));
        self.go_on();
    }

    /// A vote that a log holds.
    fn hear_logged(&mut self, vote: crate::protocol::vote::SignedVote) {
        if usize::from(vote.paper().program) == self.seat.index() {
            self.adopt_vote(vote);
        } else {
            self.hear(vote, None);
        }
    }

    /// Follows who was asked and has gone on above something else, where what this seat holds came
    /// from an attempt that is void: who signed it has also said never to.
    fn follow(&mut self, records: &[Vec<u8>]) {
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
            let seat = Seat::new(next.record().seat);
            let by = seat.filter(|seat| next.record().base == head && asked.contains(*seat));
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

    fn accuse_twice(&mut self, known: &[u8], record: &Signed) {
        if planted(Bug::NoProof) || known == record.bytes() {
            return;
        }
        let (base, seat) = (record.record().base, record.seat());
        let mut proof = vec![known.to_vec(), record.bytes().to_vec()];
        proof.sort();
        self.receive_fault(proof, None);
        // Which of the two is held where matters while the place is not final.
        let Some(seat) = seat else { return };
        let Some(bench) = Session::bench(&mut self.benches, &self.chain, self.seat, &base) else {
            return;
        };
        let program = self.chain.table.program(seat);
        bench.court.note_double(program);
        if base == *self.chain.table.base() {
            bench.keep_late(record.clone());
        }
    }
}

/// What became of a record.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Taken {
    New,
    Known,
    Ahead,
    /// Its place is not decided, or decided otherwise.
    Contested,
    Refused,
}
