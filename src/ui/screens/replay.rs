//! A recorded game: seats, the active set, the log, the hands, and what the file proves.

use ratatui::{buffer::Buffer, layout::Rect, style::Style};
use unicode_width::UnicodeWidthStr;

use crate::{
    game::{Round, Seat, Slot},
    ui::{
        app::{
            App,
            replay::{Replay, SPEEDS, Shown, Step, Verdict},
        },
        look::Look,
        widgets::{
            card::{Face, Size},
            hand,
            players::{self, Seats},
            put, put_right, rule, wrap,
        },
    },
};

/// Rows that the active set needs at least, with its title.
const SET_ROWS: u16 = 5;
/// Columns of a name before its hand.
const NAME: u16 = 12;

/// Draws the step that is shown.
pub(super) fn draw(app: &App, replay: &Replay, buf: &mut Buffer, area: Rect) {
    let look = app.look;
    let Some(step) = replay.step() else { return };
    let count = u16::from(step.open.players().count());
    let top = area.y + count + 1;
    let words = |seat| match replay.shown {
        Shown::One(one) if one == seat => "shown",
        _ => "",
    };
    let seats = Seats {
        game: &step.open,
        story: &replay.story,
        wordy: false,
        awaited: &replay.awaited(),
        words: step.open.players().seats().map(words).map(String::from).collect(),
        away: Vec::new(),
    };
    players::rows(buf, Rect { height: count + 1, ..area }, &seats, look);
    let said = area.bottom() - 1;
    let points = points(step, area.width).len() as u16 + 1;
    let room = said.saturating_sub(top + SET_ROWS.max(points) + 1);
    let height = height(replay, step, area.width, room);
    let hands_at = said - height - 1;
    middle(replay, step, buf, Rect { y: top, height: hands_at - top, ..area }, look);
    let hands_area = Rect { y: hands_at, height: height + 1, ..area };
    hands(replay, step, buf, hands_area, look);
    status(replay, step, buf, Rect { y: said, height: 1, ..area }, look);
}

/// The seats whose hands are drawn.
fn drawn(replay: &Replay, step: &Step) -> Vec<Seat> {
    match replay.shown {
        Shown::One(seat) => vec![seat],
        Shown::All | Shown::Hidden => step.open.players().seats().collect(),
    }
}

/// Whether all hands can be drawn as cards, each in one row.
fn as_cards(replay: &Replay, step: &Step, width: u16, room: u16) -> bool {
    let seats = drawn(replay, step);
    let fits = |seat: &Seat| {
        let cards = replay.hand(*seat).len();
        hand::fit(cards, width.saturating_sub(NAME + 2), Size::Small.height()).rows == 1
    };
    seats.len() as u16 * Size::Small.height() <= room && seats.iter().all(fits)
}

/// Rows that the hands take.
fn height(replay: &Replay, step: &Step, width: u16, room: u16) -> u16 {
    let seats = drawn(replay, step);
    let height = match seats.as_slice() {
        [one] => hand::fit(replay.hand(*one).len(), width.saturating_sub(2), room).height(),
        seats if as_cards(replay, step, width, room) => seats.len() as u16 * Size::Small.height(),
        seats => seats.len() as u16 * text_rows(seats, room),
    };
    height.min(room)
}

/// Rows that each hand takes as text.
fn text_rows(seats: &[Seat], room: u16) -> u16 {
    if seats.len() as u16 * 2 <= room { 2 } else { 1 }
}

/// The lines at the end of a round: how it ended, and the points of each seat.
fn points(step: &Step, width: u16) -> Vec<String> {
    match step.reckoning.as_slice() {
        [] => Vec::new(),
        lines => {
            let words = wrap(&format!("  {}", step.words), usize::from(width - 2));
            [words, lines.to_vec()].concat()
        }
    }
}

/// The active set and the log; at the end of a round its reckoning.
fn middle(replay: &Replay, step: &Step, buf: &mut Buffer, area: Rect, look: Look) {
    let head = Rect { height: 1, ..area };
    if !step.reckoning.is_empty() {
        rule(buf, head, "Points", look);
        let lines = points(step, area.width);
        for (row, line) in lines.iter().take(usize::from(area.height) - 1).enumerate() {
            let y = area.y + 1 + row as u16;
            put(buf, area.x, y, area.width, line, Style::new(), look);
        }
        return;
    }
    let round = step.played();
    let set = round.and_then(Round::active);
    let title = match (set, round.and_then(Round::owner)) {
        (Some(set), Some(owner)) => {
            format!("On the table: {} {}", replay.story.whose(owner), set.sort())
        }
        _ => "The table is empty".into(),
    };
    rule(buf, head, &title, look);
    let file = format!(" {} ", look.text(&replay.title));
    if title.width() + file.width() + 6 < usize::from(area.width) {
        put_right(buf, area.right() - 2, area.y, &file, look.weak(), look);
    }
    let fit = set.map(|set| hand::fit(set.len(), area.width * 5 / 8, area.height - 1));
    let wide = fit.zip(set).map_or(0, |(fit, set)| fit.width(set.len()));
    let left = (wide + 4).max(area.width * 2 / 5).min(area.width - 16);
    if let (Some(set), Some(fit)) = (set, fit) {
        let spare = (area.height - 1).saturating_sub(fit.size.height());
        let y = area.y + 1 + (spare / 2).min(1);
        let rect = Rect { x: area.x + 2, y, width: left, height: fit.size.height() };
        hand::draw(buf, rect, &hand::set_faces(set), &fit, 0, look);
    }
    let rect = Rect {
        x: area.x + left,
        y: area.y + 1,
        width: area.width - left - 1,
        height: area.height - 1,
    };
    log(replay, buf, rect, look);
}

/// What happened up to the step and, as far as there is room, what comes next; the step marked.
fn log(replay: &Replay, buf: &mut Buffer, area: Rect, look: Look) {
    let rows = usize::from(area.height);
    let lines = |at: usize| -> Vec<String> {
        let words = replay.steps.get(at).map(|step| look.text(&step.words)).unwrap_or_default();
        wrap(&words, usize::from(area.width.saturating_sub(3)))
    };
    let mut shown: Vec<(bool, String)> = lines(replay.at).into_iter().map(|l| (true, l)).collect();
    shown.truncate(rows);
    // One line more after the step, the rest before it.
    let after = lines(replay.at + 1);
    let next = after.len() * usize::from(replay.at + 1 < replay.steps.len());
    for at in (0..replay.at).rev() {
        let before = lines(at);
        if shown.len() + before.len() + next > rows {
            break;
        }
        shown.splice(0..0, before.into_iter().map(|line| (false, line)));
    }
    for at in replay.at + 1..replay.steps.len() {
        let after = lines(at);
        if shown.len() + after.len() > rows {
            break;
        }
        shown.extend(after.into_iter().map(|line| (false, line)));
    }
    let mut marked = false;
    for (row, (here, line)) in shown.iter().enumerate() {
        let y = area.y + row as u16;
        let style = if *here { look.chosen() } else { look.weak() };
        if *here && !marked {
            put(buf, area.x, y, 1, look.mark(), look.key(), Look { ascii: false, ..look });
            marked = true;
        }
        put(buf, area.x + 2, y, area.width - 2, line, style, look);
    }
}

/// The hands that are shown: one large, or all in rows.
fn hands(replay: &Replay, step: &Step, buf: &mut Buffer, area: Rect, look: Look) {
    let rows = area.height - 1;
    let title = match replay.shown {
        Shown::One(seat) => format!("The hand of {}", replay.story.name(seat)),
        Shown::All => "All hands".into(),
        Shown::Hidden => "The hands as the table could see them".into(),
    };
    rule(buf, Rect { height: 1, ..area }, &title, look);
    let seats = drawn(replay, step);
    let sealed = |seat: &Seat| replay.hand(*seat).contains(&Slot::Sealed);
    if replay.shown != Shown::Hidden && seats.iter().any(sealed) {
        put_right(buf, area.right() - 2, area.y, " ? is not revealed ", look.weak(), look);
    }
    let faces = |seat: Seat| -> Vec<Face> {
        let fresh = |place| step.fresh == Some((seat, place));
        let face = |(place, slot)| Face { chosen: fresh(place), ..Face::plain(slot) };
        replay.hand(seat).into_iter().enumerate().map(face).collect()
    };
    let cards = as_cards(replay, step, area.width, rows);
    for (index, seat) in seats.iter().enumerate() {
        let faces = faces(*seat);
        if seats.len() == 1 {
            let rect = Rect { x: area.x + 1, y: area.y + 1, width: area.width - 2, height: rows };
            let fit = hand::fit(faces.len(), rect.width, rows);
            hand::draw(buf, rect, &faces, &fit, 0, look);
            return;
        }
        let each = if cards { Size::Small.height() } else { text_rows(&seats, rows) };
        let y = area.y + 1 + index as u16 * each;
        let turn = replay.awaited().contains(seat);
        let style = if turn { look.strong() } else { Style::new() };
        let line = y + u16::from(cards);
        put(buf, area.x + 1, line, NAME - 1, &replay.story.name(*seat), style, look);
        let rect = Rect { x: area.x + NAME + 1, y, width: area.width - NAME - 2, height: each };
        if cards {
            let fit = hand::fit(faces.len(), rect.width, each);
            hand::draw(buf, rect, &faces, &fit, 0, look);
        } else {
            in_text(buf, rect, &faces, look);
        }
    }
}

/// A hand in two lines, the numbers that count and below them the others; or in one.
fn in_text(buf: &mut Buffer, area: Rect, faces: &[Face], look: Look) {
    let pitch = match area.height {
        1 => 5,
        _ if faces.len() as u16 * 4 <= area.width => 4,
        _ => 3,
    };
    let fitting = usize::from(area.width / pitch);
    for (place, face) in faces.iter().enumerate().take(fitting) {
        let (up, down) = match face.slot {
            Slot::Seen(card) => (card.up().to_string(), card.down().to_string()),
            Slot::Turned(card) => (format!("{}?", card.up()), format!("{}?", card.down())),
            Slot::Sealed => ("?".into(), String::new()),
        };
        let right = area.x + (place as u16 + 1) * pitch - 1;
        let style = if face.chosen { look.chosen() } else { look.strong() };
        if area.height == 1 {
            let both = if down.is_empty() { up } else { format!("{up}/{down}") };
            put_right(buf, right, area.y, &both, style, look);
        } else {
            put_right(buf, right, area.y, &up, style, look);
            put_right(buf, right, area.y + 1, &down, look.weak(), look);
        }
    }
    if faces.len() > fitting {
        let more = format!(" +{} ", faces.len() - fitting);
        put_right(buf, area.right() + 1, area.bottom() - 1, &more, look.key(), look);
    }
}

/// Where the replay is, and what the file proves.
fn status(replay: &Replay, step: &Step, buf: &mut Buffer, area: Rect, look: Look) {
    let place = match step.round {
        0 => "Before the first deal".into(),
        round => format!("Turn {} of {}", step.turn, replay.turns(round)),
    };
    let speed = SPEEDS.get(replay.speed).map_or("", |(_, name)| *name);
    let plays = if replay.playing { format!("plays, {speed}") } else { speed.to_string() };
    let words = format!("{place}; step {} of {}; {plays}", replay.at + 1, replay.steps.len());
    let x = put(buf, area.x + 1, area.y, area.width - 2, &words, look.strong(), look);
    let verdict = replay.verdict.to_string();
    let style = match replay.verdict {
        Verdict::Complete(_) => look.can(),
        Verdict::Unfinished(_) | Verdict::Watched(_) => Style::new(),
        Verdict::Wrong(_) => look.cannot(),
    };
    if usize::from(area.right() - x) > verdict.width() + 2 {
        put_right(buf, area.right() - 1, area.y, &verdict, style, look);
    } else {
        put(buf, x + 2, area.y, area.right().saturating_sub(x + 3), &verdict, style, look);
    }
}
