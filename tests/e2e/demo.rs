//! `fairdeal demo`: a whole game, one process a seat.

use std::path::Path;

use sha2::{Digest, Sha256};
use tempfile::TempDir;

use super::program::run;

fn plays(players: u8, bot: &str) {
    let folder = TempDir::new().expect("a folder for the test");
    let (home, out) = (folder.path().join("home"), folder.path().join("out"));
    let out_text = out.to_str().expect("a plain path");
    let count = players.to_string();
    let done = run(&home, &["demo", "--players", &count, "--bot", bot, "--out", out_text]);
    assert_eq!(done.code, Some(0), "{done:?}");
    let lines: Vec<&str> = done.out.lines().collect();
    let verdict = lines.last().expect("a verdict");
    assert!(verdict.starts_with("all files are byte-identical; verified: "), "{verdict}");
    assert!(verdict.ends_with(" records, complete"), "{verdict}");
    assert!(lines.iter().any(|line| line.starts_with("points: Ana ")), "{done:?}");
    let mut games = Vec::new();
    for seat in 1..=players {
        let start = format!("seat {seat} ");
        let line = lines.iter().find(|line| line.starts_with(&start)).expect("a line a seat");
        let words: Vec<&str> = line.split_whitespace().collect();
        let [_, _, _, path, sum] = words[..] else { panic!("{line}") };
        let game = std::fs::read(path).expect("the file is there");
        assert_eq!(sum, data_encoding::HEXLOWER.encode(&Sha256::digest(&game)));
        assert_eq!(Path::new(path), out.join(format!("seat-{seat}.fairdeal")));
        games.push(game);
    }
    assert!(games.iter().all(|game| *game == games[0]), "the files differ");
    let left = std::fs::read_dir(&out).expect("the folder").count();
    assert_eq!(left, usize::from(players), "only the games are left in the folder");
}

#[test]
fn two_play() {
    plays(2, "random");
}

#[test]
fn three_play() {
    plays(3, "greedy");
}

#[test]
fn four_play() {
    plays(4, "random");
}

#[test]
fn five_play() {
    plays(5, "greedy");
}
