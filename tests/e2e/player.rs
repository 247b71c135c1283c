//! A player who reads the prompt: asks with `?` what may be done, and does one of it.

use std::{
    path::{Path, PathBuf},
    time::Instant,
};

use super::program::{Program, Said};

/// What a player noticed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Noticed {
    /// Typed a decision: keep, flip or an action.
    Decided,
    /// The disk failed; the line that says so.
    Disk(String),
    /// The game is over.
    Over,
    /// The game is in this file, and the program ends.
    Replay(PathBuf),
    /// Nothing, in the time given.
    Nothing,
    /// The program has ended, without a replay.
    Ended,
}

/// A seat played by lines.
pub struct Player {
    home: PathBuf,
    args: Vec<String>,
    program: Program,
    listed: Option<Vec<String>>,
    draw: u64,
}

impl Player {
    /// Starts a player. `seed` decides what it picks.
    pub fn start(home: &Path, args: &[&str], seed: u64) -> Player {
        let mut all: Vec<String> = args.iter().map(ToString::to_string).collect();
        all.extend(["--no-tui".into(), "--no-bell".into()]);
        let program = Program::start(home, &all);
        Player { home: home.to_owned(), args: all, program, listed: None, draw: seed }
    }

    /// The program.
    pub fn program(&mut self) -> &mut Program {
        &mut self.program
    }

    /// Starts the same command again, as a person would after a crash.
    pub fn start_again(&mut self) {
        self.program = Program::start(&self.home, &self.args);
        self.listed = None;
    }

    /// Plays until there is something to notice.
    pub fn notice(&mut self, deadline: Instant) -> Noticed {
        loop {
            match self.program.next(deadline) {
                Some(Said::Out(line)) => {
                    if let Some(noticed) = self.read(&line) {
                        return noticed;
                    }
                }
                Some(Said::Prompt) => {
                    if let Some(listed) = self.listed.take_if(|listed| !listed.is_empty()) {
                        let pick = self.pick(&listed);
                        self.program.type_line(&pick);
                        return Noticed::Decided;
                    }
                }
                Some(Said::Err(line)) => assert!(!line.contains("panicked"), "{}", self.heard()),
                Some(Said::Closed) => return Noticed::Ended,
                None => return Noticed::Nothing,
            }
        }
    }

    fn read(&mut self, line: &str) -> Option<Noticed> {
        if line.starts_with("Keep this hand") || line.starts_with("Your turn") {
            self.listed = Some(Vec::new());
            self.program.type_line("?");
        } else if line.starts_with("Not possible") || line.starts_with("FAULT") {
            panic!("{line}\n{}", self.heard());
        } else if line.starts_with("The disk: ") {
            return Some(Noticed::Disk(line.into()));
        } else if line.starts_with("The game is over: ") {
            return Some(Noticed::Over);
        } else if let Some(path) = line.strip_prefix("replay ") {
            return Some(Noticed::Replay(path.into()));
        } else if let (Some(listed), Some(action)) = (&mut self.listed, line.strip_prefix("  ")) {
            let first = action.split(' ').next();
            if matches!(first, Some("keep" | "flip" | "show" | "scout")) {
                listed.push(action.into());
            }
        }
        None
    }

    /// One of the actions: a show wherever there is one, so that the game gets on.
    fn pick(&mut self, listed: &[String]) -> String {
        self.draw = self.draw.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695);
        let shows: Vec<&String> = listed.iter().filter(|text| text.starts_with("show")).collect();
        let all: Vec<&String> = if shows.is_empty() { listed.iter().collect() } else { shows };
        all[(self.draw >> 33) as usize % all.len()].clone()
    }

    /// The file of a finished game in its home.
    pub fn finished(&self) -> Option<PathBuf> {
        let mut files = std::fs::read_dir(self.home.join("replays")).ok()?;
        files.next()?.ok().map(|entry| entry.path())
    }

    /// All that was said, for the message of a test that fails.
    pub fn heard(&mut self) -> String {
        self.program.heard()
    }
}
