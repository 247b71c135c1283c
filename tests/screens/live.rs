//! What happens at a live table: one move after another, and every open fact in sight.

use fairdeal::{
    game::{Action, Card},
    protocol::{session::News, table::Fact},
    run::{SittingEvent, ToPlayer},
    ui::app::{App, Effect, Event, update},
};

use crate::support::{drawing, game, press, screen, seat, seated, snapshot, table};

/// As Ana (seat 1) knows it: Ben has scouted her 7/3 to place 1, Cy has 1/2 of Ben's.
const SEEN: &str = "\
scout 1
players 3
seat 1 Ana
seat 2 Ben
seat 3 Cy
round 1 start 2
deal 1 7/3 8/1 9/2 4/6 5/9 5/1 6/2 3/8 1/4 9/6 2/4 7/1
deal 2 ? ? ? ? ? ? ? ? ? ? ? ?
deal 3 ? ? ? ? ? ? ? ? ? ? ? ?
1 keep
2 keep
3 keep
2 show 3 = 2/1
3 scout left 5 ?
1 show 1
2 scout left 1 ?
";

#[test]
fn cards_scouted_in_the_open_are_known_in_the_hand_they_went_to() {
    for (columns, rows) in [(60, 20), (80, 24), (120, 40), (200, 60)] {
        let mut app = seated(&format!("{SEEN}3 show 1 = 9/8\n"), 1, columns, rows);
        let drawn = screen(&app);
        let backs = |count| "\u{2592}".repeat(count);
        assert!(drawn.contains(&format!("Ben        3|7 {}", backs(11))), "{drawn}");
        let cy = format!("Cy         {} 1|2 {}", backs(3), backs(8));
        assert!(drawn.contains(&cy), "{drawn}");
        app.look.ascii = true;
        assert!(screen(&app).contains("Cy         ### 1|2 ########"), "{}", screen(&app));
    }
}

fn acted(number: u8, action: &str, shown: &[&str]) -> SittingEvent {
    let action: Action = action.parse().expect("an action");
    let shown: Vec<Card> = shown.iter().map(|card| card.parse().expect("a card")).collect();
    let fact = Fact::Acted { seat: seat(number), action, shown };
    SittingEvent::Told(ToPlayer::News(News::Fact(fact)))
}

/// Ana has shown; Ben and Cy move at once, and then it is her turn.
fn moves(app: &mut App) -> Vec<Effect> {
    let after = game(&format!("{SEEN}3 show 1 = 9/8\n"));
    let now = snapshot(after, seat(1), &["Ana", "Ben", "Cy"]);
    let mut effects = Vec::new();
    effects.extend(update(app, acted(2, "scout left 1", &[])));
    effects.extend(update(app, acted(3, "show 1", &["9/8"])));
    effects.extend(update(app, SittingEvent::Told(ToPlayer::State(Box::new(now)))));
    effects
}

fn waiting() -> App {
    let before = SEEN.strip_suffix("2 scout left 1 ?\n").expect("the last move");
    seated(before, 1, 80, 24)
}

#[test]
fn moves_of_others_come_one_after_another() {
    let mut app = waiting();
    assert!(app.pause().is_none());
    assert!(moves(&mut app).is_empty(), "no bell before it is her turn on the screen");
    let drawn = screen(&app);
    assert!(drawn.contains("Ben scouts 7/3") && !drawn.contains("Cy shows"), "{drawn}");
    assert!(drawn.contains("The table is empty"), "as it stood after Ben's move: {drawn}");
    assert!(!table(&app).is_asked());
    assert!(app.pause().is_some_and(|pause| pause.as_millis() == 600));
    let effects = update(&mut app, Event::Tick);
    let drawn = screen(&app);
    assert!(drawn.contains("Cy shows 9/8") && drawn.contains("Cy's single card"), "{drawn}");
    assert!(table(&app).is_asked(), "the last move needs no wait");
    assert!(effects.iter().any(|effect| matches!(effect, Effect::Bell)), "{effects:?}");
}

#[test]
fn any_key_goes_to_the_end_and_does_what_it_does() {
    let mut app = waiting();
    moves(&mut app);
    press(&mut app, "s");
    assert!(screen(&app).contains("Cy shows 9/8"), "{}", screen(&app));
    assert!(table(&app).scout().is_some(), "it is her turn: s scouts");
    assert!(table(&app).held.is_empty() && app.pause().is_none());
}

#[test]
fn whoever_has_missed_many_moves_sees_the_end_at_once() {
    let mut app = waiting();
    for _ in 0..20 {
        update(&mut app, acted(2, "scout left 1", &[]));
    }
    assert!(table(&app).held.len() <= 8);
}

#[test]
fn new_lines_are_marked_names_have_colours_and_older_lines_can_be_read() {
    let mut app = waiting();
    moves(&mut app);
    update(&mut app, Event::Tick);
    let drawn = screen(&app);
    assert!(drawn.contains("\u{2022} Cy shows 9/8"), "{drawn}");
    let row = drawn.lines().position(|line| line.contains("\u{2022} Cy shows")).expect("a row");
    let buffer = drawing(&app);
    let x = (0..80).find(|x| buffer[(*x, row as u16)].symbol() == "\u{2022}").expect("the mark");
    let colour = app.look.name(2).fg.expect("a colour");
    assert_eq!(buffer[(x + 2, row as u16)].fg, colour, "Cy");
    assert_ne!(buffer[(x + 5, row as u16)].fg, colour, "shows");
    if let fairdeal::ui::app::Page::Table(table) = &mut app.page {
        table.log = (0..40)
            .map(|line| fairdeal::ui::app::table::Told {
                text: format!("line {line}"),
                fresh: false,
            })
            .collect();
    }
    assert!(screen(&app).contains("line 39"));
    press(&mut app, "PgUp PgUp PgUp");
    let drawn = screen(&app);
    assert!(!drawn.contains("line 39") && drawn.contains("line 27"), "{drawn}");
    press(&mut app, "PgDn PgDn PgDn PgDn");
    assert!(screen(&app).contains("line 39"));
}
