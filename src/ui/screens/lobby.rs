//! Before the game.

use qrcode::{Color, QrCode};
use ratatui::{
    buffer::Buffer,
    layout::Rect,
    style::{Modifier, Style},
};

use crate::{
    protocol::lobby::{DealKind, Join},
    run::{Presence, key_words},
    ui::{
        app::{App, lobby::LobbyPage},
        look::Look,
        text::{self, RULES},
        widgets::{put, rule, wrap},
        words,
    },
};

/// Rows for what happened last and what is said.
const NOTES: usize = 6;

/// Draws the lobby.
pub(super) fn draw(app: &App, lobby: &LobbyPage, buf: &mut Buffer, area: Rect) {
    let look = app.look;
    if lobby.picture {
        return picture(lobby, buf, area, look);
    }
    let title = match (lobby.host, lobby.watches) {
        (true, _) => "Your table",
        (_, true) => "The table you watch",
        _ => "The table you joined",
    };
    rule(buf, area, title, look);
    let mut y = area.y + 1;
    let wide = area.width - 4;
    if lobby.host {
        y = write(
            buf,
            y,
            wide,
            "Send your friends this invite; they paste it into a terminal:",
            look,
        );
        for line in wrap(&lobby.invite, usize::from(wide)) {
            put(buf, 2, y, wide, &line, look.strong(), look);
            y += 1;
        }
        if let Some(words) = &lobby.words {
            y = write(buf, y, wide, &format!("On this network also: fairdeal join {words}"), look);
        }
    }
    if let Some(terms) = &lobby.terms {
        let deal = match terms.deal {
            DealKind::Sealed => "sealed deal: nobody's program can see or stack the cards",
            DealKind::Open => "open deal: fair, but every program could work out all hands",
        };
        let rounds = text::count(usize::from(lobby.players), "round");
        y = write(buf, y, wide, &format!("{rounds}, {deal}"), look);
    }
    if let Some(clock) =
        lobby.terms.as_ref().and_then(|terms| words::clock_terms(terms, lobby.players))
    {
        y = write(buf, y, wide, &clock, look);
    }
    y += 1;
    y = seats(lobby, buf, y, area, look);
    y += 1;
    let rules: Vec<String> =
        RULES.iter().flat_map(|rule| wrap(&format!("- {rule}"), usize::from(wide))).collect();
    let room = usize::from(area.bottom().saturating_sub(y));
    let told = lobby.notes.iter().flat_map(|note| wrap(&look.text(note), usize::from(wide)));
    let told: Vec<String> = told.collect();
    let notes = told.len().min(NOTES).min(room);
    for line in &told[told.len() - notes..] {
        put(buf, 2, y, wide, line, look.can(), look);
        y += 1;
    }
    for line in rules.iter().take(usize::from(area.bottom().saturating_sub(y))) {
        put(buf, 2, y, wide, line, look.weak(), look);
        y += 1;
    }
}

fn write(buf: &mut Buffer, mut y: u16, width: u16, text: &str, look: Look) -> u16 {
    for line in wrap(text, usize::from(width)) {
        put(buf, 2, y, width, &line, Style::new(), look);
        y += 1;
    }
    y
}

/// A row a seat: who, the key's words, how connected.
fn seats(lobby: &LobbyPage, buf: &mut Buffer, mut y: u16, area: Rect, look: Look) -> u16 {
    let taken = format!("{} of {} seats taken", lobby.joins.len(), lobby.players);
    let taken = match lobby.watching {
        0 => taken,
        count => format!("{taken}; {}", words::watching(count)),
    };
    put(buf, 2, y, area.width - 4, &taken, look.title(), look);
    y += 1;
    for index in 0..usize::from(lobby.players) {
        let marked = lobby.host && index == lobby.at && index < lobby.joins.len();
        if marked {
            put(buf, 1, y, 1, look.mark(), look.key(), Look { ascii: false, ..look });
        }
        match lobby.joins.get(index) {
            Some(join) => {
                put(buf, 3, y, 24, join.name.as_str(), look.strong(), look);
                let words = match join.kept_by {
                    Some(_) => bot_words(lobby),
                    None => format!("{}  {}", key(join), presence(lobby, join)),
                };
                put(buf, 28, y, area.width.saturating_sub(29), &words, look.weak(), look);
            }
            None => {
                put(buf, 3, y, 24, "free", look.weak(), look);
            }
        }
        y += 1;
    }
    y
}

/// Who runs the bots, and what follows from that.
fn bot_words(lobby: &LobbyPage) -> String {
    let host = lobby.joins.first().map_or("the host", |join| join.name.as_str());
    format!("bot, run by {host}'s program (which knows its hand)")
}

fn key(join: &Join) -> String {
    key_words(&join.key)
}

fn presence(lobby: &LobbyPage, join: &Join) -> String {
    let rtt = lobby.rtts.get(&join.key).copied();
    match lobby.presence.get(&join.key) {
        Some(Presence::Here) => "you".into(),
        Some(presence @ Presence::Connected(_)) => {
            words::path(&words::reached(presence, &lobby.joins), rtt)
        }
        Some(Presence::Away) => "not connected".into(),
        None => String::new(),
    }
}

/// The invite as a QR code of half blocks, dark on light whatever the terminal's colours.
fn picture(lobby: &LobbyPage, buf: &mut Buffer, area: Rect, look: Look) {
    let invite = lobby.invite.strip_prefix("fairdeal join ").unwrap_or(&lobby.invite);
    let Ok(code) = QrCode::new(invite.as_bytes()) else {
        put(
            buf,
            2,
            2,
            area.width - 4,
            "The invite is too long for a QR code.",
            look.cannot(),
            look,
        );
        return;
    };
    let width = code.width();
    let rows = (width + 4).div_ceil(2) as u16;
    if look.ascii || rows > area.height || width as u16 + 4 > area.width {
        let words = format!("A QR code needs {rows} rows and more than ASCII; copy with c.");
        put(buf, 2, 2, area.width - 4, &words, look.cannot(), look);
        return;
    }
    let light = |x: usize, y: usize| {
        let inside = (2..width + 2).contains(&x) && (2..width + 2).contains(&y);
        !inside || code[(x - 2, y - 2)] == Color::Light
    };
    let left = (area.width - width as u16 - 4) / 2;
    let style = Style::new().remove_modifier(Modifier::DIM);
    for row in 0..rows {
        let line: String = (0..width + 4)
            .map(|x| {
                let (upper, lower) = (light(x, 2 * row as usize), light(x, 2 * row as usize + 1));
                match (upper, lower) {
                    (true, true) => '█',
                    (true, false) => '▀',
                    (false, true) => '▄',
                    (false, false) => ' ',
                }
            })
            .collect();
        put(buf, left, area.y + row, area.width, &line, style, look);
    }
}
