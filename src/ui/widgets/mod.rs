//! Pieces that screens are drawn from.

pub mod card;
pub mod frame;
pub mod hand;
pub mod known;
pub mod players;

use ratatui::{buffer::Buffer, layout::Rect, style::Style};
use unicode_width::{UnicodeWidthChar, UnicodeWidthStr};

use super::look::Look;

/// Writes a text at most `width` columns wide, in this style whatever was there before; gives the
/// column after it.
pub fn put(
    buf: &mut Buffer,
    x: u16,
    y: u16,
    width: u16,
    text: &str,
    style: Style,
    look: Look,
) -> u16 {
    let area = *buf.area();
    if y >= area.bottom() || x >= area.right() {
        return x;
    }
    let width = width.min(area.right() - x);
    let text = cut(&look.text(text), usize::from(width), look);
    // The own style says what differs from the terminal's: nothing stays of what lies underneath.
    buf.set_stringn(x, y, &text, usize::from(width), Style::reset().patch(style)).0
}

/// Writes a text that ends at column `right`.
pub fn put_right(buf: &mut Buffer, right: u16, y: u16, text: &str, style: Style, look: Look) {
    let width = look.text(text).width() as u16;
    put(buf, right.saturating_sub(width), y, width, text, style, look);
}

/// A horizontal rule over the whole width, with a title.
pub fn rule(buf: &mut Buffer, area: Rect, title: &str, look: Look) {
    let line = look.rule().repeat(usize::from(area.width));
    put(buf, area.x, area.y, area.width, &line, look.weak(), Look { ascii: false, ..look });
    if !title.is_empty() {
        let title = format!(" {title} ");
        put(buf, area.x + 1, area.y, area.width.saturating_sub(2), &title, look.title(), look);
    }
}

/// The text, cut to this width where it is wider, with a sign that it is.
pub fn cut(text: &str, width: usize, look: Look) -> String {
    if text.width() <= width {
        return text.into();
    }
    let mut cut = String::new();
    let mut used = 1;
    for c in text.chars() {
        used += c.width().unwrap_or(0);
        if used > width {
            break;
        }
        cut.push(c);
    }
    cut.push(if look.ascii { '~' } else { '…' });
    cut
}

/// The text in lines of at most this width, broken at spaces where it can be.
pub fn wrap(text: &str, width: usize) -> Vec<String> {
    let mut lines = vec![String::new()];
    let indent = text.len() - text.trim_start().len();
    for word in text.split_inclusive(' ') {
        let line = lines.last_mut().map_or(0, |line| line.width());
        if line > 0 && line + word.trim_end().width() > width {
            lines.push(" ".repeat(indent.min(width / 2)));
        }
        for c in word.chars() {
            let line = lines.last().map_or(0, |line| line.width());
            if line + c.width().unwrap_or(0) > width && c != ' ' {
                lines.push(String::new());
            }
            if let Some(last) = lines.last_mut()
                && (c != ' ' || last.width() < width)
            {
                last.push(c);
            }
        }
    }
    lines.iter().map(|line| line.trim_end().to_string()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_break_at_spaces_and_wide_words_break_anywhere() {
        assert_eq!(wrap("one two three", 7), ["one two", "three"]);
        assert_eq!(wrap("abcdefgh", 3), ["abc", "def", "gh"]);
        assert_eq!(wrap("猫猫猫", 4), ["猫猫", "猫"]);
    }

    #[test]
    fn wide_text_is_cut_by_columns() {
        let look = Look { ascii: false, colour: false };
        assert_eq!(cut("猫猫猫", 5, look), "猫猫…");
        assert_eq!(cut("abc", 3, look), "abc");
    }
}
