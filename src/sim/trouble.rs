//! Troubles as they come: crashes and starts, clocks that jump, links that hold or lose.

use std::collections::BTreeMap;

use rand::RngExt;

use super::{
    disk::Disk,
    faults::Trouble,
    world::{Event, World},
};
use crate::protocol::session::{Link, Output};

/// The links that are ill, one way each, by the seats from and to (from 0).
#[derive(Debug, Default)]
pub(super) struct Ways(BTreeMap<(usize, usize), Ill>);

#[derive(Debug, Default)]
struct Ill {
    dead_until: u64,
    held_until: u64,
}

/// Most outputs a seat still carries out when it crashes.
const FUSE_MAX: u32 = 12;

/// The longest time a seat that crashed stays away, in milliseconds.
const AWAY_MS_MAX: u64 = 20_000;

impl Ways {
    pub(super) fn is_dead(&self, from: usize, to: usize, now: u64) -> bool {
        self.0.get(&(from, to)).is_some_and(|ill| now < ill.dead_until)
    }

    /// How long a message sent now is held.
    pub(super) fn held_ms(&self, from: usize, to: usize, now: u64) -> u64 {
        self.0.get(&(from, to)).map_or(0, |ill| ill.held_until.saturating_sub(now))
    }
}

impl World {
    /// Something goes wrong, and the next time is drawn.
    pub(super) fn trouble(&mut self) {
        let faults = self.plan.faults;
        if self.now >= faults.until_ms {
            return;
        }
        let next = self.rng.random_range(1..=faults.every_ms);
        self.schedule(next, Event::Trouble);
        let troubles = faults.troubles();
        let trouble = troubles[self.rng.random_range(0..troubles.len())];
        let seat = self.rng.random_range(0..self.peers.len());
        let near = self.neighbours(seat);
        let other = near[self.rng.random_range(0..near.len())];
        match trouble {
            Trouble::Crash => {
                let left = self.rng.random_range(0..FUSE_MAX);
                self.peers[seat].fuse.get_or_insert(left);
            }
            Trouble::Jump => {
                let ms = self.rng.random_range(1..=faults.jump_ms);
                self.trace.count(self.now, seat, "has a clock that jumps by ms:", ms);
                self.peers[seat].jump(ms);
            }
            Trouble::OneWay => {
                let until = self.ill_until(faults.one_way_ms);
                self.trace.count(self.now, seat, "is not heard any more by seat", other as u64 + 1);
                self.ways.0.entry((seat, other)).or_default().dead_until = until;
            }
            Trouble::Hold => {
                let until = self.ill_until(faults.hold_ms);
                self.trace.count(self.now, seat, "is heard late by seat", other as u64 + 1);
                self.ways.0.entry((seat, other)).or_default().held_until = until;
            }
            Trouble::Part => self.part(seat),
            Trouble::Leave => self.leave(seat),
        }
    }

    /// The player of a seat says goodbye, and comes back later.
    fn leave(&mut self, seat: usize) {
        let seat = self.options.cast().program(seat);
        if !self.peers[seat].is_at_rest() {
            return;
        }
        self.trace.count(self.now, seat, "leaves", 0);
        self.peers[seat].session.leave();
        if self.carry_out(seat) {
            let until = self.ill_until(self.plan.faults.leave_ms);
            self.stop(seat, until - self.now);
        }
    }

    /// Cuts the table in two; `seat` is on one side.
    fn part(&mut self, seat: usize) {
        let until = self.ill_until(self.plan.faults.part_ms);
        let side = self.rng.random_range(0..1u8 << self.peers.len()) | 1 << seat;
        self.trace.count(self.now, seat, "is on a side of its own, seats (bits):", side.into());
        for from in 0..self.peers.len() {
            for to in (0..self.peers.len()).filter(|to| side >> from & 1 != side >> to & 1) {
                self.ways.0.entry((from, to)).or_default().dead_until = until;
            }
        }
    }

    fn ill_until(&mut self, most: u64) -> u64 {
        (self.now + self.rng.random_range(1..=most)).min(self.plan.faults.until_ms)
    }

    /// A seat crashes when it is to carry this out, with so many bytes of it on disk.
    pub(super) fn crash(&mut self, seat: usize, output: &Output, most: usize) {
        self.trace.count(self.now, seat, "crashes, carried-out writes:", {
            u64::from(self.peers[seat].writes)
        });
        if most > 0 && Disk::is_write(output) {
            self.trace.count(self.now, seat, "tears a write after bytes:", most as u64);
            self.peers[seat].disk.tear(output, most);
        }
        let away = self.rng.random_range(10..=AWAY_MS_MAX);
        self.stop(seat, away);
    }

    /// The program that plays a seat stops, with all its seats, for so long.
    fn stop(&mut self, seat: usize, away_ms: u64) {
        let cast = self.options.cast();
        let program = cast.program(seat);
        for seat in (0..self.peers.len()).filter(|seat| cast.program(*seat) == program) {
            if !self.peers[seat].up {
                continue;
            }
            self.crashed.push((seat, self.peers[seat].disk.clone()));
            self.watch.forget(seat);
            self.peers[seat].up = false;
            self.peers[seat].life += 1;
            self.schedule(away_ms, Event::Start { seat });
            for other in self.neighbours(seat) {
                self.peers[other].session.link_down(Link(seat as u32));
            }
        }
    }

    /// A seat that crashed starts again from its disk.
    pub(super) fn start(&mut self, seat: usize) {
        self.trace.note(self.now, seat, "starts again", 0);
        let cast = self.options.cast();
        let now = self.now;
        if let Err(wrong) = self.peers[seat].start_again(cast.start(seat as u8), now) {
            self.told.push(format!("seat {} cannot start from its disk: {wrong}", seat + 1));
            return;
        }
        // A write that was torn behind its end is on disk though nobody heard so.
        let own = self.peers[seat].disk.read().map(|(_, journal)| journal).unwrap_or_default();
        if self.watch.misses(seat, &own) {
            self.told.push(format!("seat {} has lost what it had signed", seat + 1));
        }
        for record in own {
            self.watch(seat, &Output::Journal(record));
        }
        let life = self.peers[seat].life;
        self.schedule(1, Event::Tick { seat, life });
        for other in self.neighbours(seat) {
            if self.peers[other].up {
                self.peers[seat].session.link_up(Link(other as u32));
                self.peers[other].session.link_up(Link(seat as u32));
                self.carry_out_unless_stuck(other);
            }
        }
        self.carry_out(seat);
    }

    fn carry_out_unless_stuck(&mut self, seat: usize) {
        if !self.peers[seat].waits_for_disk() {
            self.carry_out(seat);
        }
    }
}
