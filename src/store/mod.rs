//! The disk: profiles, unfinished games, finished ones.
//!
//! What counts as written has been fsynced. A file is either replaced whole or appended to; an
//! append that fails is undone, and a torn last record is cut when the file is opened.

mod files;
mod game;
mod home;
mod profile;
#[cfg(feature = "net")]
mod shelf;

pub use game::{GameDir, Meta, Role};
pub use home::Home;
pub use profile::{Person, Profile};
#[cfg(feature = "net")]
pub use shelf::{
    Checked, FinishedGame, Totals, UnfinishedGame, check, finished, finished_at, read_log,
    replay_name, take_up, unfinished,
};

use std::{io, path::PathBuf};

/// Why the disk would not.
#[derive(Debug, thiserror::Error)]
pub enum StoreError {
    /// Reading or writing failed.
    #[error("{}: {error}{}", .path.display(), advice(.error))]
    Io {
        /// The file or folder.
        path: PathBuf,
        /// What the system said.
        error: io::Error,
    },
    /// No folder for data is known.
    #[error("no home folder is known; set FAIRDEAL_HOME to a folder fairdeal may write to")]
    NoHome,
    /// The profile is in use.
    #[error("profile {0} is in use by another fairdeal; close it or choose --profile NAME")]
    InUse(String),
    /// Every default profile is in use.
    #[error("too many fairdeals are running here; close one or choose --profile NAME")]
    TooMany,
    /// Not a name for a profile.
    #[error("{0:?} is not a profile name; use 1 to 32 letters, digits and dashes")]
    ProfileName(String),
    /// A file of ours is not as we wrote it.
    #[error("{}: {reason}", .path.display())]
    Damaged {
        /// The file.
        path: PathBuf,
        /// What is wrong with it, and what to do.
        reason: String,
    },
}

/// What to do about the commonest failures.
fn advice(error: &io::Error) -> &'static str {
    match error.kind() {
        io::ErrorKind::StorageFull | io::ErrorKind::QuotaExceeded => {
            "; make room on the disk, the game waits"
        }
        io::ErrorKind::PermissionDenied | io::ErrorKind::ReadOnlyFilesystem => {
            "; fairdeal must be able to write there (FAIRDEAL_HOME names another folder)"
        }
        _ => "",
    }
}

/// Names the path in an error.
fn at(path: &std::path::Path) -> impl Fn(io::Error) -> StoreError + '_ {
    move |error| StoreError::Io { path: path.to_owned(), error }
}
