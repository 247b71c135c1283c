//! Neighbours: what comes from them, and how one behind the other catches up.

use super::{Link, News, Output, Session, quota::Quota};
use crate::{
    game::Seat,
    planted::{Bug, planted},
    protocol::{
        contest::Reason,
        crypto::hash::Hash,
        limits::{BATCH_BYTES_MAX, GET_MS, LINKS_MAX, LOG_RECORDS_MAX, SERVED_BYTES_MAX},
        log::{
            evidence::{self, TWO_RECORDS},
            record::{Signed, Unchecked},
        },
        message::{Status, Talk},
        table::Refusal,
        vote::Settled,
    },
};

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
        if self.links.len() < LINKS_MAX {
            self.links.insert(link, Neighbour::default());
            self.send_status(link);
            self.restart_link_up(link);
        }
    }

    /// A neighbour is gone.
    pub fn link_down(&mut self, link: Link) {
        self.links.remove(&link);
    }

    /// Whether that neighbour has said that it has all of this log, even if it is gone since.
    pub fn has_met(&self, link: Link) -> bool {
        self.heads.get(&link) == Some(self.table.head())
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
                if self.take(link, &record, true, now) == Taken::Ahead {
                    self.ask(link, now);
                }
            }
            Talk::Note(note) => self.receive_note(link, note, now),
            Talk::Vote(vote) => self.receive_vote(link, &vote, now),
            Talk::Settled(settled) => self.receive_settled(link, settled, now),
        }
        self.progress(now);
    }

    pub(super) fn send_status(&mut self, link: Link) {
        if let Some(neighbour) = self.links.get_mut(&link) {
            neighbour.told = *self.table.head();
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
            if self.links.get(&link).is_some_and(|neighbour| neighbour.told != own.head) {
                self.send_status(link);
            }
        } else if status.head != own.head {
            self.search_fork(link, now);
        } else {
            let missing = |seat: &Seat| status.held >> seat.index() & 1 == 0;
            let fresh = self.held.iter().filter(|(seat, _)| missing(seat));
            let Some(neighbour) = self.links.get_mut(&link) else { return };
            neighbour.back = 0;
            for (_, record) in fresh {
                let cost = record.bytes().len();
                if !neighbour.served.take(now / 1_000, cost, SERVED_BYTES_MAX) {
                    break;
                }
                let talk = Talk::Fresh(record.bytes().to_vec());
                self.outputs.push_back(Output::Send(link, talk));
            }
        }
        if status.votes != own.votes {
            self.send_votes(link);
        }
        if self.links.contains_key(&link) {
            self.heads.insert(link, status.head);
            if self.heads.len() > 2 * LINKS_MAX {
                self.heads.retain(|link, _| self.links.contains_key(link));
            }
        }
    }

    /// Asks for the records after the own log, unless an answer is still awaited.
    pub(super) fn ask(&mut self, link: Link, now: u64) {
        let back = self.links.get(&link).map_or(0, |neighbour| neighbour.back);
        self.ask_from(link, self.table.length().saturating_sub(back), now);
    }

    fn ask_from(&mut self, link: Link, from: u32, now: u64) {
        if let Some(neighbour) = self.links.get_mut(&link)
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
        let length = self.table.length();
        let Some(neighbour) = self.links.get_mut(&link) else { return };
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
        let Some(neighbour) = self.links.get_mut(&link) else { return };
        if !neighbour.served.take(now / 1_000, 0, SERVED_BYTES_MAX) {
            return;
        }
        let mut bytes = 0;
        let rest = self.log.iter().skip(from as usize);
        let records = rest.take_while(|record| {
            bytes += record.len() + 8;
            bytes <= BATCH_BYTES_MAX
        });
        let records: Vec<Vec<u8>> = records.cloned().collect();
        neighbour.served.take(now / 1_000, bytes, SERVED_BYTES_MAX);
        let talk = Talk::Records { from, length: self.table.length(), records };
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
        let Some(neighbour) = self.links.get_mut(&link).filter(|next| next.asked) else { return };
        neighbour.asked = false;
        let before = *self.table.head();
        let mut known = true;
        for (index, record) in records.iter().enumerate() {
            match self.take(link, record, false, now) {
                Taken::Refused => return,
                Taken::Ahead if index == 0 => {
                    self.may_ask(link);
                    return self.search_fork(link, now);
                }
                Taken::Ahead | Taken::Contested => known = false,
                Taken::New | Taken::Known => {}
            }
        }
        // An answer that brings nothing new is waited for again before the next is asked for: two
        // logs that differ would otherwise ask each other without end.
        let next = from.saturating_add(records.len() as u32);
        let moved = *self.table.head() != before;
        let more = known && next < length && !records.is_empty();
        if moved || more {
            self.may_ask(link);
        }
        if more {
            self.ask_from(link, next.min(self.table.length()), now);
        }
        if moved {
            if let Some(neighbour) = self.links.get_mut(&link) {
                neighbour.back = 0;
            }
            let links: Vec<Link> = self.links.keys().copied().collect();
            for link in links {
                self.send_status(link);
            }
        }
    }

    fn may_ask(&mut self, link: Link) {
        if let Some(neighbour) = self.links.get_mut(&link) {
            neighbour.asked_until = 0;
        }
    }

    /// Takes a record if it belongs to the open phase; `fresh` ones are forwarded.
    fn take(&mut self, link: Link, bytes: &[u8], fresh: bool, now: u64) -> Taken {
        if self.table.length() >= LOG_RECORDS_MAX {
            return Taken::Refused;
        }
        if self.knows(bytes) {
            return Taken::Known;
        }
        if fresh && self.names_faulty(bytes) {
            return Taken::Refused;
        }
        match self.table.admit(bytes) {
            Ok(record) => self.take_admitted(record, link, fresh, now),
            Err(Refusal::Elsewhere(record)) => self.compare_with_log(link, *record, fresh, now),
            Err(Refusal::Wrong { record, reason }) => {
                let evidence = evidence::encode(&self.log, &[record.bytes()]);
                self.accuse(&record, vec![record.bytes().to_vec()], reason, evidence);
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
        let held = Seat::new(record.seat).and_then(|seat| self.held.get(&seat));
        held.is_some_and(|held| held.bytes() == bytes)
            || self.logged_at(&record.base).any(|logged| logged == bytes)
    }

    /// Whether it is of a seat that was caught: nothing new is taken from it, and a wrong proof is
    /// not checked again and again.
    fn names_faulty(&self, bytes: &[u8]) -> bool {
        let seat = Unchecked::decode(bytes).ok().and_then(|named| Seat::new(named.record().seat));
        seat.is_some_and(|seat| self.faulty.contains_key(&seat))
    }

    /// The log's records that stand on `base`.
    pub(super) fn logged_at(&self, base: &Hash) -> impl Iterator<Item = &[u8]> {
        let indices = self.places.get(base).map_or(&[][..], Vec::as_slice);
        indices.iter().filter_map(|index| self.log.get(*index as usize).map(Vec::as_slice))
    }

    fn take_admitted(&mut self, record: Signed, link: Link, fresh: bool, now: u64) -> Taken {
        let Some(seat) = record.seat() else {
            return Taken::Refused;
        };
        if let Some(held) = self.held.get(&seat).map(|held| held.bytes().to_vec()) {
            return self.compare(link, &held, &record, now);
        }
        if let Some(other) = self.other_record(&record) {
            self.accuse_twice(&other, &record);
        }
        // Who has no vote there follows the log of those that have.
        let refused = fresh || self.table.voters(seat).contains(self.seat);
        if refused && self.faulty.contains_key(&seat) && !record.is_verdict() {
            if let Some(dispute) = self.dispute(*record_base(&record), seat) {
                dispute.see(record.bytes());
            }
            return if fresh { Taken::Refused } else { Taken::Contested };
        }
        if seat == self.seat && !record.is_verdict() && !self.adopt_own(&record) {
            return Taken::Refused;
        }
        let from = fresh.then_some(link);
        if !fresh {
            // Who is caught up with does not tell it on: its neighbours ask for themselves.
            return self.take_quietly(seat, record, now);
        }
        if self.take_here(seat, record, from, now) { Taken::New } else { Taken::Contested }
    }

    fn take_quietly(&mut self, seat: Seat, record: Signed, now: u64) -> Taken {
        let links = std::mem::take(&mut self.links);
        let taken = self.take_here(seat, record, None, now);
        self.links = links;
        if taken { Taken::New } else { Taken::Contested }
    }

    /// An unknown record on a head that is not open: another entry for a place the log has, or one
    /// that is ahead of the log.
    fn compare_with_log(&mut self, link: Link, record: Signed, fresh: bool, now: u64) -> Taken {
        let base = record.record().base;
        if !self.places.contains_key(&base) {
            return Taken::Ahead;
        }
        let logged = record.seat().and_then(|seat| self.logged_of(&base, seat));
        let Some(logged) = logged else { return Taken::Refused };
        if !fresh {
            // The neighbour's log has the other one: now it has both, too.
            self.outputs.push_back(Output::Send(link, Talk::Fresh(logged.clone())));
        }
        self.compare(link, &logged, &record, now)
    }

    /// Two entries for one place: two records are a fault of their seat; of a record and a
    /// verdict, or two verdicts, the voters have to settle one.
    fn compare(&mut self, link: Link, known: &[u8], record: &Signed, now: u64) -> Taken {
        if known == record.bytes() {
            return Taken::Known;
        }
        let Some(seat) = record.seat() else { return Taken::Refused };
        let base = *record_base(record);
        let verdict = Unchecked::decode(known).is_ok_and(|known| known.is_verdict());
        let one = (!record.is_verdict()).then(|| known.to_vec());
        if let Some(one) = if verdict { self.other_record(record) } else { one } {
            self.accuse_twice(&one, record);
        }
        if seat == self.seat {
            return Taken::Contested;
        }
        if let Some(settled) = self.see_settled(&base, seat, record) {
            self.outputs.push_back(Output::Send(link, Talk::Settled(settled)));
            return Taken::Contested;
        }
        let reason = if self.faulty.contains_key(&seat) { Reason::Fault } else { Reason::Silent };
        self.contest(base, seat, reason, now);
        if let Some(dispute) = self.disputes.get_mut(&(base, seat))
            && !record.is_verdict()
        {
            dispute.see(record.bytes());
        }
        Taken::Contested
    }

    /// What settled the place, if anything did; it is noted which record the owner had for it, for
    /// another one would prove a fault.
    fn see_settled(&mut self, base: &Hash, seat: Seat, record: &Signed) -> Option<Settled> {
        let dispute = self.disputes.get_mut(&(*base, seat))?;
        let settled = dispute.settled.clone()?;
        if !record.is_verdict() {
            dispute.see(record.bytes());
        }
        Some(settled)
    }

    /// Another record of this one's seat for its place, which the contest there has seen.
    fn other_record(&self, record: &Signed) -> Option<Vec<u8>> {
        let place = (*record_base(record), record.seat().filter(|_| !record.is_verdict())?);
        let seen = self.disputes.get(&place)?.record()?;
        (seen != record.bytes()).then(|| seen.to_vec())
    }

    fn accuse_twice(&mut self, known: &[u8], record: &Signed) {
        if planted(Bug::NoProof) {
            return;
        }
        let roster = self.log.get(..1).unwrap_or_default();
        let evidence = evidence::encode(roster, &[known, record.bytes()]);
        self.accuse(
            record,
            vec![known.to_vec(), record.bytes().to_vec()],
            TWO_RECORDS.into(),
            evidence,
        );
    }

    /// Holds the proof against a seat: every neighbour is told by the records that prove it.
    fn accuse(&mut self, record: &Signed, proof: Vec<Vec<u8>>, reason: String, evidence: Vec<u8>) {
        let Some(seat) = record.seat() else { return };
        if self.blame(seat, reason, evidence, proof.clone()) {
            for bytes in proof {
                self.say_to_all(&Talk::Fresh(bytes), None);
            }
        }
    }

    /// Holds the proof against a seat and tells the player; false if there was one before.
    pub(super) fn blame(
        &mut self,
        seat: Seat,
        reason: String,
        evidence: Vec<u8>,
        proof: Vec<Vec<u8>>,
    ) -> bool {
        if seat == self.seat || self.faulty.contains_key(&seat) {
            return false;
        }
        self.faulty.insert(seat, reason.clone());
        self.proofs.insert(seat, proof);
        self.outputs.push_back(Output::Tell(News::Fault { seat, reason, evidence }));
        true
    }
}

fn record_base(record: &Signed) -> &Hash {
    &record.record().base
}

/// What became of a record.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Taken {
    New,
    Known,
    Ahead,
    /// Its place is not decided.
    Contested,
    Refused,
}
