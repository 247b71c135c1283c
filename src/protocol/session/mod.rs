//! A seat at a table: a state machine without I/O.
//!
//! The contract: give it one input ([`Session::receive`], [`Session::link_up`],
//! [`Session::link_down`], [`Session::choose`], [`Session::act`], [`Session::tick`]), then take
//! outputs from [`Session::poll`] until there are none, and carry them out *in order*. An own
//! record comes out as [`Output::Journal`] before the [`Output::Send`] that lets it leave; who
//! carries out outputs must have it on disk before going on. A panic is a bug here, never bad
//! input.

mod bench;
mod chain;
mod dealing;
mod faults;
mod journal;
mod judge;
mod notes;
pub(crate) mod quota;
mod restart;
mod standing;
mod sync;
mod talk;

use std::collections::{BTreeMap, VecDeque};

use super::{
    chat::Line,
    crypto::{
        hash::{Hash, Secret, hash},
        identity::Identity,
    },
    limits::STATUS_MS,
    log::record::{Body, Record},
    message::{Status, Talk},
    table::{Fact, Phase, Refusal, Table, choice_commitment},
};
use crate::{
    game::{Action, Game, PlayerView, Seat, Seats},
    planted::{Bug, planted},
};
use bench::Bench;
use chain::Chain;
use quota::Quota;
use restart::Restart;

/// A neighbour, as the driver numbers them.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Link(pub u32);

/// What the driver has to do, in the order given.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Output {
    /// Write an own record or vote into the journal and fsync it.
    Journal(Vec<u8>),
    /// Say this to a neighbour.
    Send(Link, Talk),
    /// Append these records to the log file and fsync it.
    Append(Vec<Vec<u8>>),
    /// Cut the log file after this many records and fsync it: the others go on without what stands
    /// there. The tail is to be kept elsewhere.
    Cut {
        /// Records that stay.
        kept: u32,
        /// The records that do not.
        tail: Vec<Vec<u8>>,
    },
    /// Tell the player.
    Tell(News),
}

/// What a player is told.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum News {
    /// Something became true at the table.
    Fact(Fact),
    /// A seat signed something that is wrong against the log, or two records for one place.
    Fault {
        /// The seat.
        seat: Seat,
        /// What it did.
        reason: String,
        /// The file that proves it.
        evidence: Vec<u8>,
    },
    /// A neighbour sent bytes that are no record of the table; says nothing about a seat.
    BadNeighbour(Link),
    /// A neighbour's log has another record where ours has one.
    Forked(Link),
    /// The others went on otherwise than this seat had it: this many records are undone.
    Undone(u32),
    /// This seat's key is in use by another running copy: this one has stopped signing.
    RunningTwice,
    /// After a start: the others have told what they hold of this seat, it may sign.
    Ready,
    /// A player says something, this one included.
    Chat {
        /// The seat.
        seat: Seat,
        /// What it says.
        line: Line,
    },
}

/// What a session starts from.
#[derive(Debug)]
pub struct Start {
    /// The seat's key.
    pub identity: Identity,
    /// 32 bytes drawn once for the game and stored: seeds and salts follow from it.
    pub secret: Secret,
    /// The log so far: at least the roster.
    pub log: Vec<Vec<u8>>,
    /// Own records in the order they were signed.
    pub journal: Vec<Vec<u8>>,
    /// 32 bytes of OS randomness drawn anew at each start: proofs are hedged with them.
    pub entropy: Secret,
    /// Higher at each start, such as the time of day in milliseconds.
    pub boot: u64,
    /// Whether this seat may have signed before: a seat that comes back asks the others first.
    pub again: bool,
}

/// Why a session cannot start.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum StartError {
    /// A record of the log is refused.
    #[error("record {0} of the log: {1}")]
    Log(usize, Refusal),
    /// The identity has no seat.
    #[error("this profile's key has no seat at that table")]
    NoSeat,
}

/// Why a decision is not taken. The state is as it was.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum NotNow {
    /// The table waits for something else.
    #[error("it is not your turn: the table waits for {0}")]
    NotYours(String),
    /// The rules do not allow it.
    #[error("{0}")]
    Illegal(String),
    /// The table does not wait for that seat.
    #[error("the table does not wait for {0}")]
    NotAwaited(String),
    /// This seat has no vote there.
    #[error("that is not for this seat to decide")]
    NoVote,
    /// One voter alone cannot say that a seat is silent.
    #[error("with nobody else to ask, only a player who said goodbye can be played on without")]
    Alone,
    /// This seat does not sign at the moment.
    #[error("the others have not yet said how far the game is; it goes on when they are back")]
    Silent,
    /// This seat has said a lot just now.
    #[error("five lines at once are enough: wait a second before the next")]
    TooFast,
}

/// A seat at a table.
pub struct Session {
    identity: Identity,
    secret: Secret,
    entropy: Secret,
    seat: Seat,
    chain: Chain,
    journal: journal::Journal,
    links: sync::Links,
    /// What was said at the bases that are not final.
    benches: BTreeMap<Hash, Bench>,
    /// By neighbour and the program named: the votes looked at in this stretch of time.
    vote_quotas: BTreeMap<(Link, u8), Quota>,
    /// The programs that the player does not want to wait for here, and since when.
    asked: Seats,
    asked_at: u64,
    faults: faults::Faults,
    standing: standing::Standing,
    restart: Restart,
    talk: talk::Heard,
    past: Vec<Fact>,
    status_at: u64,
    now: u64,
    outputs: VecDeque<Output>,
}

impl Session {
    /// A session from what the disk holds. Records of a phase that not all seats had filled are
    /// held, not kept in the log: [`Session::log`] is what the file should contain.
    ///
    /// # Errors
    /// [`StartError`] if the log is wrong or the identity has no seat in it.
    pub fn new(start: Start) -> Result<Session, StartError> {
        let Start { identity, secret, entropy, log, journal, boot, again } = start;
        let first = log.first().map_or(&[][..], Vec::as_slice);
        let (table, roster) = Table::found(first).map_err(|error| StartError::Log(1, error))?;
        let seat = table.roster().seat_of(&identity.public()).ok_or(StartError::NoSeat)?;
        let mut session = Session {
            restart: Restart::new(&table, seat, boot, again),
            chain: Chain::new(table, &roster),
            journal: journal::Journal::default(),
            links: sync::Links::default(),
            benches: BTreeMap::new(),
            vote_quotas: BTreeMap::new(),
            asked: Seats::NONE,
            asked_at: 0,
            faults: faults::Faults::default(),
            standing: standing::Standing::default(),
            talk: talk::Heard::default(),
            past: Vec::new(),
            status_at: 0,
            now: 0,
            outputs: VecDeque::new(),
            identity,
            secret,
            entropy,
            seat,
        };
        let forgets = planted(Bug::ForgetsJournal);
        for own in journal.into_iter().filter(|_| !forgets) {
            session.remember_own(&own);
        }
        session.start_boot(boot);
        for (index, bytes) in log.iter().enumerate().skip(1) {
            let entry = session.chain.table.admit(bytes);
            session.chain.hold(entry.map_err(|error| StartError::Log(index + 1, error))?);
            session.fill(0);
        }
        let fact = |output| match output {
            Output::Tell(News::Fact(fact)) => Some(fact),
            _ => None,
        };
        session.past = std::mem::take(&mut session.outputs).into_iter().filter_map(fact).collect();
        session.place_own_votes();
        session.outputs.clear();
        Ok(session)
    }

    /// What the log told before this start.
    pub fn past(&self) -> &[Fact] {
        &self.past
    }

    /// The next output, to be carried out before the one after it.
    pub fn poll(&mut self) -> Option<Output> {
        self.outputs.pop_front()
    }

    /// Whether [`Session::poll`] has something to give.
    pub fn has_outputs(&self) -> bool {
        !self.outputs.is_empty()
    }

    /// This seat.
    pub fn seat(&self) -> Seat {
        self.seat
    }

    /// The table as the log gives it.
    pub fn table(&self) -> &Table {
        &self.chain.table
    }

    /// The records of the log.
    pub fn log(&self) -> &[Vec<u8>] {
        self.chain.log()
    }

    /// The number of records at its beginning that are final: nothing takes them back.
    pub fn length_final(&self) -> u32 {
        self.chain.length_final()
    }

    /// The game as this seat knows it; `None` before the first deal.
    pub fn view(&self) -> Option<PlayerView<'_>> {
        PlayerView::new(&self.chain.view, self.seat)
    }

    /// The game as this seat knows it, also before the first deal.
    pub fn view_game(&self) -> &Game {
        &self.chain.view
    }

    /// The seats the table waits for.
    pub fn awaited(&self) -> Vec<Seat> {
        self.chain.awaited()
    }

    /// Whether the table waits for a decision of this seat's player, and this seat may sign.
    pub fn asks(&self) -> bool {
        self.may_sign()
            && self.chain.table.asks_player()
            && self.awaited().contains(&self.seat)
            && !self.is_stuck()
    }

    /// Seats that were caught in a fault, with what they did.
    pub fn faulty(&self) -> &BTreeMap<Seat, String> {
        &self.faults.reasons
    }

    /// Keeps the hand or turns all of it.
    ///
    /// # Errors
    /// [`NotNow`] if the table does not ask for it.
    pub fn choose(&mut self, flip: bool) -> Result<(), NotNow> {
        self.check_asked(self.chain.table.phase() == Phase::Choice)?;
        let base = *self.chain.table.base();
        let commitment = choice_commitment(&base, self.seat, flip, &self.choice_salt(&base));
        self.sign(Body::Choice(commitment));
        self.progress(self.now);
        Ok(())
    }

    /// Has this seat's turn.
    ///
    /// # Errors
    /// [`NotNow`] if it is not this seat's turn or the rules do not allow the action.
    pub fn act(&mut self, action: Action) -> Result<(), NotNow> {
        self.check_asked(self.chain.table.phase() == Phase::Turn(self.seat))?;
        if let Err(illegal) = self.chain.view.apply(self.seat, action, &[]) {
            return Err(NotNow::Illegal(illegal.to_string()));
        }
        let Some(body) = self.turn(action) else { return Err(NotNow::Silent) };
        self.sign(body);
        self.progress(self.now);
        Ok(())
    }

    /// Lets time pass: tells neighbours how far the log goes and signs what needs no player.
    /// `now` is in milliseconds of any clock that does not run backwards.
    pub fn tick(&mut self, now: u64) {
        self.now = now;
        if self.chain.phase_at == 0 {
            self.chain.phase_at = now;
        }
        self.restart_tick(now);
        if now >= self.status_at {
            self.status_at = now + STATUS_MS;
            for link in self.links.all() {
                self.send_status(link);
                self.send_standing(link);
            }
        }
        self.progress(now);
    }

    /// When [`Session::tick`] wants to be called next, in the clock of its `now`.
    pub fn wake_at(&self) -> u64 {
        let others = [self.judge_at_time(), self.quiet_at()];
        others.into_iter().flatten().chain([self.status_at]).min().unwrap_or(self.status_at)
    }

    fn check_asked(&self, right_phase: bool) -> Result<(), NotNow> {
        if right_phase && self.awaited().contains(&self.seat) {
            return if self.may_sign() { Ok(()) } else { Err(NotNow::Silent) };
        }
        let awaited: Vec<String> = self.awaited().iter().map(|seat| self.name_of(*seat)).collect();
        Err(NotNow::NotYours(awaited.join(" and ")))
    }

    fn name_of(&self, seat: Seat) -> String {
        let join = self.chain.table.player(seat);
        join.map_or_else(|| format!("seat {seat}"), |join| join.name.to_string())
    }

    /// Signs what the table asks of this seat and needs no player, and judges, as often as
    /// something follows from it.
    fn progress(&mut self, now: u64) {
        self.now = now;
        self.go_on();
    }

    pub(super) fn go_on(&mut self) {
        self.place_own_votes();
        loop {
            let before = (*self.chain.table.base(), self.chain.held().len());
            self.do_duties();
            self.judge();
            self.fill(self.now);
            if before == (*self.chain.table.base(), self.chain.held().len()) {
                return;
            }
        }
    }

    fn do_duties(&mut self) {
        if !self.awaited().contains(&self.seat) {
            return;
        }
        if let Some(bytes) = self.journal.at(self.chain.table.base()) {
            if let Ok(record) = self.chain.table.admit(bytes) {
                self.take_here(record, None, true);
            }
        } else if let Some(body) = self.duty()
            && self.may_sign()
        {
            self.sign(body);
        }
    }

    /// Moves a full phase into the log, if this seat may go on above it.
    fn fill(&mut self, now: u64) {
        if !self.may_fill() {
            return;
        }
        let Some(filled) = self.chain.fill(now) else { return };
        if let Some(bench) = self.benches.get_mut(&filled.base) {
            bench.court.lock();
        }
        (self.asked, self.asked_at) = (Seats::NONE, now);
        self.outputs.push_back(Output::Append(filled.records));
        if self.chain.table.phase() == Phase::Complete {
            self.links.all().into_iter().for_each(|link| self.send_status(link));
        }
        for fact in filled.facts {
            self.learn(&fact, &filled.base, &filled.bodies);
            self.outputs.push_back(Output::Tell(News::Fact(fact)));
        }
    }

    /// What the phase asks of this seat's program.
    fn duty(&self) -> Option<Body> {
        Some(match self.chain.table.phase() {
            Phase::Sit => Body::Sit,
            Phase::ChoiceOpen => self.opened_choice()?,
            Phase::RoundEnd => self.round_end()?,
            Phase::Result => {
                let (points, winners) = self.chain.table.result();
                Body::Result { points, winners }
            }
            Phase::Turn(_) if !self.is_stuck() => return None,
            Phase::Choice | Phase::Complete => return None,
            _ => return self.deal_duty(),
        })
    }

    /// The choice this seat committed to. Only the salt is stored, by way of the secret: of keep
    /// and flip one gives the commitment.
    fn opened_choice(&self) -> Option<Body> {
        let base = self.chain.table.choice_base();
        let salt = self.choice_salt(base);
        let committed = self.chain.table.choice_of(self.seat)?;
        let matches = |flip| choice_commitment(base, self.seat, flip, &salt) == *committed;
        let flip = [false, true].into_iter().find(|flip| matches(*flip))?;
        Some(Body::ChoiceOpen { flip, salt })
    }

    fn round_end(&self) -> Option<Body> {
        let points = self.chain.table.round_points()?;
        let returns: Vec<Vec<u8>> = self.returning();
        Some(if returns.is_empty() {
            Body::RoundEnd(points)
        } else {
            Body::RoundEndBack { points, returns }
        })
    }

    fn choice_salt(&self, base: &Hash) -> Hash {
        hash("choice salt", &[&self.secret[..], base])
    }

    /// Signs `body` at the open place, once: journal first, then out.
    fn sign(&mut self, body: Body) {
        let record = Record {
            base: *self.chain.table.base(),
            state: *self.chain.table.state(),
            seat: self.seat.index() as u8,
            body,
        };
        let bytes = record.sign(&self.identity);
        let Ok(record) = self.chain.table.admit(&bytes) else {
            // The log holds a record of this seat that this copy did not sign.
            return self.halt();
        };
        self.journal.keep(record.record(), &bytes);
        let journal = Output::Journal(bytes);
        if planted(Bug::SendsFirst) {
            self.take_here(record, None, true);
            self.outputs.push_back(journal);
            return;
        }
        self.outputs.push_back(journal);
        self.take_here(record, None, true);
    }

    /// How far this seat's log goes.
    fn status(&self) -> Status {
        let bit = |seat: &Seat| 1u8 << seat.index();
        Status {
            length: self.chain.table.length(),
            head: *self.chain.table.head(),
            held: self.chain.held().keys().map(bit).fold(0, |all, bit| all | bit),
            votes: self.benches.get(self.chain.table.base()).map_or([0; 32], Bench::digest),
        }
    }
}
