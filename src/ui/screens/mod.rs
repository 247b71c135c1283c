//! What each page looks like; drawing reads the state and changes nothing.

mod boxes;
mod help;
mod home;
mod learn;
mod lobby;
mod replay;
mod score;
pub mod table;

use ratatui::{Frame, buffer::Buffer, layout::Rect, style::Style};

use super::{
    app::{App, Over, Page},
    keymap,
    widgets::{frame, put, wrap},
};

/// Narrowest terminal that is played on.
pub const COLUMNS_MIN: u16 = 60;
/// Lowest terminal that is played on.
pub const ROWS_MIN: u16 = 20;

/// Draws the screens as they are.
pub fn draw(app: &App, frame: &mut Frame) {
    let area = frame.area();
    let buf = frame.buffer_mut();
    if area.width < COLUMNS_MIN || area.height < ROWS_MIN {
        return cramped(app, buf, area);
    }
    let (page, footer) = (
        Rect { height: area.height - 1, ..area },
        Rect { y: area.bottom() - 1, height: 1, ..area },
    );
    match &app.page {
        Page::Home => home::draw(app, buf, page),
        Page::List(item, at) => home::list(app, buf, page, *item, *at),
        Page::Replay(shown) => replay::draw(app, shown, buf, page),
        Page::Wait(what) => {
            put(buf, 2, area.height / 2, area.width - 4, what, Style::new(), app.look);
        }
        Page::Lobby(lobby) => lobby::draw(app, lobby, buf, page),
        Page::Table(seated) => match seated.pages.front() {
            Some(shown) => score::draw(app, seated, shown, buf, page),
            None => table::draw(app, seated, None, buf, page),
        },
        Page::Learn(lesson) => learn::draw(app, lesson, buf, page),
    }
    match &app.over {
        Some(Over::Help(from)) => help::draw(app, buf, page, *from),
        Some(over) => boxes::draw(app, over, buf, page),
        None => {}
    }
    frame::footer(buf, footer, &keymap::footer(app.mode(), |key| app.works(key)), app.look);
}

/// What is shown where there is no room to play.
fn cramped(app: &App, buf: &mut Buffer, area: Rect) {
    let words = format!(
        "Window too small: needs {COLUMNS_MIN}x{ROWS_MIN}, has {}x{}. Keys are ignored (except \
         Ctrl-C) until you enlarge it.",
        area.width, area.height
    );
    for (row, line) in wrap(&words, usize::from(area.width)).iter().enumerate() {
        put(buf, area.x, area.y + row as u16, area.width, line, Style::new(), app.look);
    }
}
