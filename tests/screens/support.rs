//! Tables to sit at, keys to press, and screens as text.

use std::{fs, path::Path, time::Duration};

use fairdeal::{
    game::{Game, Seat, Stage, notation::check},
    protocol::{
        crypto::identity::Identity,
        lobby::{DealKind, Join, LOG_VERSION, Roster, Terms},
        table::{Fact, Phase},
    },
    run::{Presence, Seated, SittingEvent, Snapshot},
    ui::{
        app::{App, Effect, Event, Page, home::Facts, table::TablePage, update},
        look::Look,
        screens,
    },
};
use ratatui::{
    Terminal,
    backend::TestBackend,
    buffer::Buffer,
    crossterm::event::{KeyCode, KeyEvent, KeyModifiers},
};

/// Ana's turn against two 2s of Cy's; she has 7 8 9 at a to c.
pub const TABLE: &str = "\
scout 1
players 3
seat 1 Ana
seat 2 Ben
seat 3 Cy
round 1 start 2
deal 1 7/3 8/1 9/2 4/6 5/9 5/1 6/2 3/8 1/4 9/6 2/4 7/1
deal 2 5/4 5/3 2/1 8/6 3/1 9/1 6/3 4/3 7/5 9/8 2/5 6/1
deal 3 2/3 2/7 2/8 3/9 4/7 4/8 4/9 5/6 5/8 6/7 7/8 7/9
1 keep
2 keep
3 keep
2 show 3
3 show 1-2
";

/// Five players, whose other four hand one card a turn to the first: 28 cards.
pub const LONG: &str = include_str!("../data/long.scout");

/// Names as wide as names may be.
pub const NAMES: [&str; 5] = [
    "Anastasia of the Heights",
    "猫猫猫猫猫猫猫猫猫猫猫猫",
    "مرحبا بالعالم مرة ثانية!",
    "👩‍👩‍👧‍👦 whole family of emoji",
    "Wolfeschlegelsteinhausen",
];

/// The seat people call `number`.
pub fn seat(number: u8) -> Seat {
    Seat::from_number(number).expect("a seat")
}

/// The game after a record.
pub fn game(text: &str) -> Game {
    let checked = check(text, |_, _| {}).unwrap_or_else(|refusal| panic!("{refusal}\n{text}"));
    *checked.game().expect("a game")
}

/// A table as it stands in a game, seen from a seat.
pub fn snapshot(view: Game, own: Seat, names: &[&str]) -> Snapshot {
    let join = |(index, name): (usize, &&str)| Join {
        key: Identity::from_secret(&[index as u8 + 1; 32]).public(),
        name: name.parse().expect("a name"),
        nonce: [0; 32],
        kept_by: (index == 2).then_some(0),
    };
    let terms = Terms {
        id: [0; 32],
        version: LOG_VERSION,
        deal: DealKind::Sealed,
        clock_s: 0,
        patience_s: 60,
    };
    let joins = names.iter().enumerate().map(join).collect();
    let (phase, awaited) = match view.stage() {
        Stage::Turn(turn) => (Phase::Turn(turn), vec![turn]),
        Stage::Choice => (Phase::Choice, view.players().seats().collect()),
        Stage::Over => (Phase::Complete, Vec::new()),
        _ => (Phase::Shares, view.players().seats().collect()),
    };
    let presence = view.players().seats().map(|seat| match seat {
        _ if seat == own => Presence::Here,
        _ if seat.index() == 1 => Presence::Away,
        _ => Presence::Here,
    });
    Snapshot {
        seat: own,
        game_id: [0; 32],
        roster: Roster { terms, number: 1, joins },
        phase,
        asks: awaited.contains(&own),
        awaited,
        waited: Duration::ZERO,
        overdue: Vec::new(),
        claimed: Vec::new(),
        view,
        presence: presence.collect(),
        rtts: vec![None; usize::from(view.players().count())],
        watching: 0,
    }
}

/// Screens with nothing on the disk.
pub fn app(columns: u16, rows: u16) -> App {
    let facts = Facts {
        name: "Ana".parse().ok(),
        spare: None,
        proposed: "ana".into(),
        games: Vec::new(),
        replays: Vec::new(),
    };
    App::new(Look { ascii: false, colour: true }, (columns, rows), facts)
}

/// The player sits at a table that stands like this, after these facts.
pub fn sits(now: Snapshot, past: Vec<Fact>) -> SittingEvent {
    SittingEvent::Seated(Box::new(Seated { now, past, bot: false, resumed: None }))
}

/// Screens with the player at a table that a record tells.
pub fn seated(text: &str, own: u8, columns: u16, rows: u16) -> App {
    let mut app = app(columns, rows);
    let now = snapshot(game(text), seat(own), &["Ana", "Ben", "Cy", "Dee", "Eli"]);
    let players = usize::from(now.view.players().count());
    let mut now = now;
    now.roster.joins.truncate(players);
    update(&mut app, sits(now, Vec::new()));
    app
}

/// The table of the screens.
pub fn table(app: &App) -> &TablePage {
    match &app.page {
        Page::Table(table) => table,
        other => panic!("no table: {other:?}"),
    }
}

/// Presses keys written one after another: letters, or names such as Enter and S-Right.
pub fn press(app: &mut App, keys: &str) -> Vec<Effect> {
    keys.split_whitespace().flat_map(|key| update(app, Event::Key(named(key)))).collect()
}

fn named(key: &str) -> KeyEvent {
    let code = match key.trim_start_matches("S-").trim_start_matches("C-") {
        "Enter" => KeyCode::Enter,
        "Esc" => KeyCode::Esc,
        "Tab" => KeyCode::Tab,
        "BackTab" => KeyCode::BackTab,
        "Space" => KeyCode::Char(' '),
        "Left" => KeyCode::Left,
        "Right" => KeyCode::Right,
        "Up" => KeyCode::Up,
        "Down" => KeyCode::Down,
        "PgUp" => KeyCode::PageUp,
        "PgDn" => KeyCode::PageDown,
        "Home" => KeyCode::Home,
        "End" => KeyCode::End,
        "Backspace" => KeyCode::Backspace,
        letter => KeyCode::Char(letter.chars().next().expect("a letter")),
    };
    let mut modifiers = KeyModifiers::NONE;
    modifiers.set(KeyModifiers::SHIFT, key.starts_with("S-"));
    modifiers.set(KeyModifiers::CONTROL, key.starts_with("C-"));
    KeyEvent::new(code, modifiers)
}

/// The screen as it is drawn, with colours.
pub fn drawing(app: &App) -> Buffer {
    let backend = TestBackend::new(app.size.0, app.size.1);
    let mut terminal = Terminal::new(backend).expect("a terminal");
    terminal.draw(|frame| screens::draw(app, frame)).expect("drawn");
    terminal.backend().buffer().clone()
}

/// The screen as text, a line a row, without spaces at the ends.
pub fn screen(app: &App) -> String {
    let buffer = drawing(app);
    let mut text = String::new();
    for y in 0..app.size.1 {
        let mut line = String::new();
        let mut skip = 0;
        for x in 0..app.size.0 {
            let symbol = buffer[(x, y)].symbol();
            if skip > 0 {
                skip -= 1;
                continue;
            }
            skip = unicode_width::UnicodeWidthStr::width(symbol).saturating_sub(1);
            line.push_str(symbol);
        }
        text.push_str(line.trim_end());
        text.push('\n');
    }
    text
}

/// Holds a screen against its golden file; `BLESS=1` writes the file instead.
pub fn golden(name: &str, app: &App) {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data/screens").join(name);
    let drawn = screen(app);
    if std::env::var_os("BLESS").is_some() {
        fs::write(&path, &drawn).expect("written");
    }
    let wanted = fs::read_to_string(&path).unwrap_or_default();
    assert!(drawn == wanted, "{name} is drawn otherwise; BLESS=1 if that is right:\n{drawn}");
}
