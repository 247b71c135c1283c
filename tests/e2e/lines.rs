//! Whole games by lines of the notation, and what the other commands say of them.

use tempfile::TempDir;

use super::{
    player::{Noticed, Player},
    program::{PATIENCE, Program, run, run_with},
    table::{GUEST, HOST, Table},
};

/// The numbers of the first line that starts so, in order, those in names left out.
fn points(text: &str, start: &str) -> Vec<i32> {
    let line = text.lines().find(|line| line.starts_with(start)).expect("a line of points");
    let words = line.split([' ', ',', ';']).filter(|word| !word.is_empty());
    let numbers = words.filter_map(|word| word.parse().ok()).collect::<Vec<i32>>();
    assert!(!numbers.is_empty(), "{line}");
    numbers
}

#[test]
fn two_programs_play_a_game_that_the_other_commands_agree_on() {
    let mut table = Table::open();
    table.play_to_end();
    let home = TempDir::new().expect("a folder for the test");
    let path = table.replays[GUEST].clone().expect("a replay");
    let path = path.to_str().expect("a plain path");

    let verified = run(home.path(), &["verify", path, "--json"]);
    assert_eq!(verified.code, Some(0), "{verified:?}");
    let json: serde_json::Value = serde_json::from_str(&verified.out).expect("JSON");
    assert_eq!(json["verdict"], "complete");
    let totals: Vec<i32> = serde_json::from_value(json["totals"].clone()).expect("points");

    let exported = run(home.path(), &["export", path]);
    assert_eq!(exported.code, Some(0), "{exported:?}");
    let result = exported.out.lines().last().expect("a result");
    let told: Vec<i32> = result.split(' ').skip(1).map_while(|word| word.parse().ok()).collect();
    assert_eq!(told, totals, "{result}");

    let refereed = run_with(home.path(), &["referee", "-"], &exported.out);
    assert_eq!(refereed.code, Some(0), "{refereed:?}");
    // `total: 1 Ana -9, 2 Ben 8`: the seat before each name, the points behind it.
    let by_referee: Vec<i32> =
        points(&refereed.out, "total:").into_iter().skip(1).step_by(2).collect();
    assert_eq!(by_referee, totals, "{refereed:?}");

    let replayed = run(home.path(), &["replay", path]);
    assert_eq!(replayed.code, Some(0), "{replayed:?}");
    assert!(replayed.out.contains("The game is over"), "{replayed:?}");
    let listed = run(&home.path().join("none"), &["replays"]);
    assert_eq!(listed.code, Some(0), "{listed:?}");
}

#[test]
fn the_folders_of_a_finished_game_are_empty() {
    let mut table = Table::open();
    table.play_to_end();
    for who in [HOST, GUEST] {
        let replay = table.replays[who].clone().expect("a replay");
        let home = replay.parent().and_then(|replays| replays.parent()).expect("a home");
        for folder in ["games", "profiles/main/secrets"] {
            let left = std::fs::read_dir(home.join(folder)).expect("the folder").count();
            assert_eq!(left, 0, "{folder} of {}", home.display());
        }
    }
}

#[test]
fn one_plays_alone_against_bots() {
    let home = TempDir::new().expect("a folder for the test");
    let mut player = Player::start(home.path(), &["play", "--players", "4", "--name", "Ana"], 3);
    let deadline = std::time::Instant::now() + PATIENCE;
    let replay = loop {
        match player.notice(deadline) {
            Noticed::Replay(path) => break path,
            Noticed::Nothing | Noticed::Ended => panic!("it stands still:\n{}", player.heard()),
            _ => {}
        }
    };
    assert_eq!(player.program().end(), Some(0));
    let path = replay.to_str().expect("a plain path");
    assert_eq!(run(home.path(), &["verify", path]).code, Some(0));
    let listed = run(home.path(), &["replays"]);
    assert!(listed.out.contains(path) && listed.out.contains("verified: "), "{listed:?}");
}

/// Who came back by lines was told nothing of the game, and one alone that others had told it.
#[test]
fn who_comes_back_reads_what_happened_last() {
    let home = TempDir::new().expect("a folder for the test");
    let mut player = Player::start(home.path(), &["play", "--name", "Ana"], 3);
    let deadline = std::time::Instant::now() + PATIENCE;
    assert_eq!(player.notice(deadline), Noticed::Decided, "{}", player.heard());
    player.program().type_line("quit");
    assert_eq!(player.program().end(), Some(0));
    let mut back = Program::start(home.path(), &["resume", "--no-tui"]);
    back.wait_for_words("Everyone is in.");
    back.wait_for_words("Round 1 of 3 is dealt.");
    back.type_line("quit");
    assert_eq!(back.end(), Some(0));
    assert!(!back.heard().contains("The others have told"), "{}", back.heard());
}
