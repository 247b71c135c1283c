//! A seat of the world: its session, its disk, its clock, and the bot that decides for it.

use rand::{RngExt, SeedableRng, rngs::SmallRng};

use super::{cast::Cast, disk::Disk};
use crate::{
    bot::Bot,
    game::{Action, Seat},
    protocol::{
        crypto::hash::{Hash, Secret},
        log::record::Unchecked,
        session::{Output, Session, Start},
    },
};

pub(super) struct Peer {
    pub(super) session: Session,
    pub(super) disk: Disk,
    /// Whether it runs; if not, the session is what it was when it crashed.
    pub(super) up: bool,
    /// How often it has started again.
    pub(super) life: u64,
    /// The write that failed and is tried again.
    pub(super) failing: Option<Output>,
    /// Outputs until it crashes.
    pub(super) fuse: Option<u32>,
    /// Writes carried out.
    pub(super) writes: u32,
    /// When its clock began, in the world's time, and how far it has jumped since.
    born: u64,
    jumped: u64,
    /// The base at which the player was asked last, and when it will have thought.
    thinks: Option<(Hash, u64)>,
    rng: SmallRng,
}

/// How long a seat waits for anything to go on before it takes the game as closed, in
/// milliseconds.
const CLOSE_MS: u64 = 300_000;

impl Peer {
    /// A seat that sits down for the first time.
    pub(super) fn new(cast: &Cast, seat: u8) -> Result<Peer, String> {
        let session = Session::new(cast.start(seat)).map_err(|error| error.to_string())?;
        Ok(Peer {
            session,
            disk: Disk::new(&cast.first_record()),
            up: true,
            life: 0,
            failing: None,
            fuse: None,
            writes: 0,
            born: 0,
            jumped: 0,
            thinks: None,
            rng: SmallRng::seed_from_u64(cast.seed ^ (u64::from(seat) + 1) << 32),
        })
    }

    /// Starts from the disk as the program does.
    pub(super) fn start_again(&mut self, start: Start, now: u64) -> Result<(), String> {
        let (log, journal) = self.disk.read().map_err(|error| error.to_string())?;
        let entropy = Secret::new(self.rng.random());
        let start = Start { log, journal, entropy, boot: 16 + now, again: true, ..start };
        self.session = Session::new(start).map_err(|error| error.to_string())?;
        self.disk.keep(self.session.log());
        self.up = true;
        self.life += 1;
        (self.failing, self.fuse) = (None, None);
        (self.born, self.jumped, self.thinks) = (now, 0, None);
        Ok(())
    }

    /// What its clock shows.
    pub(super) fn clock(&self, now: u64) -> u64 {
        now - self.born + self.jumped
    }

    pub(super) fn jump(&mut self, ms: u64) {
        self.jumped += ms;
    }

    pub(super) fn waits_for_disk(&self) -> bool {
        self.failing.is_some()
    }

    /// Whether it runs and has carried out all that its session asked for.
    pub(super) fn is_at_rest(&self) -> bool {
        self.up && self.failing.is_none()
    }

    /// What is to be carried out next: what failed comes first.
    pub(super) fn next_output(&mut self) -> Option<Output> {
        self.failing.take().or_else(|| self.session.poll())
    }

    /// Whether it crashes instead of carrying out this output.
    pub(super) fn burns_down(&mut self) -> bool {
        let burnt = self.fuse == Some(0);
        self.fuse = self.fuse.map(|left| left.saturating_sub(1));
        burnt
    }

    /// Whether its file holds these records.
    pub(super) fn has_on_disk(&self, records: &[Vec<u8>]) -> bool {
        let read = self.disk.clone().read();
        !self.is_at_rest() || read.is_ok_and(|(log, _)| log == records)
    }

    /// Verdicts in its log.
    pub(super) fn verdicts(&self) -> u32 {
        let entries = self.session.log().iter().map(|bytes| Unchecked::decode(bytes));
        entries.filter(|entry| entry.as_ref().is_ok_and(Unchecked::is_verdict)).count() as u32
    }

    /// Lets the bot decide what it is asked; what it did that was not taken.
    pub(super) fn decide(&mut self, bot: Bot, now: u64, think_ms: u64) -> Option<String> {
        let now = self.clock(now);
        let Peer { session, rng, thinks, .. } = self;
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
            return None;
        }
        let base = *session.table().base();
        let until = match thinks {
            Some((at, until)) if *at == base => *until,
            _ => now + if think_ms > 0 { rng.random_range(0..=think_ms) } else { 0 },
        };
        *thinks = Some((base, until));
        if now < until {
            return None;
        }
        let view = session.view()?;
        let action = bot.choose(&view, rng);
        let done = match action {
            Action::Keep => session.choose(false),
            Action::Flip => session.choose(true),
            action => session.act(action),
        };
        done.err().map(|error| format!("{action}: {error}"))
    }
}
