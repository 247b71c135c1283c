//! `fairdeal replay`

use std::path::PathBuf;

#[cfg(feature = "tui")]
use super::screen::{Start, show};
use super::{
    Common, Failed, UNFINISHED,
    common::{parse_seat, print, read_file, wrong_file},
};
#[cfg(feature = "tui")]
use crate::ui::app::replay::{Replay, Shown, Verdict};
use crate::{
    game::{Action, Seat},
    protocol::{
        limits::LOG_BYTES_MAX,
        log::verify::{Wrong, read_open},
        table::{Fact, Phase, Table},
    },
    ui::{story::Story, text},
};

/// Look at a recorded game again: step by step on a terminal, as text elsewhere
///
/// Example: fairdeal replay GAME.fairdeal --seat 2 --round 3
#[derive(Debug, clap::Args)]
pub struct Args {
    /// The game (*.fairdeal)
    file: PathBuf,
    /// As text, turn by turn, also on a terminal
    #[arg(long)]
    text: bool,
    /// Show this seat's hand, and no other
    #[arg(long, value_name = "N", value_parser = parse_seat)]
    seat: Option<Seat>,
    /// Begin with this round; as text, tell only this one
    #[arg(long, value_name = "R")]
    round: Option<u8>,
}

pub(super) fn run(common: &Common, args: Args) -> Result<u8, Failed> {
    let bytes = read_file(&args.file, LOG_BYTES_MAX)?;
    #[cfg(feature = "tui")]
    if common.has_screen() && !args.text {
        return on_screen(common, &args, &bytes);
    }
    let _ = common;
    let (told, read) = tell(&bytes, args.seat, args.round);
    print(&told);
    match read {
        Ok(table) if table.phase() == Phase::Complete => Ok(super::DONE),
        Ok(_) => {
            print("The record ends here; the game is unfinished.\n");
            Ok(UNFINISHED)
        }
        Err(wrong) => Err(wrong_file(&args.file, &wrong)),
    }
}

/// Shows the game on a screen; the exit code says what it proves, as it does for text.
#[cfg(feature = "tui")]
fn on_screen(common: &Common, args: &Args, bytes: &[u8]) -> Result<u8, Failed> {
    let usage = |words: String| Failed::new(2, anyhow::anyhow!(words));
    let read = Replay::read(bytes, &Replay::title(&args.file));
    let mut replay = read.map_err(|wrong| wrong_file(&args.file, &wrong))?;
    if let Some(seat) = args.seat {
        if !replay.story.game().players().has(seat) {
            return Err(usage(format!("--seat: the game has no seat {}", seat.number())));
        }
        replay.shown = Shown::One(seat);
    }
    if let Some(round) = args.round
        && !replay.to_round(round)
    {
        return Err(usage(format!("--round: the game has no round {round}")));
    }
    let verdict = replay.verdict.clone();
    let shown = show(common, Start::Replay(Box::new(replay)), None)?;
    match verdict {
        _ if shown != super::DONE => Ok(shown),
        Verdict::Complete(_) | Verdict::Watched(_) => Ok(super::DONE),
        Verdict::Unfinished(_) => Ok(UNFINISHED),
        Verdict::Wrong(why) => {
            Err(Failed::new(super::WRONG, anyhow::anyhow!("{}: {why}", args.file.display())))
        }
    }
}

/// A game as text, with the hands of this seat or all, one round or all; and how reading ended.
pub(super) fn tell(
    bytes: &[u8],
    seat: Option<Seat>,
    only: Option<u8>,
) -> (String, Result<Table, Wrong>) {
    let mut told = String::new();
    let mut story: Option<Story> = None;
    let read = read_open(bytes, |table, _, _, facts| {
        let story = story.get_or_insert_with(|| Story::new(table.roster(), table.players()));
        for fact in facts {
            let lines = story.tell(fact);
            let round = story.game().round_number();
            if only.is_none_or(|wanted| wanted == round) {
                lines.iter().for_each(|line| told.push_str(&format!("{line}\n")));
                told.push_str(&hands(table, story, fact, seat));
            }
        }
    });
    (told, read)
}

/// The hands to be shown after a fact: all when they are dealt, and that of the seat to act if
/// it is the wanted one.
fn hands(table: &Table, story: &Story, fact: &Fact, wanted: Option<Seat>) -> String {
    let Some(round) = table.game_open().round() else { return String::new() };
    let shown: Vec<Seat> = match fact {
        Fact::Dealt { .. } => {
            let seats = table.players().seats();
            seats.filter(|seat| wanted.is_none_or(|wanted| wanted == *seat)).collect()
        }
        Fact::Acted { action, .. } if !matches!(action, Action::Keep) => {
            round.turn().into_iter().filter(|turn| Some(*turn) == wanted).collect()
        }
        _ => Vec::new(),
    };
    let mut lines = String::new();
    for seat in shown {
        lines.push_str(&format!("    {}\n", story.name(seat)));
        for line in text::hand(round.hand(seat)) {
            lines.push_str(&format!("      {line}\n"));
        }
    }
    lines
}
