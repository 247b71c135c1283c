//! Before and after a game: the tables of this network, the lobby, and the next table.

use fairdeal::{
    protocol::{message::Hosting, session::News, table::Fact},
    run::{Again, Begin, Found, FromPlayer, LobbyNews, LobbyOrder, SittingEvent, Target, ToPlayer},
    ui::app::{App, Effect, Event, Over, Page, update},
};

use crate::support::{TABLE, app, game, golden, press, screen, seat, seated, snapshot};

/// A table as a look around finds it.
fn found(words: &str, host: &str, open: bool) -> Found {
    let hosts = Hosting { players: 3, taken: 1, begun: false, open, watching: 0 };
    Found { words: words.into(), host: host.parse().expect("a name"), hosts }
}

#[test]
fn the_tables_of_this_network_stand_below_the_line_and_enter_takes_the_marked_one() {
    for (columns, rows) in [(80, 24), (120, 40)] {
        let mut app = app(columns, rows);
        press(&mut app, "Down Down Enter");
        assert!(app.looks_around());
        assert!(screen(&app).contains("No tables found on this network yet."));
        let tables = vec![found("amber-fox", "Ben", true), found("deal-lamp", "Cy", false)];
        update(&mut app, Event::Tables(tables));
        press(&mut app, "Down");
        golden(&format!("join-{columns}x{rows}.txt"), &app);
        let effects = press(&mut app, "Enter");
        let words = effects.iter().find_map(|effect| match effect {
            Effect::Begin(Begin::Join { target: Target::Words(words), .. }) => Some(words.as_str()),
            _ => None,
        });
        assert_eq!(words, Some("deal-lamp"));
        assert!(!app.looks_around());
    }
    // The marked one has gone; a line that is typed goes before it.
    let mut app = app(80, 24);
    press(&mut app, "Down Down Enter Down");
    update(&mut app, Event::Tables(vec![found("amber-fox", "Ben", true)]));
    update(&mut app, Event::Paste("192.168.1.5".into()));
    let effects = press(&mut app, "Enter");
    let address =
        matches!(effects[..], [Effect::Begin(Begin::Join { target: Target::Address(..), .. })]);
    assert!(address, "{effects:?}");
}

/// The page at the end of a game that was played out.
fn ended(again: Again) -> App {
    let mut app = seated(TABLE, 1, 80, 24);
    update(&mut app, SittingEvent::Told(ToPlayer::News(News::Fact(Fact::Complete))));
    update(&mut app, SittingEvent::Complete("a.fairdeal".into()));
    update(&mut app, SittingEvent::Again(again));
    app
}

#[test]
fn one_key_plays_again_where_somebody_opens_the_table() {
    let ana = || "Ana".parse().expect("a name");
    for (again, words) in [
        (Again::Ours, "r: rematch with the same people."),
        (Again::Awaited(ana()), "Ana can host a rematch; r joins it."),
        (Again::Open(ana()), "Ana is hosting a rematch: r joins it."),
    ] {
        let mut app = ended(again.clone());
        let drawn = screen(&app).replace('\n', " ");
        assert!(drawn.contains(words), "{drawn}");
        let effects = press(&mut app, "r");
        assert!(matches!(effects[..], [Effect::Again]), "{effects:?}");
        let waits = screen(&app).contains("The rematch begins as soon as Ana");
        assert_eq!(waits, matches!(again, Again::Awaited(_)));
        let effects = press(&mut app, "Enter");
        assert!(matches!(effects[..], [Effect::Order(FromPlayer::Leave)]), "{effects:?}");
    }
    let mut app = ended(Again::Gone(ana()));
    assert!(screen(&app).contains("Ana (who would host the rematch) has left"));
    assert!(press(&mut app, "r").is_empty());
    assert!(matches!(app.over, Some(Over::Note(_))));
}

/// The lobby of a host with two guests.
fn lobby() -> App {
    let mut app = app(80, 24);
    update(&mut app, SittingEvent::Opened { invite: "deal1x".into(), words: None });
    let now = snapshot(game(TABLE), seat(1), &["Ana", "Ben", "Cy"]);
    let mut joins = now.roster.joins;
    joins[2].kept_by = None;
    let (terms, presence) = (now.roster.terms, Default::default());
    update(
        &mut app,
        SittingEvent::Lobby(LobbyNews::Seats { joins, players: 3, terms, presence, watching: 0 }),
    );
    app
}

#[test]
fn the_host_moves_and_shuffles_seats_and_keeps_the_first() {
    let mut app = lobby();
    let orders = |effects: Vec<Effect>| -> Vec<LobbyOrder> {
        let order = |effect| match effect {
            Effect::Lobby(order) => Some(order),
            _ => None,
        };
        effects.into_iter().filter_map(order).collect()
    };
    assert!(orders(press(&mut app, "K J Down K")).is_empty(), "the first seat stays");
    assert!(screen(&app).contains("The host always has seat 1."), "{}", screen(&app));
    let moved = orders(press(&mut app, "J J K s"));
    let Page::Lobby(lobby) = &app.page else { panic!("no lobby") };
    let ben = lobby.joins[1].key;
    let cy = lobby.joins[2].key;
    assert_eq!(lobby.at, 1);
    assert_eq!(
        moved,
        [LobbyOrder::Move(ben, true), LobbyOrder::Move(cy, false), LobbyOrder::Shuffle],
        "the mark goes along; the last goes no further"
    );
    let (mut joins, terms) = (lobby.joins.clone(), lobby.terms.clone().expect("terms"));
    joins.swap(1, 2);
    let presence = Default::default();
    update(
        &mut app,
        SittingEvent::Lobby(LobbyNews::Seats { joins, players: 3, terms, presence, watching: 0 }),
    );
    assert!(screen(&app).contains("The host reordered the seats."), "{}", screen(&app));
    update(&mut app, SittingEvent::Lobby(LobbyNews::Invite("deal1y".into())));
    assert!(screen(&app).contains("fairdeal join deal1y"), "{}", screen(&app));
}
