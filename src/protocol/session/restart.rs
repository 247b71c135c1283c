//! After a start: nothing is signed until others have told what they hold of this seat.
//!
//! A seat must never sign two records for one place. Its journal sees to that, unless the
//! directory is an older copy or the program runs twice. So a seat that comes back asks, and
//! waits for enough answers that no quorum of the others can know a record of it which none of
//! them told.

use std::collections::{BTreeMap, BTreeSet, VecDeque};

use super::{Link, News, Output, Session, quota::Quota};
use crate::{
    game::Seat,
    protocol::{
        crypto::hash::{Hash, hash},
        limits::{ASK_MS, NOTES_A_SEAT, NOTES_MAX},
        log::record::{Signed, Unchecked},
        message::{Note, NoteBody, Talk},
        table::Table,
        vote::SignedVote,
    },
};

/// The state of a seat that has come back.
#[derive(Debug)]
pub(super) struct Restart {
    boot: u64,
    counter: u64,
    needed: usize,
    answered: BTreeSet<u8>,
    ask_at: u64,
    told_ready: bool,
    halted: bool,
    seen: VecDeque<Hash>,
    /// By seat: its notes in this stretch of [`ASK_MS`], and the start and the stretch it was
    /// answered in last.
    heard: BTreeMap<u8, (Quota, Option<(u64, u64)>)>,
}

impl Restart {
    pub(super) fn new(table: &Table, seat: Seat, boot: u64, again: bool) -> Restart {
        let voters = table.players().seats().filter(|other| {
            *other != seat && table.player(*other).is_some_and(|join| join.kept_by.is_none())
        });
        Restart {
            boot,
            counter: 0,
            needed: if again { answers_needed(voters.count()) } else { 0 },
            answered: BTreeSet::new(),
            ask_at: 0,
            told_ready: !again,
            halted: false,
            seen: VecDeque::new(),
            heard: BTreeMap::new(),
        }
    }
}

/// Answers needed of `voters` seats: any quorum of them (2 of 2, 3 of 3, 3 of 4) then shares a
/// seat with those that answered. A host alone with its bots needs none.
fn answers_needed(voters: usize) -> usize {
    match voters {
        4.. => 2,
        voters => voters.min(1),
    }
}

impl Session {
    /// Whether this seat may sign something new.
    pub(super) fn may_sign(&self) -> bool {
        let restart = &self.restart;
        !restart.halted && restart.answered.len() >= restart.needed && self.log_reaches_journal()
    }

    /// Whether the log knows every place this seat has signed at. A log that does not is an older
    /// copy: signing on it could give one key two decks.
    fn log_reaches_journal(&self) -> bool {
        self.unplaced.is_empty() && self.unreached.iter().all(|base| self.has_reached(base))
    }

    /// Whether the log has come to a base. It stays so: what is cut off the log is undone.
    fn has_reached(&self, base: &Hash) -> bool {
        base == self.table.base() || self.places.contains_key(base) || self.undone.contains(base)
    }

    /// Keeps an own record that this start has not signed.
    fn keep_own(&mut self, base: Hash, bytes: &[u8]) {
        self.journal.entry(base).or_insert_with(|| bytes.to_vec());
        self.unreached.insert(base);
    }

    /// Keeps an own record of the past so that it is sent again and never made anew.
    pub(super) fn remember_own(&mut self, bytes: &[u8]) {
        if let Some(record) = self.own(bytes) {
            self.keep_own(record.record().base, bytes);
        } else if let Some(vote) = self.table.open_vote(bytes) {
            self.own_votes.insert(hash("own vote", &[bytes]));
            self.unplaced.push(vote);
        } else if let Some(NoteBody::Undone(bases)) = self.own_note(bytes) {
            self.undone.extend(bases);
        }
    }

    fn own_note(&self, bytes: &[u8]) -> Option<NoteBody> {
        let (key, number) = (self.identity.public(), self.seat.index());
        let note = Note::open(bytes, |seat| (usize::from(seat) == number).then_some(key))?;
        (note.game == *self.table.game_id()).then_some(note.body)
    }

    fn own(&self, bytes: &[u8]) -> Option<Signed> {
        let record = Unchecked::decode(bytes).ok()?.signed_by(&self.identity.public())?;
        (usize::from(record.record().seat) == self.seat.index()).then_some(record)
    }

    /// Adopts a record of this seat that came from others; false if it contradicts the journal
    /// or was signed while this copy was already signing: then another copy runs.
    pub(super) fn adopt_own(&mut self, record: &Signed) -> bool {
        let base = record.record().base;
        match self.journal.get(&base).map(|bytes| bytes == record.bytes()) {
            Some(same) => {
                if !same {
                    self.halt();
                }
                same
            }
            None if self.may_sign() => {
                self.halt();
                false
            }
            None => {
                self.keep_own(base, record.bytes());
                self.outputs.push_back(Output::Journal(record.bytes().to_vec()));
                true
            }
        }
    }

    pub(super) fn halt(&mut self) {
        if !self.restart.halted {
            self.restart.halted = true;
            self.outputs.push_back(Output::Tell(News::RunningTwice));
        }
    }

    pub(super) fn restart_tick(&mut self, now: u64) {
        if self.restart.answered.len() < self.restart.needed && now >= self.restart.ask_at {
            self.restart.ask_at = now + ASK_MS;
            let note = self.note(NoteBody::Ask);
            self.spread(&note, None);
        }
        let mut unreached = std::mem::take(&mut self.unreached);
        unreached.retain(|base| !self.has_reached(base));
        self.unreached = unreached;
        if !self.restart.told_ready && self.may_sign() {
            self.restart.told_ready = true;
            self.outputs.push_back(Output::Tell(News::Ready));
        }
    }

    pub(super) fn restart_link_up(&mut self, link: Link) {
        if self.restart.answered.len() < self.restart.needed {
            let note = self.note(NoteBody::Ask);
            self.outputs.push_back(Output::Send(link, Talk::Note(note)));
        }
    }

    /// A signed note came from a neighbour: forwarded once, answered if it asks.
    pub(super) fn receive_note(&mut self, link: Link, bytes: Vec<u8>, now: u64) {
        let id = Note::id(&bytes);
        if self.restart.seen.contains(&id) {
            return;
        }
        let joins = &self.table.roster().joins;
        let key_of = |seat: u8| joins.get(usize::from(seat)).map(|join| join.key);
        let Some(note) = Note::open(&bytes, key_of) else {
            self.outputs.push_back(Output::Tell(News::BadNeighbour(link)));
            return;
        };
        if note.game != *self.table.game_id() || usize::from(note.seat) == self.seat.index() {
            return;
        }
        if let NoteBody::Chat(line) = &note.body {
            if self.hears(&note, now) {
                self.spread(&bytes, Some(link));
                self.tell_chat(note.seat, line.clone());
            }
            return;
        }
        let window = now / ASK_MS;
        let (quota, answered) = self.restart.heard.entry(note.seat).or_default();
        if !quota.take(window, 1, NOTES_A_SEAT) {
            return;
        }
        let asks = (note.body == NoteBody::Ask).then_some((note.boot, window));
        let again = asks.is_some() && asks == *answered;
        *answered = asks.or(*answered);
        self.spread(&bytes, Some(link));
        match note.body {
            NoteBody::Ask if again => {}
            NoteBody::Ask => {
                self.is_here_again(note.seat);
                self.answer(note.seat, note.boot);
            }
            NoteBody::Held { asker, asker_boot, record, vote } => {
                let to_me = usize::from(asker) == self.seat.index();
                if to_me && asker_boot == self.restart.boot {
                    if let Some(vote) = vote.and_then(|vote| self.own_vote(&vote)) {
                        self.adopt_vote(vote, self.now);
                    }
                    self.take_answer(note.seat, record.as_deref());
                }
            }
            body => self.let_stand(note.seat, body, bytes),
        }
    }

    fn answer(&mut self, asker: u8, asker_boot: u64) {
        let held = self.held.iter().find(|(seat, _)| seat.index() == usize::from(asker));
        let of_asker = |bytes: &&Vec<u8>| {
            Unchecked::decode(bytes).is_ok_and(|record| record.record().seat == asker)
        };
        let logged = || self.log.iter().rev().find(of_asker).cloned();
        let record = held.map(|(_, record)| record.bytes().to_vec()).or_else(logged);
        let vote = self.newest_vote_of(asker);
        let note = self.note(NoteBody::Held { asker, asker_boot, record, vote });
        self.spread(&note, None);
    }

    fn own_vote(&self, bytes: &[u8]) -> Option<SignedVote> {
        let vote = self.table.open_vote(bytes)?;
        (usize::from(vote.paper().voter) == self.seat.index()).then_some(vote)
    }

    fn take_answer(&mut self, seat: u8, record: Option<&[u8]>) {
        if let Some(record) = record.and_then(|bytes| self.own(bytes)) {
            let base = record.record().base;
            match self.journal.get(&base) {
                Some(bytes) if bytes != record.bytes() => return self.halt(),
                Some(_) => {}
                None if self.places.contains_key(&base) || self.undone.contains(&base) => {}
                None => {
                    self.keep_own(base, record.bytes());
                    self.outputs.push_back(Output::Journal(record.bytes().to_vec()));
                }
            }
        }
        let kept = self.table.roster().joins.get(usize::from(seat)).map(|join| join.kept_by);
        if kept == Some(None) {
            self.restart.answered.insert(seat);
        }
    }

    pub(super) fn note(&mut self, body: NoteBody) -> Vec<u8> {
        self.restart.counter += 1;
        let note = Note {
            game: *self.table.game_id(),
            seat: self.seat.index() as u8,
            boot: self.restart.boot,
            counter: self.restart.counter,
            body,
        };
        note.sign(&self.identity)
    }

    /// The start and the number of the note made last.
    pub(super) fn note_number(&self) -> (u64, u64) {
        (self.restart.boot, self.restart.counter)
    }

    /// Sends a note to every neighbour but `from` and remembers that it went.
    pub(super) fn spread(&mut self, bytes: &[u8], from: Option<Link>) {
        self.restart.seen.push_back(Note::id(bytes));
        if self.restart.seen.len() > NOTES_MAX {
            self.restart.seen.pop_front();
        }
        for link in self.links.keys().filter(|link| Some(**link) != from) {
            self.outputs.push_back(Output::Send(*link, Talk::Note(bytes.to_vec())));
        }
    }
}
