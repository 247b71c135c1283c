//! `perft FILE --depth N`: counts the lines of play from a record.

use std::io::{self, Write};
use std::path::PathBuf;

use crate::game::notation::check;

use super::common::{complain, text_of, written};
use super::{Common, DONE, FILE, Failed, WRONG};

/// Count the action sequences of a length after the last line of a record
///
/// A round that is over counts as one. Two engines with the same rules count the same. Example:
/// `fairdeal perft game.scout --depth 3`
#[derive(clap::Args, Debug)]
pub struct Args {
    /// The record; `-` is standard input
    file: PathBuf,
    /// How many actions deep
    #[arg(long)]
    depth: u32,
}

/// Runs the command and gives its exit code.
pub(super) fn run(_: &Common, args: Args) -> Result<u8, Failed> {
    let Some(text) = text_of(&args.file) else {
        return Ok(FILE);
    };
    let count = match check(&text, |_, _| {}) {
        Ok(checker) => match checker.game().and_then(|game| game.running().ok()) {
            Some(round) => round.perft(args.depth),
            None => Ok(1),
        },
        Err(refusal) => {
            complain(&refusal);
            return Ok(WRONG);
        }
    };
    match count {
        Ok(count) => written(writeln!(io::stdout(), "{count}"), DONE),
        Err(hidden) => {
            complain(&hidden);
            Ok(WRONG)
        }
    }
}
