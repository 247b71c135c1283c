//! What follows from a verdict, and how a seat comes back.

use super::{Fact, Phase, Table, steps::advance};
use crate::{
    game::{Game, Seat, Seats, Stage, deck},
    protocol::{
        contest::Reason,
        log::record::{Body, Signed},
        message::{Note, NoteBody},
    },
};

/// Who is out.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Absence {
    /// The seats that are out.
    pub(super) out: Seats,
    /// Those of them that may not come back.
    expelled: Seats,
    /// How often each seat went out.
    outs: [u8; crate::game::SEATS],
}

impl Absence {
    pub(super) const NONE: Absence =
        Absence { out: Seats::NONE, expelled: Seats::NONE, outs: [0; crate::game::SEATS] };

    fn add(&mut self, seat: Seat, reason: Reason) {
        self.out = self.out.with(seat);
        if reason == Reason::Fault {
            self.expelled = self.expelled.with(seat);
        }
        if let Some(outs) = self.outs.get_mut(seat.index()) {
            *outs = outs.saturating_add(1);
        }
    }
}

impl Table {
    /// The seats that are not out.
    pub fn live(&self) -> Seats {
        Seats::all(self.players).minus(self.absence.out)
    }

    /// How often a seat has gone out.
    pub fn outs_of(&self, seat: Seat) -> u8 {
        self.absence.outs.get(seat.index()).copied().unwrap_or(0)
    }

    /// Whether a seat that is out may come back.
    pub fn may_return(&self, seat: Seat) -> bool {
        self.absence.out.contains(seat) && !self.absence.expelled.contains(seat)
    }

    /// Puts the seats out about which the phase holds a verdict. True if there is one.
    pub(super) fn put_out(&mut self, records: &[Signed], facts: &mut Vec<Fact>) -> bool {
        let verdicts: Vec<(Seat, Reason)> = records
            .iter()
            .filter(|record| record.is_verdict())
            .filter_map(|entry| {
                let seat = Seat::new(entry.record().seat)?;
                Some((seat, self.reason_of(seat, entry).ok()?))
            })
            .collect();
        for (seat, reason) in &verdicts {
            let saw_cards = matches!(self.phase, Phase::Shares | Phase::Reveal);
            let pays = if saw_cards { deck::hand_size(self.players) } else { 0 };
            self.absence.add(*seat, *reason);
            for game in [&mut self.game, &mut self.full] {
                if game.stage() != Stage::Over {
                    advance(game, |game| game.out_paying(*seat, pays));
                }
            }
            facts.push(Fact::Out { seat: *seat, reason: *reason, pays });
        }
        !verdicts.is_empty()
    }

    /// What comes of a phase with a verdict in it where that is not what comes of it otherwise:
    /// the game ends early, or the deal starts again without the seat.
    pub(super) fn broken_off(&mut self, facts: &mut Vec<Fact>) -> Option<Phase> {
        let dealing = matches!(
            self.phase,
            Phase::Commit | Phase::Shuffle(_) | Phase::Ready | Phase::Shares | Phase::Reveal
        );
        let playing = matches!(self.phase, Phase::Choice | Phase::ChoiceOpen | Phase::Turn(_));
        if self.game.is_abandoned() && (dealing || playing) {
            return Some(Phase::Result);
        }
        dealing.then(|| {
            let attempt = self.attempt + 1;
            facts.push(Fact::DealtAnew { attempt });
            self.begin_attempt(attempt)
        })
    }

    /// Takes back the seats whose notes the records of the round's end carry.
    pub(super) fn take_back(&mut self, bodies: &[&Body], facts: &mut Vec<Fact>) {
        if self.game.next_round().is_err() {
            return;
        }
        let out: Vec<Seat> =
            self.absence.out.iter().filter(|seat| self.may_return(*seat)).collect();
        for seat in out {
            let carried = bodies.iter().filter(|body| self.carries(body, seat)).count();
            let needed = if self.outs_of(seat) > 1 { bodies.len() } else { 1 };
            if carried < needed {
                continue;
            }
            self.absence.out = self.absence.out.without(seat);
            for game in [&mut self.game, &mut self.full] {
                advance(game, |game: &Game| game.back(seat));
            }
            facts.push(Fact::Back { seat });
        }
    }

    fn carries(&self, body: &Body, seat: Seat) -> bool {
        let Body::RoundEndBack { returns, .. } = body else { return false };
        returns.iter().any(|note| self.returns(note) == Some(seat))
    }

    /// The seat that this note wants to be dealt in, if it may.
    pub fn returns(&self, note: &[u8]) -> Option<Seat> {
        let key_of = |seat: u8| self.roster.joins.get(usize::from(seat)).map(|join| join.key);
        let seat = Seat::new(Note::open(note, key_of)?.seat)?;
        let wants = NoteBody::Return { outs: self.outs_of(seat) };
        (self.may_return(seat) && self.note_of(seat, note) == Some(wants)).then_some(seat)
    }

    /// Checks the notes that a record of the round's end carries: one a seat, by seat.
    pub(super) fn check_returns(&self, returns: &[Vec<u8>]) -> Result<(), String> {
        let seats: Option<Vec<Seat>> = returns.iter().map(|note| self.returns(note)).collect();
        let right = seats
            .is_some_and(|seats| !seats.is_empty() && seats.is_sorted_by(|one, next| one < next));
        if right { Ok(()) } else { Err("carried a note that brings no seat back".into()) }
    }
}
