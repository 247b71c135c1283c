//! Programs: which seats go out together, what follows from that, and how a seat comes back.

use std::collections::BTreeMap;

use super::{Fact, Phase, Table, steps::advance};
use crate::{
    game::{Game, Seat, Seats, Stage, deck},
    protocol::{
        crypto::hash::Hash,
        log::record::{Body, Signed},
        message::{Note, NoteBody},
        vote::Reason,
    },
};

/// Who is out, and who has said what last.
#[derive(Debug, Clone)]
pub(super) struct Absence {
    /// The seats that are out.
    pub(super) out: Seats,
    /// Those of them that may not come back.
    expelled: Seats,
    /// How often each seat went out.
    outs: [u8; crate::game::SEATS],
    /// By seat: the phase of its last own record in the log, from 1, or in which it came back.
    spoke: [u32; crate::game::SEATS],
    /// The number of the open phase, from 1.
    pub(super) phase: u32,
    /// The phases by base, as far back as a seat that is not out has not spoken since.
    bases: BTreeMap<Hash, u32>,
}

impl Absence {
    pub(super) fn new() -> Absence {
        Absence {
            out: Seats::NONE,
            expelled: Seats::NONE,
            outs: [0; crate::game::SEATS],
            spoke: [0; crate::game::SEATS],
            phase: 1,
            bases: BTreeMap::new(),
        }
    }

    fn put_out(&mut self, seat: Seat, reason: Reason) {
        self.out = self.out.with(seat);
        if reason == Reason::Fault {
            self.expelled = self.expelled.with(seat);
        }
        if let Some(outs) = self.outs.get_mut(seat.index()) {
            *outs = outs.saturating_add(1);
        }
    }

    fn spoke(&self, seat: Seat) -> u32 {
        self.spoke.get(seat.index()).copied().unwrap_or(0)
    }

    fn hear(&mut self, seat: Seat) {
        if let Some(spoke) = self.spoke.get_mut(seat.index()) {
            *spoke = self.phase;
        }
    }
}

impl Table {
    /// The seats that are not out.
    pub fn live(&self) -> Seats {
        Seats::all(self.players).minus(self.absence.out)
    }

    /// The program that plays a seat, by its keeper's seat: the seat itself or who keeps the bot.
    pub fn program(&self, seat: Seat) -> Seat {
        let keeper = self.player(seat).and_then(|join| join.kept_by);
        keeper.and_then(Seat::new).unwrap_or(seat)
    }

    /// The programs of these seats.
    pub fn programs(&self, seats: Seats) -> Seats {
        seats.iter().map(|seat| self.program(seat)).collect()
    }

    /// The live programs.
    pub fn live_programs(&self) -> Seats {
        self.programs(self.live())
    }

    /// The seats of a program that are not out.
    pub fn seats_of(&self, program: Seat) -> Seats {
        self.live().iter().filter(|seat| self.program(*seat) == program).collect()
    }

    /// The programs whose records this phase asks for.
    pub fn owners(&self) -> Seats {
        self.programs(self.expected().into_iter().collect())
    }

    /// The seats of a program whose records this phase asks for.
    pub fn owed_by(&self, program: Seat) -> Vec<Seat> {
        let expected = self.expected().into_iter();
        expected.filter(|seat| self.program(*seat) == program).collect()
    }

    /// The number of the open phase, from 1: each turn is one.
    pub fn phase_number(&self) -> u32 {
        self.absence.phase
    }

    /// How often a seat has gone out.
    pub fn outs_of(&self, seat: Seat) -> u8 {
        self.absence.outs.get(seat.index()).copied().unwrap_or(0)
    }

    /// Whether a seat that is out may come back.
    pub fn may_return(&self, seat: Seat) -> bool {
        self.absence.out.contains(seat) && !self.absence.expelled.contains(seat)
    }

    /// Whether by this note a program has left, and nothing of it in the log is newer.
    pub fn has_left(&self, program: Seat, note: &[u8]) -> bool {
        let Some(NoteBody::Leave { base, signed }) = self.note_of(program, note) else {
            return false;
        };
        let open = (base == self.base).then_some(self.absence.phase);
        let Some(at) = open.or_else(|| self.absence.bases.get(&base).copied()) else {
            return false;
        };
        self.seats_of(program).iter().all(|seat| {
            let spoke = self.absence.spoke(seat);
            spoke < at || spoke == at && signed >> seat.index() & 1 == 1
        })
    }

    /// A phase is full: notes who has spoken in it.
    pub(super) fn note_phase(&mut self, records: &[Signed]) {
        for seat in records.iter().filter(|it| !it.is_verdict()).filter_map(Signed::seat) {
            self.absence.hear(seat);
        }
        self.absence.bases.insert(self.base, self.absence.phase);
        let spoke = self.live().iter().map(|seat| self.absence.spoke(seat));
        let oldest = spoke.min().unwrap_or(0);
        self.absence.bases.retain(|_, phase| *phase >= oldest);
        self.absence.phase += 1;
    }

    /// Puts the programs out about which the phase holds a verdict. True if there is one.
    pub(super) fn put_out(&mut self, records: &[Signed], facts: &mut Vec<Fact>) -> bool {
        let mut any = false;
        for entry in records {
            let (Some(seat), Body::Verdict(verdict)) = (entry.seat(), &entry.record().body) else {
                continue;
            };
            let program = self.program(seat);
            let reason = verdict.motion.why(program).map_or(Reason::Silent, |why| why.reason());
            self.put_program_out(program, reason, facts);
            any = true;
        }
        any
    }

    /// Puts all seats of a program out. In the phase that shows it its cards each pays a full hand.
    pub(super) fn put_program_out(&mut self, program: Seat, reason: Reason, facts: &mut Vec<Fact>) {
        let saw_cards = matches!(self.phase, Phase::Shares | Phase::Reveal);
        let pays = if saw_cards { deck::hand_size(self.players) } else { 0 };
        for seat in self.seats_of(program).iter() {
            self.absence.put_out(seat, reason);
            let ended = self.game.is_abandoned() && pays == 0;
            for game in [&mut self.game, &mut self.full] {
                if game.stage() != Stage::Over || game.is_abandoned() && !ended {
                    advance(game, |game| game.out_paying(seat, pays));
                }
            }
            // Who goes out with the one that ended the game, and pays nothing, is no news.
            if ended {
                continue;
            }
            facts.push(Fact::Out { seat, reason, pays });
        }
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

    /// Two seats that committed to one key of the deal, which only its two holders can: their
    /// programs are at fault, and the deal starts again without them.
    pub(super) fn put_twins_out(&mut self, bodies: &[&Body], facts: &mut Vec<Fact>) -> Phase {
        let dealt_in = self.deal.context().dealt_in().iter();
        let keys = dealt_in.zip(bodies).filter_map(|(seat, body)| match body {
            Body::Seal(commitment) => Some((seat, commitment.key)),
            _ => None,
        });
        let keys: Vec<_> = keys.collect();
        let same = |(seat, key): &&(Seat, _)| keys.iter().any(|(by, of)| by != seat && of == key);
        let twins = self.programs(keys.iter().filter(same).map(|(seat, _)| *seat).collect());
        for program in twins.iter() {
            self.put_program_out(program, Reason::Fault, facts);
        }
        match self.broken_off(facts) {
            Some(phase) if !twins.is_empty() => phase,
            // Every seat's key is its own and they still cannot be used together: nobody at this
            // table is honest, and it stands.
            _ => Phase::Commit,
        }
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
            self.absence.hear(seat);
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
