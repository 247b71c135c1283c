//! Drawn screens against golden text files.

use std::time::Duration;

use fairdeal::{
    game::{BySeat, Ending},
    net::{Path, Transport},
    protocol::{session::News, table::Fact},
    run::{Presence, SittingEvent, ToPlayer},
    ui::{
        app::{App, Over, Page, update},
        keymap,
        look::Look,
    },
};
use unicode_width::UnicodeWidthStr;

use crate::support::{
    LONG, NAMES, TABLE, app, drawing, game, golden, press, screen, seat, seated, sits, snapshot,
    table,
};

const SIZES: [(u16, u16); 2] = [(80, 24), (120, 40)];

/// A screen after some keys, in both sizes.
fn both(name: &str, text: &str, keys: &str) {
    for (columns, rows) in SIZES {
        let mut app = seated(text, 1, columns, rows);
        press(&mut app, keys);
        golden(&format!("{name}-{columns}x{rows}.txt"), &app);
    }
}

#[test]
fn the_table_on_the_own_turn() {
    both("turn", TABLE, "");
    both("show", TABLE, "a c");
    both("scout", TABLE, "s Tab e Space");
    both("scout-and-show", TABLE, "x a Enter b d");
    both("help", TABLE, "?");
    both("leave", TABLE, "q");
}

/// A box looks the same over whatever page it lies: over cards in colours as over an empty page.
#[test]
fn a_box_takes_no_colour_from_what_lies_underneath() {
    let boxes = [Over::Help(0), Over::Help(9), Over::Note("Something to know.".into())];
    for (columns, rows) in [(60, 20), (80, 24), (120, 40)] {
        for over in &boxes {
            let (mut empty, mut table) = (app(columns, rows), seated(TABLE, 1, columns, rows));
            press(&mut table, "a c");
            empty.page = Page::Wait(String::new());
            let blank = drawing(&empty);
            (empty.over, table.over) = (Some(over.clone()), Some(over.clone()));
            let (alone, over_cards) = (drawing(&empty), drawing(&table));
            let inside = |y: &u16| (0..columns).any(|x| alone[(x, *y)] != blank[(x, *y)]);
            for y in (0..rows - 1).filter(inside) {
                let edge = |x: &u16| alone[(*x, y)].symbol() != " ";
                let (from, to) = ((0..columns).find(edge), (0..columns).rev().find(edge));
                for x in from.unwrap_or(0)..=to.unwrap_or(0) {
                    assert_eq!(alone[(x, y)], over_cards[(x, y)], "{over:?} at {x} {y}");
                }
            }
        }
    }
}

#[test]
fn keep_or_flip() {
    both("choice", TABLE.split("1 keep").next().expect("the deal"), "Down");
}

#[test]
fn the_home_screen() {
    for (columns, rows) in SIZES {
        golden(&format!("home-{columns}x{rows}.txt"), &app(columns, rows));
    }
}

#[test]
fn plain_characters_are_enough() {
    let mut app = seated(TABLE, 1, 80, 24);
    app.look = Look { ascii: true, colour: false };
    press(&mut app, "a c");
    golden("ascii-80x24.txt", &app);
    assert!(screen(&app).is_ascii(), "{}", screen(&app));
    press(&mut app, "?");
    assert!(screen(&app).is_ascii(), "{}", screen(&app));
}

#[test]
fn the_points_of_a_round_with_their_reckoning() {
    let mut app = seated(TABLE, 1, 80, 24);
    let points = BySeat::from_fn(table(&app).players(), |seat| 3 - seat.index() as i32);
    let over = Fact::RoundOver { round: 1, ending: Ending::Stalled, points };
    update(&mut app, SittingEvent::Told(ToPlayer::News(News::Fact(over))));
    golden("score-80x24.txt", &app);
    press(&mut app, "Enter");
    assert!(screen(&app).contains("Your hand"));
}

#[test]
fn too_small_a_terminal_says_so() {
    golden("cramped-50x12.txt", &seated(TABLE, 1, 50, 12));
}

#[test]
fn a_long_hand_of_five_players_with_long_names_stays_readable() {
    assert!(NAMES.iter().all(|name| UnicodeWidthStr::width(*name) == 24), "{NAMES:?}");
    let now = snapshot(game(LONG), seat(1), &NAMES);
    let len = now.view.round().expect("a round").hand(seat(1)).len();
    assert_eq!(len, 28);
    for (columns, rows) in [(80, 24), (60, 20)] {
        let mut app: App = app(columns, rows);
        update(&mut app, sits(now.clone(), Vec::new()));
        golden(&format!("long-{columns}x{rows}.txt"), &app);
        for place in 0..len {
            let letter = keymap::letter(place);
            press(&mut app, &format!("Esc {letter}"));
            let drawn = screen(&app);
            assert!(drawn.contains(&format!("━{letter}━")), "{letter} is out of sight:\n{drawn}");
        }
    }
}

#[test]
fn the_path_to_a_player_is_told_as_far_as_there_is_room() {
    let now = snapshot(game(TABLE), seat(1), &["Ana", "Ben", "Cy"]);
    for (columns, words) in [(60, " 12 ms"), (80, "  12 ms"), (120, "  direct over QUIC, 12 ms")] {
        let mut app = app(columns, 30);
        update(&mut app, sits(now.clone(), Vec::new()));
        let remote = "192.0.2.7:7268".parse().expect("an address");
        let mut later = now.clone();
        later.presence[1] =
            Presence::Connected(Path::Direct { transport: Transport::Quic, remote });
        (later.rtts[1], later.watching) = (Some(Duration::from_millis(12)), 2);
        update(&mut app, SittingEvent::Told(ToPlayer::State(Box::new(later))));
        let drawn = screen(&app);
        let row = drawn.lines().find(|line| line.contains(" Ben ")).expect("his row");
        assert!(row.ends_with(words), "{drawn}");
        assert!(drawn.contains(" 2 spectators ─"), "{drawn}");
        let log: Vec<&str> = table(&app).log.iter().map(|told| told.text.as_str()).collect();
        let told = ["Ben is connected, direct over QUIC.", "Ben answers in 12 ms.", "2 spectators"];
        assert_eq!(log, told);
    }
    assert!(!screen(&seated(TABLE, 1, 80, 24)).contains("spectator"));
}
