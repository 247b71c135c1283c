//! One process at one table: carries out what its sessions ask for, on the disk and the network,
//! and lets its bots and its player decide.
//!
//! The lines of a prompt and the screens of a terminal both stand on this and on nothing below.

mod alone;
mod company;
mod door;
mod greet;
mod guest;
mod host;
mod line;
mod peers;
mod seats;
mod seek;
mod sitting;
mod table;
mod tell;
mod watch;
mod watchers;
mod ways;

pub use alone::alone;
pub use company::{Again, Company, Next};
pub use greet::{greeting, look_word};
pub use guest::{Found, Guest, GuestError, look};
pub use host::{Host, HostOptions};
pub use line::{table_of, take_line};
pub use peers::{Connection, flood_words, without_words};
pub use seats::Seats;
pub use sitting::{Begin, Seated, Sitting, SittingEvent, SittingOrder, Starts};
pub use table::{Ended, TableRun};
pub use tell::{FromPlayer, LobbyNews, LobbyOrder, Presence, Remark, Snapshot, ToPlayer};
pub use watch::{Seen, Watch};

/// What a player types and reads of the network, for the layers above.
pub use crate::net::{
    Address, Asked, Mapping, Nat, PORT, Path, Probed, Punched, Target, Tried, key_words,
    table_words,
};
use crate::{net::NetError, protocol::session::StartError, store::StoreError};

/// Why a table cannot be played here.
#[derive(Debug, thiserror::Error)]
pub enum RunError {
    /// The disk.
    #[error(transparent)]
    Store(#[from] StoreError),
    /// The network.
    #[error(transparent)]
    Net(#[from] NetError),
    /// The game on disk cannot be continued.
    #[error("this game cannot be continued: {0}")]
    Start(#[from] StartError),
    /// The system has no random numbers.
    #[error("the system gives no random numbers: {0}")]
    Random(getrandom::Error),
}

/// Why a game did not come about, or broke off: in words, and of what kind.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{words}")]
pub struct Failure {
    /// Of what kind it is.
    pub cause: Cause,
    /// What happened, and what to try.
    pub words: String,
}

/// The kinds of failures that exit codes tell apart.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Cause {
    /// A file cannot be read or written, or is none of ours.
    File,
    /// No table, refused, unreachable.
    Network,
    /// A bug of ours.
    Bug,
}

impl Failure {
    /// A failure of this kind, in words.
    pub fn new(cause: Cause, words: impl Into<String>) -> Failure {
        Failure { cause, words: words.into() }
    }
}

impl From<RunError> for Failure {
    fn from(error: RunError) -> Failure {
        let cause = match error {
            RunError::Net(_) => Cause::Network,
            _ => Cause::File,
        };
        Failure::new(cause, error.to_string())
    }
}

impl From<GuestError> for Failure {
    fn from(error: GuestError) -> Failure {
        match error {
            GuestError::Run(error) => error.into(),
            error => Failure::new(Cause::Network, error.to_string()),
        }
    }
}

impl From<StoreError> for Failure {
    fn from(error: StoreError) -> Failure {
        RunError::from(error).into()
    }
}

/// Random bytes of the system.
pub(crate) fn random<const N: usize>() -> Result<[u8; N], RunError> {
    let mut bytes = [0; N];
    getrandom::fill(&mut bytes).map_err(RunError::Random)?;
    Ok(bytes)
}
