//! A table, keys, and the table after.

use std::time::Duration;

use fairdeal::{
    protocol::table::Phase,
    run::{Begin, FromPlayer, Presence, SittingEvent, ToPlayer},
    ui::app::{Effect, Event, Over, Page, said::Said, update},
};

use crate::support::{TABLE, app, game, golden, press, screen, seat, seated, snapshot, table};

/// What the line above the footer says after the keys.
fn said(keys: &str) -> Said {
    let mut app = seated(TABLE, 1, 80, 24);
    press(&mut app, keys);
    table(&app).said()
}

/// What is sent to the table after the keys, as text.
fn sent(text: &str, keys: &str) -> Vec<String> {
    let mut app = seated(text, 1, 80, 24);
    let orders = press(&mut app, keys).into_iter().filter_map(|effect| match effect {
        Effect::Order(FromPlayer::Act(action)) => Some(action.to_string()),
        Effect::Order(FromPlayer::Choose(flip)) => Some(if flip { "flip" } else { "keep" }.into()),
        Effect::Order(FromPlayer::Leave) => Some("leave".into()),
        _ => None,
    });
    orders.collect()
}

fn will(words: &str) -> Said {
    Said::Will(words.into())
}

fn cannot(words: &str) -> Said {
    Said::Cannot(words.into())
}

#[test]
fn two_letters_show_a_range_and_the_line_says_what_will_happen() {
    assert_eq!(said("a c"), will("shows 7 8 9 · beats Cy's group of 2 · captures 2"));
}

#[test]
fn what_is_not_possible_says_why_in_the_words_of_the_rules() {
    let why = "a single card does not beat a group of 2";
    assert_eq!(said("a"), cannot(why));
    let why = "9 4 is not a set: the numbers in a run must be consecutive";
    assert_eq!(said("c d"), cannot(why));
}

#[test]
fn enter_sends_what_the_line_says_once() {
    assert_eq!(sent(TABLE, "a c Enter Enter Enter"), ["show 1-3"]);
    assert_eq!(sent(TABLE, "d Enter"), Vec::<String>::new());
}

#[test]
fn arrows_and_letters_and_hjkl_choose_alike() {
    for keys in [
        "a c Enter",
        "c a Enter",
        "Right Space Right Right Enter",
        "l l l Space h h Enter",
        "Right S-Right S-Right Enter",
    ] {
        assert_eq!(sent(TABLE, keys), ["show 1-3"], "{keys}");
    }
    let mut app = seated(TABLE, 1, 80, 24);
    press(&mut app, "Right Right Space Right");
    let chosen = table(&app).chosen().map(|span| (span.first(), span.last()));
    assert_eq!(chosen, Some((1, 2)));
}

#[test]
fn tab_goes_through_what_can_be_shown() {
    let mut app = seated(TABLE, 1, 80, 24);
    let shows = table(&app).shows();
    for span in &shows {
        press(&mut app, "Tab");
        assert_eq!(table(&app).chosen(), Some(*span));
        assert!(matches!(table(&app).said(), Said::Will(_)));
    }
    press(&mut app, "Tab BackTab");
    assert_eq!(table(&app).chosen(), shows.last().copied());
}

#[test]
fn a_scout_is_an_end_a_place_and_a_side() {
    assert_eq!(sent(TABLE, "s Enter"), ["scout left 1"]);
    assert_eq!(sent(TABLE, "s Tab e Space Enter"), ["scout right 5 flip"]);
    assert_eq!(sent(TABLE, "s Right Right Up Enter"), ["scout left 3 flip"]);
    assert_eq!(said("s"), will("takes 2 (left end) to a · Cy gets a chip"));
    let mut app = seated(TABLE, 1, 80, 24);
    press(&mut app, "s c");
    let (hand, new) = table(&app).hand();
    assert_eq!((hand.len(), new), (13, Some(2)));
}

#[test]
fn scout_and_show_is_one_action_and_escape_takes_it_back_step_by_step() {
    assert_eq!(sent(TABLE, "x a Enter b d Enter"), ["scout left 1 + show 2-4"]);
    let mut app = seated(TABLE, 1, 80, 24);
    press(&mut app, "x a Enter b d Esc Esc Esc");
    assert_eq!((table(&app).chosen(), table(&app).scout()), (None, None));
    press(&mut app, "Esc Esc Esc");
    assert!(app.over.is_none(), "Esc never leaves");
}

#[test]
fn not_on_the_own_turn_nothing_is_sent() {
    let mut app = seated(TABLE, 2, 80, 24);
    let effects = press(&mut app, "a Enter s x Enter");
    assert!(effects.is_empty(), "{effects:?}");
    assert_eq!(table(&app).said(), cannot("it is not your turn"));
}

#[test]
fn keep_or_flip_is_chosen_once() {
    let text = TABLE.split("1 keep").next().expect("the deal");
    assert_eq!(sent(text, "Enter Enter"), ["keep"]);
    assert_eq!(sent(text, "Down Up j Enter"), ["flip"]);
    assert_eq!(sent(text, "f Enter"), ["flip"]);
}

#[test]
fn a_decision_is_open_again_when_the_table_has_moved_on_or_did_not_take_it() {
    let mut app = seated(TABLE, 1, 80, 24);
    press(&mut app, "s Enter");
    assert!(!table(&app).is_asked());
    update(&mut app, SittingEvent::Told(ToPlayer::NotTaken("not yet".into())));
    assert!(table(&app).is_asked());
    press(&mut app, "s Enter");
    let text = format!("{TABLE}1 scout left 1\n2 show 1\n3 show 8\n");
    let now = snapshot(game(&text), seat(1), &["Ana", "Ben", "Cy"]);
    update(&mut app, SittingEvent::Told(ToPlayer::State(Box::new(now))));
    assert!(table(&app).is_asked());
}

#[test]
fn leaving_asks_and_a_second_interrupt_leaves_at_once() {
    assert_eq!(sent(TABLE, "q"), [""; 0]);
    assert_eq!(sent(TABLE, "q Esc Enter"), [""; 0]);
    assert_eq!(sent(TABLE, "q y"), ["leave"]);
    let mut app = seated(TABLE, 1, 80, 24);
    assert!(press(&mut app, "C-c").is_empty());
    assert!(matches!(app.over, Some(Over::Leave)));
    assert!(matches!(press(&mut app, "C-c")[..], [Effect::Exit(true)]));
}

#[test]
fn a_cramped_terminal_takes_no_game_keys() {
    let mut app = seated(TABLE, 1, 59, 24);
    assert!(press(&mut app, "a c Enter q").is_empty());
    assert!(app.over.is_none());
    update(&mut app, Event::Size(80, 24));
    assert_eq!(press(&mut app, "a c Enter").len(), 2);
}

#[test]
fn two_keys_from_the_home_screen_to_a_game_against_two_bots() {
    let mut app = app(80, 24);
    app.facts.name = None;
    let effects = press(&mut app, "Enter Enter");
    let begun = effects.iter().find_map(|effect| match effect {
        Effect::Begin(Begin::Alone { players, .. }) => Some(players.count()),
        _ => None,
    });
    assert_eq!(begun, Some(3));
    assert!(matches!(app.page, Page::Wait(_)));
}

#[test]
fn a_pasted_line_joins_with_and_without_the_command() {
    for text in ["fairdeal join 192.168.1.5", "192.168.1.5"] {
        let mut app = app(80, 24);
        press(&mut app, "Down Down Enter");
        update(&mut app, Event::Paste(text.into()));
        let effects = press(&mut app, "Enter");
        assert!(matches!(effects[..], [Effect::Begin(Begin::Join { .. })]), "{effects:?}");
    }
}

/// What the keys tell the table.
fn orders(app: &mut fairdeal::ui::app::App, keys: &str) -> Vec<FromPlayer> {
    let orders = press(app, keys).into_iter().filter_map(|effect| match effect {
        Effect::Order(order) => Some(order),
        _ => None,
    });
    orders.collect()
}

/// A table at which Cy (seat 3) is asked for a turn and silent for 70 s.
fn silent(columns: u16, rows: u16) -> fairdeal::ui::app::App {
    let mut app = seated(TABLE, 1, columns, rows);
    let mut now = table(&app).now.clone();
    let cy = seat(3);
    (now.phase, now.awaited, now.asks) = (Phase::Turn(cy), vec![cy], false);
    (now.waited, now.overdue) = (Duration::from_secs(70), vec![cy]);
    update(&mut app, SittingEvent::Told(ToPlayer::State(Box::new(now))));
    app
}

#[test]
fn a_silent_seat_can_be_gone_on_without_and_need_not() {
    let mut app = silent(80, 24);
    let words = "Cy silent for 1:10. Press ! to propose playing on, or wait.";
    assert_eq!(table(&app).said(), Said::Hint(words.into()));
    golden("silent-80x24.txt", &app);
    assert_eq!(orders(&mut app, "!"), [FromPlayer::GoOnWithout(seat(3))]);
    let mut now = table(&app).now.clone();
    now.claimed = vec![(seat(3), vec![seat(1), seat(2)])];
    update(&mut app, SittingEvent::Told(ToPlayer::State(Box::new(now))));
    let words = "You propose to play on without Cy; the others have not agreed yet.";
    assert_eq!(table(&app).said(), Said::Hint(words.into()));
    let log = table(&app).log.last().expect("a line");
    assert_eq!(log.text, "Ben proposes to play on without Cy.");
    golden("silent-120x40.txt", &{
        let mut app = silent(120, 40);
        press(&mut app, "!");
        app
    });
}

#[test]
fn nobody_is_gone_on_without_who_is_not_overdue() {
    let mut app = seated(TABLE, 1, 80, 24);
    assert_eq!(orders(&mut app, "!"), []);
    assert_eq!(said("!"), cannot("nobody keeps you waiting"));
}

#[test]
fn leaving_is_for_now_or_for_good() {
    for (keys, order) in [("q y", FromPlayer::Leave), ("q w", FromPlayer::Withdraw)] {
        let mut app = seated(TABLE, 1, 80, 24);
        assert_eq!(orders(&mut app, keys), [order]);
    }
}

#[test]
fn the_clock_of_a_turn_counts_down_and_then_says_so() {
    let mut app = silent(80, 24);
    let mut now = table(&app).now.clone();
    now.roster.terms.clock_s = 90;
    let row = |app: &fairdeal::ui::app::App| {
        screen(app).lines().find(|line| line.contains("Cy")).expect("a row").to_owned()
    };
    update(&mut app, SittingEvent::Told(ToPlayer::State(Box::new(now.clone()))));
    assert!(row(&app).ends_with("0:20 left"), "{}", row(&app));
    now.waited = Duration::from_secs(90);
    update(&mut app, SittingEvent::Told(ToPlayer::State(Box::new(now))));
    assert!(row(&app).ends_with("time is up"), "{}", row(&app));
}

/// The row of Cy (seat 3) on this screen.
fn row_of_cy(app: &fairdeal::ui::app::App) -> String {
    screen(app).lines().find(|line| line.contains("Cy")).expect("a row").to_owned()
}

#[test]
fn who_is_away_is_shown_in_the_row_with_how_long() {
    for (columns, rows) in [(60, 20), (80, 24), (120, 40)] {
        let mut app = silent(columns, rows);
        let mut now = table(&app).now.clone();
        (now.presence[2], now.roster.joins[2].kept_by) = (Presence::Away, None);
        update(&mut app, SittingEvent::Told(ToPlayer::State(Box::new(now.clone()))));
        let words = if columns < 80 { "  AWAY" } else { "  AWAY, silent 1:10" };
        assert!(row_of_cy(&app).ends_with(words), "{}", screen(&app));
        now.awaited = vec![seat(1)];
        update(&mut app, SittingEvent::Told(ToPlayer::State(Box::new(now.clone()))));
        assert!(row_of_cy(&app).ends_with("AWAY"), "{}", screen(&app));
        // A bot is away with the program that runs it: Ben's.
        (now.presence[1], now.presence[2]) = (Presence::Away, Presence::Here);
        now.roster.joins[2].kept_by = Some(1);
        update(&mut app, SittingEvent::Told(ToPlayer::State(Box::new(now))));
        assert!(row_of_cy(&app).ends_with("AWAY"), "{}", screen(&app));
    }
}

/// What `!` says at a table of three with these bots of the player's, where Cy is waited for.
fn why_not(bots: &[usize], change: impl Fn(&mut fairdeal::run::Snapshot)) -> String {
    let mut app = silent(80, 24);
    let mut now = table(&app).now.clone();
    for (index, join) in now.roster.joins.iter_mut().enumerate() {
        join.kept_by = bots.contains(&index).then_some(0);
    }
    now.overdue.clear();
    change(&mut now);
    update(&mut app, SittingEvent::Told(ToPlayer::State(Box::new(now))));
    assert_eq!(orders(&mut app, "!"), []);
    match table(&app).said() {
        Said::Cannot(why) => why,
        other => panic!("{other:?}"),
    }
}

#[test]
fn where_nobody_can_be_played_on_without_it_says_why() {
    let bots = "beside you only your own bots are left, and they cannot vote Cy out. Wait, or \
                leave (q): the game is saved";
    assert_eq!(why_not(&[1], |_| {}), bots);
    let early = "Cy has 0:20 left before you can propose to play on";
    assert_eq!(why_not(&[], |now| now.waited = Duration::from_secs(40)), early);
    assert_eq!(why_not(&[], |now| now.awaited = vec![seat(1)]), "nobody keeps you waiting");
    assert_eq!(why_not(&[2], |_| {}), "Cy is a bot of yours: it plays by itself");
    let mut two = seated(crate::leave::TWO, 1, 80, 24);
    let mut now = table(&two).now.clone();
    (now.awaited, now.asks) = (vec![seat(2)], false);
    update(&mut two, SittingEvent::Told(ToPlayer::State(Box::new(now))));
    press(&mut two, "!");
    let why =
        "two players cannot play on without each other. Wait, or leave (q): the game is saved";
    assert_eq!(table(&two).said(), cannot(why));
}
