//! A lesson: the table screen, with the lesson's words where a game has its log.

use ratatui::{buffer::Buffer, layout::Rect};

use super::{score, table};
use crate::ui::{
    app::{App, learn::Learn},
    widgets::{put, wrap},
};

/// Draws the lesson.
pub(super) fn draw(app: &App, learn: &Learn, buf: &mut Buffer, area: Rect) {
    let Some(page) = learn.table.pages.front() else {
        return table::draw(app, &learn.table, Some(learn), buf, area);
    };
    score::draw(app, &learn.table, page, buf, area);
    let mut y = area.y + 8 + u16::from(learn.table.players().count());
    for told in &learn.table.log {
        for line in wrap(&told.text, usize::from(area.width - 4)) {
            put(buf, area.x + 2, y, area.width - 4, &line, app.look.can(), app.look);
            y += 1;
        }
    }
    table::say(buf, area, &learn.said(), app.look);
}
