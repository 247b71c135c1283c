//! A table on a perfect network, to be stopped at any moment: for attacks on one place.

use std::collections::VecDeque;

use rand::{SeedableRng, rngs::SmallRng};

use super::cast::Cast;
use crate::{
    bot::Bot,
    game::Action,
    protocol::{
        log::record::{Body, Unchecked},
        message::Talk,
        session::{Link, News, Output, Session, Start},
        table::Table,
    },
};

/// What a changed program does to its own records on their way to a seat: true if it changed one.
pub type Change = Box<dyn FnMut(usize, &mut Body) -> bool>;

/// A seat with a changed program. It signs what it likes with its own key.
pub struct Cheat {
    /// The seat, from 0.
    pub seat: usize,
    /// What it changes.
    pub change: Change,
}

/// Sessions of all seats, each next to each; a message arrives at once and in order.
pub struct Lockstep {
    /// Who plays.
    pub cast: Cast,
    /// The sessions by seat.
    pub sessions: Vec<Session>,
    /// What each seat's player was told.
    pub told: Vec<Vec<News>>,
    /// A seat with a changed program.
    pub cheat: Option<Cheat>,
    /// Pairs of seats between which nothing passes, the lower first.
    pub cut: Vec<(usize, usize)>,
    /// Everything that left a seat: the seat and what it said.
    pub said: Vec<(usize, Talk)>,
    /// What each seat has written into its journal.
    pub journals: Vec<Vec<Vec<u8>>>,
    queue: VecDeque<(usize, usize, Talk)>,
    now: u64,
    rng: SmallRng,
    bot: Bot,
    asked: usize,
}

impl Lockstep {
    /// A table whose seats have not said anything yet.
    pub fn new(cast: Cast, bot: Bot) -> Lockstep {
        let sessions = (0..cast.seats).filter_map(|seat| Session::new(cast.start(seat)).ok());
        Lockstep::of(cast, bot, sessions.collect())
    }

    /// A table of these sessions.
    pub fn of(cast: Cast, bot: Bot, sessions: Vec<Session>) -> Lockstep {
        let count = sessions.len();
        let mut table = Lockstep {
            cast,
            sessions,
            told: vec![Vec::new(); count],
            cheat: None,
            cut: Vec::new(),
            said: Vec::new(),
            journals: vec![Vec::new(); count],
            queue: VecDeque::new(),
            now: 0,
            rng: SmallRng::seed_from_u64(cast.seed),
            bot,
            asked: 0,
        };
        for seat in 0..count {
            for other in (0..count).filter(|other| cast.linked(seat, *other)) {
                table.sessions[seat].link_up(Link(other as u32));
            }
            table.sessions[seat].tick(0);
            table.collect(seat);
        }
        table
    }

    /// Goes on until the table of seat 1 is as wanted; false if nothing more happens before.
    pub fn run_until(&mut self, wanted: impl Fn(&Table) -> bool) -> bool {
        while !wanted(self.sessions[0].table()) {
            if !self.step() {
                return false;
            }
        }
        true
    }

    /// Lets time pass at every seat, and what follows from it.
    pub fn tick(&mut self, now: u64) {
        self.now = now;
        for seat in 0..self.sessions.len() {
            self.sessions[seat].tick(now);
            self.collect(seat);
        }
        self.settle();
    }

    /// A seat says something to another, whatever its program would say.
    pub fn tell(&mut self, from: usize, to: usize, talk: Talk) {
        self.sessions[to].receive(Link(from as u32), talk, self.now);
        self.collect(to);
        self.deliver();
    }

    /// A seat starts again from this log and its journal, as its program does.
    pub fn restart(&mut self, seat: usize, log: Vec<Vec<u8>>, boot: u64) {
        let start = self.cast.start(seat as u8);
        let journal = self.journals[seat].clone();
        let start = Start { log, journal, boot, again: true, ..start };
        let Ok(session) = Session::new(start) else { return };
        self.sessions[seat] = session;
        for other in (0..self.sessions.len()).filter(|other| self.cast.linked(seat, *other)) {
            self.sessions[seat].link_up(Link(other as u32));
        }
        self.sessions[seat].tick(self.now);
        self.collect(seat);
    }

    /// What a seat's player was told that was undone, in records.
    pub fn undone(&self, seat: usize) -> u32 {
        let undone = self.told[seat].iter().map(|news| match news {
            News::Undone(records) => *records,
            _ => 0,
        });
        undone.sum()
    }

    /// Does something with a session, and carries out what follows.
    pub fn with<T>(&mut self, seat: usize, what: impl FnOnce(&mut Session) -> T) -> T {
        let done = what(&mut self.sessions[seat]);
        self.collect(seat);
        done
    }

    /// Lets everything happen that can.
    pub fn settle(&mut self) {
        while self.step() {}
    }

    /// The faults that a seat has been told of: the seat at fault, the reason, the evidence.
    pub fn faults(&self, seat: usize) -> Vec<(usize, String, Vec<u8>)> {
        let fault = |news: &News| match news {
            News::Fault { seat, reason, evidence } => {
                Some((seat.index(), reason.clone(), evidence.clone()))
            }
            _ => None,
        };
        self.told[seat].iter().filter_map(fault).collect()
    }

    /// Lets everything arrive that is on its way; no bot decides.
    pub fn deliver(&mut self) {
        while self.arrive() {}
    }

    /// One message arrives.
    fn arrive(&mut self) -> bool {
        let Some((to, from, talk)) = self.queue.pop_front() else { return false };
        if !self.cut.contains(&(from.min(to), from.max(to))) {
            self.sessions[to].receive(Link(from as u32), talk, self.now);
            self.collect(to);
        }
        true
    }

    /// One message arrives, or one bot decides.
    fn step(&mut self) -> bool {
        if self.arrive() {
            return true;
        }
        for turn in 0..self.sessions.len() {
            let seat = (self.asked + turn) % self.sessions.len();
            if self.sessions[seat].asks() {
                self.asked = seat + 1;
                return self.decide(seat);
            }
        }
        false
    }

    fn decide(&mut self, seat: usize) -> bool {
        let session = &mut self.sessions[seat];
        let Some(view) = session.view() else { return false };
        let done = match self.bot.choose(&view, &mut self.rng) {
            Action::Keep => session.choose(false),
            Action::Flip => session.choose(true),
            action => session.act(action),
        };
        self.collect(seat);
        done.is_ok()
    }

    /// What really leaves a seat: a cheat's own records are changed and signed anew.
    fn changed(&mut self, from: usize, to: usize, talk: Talk) -> Talk {
        let Some(cheat) = self.cheat.as_mut().filter(|cheat| cheat.seat == from) else {
            return talk;
        };
        let Talk::Fresh(bytes) = &talk else { return talk };
        let Ok(unchecked) = Unchecked::decode(bytes) else { return talk };
        let mut record = unchecked.record().clone();
        if usize::from(record.seat) != from || !(cheat.change)(to, &mut record.body) {
            return talk;
        }
        Talk::Fresh(record.sign(&self.cast.identity(from as u8)))
    }

    fn collect(&mut self, seat: usize) {
        while let Some(output) = self.sessions[seat].poll() {
            match output {
                Output::Send(Link(to), talk) => {
                    let talk = self.changed(seat, to as usize, talk);
                    self.said.push((seat, talk.clone()));
                    self.queue.push_back((to as usize, seat, talk));
                }
                Output::Tell(news) => self.told[seat].push(news),
                Output::Journal(bytes) => self.journals[seat].push(bytes),
                _ => {}
            }
        }
    }
}
