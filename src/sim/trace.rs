//! What happened last in a run, for people, and how often what went wrong.

use std::{
    collections::{BTreeMap, VecDeque},
    fmt,
};

/// The last events, and counts of faults.
#[derive(Debug, Default)]
pub(super) struct Trace {
    last: VecDeque<(u64, usize, &'static str, u64)>,
    counts: BTreeMap<&'static str, u64>,
}

/// Events kept.
const KEPT: usize = 60;

impl Trace {
    pub(super) fn note(&mut self, now: u64, seat: usize, what: &'static str, number: u64) {
        if self.last.len() == KEPT {
            self.last.pop_front();
        }
        self.last.push_back((now, seat, what, number));
    }

    /// Notes a fault.
    pub(super) fn count(&mut self, now: u64, seat: usize, what: &'static str, number: u64) {
        self.note(now, seat, what, number);
        self.tally(what);
    }

    /// Counts a fault that is too common to be noted.
    pub(super) fn tally(&mut self, what: &'static str) {
        *self.counts.entry(what).or_default() += 1;
    }

    pub(super) fn counts(&self) -> BTreeMap<&'static str, u64> {
        self.counts.clone()
    }
}

impl fmt::Display for Trace {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (at, seat, what, number) in &self.last {
            let number = if *number == 0 { String::new() } else { format!(" {number}") };
            writeln!(f, "{:>9} ms  seat {}  {what}{number}", at, seat + 1)?;
        }
        Ok(())
    }
}
