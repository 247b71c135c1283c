//! `fairdeal export`

use std::path::PathBuf;

use serde_json::{Value, json};

use super::{
    Common, DONE, FILE, Failed, UNFINISHED,
    common::{print, read_file, wrong_file},
};
use crate::{
    game::{BySeat, notation::Statement},
    protocol::{
        limits::LOG_BYTES_MAX,
        log::verify::{Wrong, read_open},
        table::{Fact, Phase, Table},
    },
    run::key_words,
    ui::{html, text::cards},
};

/// Write a recorded game in another format
///
/// The notation can be read by people and checked by `fairdeal referee`; the web page steps
/// through the game in any browser.
///
/// Example: fairdeal export GAME.fairdeal --format html -o game.html
#[derive(Debug, clap::Args)]
pub struct Args {
    /// The game (*.fairdeal)
    file: PathBuf,
    /// The format
    #[arg(long, value_enum, default_value_t = Format::Notation)]
    format: Format,
    /// The file to write; standard output if not given
    #[arg(short = 'o', value_name = "OUT")]
    out: Option<PathBuf>,
}

/// What a game can be written as.
#[derive(Debug, Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
enum Format {
    /// The text notation (*.scout)
    Notation,
    /// One JSON object
    Json,
    /// One web page that steps through the game, needing no network
    Html,
}

pub(super) fn run(_: &Common, args: Args) -> Result<u8, Failed> {
    let bytes = read_file(&args.file, LOG_BYTES_MAX)?;
    let named = |wrong: Wrong| wrong_file(&args.file, &wrong);
    let (text, table) = match args.format {
        Format::Notation => notation(&bytes).map_err(named)?,
        Format::Json => as_json(&bytes).map_err(named)?,
        Format::Html => html::page(&bytes, |join| key_words(&join.key)).map_err(named)?,
    };
    match &args.out {
        Some(path) => write_whole(path, &text)?,
        None => print(&text),
    }
    let complete = table.phase() == Phase::Complete;
    Ok(if complete { DONE } else { UNFINISHED })
}

/// Writes beside the target and renames, so that no half file is left.
fn write_whole(path: &std::path::Path, text: &str) -> Result<(), Failed> {
    let fail = |error: std::io::Error| {
        let named = anyhow::Error::new(error).context(format!("cannot write {}", path.display()));
        Failed::new(FILE, named)
    };
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty());
    let folder = folder.unwrap_or(std::path::Path::new("."));
    let file = tempfile::NamedTempFile::new_in(folder).map_err(fail)?;
    std::fs::write(file.path(), text).map_err(fail)?;
    file.persist(path).map(|_| ()).map_err(|error| fail(error.error))
}

fn notation(bytes: &[u8]) -> Result<(String, Table), Wrong> {
    let mut text = String::new();
    let table = read_open(bytes, |table, _, _, facts| {
        if text.is_empty() {
            text.push_str(&format!("scout 1\nplayers {}\n", table.players().count()));
            for (index, join) in table.roster().joins.iter().enumerate() {
                text.push_str(&format!("seat {} {}\n", index + 1, join.name));
            }
        }
        for fact in facts {
            text.push_str(&notation_of(table, fact));
        }
    })?;
    Ok((text, table))
}

fn notation_of(table: &Table, fact: &Fact) -> String {
    match fact {
        Fact::Dealt { round, start } => {
            let mut lines = format!("round {round} start {start}\n");
            for (number, hand) in dealt(table) {
                lines.push_str(&format!("deal {number} {}\n", hand.join(" ")));
            }
            lines
        }
        Fact::Acted { seat, action, shown } if !shown.is_empty() && !table.knows_hands() => {
            format!("{seat} {action} = {}\n", cards(shown))
        }
        Fact::Acted { seat, action, .. } => format!("{seat} {action}\n"),
        Fact::RoundOver { ending, points, .. } => {
            format!("end {} {}\n", ending, spaced(points))
        }
        Fact::Out { seat, .. } if table.game().present().contains(*seat) => String::new(),
        Fact::Out { seat, pays, .. } => {
            let out = Statement::Out(*seat, *pays);
            let end = if table.game().is_abandoned() { "end abandoned\n" } else { "" };
            format!("{out}\n{end}")
        }
        Fact::Back { seat } => format!("{seat} back\n"),
        Fact::Complete if table.game().is_abandoned() => {
            format!("result abandoned {}\n", spaced(&table.game().totals()))
        }
        Fact::Complete => {
            let game = table.game();
            let winners: Vec<String> = game.winners().iter().map(|seat| seat.to_string()).collect();
            format!("result {} winner {}\n", spaced(&table.game().totals()), winners.join(" "))
        }
        Fact::Seated | Fact::RoundSigned { .. } | Fact::Audited { .. } | Fact::DealtAnew { .. } => {
            String::new()
        }
    }
}

fn spaced(points: &BySeat<i32>) -> String {
    points.iter().map(|(_, points)| points.to_string()).collect::<Vec<_>>().join(" ")
}

/// The hands just dealt: seat number and cards in the notation.
fn dealt(table: &Table) -> Vec<(u8, Vec<String>)> {
    let Some(round) = table.game_open().round() else { return Vec::new() };
    let card = |slot: crate::game::Slot| {
        slot.seen().map_or_else(|| "?".to_string(), |card| card.to_string())
    };
    let hand = |seat| round.hand(seat).iter().map(card).collect();
    let dealt_in = table.deal().context().dealt_in();
    dealt_in.iter().map(|seat| (seat.number(), hand(seat))).collect()
}

fn as_json(bytes: &[u8]) -> Result<(String, Table), Wrong> {
    let mut rounds: Vec<Value> = Vec::new();
    let table = read_open(bytes, |table, _, _, facts| {
        for fact in facts {
            match fact {
                Fact::Dealt { round, start } => {
                    let hands: Vec<_> = dealt(table).into_iter().map(|(_, hand)| hand).collect();
                    rounds.push(json!({
                        "round": round, "start": start.number(), "deal": hands, "actions": [],
                        "end": null, "points": null,
                    }));
                }
                Fact::Acted { seat, action, shown } => {
                    let shown: Vec<String> = shown.iter().map(ToString::to_string).collect();
                    let action = json!({
                        "seat": seat.number(), "action": action.to_string(), "shown": shown,
                    });
                    let list = rounds.last_mut().and_then(|round| round["actions"].as_array_mut());
                    if let Some(list) = list {
                        list.push(action);
                    }
                }
                Fact::RoundOver { ending, points, .. } => {
                    if let Some(round) = rounds.last_mut() {
                        round["end"] = ending.to_string().into();
                        round["points"] = points.as_slice().into();
                    }
                }
                _ => {}
            }
        }
    })?;
    let complete = table.phase() == Phase::Complete;
    let names: Vec<&str> = table.roster().joins.iter().map(|join| join.name.as_str()).collect();
    let winners: Vec<u8> = table.game().winners().iter().map(|seat| seat.number()).collect();
    let game = json!({
        "format": "fairdeal game 1", "players": table.players().count(), "seats": names,
        "rounds": rounds, "totals": table.game().totals().as_slice(),
        "winners": if complete { winners } else { Vec::new() }, "complete": complete,
    });
    Ok((format!("{game}\n"), table))
}
