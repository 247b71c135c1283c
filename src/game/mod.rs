//! The rules of SCOUT: cards, hands, sets, rounds and whole games, and their text notation.
//!
//! One engine serves everyone who knows some of the cards: a [`Hand`] is a row of slots that are
//! sealed, turned or seen, and [`Game::apply`] works on all of them. The source of the rules is
//! the game's printed English rulebook, version 1.1 (2021).

mod action;
mod card;
pub mod deck;
mod digest;
#[allow(clippy::module_inception)]
mod game;
mod hand;
mod illegal;
mod legal;
mod list;
pub mod notation;
mod perft;
mod round;
mod row;
mod score;
mod seat;
mod set;
mod view;

pub use action::{Action, NoAction, Scout, Side, Span};
pub use card::{Card, CardSet, NoCard, PAIRS};
pub use game::{Finished, Game, Stage};
pub use hand::{Hand, Slot};
pub use illegal::Illegal;
pub use list::Actions;
pub use perft::HiddenHand;
pub use round::{Ending, Round};
pub use seat::{BySeat, Players, SEATS, Seat, Seats};
pub use set::{End, Kind, LONGEST, NoSet, Set, Strength};
pub use view::PlayerView;
