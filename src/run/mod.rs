//! One process at one table: carries out what its sessions ask for, on the disk and the network,
//! and lets its bots and its player decide.
//!
//! The lines of a prompt and the screens of a terminal both stand on this and on nothing below.

mod alone;
mod disk;
mod guest;
mod host;
mod peers;
mod seats;
mod table;
mod tell;

pub use alone::alone;
pub use disk::{replay_name, resume_of};
pub use guest::{Found, Guest, GuestError, look};
pub use host::{Host, HostOptions, greeting};
pub use peers::Connection;
pub use seats::Seats;
pub use table::{Ended, TableRun};
pub use tell::{FromPlayer, LobbyNews, LobbyOrder, Presence, Snapshot, ToPlayer};

/// What a player types and reads of the network, for the layers above.
pub use crate::net::{PORT, PeerKey, Target, key_words, table_words};
use crate::{bot::NoBot, net::NetError, protocol::session::StartError, store::StoreError};

/// Why a table cannot be played here.
#[derive(Debug, thiserror::Error)]
pub enum RunError {
    /// The disk.
    #[error(transparent)]
    Store(#[from] StoreError),
    /// The network.
    #[error(transparent)]
    Net(#[from] NetError),
    /// The game on disk cannot be gone on with.
    #[error("this game cannot be gone on with: {0}")]
    Start(#[from] StartError),
    /// A bot of the game is not known.
    #[error(transparent)]
    Bot(#[from] NoBot),
    /// The system has no random numbers.
    #[error("the system gives no random numbers: {0}")]
    Random(getrandom::Error),
}

/// Random bytes of the system.
pub(crate) fn random<const N: usize>() -> Result<[u8; N], RunError> {
    let mut bytes = [0; N];
    getrandom::fill(&mut bytes).map_err(RunError::Random)?;
    Ok(bytes)
}
