//! A table without a network: the player and bots in one process.

use super::{RunError, Seats, TableRun, greet::table_id, host::bot_joins, random};
use crate::{
    bot::Bot,
    game::Players,
    net::key_hash,
    protocol::{
        lobby::{DealKind, Join, LOG_VERSION, Roster, Terms},
        name::Name,
    },
    store::{GameDir, Meta, Profile},
};

/// Founds a game of the player against bots.
///
/// # Errors
/// [`RunError`] if it cannot be written to the disk.
pub fn alone(
    profile: Profile,
    name: Name,
    players: Players,
    bot: Bot,
) -> Result<TableRun, RunError> {
    let identity = profile.identity();
    let key = identity.public();
    let secret: [u8; 8] = random()?;
    let id = table_id(&key_hash(&key), &secret);
    let terms =
        Terms { id, version: LOG_VERSION, deal: DealKind::Sealed, clock_s: 0, patience_s: 60 };
    let mut joins = vec![Join { key, name, nonce: random()?, kept_by: None }];
    let bots = players.count() - 1;
    joins.extend(bot_joins(identity, &id, bot, bots)?);
    let roster = Roster { terms, number: 1, joins };
    let meta = Meta::alone(data_encoding::HEXLOWER.encode(&id), &profile, bot);
    let mut game = GameDir::create(&profile, meta, &roster.sign(identity))?;
    let seats = Seats::open(&mut game, identity, false)?;
    Ok(TableRun::new(profile, game, seats, None))
}
