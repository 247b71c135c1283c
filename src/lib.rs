//! The card game SCOUT for two to five friends, peer to peer, without a dealer to trust.
//!
//! A game is a file of signed records that anyone can check. This reads one, lists what may be
//! played in the middle of it, and lets a bot decide:
//!
//! ```
//! use fairdeal::{
//!     bot::Bot,
//!     game::PlayerView,
//!     protocol::log::verify::{read_open, verify},
//! };
//! use rand::{SeedableRng, rngs::SmallRng};
//!
//! let file = include_bytes!("../replays/sealed-3.fairdeal");
//!
//! // Check every signature, proof and turn.
//! let report = verify(file)?;
//! assert!(report.complete());
//! println!("{} records, {} shuffles proven", report.records, report.proofs.shuffles);
//!
//! // Read it again, with the hands that the finished game has revealed, and stop at a turn.
//! let mut turns = Vec::new();
//! read_open(file, |table, _, _, _| {
//!     let game = table.game_open();
//!     turns.extend(game.round().and_then(|round| round.turn()).map(|seat| (*game, seat)));
//! })?;
//! let (game, seat) = turns[10];
//!
//! // List what this seat may do, in the notation that people read.
//! let mut actions = Vec::new();
//! game.running()?.for_each_action(|action| actions.push(action));
//! println!("seat {seat} may: {}", actions[0]);
//!
//! // Let a bot decide, and go on from there.
//! let view = PlayerView::new(&game, seat).expect("its own hand is known");
//! let action = Bot::Greedy.choose(&view, &mut SmallRng::seed_from_u64(1));
//! assert!(actions.contains(&action));
//! let _next = game.apply(seat, action, &[])?;
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! More to start from: `examples/verify.rs` (what a file proves), `examples/bot.rs` (a bot of one's
//! own), `examples/table.rs` (a whole table in one process).
//!
//! # Where things are
//!
//! Folders are layers; each imports only what stands below it.
//!
//! | module | what it is |
//! | --- | --- |
//! | [`game`] | the rules and their text notation |
//! | [`protocol`] | the table, the signed log, the deal; no I/O |
//! | [`bot`] | players that decide from what one seat sees |
//! | [`store`] | the disk |
//! | `net` | libp2p |
//! | `run` | one process at one table after another |
//! | [`ui`] | screens, lines and web pages |
//! | `cli` | the program's commands |
//!
//! Without the feature `net` (a default) the library is the rules, the protocol, the bots and the
//! disk, and builds in seconds. `tui` adds the screens, `sim` a seeded world for tests.

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
