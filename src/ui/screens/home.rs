//! The home screen and its lists.

use ratatui::{buffer::Buffer, layout::Rect, style::Style};

use crate::{
    game::Slot,
    store::{Checked, FinishedGame, UnfinishedGame},
    ui::{
        app::{
            App,
            home::{HomePage, Item},
        },
        look::Look,
        text,
        widgets::{
            card::{self, Face, Size},
            put, rule,
        },
        words,
    },
};

/// The cards over the title: a run to look at.
const CARDS: [&str; 5] = ["4/9", "5/2", "6/8", "7/1", "8/3"];

/// Draws the home screen.
pub(super) fn draw(app: &App, buf: &mut Buffer, area: Rect) {
    let look = app.look;
    let left = (area.width.saturating_sub(72)) / 2;
    let top = area.height.saturating_sub(20) / 3;
    for (index, text) in CARDS.iter().enumerate() {
        let Ok(card) = text.parse() else { continue };
        let x = left + index as u16 * 6;
        card::draw(buf, x, top, &Face::plain(Slot::Seen(card)), Size::Large, look);
    }
    let x = left + 36;
    put(buf, x, top + 1, 36, "f a i r d e a l", look.title(), look);
    put(buf, x, top + 3, 36, "SCOUT for two to five friends:", Style::new(), look);
    put(buf, x, top + 4, 36, "no server, no dealer to trust", look.weak(), look);
    if let Some(name) = &app.facts.name {
        let hello = match &app.facts.spare {
            Some(spare) => format!("Hello {name}, here as {spare}."),
            None => format!("Hello {name}."),
        };
        put(buf, x, top + 5, 36, &hello, look.weak(), look);
    }
    let mark = Look { ascii: false, ..look };
    for (row, item) in HomePage::items(&app.facts).into_iter().enumerate() {
        let y = top + 8 + row as u16;
        let here = row == app.home.at;
        if here {
            put(buf, left, y, 1, look.mark(), look.key(), mark);
        }
        let (name, more) = item_words(app, item);
        let style = if here { look.chosen() } else { Style::new() };
        put(buf, left + 2, y, 24, name, style, look);
        put(buf, left + 26, y, area.width - left - 27, &more, look.weak(), look);
    }
    let y = top + 9 + HomePage::items(&app.facts).len() as u16;
    let hint = match app.home.item(&app.facts) {
        Item::Play => "\u{2190} \u{2192} fewer or more players, Tab another bot, Enter begins",
        Item::Host => "\u{2190} \u{2192} fewer or more seats, Tab sealed or open deal",
        Item::Join => "Enter, then paste the line your host sent",
        _ => "",
    };
    put(buf, left + 2, y, area.width - left - 3, hint, look.weak(), look);
}

fn item_words(app: &App, item: Item) -> (&'static str, String) {
    let home = &app.home;
    let players = home.players.count();
    match item {
        Item::Play => {
            let bots = text::count(usize::from(players) - 1, "bot");
            ("Play now", format!("against {bots} ({})", home.bot))
        }
        Item::Host => ("Open a table", format!("{players} seats, {}", text::deal(home.deal))),
        Item::Join => ("Join a table", "with a friend's invite".into()),
        Item::Resume => {
            let games = text::count(app.facts.games.len(), "unfinished game");
            ("Go on", games)
        }
        Item::Replays => ("Look again", text::count(app.facts.replays.len(), "finished game")),
        Item::Learn => ("Learn", "the rules by doing, in five minutes".into()),
        Item::Help => ("Help", "the rules in five sentences, and the keys".into()),
        Item::Quit => ("Leave", String::new()),
    }
}

/// Draws a list of games.
pub(super) fn list(app: &App, buf: &mut Buffer, area: Rect, item: Item, at: usize) {
    let look = app.look;
    let (title, lines): (&str, Vec<String>) = match item {
        Item::Resume => {
            let line =
                |game: &UnfinishedGame| format!("{}  {}", game.id(), words::unfinished(game));
            ("Unfinished games", app.facts.games.iter().map(line).collect())
        }
        _ => ("Finished games", app.facts.replays.iter().map(|game| finished(app, game)).collect()),
    };
    rule(buf, area, title, look);
    let rows = usize::from(area.height) - 3;
    let from = (at + 1).saturating_sub(rows);
    for (row, (index, line)) in lines.iter().enumerate().skip(from).take(rows).enumerate() {
        let y = area.y + 2 + row as u16;
        let style = if index == at { look.chosen() } else { Style::new() };
        if index == at {
            put(buf, area.x + 1, y, 1, look.mark(), look.key(), Look { ascii: false, ..look });
        }
        put(buf, area.x + 3, y, area.width - 4, line, style, look);
    }
}

/// A finished game in a line: the day, what it proves, the players with their points.
fn finished(app: &App, game: &FinishedGame) -> String {
    let FinishedGame { day, path } = game;
    let name = path.file_stem().unwrap_or_default().to_string_lossy();
    let Some(Some(checked)) = app.checked.get(path) else {
        return format!("{day}  {:<10}  {name}", "checking");
    };
    let (proof, words) = words::checked(checked);
    match checked {
        Checked::Verified(_) | Checked::Unfinished(_) => format!("{day}  {proof:<10}  {words}"),
        Checked::Wrong(_) | Checked::Unreadable(_) => {
            format!("{day}  {proof:<10}  {name}: {words}")
        }
    }
}
