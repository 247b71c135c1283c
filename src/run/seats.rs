//! The seats this process plays: the player's own and those of the bots it keeps.

use rand::{SeedableRng, rngs::SmallRng};

use super::{RunError, peers::link_of, random};
use crate::{
    bot::Bot,
    game::{Action, Seat},
    protocol::{
        crypto::{
            hash::{Hash, Secret, hash},
            identity::Identity,
        },
        lobby::{Join, Roster},
        session::{Link, Session, Start},
    },
    store::GameDir,
};

/// One seat of this process.
pub(super) struct Local {
    pub(super) seat: Seat,
    pub(super) session: Session,
    bot: Option<(Bot, SmallRng)>,
}

/// The seats of this process: the own one first.
pub struct Seats {
    locals: Vec<Local>,
}

/// The key of the bot number `index` at a table: only its keeper can compute it.
pub(super) fn bot_identity(keeper: &Identity, table: &Hash, index: u8) -> Identity {
    Identity::from_secret(&keeper.derive("bot key", &[table, &[index]]))
}

impl Seats {
    /// The seats that `identity` and its bots have in a game, as the disk has them. `again` says
    /// whether they may have signed before.
    ///
    /// # Errors
    /// [`RunError`] if the log is refused.
    pub fn open(game: &mut GameDir, identity: &Identity, again: bool) -> Result<Seats, RunError> {
        let (own_bot, bots) = (game.meta().bot, game.meta().bots);
        let secret = game.secret().clone();
        let own = Identity::from_secret(&identity.secret());
        let mut locals = vec![open_seat(game, own, secret.clone(), own_bot, again)?];
        let roster = locals[0].session.table().roster().clone();
        for index in 0..kept_by(&roster, locals[0].seat) {
            let key = bot_identity(identity, &roster.terms.id, index);
            let secret = Secret::new(hash("bot secret", &[&secret[..], &[index]]));
            locals.push(open_seat(game, key, secret, bots, again)?);
        }
        let own = link_of(locals[0].seat);
        for index in 1..locals.len() {
            let bot = link_of(locals[index].seat);
            locals[0].session.link_up(bot);
            locals[index].session.link_up(own);
        }
        game.keep_records(locals[0].session.log().len())?;
        Ok(Seats { locals })
    }

    /// The player's own session.
    pub fn own(&self) -> &Session {
        &self.locals[0].session
    }

    pub(super) fn own_mut(&mut self) -> &mut Session {
        &mut self.locals[0].session
    }

    pub(super) fn all_mut(&mut self) -> impl Iterator<Item = &mut Local> {
        self.locals.iter_mut()
    }

    pub(super) fn count(&self) -> usize {
        self.locals.len()
    }

    pub(super) fn at(&mut self, index: usize) -> &mut Local {
        &mut self.locals[index]
    }

    /// The place among this process's seats of the seat a link leads to.
    pub(super) fn place_of(&self, link: Link) -> Option<usize> {
        self.locals.iter().position(|local| link_of(local.seat) == link)
    }

    /// Whether this process plays `seat`.
    pub(super) fn plays(&self, seat: Seat) -> bool {
        self.locals.iter().any(|local| local.seat == seat)
    }

    /// When the first session wants to be woken.
    pub(super) fn wake_at(&self) -> u64 {
        self.locals.iter().map(|local| local.session.wake_at()).min().unwrap_or_default()
    }
}

impl Local {
    /// Does what needs no player: a seat that is out asks to be dealt in again, and a bot decides
    /// if the table asks it, and goes on without those who are overdue. True if it decided.
    pub(super) fn decide(&mut self, now: u64) -> bool {
        let Local { session, bot, .. } = self;
        if session.table().may_return(session.seat()) {
            // Once for each time it went out; until then it is refused.
            let _ = session.come_back();
        }
        let late = if bot.is_some() { session.overdue(now) } else { Vec::new() };
        for seat in late {
            // Refused where this seat has no vote.
            let _ = session.claim(seat, now);
        }
        let Some((bot, rng)) = bot else { return false };
        if !session.asks() {
            return false;
        }
        let Some(view) = session.view() else { return false };
        let decided = match bot.choose(&view, rng) {
            Action::Keep => session.choose(false),
            Action::Flip => session.choose(true),
            action => session.act(action),
        };
        if let Err(error) = &decided {
            tracing::error!(seat = self.seat.number(), %error, "a bot's decision was refused");
        }
        decided.is_ok()
    }
}

/// The time of day, which rises from one start of a program to the next.
fn since_epoch_ms() -> u64 {
    let since = std::time::SystemTime::now().duration_since(std::time::UNIX_EPOCH);
    since.map_or(0, |since| since.as_millis() as u64)
}

fn open_seat(
    game: &mut GameDir,
    identity: Identity,
    secret: Secret,
    bot: Option<Bot>,
    again: bool,
) -> Result<Local, RunError> {
    let first = game.log_records().first().map_or(&[][..], Vec::as_slice);
    let number = crate::protocol::table::Table::found(first)
        .ok()
        .and_then(|(table, _)| table.roster().seat_of(&identity.public()));
    let number = number.ok_or(crate::protocol::session::StartError::NoSeat)?;
    let journal = game.open_journal(number)?;
    let start = Start {
        identity,
        secret,
        log: game.log_records().to_vec(),
        journal,
        entropy: Secret::new(random()?),
        boot: since_epoch_ms(),
        again,
    };
    let session = Session::new(start)?;
    let rng = SmallRng::seed_from_u64(u64::from_le_bytes(random()?));
    Ok(Local { seat: session.seat(), session, bot: bot.map(|bot| (bot, rng)) })
}

fn kept_by(roster: &Roster, keeper: Seat) -> u8 {
    let kept = |join: &&Join| join.kept_by.and_then(Seat::new) == Some(keeper);
    roster.joins.iter().filter(kept).count() as u8
}
