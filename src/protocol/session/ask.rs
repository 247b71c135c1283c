//! Whom this program would go on without: what the player says, and who left or is at fault; and
//! the motion, where everyone who is there wants the same.

use super::{NotNow, Session, bench::Bench, standing::Sort};
use crate::{
    game::{Seat, Seats},
    protocol::{
        crypto::hash::Hash,
        limits::RETRY_MS,
        message::NoteBody,
        vote::{Motion, Reason, Says, Why, Without},
    },
};

impl Session {
    /// The player does not want to wait for `seat` any longer. With the same wish of everyone else
    /// who is there the seat is out, and with it all that its program plays.
    ///
    /// # Errors
    /// [`NotNow`] if the table does not wait for that seat, or this seat cannot decide it.
    pub fn claim(&mut self, seat: Seat, now: u64) -> Result<(), NotNow> {
        self.now = now;
        if !self.may_sign() {
            return Err(NotNow::Silent);
        }
        let program = self.chain.table.program(seat);
        if !self.may_ask() {
            return Err(NotNow::NoVote);
        }
        if program == self.program() || !self.waits_for().contains(program) {
            return Err(NotNow::NotAwaited(self.name_of(seat)));
        }
        if !self.is_enough(self.asked.with(program)) {
            return Err(NotNow::Alone);
        }
        self.asked = self.asked.with(program);
        self.asked_at = now;
        self.progress(now);
        Ok(())
    }

    /// The seats that this one may ask the others to go on without: those the table has waited for
    /// as long as its terms say, the clock where a player is to decide and the patience elsewhere.
    pub fn overdue(&self, now: u64) -> Vec<Seat> {
        let table = &self.chain.table;
        let terms = &table.roster().terms;
        let clock = table.asks_player().then_some(terms.clock_s).filter(|clock| *clock > 0);
        let limit = u64::from(clock.unwrap_or(terms.patience_s)) * 1_000;
        if limit == 0 || self.waited(now) < limit || !self.may_ask() {
            return Vec::new();
        }
        let patient = now.saturating_sub(self.asked_at) >= limit;
        let owners = self.programs_awaited();
        let may = |program: &Seat| {
            let asked = owners.contains(*program) || patient;
            *program != self.program() && asked && self.is_enough(self.asked.with(*program))
        };
        let programs = self.waits_for().iter().filter(may);
        programs.flat_map(|program| self.seats_awaited(program)).collect()
    }

    /// How long the open phase has lasted, in milliseconds.
    pub fn waited(&self, now: u64) -> u64 {
        now.saturating_sub(self.chain.phase_at)
    }

    /// The seats that somebody wants to go on without here, with those who do.
    pub fn claimed(&self) -> Vec<(Seat, Vec<Seat>)> {
        let asks: Vec<(Seat, Seats)> = self
            .chain
            .table
            .live_programs()
            .iter()
            .filter_map(|program| Some((program, self.ask_of(program)?)))
            .collect();
        let named: Seats = asks.iter().flat_map(|(_, without)| without.iter()).collect();
        let by = |program: Seat| {
            let of = asks.iter().filter(|(_, without)| without.contains(program));
            of.map(|(by, _)| *by).collect::<Vec<Seat>>()
        };
        let seats = |program: Seat| {
            self.seats_awaited(program).into_iter().map(move |seat| (seat, program))
        };
        named.iter().flat_map(seats).map(|(seat, program)| (seat, by(program))).collect()
    }

    /// The seats of a program that the table waits for, or its keeper's.
    fn seats_awaited(&self, program: Seat) -> Vec<Seat> {
        let of = |seat: &Seat| self.chain.table.program(*seat) == program;
        let awaited: Vec<Seat> = self.awaited().into_iter().filter(of).collect();
        if awaited.is_empty() { vec![program] } else { awaited }
    }

    /// The program this seat belongs to.
    pub(super) fn program(&self) -> Seat {
        self.chain.table.program(self.seat)
    }

    /// Whether this seat speaks for its program here: a keeper that is not out.
    fn may_ask(&self) -> bool {
        let table = &self.chain.table;
        self.program() == self.seat && table.live().contains(self.seat) && table.is_contestable()
    }

    /// The programs that owe something here.
    fn programs_awaited(&self) -> Seats {
        self.chain.table.programs(self.awaited().into_iter().collect())
    }

    /// The programs that the table waits for: those that owe something, and those that were asked
    /// to go on without others and have not answered.
    fn waits_for(&self) -> Seats {
        let mut programs = self.programs_awaited();
        let table = &self.chain.table;
        let bench = self.benches.get(table.base());
        let wish = self.wish();
        let open = bench.is_some_and(|bench| !bench.court.is_idle());
        if wish.is_empty() && !open {
            return programs;
        }
        for program in table.live_programs().minus(wish).without(self.program()).iter() {
            let signed = bench.is_some_and(|bench| {
                bench.court.signed(program).any(|attempt| attempt.without == wish)
            });
            if !signed && self.ask_of(program) != Some(wish) {
                programs = programs.with(program);
            }
        }
        programs
    }

    /// What a program wants to go on without at the open base.
    pub(super) fn ask_of(&self, program: Seat) -> Option<Seats> {
        match &self.standing.of(program, Sort::Ask)?.body {
            NoteBody::Ask { base, without } if base == self.chain.table.base() => {
                let named = Seats::from_bits(*without);
                Some(named).filter(|named| !named.is_empty())
            }
            _ => None,
        }
    }

    /// The programs that this one would go on without: those the player does not want to wait for,
    /// and those that left or are at fault, which need no player.
    fn wish(&self) -> Seats {
        let table = &self.chain.table;
        if !self.may_ask() {
            return Seats::NONE;
        }
        let bench = self.benches.get(table.base());
        let owners = table.owners().without(self.program());
        let here = self.asked.among(table.live_programs());
        let mut wish = here.minus(owners);
        for program in owners.iter() {
            let contested = bench.is_some_and(|bench| bench.court.is_contested(program));
            let awaited = self.programs_awaited().contains(program);
            let faulty = self.faults.has_program(table, program);
            let late = bench.is_some_and(|bench| !faulty && self.is_whole(bench, program));
            let silent = here.contains(program) || faulty || self.leave_of(program).is_some();
            if contested || awaited && silent && !late {
                wish = wish.with(program);
            }
        }
        if wish.among(owners).is_empty() && bench.is_none_or(|bench| bench.court.is_idle()) {
            return Seats::NONE;
        }
        wish
    }

    /// Whether all that a program owes here is held or has come late.
    fn is_whole(&self, bench: &Bench, program: Seat) -> bool {
        self.chain.table.owed_by(program).into_iter().all(|seat| {
            let held = self.chain.held().get(&seat).is_some_and(|held| !held.is_verdict());
            held || bench.late.iter().any(|late| late.seat() == Some(seat))
        })
    }

    /// The note by which a program has left, if nothing of it is newer.
    pub(super) fn leave_of(&self, program: Seat) -> Option<Vec<u8>> {
        let table = &self.chain.table;
        let leave = self.standing.leave_of(program)?;
        let NoteBody::Leave { base, signed } = leave.body else { return None };
        let mut held = table
            .seats_of(program)
            .iter()
            .filter(|seat| self.chain.held().get(seat).is_some_and(|held| !held.is_verdict()));
        let allowed = |seat: Seat| base == *table.base() && signed >> seat.index() & 1 == 1;
        (held.all(allowed) && table.has_left(program, &leave.bytes)).then(|| leave.bytes.clone())
    }

    fn why(&self, program: Seat) -> Why {
        match (self.proof_of(program), self.leave_of(program)) {
            (Some(proof), _) => Why::Fault(proof),
            (None, Some(note)) => Why::Left(note),
            (None, None) => Why::Silent,
        }
    }

    fn motion(&self, number: u64, without: Seats) -> Motion {
        let of = |program: Seat| Without { program: program.index() as u8, why: self.why(program) };
        Motion { number, without: without.iter().map(of).collect() }
    }

    fn is_enough(&self, without: Seats) -> bool {
        self.chain.table.is_enough(&self.motion(1, without))
    }

    /// Tells whom this program would go on without, and puts the motion where all want the same.
    pub(super) fn ask_and_put(&mut self) {
        if !self.may_sign() || !self.may_ask() {
            return;
        }
        let base = *self.chain.table.base();
        let wish = self.wish();
        if self.ask_of(self.seat).unwrap_or_default() != wish {
            self.say_note(NoteBody::Ask { base, without: wish.bits() });
        }
        let asked = self.chain.table.live_programs().minus(wish);
        let agreed = asked.iter().all(|program| self.ask_of(program) == Some(wish));
        if wish.is_empty() || !agreed || !self.is_enough(wish) {
            return;
        }
        self.put(&base, wish);
    }

    /// Signs a motion to go on without these programs, in the words that weigh most of those known.
    fn put(&mut self, base: &Hash, wish: Seats) {
        let now = self.now;
        let mine = self.motion(1, wish);
        let Some(bench) = Session::bench(&mut self.benches, &self.chain, self.seat, base) else {
            return;
        };
        let weight = |motion: &Motion| {
            let reasons: Vec<Reason> = motion.without.iter().map(|of| of.why.reason()).collect();
            (reasons, std::cmp::Reverse(Motion { number: 0, ..motion.clone() }.attempt().name))
        };
        let others = bench.motions(wish).cloned();
        let Some(best) = others.chain([mine]).max_by_key(weight) else { return };
        let own = bench.court.signed(self.seat).rfind(|own| own.without == wish).copied();
        let number = bench.court.next_number(wish);
        let follows = own.is_some_and(|own| {
            let same = Motion { number: own.number, ..best.clone() }.attempt() == own;
            let ahead = bench.motions(wish).any(|motion| motion.number > own.number);
            same && !ahead
        });
        let soon = bench.put_at.is_some_and(|at| now < at + RETRY_MS / 4);
        let motion = Motion { number, ..best };
        let attempt = motion.attempt();
        let right = self.chain.table.check_motion(&motion).is_ok();
        if follows || soon || !right || !bench.court.may_sign(&attempt) {
            return;
        }
        bench.put_at = Some(now);
        self.say(base, Says::Sign(motion));
        self.let_go(base, wish);
    }

    /// Lets go what the owners of two records had at the open base, where the court did.
    pub(super) fn let_go(&mut self, base: &Hash, owners: Seats) {
        let Some(bench) = self.benches.get_mut(base) else { return };
        let gone = owners.iter().filter(|program| bench.court.held(*program).is_none());
        let seats: Vec<Seat> = gone.flat_map(|it| self.chain.table.owed_by(it)).collect();
        for record in seats.into_iter().filter_map(|seat| self.chain.let_go(seat)) {
            bench.keep_late(record);
        }
    }

    /// When something may be owed that is not owed yet.
    pub(super) fn judge_at_time(&self) -> Option<u64> {
        let bench = self.benches.get(self.chain.table.base())?;
        bench.put_at.map(|at| at + RETRY_MS / 4).filter(|at| *at > self.now)
    }
}
