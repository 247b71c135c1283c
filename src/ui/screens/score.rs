//! Points: of a round, and of the game.

use ratatui::{buffer::Buffer, layout::Rect, style::Style};

use crate::ui::{
    app::{
        App,
        score::{Page, Reckoning, Standing},
        table::TablePage,
    },
    look::Look,
    widgets::{put, put_right, rule, wrap},
    words,
};

/// Lines of what the players said last.
const SAID: usize = 3;

/// Draws a page of points.
pub(super) fn draw(app: &App, table: &TablePage, page: &Page, buf: &mut Buffer, area: Rect) {
    let look = app.look;
    match page {
        Page::Round { round, how, rows } => {
            rule(buf, area, &format!("Round {round} is over"), look);
            for (row, line) in wrap(how, usize::from(area.width - 4)).iter().enumerate() {
                put(buf, 2, area.y + 2 + row as u16, area.width - 4, line, look.strong(), look);
            }
            reckoning(buf, area, rows, look);
            if table.is_choosing() {
                let y = area.y + 8 + rows.len() as u16;
                let next = "The next round is dealt: Enter shows your new hand.";
                put(buf, 2, y, area.width - 4, next, look.can(), look);
            }
        }
        Page::Game { won, rows } => game(app, table, buf, area, (won, rows)),
    }
    for (row, line) in table.chat.newest(&table.story).take(SAID).enumerate() {
        let y = area.bottom() - 2 - row as u16;
        put(buf, 2, y, area.width - 4, &line, Style::new(), look);
    }
}

fn reckoning(buf: &mut Buffer, area: Rect, rows: &[Reckoning], look: Look) {
    let (y, left) = (area.y + 4, 2);
    let hand = if area.width < 80 { 8 } else { 20 };
    let columns = [("captured", 10), ("chips", 7), ("hand", hand), ("points", 8), ("total", 7)];
    let name = 24.min(area.width - 36 - hand);
    let mut right = left + name;
    for (heading, width) in columns {
        right += width;
        put_right(buf, right, y, heading, look.weak(), look);
    }
    for (row, reckoning) in rows.iter().enumerate() {
        let y = y + 1 + row as u16;
        let Reckoning { captured, tokens, hand, free, points, total, .. } = reckoning;
        put(buf, left, y, name, &reckoning.name, Style::new(), look);
        let lost = match (free, hand) {
            (true, hand) if area.width < 80 => format!("({hand})"),
            (true, hand) => format!("0 ({hand} not counted)"),
            (false, 0) => "0".into(),
            (false, hand) => format!("-{hand}"),
        };
        let values = [
            captured.to_string(),
            format!("+{tokens}"),
            lost,
            format!("= {points}"),
            total.to_string(),
        ];
        let mut right = left + name;
        for (index, (value, (_, width))) in values.iter().zip(columns).enumerate() {
            right += width;
            let style = if index >= 3 { look.strong() } else { Style::new() };
            put_right(buf, right, y, value, style, look);
        }
    }
    let y = y + 2 + rows.len() as u16;
    let words = "+1 per captured card and chip, -1 per card left in hand.";
    put(buf, left, y, area.width - 4, words, look.weak(), look);
}

fn game(
    app: &App,
    table: &TablePage,
    buf: &mut Buffer,
    area: Rect,
    (won, rows): (&str, &[Standing]),
) {
    let look = app.look;
    rule(buf, area, "The game is over", look);
    put(buf, 2, area.y + 2, area.width - 4, won, look.can(), look);
    let y = area.y + 4;
    let rounds = rows.first().map_or(0, |row| row.rounds.len());
    let name = 24.min(area.width - 12 - 6 * rounds as u16);
    for round in 0..rounds {
        let right = 2 + name + 6 * (round as u16 + 1);
        put_right(buf, right, y, &(round + 1).to_string(), look.weak(), look);
    }
    let right = 2 + name + 6 * rounds as u16 + 8;
    put_right(buf, right, y, "points", look.weak(), look);
    for (row, Standing { name: who, rounds: points, total }) in rows.iter().enumerate() {
        let y = y + 1 + row as u16;
        put(buf, 2, y, name, who, Style::new(), look);
        for (round, points) in points.iter().enumerate() {
            let right = 2 + name + 6 * (round as u16 + 1);
            put_right(buf, right, y, &points.to_string(), Style::new(), look);
        }
        put_right(buf, right, y, &total.to_string(), look.strong(), look);
    }
    let y = y + 2 + rows.len() as u16;
    let words = match &table.again {
        Some(again) => {
            let again = words::again(again, table.wished, "r");
            format!("Saved, signed by everyone. {again} Enter leaves the table.")
        }
        None => "Signed; waiting until everyone has the whole game.".into(),
    };
    for (row, line) in wrap(&words, usize::from(area.width - 4)).iter().enumerate() {
        put(buf, 2, y + row as u16, area.width - 4, line, look.weak(), look);
    }
}
