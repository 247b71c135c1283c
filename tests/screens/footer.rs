//! The footer has the keys that do something now; a key that does nothing says why.

use std::time::Duration;

use fairdeal::{
    protocol::table::Phase,
    ui::app::{App, Over, Page, said::Said, update},
};

use crate::support::{LONG, TABLE, app, press, screen, seat, seated, table};

const SIZES: [(u16, u16); 4] = [(60, 20), (80, 24), (120, 40), (200, 60)];

fn footer(app: &App) -> String {
    screen(app).lines().last().unwrap_or_default().to_owned()
}

/// The words of the footer, without the keys before them.
fn shows(app: &App, words: &[&str], none: &[&str]) {
    let footer = footer(app);
    let at = app.size;
    for words in words {
        assert!(footer.contains(words), "{words:?} is missing at {at:?}: {footer}");
    }
    for words in none {
        assert!(!footer.contains(words), "{words:?} does nothing at {at:?}: {footer}");
    }
}

#[test]
fn on_the_own_turn_the_ways_to_play_are_there_on_the_smallest_screen() {
    for (columns, rows) in SIZES {
        let mut app = seated(TABLE, 1, columns, rows);
        let ways = ["s scout", "x Scout & Show", "Tab next set", "? help", "q leave"];
        shows(&app, &ways, &["Enter", "Esc"]);
        press(&mut app, "a c");
        shows(&app, &["Enter show", "s scout", "x Scout & Show"], &[]);
        press(&mut app, "Esc a");
        shows(&app, &["s scout"], &["Enter show"]);
    }
}

#[test]
fn while_a_card_is_placed_what_can_be_done_with_it_is_there() {
    for (columns, rows) in SIZES {
        let mut app = seated(TABLE, 1, columns, rows);
        press(&mut app, "s");
        shows(&app, &["Enter take", "Space flip", "Tab other end"], &[]);
    }
    // A single card has one end.
    let mut app = seated(&format!("{TABLE}1 scout left 1\n"), 2, 80, 24);
    press(&mut app, "s");
    shows(&app, &["Enter take", "Space flip"], &["other end"]);
}

#[test]
fn out_of_turn_no_key_of_the_turn_is_offered() {
    for (columns, rows) in SIZES {
        let app = seated(TABLE, 2, columns, rows);
        shows(&app, &["? help", "q leave"], &["Enter", "scout", "Scout", "set", "cards"]);
    }
}

#[test]
fn chat_is_offered_where_somebody_can_read_it() {
    let mut alone = seated(TABLE, 1, 120, 40);
    shows(&alone, &["/ chat"], &[]);
    if let Page::Table(table) = &mut alone.page {
        table.now.presence.fill(fairdeal::run::Presence::Here);
    }
    shows(&alone, &[], &["chat"]);
    let mut learn = app(120, 40);
    press(&mut learn, "Down Down Down Enter");
    shows(&learn, &[], &["chat"]);
    press(&mut learn, "/");
    assert!(matches!(learn.over, Some(Over::Note(_))), "it says so all the same");
}

#[test]
fn to_play_on_without_somebody_is_offered_when_it_can_be_proposed() {
    let mut app = seated(TABLE, 1, 120, 40);
    shows(&app, &[], &["!"]);
    if let Page::Table(table) = &mut app.page {
        let cy = seat(3);
        (table.now.phase, table.now.awaited, table.now.asks) = (Phase::Turn(cy), vec![cy], false);
        (table.now.waited, table.now.overdue) = (Duration::from_secs(70), vec![cy]);
    }
    shows(&app, &["! play on without"], &[]);
    if let Page::Table(table) = &mut app.page {
        table.now.claimed = vec![(seat(3), vec![seat(1)])];
    }
    shows(&app, &[], &["!"]);
}

#[test]
fn two_players_are_not_offered_what_they_do_not_have() {
    let mut app = seated(crate::leave::TWO, 1, 120, 40);
    shows(&app, &["s scout"], &["Scout & Show"]);
    press(&mut app, "x");
    let why = "two players play without Scout & Show";
    assert_eq!(table(&app).said(), Said::Cannot(why.into()));
}

#[test]
fn a_capital_letter_and_another_alphabet_get_a_hint() {
    let mut app = seated(TABLE, 1, 80, 24);
    press(&mut app, "S");
    assert!(screen(&app).contains("is Caps Lock on?"), "{}", screen(&app));
    press(&mut app, "ы");
    assert!(screen(&app).contains("switch the keyboard to Latin letters"), "{}", screen(&app));
    press(&mut app, "a c");
    assert!(matches!(table(&app).said(), Said::Will(_)), "the next key goes on");
    // A capital letter is a card where the hand is long enough for it.
    let mut app = seated(LONG, 1, 80, 24);
    press(&mut app, "A");
    assert!(table(&app).chosen().is_some(), "{}", screen(&app));
}

#[test]
fn at_home_the_hint_comes_once() {
    let mut app = app(80, 24);
    press(&mut app, "Q");
    assert!(matches!(app.over, Some(Over::Note(_))));
    press(&mut app, "Esc Q");
    assert!(app.over.is_none());
    update(&mut app, fairdeal::ui::app::Event::Size(60, 20));
    assert!(footer(&app).contains("q leave"));
}
