//! `moves FILE`: what the seat to act may do.

use std::io::{self, BufWriter, Write};
use std::path::PathBuf;

use crate::game::Round;
use crate::game::notation::check;

use super::common::{complain, text_of, written};
use super::{Common, DONE, FILE, Failed, WRONG};

/// List what the seat to act may do after the last line of a record, one action a line
///
/// Example: `fairdeal moves game.scout`
#[derive(clap::Args, Debug)]
pub struct Args {
    /// The record; `-` is standard input
    file: PathBuf,
}

/// Runs the command and gives its exit code.
pub(super) fn run(_: &Common, args: Args) -> Result<u8, Failed> {
    let Some(text) = text_of(&args.file) else {
        return Ok(FILE);
    };
    let game = match check(&text, |_, _| {}) {
        Ok(checker) => checker.game().copied(),
        Err(refusal) => {
            complain(&refusal);
            return Ok(WRONG);
        }
    };
    let Some(round) = game.as_ref().and_then(|game| game.running().ok()) else {
        return Ok(DONE);
    };
    if let Some(Err(hidden)) = round.to_act().map(|seat| round.check_seen(seat)) {
        complain(&hidden);
        return Ok(WRONG);
    }
    written(list(round), DONE)
}

fn list(round: &Round) -> io::Result<()> {
    let mut out = BufWriter::new(io::stdout().lock());
    let mut result = Ok(());
    round.for_each_action(|action| {
        if result.is_ok() {
            result = writeln!(out, "{action}");
        }
    });
    result.and_then(|()| out.flush())
}
