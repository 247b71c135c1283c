//! A hand read once into bits, one a place.
//!
//! The step to the next card is none, or the same number, or a rise or a fall by one: all places
//! are compared with their next ones at once, bit by bit of their numbers.

use super::hand::{Hand, below, opened};
use super::set::Strength;

/// A hand as its owner reads it, with a table to beat.
#[derive(Clone, Copy)]
pub(super) struct Row {
    pub len: usize,
    /// The planes of the numbers up, see [`Hand::ups`].
    ups: [u64; 4],
    pub table: Strength,
    pub marks: Marks,
}

/// What is asked of the places of a hand, one bit each: of the card there, or of the step from it
/// to the next.
#[derive(Clone, Copy)]
pub(super) struct Marks {
    pub seen: u64,
    pub same: u64,
    pub rise: u64,
    pub fall: u64,
    /// The number up is higher than the smallest of the table.
    pub high: u64,
}

impl Row {
    #[inline]
    pub fn new(hand: &Hand, table: Strength) -> Row {
        Row::read(hand.len(), below(hand.len()) & !hand.hidden(), hand.ups(), table)
    }

    /// The row with a card of this number up put in at `place`.
    #[inline]
    pub fn with(&self, place: usize, up: u8) -> Row {
        let mut ups = self.ups;
        for (plane, bit) in ups.iter_mut().zip(0..) {
            *plane = opened(*plane, place) | u64::from(up >> bit & 1) << place;
        }
        Row::read(self.len + 1, opened(self.marks.seen, place) | 1 << place, ups, self.table)
    }

    #[inline]
    fn read(len: usize, seen: u64, ups: [u64; 4], table: Strength) -> Row {
        // From the lowest bit on, a higher one decides over those below it.
        let high = ups.iter().zip(0..).fold(0, |high, (up, bit)| {
            if table.low() >> bit & 1 == 1 { up & high } else { up | high }
        });
        // A rise by one changes the lowest bit and each one below which all are set; a fall, each
        // one below which none is.
        let [a, b, c, _] = ups;
        let [d0, d1, d2, d3] = ups.map(|up| up ^ up >> 1);
        let both = seen & seen >> 1;
        let marks = Marks {
            seen,
            same: both & !(d0 | d1 | d2 | d3),
            rise: both & d0 & !(d1 ^ a | d2 ^ a & b | d3 ^ a & b & c),
            fall: both & d0 & (d1 ^ a) & (d2 ^ (a | b)) & (d3 ^ (a | b | c)),
            high,
        };
        Row { len, ups, table, marks }
    }

    /// The first place from which a row of steps reaches the card left of `place`.
    pub fn first_reaching(&self, place: usize) -> usize {
        match place {
            0 | 1 => 0,
            _ => place - 1 - (self.marks.starts() << (65 - place)).leading_ones() as usize,
        }
    }
}

impl Marks {
    /// Where a set of two cards or more starts.
    pub fn starts(&self) -> u64 {
        self.same | self.rise | self.fall
    }

    /// From the steps of sets of n cards to those of n + 1.
    pub fn lengthen(&mut self) {
        self.same &= self.same >> 1;
        self.rise &= self.rise >> 1;
        self.fall &= self.fall >> 1;
    }
}
