//! Neighbouring cards being chosen in a hand.

use crate::game::Span;

/// A choice of neighbouring places, by letters or by moving along the hand.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Pick {
    /// The end that stays and the end that moves, from 0.
    ends: Option<(u8, u8)>,
    /// Whether moving makes the choice grow.
    pub held: bool,
    /// Whether the one card chosen was named by its letter: the next letter makes a range.
    lettered: bool,
}

impl Pick {
    /// These places.
    pub fn of(span: Span) -> Pick {
        let ends = Some((span.first() as u8, span.last() as u8));
        Pick { ends, held: false, lettered: false }
    }

    /// The places chosen.
    pub fn span(self) -> Option<Span> {
        let (fixed, moving) = self.ends?;
        Span::new(fixed.min(moving), fixed.max(moving))
    }

    /// Where the choice moves on from.
    pub fn cursor(self) -> Option<u8> {
        self.ends.map(|(_, moving)| moving)
    }

    /// A letter was pressed.
    #[must_use]
    pub fn letter(self, place: u8) -> Pick {
        match self.ends {
            Some((fixed, moving)) if self.held || (self.lettered && fixed == moving) => {
                Pick { ends: Some((fixed, place)), held: self.held, lettered: false }
            }
            _ => Pick { ends: Some((place, place)), held: false, lettered: true },
        }
    }

    /// Moved by so many places in a hand of `len` cards.
    #[must_use]
    pub fn moved(self, by: i32, grow: bool, len: usize) -> Pick {
        let last = i32::try_from(len).unwrap_or(0) - 1;
        if last < 0 {
            return Pick::default();
        }
        let to = match self.ends {
            Some((_, moving)) => (i32::from(moving) + by).clamp(0, last),
            None if by < 0 => last,
            None => 0,
        } as u8;
        let fixed = match self.ends {
            Some((fixed, _)) if grow || self.held => fixed,
            _ => to,
        };
        Pick { ends: Some((fixed, to)), held: self.held, lettered: false }
    }

    /// Holds the end that stays, or lets it go.
    #[must_use]
    pub fn toggle_hold(self, len: usize) -> Pick {
        let pick = if self.ends.is_none() { self.moved(1, false, len) } else { self };
        Pick { held: !self.held, lettered: false, ..pick }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn two_letters_are_a_range_and_the_third_starts_anew() {
        let pick = Pick::default().letter(5);
        assert_eq!(pick.span(), Some(Span::one(5)));
        let pick = pick.letter(3);
        assert_eq!(pick.span(), Span::new(3, 5));
        assert_eq!(pick.letter(1).span(), Some(Span::one(1)));
    }

    #[test]
    fn moving_stays_inside_the_hand_and_grows_only_when_held() {
        let pick = Pick::default().moved(1, false, 3).moved(9, false, 3);
        assert_eq!(pick.span(), Some(Span::one(2)));
        let pick = pick.toggle_hold(3).moved(-1, false, 3).moved(-5, false, 3);
        assert_eq!(pick.span(), Span::new(0, 2));
        assert_eq!(pick.toggle_hold(3).moved(1, false, 3).span(), Some(Span::one(1)));
        assert_eq!(Pick::default().moved(1, false, 0).span(), None);
    }
}
