//! Neighbours: what comes from them, and how one behind the other catches up.

use std::collections::BTreeMap;

use super::{Link, News, Output, Session, bench::Bench, quota::Quota, take::Taken};
use crate::{
    game::Seat,
    planted::{Bug, planted},
    protocol::{
        crypto::hash::{Hash, hash},
        limits::{BATCH_BYTES_MAX, GET_MS, LINKS_MAX, SERVED_BYTES_MAX},
        message::{Status, Talk},
        vote::SignedVote,
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
        self.vote_quotas.retain(|(of, _), _| *of != link);
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

    /// How far this seat's log goes.
    pub(super) fn status(&self) -> Status {
        let bit = |seat: &Seat| 1u8 << seat.index();
        Status {
            length: self.chain.table.length(),
            head: *self.chain.table.head(),
            held: self.chain.held().keys().map(bit).fold(0, |all, bit| all | bit),
            votes: self.votes_digest(),
        }
    }

    /// What two seats with one log that know the same votes have in common. A vote of a place below
    /// the open one may still set somebody free who has signed there and follows.
    fn votes_digest(&self) -> Hash {
        let benches = self.chain.bases_open().filter_map(|base| self.benches.get(base));
        let votes: Vec<&[u8]> = benches.flat_map(Bench::votes).map(SignedVote::bytes).collect();
        if votes.is_empty() { [0; 32] } else { hash("votes", &votes) }
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
        if status.head != own.head {
            self.send_votes(link, &status.head, now);
            if status.length >= own.length {
                self.send_votes(link, &own.head, now);
            }
        } else if status.votes != own.votes {
            // Newest first: what is open now waits for them.
            let bases: Vec<Hash> = self.chain.bases_open().copied().collect();
            bases.iter().rev().for_each(|base| self.send_votes(link, base, now));
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
        let (mut known, mut ahead) = (true, false);
        self.follow(records);
        self.note_above(records);
        self.trail(records);
        for (index, record) in records.iter().enumerate() {
            match self.take(link, record, false) {
                Taken::Refused => return,
                Taken::Ahead if index == 0 => {
                    self.links.may_ask(link);
                    return self.search_fork(link, now);
                }
                Taken::Ahead => (known, ahead) = (false, true),
                Taken::Contested => known = false,
                Taken::New | Taken::Known => {}
            }
        }
        if ahead && *self.chain.table.head() == before {
            // The first of them was known and a later one does not follow: the logs part between.
            self.links.may_ask(link);
            return self.search_fork(link, now);
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
}
