//! The games on the disk: the unfinished ones, to go on with, and the finished ones, to look at.

use std::{
    fs::{self, File},
    io::{self, Read},
    path::{Path, PathBuf},
    time::SystemTime,
};

use super::{GameDir, Home, Meta, Profile, StoreError, at};
use crate::{
    game::{BySeat, Seat},
    protocol::{
        crypto::hash::Hash,
        limits::{LOG_BYTES_MAX, RECORD_BYTES_MAX},
        lobby::Roster,
        log::{
            file::{FileError, Frames, MAGIC},
            verify::{Report, Wrong, verify},
        },
        table::Table,
    },
};

/// An unfinished game.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct UnfinishedGame {
    /// Its folder.
    pub folder: PathBuf,
    /// What is known of it.
    pub meta: Meta,
}

impl UnfinishedGame {
    /// The first letters of the table's id, by which a player names the game.
    pub fn id(&self) -> String {
        self.meta.table.chars().take(8).collect()
    }
}

/// The unfinished games of a home, the newest first; only those of `profile` if one is named.
///
/// # Errors
/// [`StoreError`] if the folder cannot be read. A game that cannot be read is left out.
pub fn unfinished(home: &Home, profile: Option<&str>) -> Result<Vec<UnfinishedGame>, StoreError> {
    let games = home.games();
    let mut found = Vec::new();
    for entry in fs::read_dir(&games).map_err(at(&games))? {
        let folder = entry.map_err(at(&games))?.path();
        if let Ok((meta, grown)) = GameDir::glance(&folder)
            && profile.is_none_or(|named| named == meta.profile)
        {
            found.push((grown, UnfinishedGame { folder, meta }));
        }
    }
    found.sort_by(|a, b| (b.0, &b.1.folder).cmp(&(a.0, &a.1.folder)));
    Ok(found.into_iter().map(|(_, game)| game).collect())
}

/// Takes up the newest unfinished game that `wanted` accepts and whose profile no other process
/// uses; only games of `profile` if one is named. The profile is locked from here on.
///
/// # Errors
/// [`StoreError`] if the games cannot be listed.
pub fn take_up(
    home: &Home,
    profile: Option<&str>,
    wanted: impl Fn(&Meta) -> bool,
) -> Result<Option<(Profile, UnfinishedGame)>, StoreError> {
    for game in unfinished(home, profile)?.into_iter().filter(|game| wanted(&game.meta)) {
        match Profile::open(home, Some(&game.meta.profile)) {
            Ok(profile) => return Ok(Some((profile, game))),
            Err(StoreError::InUse(_)) => {}
            Err(error) => return Err(error),
        }
    }
    Ok(None)
}

/// The file of a finished game.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FinishedGame {
    /// The day it was finished, in UTC.
    pub day: String,
    /// Where it is.
    pub path: PathBuf,
}

/// The finished games of a home, the newest first.
///
/// # Errors
/// [`StoreError`] if the folder cannot be read.
pub fn finished(home: &Home) -> Result<Vec<FinishedGame>, StoreError> {
    let folder = home.replays();
    let mut found: Vec<(SystemTime, PathBuf)> = fs::read_dir(&folder)
        .map_err(at(&folder))?
        .filter_map(|entry| entry.ok().map(|entry| entry.path()))
        .filter(|path| path.extension().is_some_and(|extension| extension == "fairdeal"))
        .map(|path| {
            let changed = fs::metadata(&path).and_then(|data| data.modified());
            (changed.unwrap_or(SystemTime::UNIX_EPOCH), path)
        })
        .collect();
    found.sort_by(|a, b| b.cmp(a));
    let game =
        |(changed, path): (SystemTime, PathBuf)| FinishedGame { day: day(&path, changed), path };
    Ok(found.into_iter().map(game).collect())
}

/// The name of a finished game's file: the day (UTC), the players, the game's id, the seat.
pub fn replay_name(roster: &Roster, seat: Seat, now: time::OffsetDateTime) -> String {
    let plain = |name: &str| -> String {
        let letters = name.chars().filter(char::is_ascii_alphanumeric).take(12);
        letters.collect::<String>().to_ascii_lowercase()
    };
    let names: Vec<String> = roster.joins.iter().map(|join| plain(join.name.as_str())).collect();
    let id = data_encoding::HEXLOWER.encode(&roster.game_id()[..4]);
    let day = now.date();
    format!("{day}-{}-{id}-seat{seat}.fairdeal", names.join("-"))
}

/// The day in a name that [`replay_name`] gave; for any other name, the day the file changed.
fn day(path: &Path, changed: SystemTime) -> String {
    let name = path.file_name().unwrap_or_default().to_string_lossy();
    let digits = |part: &str| part.bytes().all(|byte| byte.is_ascii_digit());
    match name.get(..11).map(|start| start.split('-').collect::<Vec<_>>()).as_deref() {
        Some([year, month, day, ""]) if [year, month, day].iter().all(|part| digits(part)) => {
            format!("{year}-{month}-{day}")
        }
        _ => time::OffsetDateTime::from(changed).date().to_string(),
    }
}

/// The file of the game that a home has finished at the table with this id.
pub fn finished_at(home: &Home, table: &Hash) -> Option<PathBuf> {
    let files = fs::read_dir(home.replays()).ok()?.filter_map(|entry| Some(entry.ok()?.path()));
    let head = |path: &PathBuf| {
        let mut head = Vec::new();
        let most = (MAGIC.len() + 4 + RECORD_BYTES_MAX) as u64;
        File::open(path).ok()?.take(most).read_to_end(&mut head).ok()?;
        let (_, roster) = Frames::new(&head).ok()?.next()?.ok()?;
        Some(Table::found(roster).ok()?.0.roster().terms.id)
    };
    files.into_iter().find(|path| head(path) == Some(*table))
}

/// Reads the file of a game whole.
///
/// # Errors
/// [`StoreError`] if it cannot be read, or is larger than any game.
pub fn read_log(path: &Path) -> Result<Vec<u8>, StoreError> {
    let mut bytes = Vec::new();
    let file = File::open(path).map_err(at(path))?;
    file.take(LOG_BYTES_MAX + 1).read_to_end(&mut bytes).map_err(at(path))?;
    match bytes.len() as u64 > LOG_BYTES_MAX {
        true => Err(at(path)(io::Error::other("it is too large to be a game"))),
        false => Ok(bytes),
    }
}

/// What checking a file has shown.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Checked {
    /// A whole game, all of it right.
    Verified(Totals),
    /// Right as far as it goes.
    Unfinished(Totals),
    /// Something in it is wrong: this.
    Wrong(String),
    /// It cannot be read, or is not a game: why.
    Unreadable(String),
}

/// Who has how many points.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Totals {
    /// Who plays.
    pub roster: Roster,
    /// The points of each.
    pub totals: BySeat<i32>,
}

/// Checks a game from its bytes.
pub fn check(path: &Path) -> Checked {
    match read_log(path).map(|bytes| verify(&bytes)) {
        Ok(Ok(report)) if report.complete() => Checked::Verified(totals(&report)),
        Ok(Ok(report)) => Checked::Unfinished(totals(&report)),
        Ok(Err(wrong @ Wrong::File(FileError::NotALog | FileError::Version))) => {
            Checked::Unreadable(wrong.to_string())
        }
        Ok(Err(wrong)) => Checked::Wrong(wrong.to_string()),
        Err(StoreError::Io { error, .. }) => Checked::Unreadable(error.to_string()),
        Err(error) => Checked::Unreadable(error.to_string()),
    }
}

fn totals(report: &Report) -> Totals {
    let roster = report.table.roster().clone();
    Totals { roster, totals: report.table.game().totals() }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{
        bot::Bot,
        protocol::{
            crypto::identity::Identity,
            lobby::{DealKind, Join, LOG_VERSION, Roster, Terms},
        },
    };

    /// A home with an unfinished game of the profile `ana`; only its first bytes matter here.
    fn home(folder: &Path) -> Home {
        let home = Home::at(folder.to_owned()).expect("a home");
        let profile = Profile::open(&home, Some("ana")).expect("a profile");
        let meta = Meta::alone("0123456789abcdef".into(), &profile, Bot::Greedy);
        let own = Identity::from_secret(&[1; 32]);
        let join = |key, kept_by| Join {
            key,
            name: "Ana".parse().expect("a name"),
            nonce: [3; 32],
            kept_by,
        };
        let bot = Identity::from_secret(&[2; 32]).public();
        let terms = Terms {
            id: [4; 32],
            version: LOG_VERSION,
            deal: DealKind::Open,
            clock_s: 0,
            patience_s: 60,
        };
        let joins = vec![join(own.public(), None), join(bot, Some(0))];
        let roster = Roster { terms, number: 1, joins }.sign(&own);
        GameDir::create(&profile, meta, &roster).expect("a game");
        home
    }

    #[test]
    fn a_game_that_is_taken_up_stays_locked() {
        let folder = tempfile::tempdir().expect("a folder");
        let home = home(folder.path());
        let taken = take_up(&home, None, |_| true).expect("a list");
        let (profile, game) = taken.expect("the game");
        assert_eq!((profile.name(), game.id().as_str()), ("ana", "01234567"));
        assert!(take_up(&home, None, |_| true).expect("a list").is_none(), "it is in use");
        assert_eq!(unfinished(&home, None).expect("a list"), [game], "and is listed all the same");
        drop(profile);
        assert!(take_up(&home, Some("ben"), |_| true).expect("a list").is_none());
        assert!(take_up(&home, Some("ana"), |_| true).expect("a list").is_some());
    }

    #[test]
    fn the_bot_of_a_game_is_kept_by_its_name() {
        let folder = tempfile::tempdir().expect("a folder");
        let home = home(folder.path());
        let game = unfinished(&home, None).expect("a list").remove(0);
        let text = fs::read_to_string(game.folder.join("game.json")).expect("a file");
        assert!(text.contains("\"bots\": \"greedy\""), "{text}");
    }
}
