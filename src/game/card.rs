//! A card: two different numbers, one up, one down.

use std::fmt;
use std::num::NonZeroU8;
use std::str::FromStr;

/// How many different cards there are: one for each unordered pair of numbers 1 to 10.
pub const PAIRS: usize = 45;

/// A card as it lies: the number up and the number down, 1 to 10 and different; one byte.
///
/// ```
/// use fairdeal::game::Card;
///
/// let card: Card = "7/3".parse()?;
/// assert_eq!((card.up(), card.down()), (7, 3));
/// assert_eq!(card.turned().to_string(), "3/7");
/// assert!("7/7".parse::<Card>().is_err());
/// # Ok::<(), fairdeal::game::NoCard>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Card(NonZeroU8);

/// A set of cards, blind to which way up each lies.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub struct CardSet(u64);

/// The text is no card.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
#[error("a card is two different numbers from 1 to 10 with a slash between them, as in `7/3`")]
pub struct NoCard;

impl Card {
    /// The first card of the deck, 1/2 with its low number up.
    pub const ONE_TWO: Card = match Card::new(1, 2) {
        Some(card) => card,
        None => panic!("1 and 2 make a card"),
    };

    /// The card with these numbers up and down; `None` unless they are different and 1 to 10.
    pub const fn new(up: u8, down: u8) -> Option<Card> {
        if up < 1 || up > 10 || down < 1 || down > 10 || up == down {
            return None;
        }
        match NonZeroU8::new(up << 4 | down) {
            Some(byte) => Some(Card(byte)),
            None => None,
        }
    }

    /// The number that reads upright.
    pub const fn up(self) -> u8 {
        self.0.get() >> 4
    }

    /// The number that reads upright when the card is turned.
    pub const fn down(self) -> u8 {
        self.0.get() & 15
    }

    /// The card turned over.
    pub const fn turned(self) -> Card {
        match NonZeroU8::new(self.0.get().rotate_left(4)) {
            Some(byte) => Card(byte),
            None => self,
        }
    }

    /// The card with its low number up.
    pub const fn low_up(self) -> Card {
        if self.up() < self.down() { self } else { self.turned() }
    }

    /// Which of the 45 cards this is, in lexicographic order: 1/2 is 0, 1/3 is 1, 9/10 is 44.
    pub const fn pair(self) -> u8 {
        PAIR_OF[self.byte() as usize]
    }

    /// The card of index `pair` (0 to 44), with its high number up if `turned`.
    pub const fn from_pair(pair: u8, turned: bool) -> Option<Card> {
        if pair as usize >= PAIRS {
            return None;
        }
        let card = LOW_UP[pair as usize];
        Some(if turned { card.turned() } else { card })
    }

    /// The card as one byte, the number up in the high half.
    pub(super) const fn byte(self) -> u8 {
        self.0.get()
    }

    /// The card of a byte that [`Card::byte`] gave.
    pub(super) const fn of(byte: u8) -> Card {
        match NonZeroU8::new(byte) {
            Some(byte) => Card(byte),
            None => Card::ONE_TWO,
        }
    }
}

/// The cards by their index, each with its low number up.
pub(super) const LOW_UP: [Card; PAIRS] = {
    let mut cards = [Card::ONE_TWO; PAIRS];
    let (mut pair, mut low, mut high) = (0, 1, 2);
    while let Some(card) = Card::new(low, high) {
        cards[pair] = card;
        pair += 1;
        if high < 10 {
            high += 1;
        } else {
            low += 1;
            high = low + 1;
        }
    }
    cards
};

/// The index of a card by its byte.
const PAIR_OF: [u8; 256] = {
    let mut pairs = [0; 256];
    let mut pair = 0;
    while pair < PAIRS {
        let card = LOW_UP[pair];
        pairs[card.byte() as usize] = pair as u8;
        pairs[card.turned().byte() as usize] = pair as u8;
        pair += 1;
    }
    pairs
};

impl CardSet {
    /// No card.
    pub const EMPTY: CardSet = CardSet(0);

    /// Whether the card is in the set, either way up.
    pub const fn contains(self, card: Card) -> bool {
        self.0 >> card.pair() & 1 == 1
    }

    /// Puts the card in; false if it was in already.
    pub const fn insert(&mut self, card: Card) -> bool {
        let before = self.0;
        self.0 |= 1 << card.pair();
        self.0 != before
    }

    /// How many they are.
    pub(super) const fn count(self) -> usize {
        self.0.count_ones() as usize
    }

    /// These and those.
    pub(super) const fn with(self, others: CardSet) -> CardSet {
        CardSet(self.0 | others.0)
    }

    /// Whether they are all among those.
    pub(super) const fn is_among(self, others: CardSet) -> bool {
        self.0 & !others.0 == 0
    }

    /// The set as bits: bit i is the card of pair i.
    pub const fn bits(self) -> u64 {
        self.0
    }
}

impl fmt::Display for Card {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}/{}", self.up(), self.down())
    }
}

impl fmt::Debug for Card {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

impl FromStr for Card {
    type Err = NoCard;

    fn from_str(text: &str) -> Result<Card, NoCard> {
        let (up, down) = text.split_once('/').ok_or(NoCard)?;
        Card::new(number(up)?, number(down)?).ok_or(NoCard)
    }
}

fn number(text: &str) -> Result<u8, NoCard> {
    match text.as_bytes() {
        [digit @ b'1'..=b'9'] => Ok(digit - b'0'),
        b"10" => Ok(10),
        _ => Err(NoCard),
    }
}
