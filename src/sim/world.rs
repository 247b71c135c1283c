//! The world: sessions, their disks, and a queue of what happens when.

use std::{
    cmp::Reverse,
    collections::{BTreeMap, BinaryHeap},
};

use rand::{RngExt, SeedableRng, rngs::SmallRng};

use super::{
    cast::Cast,
    network::Network,
    plan::{Plan, parted, second},
};
use crate::{
    bot::Bot,
    game::{Action, Seat},
    protocol::{
        lobby::DealKind,
        log::file::{MAGIC, frame},
        message::Talk,
        session::{Link, News, Output, Session},
        table::Phase,
    },
};

/// One run.
#[derive(Debug, Clone, Copy)]
pub struct Options {
    /// Seats, 2 to 5.
    pub seats: u8,
    /// What everything random in the run follows from.
    pub seed: u64,
    /// The network.
    pub network: Network,
    /// How the cards are dealt.
    pub deal: DealKind,
    /// Who plays.
    pub bot: Bot,
    /// Virtual time the game has, in milliseconds.
    pub time_ms_max: u64,
}

/// A run that ended as it should.
#[derive(Debug, Clone)]
pub struct Outcome {
    /// The log file of each seat.
    pub files: Vec<Vec<u8>>,
    /// Virtual time the game took, in milliseconds.
    pub time_ms: u64,
    /// Messages handed to the network.
    pub messages: u64,
    /// The seats (from 0) that did not come to the end of the game.
    pub behind: Vec<usize>,
    /// Whether the live seats closed the game because no quorum was to be had.
    pub closed: bool,
    /// Records that were undone, at all seats together.
    pub undone: u32,
    /// The seats (from 0) that were accused, with the reasons.
    pub accused: Vec<(usize, String)>,
}

/// A run that did not.
#[derive(Debug, Clone)]
pub struct Failure {
    /// What happened.
    pub what: String,
    /// The options, which reproduce it.
    pub options: Options,
}

enum Event {
    Talk { to: usize, from: Link, talk: Talk },
    Tick { seat: usize },
}

struct Peer {
    session: Session,
    file: Vec<u8>,
    rng: SmallRng,
}

struct World {
    options: Options,
    now: u64,
    order: u64,
    queue: BinaryHeap<Reverse<(u64, u64)>>,
    events: BTreeMap<u64, Event>,
    peers: Vec<Peer>,
    rng: SmallRng,
    messages: u64,
    told: Vec<String>,
    plan: Plan,
    /// When each seat of the plan was cut off.
    cut_at: [Option<u64>; 4],
    undone: u32,
    accused: Vec<(usize, String)>,
}

/// Plays one game.
///
/// # Errors
/// [`Failure`] if it does not end in time, a seat is accused, or a seat cannot start.
pub fn run(options: Options) -> Result<Outcome, Failure> {
    let outcome = run_planned(options, Plan::default())?;
    match outcome.accused.first() {
        Some((seat, reason)) => {
            Err(Failure { what: format!("seat {} accused: {reason}", seat + 1), options })
        }
        None => Ok(outcome),
    }
}

/// Plays one game in which things go wrong as planned.
///
/// # Errors
/// [`Failure`] if it neither ends nor is closed in time, or a seat cannot start.
pub fn run_planned(options: Options, plan: Plan) -> Result<Outcome, Failure> {
    let fail = |what| Failure { what, options };
    let mut world = World::new(options, plan).map_err(fail)?;
    world.connect();
    while world.now < options.time_ms_max && !world.over() && !world.closed() {
        if !world.step() {
            return Err(fail("nothing is left to happen and the game is not over".into()));
        }
    }
    if let Some(told) = world.told.first() {
        return Err(fail(told.clone()));
    }
    if !world.over() && !world.closed() {
        let phases: Vec<_> = world.peers.iter().map(|peer| peer.session.table().phase()).collect();
        return Err(fail(format!("not over after {} ms: {phases:?}", world.now)));
    }
    let complete = |peer: &Peer| peer.session.table().phase() == Phase::Complete;
    Ok(Outcome {
        behind: (0..world.peers.len()).filter(|seat| !complete(&world.peers[*seat])).collect(),
        closed: !world.over(),
        undone: world.undone,
        accused: world.accused,
        files: world.peers.into_iter().map(|peer| peer.file).collect(),
        time_ms: world.now,
        messages: world.messages,
    })
}

impl World {
    fn new(options: Options, plan: Plan) -> Result<World, String> {
        let cast = Cast { seats: options.seats, deal: options.deal, seed: options.seed };
        let first = cast.first_record();
        let mut peers = Vec::new();
        for seat in 0..options.seats {
            let session = Session::new(cast.start(seat)).map_err(|error| error.to_string())?;
            let file = [MAGIC.to_vec(), frame(&first)].concat();
            let rng = SmallRng::seed_from_u64(options.seed ^ (u64::from(seat) + 1) << 32);
            peers.push(Peer { session, file, rng });
        }
        Ok(World {
            options,
            now: 0,
            order: 0,
            queue: BinaryHeap::new(),
            events: BTreeMap::new(),
            peers,
            rng: SmallRng::seed_from_u64(options.seed),
            messages: 0,
            told: Vec::new(),
            plan,
            cut_at: [None; 4],
            undone: 0,
            accused: Vec::new(),
        })
    }

    fn connect(&mut self) {
        for seat in 0..self.peers.len() {
            for other in 0..self.peers.len() {
                if self.options.network.linked(seat, other) {
                    self.peers[seat].session.link_up(Link(other as u32));
                }
            }
            let late = self.rng.random_range(0..1_000);
            self.schedule(late, Event::Tick { seat });
            self.carry_out(seat);
        }
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
            lost.any(|lost| lost == seat)
                || self.plan.twice.is_some_and(|twice| usize::from(twice.seat) == seat)
        };
        self.peers.iter().enumerate().filter(move |(seat, _)| !lost(*seat))
    }

    fn over(&self) -> bool {
        self.reachable().all(|(_, peer)| peer.session.table().phase() == Phase::Complete)
    }

    /// Whether every reachable seat that is not out has closed the game where the log ends, and
    /// knows that the others have.
    fn closed(&self) -> bool {
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

    fn schedule(&mut self, in_ms: u64, event: Event) {
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
            Event::Talk { to, .. } if self.is_cut(to) => to,
            Event::Talk { to, from, talk } => {
                self.peers[to].session.receive(from, talk, self.now);
                to
            }
            Event::Tick { seat } => {
                self.peers[seat].session.tick(self.now);
                let next = self.peers[seat].session.wake_at();
                self.schedule(next.saturating_sub(self.now).max(1), Event::Tick { seat });
                seat
            }
        };
        self.decide(seat);
        self.carry_out(seat);
        true
    }

    /// Lets the bot of a seat decide if it is asked.
    fn decide(&mut self, seat: usize) {
        let now = self.now;
        let Peer { session, rng, .. } = &mut self.peers[seat];
        for other in session.overdue(now) {
            let mine = |(owner, claimers): &(Seat, Vec<Seat>)| {
                *owner == other && claimers.contains(&session.seat())
            };
            if !session.claimed().iter().any(mine) {
                let _ = session.claim(other, now);
            }
        }
        if session.waited(now) > CLOSE_MS {
            session.close();
        }
        let _ = session.come_back();
        if !session.asks() {
            return;
        }
        let Some(view) = session.view() else { return };
        let action = self.options.bot.choose(&view, rng);
        let done = match action {
            Action::Keep => session.choose(false),
            Action::Flip => session.choose(true),
            action => session.act(action),
        };
        if let Err(error) = done {
            self.told.push(format!("seat {}: {action}: {error}", seat + 1));
        }
    }

    fn carry_out(&mut self, seat: usize) {
        while let Some(output) = self.peers[seat].session.poll() {
            match output {
                Output::Journal(_) => {}
                Output::Append(records) => {
                    let frames = records.iter().flat_map(|record| frame(record));
                    self.peers[seat].file.extend(frames);
                }
                Output::Send(Link(to), talk) => self.send(seat, to as usize, talk),
                Output::Cut { tail, .. } => {
                    let bytes: usize = tail.iter().map(|record| record.len() + 4).sum();
                    let file = &mut self.peers[seat].file;
                    file.truncate(file.len() - bytes);
                    self.undone += tail.len() as u32;
                }
                Output::Tell(News::Fault { seat, reason, .. }) => {
                    self.accused.push((seat.index(), reason));
                }
                Output::Tell(News::RunningTwice)
                    if self.plan.twice.is_some_and(|twice| usize::from(twice.seat) == seat) => {}
                Output::Tell(News::Fact(_) | News::Ready | News::Undone(_)) => {}
                Output::Tell(News::Forked(_)) if self.plan != Plan::default() => {}
                Output::Tell(news) => self.told.push(format!("seat {}: {news:?}", seat + 1)),
            }
        }
    }

    fn send(&mut self, from: usize, to: usize, talk: Talk) {
        self.messages += 1;
        if self.is_cut(from) || parted(&self.plan, from, to, self.now) {
            return;
        }
        let talk = self.as_told(from, to, talk);
        for delay in self.options.network.deliveries(&mut self.rng) {
            let from = Link(from as u32);
            self.schedule(delay, Event::Talk { to, from, talk: talk.clone() });
        }
    }

    /// What a seat that signs twice tells every other neighbour.
    fn as_told(&self, from: usize, to: usize, talk: Talk) -> Talk {
        let Some(twice) = self.plan.twice.filter(|twice| usize::from(twice.seat) == from) else {
            return talk;
        };
        let table = self.peers[from].session.table();
        let other = (from + to).is_multiple_of(2) && table.length() >= twice.from;
        let cast =
            Cast { seats: self.options.seats, deal: self.options.deal, seed: self.options.seed };
        let second = other.then(|| second(&twice, &cast.identity(from as u8), &talk)).flatten();
        second.filter(|second| self.may_stand(to, second)).unwrap_or(talk)
    }

    /// Whether a second record is right where the neighbour stands, so that it may be taken.
    fn may_stand(&self, to: usize, talk: &Talk) -> bool {
        let Talk::Fresh(bytes) = talk else { return false };
        self.peers[to].session.table().admit(bytes).is_ok()
    }
}

/// How long a seat waits for anything to go on before it takes the game as closed, in
/// milliseconds.
const CLOSE_MS: u64 = 300_000;
