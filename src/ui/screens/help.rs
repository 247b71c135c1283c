//! The rules in short, and every key.

use ratatui::{buffer::Buffer, layout::Rect, style::Style};

use crate::ui::{
    app::App,
    keymap,
    text::RULES,
    widgets::{frame::boxed, put, wrap},
};

/// Draws the help over a page, from a line on.
pub(super) fn draw(app: &App, buf: &mut Buffer, area: Rect, from: usize) {
    let look = app.look;
    let size = (area.width.min(96), area.height);
    let inside = boxed(buf, area, "Help", size, look);
    let width = usize::from(inside.width);
    let mut lines: Vec<(String, String)> = Vec::new();
    for rule in RULES {
        let bullet = if look.ascii { "-" } else { "•" };
        for (row, line) in wrap(rule, width - 2).into_iter().enumerate() {
            let mark = if row == 0 { bullet } else { "" };
            lines.push((mark.into(), line));
        }
    }
    lines.push((String::new(), String::new()));
    for (keys, what) in keymap::table() {
        for (row, line) in wrap(what, width - 14).into_iter().enumerate() {
            let keys = if row == 0 { keys } else { "" };
            lines.push((keys.into(), format!("{:12}{line}", "")));
        }
    }
    let from = from.min(lines.len().saturating_sub(usize::from(inside.height)));
    for (row, (mark, line)) in lines.iter().skip(from).take(inside.height.into()).enumerate() {
        let y = inside.y + row as u16;
        put(buf, inside.x + 2, y, inside.width - 2, line, Style::new(), look);
        put(buf, inside.x, y, 12, mark, look.key(), look);
    }
    let (above, below) = look.more();
    let plain = crate::ui::look::Look { ascii: false, ..look };
    if from > 0 {
        put(buf, inside.right() + 1, inside.y, 1, above, look.key(), plain);
    }
    if from + usize::from(inside.height) < lines.len() {
        put(buf, inside.right() + 1, inside.bottom() - 1, 1, below, look.key(), plain);
    }
}
