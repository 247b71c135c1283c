//! Going on without somebody: what this seat says at each base that is not final, and what follows
//! for its log. What may be said and taken is the court's to tell; see [`crate::protocol::court`].

use super::{
    Link, News, Output, Session,
    bench::{Bench, Said, thing},
};
use crate::{
    game::{Seat, Seats},
    protocol::{
        court::{Attempt, What},
        crypto::hash::Hash,
        limits::{HAVES_A_BASE, RETRY_MS, VOTES_A_LINK},
        log::record::{Signed, Unchecked},
        message::Talk,
        vote::{Paper, Says, SignedVote, Why, unchecked},
    },
};

impl Session {
    /// A vote came from a neighbour. What it costs to look at is bounded before anything is looked
    /// at: by neighbour and by whom it names.
    pub(super) fn receive_vote(&mut self, link: Link, bytes: &[u8], now: u64) {
        let Some(paper) = unchecked(bytes) else {
            self.outputs.push_back(Output::Tell(News::BadNeighbour(link)));
            return;
        };
        if !self.may_hear(link, paper.program, 1) {
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

    /// Whether something of this cost, in votes, that a neighbour sends in the name of a program is
    /// looked at. A neighbour that is gone is not heard, and nothing is kept of it.
    pub(super) fn may_hear(&mut self, link: Link, program: u8, cost: usize) -> bool {
        let quotas = &mut self.vote_quotas;
        self.links.has(link)
            && quotas.entry((link, program)).or_default().take(
                self.now / RETRY_MS,
                cost,
                VOTES_A_LINK,
            )
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
        self.note_doubles(&open);
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
            let gone = self.benches.get_mut(base).map(|bench| bench.court.let_go_as_out());
            self.let_go(base, gone.unwrap_or_default());
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
        gone.into_iter().for_each(|seat| drop(self.chain.let_go(seat)));
    }

    /// Takes the records that came late where nothing this seat signed is against it any more.
    fn take_late(&mut self) {
        let base = *self.chain.table.base();
        let Some(bench) = self.benches.get_mut(&base) else { return };
        let table = &self.chain.table;
        let liars = self.faults.programs(table);
        let mut taken = Vec::new();
        for program in table.owners().iter() {
            if bench.court.held(program).is_some() {
                continue;
            }
            let seats = table.owed_by(program);
            let rounds = [0, 1].into_iter().find_map(|which| {
                let of = |seat: &Seat| {
                    let held = self.chain.held().get(seat).filter(|held| !held.is_verdict());
                    let mut late = bench.late.iter().filter(|late| late.seat() == Some(*seat));
                    held.or_else(|| late.nth(which)).cloned()
                };
                let records = seats.iter().map(of).collect::<Option<Vec<Signed>>>()?;
                let bytes: Vec<&[u8]> = records.iter().map(Signed::bytes).collect();
                let name = thing(&bytes);
                let refused =
                    liars.contains(program) && !bench.court.is_shown(program, name, liars);
                let free = !refused && !bench.court.is_disputed(program, name);
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

    pub(super) fn say(&mut self, base: &Hash, says: Says) {
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
        let named: Vec<Seat> = self.asked_against(base).iter().collect();
        if named.is_empty() && !self.benches.contains_key(base) {
            return;
        }
        let bench = Session::bench(&mut self.benches, &self.chain, self.seat, base);
        let Some(bench) = bench else { return };
        let mut due: Vec<(u64, (Seat, Hash))> = bench.court.haves_due().into_iter().collect();
        for owner in bench.court.doubles().iter().chain(named) {
            if let Some(What::Record(mine)) = bench.court.held(owner).map(|held| held.what)
                && !bench.court.has_shown(owner, mine)
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

    /// The programs at fault that somebody wants to go on without, though their records are held
    /// here: who refuses them must learn of it.
    fn asked_against(&self, base: &Hash) -> Seats {
        let table = &self.chain.table;
        if base != table.base() {
            return Seats::NONE;
        }
        let others = table.live_programs().without(self.seat).iter();
        let named = others.filter_map(|program| self.ask_of(program));
        let named: Seats = named.flat_map(Seats::iter).collect();
        let whole = |program: &Seat| held_of(&self.chain, *program).is_some();
        named.iter().filter(whole).collect()
    }

    /// The records of a program that are held at the open base, or that the log has at another.
    fn records_at(&self, base: &Hash, program: Seat) -> Vec<Vec<u8>> {
        let table = &self.chain.table;
        let of = |bytes: &[u8]| {
            let entry = Unchecked::decode(bytes).ok().filter(|entry| !entry.is_verdict());
            entry.and_then(|entry| entry.seat()).is_some_and(|seat| table.program(seat) == program)
        };
        if base == table.base() {
            let held = self.chain.held().values().map(|held| held.bytes().to_vec());
            return held.filter(|bytes| of(bytes)).collect();
        }
        self.chain.logged_at(base).iter().filter(|bytes| of(bytes)).cloned().collect()
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
        let liars = self.faults.programs(&self.chain.table);
        bench.is_none_or(|bench| bench.court.may_lock(outcome, liars))
    }
}

/// What names what is held of a program at the open base, if all that it owes is.
pub(super) fn held_of(chain: &super::chain::Chain, program: Seat) -> Option<Hash> {
    let record = |seat: Seat| chain.held().get(&seat).filter(|held| !held.is_verdict());
    let records =
        chain.table.owed_by(program).into_iter().map(record).collect::<Option<Vec<&Signed>>>()?;
    let bytes: Vec<&[u8]> = records.iter().map(|record| record.bytes()).collect();
    (!bytes.is_empty()).then(|| thing(&bytes))
}
