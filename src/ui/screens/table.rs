//! The table: seats, the active set, what happened, the hand, and what Enter will do.

use ratatui::{buffer::Buffer, layout::Rect, style::Style};
use unicode_width::UnicodeWidthStr;

use crate::{
    game::{Hand, Round, Slot},
    ui::{
        app::{
            App,
            learn::Learn,
            said::Said,
            table::{Draft, TablePage},
        },
        keymap::letter,
        look::Look,
        text,
        widgets::{
            card::Face,
            hand::{self, Fit},
            known, players, put, put_right, rule, wrap,
        },
        words,
    },
};

/// Rows that the active set needs at least, with its title.
const SET_ROWS: u16 = 5;
/// Rows under the hand for what Enter will do; longer words take rows of the set.
const SAID_ROWS: u16 = 2;
/// Rows that both readings of a hand need at least, with their title.
const CHOICE_ROWS: u16 = 11;
/// Rows of a lesson's words under them.
const LESSON_ROWS: u16 = 5;

/// How many cards of the hand stand in a row.
pub fn per_row(app: &App) -> usize {
    let Some(table) = app.table() else { return 1 };
    let area = Rect::new(0, 0, app.size.0, app.size.1.saturating_sub(1));
    fit(table, table.hand().0.len(), area).per_row
}

fn fit(table: &TablePage, cards: usize, area: Rect) -> Fit {
    let seats = u16::from(table.players().count());
    let height = area.height.saturating_sub(seats + 1 + SET_ROWS + 1 + SAID_ROWS);
    hand::fit(cards, area.width.saturating_sub(2), height)
}

/// Draws the table, of a game or of a lesson.
pub(super) fn draw(
    app: &App,
    table: &TablePage,
    lesson: Option<&Learn>,
    buf: &mut Buffer,
    area: Rect,
) {
    let look = app.look;
    let seats = u16::from(table.players().count());
    players::draw(buf, Rect { height: seats + 1, ..area }, &table.now, &table.story, look);
    let top = area.y + seats + 1;
    let words = lesson.map_or_else(|| table.said(), Learn::said);
    let least = if table.is_choosing() { 1 } else { SAID_ROWS };
    let said = area.bottom() - say(buf, area, &words, look).max(least);
    if table.is_choosing() {
        let rect = Rect { y: top, height: said - top, ..area };
        let words = lesson.map_or(0, |_| LESSON_ROWS.min(rect.height - CHOICE_ROWS));
        choice(table, buf, Rect { height: rect.height - words, ..rect }, look);
        let rect = Rect { x: area.x + 2, y: said - words, width: area.width - 2, height: words };
        log(table, buf, rect, look);
        return;
    }
    let (cards, new) = table.hand();
    let fit = fit(table, cards.len(), area);
    let height = fit.height().min(said.saturating_sub(top + SET_ROWS + 1));
    let hand_at = said - height - 1;
    let rect = Rect { y: top, height: hand_at - top, ..area };
    middle(table, lesson.is_some(), buf, rect, look);
    let rect = Rect { y: hand_at, height: height + 1, ..area };
    own_hand(table, buf, rect, (&cards, new), &fit, look);
}

/// Says at the bottom of the area what Enter will do, or why it does nothing; gives the rows that
/// this takes. Nothing of it is cut.
pub(super) fn say(buf: &mut Buffer, area: Rect, said: &Said, look: Look) -> u16 {
    let (mark, words, style) = match said {
        Said::Will(words) => ("Enter: ", words, look.can()),
        Said::Cannot(words) => ("Not possible: ", words, look.cannot()),
        Said::Hint(words) => ("", words, Style::new()),
    };
    let lines = wrap(&look.text(&format!("{mark}{words}")), usize::from(area.width) - 2);
    let rows = lines.len() as u16;
    let y = area.bottom().saturating_sub(rows);
    for (row, line) in lines.iter().enumerate() {
        put(buf, area.x + 1, y + row as u16, area.width - 2, line, style, look);
    }
    put(buf, area.x + 1, y, mark.len() as u16, mark, look.strong(), look);
    rows
}

/// The active set on the left, the log on the right.
fn middle(table: &TablePage, lesson: bool, buf: &mut Buffer, area: Rect, look: Look) {
    let round = table.round();
    let set = round.and_then(Round::active);
    let fit = set.map(|set| hand::fit(set.len(), area.width * 5 / 8, area.height - 1));
    let wide = fit.zip(set).map_or(0, |(fit, set)| fit.width(set.len()));
    let left = (wide + 4).max(area.width * 2 / 5).min(area.width - 16);
    rule(buf, Rect { height: 1, ..area }, &title(table), look);
    let watching = (table.now.watching > 0).then(|| words::watching(table.now.watching));
    let deal = (!lesson).then(|| text::deal(table.now.roster.terms.deal).to_owned());
    let terms: Vec<String> = deal.into_iter().chain(watching).collect();
    if !terms.is_empty() {
        let terms = format!(" {} ", terms.join(", "));
        put_right(buf, area.right() - 2, area.y, &terms, look.weak(), look);
    }
    match (set, fit) {
        (Some(set), Some(fit)) => {
            let mut faces = hand::set_faces(set);
            if let Some(scout) = table.scout() {
                let taken = match scout.end {
                    crate::game::End::Left => faces.first_mut(),
                    crate::game::End::Right => faces.last_mut(),
                };
                taken.into_iter().for_each(|face| face.chosen = true);
            }
            let spare = (area.height - 1).saturating_sub(fit.size.height());
            let y = area.y + 1 + (spare / 2).min(1);
            let rect = Rect { x: area.x + 2, y, width: left, height: fit.size.height() };
            hand::draw(buf, rect, &faces, &fit, 0, look);
        }
        _ => {
            let words = match round {
                Some(round) if round.turn() == Some(table.now.seat) => {
                    "The table is empty: show any set."
                }
                Some(_) => "Empty.",
                None => "No cards yet.",
            };
            put(buf, area.x + 2, area.y + 2, left, words, look.weak(), look);
        }
    }
    let rect = Rect {
        x: area.x + left,
        y: area.y + 1,
        width: area.width - left - 1,
        height: area.height - 1,
    };
    // A lesson's words come before all else.
    let words = if lesson { log_lines(table, rect, look).len() as u16 } else { 1 };
    let known = known(table, rect.height.saturating_sub(words), buf, rect, look);
    let rect = Rect { y: rect.y + known, height: rect.height - known, ..rect };
    log(table, buf, rect, look);
}

/// What everyone has seen of the others' hands, in so many rows at most; gives those it takes.
fn known(table: &TablePage, most: u16, buf: &mut Buffer, area: Rect, look: Look) -> u16 {
    let Some(round) = table.round() else { return 0 };
    let name = |seat| table.story.name(seat);
    let width = usize::from(area.width.saturating_sub(1));
    let lines = known::lines(round, table.now.seat, name, width, look);
    let rows = lines.len().min(usize::from(most));
    for (row, line) in lines.iter().take(rows).enumerate() {
        let y = area.y + row as u16;
        put(buf, area.x, y, area.width, line, Style::new(), look);
    }
    rows as u16
}

fn title(table: &TablePage) -> String {
    let Some(round) = table.round() else { return "The table".into() };
    match (round.active(), round.owner()) {
        (Some(set), Some(owner)) => {
            let whose = match owner == table.now.seat {
                true => "your".into(),
                false => table.story.whose(owner),
            };
            format!("On the table: {whose} {}", set.sort())
        }
        _ => "The table is empty".into(),
    }
}

/// The newest lines, or older ones where they are looked for: those since the last own decision
/// bright and marked, names in colours.
fn log(table: &TablePage, buf: &mut Buffer, area: Rect, look: Look) {
    let lines = log_lines(table, area, look);
    let plain = Look { ascii: false, ..look };
    for (row, (line, fresh, first)) in lines.iter().rev().enumerate() {
        let y = area.y + row as u16;
        let style = if *fresh { Style::new() } else { look.weak() };
        if *fresh && *first {
            put(buf, area.x, y, 1, look.fresh(), look.key(), plain);
        }
        let x = area.x + if *first { 2 } else { 4 };
        put(buf, x, y, area.right().saturating_sub(x), line, style, look);
        names(table, buf, (x, y), line, look);
    }
}

/// The lines of the log that fit, the newest first: the text, whether it is new, and whether it
/// begins what is told.
fn log_lines(table: &TablePage, area: Rect, look: Look) -> Vec<(String, bool, bool)> {
    let height = usize::from(area.height);
    let mut lines: Vec<(String, bool, bool)> = Vec::new();
    for told in table.log.iter().rev().skip(table.back) {
        let width = usize::from(area.width.saturating_sub(4));
        let wrapped = wrap(&look.text(&told.text), width);
        for (row, line) in wrapped.into_iter().enumerate().rev() {
            lines.push((line, told.fresh, row == 0));
        }
        if lines.len() >= height {
            break;
        }
    }
    lines.truncate(height);
    lines
}

/// Colours the players' names in a line that has been written.
fn names(table: &TablePage, buf: &mut Buffer, (x, y): (u16, u16), line: &str, look: Look) {
    for seat in table.players().seats() {
        let name = look.text(&table.story.name(seat));
        for (at, _) in line.match_indices(name.as_str()) {
            let whole = |c: Option<char>| !c.is_some_and(char::is_alphanumeric);
            let (before, after) = (&line[..at], &line[at + name.len()..]);
            if whole(before.chars().next_back()) && whole(after.chars().next()) {
                let (left, width) = (x + before.width() as u16, name.width() as u16);
                let area = Rect { x: left, y, width, height: 1 }.intersection(*buf.area());
                buf.set_style(area, look.name(seat.index()));
            }
        }
    }
}

/// The hand, with the letters of its places and what is chosen.
fn own_hand(
    table: &TablePage,
    buf: &mut Buffer,
    area: Rect,
    (cards, new): (&[Slot], Option<usize>),
    fit: &Fit,
    look: Look,
) {
    let shows = table.shows();
    let useful =
        |place: usize| shows.iter().any(|span| (span.first()..=span.last()).contains(&place));
    let chosen = table.chosen();
    let picks = table.is_asked() && !matches!(table.draft, Draft::Scout(..));
    let faces: Vec<Face> = cards
        .iter()
        .enumerate()
        .map(|(place, slot)| Face {
            slot: *slot,
            letter: Some(letter(place)),
            chosen: new == Some(place) && matches!(table.draft, Draft::Scout(..))
                || chosen.is_some_and(|span| (span.first()..=span.last()).contains(&place)),
            new: new == Some(place),
            weak: picks && !useful(place),
        })
        .collect();
    let cursor = match table.draft {
        Draft::Show(pick) | Draft::ScoutShow(_, pick) => pick.cursor().map(usize::from),
        Draft::Scout(..) => new,
    };
    let cursor = cursor.unwrap_or(0).min(cards.len().saturating_sub(1));
    let title = match (table.draft, new) {
        (Draft::Show(_), _) | (_, None) => "Your hand",
        (Draft::Scout(..), _) => "Place the card",
        (Draft::ScoutShow(..), _) => "Choose what to show",
    };
    let title = match cards.len() {
        0 => title.to_string(),
        count => format!("{title} ({})", text::count(count, "card")),
    };
    rule(buf, Rect { height: 1, ..area }, &title, look);
    let [begin, middle, end] = look.under(true);
    let [first, line, last] = look.under(false);
    let legend = format!(" {begin}{middle}{end} group  {first}{line}{last} run ");
    put_right(buf, area.right() - 2, area.y, &legend, look.weak(), Look { ascii: false, ..look });
    let rect =
        Rect { x: area.x + 1, y: area.y + 1, width: area.width - 2, height: area.height - 1 };
    let (before, after) = hand::draw(buf, rect, &faces, fit, cursor, look);
    let (above, below) = look.more();
    if before + after > 0 {
        let more = format!(" {above} {before} more  {below} {after} more ");
        let plain = Look { ascii: false, ..look };
        put_right(buf, area.right() - 24, area.y, &more, look.key(), plain);
    }
}

/// Both readings of the hand: keep above, flip below.
fn choice(table: &TablePage, buf: &mut Buffer, area: Rect, look: Look) {
    let Some(round) = table.round() else { return };
    rule(buf, Rect { height: 1, ..area }, "Keep this hand, or flip it?", look);
    let own = *round.hand(table.now.seat);
    let each = (area.height - 1) / 2;
    for (row, (flip, hand)) in [(false, own), (true, own.turned())].into_iter().enumerate() {
        let y = area.y + 1 + row as u16 * each;
        reading(table, buf, Rect { y, height: each, ..area }, (flip, &hand), look);
    }
}

/// One reading of the hand.
fn reading(
    table: &TablePage,
    buf: &mut Buffer,
    area: Rect,
    (flip, own): (bool, &Hand),
    look: Look,
) {
    let here = table.flip == flip;
    let words = if flip { "flipped" } else { "as dealt" };
    let cards: Vec<_> = own.iter().map(Slot::seen).collect();
    let found = hand::stretches(&cards);
    let groups = found.iter().filter(|stretch| stretch.group).count();
    let (groups, runs) = (text::count(groups, "group"), text::count(found.len() - groups, "run"));
    let style = if here { look.chosen() } else { Style::new() };
    if here {
        put(buf, area.x, area.y, 1, look.mark(), look.key(), Look { ascii: false, ..look });
    }
    put(
        buf,
        area.x + 2,
        area.y,
        area.width - 3,
        &format!("{words}: {groups}, {runs}"),
        style,
        look,
    );
    let rows = area.height - 1;
    let fit = hand::fit(own.len(), area.width - 2, rows);
    let faces: Vec<Face> =
        own.iter().map(|slot| Face { weak: !here, ..Face::plain(slot) }).collect();
    let rect = Rect { x: area.x + 1, y: area.y + 1, width: area.width - 2, height: rows };
    hand::draw(buf, rect, &faces, &fit, 0, look);
}
