//! The card game SCOUT for two to five friends, peer to peer, without a dealer to trust.
//!
//! Layers, each importing only what stands below it: [`game`] (the rules), [`protocol`] (the
//! table, the signed log, the deal), [`store`] (the disk), `net` (libp2p), [`bot`], `cli`.

pub mod bot;
#[cfg(feature = "net")]
pub mod cli;
pub mod game;
#[cfg(feature = "net")]
pub mod net;
pub mod planted;
pub mod protocol;
#[cfg(feature = "net")]
pub mod run;
#[cfg(any(test, feature = "sim"))]
pub mod sim;
pub mod store;
pub mod ui;
