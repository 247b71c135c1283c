//! Recorded games on the screen: what keys do, and what is drawn.

use fairdeal::{
    bot::Bot,
    game::{BySeat, Players, Seat, Slot},
    protocol::{
        lobby::DealKind,
        log::{
            file::{MAGIC, frame},
            verify::read_open,
        },
        table::{Fact, Phase, Table},
    },
    run::{Seen, SittingEvent},
    sim::{Cast, Lockstep},
    store::{Checked, FinishedGame, Totals},
    ui::app::{
        App, Effect, Event, Page,
        replay::{Replay, Shown, Step, Verdict},
        update,
    },
};

use crate::support::{TABLE, app, game, golden, press, screen, seat, snapshot};

/// The log of a game of bots, played until the table is as wanted.
fn played(seats: u8, deal: DealKind, wanted: fn(&Table) -> bool) -> Vec<u8> {
    let cast = Cast { seats, deal, seed: 7 };
    let mut table = Lockstep::new(cast, Bot::Greedy);
    assert!(table.run_until(wanted), "the game comes to that");
    let records = table.sessions[0].log().iter().flat_map(|record| frame(record));
    MAGIC.iter().copied().chain(records).collect()
}

fn whole() -> Vec<u8> {
    played(3, DealKind::Open, |table| table.phase() == Phase::Complete)
}

/// A sealed game in its first round, after some turns.
fn sealed(seats: u8) -> Vec<u8> {
    played(seats, DealKind::Sealed, |table| {
        let round = table.game().round();
        round.is_some_and(|round| round.owner().is_some() && round.scouted().count() > 0)
    })
}

fn open(bytes: &[u8], columns: u16, rows: u16) -> App {
    let mut app = app(columns, rows);
    let replay = Replay::read(bytes, "game.fairdeal").expect("a game");
    update(&mut app, Event::Replay(Box::new(replay)));
    app
}

fn replay(app: &App) -> &Replay {
    match &app.page {
        Page::Replay(replay) => replay,
        other => panic!("no replay: {other:?}"),
    }
}

fn step(app: &App) -> &Step {
    replay(app).step().expect("a step")
}

/// Round and turn.
fn place(app: &App) -> (u8, u32) {
    (step(app).round, step(app).turn)
}

#[test]
fn keys_step_and_jump_and_stay_inside() {
    let mut app = open(&whole(), 80, 24);
    press(&mut app, "Left");
    assert_eq!(replay(&app).at, 0);
    press(&mut app, "Right l Right h");
    assert_eq!(replay(&app).at, 2);
    press(&mut app, "n");
    assert_eq!((place(&app), replay(&app).at), ((2, 0), replay(&app).at));
    press(&mut app, "g 1 2 Enter");
    assert_eq!(place(&app), (2, 12));
    press(&mut app, "p");
    assert_eq!(place(&app), (2, 0), "first to the deal of this round");
    press(&mut app, "p");
    assert_eq!(place(&app), (1, 0));
    press(&mut app, "g 9 9 9 Enter");
    assert!(screen(&app).contains("the round has the turns 0 to"), "{}", screen(&app));
    press(&mut app, "Esc");
    assert_eq!(place(&app), (1, 0));
    press(&mut app, "End Right");
    let last = replay(&app).steps.len() - 1;
    assert_eq!(replay(&app).at, last);
    press(&mut app, "Home");
    assert_eq!(replay(&app).at, 0);
    press(&mut app, "n n n n n n");
    assert_eq!(replay(&app).at, last);
}

#[test]
fn it_goes_on_by_itself_at_a_speed_until_a_key_or_the_end() {
    let mut app = open(&whole(), 80, 24);
    assert_eq!(app.pause(), None);
    update(&mut app, Event::Tick);
    assert_eq!(replay(&app).at, 0);
    press(&mut app, "Space");
    let slow = app.pause().expect("a pause");
    press(&mut app, "+ +");
    assert!(app.pause().expect("a pause") < slow, "faster");
    press(&mut app, "- -");
    assert_eq!(app.pause(), Some(slow));
    update(&mut app, Event::Tick);
    update(&mut app, Event::Tick);
    assert_eq!(replay(&app).at, 2);
    press(&mut app, "Left");
    assert_eq!((replay(&app).at, app.pause()), (1, None), "whoever steps wants to look");
    press(&mut app, "End Left Space");
    update(&mut app, Event::Tick);
    assert_eq!(app.pause(), None, "the end");
    press(&mut app, "Space ?");
    assert_eq!(app.pause(), None, "help waits");
}

#[test]
fn one_hand_all_or_none() {
    let mut app = open(&whole(), 80, 24);
    press(&mut app, "n g 4 Enter");
    let seen = |app: &App, who: Seat| !replay(app).hand(who).contains(&Slot::Sealed);
    assert!((1..=3).all(|number| seen(&app, seat(number))), "all at first");
    press(&mut app, "2");
    assert_eq!(replay(&app).shown, Shown::One(seat(2)));
    assert!(seen(&app, seat(2)) && !seen(&app, seat(1)) && !seen(&app, seat(3)));
    assert!(screen(&app).contains("The hand of Ben"), "{}", screen(&app));
    press(&mut app, "5");
    assert_eq!(replay(&app).shown, Shown::One(seat(2)), "there is no seat 5");
    press(&mut app, "0");
    assert!((1..=3).all(|number| !seen(&app, seat(number))));
    press(&mut app, "a");
    assert!((1..=3).all(|number| seen(&app, seat(number))));
}

#[test]
fn every_step_follows_from_the_one_before_and_the_last_has_the_points() {
    let replay = Replay::read(&whole(), "game").expect("a game");
    assert!(matches!(replay.verdict, Verdict::Complete(_)));
    for pair in replay.steps.windows(2) {
        let [before, after] = pair else { panic!("two") };
        assert!((before.round, before.turn) <= (after.round, after.turn), "{}", after.words);
        assert_eq!(after.open.totals(), after.public.totals(), "{}", after.words);
    }
    let last = replay.steps.last().expect("a step");
    assert!(last.words.contains("The game is over"), "{}", last.words);
}

#[test]
fn unfinished_and_wrong_files_are_shown_as_far_as_they_go() {
    let bytes = sealed(4);
    let mut app = open(&bytes, 80, 24);
    assert!(matches!(replay(&app).verdict, Verdict::Unfinished(_)));
    press(&mut app, "End");
    assert!(screen(&app).contains("unfinished"), "{}", screen(&app));
    assert!((1..=4).all(|number| replay(&app).hand(seat(number)).contains(&Slot::Sealed)));

    let mut broken = whole();
    let at = broken.len() - 40;
    broken[at] ^= 1;
    let mut app = open(&broken, 120, 40);
    let Verdict::Wrong(why) = &replay(&app).verdict else { panic!("it is wrong") };
    assert!(why.starts_with("record "), "{why}");
    press(&mut app, "End");
    assert!(screen(&app).contains("What follows is wrong"), "{}", screen(&app));
    assert!(Replay::read(b"no game", "x").is_err());
}

#[test]
fn the_list_of_finished_games_fills_while_each_is_checked_once() {
    let kept = |name: &str| FinishedGame { day: "2026-01-02".into(), path: name.into() };
    let mut app = app(80, 24);
    app.facts.replays = vec![kept("a.fairdeal"), kept("b.fairdeal")];
    let open = "Down Down Down Enter";
    let effects = press(&mut app, open);
    assert!(matches!(&effects[..], [Effect::Check(paths)] if paths.len() == 2), "{effects:?}");
    let roster = snapshot(game(TABLE), seat(1), &["Ana", "Ben", "Cy"]).roster;
    let totals = [12, 7, -3];
    let totals = BySeat::from_fn(Players::THREE, |seat| totals[seat.index()]);
    let checked = Checked::Verified(Totals { roster, totals });
    update(&mut app, Event::Checked("a.fairdeal".into(), checked));
    golden("replays-80x24.txt", &app);
    let words = "record 9 at byte 800: the signature is not its seat's";
    let checked = Checked::Wrong(words.into());
    update(&mut app, Event::Checked("b.fairdeal".into(), checked));
    assert!(screen(&app).contains("2026-01-02  WRONG       b: record 9"), "{}", screen(&app));
    let effects = press(&mut app, "Esc Enter");
    assert!(
        effects.iter().all(|effect| !matches!(effect, Effect::Check(paths) if !paths.is_empty()))
    );
    assert!(matches!(&press(&mut app, "Down Enter")[..], [Effect::Read(_)]));
}

#[test]
fn only_leaving_ends_a_replay_that_the_program_was_started_for() {
    let mut app = open(&whole(), 80, 24);
    app.once = true;
    assert!(press(&mut app, "Esc").is_empty());
    assert!(matches!(app.page, Page::Replay(_)));
    assert!(!press(&mut app, "q").is_empty());
    app.once = false;
    press(&mut app, "Esc");
    assert!(matches!(app.page, Page::Home));
}

#[test]
fn the_points_of_five_seats_fit_the_smallest_usual_screen() {
    let whole = played(5, DealKind::Open, |table| table.phase() == Phase::Complete);
    let mut app = open(&whole, 80, 24);
    press(&mut app, "n n Left");
    assert_eq!(step(&app).reckoning.len(), 5, "{}", step(&app).words);
    let drawn = screen(&app);
    for line in &step(&app).reckoning {
        assert!(drawn.contains(line.trim_end()), "{line:?} is not in\n{drawn}");
    }
    let name = |number| replay(&app).story.name(seat(number));
    let below = drawn.split("All hands").nth(1).expect("the hands");
    assert!((1..=5).all(|number| below.contains(&name(number))), "{drawn}");
    golden("replay-points-80x24.txt", &app);
}

#[test]
fn it_is_drawn() {
    let whole = whole();
    let five = sealed(5);
    for (columns, rows) in [(80, 24), (120, 40)] {
        let size = format!("{columns}x{rows}");
        let mut app = open(&whole, columns, rows);
        press(&mut app, "n g 9 Enter");
        golden(&format!("replay-all-{size}.txt"), &app);
        press(&mut app, "1 Space");
        golden(&format!("replay-one-{size}.txt"), &app);
        press(&mut app, "End Left Left Left");
        golden(&format!("replay-late-{size}.txt"), &app);
        let mut app = open(&five, columns, rows);
        press(&mut app, "End");
        golden(&format!("replay-sealed-{size}.txt"), &app);
    }
}

/// The log of an open deal gives all cards away; one who watches is shown none that is not shown.
#[test]
fn a_watched_game_grows_and_shows_no_hand() {
    let mut app = app(80, 24);
    let mut begun = false;
    read_open(&whole(), |table, _, _, facts| {
        if !std::mem::replace(&mut begun, true) {
            update(&mut app, SittingEvent::Seen(Seen::Begun(Box::new(table.roster().clone()))));
        }
        for fact in facts {
            let at = replay(&app).at;
            update(&mut app, SittingEvent::Seen(Seen::Fact(fact.clone())));
            assert!(replay(&app).at >= at);
            for key in ["a", "1", "0"] {
                press(&mut app, key);
                let seats = table.players().seats();
                let mut cards = seats.flat_map(|seat| replay(&app).hand(seat));
                assert!(cards.all(|card| !matches!(card, Slot::Seen(_))), "{}", screen(&app));
            }
        }
    })
    .expect("a game");
    assert!(replay(&app).steps.len() > 50 && replay(&app).verdict == Verdict::Watched(true));
    assert!(screen(&app).contains("you watched; the game is over"), "{}", screen(&app));
    // Who looks back stays there.
    press(&mut app, "Home");
    update(&mut app, SittingEvent::Seen(Seen::Fact(Fact::Audited { deal: 1 })));
    assert_eq!(replay(&app).at, 0);
}
