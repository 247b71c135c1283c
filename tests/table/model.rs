//! Every order in which programs can go on without somebody at one base: what each may sign and
//! take next is tried in each state, until nothing new is reached.
//!
//! What is signed is known everywhere at once. A signature that comes late, or never, only means
//! that a program does not yet do what it might do; so every delay and every loss is covered. A
//! program that lies has signed every attempt that asks it and said HAVE of every number, from the
//! start.
//!
//! A program may also *build* on what it holds: it signs something above. What all live programs
//! beside the owner have built on is final, and no honest program gives it up.

use std::{
    collections::{HashSet, VecDeque},
    hash::{DefaultHasher, Hash, Hasher},
};

use fairdeal::{
    game::{Seat, Seats},
    protocol::court::{Attempt, Court, Held, What},
};

/// The owner's record, and the second one of an owner that signs two.
const RECORD: u8 = 0;
const OTHER: u8 = 1;

/// What is searched.
#[derive(Clone)]
struct Plan {
    programs: u8,
    awaited: Seats,
    liars: Seats,
    attempts: Vec<Attempt<u8>>,
    /// The first awaited program has signed two records, and nobody knows where they are.
    double: bool,
    /// Programs build on what they hold.
    builds: bool,
}

#[derive(Debug, Clone, PartialEq, Eq, Hash)]
struct State {
    courts: Vec<Court<u8>>,
    /// By program: the outcomes it has built on, as bits.
    built: Vec<u64>,
}

/// What a search has found.
#[derive(Debug, Default)]
struct Found {
    states: usize,
    /// Ends in which two honest programs that were asked hold different things.
    differences: usize,
    /// Ends in which an honest program that is not out holds nothing.
    empty: usize,
    /// Two things final at two honest programs.
    forks: usize,
    /// States in which what was final was given up.
    undone: usize,
}

fn seat(index: u8) -> Seat {
    Seat::new(index).unwrap()
}

fn seats(indices: &[u8]) -> Seats {
    indices.iter().map(|index| seat(*index)).collect()
}

fn plan(programs: u8, awaited: &[u8], liars: &[u8], attempts: &[(u64, &[u8])]) -> Plan {
    let attempt = |(index, (number, without)): (usize, &(u64, &[u8]))| Attempt {
        number: *number,
        without: seats(without),
        name: 10 + index as u8,
    };
    Plan {
        programs,
        awaited: seats(awaited),
        liars: seats(liars),
        attempts: attempts.iter().enumerate().map(attempt).collect(),
        double: false,
        builds: false,
    }
}

impl Plan {
    fn all(&self) -> Seats {
        (0..self.programs).map(seat).collect()
    }

    fn honest(&self) -> impl Iterator<Item = Seat> {
        self.all().minus(self.liars).iter()
    }

    fn start(&self) -> State {
        let court = |index| {
            let mut court = Court::new(seat(index), self.all(), self.awaited);
            for liar in self.liars.iter() {
                for attempt in self.attempts.iter().filter(|it| !it.without.contains(liar)) {
                    court.hear_sign(liar, *attempt);
                    court.hear_have(liar, attempt.number, self.awaited.first().unwrap(), RECORD);
                }
            }
            if self.double {
                self.awaited.first().into_iter().for_each(|owner| court.note_double(owner));
            } else if self.awaited.contains(seat(index)) {
                court.put(seat(index), Held { what: What::Record(RECORD), level: 0 });
            }
            court
        };
        State {
            courts: (0..self.programs).map(court).collect(),
            built: vec![0; self.programs.into()],
        }
    }

    /// What a program holds, if it holds something of everyone awaited: by awaited program, the
    /// record taken or that it is out.
    fn outcome(&self, state: &State, of: Seat) -> Option<Vec<Option<u8>>> {
        let held = |owner: Seat| match state.courts[of.index()].held(owner)?.what {
            What::Record(record) => Some(Some(record)),
            What::Out(_) => Some(None),
        };
        self.awaited.iter().map(held).collect()
    }

    fn bit(outcome: &[Option<u8>]) -> u64 {
        let digit = |value: &Option<u8>| value.map_or(2, u64::from);
        1 << outcome.iter().fold(0, |bit, value| 3 * bit + digit(value))
    }

    /// Whether what a program holds is final: all others but the owner have built on it.
    fn is_final(&self, state: &State, of: Seat) -> bool {
        let Some(outcome) = self.outcome(state, of) else { return false };
        let owner = if self.awaited.count() == 1 { self.awaited } else { Seats::NONE };
        let bit = Plan::bit(&outcome);
        let built = |by: Seat| self.liars.contains(by) || state.built[by.index()] & bit != 0;
        self.builds && self.all().minus(owner).iter().all(built)
    }

    /// The states that one step of `by` leads to.
    fn steps(&self, state: &State, by: Seat) -> Vec<State> {
        let court = &state.courts[by.index()];
        let mut next = Vec::new();
        if self.is_final(state, by) {
            return next;
        }
        let others: Vec<usize> = self.all().without(by).iter().map(Seat::index).collect();
        let mut reach = |own: &dyn Fn(&mut Court<u8>), theirs: &dyn Fn(&mut Court<u8>)| {
            let mut state = state.clone();
            own(&mut state.courts[by.index()]);
            others.iter().for_each(|other| theirs(&mut state.courts[*other]));
            next.push(state);
        };
        for attempt in self.attempts.iter().filter(|attempt| court.may_sign(attempt)) {
            let heard = |court: &mut Court<u8>| {
                court.hear_sign(by, *attempt);
            };
            reach(&|court| court.sign(*attempt), &heard);
        }
        let twice = self.awaited.first().filter(|_| self.double);
        let mut haves = court.haves_due();
        if let Some(Held { what: What::Record(mine), .. }) =
            twice.and_then(|owner| court.held(owner))
        {
            haves.insert(0, (twice.unwrap(), mine));
        }
        for (number, (owner, thing)) in haves {
            let heard = |court: &mut Court<u8>| {
                court.hear_have(by, number, owner, thing);
            };
            reach(&|court| court.say_have(number, owner, thing), &heard);
        }
        let records: &[u8] = if self.double { &[RECORD, OTHER] } else { &[RECORD] };
        for owner in self.awaited.iter() {
            for record in records.iter().filter(|record| court.may_take(owner, **record)) {
                reach(&|court| court.take(owner, *record), &|_| {});
            }
        }
        for attempt in &self.attempts {
            if court.is_complete(attempt) && court.may_take_attempt(attempt) {
                reach(&|court| court.take_attempt(attempt), &|_| {});
            }
        }
        let Some(outcome) = self.outcome(state, by).filter(|_| self.builds) else { return next };
        let name = Plan::bit(&outcome).trailing_zeros() as u8;
        reach(&|_| {}, &|court| {
            court.hear_told(by, name);
        });
        if !court.is_locked() && court.may_lock(name, Seats::NONE) {
            let mut state = state.clone();
            state.courts[by.index()].lock();
            state.built[by.index()] |= Plan::bit(&outcome);
            for other in self.all().without(by).iter() {
                state.courts[other.index()].hear_above(by, name);
            }
            next.push(state);
        }
        next.extend(self.follows(state, by));
        next
    }

    /// A program that has not gone on yet, and holds what a void attempt brought, follows one that
    /// has gone on above something else, was asked and has not lied.
    fn follows(&self, state: &State, by: Seat) -> Vec<State> {
        let court = &state.courts[by.index()];
        if court.is_locked() || court.is_void().is_none() {
            return Vec::new();
        }
        let put_out = self
            .awaited
            .iter()
            .filter(|owner| matches!(court.held(*owner).map(|held| held.what), Some(What::Out(_))));
        let put_out: Seats = put_out.collect();
        let ahead = self
            .honest()
            .filter(|other| state.courts[other.index()].is_locked() && !put_out.contains(*other));
        let mut next = Vec::new();
        for other in ahead {
            let mut after = state.clone();
            for owner in self.awaited.iter() {
                let held = state.courts[other.index()].held(owner).unwrap();
                if let What::Record(record) = held.what {
                    after.courts[by.index()].follow(owner, record);
                }
            }
            next.push(after);
        }
        next
    }

    /// The honest programs that are not put out by what an honest one holds.
    fn asked(&self, state: &State) -> Vec<Seat> {
        let held = |by: Seat| {
            let put_out = |owner: &Seat| {
                matches!(
                    state.courts[by.index()].held(*owner).map(|held| held.what),
                    Some(What::Out(_))
                )
            };
            self.awaited.iter().filter(put_out).collect::<Seats>()
        };
        let out =
            self.honest().map(held).fold(Seats::NONE, |all, out| all.iter().fold(out, Seats::with));
        self.honest().filter(|by| !out.contains(*by)).collect()
    }

    fn search(&self) -> Found {
        let name = |state: &State| {
            let mut hashers = [DefaultHasher::new(), DefaultHasher::new()];
            1u8.hash(&mut hashers[1]);
            hashers.map(|mut hasher| {
                state.hash(&mut hasher);
                hasher.finish()
            })
        };
        let start = self.start();
        let mut seen = HashSet::from([name(&start)]);
        let mut found = Found::default();
        let mut open = VecDeque::from([start]);
        while let Some(state) = open.pop_front() {
            found.states += 1;
            let next: Vec<State> = self.honest().flat_map(|by| self.steps(&state, by)).collect();
            let ended = next.is_empty();
            for after in next {
                for by in self.honest().filter(|by| self.is_final(&state, *by)) {
                    let kept = self.outcome(&state, by) == self.outcome(&after, by);
                    found.undone += usize::from(!kept);
                }
                if seen.insert(name(&after)) {
                    open.push_back(after);
                }
            }
            let mut finals: Vec<_> = self
                .honest()
                .filter(|by| self.is_final(&state, *by))
                .filter_map(|by| self.outcome(&state, by))
                .collect();
            finals.dedup();
            found.forks += usize::from(finals.len() > 1);
            let locked = |by: &Seat| state.courts[by.index()].is_locked();
            let without = self
                .honest()
                .filter(locked)
                .filter_map(|by| state.courts[by.index()].taken().map(|taken| taken.without));
            let without: Seats = without.flat_map(Seats::iter).collect();
            let mut gone_on: Vec<_> = self
                .honest()
                .filter(|by| locked(by) && !without.contains(*by))
                .filter_map(|by| self.outcome(&state, by))
                .collect();
            gone_on.sort();
            gone_on.dedup();
            found.forks += usize::from(gone_on.len() > 1 && !self.double);
            if ended {
                let outcomes: Vec<_> =
                    self.asked(&state).into_iter().map(|by| self.outcome(&state, by)).collect();
                found.empty += usize::from(outcomes.contains(&None));
                let mut held: Vec<_> = outcomes.into_iter().flatten().collect();
                held.dedup();
                found.differences += usize::from(held.len() > 1);
            }
        }
        found
    }
}

/// Searches a plan with nobody lying, and with each of these programs; prints what was found.
fn hold(plan: &Plan, liars: &[u8]) {
    let one_each = liars.iter().map(|liar| seats(&[*liar]));
    for liars in [Seats::NONE].into_iter().chain(one_each) {
        let plan = Plan { liars, ..plan.clone() };
        let numbers = |seats: Seats| seats.iter().map(Seat::index).collect::<Vec<_>>();
        let attempts = plan.attempts.iter().map(|it| (it.number, numbers(it.without)));
        let attempts: Vec<_> = attempts.collect();
        let found = plan.search();
        println!(
            "{} programs, awaited {:?}, liars {:?}, builds {}, attempts {attempts:?}: {found:?}",
            plan.programs,
            numbers(plan.awaited),
            numbers(liars),
            plan.builds,
        );
        assert_eq!((found.differences, found.forks, found.undone), (0, 0, 0), "{attempts:?}");
    }
}

fn built(plan: Plan) -> Plan {
    Plan { builds: true, ..plan }
}

#[test]
fn one_is_awaited_by_two() {
    hold(&built(plan(3, &[0], &[], &[(1, &[0]), (2, &[0])])), &[0, 1]);
    hold(&built(plan(3, &[0], &[], &[(1, &[0]), (2, &[0]), (3, &[0])])), &[0, 1]);
}

#[test]
fn one_is_awaited_by_three() {
    hold(&built(plan(4, &[0], &[], &[(1, &[0]), (2, &[0])])), &[0, 1]);
}

/// The owner comes back, and a voter vanishes before it has signed.
#[test]
fn the_owner_comes_back_while_a_voter_vanishes() {
    hold(&built(plan(4, &[0], &[], &[(1, &[0]), (2, &[3])])), &[0, 1, 3]);
    hold(&plan(4, &[0], &[], &[(1, &[0]), (2, &[3]), (3, &[0])]), &[0, 1, 3]);
    hold(&plan(4, &[0], &[], &[(1, &[0]), (2, &[3]), (3, &[2])]), &[0, 1, 3]);
}

#[test]
fn one_is_awaited_by_four() {
    hold(&plan(5, &[0], &[], &[(1, &[0]), (2, &[0, 4])]), &[0, 1, 4]);
    hold(&plan(5, &[0], &[], &[(1, &[0, 1]), (2, &[0, 3])]), &[0, 1, 2, 3]);
    hold(&plan(5, &[0], &[], &[(1, &[0]), (2, &[3, 4])]), &[0, 1, 3]);
    hold(&plan(5, &[0], &[], &[(1, &[0, 3]), (2, &[4])]), &[0, 1, 3, 4]);
}

#[test]
fn two_are_awaited_by_four() {
    hold(&built(plan(4, &[0, 1], &[], &[(1, &[0]), (2, &[1])])), &[0, 3]);
    hold(&built(plan(4, &[0, 1], &[], &[(1, &[0]), (1, &[1])])), &[0, 3]);
}

#[test]
fn two_are_awaited_by_five() {
    hold(&plan(5, &[0, 1], &[], &[(1, &[0, 1]), (2, &[0])]), &[0, 4]);
    hold(&plan(5, &[0, 1], &[], &[(1, &[0]), (2, &[0, 1])]), &[0, 4]);
}

#[test]
fn the_owner_has_signed_two_records() {
    for programs in [3, 4] {
        let double = Plan { double: true, ..plan(programs, &[0], &[0], &[(1, &[0]), (2, &[0])]) };
        let found = double.search();
        println!("{programs} programs, two records: {found:?}");
        assert_eq!((found.differences, found.undone), (0, 0));
        let found = built(double).search();
        println!("{programs} programs, two records, gone on above: {found:?}");
        assert_eq!((found.differences, found.undone), (0, 0));
    }
}
