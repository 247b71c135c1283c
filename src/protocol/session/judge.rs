//! Going on without somebody: what this seat says at each base that is not final, and what follows
//! for its log. What may be said and taken is the court's to tell; see [`crate::protocol::court`].

use super::{
    Link, News, NotNow, Output, Session,
    bench::{Bench, Said, thing},
    standing::Sort,
};
use crate::{
    game::{Seat, Seats},
    protocol::{
        court::{Attempt, What},
        crypto::hash::Hash,
        limits::{HAVES_A_BASE, RETRY_MS, VOTES_A_LINK},
        log::record::{Signed, Unchecked},
        message::{NoteBody, Talk},
        vote::{Motion, Paper, Reason, Says, SignedVote, Why, Without, unchecked},
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
    fn ask_of(&self, program: Seat) -> Option<Seats> {
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
            let late = bench.is_some_and(|bench| {
                !bench.court.doubles().contains(program) && self.is_whole(bench, program)
            });
            let silent = here.contains(program)
                || self.faults.has_program(table, program)
                || self.leave_of(program).is_some();
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
        let table = &self.chain.table;
        let mut seats = table.expected().into_iter().filter(|seat| table.program(*seat) == program);
        seats.all(|seat| {
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
        let logged = |wrong: &Unchecked| {
            let seat = Seat::new(wrong.record().seat)?;
            self.chain.logged_of(&wrong.record().base, seat)
        };
        let proof = self.faults.proof(&self.chain.table, program, logged);
        match (proof, self.leave_of(program)) {
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

    /// A vote came from a neighbour. What it costs to look at is bounded before anything is looked
    /// at: by neighbour and by whom it names.
    pub(super) fn receive_vote(&mut self, link: Link, bytes: &[u8], now: u64) {
        let Some(paper) = unchecked(bytes) else {
            self.outputs.push_back(Output::Tell(News::BadNeighbour(link)));
            return;
        };
        let quota = self.vote_quotas.entry((link, paper.program)).or_default();
        if !self.links.has(link) || !quota.take(now / RETRY_MS, 1, VOTES_A_LINK) {
            return;
        }
        let base = paper.base;
        if self.benches.get(&base).is_some_and(|bench| bench.knows(bytes)) {
            return;
        }
        let Some(table) = self.chain.table_at(&base) else {
            if !self.chain.has(&base) && !self.journal.is_undone(&base) {
                self.ask(link, now);
            }
            return;
        };
        let Some(vote) = table.open_vote(bytes) else {
            self.outputs.push_back(Output::Tell(News::BadNeighbour(link)));
            return;
        };
        if usize::from(paper.program) == self.seat.index() {
            return self.adopt_vote(vote);
        }
        if let Some(program) = Seat::new(paper.program) {
            self.asked = self.asked.without(program);
        }
        self.hear(vote, Some(link));
    }

    /// Takes a vote and forwards it.
    pub(super) fn hear(&mut self, vote: SignedVote, from: Option<Link>) {
        let base = vote.paper().base;
        let Some(bench) = Session::bench(&mut self.benches, &self.chain, self.seat, &base) else {
            return;
        };
        let Some(table) = self.chain.table_at(&base) else { return };
        let bytes = vote.bytes().to_vec();
        let shown = match &vote.paper().says {
            Says::Sign(motion) => motion
                .without
                .iter()
                .filter_map(|of| match &of.why {
                    Why::Fault(proof) => Some(proof.clone()),
                    _ => None,
                })
                .collect(),
            _ => Vec::new(),
        };
        let said = bench.hear(table, vote);
        if matches!(said, Said::Nothing) {
            return;
        }
        self.say_to_all(&Talk::Vote(bytes.clone()), from);
        for proof in shown {
            self.receive_fault(proof, None);
        }
        if let Said::Against(other) = said {
            let mut proof = vec![other, bytes];
            proof.sort();
            self.receive_fault(proof, None);
        }
    }

    /// The bench of a base that is not final; a new one if there is none yet.
    pub(super) fn bench<'a>(
        benches: &'a mut std::collections::BTreeMap<Hash, Bench>,
        chain: &super::chain::Chain,
        seat: Seat,
        base: &Hash,
    ) -> Option<&'a mut Bench> {
        let table = chain.table_at(base)?;
        Some(benches.entry(*base).or_insert_with(|| {
            let mut bench = Bench::new(table.program(seat), table);
            if base == chain.table.base() {
                for program in table.owners().iter() {
                    if let Some(thing) = held_of(chain, program) {
                        bench.court.take(program, thing);
                    }
                }
            } else {
                bench.lock(table, chain.logged_at(base));
            }
            bench
        }))
    }

    /// Says and takes all that this seat may at the bases that are not final.
    pub(super) fn judge(&mut self) {
        let open: Vec<Hash> = self.chain.bases_open().copied().collect();
        self.benches.retain(|base, _| open.contains(base));
        for base in open {
            self.judge_at(&base);
            if !self.chain.has(&base) {
                return;
            }
        }
        self.ask_and_put();
        let base = *self.chain.table.base();
        self.say_what_is_held(&base);
    }

    fn judge_at(&mut self, base: &Hash) {
        let Some(bench) = self.benches.get(base) else { return };
        let owners = bench.court.awaited();
        let reopens =
            bench.court.is_locked() && owners.iter().any(|owner| bench.court.is_contested(owner));
        if let Some(attempt) = bench.court.due() {
            self.reopen(base);
            self.take_attempt(base, &attempt);
        } else if reopens {
            self.reopen(base);
        }
        self.say_haves(base);
        if base == self.chain.table.base() {
            self.take_late();
        } else {
            self.say_what_is_held(base);
        }
    }

    /// A complete attempt is taken: its awaited programs are out here.
    fn take_attempt(&mut self, base: &Hash, attempt: &Attempt<Hash>) {
        let Some(bench) = self.benches.get_mut(base) else { return };
        let Some(verdict) = bench.verdict(attempt) else { return };
        bench.court.take_attempt(attempt);
        let table = &self.chain.table;
        let mut entries = Vec::new();
        let mut gone = Vec::new();
        for seat in table.expected() {
            match bench.court.held(table.program(seat)).map(|held| held.what) {
                Some(What::Out(name)) if name == attempt.name => {
                    let bytes = table.verdict(seat, verdict.clone());
                    match table.admit(&bytes) {
                        Ok(entry) => entries.push(entry),
                        Err(refusal) => debug_assert!(false, "an own verdict: {refusal}"),
                    }
                }
                None if self.chain.held().get(&seat).is_some_and(Signed::is_verdict) => {
                    gone.push(seat);
                }
                _ => {}
            }
        }
        entries.into_iter().for_each(|entry| self.chain.hold(entry));
        gone.into_iter().for_each(|seat| self.chain.let_go(seat));
    }

    /// Takes the records that came late where nothing this seat signed is against it any more.
    fn take_late(&mut self) {
        let base = *self.chain.table.base();
        let Some(bench) = self.benches.get_mut(&base) else { return };
        let table = &self.chain.table;
        let mut taken = Vec::new();
        for program in table.owners().iter() {
            if bench.court.held(program).is_some() {
                continue;
            }
            let seats: Vec<Seat> =
                table.expected().into_iter().filter(|it| table.program(*it) == program).collect();
            let rounds = [0, 1].into_iter().find_map(|which| {
                let of = |seat: &Seat| {
                    let held = self.chain.held().get(seat).filter(|held| !held.is_verdict());
                    let mut late = bench.late.iter().filter(|late| late.seat() == Some(*seat));
                    held.or_else(|| late.nth(which)).cloned()
                };
                let records = seats.iter().map(of).collect::<Option<Vec<Signed>>>()?;
                let bytes: Vec<&[u8]> = records.iter().map(Signed::bytes).collect();
                let name = thing(&bytes);
                let free = !bench.court.is_disputed(program, name);
                (free && bench.court.may_take(program, name)).then_some((records, name))
            });
            if let Some((records, name)) = rounds {
                bench.court.take(program, name);
                taken.extend(records);
            }
        }
        bench.late.retain(|late| !taken.contains(late));
        for record in taken {
            if record.seat() != Some(self.seat) || self.adopt_own(&record) {
                self.say_to_all(&Talk::Fresh(record.bytes().to_vec()), None);
                self.chain.hold(record);
            }
        }
    }

    /// Whether this seat may say something binding here, for its program.
    fn speaks_at(&self, base: &Hash) -> bool {
        let live = self.chain.table_at(base).map(|table| table.live().contains(self.seat));
        self.may_sign() && self.program() == self.seat && live == Some(true)
    }

    fn say(&mut self, base: &Hash, says: Says) {
        let paper = Paper { base: *base, program: self.seat.index() as u8, says };
        let binds = paper.says.binds();
        let bytes = paper.sign(&self.identity);
        let Some(vote) = self.chain.table.open_vote(&bytes) else { return };
        if binds {
            self.outputs.push_back(Output::Journal(bytes));
        }
        self.hear(vote, None);
    }

    /// Answers attempts that exclude what this seat holds.
    fn say_haves(&mut self, base: &Hash) {
        if !self.speaks_at(base) {
            return;
        }
        let now = self.now;
        let Some(bench) = self.benches.get_mut(base) else { return };
        let mut due: Vec<(u64, (Seat, Hash))> = bench.court.haves_due().into_iter().collect();
        for owner in bench.court.doubles().iter() {
            if let Some(What::Record(mine)) = bench.court.held(owner).map(|held| held.what)
                && !bench.court.has_told_of(owner, mine)
            {
                due.push((0, (owner, mine)));
            }
        }
        due.retain(|_| bench.haves.take(now / RETRY_MS, 1, HAVES_A_BASE));
        for (number, (owner, thing)) in due {
            let held = self.records_at(base, owner);
            if number > 0 {
                // What it says to hold it must still have after a crash.
                let kept = held.iter().cloned().map(Output::Journal);
                self.outputs.extend(kept);
            }
            self.say(base, Says::Have { number, owner: owner.index() as u8, thing });
            if base == self.chain.table.base() {
                held.into_iter().for_each(|bytes| self.say_to_all(&Talk::Fresh(bytes), None));
            }
        }
    }

    /// The records of a program that are held at the open base, or that the log has at another.
    fn records_at(&self, base: &Hash, program: Seat) -> Vec<Vec<u8>> {
        let table = &self.chain.table;
        let of = |bytes: &[u8]| {
            let entry = Unchecked::decode(bytes).ok().filter(|entry| !entry.is_verdict());
            let seat = entry.and_then(|entry| Seat::new(entry.record().seat));
            seat.is_some_and(|seat| table.program(seat) == program)
        };
        if base == table.base() {
            let held = self.chain.held().values().map(|held| held.bytes().to_vec());
            return held.filter(|bytes| of(bytes)).collect();
        }
        self.chain.logged_at(base).iter().filter(|bytes| of(bytes)).cloned().collect()
    }

    /// Tells whom this program would go on without, and puts the motion where all want the same.
    fn ask_and_put(&mut self) {
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
        // What the owner of two records had here is let go.
        let let_go: Vec<Seat> = self
            .chain
            .held()
            .keys()
            .copied()
            .filter(|seat| {
                let program = self.chain.table.program(*seat);
                let bench = self.benches.get(base);
                bench.is_some_and(|bench| bench.court.held(program).is_none())
                    && wish.contains(program)
            })
            .collect();
        for seat in let_go {
            if let Some(record) = self.chain.held().get(&seat).cloned()
                && let Some(bench) = self.benches.get_mut(base)
            {
                bench.keep_late(record);
            }
            self.chain.let_go(seat);
        }
    }

    /// Where somebody has signed an attempt, everyone says what it holds before it goes on above.
    fn say_what_is_held(&mut self, base: &Hash) {
        if !self.speaks_at(base) {
            return;
        }
        let Some(outcome) = self.outcome(base) else { return };
        let told = self.benches.get(base).is_none_or(|bench| {
            bench.court.is_idle() || bench.court.told_by(self.seat) == Some(outcome)
        });
        if !told {
            self.say(base, Says::Holds(outcome));
        }
    }

    /// What names all that is held at a base.
    pub(super) fn outcome(&self, base: &Hash) -> Option<Hash> {
        let table = self.chain.table_at(base)?;
        if base != self.chain.table.base() {
            let entries: Vec<&[u8]> =
                self.chain.logged_at(base).iter().map(Vec::as_slice).collect();
            return Some(table.name_of_outcome(&entries));
        }
        if !self.chain.awaited().is_empty() {
            return None;
        }
        let entries: Vec<&[u8]> = self.chain.held().values().map(Signed::bytes).collect();
        Some(table.name_of_outcome(&entries))
    }

    /// Whether the full phase may go into the log.
    pub(super) fn may_fill(&self) -> bool {
        let base = self.chain.table.base();
        let bench = self.benches.get(base);
        let Some(outcome) = self.outcome(base) else { return false };
        bench.is_none_or(|bench| bench.court.may_lock(outcome))
    }

    /// When something may be owed that is not owed yet.
    pub(super) fn judge_at_time(&self) -> Option<u64> {
        let bench = self.benches.get(self.chain.table.base())?;
        bench.put_at.map(|at| at + RETRY_MS / 4).filter(|at| *at > self.now)
    }
}

/// What names what is held of a program at the open base, if all that it owes is.
pub(super) fn held_of(chain: &super::chain::Chain, program: Seat) -> Option<Hash> {
    let table = &chain.table;
    let seats = table.expected().into_iter().filter(|seat| table.program(*seat) == program);
    let record = |seat: Seat| chain.held().get(&seat).filter(|held| !held.is_verdict());
    let records = seats.map(record).collect::<Option<Vec<&Signed>>>()?;
    let bytes: Vec<&[u8]> = records.iter().map(|record| record.bytes()).collect();
    (!bytes.is_empty()).then(|| thing(&bytes))
}

impl Session {
    /// DEBUG
    pub fn debug(&self) -> String {
        let t = &self.chain.table;
        let mut s = format!(
            "seat {} len {} final {} phase {:?} base {:02x}{:02x} awaited {:?} held {:?} may_sign {} reached {} asked {:?} wish {:?} live {:?} enough_asked {} asks {:?} may_fill {} faults {:?}\n",
            self.seat,
            t.length(),
            self.length_final(),
            t.phase(),
            t.base()[0],
            t.base()[1],
            self.awaited().iter().map(|s| s.number()).collect::<Vec<_>>(),
            self.chain
                .held()
                .iter()
                .map(|(s, h)| (s.number(), h.is_verdict(), h.bytes()[70]))
                .collect::<Vec<_>>(),
            self.may_sign(),
            self.journal.is_reached(|base| self.chain.has(base)),
            self.asked,
            self.wish(),
            t.live(),
            true,
            t.live_programs().iter().map(|p| (p.number(), self.ask_of(p))).collect::<Vec<_>>(),
            self.may_fill(),
            self.faults.reasons.keys().map(|s| s.number()).collect::<Vec<_>>()
        );
        for (b, bench) in &self.benches {
            s += &format!(
                "   bench {:02x}{:02x} late {:?} put {:?} {}\n",
                b[0],
                b[1],
                bench.late.iter().map(|l| l.seat().map(|s| s.number())).collect::<Vec<_>>(),
                bench.put_at,
                bench.court.debug()
            );
        }
        s
    }
}
