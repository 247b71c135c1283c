//! Cards, hands and tables as plain text.

use crate::{
    game::{Card, Game, Hand, Round, Seat, Slot, deck},
    protocol::lobby::{DealKind, Join, Roster},
};

/// The rules in five sentences, as the help, the lobby and `learn` tell them.
pub const RULES: [&str; 5] = [
    "A card has two numbers; only the upper, large one counts, and your hand is never reordered.",
    "On your turn, show adjacent cards of the same number (a group) or consecutive numbers up or \
     down (a run) that beat the set on the table: more cards beat fewer, a group beats a run, then \
     the set whose lowest number is higher wins.",
    "You capture what you beat: one point per card.",
    "Or scout: take a card from either end of that set into your hand, anywhere and either way \
     up; its owner gets a chip, worth a point. Once a round you may do both at once: Scout & Show.",
    "The round ends when a hand is empty, or when nobody beats a set and everyone else has \
     scouted; each card left costs a point, except for the player whose set nobody beat.",
];

/// The players' names, by seat; two of one name are told apart by their seats.
pub fn names(roster: &Roster) -> Vec<String> {
    let joins = &roster.joins;
    let name = |(seat, join): (usize, &Join)| {
        let alike = joins.iter().filter(|other| other.name.looks_like(&join.name)).count();
        match alike {
            0 | 1 => join.name.to_string(),
            _ => format!("{} (seat {})", join.name, seat + 1),
        }
    };
    joins.iter().enumerate().map(name).collect()
}

/// Cards one after another, each as `7/3`.
pub fn cards(cards: &[Card]) -> String {
    cards.iter().map(Card::to_string).collect::<Vec<_>>().join(" ")
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
            format!(
                "{}'s {}: {}",
                name(owner),
                active.sort(),
                cards(&active.cards().collect::<Vec<_>>())
            )
        }
        _ => "empty".into(),
    }
}

/// One line about a seat: what everyone can see of it.
pub fn seat(round: &Round, seat: Seat) -> String {
    let cards = count(round.hand(seat).len(), "card");
    let captured = round.captured(seat);
    let chips = count(usize::from(round.tokens(seat)), "chip");
    let mut line = format!("{cards}, {captured} captured, {chips}");
    if round.may_scout_and_show(seat) {
        line.push_str(", Scout & Show ready");
    }
    line
}

/// How cards are dealt, in two words.
pub fn deal(kind: DealKind) -> &'static str {
    match kind {
        DealKind::Open => "open deal",
        DealKind::Sealed => "sealed deal",
    }
}

/// The round of all rounds: `Round 2 of 3`.
pub fn round_of(game: &Game) -> String {
    format!("Round {} of {}", game.round_number(), deck::rounds(game.players()))
}
