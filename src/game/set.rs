//! Sets: what may be shown, and which beats which.

use std::fmt;

use super::card::Card;

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

/// Neighbouring cards that form a group, a run or a single card, as they lie.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct Set {
    len: u8,
    cards: [Card; LONGEST],
}

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

/// How two neighbours in a set differ.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Step {
    Same,
    Rise,
    Fall,
}

impl Set {
    /// The set these cards form, in this order.
    pub fn new(cards: &[Card]) -> Result<Set, NoSet> {
        let &first = cards.first().ok_or(NoSet::Empty)?;
        let mut before = None;
        for (left, right) in cards.iter().zip(cards.iter().skip(1)) {
            let (a, b) = (left.up(), right.up());
            let step = match Step::between(a, b) {
                Some(step) => step,
                None if a.abs_diff(b) == 9 => return Err(NoSet::TenOne),
                None => return Err(NoSet::Gap(a, b)),
            };
            match before {
                Some((up, last)) if last != step => return Err(NoSet::Turn(up, a, b)),
                _ => before = Some((a, step)),
            }
        }
        let mut set = Set { len: 0, cards: [first; LONGEST] };
        for (slot, &card) in set.cards.iter_mut().zip(cards) {
            *slot = card;
            set.len += 1;
        }
        if cards.len() > LONGEST {
            return Err(NoSet::TooMany(cards.len()));
        }
        Ok(set)
    }

    /// The cards from left to right.
    pub fn cards(&self) -> &[Card] {
        self.cards.get(..self.len()).unwrap_or(&self.cards)
    }

    /// How many cards, at least one.
    #[allow(clippy::len_without_is_empty)]
    pub const fn len(&self) -> usize {
        self.len as usize
    }

    /// What sort of set it is now, whatever larger set it is left of.
    pub fn kind(&self) -> Kind {
        match self.cards() {
            [a, b, ..] if a.up() == b.up() => Kind::Group,
            [_, _, ..] => Kind::Run,
            _ => Kind::Single,
        }
    }

    /// The smallest number.
    pub fn low(&self) -> u8 {
        let last = self.cards().last().unwrap_or(&self.cards[0]);
        self.cards[0].up().min(last.up())
    }

    /// How strong it is; a set beats what is less strong.
    pub fn strength(&self) -> Strength {
        Strength::of(self.len(), self.kind() == Kind::Group, self.low())
    }

    /// Whether this set beats the other: equal does not.
    pub fn beats(&self, other: &Set) -> bool {
        self.strength() > other.strength()
    }

    /// The card at an end. A single card is at the left end only.
    pub fn end(&self, end: End) -> Option<Card> {
        match (end, self.cards()) {
            (End::Left, [first, ..]) => Some(*first),
            (End::Right, [_, .., last]) => Some(*last),
            _ => None,
        }
    }

    /// What is left when the card at an end is taken; `None` if nothing is.
    pub fn without(&self, end: End) -> Option<Set> {
        let left = match (end, self.cards()) {
            (End::Left, [_, left @ ..]) | (End::Right, [left @ .., _]) => left,
            _ => return None,
        };
        let &first = left.first()?;
        let mut set = Set { len: self.len - 1, cards: [first; LONGEST] };
        for (slot, &card) in set.cards.iter_mut().zip(left) {
            *slot = card;
        }
        Some(set)
    }
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

impl Step {
    /// The step between two neighbouring numbers of a set; `None` if no set has them.
    const fn between(left: u8, right: u8) -> Option<Step> {
        match right.wrapping_sub(left) {
            0 => Some(Step::Same),
            1 => Some(Step::Rise),
            u8::MAX => Some(Step::Fall),
            _ => None,
        }
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
            Kind::Run => write!(f, "run of {} from {}", self.len, self.low()),
            Kind::Group => write!(f, "group of {} ({}s)", self.len, self.low()),
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
