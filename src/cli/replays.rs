//! `fairdeal replays`

use super::{
    Common, DONE, FILE, Failed, UNFINISHED, WRONG,
    common::{failed, print},
};
use crate::{
    store::{Checked, FinishedGame, check, finished},
    ui::words,
};

/// List your finished games, the newest last: file, day, whether it verifies, players, points
#[derive(Debug, clap::Args)]
pub struct Args {}

pub(super) fn run(common: &Common, _: Args) -> Result<u8, Failed> {
    let home = common.home()?;
    let games = finished(&home).map_err(failed)?;
    if games.is_empty() {
        print(&format!("No finished games yet; they are kept in {}.\n", home.replays().display()));
    }
    let mut worst = DONE;
    for FinishedGame { day, path } in games.into_iter().rev() {
        let checked = check(&path);
        let (proof, words) = words::checked(&checked);
        print(&format!("{}\n  {day}  {proof}: {words}\n", path.display()));
        worst = worst.max(match checked {
            Checked::Verified(_) => DONE,
            Checked::Wrong(_) => WRONG,
            Checked::Unfinished(_) => UNFINISHED,
            Checked::Unreadable(_) => FILE,
        });
    }
    Ok(worst)
}
