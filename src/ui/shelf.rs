//! The finished games on the disk: what each is, at a glance.

use std::{
    fmt, fs, io,
    path::{Path, PathBuf},
    time::SystemTime,
};

use super::story::Story;
use crate::{
    protocol::{
        limits::LOG_BYTES_MAX,
        log::{
            file::FileError,
            verify::{Report, Wrong, verify},
        },
    },
    store::Home,
};

/// The file of a finished game.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Kept {
    /// The day it was finished, in UTC.
    pub day: String,
    /// Where it is.
    pub path: PathBuf,
}

/// What a file proves, in a word.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Proof {
    /// A whole game, all of it right.
    Verified,
    /// Right as far as it goes.
    Unfinished,
    /// Something in it is wrong.
    Wrong,
    /// It cannot be read, or is no game.
    Unreadable,
}

/// What checking a file has shown.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Checked {
    /// What it proves.
    pub proof: Proof,
    /// The players with their points, the most first; or the reason.
    pub words: String,
}

/// The finished games of a home, the newest first.
///
/// # Errors
/// If the folder cannot be read.
pub fn kept(home: &Home) -> io::Result<Vec<Kept>> {
    let mut found: Vec<(SystemTime, PathBuf)> = fs::read_dir(home.replays())?
        .filter_map(|entry| entry.ok().map(|entry| entry.path()))
        .filter(|path| path.extension().is_some_and(|extension| extension == "fairdeal"))
        .map(|path| {
            let changed = fs::metadata(&path).and_then(|data| data.modified());
            (changed.unwrap_or(SystemTime::UNIX_EPOCH), path)
        })
        .collect();
    found.sort_by(|a, b| b.cmp(a));
    let kept = |(changed, path): (SystemTime, PathBuf)| Kept { day: day(&path, changed), path };
    Ok(found.into_iter().map(kept).collect())
}

/// The day in the name that `run` gives a finished game; of another name, that of the change.
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

/// Checks a game from its bytes.
pub fn check(path: &Path) -> Checked {
    let whole = fs::metadata(path).and_then(|data| match data.len() > LOG_BYTES_MAX {
        true => Err(io::Error::other("it is too large to be a game")),
        false => fs::read(path),
    });
    let (proof, words) = match whole.map(|bytes| verify(&bytes)) {
        Ok(Ok(report)) if report.complete() => (Proof::Verified, points(&report)),
        Ok(Ok(report)) => (Proof::Unfinished, points(&report)),
        Ok(Err(wrong @ Wrong::File(FileError::NotALog | FileError::Version))) => {
            (Proof::Unreadable, wrong.to_string())
        }
        Ok(Err(wrong)) => (Proof::Wrong, wrong.to_string()),
        Err(error) => (Proof::Unreadable, error.to_string()),
    };
    Checked { proof, words }
}

/// Who has how many points, the most first.
fn points(report: &Report) -> String {
    let table = &report.table;
    let story = Story::new(table.roster(), table.players());
    let totals = table.game().totals();
    let mut seats: Vec<_> = totals.iter().collect();
    seats.sort_by_key(|(_, points)| std::cmp::Reverse(**points));
    let one = |(seat, points)| format!("{} {points}", story.name(seat));
    seats.into_iter().map(one).collect::<Vec<_>>().join(", ")
}

impl fmt::Display for Proof {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(match self {
            Proof::Verified => "verified",
            Proof::Unfinished => "unfinished",
            Proof::Wrong => "WRONG",
            Proof::Unreadable => "unreadable",
        })
    }
}
