//! Small boxes over a page: questions, and things to know.

use ratatui::{buffer::Buffer, layout::Rect, style::Style};
use unicode_width::UnicodeWidthStr;

use crate::ui::{
    app::{App, Over, Page, input::Input},
    leave::Leaving,
    look::Look,
    text::count,
    widgets::{frame::boxed, put, wrap},
    words,
};

/// Tables of this network that are shown at a time.
const TABLES_MAX: usize = 5;

/// Rows of the box in which players talk.
const TALK_ROWS: u16 = 12;

/// Draws the box.
pub(super) fn draw(app: &App, over: &Over, buf: &mut Buffer, area: Rect) {
    match over {
        Over::Help(_) => {}
        Over::Leave => {
            let question = app.leaving_now().map(Leaving::question).unwrap_or_default();
            lines(app, buf, area, "Leave?", &question);
        }
        Over::Begin => {
            let question = begin(app).into_iter().collect::<Vec<_>>();
            lines(app, buf, area, "Begin?", &question);
        }
        Over::Note(note) => lines(app, buf, area, "fairdeal", std::slice::from_ref(note)),
        Over::Name(input, wrong, _) => {
            let words = "Your name at the table; it is remembered.";
            typing(app, buf, area, ("Who are you?", words), input, wrong.as_deref());
        }
        Over::Jump(input, wrong) => {
            let words = "The number of a turn of this round; 0 is the deal.";
            typing(app, buf, area, ("Go to turn", words), input, wrong.as_deref());
        }
        Over::Talk(input, wrong) => talk(app, buf, area, input, wrong.as_deref()),
        Over::Join(input, wrong) => {
            let words = "Paste the invite your host sent, or type an address (192.168.1.5). Or \
                         choose a table on this network:";
            let inside = typing(app, buf, area, ("Join a table", words), input, wrong.as_deref());
            tables(app, buf, inside, input.text.is_empty());
        }
    }
}

/// What is asked before a game begins with free seats.
fn begin(app: &App) -> Option<String> {
    let Page::Lobby(lobby) = &app.page else { return None };
    let (taken, free) = (lobby.joins.len(), usize::from(lobby.players) - lobby.joins.len());
    let free = count(free, "seat");
    Some(format!(
        "{free} still free. y begins now, with {taken} players; nobody can join after that. Esc \
         waits for more."
    ))
}

/// Paragraphs, with an empty row between them.
fn lines(app: &App, buf: &mut Buffer, area: Rect, title: &str, words: &[String]) {
    let width = area.width.min(64);
    let wrapped = words.iter().map(|words| wrap(&app.look.text(words), usize::from(width - 4)));
    let lines = wrapped.collect::<Vec<_>>().join(&String::new());
    let inside = boxed(buf, area, title, (width, lines.len() as u16 + 4), app.look);
    for (row, line) in lines.iter().enumerate() {
        put(buf, inside.x, inside.y + 1 + row as u16, inside.width, line, Style::new(), app.look);
    }
}

fn typing(
    app: &App,
    buf: &mut Buffer,
    area: Rect,
    (title, words): (&str, &str),
    input: &Input,
    wrong: Option<&str>,
) -> Rect {
    let look = app.look;
    let width = area.width.min(70);
    let text = wrap(words, usize::from(width - 4));
    let wrong = wrap(wrong.unwrap_or_default(), usize::from(width - 4));
    let more = if app.looks_around() { TABLES_MAX as u16 + 1 } else { 0 };
    let height = (text.len() + wrong.len()) as u16 + 6 + more;
    let inside = boxed(buf, area, title, (width, height), look);
    for (row, line) in text.iter().enumerate() {
        put(buf, inside.x, inside.y + 1 + row as u16, inside.width, line, Style::new(), look);
    }
    let y = inside.y + 2 + text.len() as u16;
    typed(buf, inside, y, input, look);
    for (row, line) in wrong.iter().enumerate() {
        put(buf, inside.x, y + 2 + row as u16, inside.width, line, look.cannot(), look);
    }
    Rect { y: inside.bottom() - more, height: more, ..inside }
}

/// The tables of this network, one marked if no line is typed.
fn tables(app: &App, buf: &mut Buffer, area: Rect, marks: bool) {
    let look = app.look;
    if app.tables.is_empty() {
        let words = "No tables found on this network yet.";
        put(buf, area.x, area.y, area.width, words, look.weak(), look);
    }
    let from = (app.table_at + 1).saturating_sub(TABLES_MAX);
    for (row, (index, table)) in
        app.tables.iter().enumerate().skip(from).take(TABLES_MAX).enumerate()
    {
        let y = area.y + row as u16;
        let here = marks && index == app.table_at;
        if here {
            put(buf, area.x, y, 1, look.mark(), look.key(), Look { ascii: false, ..look });
        }
        let style = if here { look.chosen() } else { Style::new() };
        let line = format!("{}  ({})", words::found(table), table.words);
        put(buf, area.x + 2, y, area.width - 2, &line, style, look);
    }
}

/// The line being typed, its end where it is too long.
fn typed(buf: &mut Buffer, inside: Rect, y: u16, input: &Input, look: Look) {
    let shown = tail(&look.text(&input.text), usize::from(inside.width) - 3);
    let x = put(buf, inside.x, y, inside.width, "> ", look.key(), look);
    let x = put(buf, x, y, inside.width, &shown, look.strong(), look);
    let cursor = if look.ascii { "_" } else { "▏" };
    put(buf, x, y, 1, cursor, look.key(), Look { ascii: false, ..look });
}

/// What was said last, and a line to say something.
fn talk(app: &App, buf: &mut Buffer, area: Rect, input: &Input, wrong: Option<&str>) {
    let look = app.look;
    let size = (area.width.min(76), area.height.min(TALK_ROWS));
    let inside = boxed(buf, area, "Chat", size, look);
    let wide = usize::from(inside.width);
    let lobby = match &app.page {
        Page::Lobby(lobby) => Some(lobby.said.iter().rev().cloned()),
        _ => None,
    };
    let said = app.table().map(|table| table.chat.newest(&table.story)).into_iter().flatten();
    let said = said.chain(lobby.into_iter().flatten());
    let mut y = inside.bottom() - 4;
    'said: for line in said {
        for part in wrap(&look.text(&line), wide).iter().rev() {
            put(buf, inside.x, y, inside.width, part, Style::new(), look);
            if y == inside.y {
                break 'said;
            }
            y -= 1;
        }
    }
    typed(buf, inside, inside.bottom() - 2, input, look);
    let (words, style) = match wrong {
        Some(wrong) => (wrong, look.cannot()),
        None => ("Enter send · Esc close · /mute Ben hides Ben (again to show)", look.weak()),
    };
    put(buf, inside.x, inside.bottom() - 1, inside.width, words, style, look);
}

/// The end of a text, at most that wide.
fn tail(text: &str, width: usize) -> String {
    let mut text = text;
    while text.width() > width {
        let mut chars = text.chars();
        chars.next();
        text = chars.as_str();
    }
    text.into()
}
