//! `fairdeal play`

use super::{
    Common, Failed,
    common::{parse_name, parse_players, player_name},
    sit::{block_on, failed, play_lines},
};
use crate::{bot::Bot, game::Players, protocol::name::Name, run::alone};

/// Play now, alone against bots, without a network
///
/// The game is recorded like any other.
///
/// Example: fairdeal play --players 4
#[derive(Debug, clap::Args)]
pub struct Args {
    /// How many play, you included
    #[arg(long, value_name = "N", default_value = "3", value_parser = parse_players)]
    players: Players,
    /// The bot you play against: random, greedy or expert
    #[arg(long, value_name = "NAME", default_value_t = Bot::Greedy)]
    bot: Bot,
    /// Your name at the table; remembered
    #[arg(long, value_parser = parse_name)]
    name: Option<Name>,
}

pub(super) fn run(common: &Common, args: Args) -> Result<u8, Failed> {
    #[cfg(feature = "tui")]
    if common.has_screen() {
        let begin = crate::ui::app::Begin::Alone(args.players, args.bot);
        return super::screen::show(common, Some(begin), args.name);
    }
    let profile = common.open_profile(&common.home()?)?;
    let name = player_name(&profile, args.name)?;
    let table = alone(profile, name, args.players, args.bot).map_err(failed)?;
    block_on(async move { play_lines(common, table, false).await })
}
