//! What a program may take at a base, and what it gives up for it.

use super::{Attempt, Court, Held, What};
use crate::game::Seat;

impl<T: Copy + Ord> Court<T> {
    /// Whether the records of an awaited program may be taken: for each attempt that this program
    /// signed without it, somebody who was asked has said HAVE, or a later attempt lets them stand.
    pub fn may_take(&self, owner: Seat, thing: T) -> bool {
        let strict = self.doubles.contains(owner).then_some(thing);
        let freed =
            |own: &Attempt<T>| self.is_released(own, strict) || self.standing(owner) > own.number;
        let mut against = self.signed(self.me).filter(|own| own.without.contains(owner));
        let said = self.said_of(owner);
        !self.held.contains_key(&owner)
            && against.all(freed)
            && said.is_none_or(|said| said == thing)
    }

    /// Takes the records of an awaited program.
    pub fn take(&mut self, owner: Seat, thing: T) {
        let against = self.signed(self.me).any(|own| own.without.contains(owner));
        let level = if against { self.standing(owner) } else { 0 };
        self.held.insert(owner, Held { what: What::Record(thing), level });
    }

    /// The number of the highest complete attempt that lets what an awaited program signed stand;
    /// 0 for none.
    pub(super) fn standing(&self, owner: Seat) -> u64 {
        self.lets_stand(owner).map_or(0, |attempt| attempt.number)
    }

    fn lets_stand(&self, owner: Seat) -> Option<Attempt<T>> {
        let lets = |(attempt, _): &&(Attempt<T>, Seat)| {
            !attempt.without.contains(owner) && self.is_complete(attempt)
        };
        self.signs.iter().rfind(lets).map(|(attempt, _)| *attempt)
    }

    /// Whether somebody asked will never sign this; of the owner of two records, because it holds
    /// this one.
    pub(super) fn is_released(&self, attempt: &Attempt<T>, thing: Option<T>) -> bool {
        let mut asked = self.live.minus(attempt.without).without(self.me).iter();
        asked.any(|by| match thing {
            None => self.refuses(by, attempt),
            Some(thing) => {
                self.haves.get(&(attempt.number, by)).is_some_and(|(_, said)| *said == thing)
            }
        })
    }

    /// The complete attempt that is to be taken now, if there is one.
    pub fn due(&self) -> Option<Attempt<T>> {
        let attempts = self.signs.iter().rev().map(|(attempt, _)| *attempt);
        let mut complete = attempts.filter(|attempt| self.is_complete(attempt));
        complete.find(|attempt| self.may_take_attempt(attempt))
    }

    /// Whether a complete attempt is to be taken here.
    pub fn may_take_attempt(&self, attempt: &Attempt<T>) -> bool {
        // Who is out here is asked nothing and follows the others.
        let asked = self.live.minus(attempt.without).contains(self.me);
        if self.is_locked() && asked {
            return false;
        }
        let owners = attempt.without.among(self.awaited);
        let stands = self.awaited.minus(attempt.without);
        let level = |owner: Seat| self.held.get(&owner).map_or(0, |held| held.level);
        // Of two of one number, which ask nobody in common, all take the later in their order.
        let later = self.taken().is_some_and(|taken| taken > *attempt);
        let is_over = |level: u64| level > attempt.number || level == attempt.number && later;
        let by_it = |owner: Seat| {
            self.held.get(&owner).is_some_and(|held| held.what == What::Out(attempt.name))
        };
        // An attempt that only lets records stand takes away what an earlier one put out.
        let put_out = |owner: Seat| {
            let held = self.held.get(&owner);
            held.is_some_and(|held| matches!(held.what, What::Out(_)) && !is_over(held.level))
        };
        if owners.is_empty() {
            return stands.iter().any(put_out);
        }
        let stands_against = |owner: Seat| {
            !by_it(owner) && (is_over(level(owner)) || self.lets_stand(owner) > Some(*attempt))
        };
        if owners.iter().all(by_it) || owners.iter().any(stands_against) {
            return false;
        }
        if owners.iter().any(|owner| self.held.contains_key(&owner)) {
            return true;
        }
        let mut later = self.signed(self.me).filter(|own| own.number > attempt.number);
        later.all(|own| self.is_released(own, None))
    }

    /// Takes a complete attempt: its awaited programs are out here, and what an earlier one put out
    /// is open again.
    pub fn take_attempt(&mut self, attempt: &Attempt<T>) {
        self.locked = false;
        let stands = self.awaited.minus(attempt.without);
        for owner in stands.iter() {
            match self.held.get_mut(&owner) {
                Some(Held { what: What::Out(_), level }) if *level <= attempt.number => {
                    self.held.remove(&owner);
                }
                Some(Held { what: What::Record(_), level }) => *level = attempt.number.max(*level),
                _ => {}
            }
        }
        for owner in attempt.without.among(self.awaited).iter() {
            let held = Held { what: What::Out(attempt.name), level: attempt.number };
            self.held.insert(owner, held);
        }
    }
}
