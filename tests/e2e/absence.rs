//! A player who is gone for good, leaves, or comes back late: the others go on.

use std::{path::PathBuf, time::Instant};

use tempfile::TempDir;

use super::{
    player::{Noticed, Player},
    program::{PATIENCE, Program, run},
};

/// A table of four: a host and three that join, bots but where `words` say otherwise.
struct Four {
    folder: TempDir,
    programs: Vec<Program>,
    invite: String,
}

const GREEDY: &[&str] = &["--bot", "greedy"];

impl Four {
    fn open(patience: &str) -> Four {
        let folder = TempDir::new().expect("a folder for the test");
        let words =
            ["host", "--local", "--port", "0", "--players", "4", "--name", "Ana", "--patience"];
        let mut host = start(&folder, "ana", &[&words[..], &[patience], GREEDY].concat());
        let join = |line: &str| line.strip_prefix("fairdeal join ").map(str::to_owned);
        let invite = host.wait_for("the invite", join);
        Four { folder, programs: vec![host], invite }
    }

    fn join(&mut self, name: &str) {
        let words = ["join", &self.invite, "--local", "--name", name];
        self.programs.push(start(&self.folder, name, &[&words[..], GREEDY].concat()));
    }

    /// Waits until the programs at these places have ended; their games, which are the same.
    fn ends(&mut self, places: &[usize]) -> (PathBuf, Vec<u8>) {
        let replay = |line: &str| line.strip_prefix("replay ").map(PathBuf::from);
        let mut files = Vec::new();
        for place in places {
            let path = self.programs[*place].wait_for("the replay", replay);
            assert_eq!(self.programs[*place].end(), Some(0));
            files.push((path.clone(), std::fs::read(path).expect("the replay can be read")));
        }
        assert!(files.iter().all(|(_, bytes)| *bytes == files[0].1), "the files differ");
        files.swap_remove(0)
    }
}

fn start(folder: &TempDir, name: &str, words: &[&str]) -> Program {
    let words = [words, &["--no-tui", "--no-bell"]].concat();
    Program::start(&folder.path().join(name), &words)
}

/// What `verify` says of a file that is right.
fn verified(folder: &TempDir, path: &std::path::Path) -> String {
    let done = run(folder.path(), &["verify".as_ref(), path.as_os_str()]);
    assert_eq!(done.code, Some(0), "{}{}", done.out, done.err);
    done.out
}

#[test]
fn a_player_who_is_gone_for_good_is_played_on_without() {
    let mut table = Four::open("1");
    ["ben", "cy", "dee"].into_iter().for_each(|name| table.join(name));
    table.programs[2].wait_for("the deal", |line| line.contains("is dealt").then_some(()));
    table.programs[2].kill();
    let out = "cy did not answer; the others play on without them.";
    table.programs[0].wait_for("the verdict", |line| line.starts_with(out).then_some(()));
    let (path, _) = table.ends(&[0, 1, 3]);
    let told = verified(&table.folder, &path);
    assert!(told.contains("cy is out: everyone else who was there signed that"), "{told}");
    assert!(told.contains("signed by every seat that was there at the end"), "{told}");
}

#[test]
fn a_player_who_leaves_is_not_waited_for() {
    let mut table = Four::open("600");
    ["ben", "cy"].into_iter().for_each(|name| table.join(name));
    let home = table.folder.path().join("dee");
    let words = ["join", &table.invite, "--local", "--name", "dee"];
    let mut dee = Player::start(&home, &words, 4);
    let deadline = Instant::now() + PATIENCE;
    assert_eq!(dee.notice(deadline), Noticed::Decided, "{}", dee.heard());
    dee.program().type_line("leave");
    let out = "dee left; the others play on without them.";
    table.programs[0].wait_for("the verdict", |line| line.starts_with(out).then_some(()));
    let (path, _) = table.ends(&[0, 1, 2]);
    let told = verified(&table.folder, &path);
    assert!(told.contains("there signed that it said that it leaves"), "{told}");
    assert!(!told.contains("would overrule it"), "three have signed it: {told}");
}

#[test]
fn a_player_who_was_put_out_is_dealt_in_again() {
    let mut table = Four::open("1");
    ["ben", "cy"].into_iter().for_each(|name| table.join(name));
    let home = table.folder.path().join("dee");
    let words = ["join", &table.invite, "--local", "--name", "dee"];
    let mut dee = Player::start(&home, &words, 4);
    let deadline = Instant::now() + PATIENCE;
    // Not a word at the prompt of the first turn: the others wait their second and go on.
    dee.program().wait_for("the question", |line| line.starts_with("Keep this").then_some(()));
    dee.program().wait_for("its verdict", |line| line.contains("did not answer").then_some(()));
    dee.program().wait_for("its return", |line| line.starts_with("dee is back").then_some(()));
    let _ = dee.notice(deadline);
    table.programs[0].wait_for("its return", |line| line.starts_with("dee is back").then_some(()));
}

#[test]
fn a_game_of_two_ends_where_one_leaves() {
    let folder = TempDir::new().expect("a folder for the test");
    let words = ["host", "--local", "--port", "0", "--players", "2", "--name", "Ana"];
    let mut host = Player::start(&folder.path().join("ana"), &words, 1);
    let join = |line: &str| line.strip_prefix("fairdeal join ").map(str::to_owned);
    let invite = host.program().wait_for("the invite", join);
    let words = ["join", &invite, "--local", "--name", "Ben"];
    let mut guest = Player::start(&folder.path().join("ben"), &words, 2);
    let deadline = Instant::now() + PATIENCE;
    assert_eq!(guest.notice(deadline), Noticed::Decided, "{}", guest.heard());
    guest.program().type_line("leave");
    let path = loop {
        match host.notice(deadline) {
            Noticed::Replay(path) => break path,
            Noticed::Decided | Noticed::Over => {}
            other => panic!("{other:?}\n{}", host.heard()),
        }
    };
    let told = verified(&folder, &path);
    assert!(told.contains("the game ended early"), "{told}");
    assert!(told.contains("a longer record of this game would overrule it"), "{told}");
    assert!(told.contains("or a verdict that everyone else who was there signed"), "{told}");
    let told = host.program().told();
    assert!(told.contains("It ended early: too few players were left"), "{told}");
    assert!(!told.contains("win together"), "{told}");
}
