//! Which cards are in play, how many a hand has, how many rounds a game has.

use super::card::{Card, CardSet, LOW_UP, PAIRS};
use super::seat::Players;

/// The cards in play, in lexicographic order, each with its low number up.
pub fn deck(players: Players) -> &'static [Card] {
    match players.count() {
        2 | 4 => LOW_UP.split_last().map_or(&[], |(_, rest)| rest),
        3 => &NO_TENS,
        _ => &LOW_UP,
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

/// Which cards are in play.
pub fn in_play(players: Players) -> CardSet {
    match players.count() {
        2 | 4 => IN_PLAY[1],
        3 => IN_PLAY[2],
        _ => IN_PLAY[0],
    }
}

const NO_TENS: [Card; 36] = {
    let mut cards = [Card::ONE_TWO; 36];
    let mut count = 0;
    let mut pair = 0;
    while pair < PAIRS {
        if LOW_UP[pair].down() != 10 {
            cards[count] = LOW_UP[pair];
            count += 1;
        }
        pair += 1;
    }
    cards
};

/// The cards of the whole deck, without the last one, and without tens.
const IN_PLAY: [CardSet; 3] = {
    let mut sets = [CardSet::EMPTY; 3];
    let mut pair = 0;
    while pair < PAIRS {
        let card = LOW_UP[pair];
        sets[0].insert(card);
        if pair + 1 < PAIRS {
            sets[1].insert(card);
        }
        if card.down() != 10 {
            sets[2].insert(card);
        }
        pair += 1;
    }
    sets
};
