//! Sets: what may be shown, and which beats which.

use std::fmt;
use std::hint::select_unpredictable;
use std::num::NonZeroU128;

use super::card::Card;
use crate::planted::{Bug, planted};

/// The most cards a set can have: the run from 1 to 10.
pub const LONGEST: usize = 10;

/// What sort of set it is.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Kind {
    /// One card, which has no kind.
    Single,
    /// Each number differs from the one before by 1, all rising or all falling.
    Run,
    /// All the same number; beats a run of as many cards.
    Group,
}

/// Neighbouring cards that form a group, a run or a single card, as they lie: a byte a card, the
/// first the lowest.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct Set(NonZeroU128);

/// How strong a set is: the number of cards, then the kind, then the smallest number.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Strength(u16);

/// Which end of a set.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum End {
    /// The first card; where there is one card, that one.
    Left,
    /// The last card of two or more.
    Right,
}

/// Why the cards are no set.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, thiserror::Error)]
pub enum NoSet {
    /// There is no card.
    #[error("a set has at least one card")]
    Empty,
    /// More cards than any set has.
    #[error("no set has {0} cards")]
    TooMany(usize),
    /// Ten and one side by side.
    #[error("10 and 1 are not neighbours")]
    TenOne,
    /// A step of more than one.
    #[error("{0} and {1} make neither a group nor a run: a run goes by ones")]
    Gap(u8, u8),
    /// A run that changes its direction, or a group that goes on as a run or the other way round.
    #[error(
        "{0}, {1}, {2} is no set: a group is all the same number, a run all rising or all falling"
    )]
    Turn(u8, u8, u8),
}

impl Set {
    /// The set these cards form, in this order.
    pub fn new(cards: &[Card]) -> Result<Set, NoSet> {
        if cards.len() > LONGEST {
            return Err(NoSet::TooMany(cards.len()));
        }
        let bytes = cards.iter().rev().fold(0, |bytes, card| bytes << 8 | u128::from(card.byte()));
        Set::of(bytes)
    }

    /// The set these cards form, at most [`LONGEST`], a byte each.
    pub(super) fn of(cards: u128) -> Result<Set, NoSet> {
        let set = Set(NonZeroU128::new(cards).ok_or(NoSet::Empty)?);
        let ups = cards >> 4 & each(15);
        let (next, steps) = (ups >> 8, (1 << (8 * set.len() - 8)) - 1);
        let is = |left: u128, right: u128| (left ^ right) & steps == 0;
        let is_set = is(ups, next) | is(ups + each(1), next) | is(ups, next + each(1));
        if is_set { Ok(set) } else { Err(set.fault()) }
    }

    /// The cards from left to right.
    pub fn cards(&self) -> impl DoubleEndedIterator<Item = Card> + ExactSizeIterator + Clone {
        self.0.get().to_le_bytes().into_iter().take(self.len()).map(Card::of)
    }

    /// How many cards, at least one.
    #[allow(clippy::len_without_is_empty)]
    pub const fn len(&self) -> usize {
        16 - self.0.leading_zeros() as usize / 8
    }

    /// What sort of set it is now, whatever larger set it is left of.
    pub fn kind(&self) -> Kind {
        match self.len() {
            1 => Kind::Single,
            _ if self.is_group() => Kind::Group,
            _ => Kind::Run,
        }
    }

    /// The smallest number.
    pub fn low(&self) -> u8 {
        let (first, second) = self.first_two();
        if second < first { first + 1 - self.len() as u8 } else { first }
    }

    /// How strong it is; a set beats what is less strong.
    pub fn strength(&self) -> Strength {
        Strength::of(self.len(), self.is_group(), self.low())
    }

    fn is_group(&self) -> bool {
        let (first, second) = self.first_two();
        first == second
    }

    /// The numbers of the first and of the second card, 0 where there is none.
    fn first_two(&self) -> (u8, u8) {
        let cards = self.0.get() as u16;
        ((cards >> 4 & 15) as u8, (cards >> 12) as u8)
    }

    /// Why these cards are no set.
    #[cold]
    fn fault(&self) -> NoSet {
        let (ups, mut before) = (self.cards().map(Card::up), None);
        for (left, right) in ups.clone().zip(ups.skip(1)) {
            let step = right.wrapping_sub(left);
            match (before, left.abs_diff(right)) {
                (_, 9) => return NoSet::TenOne,
                (_, 2..) => return NoSet::Gap(left, right),
                (Some((up, last)), _) if last != step => return NoSet::Turn(up, left, right),
                _ => before = Some((left, step)),
            }
        }
        NoSet::TooMany(self.len())
    }

    /// Whether this set beats the other: equal does not.
    pub fn beats(&self, other: &Set) -> bool {
        let equal = planted(Bug::EqualBeats) && self.strength() == other.strength();
        equal || self.strength() > other.strength()
    }

    /// The card at an end. A single card is at the left end only.
    pub fn end(&self, end: End) -> Option<Card> {
        let place = select_unpredictable(end == End::Left, 0, self.len() - 1);
        let card = Card::of((self.0.get() >> (8 * place)) as u8);
        (end == End::Left || place > 0).then_some(card)
    }

    /// What is left when the card at an end is taken; `None` if nothing is.
    pub fn without(&self, end: End) -> Option<Set> {
        let last = 255 << (8 * self.len() - 8);
        let (left, right) = (self.0.get() >> 8, self.0.get() & !last);
        NonZeroU128::new(select_unpredictable(end == End::Left, left, right)).map(Set)
    }
}

/// The same byte sixteen times.
const fn each(byte: u8) -> u128 {
    u128::from_le_bytes([byte; 16])
}

impl Strength {
    /// An empty table: anything beats it.
    pub const NONE: Strength = Strength(0);

    pub(super) const fn of(len: usize, group: bool, low: u8) -> Strength {
        Strength((len as u16) << 8 | (group as u16) << 4 | low as u16)
    }

    /// How many cards, 0 for an empty table.
    pub(super) const fn len(self) -> usize {
        (self.0 >> 8) as usize
    }

    pub(super) const fn is_group(self) -> bool {
        self.0 >> 4 & 1 == 1
    }

    /// The smallest number, 0 for an empty table.
    pub(super) const fn low(self) -> u8 {
        (self.0 & 15) as u8
    }
}

impl fmt::Display for Kind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Kind::Single => "single card",
            Kind::Run => "run",
            Kind::Group => "group",
        })
    }
}

impl fmt::Display for Set {
    /// `single 4`, or `run of 3 from 4`: the number is the smallest.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.kind() {
            Kind::Single => write!(f, "single {}", self.low()),
            Kind::Run => write!(f, "run of {} from {}", self.len(), self.low()),
            Kind::Group => write!(f, "group of {} ({}s)", self.len(), self.low()),
        }
    }
}

impl fmt::Debug for Set {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_list().entries(self.cards()).finish()
    }
}

impl fmt::Display for End {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            End::Left => "left",
            End::Right => "right",
        })
    }
}
