//! `fairdeal replays`

use super::{DONE, FILE, Failed, common::print, common::read_file, verify::verdict};
use crate::{protocol::limits::LOG_BYTES_MAX, store::Home};

/// List your finished games: file, players, points, whether each verifies
#[derive(Debug, clap::Args)]
pub struct Args {}

pub(super) fn run(_: Args) -> Result<u8, Failed> {
    let fail = |error: std::io::Error| Failed::new(FILE, error);
    let folder = Home::find().map_err(|error| Failed::new(FILE, error))?.replays();
    let mut files: Vec<_> = std::fs::read_dir(&folder)
        .map_err(fail)?
        .filter_map(|entry| entry.ok().map(|entry| entry.path()))
        .filter(|path| path.extension().is_some_and(|extension| extension == "fairdeal"))
        .collect();
    files.sort();
    if files.is_empty() {
        print(&format!("No finished games yet; they are kept in {}.\n", folder.display()));
    }
    for path in files {
        let line = match read_file(&path, LOG_BYTES_MAX) {
            Ok(bytes) => verdict(&bytes).0,
            Err(failed) => format!("{:#}", failed.error),
        };
        print(&format!("{}\n  {line}\n", path.display()));
    }
    Ok(DONE)
}
