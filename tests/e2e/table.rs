//! Players at one table, each a process.

use std::{
    path::{Path, PathBuf},
    time::{Duration, Instant},
};

use tempfile::TempDir;

use super::{
    player::{Noticed, Player},
    program::PATIENCE,
};

/// The host's place in [`Table::players`].
pub const HOST: usize = 0;
/// The guest's.
pub const GUEST: usize = 1;

/// How long one player is listened to before the other.
const EAR: Duration = Duration::from_millis(10);

/// A table.
pub struct Table {
    /// The host, then the guests.
    pub players: Vec<Player>,
    /// The files the game ended in.
    pub replays: Vec<Option<PathBuf>>,
    /// Decisions typed so far, all players together.
    pub decisions: usize,
    /// What each has said of the disk.
    pub disk: Vec<Option<String>>,
    codes: Vec<Option<i32>>,
    _folder: TempDir,
}

impl Table {
    /// A table of two homes.
    pub fn open() -> Table {
        let folder = TempDir::new().expect("a folder for the test");
        let homes = [folder.path().join("ana"), folder.path().join("ben")];
        Table::open_in(folder, &[&homes[HOST], &homes[GUEST]])
    }

    /// A table whose players share one home.
    pub fn open_shared() -> Table {
        let folder = TempDir::new().expect("a folder for the test");
        let home = folder.path().join("home");
        Table::open_in(folder, &[&home, &home])
    }

    /// A table of three homes.
    pub fn open_three() -> Table {
        let folder = TempDir::new().expect("a folder for the test");
        let homes = ["ana", "ben", "cy"].map(|name| folder.path().join(name));
        Table::open_in(folder, &homes.each_ref().map(|home| home.as_path()))
    }

    /// A table of these homes, host first; `folder` is removed with it.
    pub fn open_in(folder: TempDir, homes: &[&Path]) -> Table {
        Table::open_with(folder, homes, &[], |_| {})
    }

    /// A table hosted with more words; before anybody joins its invite is given to `invited`.
    pub fn open_with(
        folder: TempDir,
        homes: &[&Path],
        more: &[&str],
        invited: impl FnOnce(&str),
    ) -> Table {
        let count = homes.len().to_string();
        let words = ["host", "--local", "--port", "0", "--players", &count, "--name", "Ana"];
        let mut host = Player::start(homes[HOST], &[&words, more].concat(), 1);
        let join = |line: &str| line.strip_prefix("fairdeal join ").map(str::to_owned);
        let invite = host.program().wait_for("the invite", join);
        invited(&invite);
        let mut players = vec![host];
        for (home, (name, seed)) in homes[1..].iter().zip([("Ben", 2), ("Cy", 3)]) {
            let words = ["join", &invite, "--local", "--name", name];
            players.push(Player::start(home, &words, seed));
        }
        Table {
            players,
            replays: vec![None; homes.len()],
            decisions: 0,
            disk: vec![None; homes.len()],
            codes: vec![Some(0); homes.len()],
            _folder: folder,
        }
    }

    /// Lets all play until `enough` says so, at the latest when all have ended.
    pub fn play_until(&mut self, mut enough: impl FnMut(&mut Table, usize, &Noticed) -> bool) {
        let mut deadline = Instant::now() + PATIENCE;
        while self.replays.iter().any(Option::is_none) {
            for who in 0..self.players.len() {
                if self.replays[who].is_some() {
                    continue;
                }
                let noticed = self.players[who].notice(Instant::now() + EAR);
                match &noticed {
                    Noticed::Decided => self.decisions += 1,
                    Noticed::Replay(path) => self.replays[who] = Some(path.clone()),
                    Noticed::Disk(line) => self.disk[who] = Some(line.clone()),
                    Noticed::Over => {}
                    Noticed::Nothing => {
                        let late = Instant::now() > deadline;
                        assert!(!late, "the game stands still:\n{}", self.heard());
                        continue;
                    }
                    Noticed::Ended => {
                        let code = self.players[who].program().end();
                        panic!("{who} ended with {code:?}:\n{}", self.heard());
                    }
                }
                deadline = Instant::now() + PATIENCE;
                if enough(self, who, &noticed) {
                    return;
                }
            }
        }
    }

    /// Plays to the end; the bytes of the files, which are the same.
    pub fn play_to_end(&mut self) -> Vec<u8> {
        self.play_until(|_, _, _| false);
        let ended = self.players.iter_mut().map(|player| player.program().end());
        let codes: Vec<Option<i32>> = ended.collect();
        let expected = self.codes.clone();
        // One that is to be killed as it ends may have ended before.
        let fits = |(code, expected): (&Option<i32>, &Option<i32>)| {
            code == expected || expected.is_none() && *code == Some(0)
        };
        let all = codes.iter().zip(&expected).all(fits);
        assert!(all, "{codes:?} where {expected:?} belong: {}", self.heard());
        let read = |path: &Option<PathBuf>| {
            std::fs::read(path.as_deref().expect("a replay")).expect("the replay can be read")
        };
        let mut files: Vec<Vec<u8>> = self.replays.iter().map(read).collect();
        let same = files.windows(2).all(|pair| pair[0] == pair[1]);
        assert!(same, "the files differ:\n{}", self.heard());
        files.swap_remove(HOST)
    }

    /// Kills these and starts them again with the command they were started with; not one whose
    /// game was in its file already.
    pub fn kill_and_start_again(&mut self, whom: &[usize]) {
        whom.iter().for_each(|who| self.players[*who].program().kill());
        for who in whom.iter().copied() {
            self.replays[who] = self.players[who].finished();
            match &self.replays[who] {
                Some(_) => self.codes[who] = None,
                None => self.players[who].start_again(),
            }
        }
    }

    /// All that was said at all seats.
    pub fn heard(&mut self) -> String {
        let all = self.players.iter_mut().enumerate();
        all.map(|(who, player)| format!("--- {who}\n{}\n", player.heard())).collect()
    }
}
