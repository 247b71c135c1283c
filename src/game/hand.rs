//! A hand: a row of slots whose order never changes, known to the owner more than to others.

use std::fmt;

use super::action::Span;
use super::card::{Card, CardSet, LOW_UP, PAIRS};

/// What is known of one card of a hand.
///
/// ```
/// use fairdeal::game::{Hand, Slot};
///
/// let hand = Hand::seen(&["7/3".parse()?, "2/9".parse()?]);
/// assert_eq!(hand.slot(0), Some(Slot::Seen("7/3".parse()?)));
/// assert_eq!(Hand::sealed(2).slot(0), Some(Slot::Sealed));
/// # Ok::<(), fairdeal::game::NoCard>(())
/// ```
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
///
/// The bytes are kept in planes, so that all places are looked at and moved at once: plane i has
/// bit i of each slot's byte, one bit a place.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct Hand {
    len: u8,
    planes: [u64; 8],
}

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

    /// The slot of a byte that is in a hand.
    fn from_byte(byte: u8) -> Slot {
        match byte {
            TURNED.. => Card::from_pair(byte - TURNED, false).map_or(Slot::Sealed, Slot::Turned),
            _ => Slot::Seen(Card::of(byte)),
        }
    }
}

impl Hand {
    /// No card.
    pub const EMPTY: Hand = Hand { len: 0, planes: [0; 8] };

    /// `count` face-down cards, at most the whole deck.
    pub fn sealed(count: u8) -> Hand {
        (0..count).map(|_| Slot::Sealed).collect()
    }

    /// These cards as they lie.
    pub fn seen(cards: &[Card]) -> Hand {
        let (eights, rest) = cards.get(..PAIRS).unwrap_or(cards).as_chunks::<8>();
        let mut hand = Hand::EMPTY;
        for eight in eights {
            hand.append(u64::from_le_bytes(eight.map(Card::byte)), 8);
        }
        let word = rest.iter().rev().fold(0, |word, card| word << 8 | u64::from(card.byte()));
        hand.append(word, rest.len());
        hand
    }

    /// Appends up to eight slots by their bytes, the first the lowest.
    #[inline]
    fn append(&mut self, bytes: u64, count: usize) {
        for (plane, bits) in self.planes.iter_mut().zip(transposed(bytes).to_le_bytes()) {
            *plane |= u64::from(bits) << self.len;
        }
        self.len += count as u8;
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
        (place < self.len()).then(|| Slot::from_byte(self.byte(place)))
    }

    /// The slots from left to right.
    pub fn iter(&self) -> impl DoubleEndedIterator<Item = Slot> + ExactSizeIterator {
        self.bytes().into_iter().take(self.len()).map(Slot::from_byte)
    }

    /// The bytes of the cards at these places, up to 16, the first the lowest; if the hand has
    /// them all and they are known as they lie.
    #[inline(always)]
    pub(super) fn seen_at(&self, span: Span) -> Option<u128> {
        let (first, len) = (span.first(), span.len());
        if span.last() >= self.len() || self.hidden() >> first & below(len) != 0 {
            return None;
        }
        let eight = |first: usize, len: usize| self.eight(first) & u64::MAX >> (64 - 8 * len);
        let more = if len > 8 { eight(first + 8, len - 8) } else { 0 };
        Some(u128::from(more) << 64 | u128::from(eight(first, len.min(8))))
    }

    /// The cards that are known as they lie.
    pub(super) fn seen_cards(&self) -> CardSet {
        let mut seen = CardSet::EMPTY;
        for first in (0..self.len()).step_by(8) {
            for byte in self.eight(first).to_le_bytes() {
                seen = seen.with(SEEN[usize::from(byte)]);
            }
        }
        seen
    }

    /// Whether every card is known as it lies.
    pub fn is_seen(&self) -> bool {
        self.hidden() == 0
    }

    /// The cards from left to right, if every one is known as it lies.
    pub fn cards(&self) -> Option<impl DoubleEndedIterator<Item = Card> + ExactSizeIterator> {
        let cards = || self.bytes().into_iter().take(self.len()).map(Card::of);
        self.is_seen().then(cards)
    }

    /// The hand turned as a whole: each seen card in place, the order as it was.
    #[must_use]
    pub fn turned(&self) -> Hand {
        let mut hand = *self;
        let hidden = self.hidden();
        hand.planes.rotate_left(4);
        for (plane, before) in hand.planes.iter_mut().zip(self.planes) {
            *plane = *plane & !hidden | before & hidden;
        }
        hand
    }

    /// The planes of the numbers up, from the lowest bit; what is hidden has more than 10.
    pub(super) fn ups(&self) -> [u64; 4] {
        let [.., a, b, c, d] = self.planes;
        [a, b, c, d]
    }

    /// The places of the cards that are not known as they lie.
    pub(super) fn hidden(&self) -> u64 {
        let [a, b, c, d] = self.ups();
        d & (c | b & a)
    }

    /// Puts a slot in so that it stands at `place`; does nothing where there is no such place.
    #[inline]
    pub(super) fn insert(&mut self, place: usize, slot: Slot) {
        if place <= self.len() && self.len() < PAIRS {
            let (byte, gap) = (slot.byte(), 1 << place);
            for (plane, bit) in self.planes.iter_mut().zip(BITS) {
                *plane = opened(*plane, place) | if byte & bit == 0 { 0 } else { gap };
            }
            self.len += 1;
        }
    }

    /// Takes the slots of these places out; does nothing where they are not all there.
    #[inline]
    pub(super) fn remove(&mut self, span: Span) {
        if span.last() < self.len() {
            let left = below(span.first());
            for plane in &mut self.planes {
                *plane = *plane & left | *plane >> span.len() & !left;
            }
            self.len -= span.len() as u8;
        }
    }

    /// One byte for each place of the whole deck and more, for a canonical form: 0 where there is
    /// no card, 0xFF sealed, 0xB0 plus the pair turned, the number up and the number down in half
    /// a byte each where seen.
    pub(super) fn bytes(&self) -> [u8; ROOM] {
        let mut bytes = [0; ROOM];
        let (words, _) = bytes.as_chunks_mut();
        for (word, index) in words.iter_mut().zip(0..self.len().div_ceil(8)) {
            *word = self.eight(8 * index).to_le_bytes();
        }
        bytes
    }

    /// The byte of one place.
    fn byte(&self, place: usize) -> u8 {
        let bits = self.planes.iter().rev().map(|plane| (plane >> place & 1) as u8);
        bits.fold(0, |byte, bit| byte << 1 | bit)
    }

    /// The bytes of eight places from `first` on, the first the lowest.
    #[inline(always)]
    fn eight(&self, first: usize) -> u64 {
        transposed(u64::from_le_bytes(self.planes.map(|plane| (plane >> first) as u8)))
    }
}

/// The card of a slot's byte, if it is known as it lies.
static SEEN: [CardSet; 256] = {
    let mut seen = [CardSet::EMPTY; 256];
    let mut pair = 0;
    while pair < PAIRS {
        let card = LOW_UP[pair];
        seen[card.byte() as usize].insert(card);
        seen[card.turned().byte() as usize].insert(card);
        pair += 1;
    }
    seen
};

/// The bits of a byte, by plane.
const BITS: [u8; 8] = [1, 2, 4, 8, 16, 32, 64, 128];

/// The places of the whole deck, rounded up to whole words.
const ROOM: usize = 48;

/// The bits below `place`.
pub(super) const fn below(place: usize) -> u64 {
    (1 << place) - 1
}

/// A row of bits with a gap at `place`.
pub(super) const fn opened(bits: u64, place: usize) -> u64 {
    bits + (bits & !below(place))
}

/// Bit j of byte i from bit i of byte j: the two by two corners change places, then those of
/// blocks of two, then those of blocks of four.
const fn transposed(mut bits: u64) -> u64 {
    let corners = (bits ^ bits >> 7) & 0x00AA_00AA_00AA_00AA;
    bits ^= corners ^ corners << 7;
    let corners = (bits ^ bits >> 14) & 0x0000_CCCC_0000_CCCC;
    bits ^= corners ^ corners << 14;
    let corners = (bits ^ bits >> 28) & 0x0000_0000_F0F0_F0F0;
    bits ^ corners ^ corners << 28
}

impl Default for Hand {
    fn default() -> Hand {
        Hand::EMPTY
    }
}

impl FromIterator<Slot> for Hand {
    /// The slots from left to right; what is more than a whole deck is left away.
    fn from_iter<I: IntoIterator<Item = Slot>>(slots: I) -> Hand {
        let mut slots = slots.into_iter().take(PAIRS);
        let mut hand = Hand::EMPTY;
        loop {
            let (mut bytes, mut count) = ([0; 8], 0);
            for (byte, slot) in bytes.iter_mut().zip(slots.by_ref()) {
                *byte = slot.byte();
                count += 1;
            }
            hand.append(u64::from_le_bytes(bytes), count);
            if count < 8 {
                return hand;
            }
        }
    }
}

impl fmt::Debug for Hand {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_list().entries(self.iter()).finish()
    }
}
