//! `fairdeal play`

use super::{
    Common, Failed,
    common::{parse_name, parse_players},
    sit::sit,
};
use crate::{bot::Bot, game::Players, protocol::name::Name, run::Begin};

/// Play now against bots, without a network
///
/// The game is recorded like any other.
///
/// Example: fairdeal play --players 4
#[derive(Debug, clap::Args)]
pub struct Args {
    /// How many play, you included
    #[arg(long, value_name = "N", default_value = "3", value_parser = parse_players)]
    players: Players,
    /// The bot you play against
    #[arg(long, value_name = "NAME", value_enum, default_value_t = Bot::OPPONENT)]
    bot: Bot,
    /// Your name at the table; remembered
    #[arg(long, value_parser = parse_name)]
    name: Option<Name>,
}

pub(super) fn run(common: &Common, args: Args) -> Result<u8, Failed> {
    sit(common, Begin::Alone { players: args.players, bot: args.bot }, args.name)
}
