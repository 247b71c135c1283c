//! Going on without somebody: what one program may sign, take and give up at one base.
//!
//! A *program* is a keeper with the bots it keeps, named by the keeper's seat. An *attempt* is a
//! number, the programs it goes on without, and a name for all that it says. It is *complete* when
//! every live program outside has signed it: there is no quorum of some, no leader and no second
//! round. A record has level 0, what a complete attempt brought has the attempt's number.
//!
//! This is a pure state machine without signatures, bytes, time or I/O. A session runs one for each
//! base that is not final (`session/bench.rs`), and `tests/table/model.rs` runs them against each
//! other in every order there is.

mod taking;

use std::collections::{BTreeMap, BTreeSet};

use crate::{
    game::{Seat, Seats},
    planted::{Bug, planted},
};

/// How far above its own last number a program follows others in one step. A liar that names the
/// highest number at once would otherwise end all attempts at a base.
const STEP_MAX: u64 = 1 << 32;

/// Attempts of one other program that are remembered beside those that this program signed too.
const KEPT_MAX: usize = 8;

/// Going on without these programs at one base.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Attempt<T> {
    /// A higher number is a later attempt.
    pub number: u64,
    /// The programs it goes on without.
    pub without: Seats,
    /// What names all that is signed with it.
    pub name: T,
}

/// What a program holds at the place of an awaited one.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum What<T> {
    /// All that the awaited program owes here.
    Record(T),
    /// It is out, by the attempt of this name.
    Out(T),
}

/// What is held, and how sure that is: a higher level stands against a lower one.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Held<T> {
    /// What is held.
    pub what: What<T>,
    /// 0 for a record taken on sight, else the number of the attempt.
    pub level: u64,
}

/// What became of a signature that was heard.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Heard {
    /// It is new.
    New,
    /// It was known.
    Known,
    /// Its program has signed something that excludes it.
    Against,
}

/// One base as one program sees it.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Court<T> {
    me: Seat,
    live: Seats,
    awaited: Seats,
    held: BTreeMap<Seat, Held<T>>,
    signs: BTreeSet<(Attempt<T>, Seat)>,
    /// By number and who says it: of whom it holds something, and what.
    haves: BTreeMap<(u64, Seat), (Seat, T)>,
    /// By awaited program and who says it: what it holds of it, which binds nobody.
    shown: BTreeMap<(Seat, Seat), T>,
    /// What each other program says that it holds of everyone awaited.
    told: BTreeMap<Seat, T>,
    /// What each other program is known to have gone on above.
    above: BTreeMap<Seat, T>,
    /// Awaited programs that are known to have signed two records here.
    doubles: Seats,
    /// Whether this program signs, or has signed, above what it holds.
    locked: bool,
}

impl<T: Copy + Ord> Court<T> {
    /// A base at which `live` programs are, of which `awaited` owe something, as `me` sees it.
    pub fn new(me: Seat, live: Seats, awaited: Seats) -> Court<T> {
        Court {
            me,
            live,
            awaited,
            held: BTreeMap::new(),
            signs: BTreeSet::new(),
            haves: BTreeMap::new(),
            shown: BTreeMap::new(),
            told: BTreeMap::new(),
            above: BTreeMap::new(),
            doubles: Seats::NONE,
            locked: false,
        }
    }

    /// What is held of an awaited program.
    pub fn held(&self, program: Seat) -> Option<Held<T>> {
        self.held.get(&program).copied()
    }

    /// Who is awaited here.
    pub fn awaited(&self) -> Seats {
        self.awaited
    }

    /// The awaited programs that are known to have signed two records here.
    pub fn doubles(&self) -> Seats {
        self.doubles
    }

    /// Whether this program has told that it holds this of an awaited one.
    pub fn has_shown(&self, owner: Seat, thing: T) -> bool {
        self.shown.get(&(owner, self.me)) == Some(&thing)
    }

    /// Whether another program than `liars` holds this of an awaited one.
    pub fn is_shown(&self, owner: Seat, thing: T, liars: Seats) -> bool {
        let others = self.live.minus(liars).without(self.me).without(owner);
        others.iter().any(|by| self.said_by(by, owner) == Some(thing))
    }

    /// What this program has said HAVE of, of an awaited one, and has not let go since: it holds
    /// that, also after a start that has forgotten it.
    pub fn said_of(&self, owner: Seat) -> Option<T> {
        self.have_of(self.me, owner)
    }

    fn have_of(&self, program: Seat, owner: Seat) -> Option<T> {
        let against = self.signed(program).rfind(|signed| signed.without.contains(owner));
        let let_go = against.map_or(0, |signed| signed.number);
        let said = self
            .haves
            .iter()
            .rfind(|((number, by), (of, _))| *number > let_go && *by == program && *of == owner);
        said.map(|(_, (_, thing))| *thing)
    }

    /// What `program` says to hold of an awaited one.
    fn said_by(&self, program: Seat, owner: Seat) -> Option<T> {
        let shown = self.shown.get(&(owner, program)).copied();
        self.have_of(program, owner).or(shown)
    }

    /// Whether another program holds something else of the owner of two records than this: then it
    /// is better put out than taken.
    pub fn is_disputed(&self, owner: Seat, thing: T) -> bool {
        let others = self.live.without(self.me).without(owner);
        let differs = |by| self.said_by(by, owner).is_some_and(|said| said != thing);
        self.doubles.contains(owner) && others.iter().any(differs)
    }

    /// What a program has said that it holds of everyone awaited.
    pub fn told_by(&self, program: Seat) -> Option<T> {
        self.told.get(&program).copied()
    }

    /// Whether nothing binding has been signed here.
    pub fn is_idle(&self) -> bool {
        self.signs.is_empty() && self.haves.is_empty()
    }

    /// The attempts that `program` has signed, as far as they are remembered, by number.
    pub fn signed(&self, program: Seat) -> impl DoubleEndedIterator<Item = &Attempt<T>> {
        self.signs.iter().filter(move |(_, by)| *by == program).map(|(attempt, _)| attempt)
    }

    /// Whether `program` has said HAVE of this number.
    pub fn has_said_have(&self, program: Seat, number: u64) -> bool {
        self.haves.contains_key(&(number, program))
    }

    /// What is at the place of an awaited program is taken from elsewhere: the own record when it
    /// is signed, or what the log has.
    pub fn put(&mut self, program: Seat, held: Held<T>) {
        self.held.insert(program, held);
    }

    /// An awaited program is known to have signed two records here.
    pub fn note_double(&mut self, program: Seat) {
        self.doubles = self.doubles.with(program);
    }

    /// `program` has signed this attempt. Of two attempts of one number both count: which of them
    /// others have seen is not known here.
    pub fn hear_sign(&mut self, program: Seat, attempt: Attempt<T>) -> Heard {
        if self.signs.contains(&(attempt, program)) {
            return Heard::Known;
        }
        let number = attempt.number;
        let others = self.signed(program).filter(|other| other.number == number).count();
        let against = others > 0 || self.has_said_have(program, number);
        if program == self.me {
            self.sign(attempt);
        } else if others < 2 {
            self.signs.insert((attempt, program));
            self.forget(program);
        }
        if against { Heard::Against } else { Heard::New }
    }

    /// `program` says HAVE: it holds this of `owner`, which attempts of that number exclude, has
    /// not signed one of them and never will. Number 0 is no attempt: so it tells which of an
    /// owner's two records it holds.
    pub fn hear_have(&mut self, program: Seat, number: u64, owner: Seat, thing: T) -> Heard {
        if number == 0 {
            let before = self.shown.insert((owner, program), thing);
            return if before == Some(thing) { Heard::Known } else { Heard::New };
        }
        let key = (number, program);
        if self.haves.get(&key) == Some(&(owner, thing)) {
            return Heard::Known;
        }
        self.haves.insert(key, (owner, thing));
        self.forget(program);
        let against = self.signed(program).any(|signed| signed.number == number);
        if against { Heard::Against } else { Heard::New }
    }

    /// Whether every live program outside has signed it.
    pub fn is_complete(&self, attempt: &Attempt<T>) -> bool {
        let asked = self.live.minus(attempt.without);
        let signed = |by: Seat| self.signs.contains(&(*attempt, by));
        !asked.is_empty() && asked.iter().all(signed)
    }

    /// `program` says that this is what it holds of everyone awaited. It may say otherwise later.
    pub fn hear_told(&mut self, program: Seat, outcome: T) -> Heard {
        let before = self.told.insert(program, outcome);
        if before == Some(outcome) { Heard::Known } else { Heard::New }
    }

    /// `program` has gone on above this, as a log shows.
    pub fn hear_above(&mut self, program: Seat, outcome: T) {
        self.above.insert(program, outcome);
    }

    /// `program` has gone on above this of an awaited one, as a log shows: who is out here believes
    /// that more than what it said before.
    pub fn hear_gone_on(&mut self, program: Seat, owner: Seat, thing: T) {
        if !self.is_live() {
            self.haves.retain(|(_, by), (of, _)| *by != program || *of != owner);
            self.shown.insert((owner, program), thing);
        }
    }

    /// Whether this program is live here.
    pub fn is_live(&self) -> bool {
        self.live.contains(self.me)
    }

    /// Who is out here decides nothing: where others hold another record of one place than it does,
    /// it lets its own go. Gives whose that were.
    pub fn let_go_as_out(&mut self) -> Seats {
        let contested = |owner: &Seat| !self.is_live() && self.is_contested(*owner);
        let owners: Seats = self.awaited.iter().filter(contested).collect();
        self.held.retain(|owner, _| !owners.contains(*owner));
        owners
    }

    /// Whether this program may go on above what it holds, which `outcome` names. Who has signed no
    /// attempt may: none that asks it can be completed any more. Who has needs the word of everyone
    /// asked that they hold the same, or that two of them, of whom one is honest, have gone on. The
    /// word of `liars`, who are proven to be at fault, is worth nothing and not waited for.
    pub fn may_lock(&self, outcome: T, liars: Seats) -> bool {
        if self.awaited.iter().any(|owner| self.is_contested(owner)) {
            return false;
        }
        let newest = self.signed(self.me).next_back().filter(|_| !planted(Bug::GoesOnAtOnce));
        let Some(newest) = newest else { return true };
        let without = self.taken().unwrap_or(*newest).without;
        let asked = self.live.minus(without).minus(liars).without(self.me);
        let same = |of: &BTreeMap<Seat, T>| {
            asked.iter().filter(|other| of.get(other) == Some(&outcome)).count()
        };
        same(&self.told) == usize::from(asked.count()) || same(&self.above) > 1
    }

    /// The attempt that what is held comes from, if it comes from one.
    pub fn taken(&self) -> Option<Attempt<T>> {
        let level = self.held.values().map(|held| held.level).max().filter(|level| *level > 0)?;
        let newest = || self.held.values().filter(|held| held.level == level);
        let name = newest().find_map(|held| match held.what {
            What::Out(name) => Some(name),
            What::Record(_) => None,
        });
        let of_level = |(attempt, _): &&(Attempt<T>, Seat)| {
            attempt.number == level
                && name.is_none_or(|name| name == attempt.name)
                && self.is_complete(attempt)
        };
        self.signs.iter().rfind(of_level).map(|(attempt, _)| *attempt)
    }

    /// Goes on above what is held. It is given up only for an attempt that did not ask this
    /// program, or where the owner of two records is put out.
    pub fn lock(&mut self) {
        self.locked = true;
    }

    /// What was gone on above is open again.
    pub fn reopen(&mut self) {
        self.locked = false;
    }

    /// Whether this program has gone on above what it holds.
    pub fn is_locked(&self) -> bool {
        self.locked && !self.trails()
    }

    /// Whether this program holds what it has signed not to take: it was put out by others who went
    /// on above it, and follows their log without signing anything there.
    pub fn trails(&self) -> bool {
        let against = |owner: Seat, thing: T| {
            self.signed(self.me).any(|own| {
                own.without.contains(owner)
                    && !self.is_released(own, None)
                    && self.standing(owner) <= own.number
                    && self.held(owner) == Some(Held { what: What::Record(thing), level: 0 })
            })
        };
        self.held.iter().any(|(owner, held)| match held.what {
            What::Record(thing) => against(*owner, thing),
            What::Out(_) => false,
        })
    }

    /// Whether what is held of everyone awaited came from an attempt that is void: somebody who
    /// signed it has said that it never will. Then what another that was asked has gone on above is
    /// followed. It names the program that signed both.
    pub fn is_void(&self) -> Option<Seat> {
        let taken = self.taken()?;
        let asked = self.live.minus(taken.without);
        asked.iter().find(|by| self.refuses(*by, &taken))
    }

    /// Whether `program` never signs this attempt, if it is honest: it has said HAVE of its number,
    /// or signed another one of that number.
    pub(super) fn refuses(&self, program: Seat, attempt: &Attempt<T>) -> bool {
        let other = |own: &Attempt<T>| own.number == attempt.number && own != attempt;
        self.has_said_have(program, attempt.number) || self.signed(program).any(other)
    }

    /// Holds what an honest program that was asked has gone on above: see [`Court::is_void`].
    pub fn follow(&mut self, owner: Seat, thing: T) {
        let level = self.taken().map_or(0, |taken| taken.number);
        self.held.insert(owner, Held { what: What::Record(thing), level });
    }

    /// Whether another program holds another record of `owner`, which has signed two here, than
    /// this one does.
    pub fn is_contested(&self, owner: Seat) -> bool {
        let Some(Held { what: What::Record(mine), .. }) = self.held(owner) else { return false };
        self.is_disputed(owner, mine)
    }

    /// Whether this program may sign an attempt: in rising numbers, one a number, and only while it
    /// holds nothing that the attempt excludes. What the owner of two records has here it may let
    /// go where others hold the other one.
    pub fn may_sign(&self, attempt: &Attempt<T>) -> bool {
        let free = |owner: Seat| match self.held.get(&owner).map(|held| held.what) {
            Some(What::Record(_)) => !attempt.without.contains(owner) || self.is_contested(owner),
            Some(What::Out(_)) => attempt.without.contains(owner),
            None => true,
        };
        let mut doubles = attempt.without.among(self.awaited).iter();
        let open = !self.is_locked() || doubles.any(|owner| self.is_contested(owner));
        open && !attempt.without.contains(self.me)
            && attempt.number > self.top()
            && !self.has_said_have(self.me, attempt.number)
            && self.awaited.iter().all(free)
    }

    /// The number for an attempt without these programs: above the own last one, and that of
    /// others who try the same, as far as one step goes.
    pub fn next_number(&self, without: Seats) -> u64 {
        let top = self.top();
        let same = |(attempt, by): &&(Attempt<T>, Seat)| {
            attempt.without == without && !without.contains(*by) && *by != self.me
        };
        let wanted = self.signs.iter().rfind(same).map_or(0, |(attempt, _)| attempt.number);
        let mut number = wanted.clamp(top + 1, top.saturating_add(STEP_MAX));
        while self.haves.keys().any(|(said, _)| *said == number) {
            number += 1;
        }
        number
    }

    /// Signs: from then on nothing that the attempt excludes is taken below its number.
    pub fn sign(&mut self, attempt: Attempt<T>) {
        let let_go = attempt.without.iter().filter(|owner| self.is_contested(*owner));
        for owner in let_go.collect::<Seats>().iter() {
            self.held.remove(&owner);
            self.locked = false;
        }
        self.signs.insert((attempt, self.me));
    }

    /// The HAVEs that this program owes: of attempts that others signed, that exclude what it
    /// holds, and that it has not signed.
    pub fn haves_due(&self) -> BTreeMap<u64, (Seat, T)> {
        let asked = |(attempt, by): &&(Attempt<T>, Seat)| {
            let number = attempt.number;
            *by != self.me
                && !attempt.without.contains(self.me)
                && !self.has_said_have(self.me, number)
                && self.signed(self.me).all(|own| own.number != number)
        };
        let others = self.signs.iter().filter(asked);
        others.filter_map(|(it, _)| Some((it.number, self.excluded(it)?))).collect()
    }

    /// What this program holds below the attempt's number that the attempt excludes.
    fn excluded(&self, attempt: &Attempt<T>) -> Option<(Seat, T)> {
        let against = |(owner, held): (&Seat, &Held<T>)| match held.what {
            _ if held.level >= attempt.number => None,
            // What the court is about to let go it does not defend.
            What::Record(_) if self.is_contested(*owner) => None,
            What::Record(thing) => attempt.without.contains(*owner).then_some((*owner, thing)),
            What::Out(thing) => {
                // One more attempt without just the same programs is needless, and another entry.
                let same = |it: &Attempt<T>| it.name == thing && it.without == attempt.without;
                let again = attempt.name != thing && self.signs.iter().any(|(it, _)| same(it));
                (again || !attempt.without.contains(*owner)).then_some((*owner, thing))
            }
        };
        self.held.iter().find_map(against)
    }

    /// Says HAVE.
    pub fn say_have(&mut self, number: u64, owner: Seat, thing: T) {
        self.hear_have(self.me, number, owner, thing);
    }

    /// The own highest number.
    fn top(&self) -> u64 {
        self.signed(self.me).next_back().map_or(0, |own| own.number)
    }

    /// Of another program the newest signatures are kept, and those of attempts that this program
    /// signed or that are complete. Own ones are never given up.
    fn forget(&mut self, program: Seat) {
        if program == self.me {
            return;
        }
        let own: BTreeSet<u64> = self.signed(self.me).map(|own| own.number).collect();
        let spare: Vec<Attempt<T>> = self
            .signed(program)
            .rev()
            .filter(|it| !own.contains(&it.number) && !self.is_complete(it))
            .skip(KEPT_MAX)
            .copied()
            .collect();
        self.signs.retain(|(attempt, by)| *by != program || !spare.contains(attempt));
        let said =
            self.haves.keys().rev().filter(|(number, by)| *by == program && !own.contains(number));
        let spare: Vec<(u64, Seat)> = said.skip(KEPT_MAX).copied().collect();
        self.haves.retain(|key, _| !spare.contains(key));
    }
}
