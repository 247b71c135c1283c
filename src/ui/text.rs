//! Cards, hands and tables as plain text.

use crate::game::{Card, Game, Hand, Kind, Round, Seat, Set, Slot, deck};

/// Cards one after another, each as `7/3`.
pub fn cards(cards: &[Card]) -> String {
    cards.iter().map(Card::to_string).collect::<Vec<_>>().join(" ")
}

/// A set in the rules' words: `run of 3`.
pub fn set(set: &Set) -> String {
    match set.kind() {
        Kind::Single => "single card".into(),
        Kind::Group => format!("group of {}", set.len()),
        Kind::Run => format!("run of {}", set.len()),
    }
}

/// A count with its noun: `1 card`, `2 cards`.
pub fn count(number: usize, noun: &str) -> String {
    format!("{number} {noun}{}", if number == 1 { "" } else { "s" })
}

/// A hand in three lines: the place of each card, the number that counts, the other number.
/// Unknown numbers are `?`; a card whose side is not known shows both in the upper line.
pub fn hand(hand: &Hand) -> [String; 3] {
    let mut lines = ["place".to_string(), "up   ".into(), "down ".into()];
    for (at, slot) in hand.iter().enumerate() {
        let (up, down) = match slot {
            Slot::Seen(card) => (card.up().to_string(), card.down().to_string()),
            Slot::Turned(card) => (format!("{}|{}", card.up(), card.down()), "?".into()),
            Slot::Sealed => ("?".into(), "?".into()),
        };
        for (line, text) in lines.iter_mut().zip([(at + 1).to_string(), up, down]) {
            line.push_str(&format!("{text:>5}"));
        }
    }
    lines
}

/// What lies on the table, in words.
pub fn table(round: &Round, name: impl Fn(Seat) -> String) -> String {
    match (round.active(), round.owner()) {
        (Some(active), Some(owner)) => {
            format!("{} of {}: {}", set(active), name(owner), cards(active.cards()))
        }
        _ => "empty".into(),
    }
}

/// One line about a seat: what everyone can see of it.
pub fn seat(round: &Round, seat: Seat) -> String {
    let cards = count(round.hand(seat).len(), "card");
    let captured = round.captured(seat);
    let tokens = count(usize::from(round.tokens(seat)), "token");
    let mut line = format!("{cards}, {captured} captured, {tokens}");
    if round.may_scout_and_show(seat) {
        line.push_str(", scout-and-show unused");
    }
    line
}

/// The round of all rounds: `Round 2 of 3`.
pub fn round_of(game: &Game) -> String {
    format!("Round {} of {}", game.round_number(), deck::rounds(game.players()))
}
