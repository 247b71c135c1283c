//! Cards in a row or more: a hand, or a set on the table.

use ratatui::{buffer::Buffer, layout::Rect};

use super::{
    card::{self, Face, Size},
    put,
};
use crate::{
    game::{Card, Kind, Set, Slot},
    ui::look::Look,
};

/// How many cards are laid out.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Fit {
    /// How large each is.
    pub size: Size,
    /// From one card to the next, in columns; less than a card's width where they overlap.
    pub pitch: u16,
    /// Cards in a row.
    pub per_row: usize,
    /// Rows, of which not all may be visible.
    pub rows: usize,
}

/// Neighbours that form a group or a run, as long as it goes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Stretch {
    /// The first place.
    pub first: usize,
    /// The last place.
    pub last: usize,
    /// A group; otherwise a run.
    pub group: bool,
}

/// The largest way to lay `count` cards out in that many columns and rows.
pub fn fit(count: usize, width: u16, height: u16) -> Fit {
    let ways = [(Size::Large, 7), (Size::Large, 6), (Size::Small, 5), (Size::Small, 4)];
    let fit = |(size, pitch): (Size, u16)| {
        let fitting = width.saturating_sub(size.width()) / pitch + 1;
        let rows = count.div_ceil(usize::from(fitting)).max(1);
        Fit { size, pitch, per_row: count.div_ceil(rows).max(1), rows }
    };
    // Neighbours matter most: small cards in one row before large ones in two.
    let fits = |fit: &Fit| fit.height() <= height;
    let mut one_row = ways.into_iter().map(fit).filter(|fit| fit.rows == 1);
    let best = one_row.find(fits).or_else(|| ways.into_iter().map(fit).find(fits));
    best.unwrap_or_else(|| fit((Size::Small, 4)))
}

impl Fit {
    /// Rows of the screen that it takes.
    pub fn height(&self) -> u16 {
        self.rows as u16 * self.size.height()
    }

    /// Columns that `count` cards in one row take.
    pub fn width(&self, count: usize) -> u16 {
        (count.max(1) as u16 - 1) * self.pitch + self.size.width()
    }
}

/// The groups and runs of a hand, each as long as it goes, from left to right.
pub fn stretches(cards: &[Option<Card>]) -> Vec<Stretch> {
    let set = |first: usize, last: usize| -> Option<Set> {
        let cards: Option<Vec<Card>> = cards.get(first..=last)?.iter().copied().collect();
        Set::new(&cards?).ok()
    };
    let (mut found, mut first) = (Vec::new(), 0);
    while first < cards.len() {
        let mut last = first;
        while set(first, last + 1).is_some() {
            last += 1;
        }
        match set(first, last).map(|set| set.kind()) {
            Some(kind @ (Kind::Run | Kind::Group)) => {
                found.push(Stretch { first, last, group: kind == Kind::Group });
                first = last;
            }
            _ => first += 1,
        }
    }
    found
}

/// Draws cards in rows, with groups and runs underlined; the row of `cursor` is in sight. Gives
/// how many cards are out of sight before and after.
pub fn draw(
    buf: &mut Buffer,
    area: Rect,
    faces: &[Face],
    fit: &Fit,
    cursor: usize,
    look: Look,
) -> (usize, usize) {
    let height = fit.size.height();
    let visible = usize::from(area.height / height).clamp(1, fit.rows.max(1));
    let row = cursor / fit.per_row;
    let top = (row + 1).saturating_sub(visible).min(fit.rows.saturating_sub(visible));
    let cards: Vec<Option<Card>> = faces.iter().map(|face| face.slot.seen()).collect();
    let stretches = stretches(&cards);
    for (index, row) in (top..top + visible).enumerate() {
        let y = area.y + index as u16 * height;
        let from = row * fit.per_row;
        let to = (from + fit.per_row).min(faces.len());
        for (place, face) in faces.iter().enumerate().take(to).skip(from) {
            let x = area.x + (place - from) as u16 * fit.pitch;
            card::draw(buf, x, y, face, fit.size, look);
        }
        for (index, stretch) in stretches.iter().enumerate() {
            let shared = |other: Option<&Stretch>, at: usize| {
                other.is_some_and(|other| other.first == at || other.last == at)
            };
            let before = index.checked_sub(1).and_then(|index| stretches.get(index));
            let ends =
                (shared(before, stretch.first), shared(stretches.get(index + 1), stretch.last));
            underline(buf, (area.x, y + height - 1), stretch, from..to, ends, fit, look);
        }
    }
    (top * fit.per_row, faces.len().saturating_sub((top + visible) * fit.per_row))
}

/// Underlines what of a stretch is in a row: on the cards' lower edges, and on half of a card
/// that another stretch shares.
fn underline(
    buf: &mut Buffer,
    (left, y): (u16, u16),
    stretch: &Stretch,
    row: std::ops::Range<usize>,
    shared: (bool, bool),
    fit: &Fit,
    look: Look,
) {
    if stretch.last < row.start || stretch.first >= row.end {
        return;
    }
    let x_of = |place: usize| left + (place - row.start) as u16 * fit.pitch;
    let half = fit.size.width() / 2;
    let begins = stretch.first >= row.start;
    let ends = stretch.last < row.end;
    let from = match begins {
        true => x_of(stretch.first) + if shared.0 { half + 1 } else { 0 },
        false => left,
    };
    let last = stretch.last.min(row.end - 1);
    let overlapped = last + 1 < row.end && fit.pitch < fit.size.width();
    let to = match ends {
        true if shared.1 => x_of(last) + half - 1,
        true if overlapped => x_of(last) + fit.pitch - 1,
        _ => x_of(last) + fit.size.width() - 1,
    };
    let style = if stretch.group { look.group() } else { look.run() };
    let [begin, middle, end] = look.under(stretch.group);
    let plain = Look { ascii: false, ..look };
    for x in from..=to {
        let sign = match x {
            _ if x == from && begins => begin,
            _ if x == to && ends => end,
            _ => middle,
        };
        put(buf, x, y, 1, sign, style, plain);
    }
}

/// The cards of a set, as faces.
pub fn set_faces(set: &Set) -> Vec<Face> {
    set.cards().map(|card| Face::plain(Slot::Seen(card))).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn row(text: &str) -> Vec<Option<Card>> {
        text.split(' ').map(|card| card.parse().ok()).collect()
    }

    #[test]
    fn groups_and_runs_go_as_far_as_they_can_and_may_share_a_card() {
        let found = stretches(&row("7/1 7/2 8/1 9/1 2/1 5/1"));
        let group = Stretch { first: 0, last: 1, group: true };
        assert_eq!(found, [group, Stretch { first: 1, last: 3, group: false }]);
        assert!(stretches(&row("10/1 1/2 ? 2/5")).is_empty());
    }

    #[test]
    fn twenty_eight_cards_fit_two_rows_of_eighty_columns() {
        let fit = fit(28, 78, 8);
        assert_eq!((fit.rows, fit.per_row, fit.size), (2, 14, Size::Small));
        assert!(fit.width(14) <= 78);
    }
}
