//! What a player can do, and how it is written.

use std::fmt;
use std::str::FromStr;

use super::set::End;

/// Neighbouring places of a hand, the first and the last, from 0 at the left.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Span {
    first: u8,
    last: u8,
}

/// Which way up a scouted card is put.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Side {
    /// As it lay on the table.
    AsItLay,
    /// Turned over first.
    Flipped,
    /// Known to the owner alone.
    Hidden,
}

/// Taking a card from an end of the active set into the hand.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Scout {
    /// The end it is taken from; of a single card, the left.
    pub end: End,
    /// The place it has in the new hand, from 0 at the left.
    pub place: u8,
    /// Which way up it is put.
    pub side: Side,
}

/// What a player does: the orientation of the hand once, then one action a turn.
///
/// ```
/// use fairdeal::game::Action;
///
/// let action: Action = "scout left 4 flip + show 2-5".parse()?;
/// assert!(matches!(action, Action::ScoutAndShow(..)));
/// assert_eq!(action.to_string(), "scout left 4 flip + show 2-5");
/// # Ok::<(), fairdeal::game::NoAction>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Action {
    /// Keeps the hand as dealt.
    Keep,
    /// Turns the whole hand.
    Flip,
    /// Shows a set.
    Show(Span),
    /// Scouts a card.
    Scout(Scout),
    /// Scouts a card and shows a set at once; the places are those after the scout.
    ScoutAndShow(Scout, Span),
}

/// The text is no action.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
pub enum NoAction {
    /// Not one of the five verbs and what they take.
    #[error(
        "an action is `keep`, `flip`, `show 3-5`, `scout left 4`, `scout left 4 flip` or \
         `scout left 4 + show 2-5`"
    )]
    Form,
    /// A place that is no plain number from 1.
    #[error("a position is a number from 1, without a sign or leading zeros")]
    Place,
    /// A span that does not go up.
    #[error("positions go from the left one to the right one, and one position stands alone")]
    Order,
}

impl Span {
    /// The places `first` to `last`; `None` unless they are in this order.
    pub const fn new(first: u8, last: u8) -> Option<Span> {
        if first <= last { Some(Span { first, last }) } else { None }
    }

    /// The places `first` to `last`, known to be in this order.
    pub(super) const fn of(first: u8, last: u8) -> Span {
        Span { first, last }
    }

    /// One place.
    pub const fn one(place: u8) -> Span {
        Span { first: place, last: place }
    }

    /// The first place, from 0.
    pub const fn first(self) -> usize {
        self.first as usize
    }

    /// The last place, from 0.
    pub const fn last(self) -> usize {
        self.last as usize
    }

    /// How many places, at least one.
    #[allow(clippy::len_without_is_empty)]
    pub const fn len(self) -> usize {
        (self.last - self.first) as usize + 1
    }
}

impl Scout {
    const fn hidden(self) -> Scout {
        Scout { side: Side::Hidden, ..self }
    }
}

impl Action {
    /// Whether it keeps or flips the hand.
    pub const fn is_choice(self) -> bool {
        matches!(self, Action::Keep | Action::Flip)
    }

    /// The action as the other players see it: the side of a scouted card is hidden.
    #[must_use]
    pub const fn public(self) -> Action {
        match self {
            Action::Scout(scout) => Action::Scout(scout.hidden()),
            Action::ScoutAndShow(scout, span) => Action::ScoutAndShow(scout.hidden(), span),
            action => action,
        }
    }

    /// The places it shows, if it shows.
    pub const fn span(self) -> Option<Span> {
        match self {
            Action::Show(span) | Action::ScoutAndShow(_, span) => Some(span),
            _ => None,
        }
    }

    /// The scout in it, if there is one.
    pub const fn scout(self) -> Option<Scout> {
        match self {
            Action::Scout(scout) | Action::ScoutAndShow(scout, _) => Some(scout),
            _ => None,
        }
    }
}

impl fmt::Display for Span {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.first() + 1)?;
        if self.first < self.last {
            write!(f, "-{}", self.last() + 1)?;
        }
        Ok(())
    }
}

impl fmt::Display for Scout {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "scout {} {}", self.end, u16::from(self.place) + 1)?;
        f.write_str(match self.side {
            Side::AsItLay => "",
            Side::Flipped => " flip",
            Side::Hidden => " ?",
        })
    }
}

impl fmt::Display for Action {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Action::Keep => f.write_str("keep"),
            Action::Flip => f.write_str("flip"),
            Action::Show(span) => write!(f, "show {span}"),
            Action::Scout(scout) => write!(f, "{scout}"),
            Action::ScoutAndShow(scout, span) => write!(f, "{scout} + show {span}"),
        }
    }
}

impl FromStr for Span {
    type Err = NoAction;

    fn from_str(text: &str) -> Result<Span, NoAction> {
        match text.split_once('-') {
            None => Ok(Span::one(place(text)?)),
            Some((first, last)) => {
                let (first, last) = (place(first)?, place(last)?);
                Span::new(first, last).filter(|span| span.len() > 1).ok_or(NoAction::Order)
            }
        }
    }
}

impl FromStr for Action {
    type Err = NoAction;

    /// Reads the words of an action, separated by one or more spaces.
    fn from_str(text: &str) -> Result<Action, NoAction> {
        let mut words = text.split(' ').filter(|word| !word.is_empty());
        let mut word = || words.next();
        let action = match word() {
            Some("keep") => Action::Keep,
            Some("flip") => Action::Flip,
            Some("show") => Action::Show(word().ok_or(NoAction::Form)?.parse()?),
            Some("scout") => {
                let end = match word() {
                    Some("left") => End::Left,
                    Some("right") => End::Right,
                    _ => return Err(NoAction::Form),
                };
                let place = place(word().ok_or(NoAction::Form)?)?;
                let (side, next) = match word() {
                    Some("flip") => (Side::Flipped, word()),
                    Some("?") => (Side::Hidden, word()),
                    next => (Side::AsItLay, next),
                };
                let scout = Scout { end, place, side };
                match (next, next.and_then(|_| word()), next.and_then(|_| word())) {
                    (None, ..) => Action::Scout(scout),
                    (Some("+"), Some("show"), Some(span)) => {
                        Action::ScoutAndShow(scout, span.parse()?)
                    }
                    _ => return Err(NoAction::Form),
                }
            }
            _ => return Err(NoAction::Form),
        };
        if word().is_some() { Err(NoAction::Form) } else { Ok(action) }
    }
}

/// A place from 0, written from 1.
fn place(text: &str) -> Result<u8, NoAction> {
    let digits = text.bytes().all(|byte| byte.is_ascii_digit()) && !text.starts_with('0');
    let number: u8 = text.parse().ok().filter(|_| digits).ok_or(NoAction::Place)?;
    number.checked_sub(1).ok_or(NoAction::Place)
}
