//! Before a game: chat, a question where seats are free, and what the terms mean.

use fairdeal::{
    protocol::lobby::Terms,
    run::{LobbyNews, LobbyOrder, SittingEvent},
    ui::app::{App, Effect, Event, Over, Page, update},
};

use crate::support::{TABLE, app, game, press, screen, seat, sits, snapshot};

/// A lobby with these people and so many seats, of the host or of a guest.
fn lobby(host: bool, names: &[&str], players: u8, change: impl Fn(&mut Terms)) -> App {
    let mut app = app(80, 24);
    if host {
        update(&mut app, SittingEvent::Opened { invite: "deal1x".into(), words: None });
    }
    let now = snapshot(game(TABLE), seat(1), &["Ana", "Ben", "Cy"]);
    let (mut joins, mut terms) = (now.roster.joins, now.roster.terms);
    joins.truncate(names.len());
    joins.iter_mut().for_each(|join| join.kept_by = None);
    change(&mut terms);
    let presence = Default::default();
    let seats = LobbyNews::Seats { joins, players, terms, presence, watching: 0 };
    update(&mut app, SittingEvent::Lobby(seats));
    app
}

fn orders(effects: Vec<Effect>) -> Vec<LobbyOrder> {
    let order = |effect| match effect {
        Effect::Lobby(order) => Some(order),
        _ => None,
    };
    effects.into_iter().filter_map(order).collect()
}

#[test]
fn a_line_typed_in_the_lobby_is_said_and_starts_nothing() {
    for host in [true, false] {
        let mut app = lobby(host, &["Ana", "Ben"], 4, |_| {});
        let said = orders(press(&mut app, "/ h e l l o Space a l l Enter"));
        assert_eq!(said, [LobbyOrder::Say("hello all".parse().expect("a line"))]);
        assert!(matches!(app.over, Some(Over::Talk(..))), "open for the next line");
        let news = LobbyNews::Said("Ben".parse().expect("a name"), "hi!".parse().expect("a line"));
        update(&mut app, SittingEvent::Lobby(news));
        assert!(screen(&app).contains("Ben: hi!"), "{}", screen(&app));
        press(&mut app, "Esc");
        assert!(screen(&app).contains("Ben: hi!"), "{}", screen(&app));
    }
}

#[test]
fn a_line_half_typed_stays_open_when_the_game_begins() {
    let mut app = lobby(false, &["Ana", "Ben"], 3, |_| {});
    press(&mut app, "/ g o o d");
    update(&mut app, sits(snapshot(game(TABLE), seat(1), &["Ana", "Ben", "Cy"]), Vec::new()));
    assert!(matches!(app.page, Page::Table(_)));
    let effects = press(&mut app, "Enter");
    assert!(matches!(effects[..], [Effect::Order(_)]), "said, not played: {effects:?}");
}

#[test]
fn alone_in_the_lobby_nobody_reads_a_line() {
    let mut app = lobby(true, &["Ana"], 3, |_| {});
    press(&mut app, "/");
    assert!(matches!(app.over, Some(Over::Note(_))));
    let mut app = lobby(false, &["Ana", "Ben"], 3, |_| {});
    if let Page::Lobby(lobby) = &mut app.page {
        lobby.watches = true;
    }
    press(&mut app, "/");
    assert!(matches!(app.over, Some(Over::Note(_))), "who watches has no seat to talk from");
}

#[test]
fn with_free_seats_the_host_is_asked_before_the_game_begins() {
    let mut app = lobby(true, &["Ana", "Ben"], 4, |_| {});
    assert_eq!(orders(press(&mut app, "Enter Enter")), []);
    let drawn = screen(&app);
    assert!(drawn.contains("2 seats still free. y begins now, with 2 players"), "{drawn}");
    assert_eq!(orders(press(&mut app, "Esc")), []);
    assert!(app.over.is_none());
    assert_eq!(orders(press(&mut app, "Enter y")), [LobbyOrder::Start]);
    let mut full = lobby(true, &["Ana", "Ben", "Cy"], 3, |_| {});
    assert_eq!(orders(press(&mut full, "Enter")), [LobbyOrder::Start], "nothing to ask");
}

#[test]
fn a_clock_says_what_comes_of_it() {
    let clock = |terms: &mut Terms| terms.clock_s = 30;
    let two = screen(&lobby(false, &["Ana", "Ben"], 2, clock));
    assert!(two.contains("With two players it only shows"), "{two}");
    let three = screen(&lobby(false, &["Ana", "Ben"], 3, clock));
    assert!(three.contains("the others may vote to play on"), "{three}");
    assert!(!screen(&lobby(false, &["Ana", "Ben"], 3, |_| {})).contains("Clock"));
}

#[test]
fn nothing_is_pasted_into_a_lobby_by_accident() {
    let mut app = lobby(true, &["Ana", "Ben"], 4, |_| {});
    assert!(update(&mut app, Event::Paste("hello\nall".into())).is_empty());
    assert!(app.over.is_none());
}
