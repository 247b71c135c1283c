//! `fairdeal resume`

use super::{Common, DONE, FILE, Failed, common::failed, sit::go_on};
use crate::{
    store::{Meta, unfinished},
    ui::{lines::say, words},
};

/// Go on with an unfinished game
///
/// Without GAME: the only one there is, or a list if there are several.
///
/// Example: fairdeal resume 3f2a
#[derive(Debug, clap::Args)]
pub struct Args {
    /// The first letters of the game's id, as the list shows it
    game: Option<String>,
}

pub(super) fn run(common: &Common, args: Args) -> Result<u8, Failed> {
    let wanted =
        |meta: &Meta| args.game.as_deref().is_none_or(|start| meta.table.starts_with(start));
    let mut games = unfinished(&common.home()?, common.profile.as_deref()).map_err(failed)?;
    games.retain(|game| wanted(&game.meta));
    if games.is_empty() {
        let error =
            anyhow::anyhow!("no unfinished game is here; `fairdeal replays` lists the others");
        return Err(Failed::new(FILE, error));
    }
    if games.len() > 1 {
        say("Several games are unfinished; say which:");
        for game in games.iter().rev() {
            say(&format!("  fairdeal resume {}   {}", game.id(), words::unfinished(game)));
        }
        return Ok(DONE);
    }
    let in_use = || Failed::new(FILE, anyhow::anyhow!(words::IN_USE));
    go_on(common, wanted, None)?.ok_or_else(in_use)
}
