//! The text notation: a whole game as lines that a person can read, write and mail.
//!
//! One [`Statement`] a line. Parsing and printing are inverse; a [`Checker`] holds the lines
//! against the rules and refuses the first that breaks them.
//!
//! ```
//! use fairdeal::game::notation::{check, parse};
//!
//! let text = "scout 1\nplayers 3\nseat 1 Ana\nseat 2 Ben\nseat 3 Cy\nround 1 start 2\n";
//! let printed: String = parse(text)?.iter().map(|line| format!("{line}\n")).collect();
//! assert_eq!(printed, text);
//! let refusal = check("scout 1\nplayers 6\n", |_, _| {}).unwrap_err();
//! assert_eq!(refusal.line, 2);
//! # Ok::<(), fairdeal::game::notation::Refusal>(())
//! ```

mod check;
mod parse;
mod print;
mod trace;

pub use check::{Checker, Reason, Refusal, check};
pub use parse::{NoStatement, parse};
pub use trace::trace;

use super::{Action, Card, Ending, Hand, Players, Seat, Seats};

/// One line of a record.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Statement {
    /// `scout 1`: the format and its version.
    Scout,
    /// `players 3`
    Players(Players),
    /// `seat 1 Ana`
    Seat(Seat, String),
    /// `round 1 start 2`
    Round(u8, Seat),
    /// `deal 1 7/3 ? 4/5`: a hand as dealt, `?` for a card face down.
    Deal(Seat, Hand),
    /// `1 show 3-4 = 7/3 6/2`: an action, and the cards of a show where they are named.
    Play(Seat, Action, Vec<Card>),
    /// `3 out`, or `3 out 11`: the seat pays points for it in the next round that counts.
    Out(Seat, u8),
    /// `3 back`
    Back(Seat),
    /// `end emptied 5 -2 7`: how the round ended, and its points by seat.
    End(Ending, Vec<i32>),
    /// `end abandoned`: the round does not count.
    EndAbandoned,
    /// `result 12 -1 20 winner 3`: the totals by seat, and who has won.
    Result(Vec<i32>, Seats),
    /// `result abandoned 12 -1 20`: the totals of a game that ended early.
    ResultAbandoned(Vec<i32>),
}
