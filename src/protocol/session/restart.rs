//! After a start: nothing is signed until others have told what they hold of this seat.
//!
//! A seat must never sign two records for one place. Its journal sees to that, unless the
//! directory is an older copy or the program runs twice. So a seat that comes back says that it
//! has started, waits for other programs to tell what they hold of it, and a moment longer: a
//! second copy that runs already answers too, and then both stop.

use std::collections::{BTreeMap, VecDeque};

use super::{Link, News, Output, Session, quota::Quota};
use crate::{
    game::{Seat, Seats},
    protocol::{
        crypto::hash::Hash,
        limits::{ASK_MS, HELD_VOTES_MAX, NOTES_A_SEAT, NOTES_MAX, QUIET_MS},
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
    /// The programs that have answered.
    answered: Seats,
    /// When enough had.
    enough_at: Option<u64>,
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
        let others = table.programs(Seats::all(table.players())).without(table.program(seat));
        Restart {
            boot,
            counter: 0,
            needed: if again { answers_needed(others.count()) } else { 0 },
            answered: Seats::NONE,
            enough_at: None,
            ask_at: 0,
            told_ready: !again,
            halted: false,
            seen: VecDeque::new(),
            heard: BTreeMap::new(),
        }
    }

    fn has_asked_enough(&self, now: u64) -> bool {
        let quiet = |at: u64| now >= at.saturating_add(QUIET_MS);
        self.needed == 0 || self.enough_at.is_some_and(quiet)
    }

    fn waits(&self) -> bool {
        usize::from(self.answered.count()) < self.needed
    }

    fn is_seen(&mut self, id: Hash) -> bool {
        if self.seen.contains(&id) {
            return true;
        }
        self.seen.push_back(id);
        if self.seen.len() > NOTES_MAX {
            self.seen.pop_front();
        }
        false
    }
}

/// Answers needed of so many other programs: of four two, of fewer one. A host alone with its bots
/// needs none.
fn answers_needed(programs: u8) -> usize {
    match programs {
        4.. => 2,
        programs => usize::from(programs.min(1)),
    }
}

impl Session {
    /// Whether this seat may sign something new.
    pub(super) fn may_sign(&self) -> bool {
        !self.restart.halted
            && self.restart.has_asked_enough(self.now)
            && self.journal.is_reached(|base| self.chain.has(base))
    }

    /// Keeps an own record of the past so that it is sent again and never made anew.
    pub(super) fn remember_own(&mut self, bytes: &[u8]) {
        if let Some(record) = self.own(bytes) {
            self.journal.keep_past(&record);
        } else if let Some(vote) = self.chain.table.open_vote(bytes) {
            self.journal.unplaced.push(vote);
        } else if Unchecked::decode(bytes).is_ok() {
            self.journal.kept.push(bytes.to_vec());
        } else if let Some(note) = self.open_note(bytes) {
            match (Seat::new(note.seat), &note.body) {
                (Some(seat), NoteBody::Undone(bases)) if seat == self.seat => {
                    self.journal.undo(bases.iter().copied());
                }
                (Some(seat), NoteBody::Started) if seat == self.seat => {
                    self.journal.boots.insert(note.boot);
                }
                (Some(seat), _) => drop(self.standing.hear(seat, &note, bytes)),
                (None, _) => {}
            }
        }
    }

    /// The start of this program: above all that this seat's journal knows of.
    pub(super) fn start_boot(&mut self, drawn: u64) {
        let last = self.journal.boots.last().copied();
        self.restart.boot = last.map_or(drawn, |last| drawn.max(last.saturating_add(1)));
    }

    pub(super) fn open_note(&self, bytes: &[u8]) -> Option<Note> {
        let note = Note::open(bytes, |seat| self.chain.table.key_of(seat))?;
        (note.game == *self.chain.table.game_id()).then_some(note)
    }

    fn own(&self, bytes: &[u8]) -> Option<Unchecked> {
        let record = Unchecked::decode(bytes).ok()?;
        let mine = usize::from(record.record().seat) == self.seat.index() && !record.is_verdict();
        let signed = record.clone().signed_by(&self.identity.public()).is_some();
        (mine && signed).then_some(record)
    }

    /// Adopts a record of this seat that came from others; false if it contradicts the journal
    /// or was signed while this copy was already signing: then another copy runs.
    pub(super) fn adopt_own(&mut self, record: &Signed) -> bool {
        match self.journal.at(&record.record().base).map(|bytes| bytes == record.bytes()) {
            Some(true) => true,
            None if !self.may_sign() => {
                if let Some(own) = self.own(record.bytes()) {
                    self.journal.keep_past(&own);
                    self.outputs.push_back(Output::Journal(record.bytes().to_vec()));
                }
                true
            }
            Some(false) | None => {
                self.halt();
                false
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
        if self.restart.waits() && now >= self.restart.ask_at {
            self.restart.ask_at = now + ASK_MS;
            self.say_started(None);
        }
        self.journal.note_reached(|base| self.chain.has(base));
        if !self.restart.told_ready && self.may_sign() {
            self.restart.told_ready = true;
            self.outputs.push_back(Output::Tell(News::Ready));
        }
    }

    pub(super) fn restart_link_up(&mut self, link: Link) {
        if self.restart.waits() {
            self.say_started(Some(link));
        }
    }

    /// Says that this seat has started, to one neighbour or to all.
    fn say_started(&mut self, link: Option<Link>) {
        let note = self.note(NoteBody::Started);
        if self.journal.boots.insert(self.restart.boot) {
            self.outputs.push_back(Output::Journal(note.clone()));
        }
        match link {
            Some(link) => self.outputs.push_back(Output::Send(link, Talk::Note(note))),
            None => self.spread(&note, None),
        }
    }

    /// When this seat may sign at last.
    pub(super) fn quiet_at(&self) -> Option<u64> {
        let at = self.restart.enough_at?.saturating_add(QUIET_MS);
        (at > self.now).then_some(at)
    }

    /// A signed note came from a neighbour: forwarded once, answered if it asks.
    pub(super) fn receive_note(&mut self, link: Link, bytes: Vec<u8>, now: u64) {
        if self.restart.seen.contains(&Note::id(&bytes)) {
            return;
        }
        let Some(note) = Note::open(&bytes, |seat| self.chain.table.key_of(seat)) else {
            self.outputs.push_back(Output::Tell(News::BadNeighbour(link)));
            return;
        };
        let Some(seat) = Seat::new(note.seat) else { return };
        if note.game != *self.chain.table.game_id() {
            return;
        }
        if seat == self.seat {
            return self.receive_own_note(&note);
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
        let asks = (note.body == NoteBody::Started).then_some((note.boot, window));
        let again = asks.is_some() && asks == *answered;
        *answered = asks.or(*answered);
        self.spread(&bytes, Some(link));
        let left = self.standing.leave_of(seat).is_some();
        let newer = self.standing.hear(seat, &note, &bytes);
        if newer && left && self.standing.leave_of(seat).is_none() {
            // That it came back is remembered: whoever starts again must not take it for gone.
            self.outputs.push_back(Output::Journal(bytes));
        }
        match note.body {
            NoteBody::Started if !again => self.answer(note.seat, note.boot),
            NoteBody::Held { asker, asker_boot, record, votes } => {
                let to_me = usize::from(asker) == self.seat.index();
                if to_me && asker_boot == self.restart.boot {
                    self.take_answer(seat, record.as_deref(), &votes);
                }
            }
            NoteBody::Ask { base, .. } if base == *self.chain.table.base() && newer => {
                self.asked = self.asked.without(seat);
            }
            _ => {}
        }
    }

    /// A note of this seat that this start has not made: of an earlier one, or of another copy.
    fn receive_own_note(&mut self, note: &Note) {
        match note.body {
            NoteBody::Started if !self.journal.boots.contains(&note.boot) => {
                if note.boot != self.restart.boot {
                    self.halt();
                    self.say_note(NoteBody::Twin { boot: note.boot });
                }
            }
            NoteBody::Twin { boot } if boot == self.restart.boot => self.halt(),
            _ => {}
        }
    }

    fn answer(&mut self, asker: u8, asker_boot: u64) {
        let Some(seat) = Seat::new(asker) else { return };
        let record = self.chain.newest_of(seat);
        let of_asker =
            |vote: &&SignedVote| vote.paper().program == asker && vote.paper().says.binds();
        let votes = self.benches.values().flat_map(|bench| bench.votes()).filter(of_asker);
        let mut votes: Vec<Vec<u8>> = votes.map(|vote| vote.bytes().to_vec()).collect();
        votes.drain(..votes.len().saturating_sub(HELD_VOTES_MAX));
        let note = self.note(NoteBody::Held { asker, asker_boot, record, votes });
        self.spread(&note, None);
    }

    fn take_answer(&mut self, by: Seat, record: Option<&[u8]>, votes: &[Vec<u8>]) {
        let votes = votes.iter().filter_map(|vote| self.chain.table.open_vote(vote));
        let mine = votes.filter(|vote| usize::from(vote.paper().program) == self.seat.index());
        for vote in mine.collect::<Vec<SignedVote>>() {
            self.adopt_vote(vote);
        }
        if let Some(record) = record.and_then(|bytes| self.own(bytes)) {
            let base = record.record().base;
            match self.journal.at(&base) {
                Some(bytes) if bytes != record.bytes() => return self.halt(),
                Some(_) => {}
                None if self.chain.has(&base) || self.journal.is_undone(&base) => {}
                None => {
                    self.journal.keep_past(&record);
                    self.outputs.push_back(Output::Journal(record.bytes().to_vec()));
                }
            }
        }
        let table = &self.chain.table;
        if table.program(by) == by && by != table.program(self.seat) {
            self.restart.answered = self.restart.answered.with(by);
        }
        if !self.restart.waits() && self.restart.enough_at.is_none() {
            self.restart.enough_at = Some(self.now);
        }
    }

    /// A vote of this seat came from others, who have it from before a start or from another copy:
    /// if this one may sign, that copy runs.
    pub(super) fn adopt_vote(&mut self, vote: SignedVote) {
        let base = vote.paper().base;
        let known = self.benches.get(&base).is_some_and(|bench| bench.knows(vote.bytes()))
            || self.journal.unplaced.contains(&vote);
        if known || !vote.paper().says.binds() || self.journal.is_undone(&base) {
            return;
        }
        if self.may_sign() {
            return self.halt();
        }
        self.outputs.push_back(Output::Journal(vote.bytes().to_vec()));
        self.journal.unplaced.push(vote);
        self.place_own_votes();
    }

    /// Puts own votes of before a start back where the log has come to their bases.
    pub(super) fn place_own_votes(&mut self) {
        for vote in std::mem::take(&mut self.journal.unplaced) {
            let base = vote.paper().base;
            if self.chain.table_at(&base).is_some() {
                self.hear(vote, None);
            } else if !self.chain.has(&base) && !self.journal.is_undone(&base) {
                self.journal.unplaced.push(vote);
            }
        }
        for bytes in std::mem::take(&mut self.journal.kept) {
            let base = Unchecked::decode(&bytes).map(|record| record.record().base);
            match (base, self.chain.table.admit(&bytes)) {
                (_, Ok(record)) => drop(self.take_here(record, None, false)),
                (Ok(base), _) if !self.chain.has(&base) && !self.journal.is_undone(&base) => {
                    self.journal.kept.push(bytes);
                }
                _ => {}
            }
        }
    }

    pub(super) fn note(&mut self, body: NoteBody) -> Vec<u8> {
        self.restart.counter += 1;
        let note = Note {
            game: *self.chain.table.game_id(),
            seat: self.seat.index() as u8,
            boot: self.restart.boot,
            counter: self.restart.counter,
            body,
        };
        note.sign(&self.identity)
    }

    /// Makes a note, tells it to everyone and lets it stand if it is of such a sort.
    pub(super) fn say_note(&mut self, body: NoteBody) {
        let bytes = self.note(body);
        self.spread(&bytes, None);
        if let Some(note) = self.open_note(&bytes) {
            self.standing.hear(self.seat, &note, &bytes);
        }
    }

    /// The start and the number of the note made last.
    pub(super) fn note_number(&self) -> (u64, u64) {
        (self.restart.boot, self.restart.counter)
    }

    /// Sends a note to every neighbour but `from` and remembers that it went.
    pub(super) fn spread(&mut self, bytes: &[u8], from: Option<Link>) {
        self.restart.is_seen(Note::id(bytes));
        self.say_to_all(&Talk::Note(bytes.to_vec()), from);
    }
}
