//! What the README shows of the screens is drawn from a golden game, and is what they show now.

use std::{fs, path::Path};

use fairdeal::{
    protocol::{log::verify::read_open, table::Fact},
    run::{Presence, Snapshot},
    ui::{
        app::{App, Event, replay::Replay, update},
        keymap,
    },
};

use crate::support::{app, press, screen, seat, sits, snapshot};

const GAME: &str = "sealed-3.fairdeal";

/// Holds a section of the README against what it should be; `BLESS=1` writes it anew.
fn section(heading: &str, wanted: &str) {
    // Both sections are in one file.
    static WRITING: std::sync::Mutex<()> = std::sync::Mutex::new(());
    let _one = WRITING.lock().expect("nobody panicked");
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("README.md");
    let readme = fs::read_to_string(&path).expect("a README");
    let found = readme.split_once(&format!("## {heading}\n\n")).map_or("", |(_, rest)| rest);
    let found = found.split_once("\n## ").map_or(found, |(section, _)| section);
    if std::env::var_os("BLESS").is_some() && !found.is_empty() {
        fs::write(&path, readme.replace(found, wanted)).expect("written");
    } else {
        assert_eq!(found, wanted, "`BLESS=1` writes the README's {heading} anew");
    }
}

fn golden_game() -> Vec<u8> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("replays").join(GAME);
    fs::read(path).expect("a golden game")
}

/// The table as seat 1 has it on its first turn with a set of three that beats one of two.
fn at_the_table(bytes: &[u8]) -> (Snapshot, Vec<Fact>) {
    let (mut past, mut found) = (Vec::new(), None);
    let read = read_open(bytes, |table, _, _, facts| {
        past.extend_from_slice(facts);
        let game = table.game_open();
        let Some(round) = game.round().filter(|round| round.turn() == Some(seat(1))) else {
            return;
        };
        let mut longest = 0;
        round.for_each_show(|span| longest = longest.max(span.len()));
        if found.is_none() && longest == 3 && round.active().is_some_and(|set| set.len() == 2) {
            let joins = &table.roster().joins;
            let names: Vec<&str> = joins.iter().map(|join| join.name.as_str()).collect();
            found = Some((snapshot(*game, seat(1), &names), past.clone()));
        }
    });
    read.expect("a right game");
    let (mut now, past) = found.expect("such a turn");
    now.presence = now.presence.iter().map(|_| Presence::Here).collect();
    now.roster.joins.iter_mut().for_each(|join| join.kept_by = None);
    (now, past)
}

fn block(app: &App) -> String {
    format!("```text\n{}```\n", screen(app))
}

#[test]
fn the_readme_shows_the_screens() {
    let bytes = golden_game();
    let mut table = app(80, 24);
    let (now, past) = at_the_table(&bytes);
    update(&mut table, sits(now, past));
    let shows = crate::support::table(&table).shows();
    let long = shows.iter().max_by_key(|span| span.len()).expect("a set to show");
    let [first, last] = [long.first(), long.last()].map(keymap::letter);
    press(&mut table, &format!("{first} {last}"));
    let mut again = app(80, 24);
    let replay = Replay::read(&bytes, GAME).expect("a game");
    update(&mut again, Event::Replay(Box::new(replay)));
    press(&mut again, "n g 9 Enter");
    section(
        "On the screen",
        &format!(
            "At the table, before Enter:\n\n{}\n`fairdeal replay`, with every hand:\n\n{}",
            block(&table),
            block(&again)
        ),
    );
}

#[test]
fn the_readme_has_every_command() {
    section("Commands", &fairdeal::cli::markdown());
}

#[test]
fn the_readme_has_the_key_table() {
    section("Keys", &keymap::markdown());
}
