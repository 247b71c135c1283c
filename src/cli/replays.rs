//! `fairdeal replays`

use super::{DONE, FILE, Failed, UNFINISHED, WRONG, common::print};
use crate::{
    store::Home,
    ui::shelf::{self, Checked, Kept, Proof},
};

/// List your finished games, the newest last: file, day, whether it verifies, players, points
#[derive(Debug, clap::Args)]
pub struct Args {}

pub(super) fn run(_: Args) -> Result<u8, Failed> {
    let home = Home::find().map_err(|error| Failed::new(FILE, error))?;
    let games = shelf::kept(&home).map_err(|error| Failed::new(FILE, error))?;
    if games.is_empty() {
        print(&format!("No finished games yet; they are kept in {}.\n", home.replays().display()));
    }
    let mut worst = DONE;
    for Kept { day, path } in games.into_iter().rev() {
        let Checked { proof, words } = shelf::check(&path);
        print(&format!("{}\n  {day}  {proof}: {words}\n", path.display()));
        worst = worst.max(match proof {
            Proof::Verified => DONE,
            Proof::Wrong => WRONG,
            Proof::Unfinished => UNFINISHED,
            Proof::Unreadable => FILE,
        });
    }
    Ok(worst)
}
