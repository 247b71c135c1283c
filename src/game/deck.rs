//! Which cards are in play, how many a hand has, how many rounds a game has.

use super::card::{Card, CardSet, PAIRS};
use super::seat::Players;

/// The cards in play, in lexicographic order, each with its low number up.
pub fn deck(players: Players) -> &'static [Card] {
    match players.count() {
        2 | 4 => DECK.split_last().map_or(&[], |(_, rest)| rest),
        3 => &NO_TENS,
        _ => &DECK,
    }
}

/// How many cards each player is dealt.
pub fn hand_size(players: Players) -> u8 {
    match players.count() {
        2 | 4 => 11,
        3 => 12,
        _ => 9,
    }
}

/// How many rounds the game has: one a player.
pub fn rounds(players: Players) -> u8 {
    players.count()
}

/// Whether the card is in play.
pub fn in_play(players: Players, card: Card) -> bool {
    match players.count() {
        2 | 4 => !NINE_TEN.contains(card),
        3 => card.up() != 10 && card.down() != 10,
        _ => true,
    }
}

const DECK: [Card; PAIRS] = {
    let mut cards = [Card::ONE_TWO; PAIRS];
    let mut pair = 0;
    while pair < PAIRS {
        if let Some(card) = Card::from_pair(pair as u8, false) {
            cards[pair] = card;
        }
        pair += 1;
    }
    cards
};

const NO_TENS: [Card; 36] = {
    let mut cards = [Card::ONE_TWO; 36];
    let mut count = 0;
    let mut pair = 0;
    while pair < PAIRS {
        if DECK[pair].down() != 10 {
            cards[count] = DECK[pair];
            count += 1;
        }
        pair += 1;
    }
    cards
};

const NINE_TEN: CardSet = {
    let mut set = CardSet::EMPTY;
    set.insert(DECK[PAIRS - 1]);
    set
};
