//! Two players at one table, each a process.

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

/// A table of two.
pub struct Table {
    /// Host and guest.
    pub players: [Player; 2],
    /// The files the game ended in.
    pub replays: [Option<PathBuf>; 2],
    /// Decisions typed so far, both players together.
    pub decisions: usize,
    /// What host and guest have said of the disk.
    pub disk: [Option<String>; 2],
    codes: [Option<i32>; 2],
    _folder: TempDir,
}

impl Table {
    /// A table of two homes.
    pub fn open() -> Table {
        let folder = TempDir::new().expect("a folder for the test");
        let homes = [folder.path().join("ana"), folder.path().join("ben")];
        Table::open_in(folder, [&homes[HOST], &homes[GUEST]])
    }

    /// A table whose players share one home.
    pub fn open_shared() -> Table {
        let folder = TempDir::new().expect("a folder for the test");
        let home = folder.path().join("home");
        Table::open_in(folder, [&home, &home])
    }

    /// A table of these homes; `folder` is removed with it.
    pub fn open_in(folder: TempDir, homes: [&Path; 2]) -> Table {
        let words = ["host", "--local", "--port", "0", "--players", "2", "--name", "Ana"];
        let mut host = Player::start(homes[HOST], &words, 1);
        let join = |line: &str| line.strip_prefix("fairdeal join ").map(str::to_owned);
        let invite = host.program().wait_for("the invite", join);
        let words = ["join", &invite, "--local", "--name", "Ben"];
        let guest = Player::start(homes[GUEST], &words, 2);
        Table {
            players: [host, guest],
            replays: [None, None],
            decisions: 0,
            disk: [None, None],
            codes: [Some(0), Some(0)],
            _folder: folder,
        }
    }

    /// Lets both play until `enough` says so, at the latest when both have ended.
    pub fn play_until(&mut self, mut enough: impl FnMut(&mut Table, usize, &Noticed) -> bool) {
        let mut deadline = Instant::now() + PATIENCE;
        while self.replays.iter().any(Option::is_none) {
            for who in [HOST, GUEST] {
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

    /// Plays to the end; the bytes of the two files, which are the same.
    pub fn play_to_end(&mut self) -> Vec<u8> {
        self.play_until(|_, _, _| false);
        let codes = [HOST, GUEST].map(|who| self.players[who].program().end());
        let expected = self.codes;
        assert_eq!(codes, expected, "{}", self.heard());
        let [host, guest] = [HOST, GUEST].map(|who| {
            let path = self.replays[who].as_deref().expect("a replay");
            std::fs::read(path).expect("the replay can be read")
        });
        assert!(host == guest, "the two files differ:\n{}", self.heard());
        host
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

    /// All that was said at both seats.
    pub fn heard(&mut self) -> String {
        let [host, guest] = &mut self.players;
        format!("--- host\n{}\n--- guest\n{}", host.heard(), guest.heard())
    }
}
