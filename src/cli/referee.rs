//! `referee FILE`: checks a text record against the rules.

use std::io::{self, BufWriter, Write};
use std::path::PathBuf;

use crate::game::notation::{Checker, check, trace};
use crate::game::{BySeat, Game, Seats, Stage};

use super::common::{complain, text_of, written};
use super::{Common, DONE, FILE, Failed, WRONG};

/// Check a game in the text notation against the rules
///
/// The first line that breaks them is named with its number, its text and the reason. A record
/// may stop anywhere. Example: `fairdeal referee game.scout`
#[derive(clap::Args, Debug)]
pub struct Args {
    /// The record; `-` is standard input
    file: PathBuf,
    /// Write the state after each deal and each action, one JSON object a line
    #[arg(long)]
    trace: bool,
}

/// Runs the command and gives its exit code.
pub(super) fn run(_: &Common, args: Args) -> Result<u8, Failed> {
    let Some(text) = text_of(&args.file) else {
        return Ok(FILE);
    };
    let mut out = BufWriter::new(io::stdout().lock());
    let mut result = Ok(());
    let checked = check(&text, |line, game| {
        if let (true, true, Some(json)) = (args.trace, result.is_ok(), trace(line, game)) {
            result = writeln!(out, "{json}");
        }
    });
    let code = match checked {
        Ok(checker) => {
            if !args.trace {
                result = summary(&mut out, &checker);
            }
            DONE
        }
        Err(refusal) => {
            result = result.and_then(|()| out.flush());
            complain(&refusal);
            WRONG
        }
    };
    written(result.and_then(|()| out.flush()), code)
}

/// A few plain lines: each round, the totals, who has won or what is still to come.
fn summary(out: &mut impl Write, checker: &Checker) -> io::Result<()> {
    let Some(game) = checker.game() else {
        return writeln!(out, "unfinished: the seats are not all named yet");
    };
    for number in 1..=game.round_number() {
        if let Some(round) = game.finished(number) {
            let points = points(checker, &round.points);
            writeln!(out, "round {number} {}: {points}", round.ending)?;
        }
    }
    writeln!(out, "total: {}", points(checker, &game.totals()))?;
    writeln!(out, "{}", outcome(checker, game))
}

fn outcome(checker: &Checker, game: &Game) -> String {
    let number = game.round_number();
    match game.stage() {
        Stage::Over if game.is_abandoned() => "abandoned: too few seats are left".into(),
        Stage::Over => match game.winners() {
            winners if winners.count() > 1 => format!("a tie: {}", names(checker, winners)),
            winners => format!("winner: {}", names(checker, winners)),
        },
        Stage::Deal { round } => format!("unfinished: round {round} is not dealt"),
        Stage::RoundOver => format!("unfinished: round {} is not dealt", number + 1),
        Stage::Choice => format!("unfinished: round {number}, seats keep or flip"),
        Stage::Turn(seat) => {
            format!("unfinished: round {number}, {seat} {} is to act", name(checker, seat.index()))
        }
    }
}

fn points(checker: &Checker, points: &BySeat<i32>) -> String {
    let item = |(seat, points): (crate::game::Seat, &i32)| {
        format!("{seat} {} {points}", name(checker, seat.index()))
    };
    points.iter().map(item).collect::<Vec<_>>().join(", ")
}

fn names(checker: &Checker, seats: Seats) -> String {
    let item = |seat: crate::game::Seat| format!("{seat} {}", name(checker, seat.index()));
    seats.iter().map(item).collect::<Vec<_>>().join(", ")
}

fn name(checker: &Checker, index: usize) -> &str {
    checker.names().get(index).map_or("", String::as_str)
}
