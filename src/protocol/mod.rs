//! The table: a state machine without I/O, the signed log, the deal.
//!
//! [`table::Table`] is what a log says: records go in through one door, facts come out.
//! [`session::Session`] is a seat at it: it signs, forwards and catches up. Time and randomness
//! are arguments; nothing here touches a clock, a socket or a file.

pub mod chat;
pub mod codec;
pub mod court;
pub mod crypto;
pub mod deal;
pub mod limits;
pub mod lobby;
pub mod log;
pub mod message;
pub mod name;
pub mod session;
pub mod table;
pub mod text;
pub mod vote;
pub mod whereabouts;
