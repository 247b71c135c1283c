//! The seats in a table: what everyone can see of each.

use ratatui::{buffer::Buffer, layout::Rect, style::Style};

use super::{put, put_right};
use crate::{
    game::{Game, Seat},
    run::{Presence, Snapshot},
    ui::{look::Look, story::Story, text, words},
};

/// The columns from the right: heading and width.
const COLUMNS: [(&str, u16); 5] =
    [("cards", 6), ("chips", 6), ("captured", 9), ("Scout & Show", 13), ("points", 7)];

/// The same where there is little room.
const NARROW: [(&str, u16); 5] =
    [("cards", 6), ("chips", 6), ("captured", 9), ("S & S", 6), ("points", 7)];

/// Columns from which on there is room for a path in words.
const WIDE: u16 = 120;

/// What is to be drawn of the seats.
pub struct Seats<'a> {
    /// How the game stands.
    pub game: &'a Game,
    /// Knows the names.
    pub story: &'a Story,
    /// Whether the words about a seat are more than a few where there is room.
    pub wordy: bool,
    /// Whom the table waits for.
    pub awaited: &'a [Seat],
    /// A word or two about each seat.
    pub words: Vec<String>,
    /// The seats that cannot be reached.
    pub away: Vec<Seat>,
}

/// Draws a heading and a row for each seat.
pub fn draw(buf: &mut Buffer, area: Rect, now: &Snapshot, story: &Story, look: Look) {
    let words = |seat| {
        let clock = words::clock(now, seat);
        match (words::is_away(now, seat), clock) {
            (true, Some(clock)) if area.width >= 80 => format!("AWAY, {clock}"),
            (true, _) => "AWAY".into(),
            (false, Some(clock)) => clock,
            (false, None) => presence_words(now, seat, area.width),
        }
    };
    let seats = Seats {
        game: &now.view,
        story,
        wordy: true,
        awaited: &now.awaited,
        words: now.view.players().seats().map(words).collect(),
        away: now.view.players().seats().filter(|seat| words::is_away(now, *seat)).collect(),
    };
    rows(buf, area, &seats, look);
}

/// Draws a heading and a row for each seat, of a table or a recorded game.
pub fn rows(buf: &mut Buffer, area: Rect, seats: &Seats, look: Look) {
    let game = seats.game;
    let presence = match area.width {
        WIDE.. if seats.wordy => 46,
        80.. => 20,
        _ => 13,
    };
    let columns = if area.width < 80 { &NARROW } else { &COLUMNS };
    let fixed: u16 = columns.iter().map(|(_, width)| width).sum();
    let name = area.width.saturating_sub(fixed + presence + 2);
    let title = match game.round() {
        Some(_) => format!(" {}", text::round_of(game)),
        None => " Before the first deal".into(),
    };
    put(buf, area.x, area.y, name + 2, &title, look.title(), look);
    let mut right = area.x + 2 + name;
    for (heading, width) in columns {
        right += *width;
        put_right(buf, right, area.y, heading, look.weak(), look);
    }
    for (row, seat) in game.players().seats().enumerate() {
        let y = area.y + 1 + row as u16;
        let awaited = seats.awaited.contains(&seat);
        let style = if awaited { look.strong() } else { Style::new() };
        if awaited {
            put(buf, area.x, y, 1, look.mark(), look.can(), Look { ascii: false, ..look });
        }
        put(buf, area.x + 2, y, name, &seats.story.name(seat), style, look);
        let mut right = area.x + 2 + name;
        for (value, (_, width)) in values(game, seat).iter().zip(columns) {
            right += *width;
            put_right(buf, right, y, value, style, look);
        }
        let words = seats.words.get(row).map_or("", String::as_str);
        let style = if seats.away.contains(&seat) { look.cannot() } else { look.weak() };
        put(buf, right + 2, y, presence - 2, words, style, look);
    }
}

fn values(game: &Game, seat: Seat) -> [String; 5] {
    let total = game.totals()[seat].to_string();
    let Some(round) = game.round() else {
        return ["".into(), "".into(), "".into(), "".into(), total];
    };
    let scout_and_show = match round.may_scout_and_show(seat) {
        _ if game.players().are_two() => "-",
        true => "ready",
        false => "used",
    };
    [
        round.hand(seat).len().to_string(),
        round.tokens(seat).to_string(),
        round.captured(seat).to_string(),
        scout_and_show.into(),
        total,
    ]
}

/// How a seat can be reached, in a word or two; on a wide screen in more.
fn presence_words(now: &Snapshot, seat: Seat, width: u16) -> String {
    let bot = now.roster.join(seat).is_some_and(|join| join.kept_by.is_some());
    let rtt = now.rtts.get(seat.index()).copied().flatten();
    match now.presence.get(seat.index()) {
        _ if !now.view.present().contains(seat) => "out".into(),
        _ if seat == now.seat => "you".into(),
        _ if bot => "bot".into(),
        Some(Presence::Here) => "here".into(),
        Some(path @ Presence::Connected(_)) if width >= WIDE => {
            words::path(&words::reached(path, &now.roster.joins), rtt)
        }
        Some(Presence::Connected(_)) => match rtt {
            Some(rtt) => words::rtt(rtt),
            None if width >= 80 => "connected".into(),
            None => "conn.".into(),
        },
        Some(Presence::Away) | None => String::new(),
    }
}
