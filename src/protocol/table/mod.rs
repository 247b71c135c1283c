//! What a log says: a state machine that takes records and tells facts.
//!
//! A table is in one phase at a time. In a phase of several seats each seat has a place on the
//! head the phase began with (`base`), and the log takes the records by seat number once all are
//! there; a turn is a phase of one seat. [`Table::admit`] is the one door: bytes become a record
//! only there. [`Table::append`] puts a record into the log and tells what follows from it. The
//! session, the verifier, the replay and a watcher all run this and nothing else.

mod absence;
mod checks;
mod sealed;
mod steps;
mod verdict;

pub use checks::choice_commitment;
pub use sealed::Origin;
pub(in crate::protocol) use sealed::{side_of, with_side};
pub use steps::{hide_side, stalled_turn};
pub use verdict::{TWO_DECKS, TWO_RECORDS, TWO_VOTES};

use std::collections::BTreeMap;

use super::{
    crypto::{hash::Hash, identity::PublicKey},
    deal::{Context, Dealt, open::OpenDeal, sealed::SealedDeal},
    lobby::{Join, NO_STATE, Roster, RosterError},
    log::record::{Body, Kind, Record, RecordError, Signed, Unchecked},
    vote::Reason,
};
use crate::game::{Action, BySeat, Card, Ending, Game, Players, Seat};

/// The phases of a table. A shuffle and a turn ask one seat for a record, each other phase asks
/// every seat for one.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Phase {
    /// Each seat signs that it plays this roster.
    Sit,
    /// Each seat commits to its part of the deal.
    Commit,
    /// Open deal: each seat reveals its seed.
    Reveal,
    /// Sealed deal: one seat shuffles.
    Shuffle(Seat),
    /// Sealed deal: each seat names the final deck.
    Ready,
    /// Sealed deal: each seat gives its shares of the others' cards.
    Shares,
    /// Each seat commits to keep or flip.
    Choice,
    /// Each seat opens that choice.
    ChoiceOpen,
    /// One seat shows or scouts.
    Turn(Seat),
    /// Each seat signs the points of the round.
    RoundEnd,
    /// Sealed deal: each seat reveals its seed, and everything it signed is recomputed.
    Audit,
    /// Each seat signs the result.
    Result,
    /// Nothing more is asked.
    Complete,
}

impl Phase {
    /// The kind of record the phase asks for.
    pub fn kind(self) -> Option<Kind> {
        Some(match self {
            Phase::Sit => Kind::Sit,
            Phase::Commit => Kind::Commit,
            Phase::Reveal | Phase::Audit => Kind::Reveal,
            Phase::Shuffle(_) => Kind::Shuffle,
            Phase::Ready => Kind::Ready,
            Phase::Shares => Kind::Shares,
            Phase::Choice => Kind::Choice,
            Phase::ChoiceOpen => Kind::ChoiceOpen,
            Phase::Turn(_) => Kind::Turn,
            Phase::RoundEnd => Kind::RoundEnd,
            Phase::Result => Kind::Result,
            Phase::Complete => return None,
        })
    }
}

/// What a record, or the last of a phase, made true.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Fact {
    /// Every seat agreed to the roster: the game exists.
    Seated,
    /// A round was dealt.
    Dealt {
        /// The round, from 1.
        round: u8,
        /// The seat that starts it.
        start: Seat,
    },
    /// A seat kept or turned its hand (an [`Action::Keep`] or [`Action::Flip`]) or had its turn.
    Acted {
        /// The seat.
        seat: Seat,
        /// What it did, as the log has it.
        action: Action,
        /// The cards it showed, as they lay.
        shown: Vec<Card>,
    },
    /// A round ended, with these points.
    RoundOver {
        /// The round, from 1.
        round: u8,
        /// How it ended.
        ending: Ending,
        /// The points of this round.
        points: BySeat<i32>,
    },
    /// Every seat signed the points of the round.
    RoundSigned {
        /// The round, from 1.
        round: u8,
    },
    /// The others go on without a seat.
    Out {
        /// The seat.
        seat: Seat,
        /// Why.
        reason: Reason,
        /// The points it pays: a full hand where it could have seen its cards.
        pays: u8,
    },
    /// A seat is back and will be dealt in.
    Back {
        /// The seat.
        seat: Seat,
    },
    /// A deal was broken off and starts again without the seats that are out.
    DealtAnew {
        /// Which attempt starts, from 2.
        attempt: u32,
    },
    /// Every seat revealed its seed of a sealed deal, and all it signed follows from it.
    Audited {
        /// The deal, from 1.
        deal: u32,
    },
    /// Every seat signed the result: the game is complete.
    Complete,
}

/// Why bytes are not taken.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum Refusal {
    /// No record at all: nobody at the table is to blame but who sent it.
    #[error("{0}")]
    Garbage(#[from] RecordError),
    /// A seat number that is not at this table.
    #[error("it names seat {0}, which is not at this table")]
    NoSuchSeat(u16),
    /// The seat's key did not sign it.
    #[error("the signature is not that of seat {0}")]
    Signature(Seat),
    /// Signed by its seat, on a head other than the one that is open.
    #[error("it does not stand on the record before it")]
    Elsewhere(Box<Signed>),
    /// Signed by its seat, and wrong against the records before it.
    #[error("seat {}: {reason}", .record.record().seat + 1)]
    Wrong {
        /// The record, which proves the fault.
        record: Box<Signed>,
        /// What is wrong with it.
        reason: String,
    },
    /// The first record of a log is no roster.
    #[error("it does not begin with the table's roster")]
    NoRoster,
    /// The roster cannot be played.
    #[error("the roster cannot be played: {0}")]
    Roster(#[from] RosterError),
    /// The log takes the records of a phase by seat number.
    #[error("the record of seat {0} stands here out of order")]
    Order(Seat),
    /// A verdict that its votes do not make.
    #[error("it is no verdict about seat {0}: {1}")]
    NoVerdict(Seat, String),
    /// Nothing may follow the result.
    #[error("the game was complete before it")]
    AfterEnd,
}

/// The table after some records of its log.
#[derive(Debug, Clone)]
pub struct Table {
    roster: Roster,
    players: Players,
    game_id: Hash,
    phase: Phase,
    base: Hash,
    head: Hash,
    length: u32,
    state: Hash,
    filled: Vec<Signed>,
    game: Game,
    full: Game,
    deal: Deal,
    deals: u32,
    /// Rounds of the running deal that have been dealt.
    dealt_rounds: u8,
    /// The hands of the running deal, where they are known.
    dealt: Option<Dealt>,
    /// Sealed deal: where the cards of each hand came from.
    origins: Vec<Vec<Origin>>,
    /// Seeds of finished deals by number, from another reading of the same log.
    seeds: BTreeMap<u32, Vec<Hash>>,
    choice_base: Hash,
    choices: BTreeMap<Seat, Hash>,
    attempt: u32,
    absence: absence::Absence,
}

/// The deal of a table.
#[derive(Debug, Clone)]
pub enum Deal {
    /// Open.
    Open(OpenDeal),
    /// Sealed.
    Sealed(Box<SealedDeal>),
}

impl Deal {
    /// What the deal is bound to.
    pub fn context(&self) -> &Context {
        match self {
            Deal::Open(deal) => deal.context(),
            Deal::Sealed(deal) => deal.context(),
        }
    }
}

impl Table {
    /// The table that a log's first record founds: the host's signed roster.
    ///
    /// # Errors
    /// [`Refusal`] if it is not a roster that can be played, signed by its seat 0.
    pub fn found(bytes: &[u8]) -> Result<(Table, Signed), Refusal> {
        let unchecked = Unchecked::decode(bytes)?;
        let Record { base, state, seat, body } = unchecked.record();
        let Body::Roster(roster) = body else {
            return Err(Refusal::NoRoster);
        };
        let (roster, game_id) = (roster.clone(), roster.game_id());
        let players = roster.check()?;
        if *seat != 0 || *base != game_id || *state != NO_STATE {
            return Err(Refusal::NoRoster);
        }
        let key = roster.join(Seat::FIRST).map(|join| join.key).ok_or(Refusal::NoRoster)?;
        let signed = unchecked.signed_by(&key).ok_or(Refusal::Signature(Seat::FIRST))?;
        let head = signed.head_on(&game_id);
        let game = Game::new(players);
        let context = Context::new(&game_id, players, 0, 1, &head);
        let table = Table {
            deal: Deal::Open(OpenDeal::new(context)),
            roster,
            players,
            game_id,
            phase: Phase::Sit,
            base: head,
            head,
            length: 1,
            state: game.digest(),
            filled: Vec::new(),
            full: game,
            game,
            deals: 0,
            dealt_rounds: 0,
            dealt: None,
            origins: Vec::new(),
            seeds: BTreeMap::new(),
            choice_base: [0; 32],
            choices: BTreeMap::new(),
            attempt: 1,
            absence: absence::Absence::new(),
        };
        Ok((table, signed))
    }

    /// The table that knows the seeds of these deals beforehand: by number from 1, by seat dealt
    /// in. It takes the same records and knows every card of those deals as the players held them.
    pub fn knowing(self, seeds: BTreeMap<u32, Vec<Hash>>) -> Table {
        Table { seeds, ..self }
    }

    /// Who sits where, and the table's terms.
    pub fn roster(&self) -> &Roster {
        &self.roster
    }

    /// How many play.
    pub fn players(&self) -> Players {
        self.players
    }

    /// The player of `seat`.
    pub fn player(&self, seat: Seat) -> Option<&Join> {
        self.roster.join(seat)
    }

    /// The game's id, which is the head before the first record.
    pub fn game_id(&self) -> &Hash {
        &self.game_id
    }

    /// The phase.
    pub fn phase(&self) -> Phase {
        self.phase
    }

    /// The head the records of this phase stand on.
    pub fn base(&self) -> &Hash {
        &self.base
    }

    /// The head after the last record.
    pub fn head(&self) -> &Hash {
        &self.head
    }

    /// Number of records in the log.
    pub fn length(&self) -> u32 {
        self.length
    }

    /// Number of records in the log that belong to phases all seats have filled.
    pub fn length_whole(&self) -> u32 {
        self.length - self.filled.len() as u32
    }

    /// Digest of the public state at the base.
    pub fn state(&self) -> &Hash {
        &self.state
    }

    /// The game as everyone at the table knows it.
    pub fn game(&self) -> &Game {
        &self.game
    }

    /// The game with every card that the log up to here lets anyone compute, or the seeds the
    /// table was told. In an open deal that is all of them: it is for checking and for replays,
    /// not for a player's screen.
    pub fn game_open(&self) -> &Game {
        &self.full
    }

    /// The deal in progress or the last one.
    pub fn deal(&self) -> &Deal {
        &self.deal
    }

    /// Whether the hands of the running deal are known as they were dealt.
    pub fn knows_hands(&self) -> bool {
        self.dealt.is_some()
    }

    /// The round of the deal in progress, from 1; 0 before its first.
    pub fn round_of_deal(&self) -> u8 {
        self.dealt_rounds
    }

    /// Sealed deal: where the cards of a hand came from, in the order of the hand.
    pub fn origins(&self, seat: Seat) -> &[Origin] {
        self.origins.get(seat.index()).map_or(&[], Vec::as_slice)
    }

    /// Which attempt the running deal is, from 1: each verdict in a deal starts another.
    pub fn attempt(&self) -> u32 {
        self.attempt
    }

    /// Number of the deal, from 1; 0 before the first.
    pub fn deal_number(&self) -> u32 {
        self.deals
    }

    /// The seats whose record this phase asks for.
    pub fn expected(&self) -> Vec<Seat> {
        match self.phase {
            Phase::Turn(seat) | Phase::Shuffle(seat) => vec![seat],
            Phase::Complete => Vec::new(),
            Phase::Sit => self.players.seats().collect(),
            Phase::Result => self.live().iter().collect(),
            _ => {
                let dealt_in = self.deal.context().dealt_in();
                self.live().iter().filter(|seat| dealt_in.contains(*seat)).collect()
            }
        }
    }

    /// The base of the keep-or-flip commitments of this round.
    pub fn choice_base(&self) -> &Hash {
        &self.choice_base
    }

    /// The commitment of `seat` to keep or flip, while choices are being opened.
    pub fn choice_of(&self, seat: Seat) -> Option<&Hash> {
        self.choices.get(&seat)
    }

    /// Turns bytes into a record of the open phase: length, form, signature, place, rules.
    ///
    /// # Errors
    /// [`Refusal`], which tells whose fault it is.
    pub fn admit(&self, bytes: &[u8]) -> Result<Signed, Refusal> {
        let unchecked = Unchecked::decode(bytes)?;
        let number = unchecked.record().seat;
        let seat = Seat::new(number).filter(|seat| seat.index() < self.roster.joins.len());
        let seat = seat.ok_or(Refusal::NoSuchSeat(u16::from(number) + 1))?;
        if let Body::Verdict(_) = unchecked.record().body {
            return self.admit_verdict(seat, unchecked);
        }
        let signed = unchecked.signed_by(&self.key(seat)?).ok_or(Refusal::Signature(seat))?;
        if self.phase == Phase::Complete && signed.record().base == self.head {
            return Err(Refusal::AfterEnd);
        }
        if signed.record().base != self.base {
            return Err(Refusal::Elsewhere(Box::new(signed)));
        }
        match self.check(seat, signed.record()) {
            Ok(()) => Ok(signed),
            Err(reason) => Err(Refusal::Wrong { record: Box::new(signed), reason }),
        }
    }

    /// Puts an admitted record into the log and tells what follows.
    ///
    /// # Errors
    /// [`Refusal`] if it is not the next record of the log.
    pub fn append(&mut self, record: Signed) -> Result<Vec<Fact>, Refusal> {
        if record.record().base != self.base {
            return Err(Refusal::Elsewhere(Box::new(record)));
        }
        let expected = self.expected();
        let next = expected.get(self.filled.len()).ok_or(Refusal::AfterEnd)?;
        if usize::from(record.record().seat) != next.index() {
            return Err(Refusal::Order(*next));
        }
        self.head = record.head_on(&self.head);
        self.length += 1;
        self.filled.push(record);
        if self.filled.len() < expected.len() {
            return Ok(Vec::new());
        }
        Ok(self.complete_phase())
    }

    /// The key of a seat at this table.
    fn key(&self, seat: Seat) -> Result<PublicKey, Refusal> {
        let join = self.roster.join(seat);
        join.map(|join| join.key).ok_or(Refusal::NoSuchSeat(u16::from(seat.number())))
    }
}
