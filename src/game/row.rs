//! A hand read once into bits, one a place.
//!
//! The step to the next card is none, or the same number, or a rise or a fall by one. A card put
//! in puts one bit in and changes the two steps beside it.

use super::card::PAIRS;
use super::hand::Hand;
use super::set::Strength;

/// A hand as its owner reads it.
#[derive(Clone, Copy)]
pub(super) struct Row {
    pub len: usize,
    /// The number up at each place, eight in a word; where the card is hidden, more than 10.
    ups: [u64; WORDS],
    pub marks: Marks,
}

/// Words enough for the whole deck, and an empty one for what is right of the last place.
const WORDS: usize = PAIRS.div_ceil(8) + 1;

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
    pub fn new(hand: &Hand) -> Row {
        let mut row = Row { len: hand.len(), ups: [0; WORDS], marks: Marks::NONE };
        for (ups, word) in row.ups.iter_mut().zip(hand.words()) {
            *ups = word >> 4 & bytes::each(15);
        }
        let used = row.len.div_ceil(8);
        for (word, pair) in row.ups.windows(2).take(used).enumerate() {
            let (ups, shift) = (pair[0], 8 * word);
            let next = ups >> 8 | pair[1] << 56;
            let seen = bytes::above(ups, 0) & !bytes::above(ups, 10);
            row.marks.seen |= bytes::gather(seen) << shift;
            row.marks.same |= bytes::gather(bytes::equal(ups, next)) << shift;
            row.marks.rise |= bytes::gather(bytes::equal(ups + bytes::each(1), next)) << shift;
            row.marks.fall |= bytes::gather(bytes::equal(ups, next + bytes::each(1))) << shift;
        }
        let both = row.marks.seen & row.marks.seen >> 1;
        row.marks.same &= both;
        row.marks.rise &= both;
        row.marks.fall &= both;
        row
    }

    /// Marks the places that are higher than the smallest number of the table.
    pub fn mark_high(&mut self, table: Strength) {
        self.marks.high = 0;
        for (word, &ups) in self.ups.iter().take(self.len.div_ceil(8)).enumerate() {
            self.marks.high |= bytes::gather(bytes::above(ups, table.low())) << (8 * word);
        }
    }

    /// The number up at a place, 0 where it is hidden or there is no place.
    fn up(&self, place: usize) -> u8 {
        let ups = self.ups.get(place / 8).copied().unwrap_or(0);
        let seen = self.marks.seen >> place & 1 == 1;
        if seen { (ups >> (8 * (place % 8)) & 15) as u8 } else { 0 }
    }

    /// The first place from which a row of steps reaches the card left of `place`.
    pub fn first_reaching(&self, place: usize) -> usize {
        match place {
            0 | 1 => 0,
            _ => place - 1 - (self.marks.starts() << (65 - place)).leading_ones() as usize,
        }
    }

    /// The marks of the row with a gap at `place`, for a card to be put in.
    #[inline]
    pub fn with_gap(&self, place: usize) -> Marks {
        let open = |mask: u64| mask & below(place) | (mask & !below(place)) << 1;
        let step = |mask: u64| open(mask & !(1 << place >> 1));
        Marks {
            seen: open(self.marks.seen),
            same: step(self.marks.same),
            rise: step(self.marks.rise),
            fall: step(self.marks.fall),
            high: open(self.marks.high),
        }
    }

    /// The marks with a card of this number up put in the gap at `place`.
    #[inline]
    pub fn filled(&self, gap: Marks, place: usize, up: u8, table: Strength) -> Marks {
        let left = Marks::between(place.checked_sub(1).map_or(0, |left| self.up(left)), up);
        let right = Marks::between(up, self.up(place));
        let step = |left: u64, right: u64| right << place | left << place >> 1;
        Marks {
            seen: gap.seen | 1 << place,
            same: gap.same | step(left.same, right.same),
            rise: gap.rise | step(left.rise, right.rise),
            fall: gap.fall | step(left.fall, right.fall),
            high: gap.high | u64::from(up > table.low()) << place,
        }
    }
}

impl Marks {
    const NONE: Marks = Marks { seen: 0, same: 0, rise: 0, fall: 0, high: 0 };

    /// The step between two neighbours, at bit 0; none if one is hidden (0).
    fn between(left: u8, right: u8) -> Marks {
        let both = left != 0 && right != 0;
        Marks {
            same: u64::from(both & (left == right)),
            rise: u64::from(both & (left + 1 == right)),
            fall: u64::from(both & (left == right + 1)),
            ..Marks::NONE
        }
    }

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

/// The bits below `place`.
pub(super) const fn below(place: usize) -> u64 {
    (1 << place) - 1
}

/// Eight numbers below 128 in a word, looked at together. What holds of a number is the high bit
/// of its byte.
mod bytes {
    /// The same number eight times.
    pub const fn each(number: u8) -> u64 {
        number as u64 * 0x0101_0101_0101_0101
    }

    /// Which are above a number.
    pub const fn above(word: u64, number: u8) -> u64 {
        (word + each(127 - number)) & each(128)
    }

    /// Which are equal to the number at the same byte of the other word.
    pub const fn equal(word: u64, other: u64) -> u64 {
        !((word ^ other) + each(127)) & each(128)
    }

    /// The eight high bits as the low byte, the first number's lowest.
    pub const fn gather(highs: u64) -> u64 {
        (highs >> 7).wrapping_mul(0x0102_0408_1020_4080) >> 56
    }
}
