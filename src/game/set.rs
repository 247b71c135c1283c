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
/// first the lowest, and in the two highest bytes how strong they are.
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
    #[error("no set can be longer than {LONGEST} cards")]
    TooMany(usize),
    /// Ten and one side by side.
    #[error("10 1 is not a set: a run does not go on from 10 to 1")]
    TenOne,
    /// A step of more than one.
    #[error("{0} {1} is not a set: the numbers in a run must be consecutive")]
    Gap(u8, u8),
    /// A run that changes its direction, or a group that goes on as a run or the other way round.
    #[error("{0} {1} {2} is not a set: {why}", why = why_turn(*.0, *.1, *.2))]
    Turn(u8, u8, u8),
}

impl Set {
    /// The set these cards form, in this order.
    pub fn new(cards: &[Card]) -> Result<Set, NoSet> {
        if cards.len() > LONGEST {
            return Err(NoSet::TooMany(cards.len()));
        }
        let bytes = cards.iter().rev().fold(0, |bytes, card| bytes << 8 | u128::from(card.byte()));
        Set::of(bytes, cards.len())
    }

    /// The set these cards form, `len` of them and at most [`LONGEST`], a byte each.
    #[inline]
    pub(super) fn of(cards: u128, len: usize) -> Result<Set, NoSet> {
        let set = Set::known(cards, len).ok_or(NoSet::Empty)?;
        let (first, second) = first_two(cards);
        // One more than the step, so that no byte goes below 0.
        let step = select_unpredictable(second == 0, 1, (second + 1).wrapping_sub(first));
        let (ups, next) = (cards & each(15 << 4), cards >> 8 & each(15 << 4));
        let (due, come) = (ups + each((step & 3) << 4), next + each(1 << 4));
        let is_set = (step < 3) & ((due ^ come) & lowest(len - 1) == 0);
        if is_set { Ok(set) } else { Err(set.fault()) }
    }

    /// The set of these cards, known to form one; `None` if there is no card.
    #[inline]
    fn known(cards: u128, len: usize) -> Option<Set> {
        let (first, second) = first_two(cards);
        let falls = (second < first) & (second > 0);
        let low = select_unpredictable(falls, (first + 1).wrapping_sub(len as u8), first);
        let strength = Strength::of(len, first == second, low & 15);
        NonZeroU128::new(cards).map(|cards| Set(cards | u128::from(strength.0) << STRENGTH))
    }

    /// The cards from left to right.
    pub fn cards(&self) -> impl DoubleEndedIterator<Item = Card> + ExactSizeIterator + Clone {
        self.0.get().to_le_bytes().into_iter().take(self.len()).map(Card::of)
    }

    /// How many cards, at least one.
    #[allow(clippy::len_without_is_empty)]
    pub const fn len(&self) -> usize {
        self.strength().len()
    }

    /// What sort of set it is now, whatever larger set it is left of.
    pub fn kind(&self) -> Kind {
        match self.len() {
            1 => Kind::Single,
            _ if self.strength().is_group() => Kind::Group,
            _ => Kind::Run,
        }
    }

    /// Its kind and size in words: `run of 3`, `single card`.
    pub fn sort(&self) -> String {
        match (self.kind(), self.len()) {
            (Kind::Single, _) => Kind::Single.to_string(),
            (kind, len) => format!("{kind} of {len}"),
        }
    }

    /// The smallest number.
    pub fn low(&self) -> u8 {
        self.strength().low()
    }

    /// How strong it is; a set beats what is less strong.
    pub const fn strength(&self) -> Strength {
        Strength((self.0.get() >> STRENGTH) as u16)
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
    #[inline]
    pub fn without(&self, end: End) -> Option<Set> {
        let (cards, len) = (self.0.get(), self.len() - 1);
        let (left, right) = (cards >> 8 & lowest(len), cards & lowest(len));
        Set::known(select_unpredictable(end == End::Left, left, right), len)
    }
}

/// Why three cards that follow on one another two by two are still not a set.
fn why_turn(first: u8, second: u8, third: u8) -> &'static str {
    match first == second || second == third {
        true => "it is partly a group, partly a run",
        false => "a run must go one way",
    }
}

/// Where the strength of a set begins, above its cards.
const STRENGTH: u32 = 112;

/// The numbers of the first and of the second of these cards, 0 where there is none.
const fn first_two(cards: u128) -> (u8, u8) {
    let cards = cards as u16;
    ((cards >> 4 & 15) as u8, (cards >> 12) as u8)
}

/// The bits of so many of the lowest bytes.
const fn lowest(bytes: usize) -> u128 {
    (1 << (8 * bytes)) - 1
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
