//! The world: sessions, their disks, and a queue of what happens when.

use std::{
    cmp::Reverse,
    collections::{BTreeMap, BinaryHeap},
};

use rand::{RngExt, SeedableRng, rngs::SmallRng};

use super::{cast::Cast, network::Network};
use crate::{
    bot::Bot,
    game::Action,
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
}

/// Plays one game.
///
/// # Errors
/// [`Failure`] if it does not end in time, a seat is accused, or a seat cannot start.
pub fn run(options: Options) -> Result<Outcome, Failure> {
    let fail = |what| Failure { what, options };
    let mut world = World::new(options).map_err(fail)?;
    world.connect();
    while world.now < options.time_ms_max && !world.over() {
        if !world.step() {
            return Err(fail("nothing is left to happen and the game is not over".into()));
        }
    }
    if let Some(told) = world.told.first() {
        return Err(fail(told.clone()));
    }
    if !world.over() {
        let phases: Vec<_> = world.peers.iter().map(|peer| peer.session.table().phase()).collect();
        return Err(fail(format!("not over after {} ms: {phases:?}", world.now)));
    }
    Ok(Outcome {
        files: world.peers.into_iter().map(|peer| peer.file).collect(),
        time_ms: world.now,
        messages: world.messages,
    })
}

impl World {
    fn new(options: Options) -> Result<World, String> {
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

    fn over(&self) -> bool {
        self.peers.iter().all(|peer| peer.session.table().phase() == Phase::Complete)
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
        let Peer { session, rng, .. } = &mut self.peers[seat];
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
                Output::Tell(News::Fact(_) | News::Ready) => {}
                Output::Tell(news) => self.told.push(format!("seat {}: {news:?}", seat + 1)),
            }
        }
    }

    fn send(&mut self, from: usize, to: usize, talk: Talk) {
        self.messages += 1;
        for delay in self.options.network.deliveries(&mut self.rng) {
            let from = Link(from as u32);
            self.schedule(delay, Event::Talk { to, from, talk: talk.clone() });
        }
    }
}
