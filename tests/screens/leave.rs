//! Leaving says what it does, before and after, from wherever one leaves.

use fairdeal::{
    protocol::table::Phase,
    run::{FromPlayer, Presence, SittingEvent},
    ui::{
        app::{App, Effect, Page, update},
        leave::Leaving,
    },
};

use crate::support::{TABLE, app, game, press, screen, seat, seated, sits, snapshot};

/// Two players; Ana (seat 1) is asked.
pub const TWO: &str = "\
scout 1
players 2
seat 1 Ana
seat 2 Ben
round 1 start 2
deal 1 9/1 1/6 4/2 6/3 2/8 8/7 1/7 3/5 9/4 5/8 8/1
deal 2 ? ? ? ? ? ? ? ? ? ? ?
1 keep
2 keep
2 show 1-2 = 7/9 7/3
";

/// A table of so many people, seen from the first; the seats of these numbers are its bots.
fn company(players: u8, bots: &[u8]) -> App {
    let deal = match players {
        2 => TWO,
        3 => TABLE,
        _ => crate::support::LONG,
    };
    let names = ["Ana", "Ben", "Cy", "Dee", "Eli"];
    let mut now = snapshot(game(deal), seat(1), &names[..usize::from(players)]);
    for (index, join) in now.roster.joins.iter_mut().enumerate() {
        let bot = bots.contains(&(index as u8 + 1));
        join.kept_by = bot.then_some(0);
        now.presence[index] = if bot || index == 0 { Presence::Here } else { Presence::Away };
    }
    let mut app = app(80, 24);
    update(&mut app, sits(now, Vec::new()));
    app
}

/// What the box says, and what is said after each of these keys; none for one that stays.
fn told(app: &App, key: &str) -> (String, Option<String>) {
    let mut app = app.clone();
    press(&mut app, "q");
    let asked = inside(&screen(&app));
    let parting = press(&mut app, key).into_iter().find_map(|effect| match effect {
        Effect::Parting(words) => Some(words.to_string()),
        _ => None,
    });
    (asked, parting)
}

/// What stands in the box.
fn inside(drawn: &str) -> String {
    let mut rows = drawn.lines().map(|line| line.chars().collect::<Vec<char>>());
    let title: Vec<char> = "╭─ Leave?".chars().collect();
    let at = rows.find_map(|row| row.windows(title.len()).position(|part| part == title));
    let at = at.expect("the box");
    let within = rows.map(|row| row.into_iter().skip(at).collect::<String>());
    let within = within.take_while(|row| row.starts_with('│'));
    let lines: Vec<String> =
        within.map(|row| row.trim_matches('│').split('│').next().unwrap_or("").into()).collect();
    lines.join(" ").split_whitespace().collect::<Vec<_>>().join(" ")
}

fn says(app: &App, key: &str, before: &str, after: &str) {
    let (asked, parting) = told(app, key);
    assert!(asked.contains(before), "{before:?} is not in {asked}");
    assert_eq!(parting.as_deref(), Some(after));
}

const WAITS: &str = "the game is saved and the others wait.";

#[test]
fn for_now_the_others_wait() {
    let after = "The game is saved and the others wait: `fairdeal resume` brings you back.";
    says(&company(3, &[]), "y", &format!("y leave for now: {WAITS}"), after);
}

#[test]
fn for_good_one_of_three_ends_the_game_for_everyone() {
    let before = "w leave for good: this ENDS the game for everyone.";
    let after = "You left for good. That ends the game for everyone.";
    says(&company(3, &[]), "w", before, after);
    says(&company(2, &[]), "w", before, after);
}

#[test]
fn for_good_one_of_five_is_played_on_without() {
    let before = "w leave for good: the others play on without you.";
    let after = "You left for good. The game goes on without you.";
    says(&company(5, &[]), "w", before, after);
}

#[test]
fn a_host_takes_the_bots_along() {
    let before = "Your 2 bots leave with you. w leave for good: this ENDS the game for everyone.";
    let after = "You left for good. That ends the game for everyone.";
    says(&company(5, &[2, 4]), "w", before, after);
    let before = "Your bot leaves with you. w leave for good: the others play on without you.";
    let after = "You left for good. The game goes on without you.";
    says(&company(5, &[2]), "w", before, after);
}

#[test]
fn alone_nobody_waits_and_there_is_no_for_good() {
    let alone = company(3, &[2, 3]);
    let before = "The game is saved: continue it from the home screen, or with `fairdeal resume`.";
    says(&alone, "y", before, "The game is saved: `fairdeal resume` continues it.");
    let (asked, parting) = told(&alone, "w");
    assert!(!asked.contains("others") && !asked.contains("for good"), "{asked}");
    assert_eq!(parting, None, "w is no answer here");
}

#[test]
fn a_lobby_keeps_no_game() {
    let mut host = app(80, 24);
    update(&mut host, SittingEvent::Opened { invite: "deal1x".into(), words: None });
    let before = "Nobody has joined yet. Leaving closes your table.";
    says(&host, "y", before, "Your table is closed; no game had begun.");
    if let Page::Lobby(lobby) = &mut host.page {
        lobby.joins = snapshot(game(TABLE), seat(1), &["Ana", "Ben", "Cy"]).roster.joins;
    }
    let before = "Leaving closes your table for 1 guest. There is nothing to save";
    says(&host, "y", before, "Your table is closed; no game had begun.");
    let mut guest = host.clone();
    if let Page::Lobby(lobby) = &mut guest.page {
        lobby.host = false;
    }
    let back = "The same invite brings you back until the game begins.";
    let after = format!("You gave up your seat. {back}");
    says(&guest, "y", &format!("You give up your seat. {back}"), &after);
    for app in [&host, &guest] {
        assert!(!told(app, "w").0.contains("saved:"));
    }
}

#[test]
fn on_the_way_to_a_table_nothing_is_lost() {
    let mut app = app(80, 24);
    app.page = Page::Wait("Looking for the table …".into());
    says(&app, "y", "nothing is lost", "You left before you reached a table.");
}

#[test]
fn when_the_result_is_signed_there_is_no_game_to_wait_for() {
    let mut app = seated(TABLE, 1, 80, 24);
    if let Page::Table(table) = &mut app.page {
        (table.now.phase, table.now.awaited) = (Phase::Complete, Vec::new());
        assert_eq!(Leaving::table(&table.now), Leaving::Over);
    }
    let after = "The game is over and saved: `fairdeal resume` finishes its file.";
    says(&app, "y", "The result is signed.", after);
    let orders = press(&mut app, "q y");
    assert!(
        orders.iter().any(|effect| matches!(effect, Effect::Order(FromPlayer::Leave))),
        "{orders:?}"
    );
}
