//! A hand: a row of slots whose order never changes, known to the owner more than to others.

use std::fmt;

use super::action::Span;
use super::card::{Card, PAIRS};

/// What is known of one card of a hand.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Slot {
    /// A face-down dealt card.
    Sealed,
    /// The card is known, not which way up it is; here always with its low number up.
    Turned(Card),
    /// The card is known as it lies.
    Seen(Card),
}

/// The cards of one player from left to right, at most the whole deck; one byte a slot.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct Hand {
    len: u8,
    slots: [u8; ROOM],
}

/// The places of a hand in memory: those of the whole deck, rounded up to whole words.
const ROOM: usize = 48;

/// The byte of a sealed slot. A seen card is its own byte (at most 0xA9), a turned one stands
/// at `TURNED` plus its pair; 0 is no slot.
const SEALED: u8 = 0xFF;
const TURNED: u8 = 0xB0;

impl Slot {
    /// The card, if it is known as it lies.
    pub const fn seen(self) -> Option<Card> {
        match self {
            Slot::Seen(card) => Some(card),
            _ => None,
        }
    }

    /// The card, whichever way up it is.
    pub const fn card(self) -> Option<Card> {
        match self {
            Slot::Sealed => None,
            Slot::Turned(card) | Slot::Seen(card) => Some(card),
        }
    }

    const fn byte(self) -> u8 {
        match self {
            Slot::Sealed => SEALED,
            Slot::Turned(card) => TURNED + card.pair(),
            Slot::Seen(card) => card.byte(),
        }
    }

    fn from_byte(byte: u8) -> Slot {
        let seen = || Card::new(byte >> 4, byte & 15).map(Slot::Seen);
        let turned = || Card::from_pair(byte.checked_sub(TURNED)?, false).map(Slot::Turned);
        seen().or_else(turned).unwrap_or(Slot::Sealed)
    }
}

impl Hand {
    /// No card.
    pub const EMPTY: Hand = Hand { len: 0, slots: [0; ROOM] };

    /// `count` face-down cards, at most the whole deck.
    pub fn sealed(count: u8) -> Hand {
        (0..count).map(|_| Slot::Sealed).collect()
    }

    /// These cards as they lie.
    pub fn seen(cards: &[Card]) -> Hand {
        cards.iter().map(|&card| Slot::Seen(card)).collect()
    }

    /// How many cards it has.
    pub const fn len(&self) -> usize {
        self.len as usize
    }

    /// Whether it has none.
    pub const fn is_empty(&self) -> bool {
        self.len == 0
    }

    /// The slot at a place, from 0 at the left.
    pub fn slot(&self, place: usize) -> Option<Slot> {
        self.bytes().get(place).map(|&byte| Slot::from_byte(byte))
    }

    /// The slots from left to right.
    pub fn iter(&self) -> impl DoubleEndedIterator<Item = Slot> + ExactSizeIterator {
        self.bytes().iter().map(|&byte| Slot::from_byte(byte))
    }

    /// The slots at these places, if the hand has them all.
    pub fn slots(&self, span: Span) -> Option<impl ExactSizeIterator<Item = Slot>> {
        let bytes = self.bytes().get(span.first()..=span.last())?;
        Some(bytes.iter().map(|&byte| Slot::from_byte(byte)))
    }

    /// Whether every card is known as it lies.
    pub fn is_seen(&self) -> bool {
        self.bytes().iter().all(|&byte| byte < TURNED)
    }

    /// The cards from left to right, if every one is known as it lies.
    pub fn cards(&self) -> Option<impl DoubleEndedIterator<Item = Card> + ExactSizeIterator> {
        let cards = self.bytes().iter().map(|&byte| Card::new(byte >> 4, byte & 15));
        self.is_seen().then(|| cards.map(|card| card.unwrap_or(Card::ONE_TWO)))
    }

    /// The hand turned as a whole: each seen card in place, the order as it was.
    #[must_use]
    pub fn turned(&self) -> Hand {
        let turn = |byte: u8| {
            if byte < TURNED { byte.rotate_left(4) } else { byte }
        };
        Hand { len: self.len, slots: self.slots.map(turn) }
    }

    /// The slot bytes, eight in a word, the first in its low byte; see [`Hand::slot_bytes`].
    pub(super) fn words(&self) -> impl Iterator<Item = u64> {
        let (words, _) = self.slots.as_chunks();
        words.iter().map(|word| u64::from_le_bytes(*word))
    }

    /// Puts a slot in so that it stands at `place`; does nothing where there is no such place.
    pub(super) fn insert(&mut self, place: usize, slot: Slot) {
        let len = self.len();
        if place <= len && len < PAIRS {
            self.slots.copy_within(place..len, place + 1);
            self.slots[place] = slot.byte();
            self.len += 1;
        }
    }

    /// Takes the slots `first` to `last` out; does nothing where they are not all there.
    pub(super) fn remove(&mut self, first: usize, last: usize) {
        let len = self.len();
        if first <= last && last < len {
            self.slots.copy_within(last + 1..len, first);
            let left = len - (last - first + 1);
            self.slots[left..len].fill(0);
            self.len = left as u8;
        }
    }

    /// One byte for each place of the whole deck, for a canonical form: 0 where there is no
    /// card, 0xFF sealed, 0xB0 plus the pair turned, the number up and the number down in half
    /// a byte each where seen.
    pub(super) fn slot_bytes(&self) -> &[u8] {
        self.slots.get(..PAIRS).unwrap_or(&self.slots)
    }

    fn bytes(&self) -> &[u8] {
        self.slots.get(..self.len()).unwrap_or(&self.slots)
    }
}

impl Default for Hand {
    fn default() -> Hand {
        Hand::EMPTY
    }
}

impl FromIterator<Slot> for Hand {
    /// The slots from left to right; what is more than a whole deck is left away.
    fn from_iter<I: IntoIterator<Item = Slot>>(slots: I) -> Hand {
        let mut hand = Hand::EMPTY;
        for (place, slot) in hand.slots.iter_mut().take(PAIRS).zip(slots) {
            *place = slot.byte();
            hand.len += 1;
        }
        hand
    }
}

impl fmt::Debug for Hand {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_list().entries(self.iter()).finish()
    }
}
