//! Boxes over a screen, and its footer.

use ratatui::{buffer::Buffer, layout::Rect, style::Style};
use unicode_width::UnicodeWidthStr;

use super::{cut, put};
use crate::ui::look::Look;

/// Draws an empty box with a title in the middle of the area; gives its inside.
pub fn boxed(buf: &mut Buffer, area: Rect, title: &str, size: (u16, u16), look: Look) -> Rect {
    let (width, height) = (size.0.min(area.width), size.1.min(area.height));
    let x = area.x + (area.width - width) / 2;
    let y = area.y + (area.height - height) / 2;
    let [upper_left, upper_right, lower_right, lower_left, across, down] = look.card(false).0;
    let plain = Look { ascii: false, ..look };
    let middle = across.repeat(usize::from(width.saturating_sub(2)));
    for row in 0..height {
        let line = match row {
            0 => format!("{upper_left}{middle}{upper_right}"),
            _ if row == height - 1 => format!("{lower_left}{middle}{lower_right}"),
            _ => format!("{down}{}{down}", " ".repeat(usize::from(width.saturating_sub(2)))),
        };
        put(buf, x, y + row, width, &line, Style::new(), plain);
    }
    put(buf, x + 2, y, width.saturating_sub(4), &format!(" {title} "), look.title(), look);
    Rect { x: x + 2, y: y + 1, width: width.saturating_sub(4), height: height.saturating_sub(2) }
}

/// Draws these keys with their few words, as many as fit; help and leave always.
pub fn footer(buf: &mut Buffer, area: Rect, keys: &[(&str, &str)], look: Look) {
    let wide = |(keys, what): &(&str, &str)| keys.width() + what.width() + 3;
    let last: Vec<_> = keys.iter().filter(|key| matches!(key.0, "?" | "q")).copied().collect();
    let mut left = usize::from(area.width).saturating_sub(last.iter().map(wide).sum());
    let mut shown = Vec::new();
    for key in keys.iter().filter(|key| !matches!(key.0, "?" | "q")) {
        if wide(key) <= left {
            left -= wide(key);
            shown.push(*key);
        }
    }
    shown.extend(last);
    let mut x = area.x + 1;
    for (written, what) in shown {
        let right = area.right();
        x = put(buf, x, area.y, right.saturating_sub(x), written, look.key(), look);
        let what = cut(&format!(" {what}  "), usize::from(right.saturating_sub(x)), look);
        x = put(buf, x, area.y, right.saturating_sub(x), &what, Style::new(), look);
    }
}
