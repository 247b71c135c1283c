//! `fairdeal resume`

use std::path::PathBuf;

use super::{
    Common, DONE, FILE, Failed,
    sit::{block_on, failed, play_lines},
};
use crate::{
    protocol::table::Phase,
    run::{TableRun, resume_of},
    store::{GameDir, Meta, Profile, Role},
    ui::lines::say,
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
    let home = common.home()?;
    let running = GameDir::running(&home.games()).map_err(failed)?;
    let mine = |meta: &Meta| common.profile.as_deref().is_none_or(|name| name == meta.profile);
    let wanted = |meta: &Meta| {
        mine(meta) && args.game.as_deref().is_none_or(|start| meta.table.starts_with(start))
    };
    let games: Vec<&Meta> =
        running.iter().map(|(_, meta)| meta).filter(|meta| wanted(meta)).collect();
    if games.is_empty() {
        let error =
            anyhow::anyhow!("no unfinished game is here; `fairdeal replays` lists the others");
        return Err(Failed::new(FILE, error));
    }
    if games.len() > 1 {
        say("Several games are unfinished; say which:");
        for meta in games {
            let role = match meta.role {
                Role::Host => "hosted",
                Role::Guest => "joined",
                Role::Alone => "alone",
            };
            let id: String = meta.table.chars().take(8).collect();
            say(&format!("  fairdeal resume {id}   {role}, profile {}", meta.profile));
        }
        return Ok(DONE);
    }
    let found = resume_of(&home, common.profile.as_deref(), wanted);
    match found.map_err(failed)? {
        Some((profile, folder)) => go_on(common, profile, folder),
        None => {
            let error = anyhow::anyhow!("that game is being played by another fairdeal here");
            Err(Failed::new(FILE, error))
        }
    }
}

/// Goes on with the game in this folder.
pub(super) fn go_on(common: &Common, profile: Profile, folder: PathBuf) -> Result<u8, Failed> {
    #[cfg(feature = "tui")]
    if common.has_screen() {
        let meta = GameDir::open(&profile, &folder).map_err(failed)?;
        let meta = meta.meta().clone();
        drop(profile);
        let begin = crate::ui::app::Begin::Resume(meta.table, meta.profile);
        return super::screen::show(common, Some(begin), None);
    }
    block_on(async move {
        let table = TableRun::resume(profile, folder).await.map_err(failed)?;
        let meta = table.meta().clone();
        if meta.role == Role::Host {
            say(&format!("fairdeal join {}", meta.invite));
        }
        if meta.role != Role::Alone {
            say(if table.snapshot().phase == Phase::Complete {
                "The game is complete; waiting a moment for players who have not got all of it."
            } else {
                "Waiting for the others to tell how far the game is."
            });
        }
        play_lines(common, table, meta.bot.is_some()).await
    })
}
