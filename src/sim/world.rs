//! The world: sessions, their disks, and a queue of what happens when.

use std::{
    cmp::Reverse,
    collections::{BTreeMap, BinaryHeap},
};

use rand::{RngExt, SeedableRng, rngs::SmallRng};

use super::{
    disk::Disk,
    outcome::{Accusation, Failure, Options, Outcome},
    peer::Peer,
    plan::{BadWrite, BadWriteHow, Plan, parted},
    trace::Trace,
    trouble::Ways,
    watch::Watch,
};
use crate::protocol::{
    crypto::hash::Hash,
    message::Talk,
    session::{Link, News, Output},
    table::Phase,
    vote::{Motion, Paper, Says, unchecked},
};

/// What happens.
pub(super) enum Event {
    /// A message arrives.
    Talk { to: usize, from: Link, talk: Talk },
    /// A seat's clock, in its life of this number.
    Tick { seat: usize, life: u64 },
    /// A seat whose disk failed tries again.
    Retry { seat: usize, life: u64 },
    /// A seat that crashed starts again.
    Start { seat: usize },
    /// Something goes wrong, as the plan's faults say.
    Trouble,
}

pub(super) struct World {
    pub(super) options: Options,
    pub(super) plan: Plan,
    pub(super) now: u64,
    order: u64,
    queue: BinaryHeap<Reverse<(u64, u64)>>,
    events: BTreeMap<u64, Event>,
    pub(super) peers: Vec<Peer>,
    pub(super) ways: Ways,
    pub(super) rng: SmallRng,
    pub(super) trace: Trace,
    messages: u64,
    pub(super) watch: Watch,
    /// What is wrong.
    pub(super) told: Vec<String>,
    /// When a log grew last, or the table healed.
    moved_at: u64,
    /// When each seat of the plan was cut off.
    cut_at: [Option<u64>; 4],
    undone: u32,
    accused: Vec<Accusation>,
    pub(super) crashed: Vec<(usize, Disk)>,
    held_up: bool,
    /// Motions that a seat that votes both ways has passed on, by base and number.
    pub(super) motions: BTreeMap<(Hash, u64), Motion>,
}

/// How long a table that has healed may stand still, in milliseconds.
const STILL_MS: u64 = 120_000;

/// Plays one game in which things go wrong as planned.
///
/// # Errors
/// [`Failure`] if it neither ends nor is closed in time, stands still, a seat cannot start, or
/// anything happens that must not: an honest seat is accused or signs twice, what leaves is not
/// on disk, two seats that have met differ.
pub fn run_planned(options: Options, plan: Plan) -> Result<Outcome, Failure> {
    let run = format!("{options:?}, {plan:?}");
    let fail = |what, events| Failure { what, run: run.clone(), events };
    let mut world = World::new(options, plan).map_err(|what| fail(what, String::new()))?;
    match world.play() {
        Ok(()) => Ok(world.outcome()),
        Err(what) => Err(fail(what, world.trace.to_string())),
    }
}

impl World {
    fn new(options: Options, plan: Plan) -> Result<World, String> {
        let cast = options.cast();
        let peers: Result<Vec<Peer>, String> =
            (0..options.seats).map(|seat| Peer::new(&cast, seat)).collect();
        let liars = plan.liars().collect();
        Ok(World {
            options,
            plan,
            now: 0,
            order: 0,
            queue: BinaryHeap::new(),
            events: BTreeMap::new(),
            peers: peers?,
            ways: Ways::default(),
            rng: SmallRng::seed_from_u64(options.seed),
            trace: Trace::default(),
            messages: 0,
            watch: Watch::new(liars),
            told: Vec::new(),
            moved_at: 0,
            cut_at: [None; 4],
            undone: 0,
            accused: Vec::new(),
            crashed: Vec::new(),
            held_up: false,
            motions: BTreeMap::new(),
        })
    }

    /// Plays until the game is over, or closed; what went wrong if something did.
    fn play(&mut self) -> Result<(), String> {
        self.connect();
        while !self.over() && !self.closed() {
            if !self.step() {
                return Err("nothing is left to happen and the game is not over".into());
            }
            if let Some(told) = self.told.first() {
                return Err(told.clone());
            }
            let still = self.now.saturating_sub(self.moved_at.max(self.plan.faults.until_ms));
            let phases = || -> Vec<Phase> {
                self.peers.iter().map(|peer| peer.session.table().phase()).collect()
            };
            if self.plan.faults.until_ms > 0 && still > STILL_MS && self.plan.both_ways.is_some() {
                // One that votes both ways can hold a table up, and nothing else.
                self.held_up = true;
                break;
            }
            if self.plan.faults.until_ms > 0 && still > STILL_MS {
                return Err(format!("stood still for {still} ms: {:?}", phases()));
            }
            if self.now > self.options.time_ms_max {
                return Err(format!("not over after {} ms: {:?}", self.now, phases()));
            }
        }
        self.check_files()
    }

    /// At the end: each file is what the session has, and those of honest seats that are through
    /// are one.
    fn check_files(&self) -> Result<(), String> {
        let mut whole: Option<&Peer> = None;
        for (seat, peer) in self.peers.iter().enumerate() {
            if !peer.has_on_disk(peer.session.log()) {
                return Err(format!("the file of seat {} is not its log", seat + 1));
            }
            let lies = self.plan.lies(seat);
            if peer.session.table().phase() == Phase::Complete && !lies {
                let first = *whole.get_or_insert(peer);
                if first.disk.log != peer.disk.log {
                    return Err(format!("seat {} has another file than others", seat + 1));
                }
            }
        }
        Ok(())
    }

    fn outcome(mut self) -> Outcome {
        // What a crash has torn just now at a seat nobody waits for, its next start would cut.
        for peer in self.peers.iter_mut().filter(|peer| !peer.is_at_rest()) {
            let _ = peer.disk.read();
        }
        let complete = |peer: &Peer| peer.session.table().phase() == Phase::Complete;
        let closed = !self.over() && !self.held_up;
        Outcome {
            behind: (0..self.peers.len()).filter(|seat| !complete(&self.peers[*seat])).collect(),
            closed,
            held_up: self.held_up,
            verdicts: self.peers.first().map_or(0, Peer::verdicts),
            undone: self.undone,
            deepest: self.watch.deepest(),
            accused: std::mem::take(&mut self.accused),
            told_both: self.watch.told_both(),
            crashed: std::mem::take(&mut self.crashed),
            writes: self.peers.iter().map(|peer| peer.writes).collect(),
            faults: self.trace.counts(),
            time_ms: self.now,
            messages: self.messages,
            disks: self.peers.into_iter().map(|peer| peer.disk).collect(),
        }
    }

    fn connect(&mut self) {
        for seat in 0..self.peers.len() {
            for other in self.neighbours(seat) {
                self.peers[seat].session.link_up(Link(other as u32));
            }
            let late = self.rng.random_range(0..1_000);
            self.schedule(late, Event::Tick { seat, life: 0 });
            self.carry_out(seat);
        }
        if !self.plan.faults.troubles().is_empty() {
            self.schedule(self.plan.faults.every_ms, Event::Trouble);
        }
    }

    pub(super) fn neighbours(&self, seat: usize) -> Vec<usize> {
        let topology = self.options.network;
        let cast = self.options.cast();
        let linked = |other: &usize| match cast.program(seat).max(cast.program(*other)) {
            // A bot and its keeper are next to each other in any network.
            0 if cast.bots > 0 => cast.linked(seat, *other),
            _ => cast.linked(seat, *other) && topology.linked(seat, *other),
        };
        (0..self.peers.len()).filter(linked).collect()
    }

    /// The seats that are not cut off for good, and do not sign twice.
    fn reachable(&self) -> impl Iterator<Item = (usize, &Peer)> {
        let lost = |seat: usize| {
            let cuts = self
                .plan
                .cuts
                .iter()
                .zip(&self.cut_at)
                .filter_map(|(cut, at)| cut.filter(|cut| at.is_some() && cut.ms.is_none()));
            let mut lost = cuts.map(|cut| usize::from(cut.seat));
            lost.any(|lost| lost == seat) || self.plan.lies(seat)
        };
        self.peers.iter().enumerate().filter(move |(seat, _)| !lost(*seat))
    }

    /// Whether all are through, and have met after the end.
    fn over(&self) -> bool {
        let heads = |rounds: u8| {
            let heads = self.reachable().map(|(_, peer)| *peer.session.table().head());
            rounds > 0 || heads.collect::<std::collections::BTreeSet<_>>().len() < 2
        };
        heads(self.plan.rounds)
            && self.reachable().all(|(_, peer)| {
                let table = peer.session.table();
                let enough = self.plan.rounds > 0 && table.game().round_number() > self.plan.rounds;
                peer.is_at_rest() && (enough || table.phase() == Phase::Complete)
            })
    }

    /// Whether every reachable seat that is not out has closed the game where the log ends, and
    /// knows that the others have.
    fn closed(&self) -> bool {
        if self.now < self.plan.faults.until_ms {
            return false;
        }
        let all: Vec<usize> = self
            .reachable()
            .filter(|(seat, peer)| {
                let number = *seat as u8;
                let live = peer.session.table().live();
                live.iter().any(|seat| seat.index() == usize::from(number))
            })
            .map(|(seat, _)| seat)
            .collect();
        let knows = |peer: &Peer| {
            let closed: Vec<usize> = peer.session.closed().iter().map(|s| s.index()).collect();
            all.iter().all(|seat| closed.contains(seat))
        };
        !all.is_empty() && all.iter().all(|seat| knows(&self.peers[*seat]))
    }

    /// Whether a seat is cut off now; notes when it begins.
    fn is_cut(&mut self, seat: usize) -> bool {
        let mut is_cut = false;
        for (cut, at) in self.plan.cuts.iter().zip(&mut self.cut_at) {
            let Some(cut) = cut.filter(|cut| usize::from(cut.seat) == seat) else { continue };
            if at.is_none() && cut.at.is_here(self.peers[seat].session.table()) {
                *at = Some(self.now);
            }
            let since = at.map(|at| self.now - at);
            is_cut |= since.is_some_and(|since| cut.ms.is_none_or(|ms| since < ms));
        }
        is_cut
    }

    pub(super) fn schedule(&mut self, in_ms: u64, event: Event) {
        self.order += 1;
        self.queue.push(Reverse((self.now + in_ms, self.order)));
        self.events.insert(self.order, event);
    }

    /// Lets the next event happen; false if there is none.
    fn step(&mut self) -> bool {
        let Some(Reverse((at, order))) = self.queue.pop() else {
            return false;
        };
        let Some(event) = self.events.remove(&order) else {
            return false;
        };
        self.now = at;
        let seat = match event {
            Event::Trouble => {
                self.trouble();
                return true;
            }
            Event::Start { seat } => {
                self.start(seat);
                return true;
            }
            Event::Talk { to: seat, .. } | Event::Tick { seat, .. } | Event::Retry { seat, .. } => {
                seat
            }
        };
        let cut = self.is_cut(seat);
        let peer = &self.peers[seat];
        match event {
            Event::Talk { .. } if !peer.up || cut => return true,
            Event::Tick { life, .. } | Event::Retry { life, .. } if life != peer.life => {
                return true;
            }
            Event::Talk { .. } | Event::Tick { .. } if peer.waits_for_disk() => {
                self.schedule(DISK_RETRY_MS + 1, event);
                return true;
            }
            Event::Talk { from, talk, .. } => self.hear(seat, from, talk),
            Event::Tick { life, .. } => {
                let clock = peer.clock(self.now);
                let session = &mut self.peers[seat].session;
                session.tick(clock);
                let next = session.wake_at().saturating_sub(clock).max(1);
                self.schedule(next, Event::Tick { seat, life });
            }
            _ => {}
        }
        // What waits for the disk comes first.
        if self.carry_out(seat) {
            let now = self.now;
            let think_ms = self.plan.think_ms;
            if let Some(wrong) = self.peers[seat].decide(self.options.bot, now, think_ms) {
                self.told.push(format!("seat {}: {wrong}", seat + 1));
            }
            self.carry_out(seat);
        }
        true
    }

    fn hear(&mut self, seat: usize, from: Link, talk: Talk) {
        let what = match &talk {
            Talk::Status(_) => "hears a status of seat",
            Talk::Get(_) => "is asked for records by seat",
            Talk::Records { .. } => "gets records from seat",
            Talk::Fresh(_) => "hears a record from seat",
            Talk::Note(_) => "hears a note from seat",
            Talk::Vote(_) => "hears a vote from seat",
            Talk::Fault(_) => "hears proof of a fault from seat",
        };
        self.trace.note(self.now, seat, what, u64::from(from.0) + 1);
        if let Talk::Vote(bytes) = &talk
            && self.plan.both_ways == Some(seat as u8)
            && let Some(Paper { base, says: Says::Sign(motion), .. }) = unchecked(bytes)
        {
            self.motions.insert((base, motion.number), motion);
        }
        if self.plan.twice.is_some() {
            let session = &self.peers[seat].session;
            match &talk {
                Talk::Fresh(record) => self.watch.hear(seat, session, record),
                Talk::Records { records, .. } => {
                    records.iter().for_each(|record| self.watch.hear(seat, session, record));
                }
                _ => {}
            }
        }
        let clock = self.peers[seat].clock(self.now);
        self.peers[seat].session.receive(from, talk, clock);
    }

    /// Carries out what the session of a seat asks for, in order; false if it stops before the
    /// end, because a write fails or the seat crashes.
    pub(super) fn carry_out(&mut self, seat: usize) -> bool {
        while let Some(output) = self.peers[seat].next_output() {
            if self.peers[seat].burns_down() {
                let most = if self.plan.faults.torn { self.rng.random_range(0..300) } else { 0 };
                self.crash(seat, &output, most);
                return false;
            }
            let bad = self.bad_write(seat, &output);
            if let Some(BadWriteHow::Torn(most)) = bad {
                self.crash(seat, &output, most);
                return false;
            }
            if bad.is_some() || Disk::is_write(&output) && self.disk_fails() {
                self.trace.count(self.now, seat, "has a write that fails", 0);
                let peer = &mut self.peers[seat];
                peer.failing = Some(output);
                let life = peer.life;
                self.schedule(DISK_RETRY_MS, Event::Retry { seat, life });
                return false;
            }
            self.do_output(seat, output);
        }
        let session = &self.peers[seat].session;
        if let Some(wrong) = self.watch.rest(seat, session.log(), session.length_final()) {
            self.told.push(format!("seat {} {wrong}", seat + 1));
        }
        true
    }

    /// What becomes of the planned bad write, if this is it.
    fn bad_write(&mut self, seat: usize, output: &Output) -> Option<BadWriteHow> {
        let here =
            |bad: &BadWrite| usize::from(bad.seat) == seat && self.peers[seat].writes == bad.write;
        let bad = self.plan.write.filter(|bad| Disk::is_write(output) && here(bad))?;
        self.plan.write = None;
        Some(bad.how)
    }

    fn disk_fails(&mut self) -> bool {
        let faults = self.plan.faults;
        self.now < faults.until_ms && self.rng.random_range(0..1_000) < faults.disk
    }

    pub(super) fn watch(&mut self, seat: usize, output: &Output) {
        let table = self.peers[seat].session.table();
        if let Some(wrong) = self.watch.output(seat, table, output) {
            self.told.push(format!("seat {}: {wrong}", seat + 1));
        }
    }

    fn do_output(&mut self, seat: usize, output: Output) {
        self.watch(seat, &output);
        if Disk::is_write(&output) {
            self.peers[seat].disk.write(&output);
            self.peers[seat].writes += 1;
        }
        let length = u64::from(self.peers[seat].session.table().length());
        match output {
            Output::Journal(_) => {}
            Output::Append(_) => {
                self.moved_at = self.now;
                self.trace.note(self.now, seat, "has a log of records:", length);
            }
            Output::Cut { tail, .. } => {
                self.undone += tail.len() as u32;
                self.trace.count(self.now, seat, "cuts records off its log:", tail.len() as u64);
            }
            Output::Send(Link(to), talk) => self.send(seat, to as usize, talk),
            Output::Tell(News::Fault { seat: accused, reason, evidence }) => {
                self.trace.note(self.now, seat, "tells a fault of seat", accused.number().into());
                let accused = accused.index();
                self.accused.push(Accusation { by: seat, seat: accused, reason, evidence });
            }
            Output::Tell(_) => {}
        }
    }

    fn send(&mut self, from: usize, to: usize, talk: Talk) {
        self.messages += 1;
        let dead = self.is_cut(from)
            || parted(&self.plan, from, to, self.now)
            || self.ways.is_dead(from, to, self.now);
        if dead {
            return;
        }
        let talk = self.as_told(from, to, talk);
        let healed = self.plan.faults.until_ms > 0 && self.now >= self.plan.faults.until_ms;
        let network = if healed { self.options.network.good() } else { self.options.network };
        let held = self.ways.held_ms(from, to, self.now);
        let arrivals = network.deliveries(&mut self.rng);
        match arrivals.len() {
            0 => self.trace.tally("messages lost"),
            1 => {}
            _ => self.trace.tally("messages doubled"),
        }
        for delay in arrivals {
            let from = Link(from as u32);
            self.schedule(held + delay, Event::Talk { to, from, talk: talk.clone() });
        }
    }
}

/// How long a disk that failed is left alone, in milliseconds.
const DISK_RETRY_MS: u64 = 1_000;
