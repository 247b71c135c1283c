//! A card: both numbers, the one that counts large.

use ratatui::{
    buffer::Buffer,
    style::{Modifier, Style},
};

use super::put;
use crate::{game::Slot, ui::look::Look};

/// How large cards are drawn.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Size {
    /// Five columns, four rows.
    Small,
    /// Seven columns, six rows: the number that counts in digits of three rows.
    Large,
}

/// A card as it is to be drawn.
#[derive(Debug, Clone, Copy)]
pub struct Face {
    /// What is known of it.
    pub slot: Slot,
    /// Its letter, if it has one.
    pub letter: Option<char>,
    /// Whether it is chosen.
    pub chosen: bool,
    /// Whether it is just being put there.
    pub new: bool,
    /// Whether it is of no use now.
    pub weak: bool,
}

impl Size {
    /// Columns.
    pub const fn width(self) -> u16 {
        match self {
            Size::Small => 5,
            Size::Large => 7,
        }
    }

    /// Rows.
    pub const fn height(self) -> u16 {
        match self {
            Size::Small => 4,
            Size::Large => 6,
        }
    }
}

impl Face {
    /// A card on the table.
    pub fn plain(slot: Slot) -> Face {
        Face { slot, letter: None, chosen: false, new: false, weak: false }
    }
}

/// Draws a card with its upper left corner there.
pub fn draw(buf: &mut Buffer, x: u16, y: u16, face: &Face, size: Size, look: Look) {
    let (width, height) = (size.width(), size.height());
    let [upper_left, upper_right, lower_right, lower_left, across, down] = look.card(face.chosen).0;
    let style = match face {
        Face { chosen: true, .. } => look.chosen(),
        Face { weak: true, .. } => look.weak(),
        _ => Style::new(),
    };
    let plain = Look { ascii: false, ..look };
    let middle = across.repeat(usize::from(width - 2));
    put(buf, x, y, width, &format!("{upper_left}{middle}{upper_right}"), style, plain);
    for row in 1..height - 1 {
        let inner = " ".repeat(usize::from(width - 2));
        put(buf, x, y + row, width, &format!("{down}{inner}{down}"), style, plain);
    }
    let last = y + height - 1;
    put(buf, x, last, width, &format!("{lower_left}{middle}{lower_right}"), style, plain);
    if let Some(letter) = face.letter {
        let marks = if face.new { format!("*{letter}*") } else { letter.to_string() };
        let at = x + width / 2 - u16::from(face.new);
        let style = if face.weak { look.weak() } else { look.key() };
        put(buf, at, y, 3, &marks, style, look);
    }
    numbers(buf, x, y, face, size, look);
}

/// Writes the numbers into the box.
fn numbers(buf: &mut Buffer, x: u16, y: u16, face: &Face, size: Size, look: Look) {
    let (up, down) = match face.slot {
        Slot::Seen(card) => (Some(card.up()), card.down().to_string()),
        Slot::Turned(card) => (None, format!("{card}")),
        Slot::Sealed => (None, "?".into()),
    };
    let mut strong = look.strong();
    if face.chosen {
        strong = strong.add_modifier(Modifier::REVERSED);
    }
    let inner = size.width() - 2;
    match (size, up) {
        (Size::Small, Some(up)) => {
            put(buf, x + 1, y + 1, inner, &format!("{up:^3}"), strong, look);
        }
        (Size::Large, Some(up)) => {
            for (row, line) in digits(up, look.ascii).iter().enumerate() {
                let plain = Look { ascii: false, ..look };
                put(buf, x + 1, y + 1 + row as u16, inner, line, strong, plain);
            }
        }
        (_, None) => {
            put(
                buf,
                x + 1,
                y + 1,
                inner,
                &format!("{:^1$}", "?", usize::from(inner)),
                strong,
                look,
            );
        }
    }
    let right = x + size.width() - 1;
    super::put_right(buf, right, y + size.height() - 2, &down, look.weak(), look);
}

/// Three by five points each, a row of them in three bits.
const POINTS: [[u8; 5]; 10] = [
    [7, 5, 5, 5, 7],
    [2, 6, 2, 2, 7],
    [7, 1, 7, 4, 7],
    [7, 1, 7, 1, 7],
    [5, 5, 7, 1, 1],
    [7, 4, 7, 1, 7],
    [7, 4, 7, 5, 7],
    [7, 1, 1, 1, 1],
    [7, 5, 7, 5, 7],
    [7, 5, 7, 1, 7],
];

/// A number of 1 to 10 in three rows of five columns.
fn digits(number: u8, ascii: bool) -> [String; 3] {
    let rows: [u8; 5] = if number == 10 {
        std::array::from_fn(|row| 0b10000 | POINTS[0][row])
    } else {
        let points = POINTS.get(usize::from(number)).unwrap_or(&POINTS[0]);
        std::array::from_fn(|row| points[row] << 1)
    };
    if ascii {
        return [format!("{:^5}", ""), format!("{number:^5}"), format!("{:^5}", "")];
    }
    std::array::from_fn(|line| {
        let upper = rows.get(2 * line).copied().unwrap_or(0);
        let lower = rows.get(2 * line + 1).copied().unwrap_or(0);
        (0..5)
            .rev()
            .map(|bit| match (upper >> bit & 1, lower >> bit & 1) {
                (0, 0) => ' ',
                (1, 0) => '▀',
                (0, _) => '▄',
                _ => '█',
            })
            .collect()
    })
}
