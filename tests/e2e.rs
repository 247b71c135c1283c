//! The program as people run it: real processes over loopback sockets, each with a home of its
//! own in a folder that goes away, on ports the system chooses.
//!
//! [`program`] runs a process and hears it, [`player`] plays a seat by lines of the notation,
//! [`table`] is two of them at one table. Nothing waits for a time to pass, only for words.
#![cfg(all(feature = "net", unix))]

#[path = "e2e/absence.rs"]
mod absence;
#[path = "e2e/adversary.rs"]
mod adversary;
#[path = "e2e/again.rs"]
mod again;
#[path = "e2e/comeback.rs"]
mod comeback;
#[path = "e2e/demo.rs"]
mod demo;
#[path = "e2e/disk.rs"]
mod disk;
#[path = "e2e/errors.rs"]
mod errors;
#[path = "e2e/files.rs"]
mod files;
#[path = "e2e/host.rs"]
mod host;
#[path = "e2e/lines.rs"]
mod lines;
#[path = "e2e/player.rs"]
mod player;
#[path = "e2e/program.rs"]
mod program;
#[path = "deal/search.rs"]
mod search;
#[path = "e2e/table.rs"]
mod table;
#[path = "e2e/talk.rs"]
mod talk;
#[path = "e2e/usage.rs"]
mod usage;
#[path = "e2e/watch.rs"]
mod watch;
