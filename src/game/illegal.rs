//! Why something is against the rules, in the game's own words.

use super::action::Span;
use super::card::Card;
use super::seat::Seat;
use super::set::{NoSet, Set};

/// Why an action, a deal or an absence is refused; the state it was meant for is untouched.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
pub enum Illegal {
    /// The table has fewer seats.
    #[error("there is no seat {0} at this table")]
    NoSeat(Seat),
    /// Cards are still to be dealt.
    #[error("round {0} is not dealt yet")]
    NotDealt(u8),
    /// The cards are on the hand already.
    #[error("round {0} is not over")]
    RoundNotOver(u8),
    /// The round has ended.
    #[error("the round is over")]
    RoundOver,
    /// The game has ended.
    #[error("the game is over")]
    GameOver,
    /// A turn before every hand is kept or flipped.
    #[error("seat {0} has yet to keep or flip its hand")]
    StillChoosing(Seat),
    /// Keep or flip after the first turn may begin.
    #[error("a hand is kept or flipped once, before the first turn")]
    ChoiceOver,
    /// A second keep or flip.
    #[error("seat {0} has kept or flipped its hand already")]
    ChosenAlready(Seat),
    /// Another seat is to act.
    #[error("it is the turn of seat {turn}")]
    NotYourTurn {
        /// The seat to act.
        turn: Seat,
    },
    /// The seat does not take part at present.
    #[error("seat {0} is out")]
    Out(Seat),
    /// A return of a seat that is there.
    #[error("seat {0} is not out")]
    NotOut(Seat),
    /// A return in the middle of a round.
    #[error("a seat comes back between rounds only")]
    BackInRound,
    /// A place past the end of the hand.
    #[error("there is no card at place {0}: the hand has {1}")]
    NoCardThere(usize, usize),
    /// A place past the end of the new hand.
    #[error("a scouted card cannot go to place {0}: the new hand has {1} cards")]
    NoPlaceThere(usize, usize),
    /// The cards form no set.
    #[error(transparent)]
    NoSet(#[from] NoSet),
    /// The set is too weak.
    #[error("{}", does_not_beat(.shown, .table))]
    DoesNotBeat {
        /// What was to be shown.
        shown: Set,
        /// What lies on the table.
        table: Set,
    },
    /// No active set.
    #[error("there is nothing to scout: the table is empty")]
    NothingToScout,
    /// The right end of a single card.
    #[error("the active set has one card: it is scouted from the left")]
    OneCardIsLeft,
    /// Two players pay for a scout.
    #[error("seat {0} has no chip left to pay for a scout")]
    NoToken(Seat),
    /// It is to be had once a round.
    #[error("seat {0} has already used Scout & Show this round")]
    ScoutAndShowSpent(Seat),
    /// Two players do not have it.
    #[error("two players play without Scout & Show")]
    ScoutAndShowOfTwo,
    /// A show of cards that nobody has named.
    #[error("the cards at {0} are hidden: a show has to name them")]
    NotNamed(Span),
    /// More or fewer names than cards.
    #[error("{named} cards are named for a show of {shown}")]
    NamedCount {
        /// How many were named.
        named: usize,
        /// How many are shown.
        shown: usize,
    },
    /// A card is known to be another one.
    #[error("the card at place {place} is {known}, not {named}")]
    NamedOther {
        /// The position, from 1.
        place: usize,
        /// What it is; which way up may be unknown.
        known: Card,
        /// What it was said to be.
        named: Card,
    },
    /// The card is not in the deck for so many players.
    #[error("{0} is not in the deck for {1} players")]
    NotInDeck(Card, u8),
    /// The card is known to be somewhere else.
    #[error("{0} stands here a second time")]
    Twice(Card),
    /// Two players: round 2 is dealt from the cards set aside.
    #[error("{0} was dealt in round 1: round 2 is dealt from the cards set aside")]
    DealtBefore(Card),
    /// A hand of the wrong size.
    #[error("seat {seat} is dealt {dealt} cards: with {players} players a hand has {size}")]
    HandSize {
        /// The seat.
        seat: Seat,
        /// How many cards it has been given.
        dealt: usize,
        /// The players at the start of the game.
        players: u8,
        /// How many cards it should have.
        size: u8,
    },
    /// A hand for an absent seat.
    #[error("seat {0} is out and is dealt nothing")]
    DealtOut(Seat),
    /// A round begins with another seat.
    #[error("this round is started by seat {0}")]
    StartedBy(Seat),
    /// Two players: the seat may still act, so the round is not stalled.
    #[error("the round is not stalled: seat {0} can still act")]
    NotStalled(Seat),
}

fn does_not_beat(shown: &Set, table: &Set) -> String {
    if shown.len() != table.len() {
        return format!("a {} does not beat a {}", shown.sort(), table.sort());
    }
    let tie = if shown.strength() == table.strength() { ": a tie is not enough" } else { "" };
    format!("a {shown} does not beat a {table}{tie}")
}
