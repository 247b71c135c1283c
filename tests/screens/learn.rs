//! The lessons: what is wanted is legal, keys alone lead to the end, and wrong ones say why.

use fairdeal::{
    game::Stage,
    ui::app::{
        App, Effect, Page,
        learn::{Goal, Learn},
        lessons::LESSONS,
    },
    ui::look::Look,
};

use crate::support::{app, golden, press, screen, seat};

/// For each lesson keys that do what is wanted; others that do not, and what is said to them.
const KEYS: [(&str, &str, &str); 15] = [
    ("g", "p", "Not that one: look at the large numbers"),
    ("Space Enter", "Enter", "this hand has no group"),
    ("a c Enter", "a d Enter", "5 1 is not a set: the numbers in a run must be consecutive"),
    ("d g Enter", "a b Enter", "Allowed, but show the run"),
    ("a c Enter", "d Enter", "a single card does not beat a run of 3"),
    ("c e Enter", "c d Enter", "a run of 2 from 6 does not beat a group of 2 (6s)"),
    ("a b Enter", "Tab Tab Enter", "Allowed, but you can beat the 6s with two cards"),
    ("s d Enter", "a Enter", "a single card does not beat a run of 3"),
    ("s Tab Space e Enter", "s Tab e Enter", "Scouting is allowed, but s Tab Space e makes two 2s"),
    ("x d Enter c e Enter", "x a Enter a Enter", "a single card does not beat a run of 2"),
    ("x", "s Enter", "Scouting is allowed, but press x"),
    ("a c Enter", "x a Enter Tab Enter", "Allowed, but show all"),
    ("s Enter", "a Enter", "a single card does not beat a run of 3"),
    ("a Enter", "s", "there is nothing to scout: the table is empty"),
    ("s Enter", "x", "two players play without Scout & Show"),
];

fn learning(columns: u16, rows: u16) -> App {
    let mut app = app(columns, rows);
    press(&mut app, "Down Down Down Enter");
    app
}

fn lesson(app: &App) -> &Learn {
    match &app.page {
        Page::Learn(learn) => learn,
        other => panic!("no lesson: {other:?}"),
    }
}

/// What is said of the keys, in the lesson's words and in the line above the footer.
fn words(app: &App) -> String {
    let told: Vec<&str> = lesson(app).table.log.iter().map(|told| told.text.as_str()).collect();
    format!("{}\n{:?}", told.join("\n"), lesson(app).said())
}

#[test]
fn keys_alone_lead_through_all_lessons_back_home() {
    let mut app = learning(80, 24);
    for (at, (keys, ..)) in KEYS.iter().enumerate() {
        assert_eq!((lesson(&app).at, lesson(&app).done), (at, false));
        let effects = press(&mut app, keys);
        assert!(effects.is_empty(), "nothing leaves a lesson: {effects:?}");
        assert!(lesson(&app).done, "{keys} in\n{}", screen(&app));
        assert!(words(&app).contains(LESSONS[at].done));
        press(&mut app, "Esc");
        assert!(!lesson(&app).done, "Esc begins it again");
        press(&mut app, &format!("{keys} Enter"));
    }
    assert!(matches!(app.page, Page::Home));
}

#[test]
fn a_wrong_key_in_each_lesson_says_why_and_changes_nothing() {
    for (at, (_, keys, why)) in KEYS.iter().enumerate() {
        let mut app = learning(80, 24);
        app.page = Page::Learn(Box::new(Learn::new(at).expect("a lesson")));
        let before = lesson(&app).table.now.view;
        press(&mut app, keys);
        assert!(!lesson(&app).done, "lesson {}", at + 1);
        assert!(words(&app).contains(why), "lesson {}: {}", at + 1, words(&app));
        assert_eq!(lesson(&app).table.now.view, before);
        assert!(lesson(&app).table.is_asked() || lesson(&app).table.is_choosing());
    }
}

#[test]
fn a_card_is_found_with_a_second_letter_and_with_arrows() {
    for keys in ["p b g", "Right Right Right Right Right Right Right"] {
        let mut app = learning(80, 24);
        press(&mut app, keys);
        assert!(lesson(&app).done, "{keys}:\n{}", screen(&app));
    }
}

#[test]
fn each_position_is_legal_and_so_is_what_is_wanted() {
    for lesson in &LESSONS {
        let game = lesson.game().unwrap_or_else(|| panic!("{}: no position", lesson.title));
        let own = seat(1);
        assert!(game.round().expect("a round").hand(own).is_seen(), "{}", lesson.title);
        let wanted = match &lesson.goal {
            Goal::Do(wanted) => *wanted,
            Goal::Scout => &["scout left 1"],
            Goal::Choose(_) | Goal::Press(_) => continue,
        };
        if game.stage() == Stage::Choice {
            assert!(matches!(wanted, ["keep" | "flip"]), "{}", lesson.title);
            continue;
        }
        assert_eq!(game.stage(), Stage::Turn(own), "{}", lesson.title);
        let mut found = Vec::new();
        game.round().expect("a round").for_each_action(|action| {
            found.extend(lesson.goal.is(action).then(|| action.to_string()));
        });
        for wanted in wanted {
            assert!(found.iter().any(|found| found == wanted), "{}: {wanted}", lesson.title);
        }
    }
}

#[test]
fn every_word_of_a_lesson_is_in_sight_also_on_the_smallest_screen() {
    let seen = |app: &App, words: &str| {
        let drawn = screen(app);
        for word in words.split(' ') {
            let word = word.trim_end_matches(['.', ',', ':']);
            assert!(drawn.contains(word), "{word:?} of {words:?} is not in\n{drawn}");
        }
    };
    for (columns, rows) in [(60, 20), (80, 24), (120, 40)] {
        for (at, (keys, ..)) in KEYS.iter().enumerate() {
            let mut app = learning(columns, rows);
            app.look = Look { ascii: true, colour: false };
            let mut shown = Learn::new(at).expect("a lesson");
            app.page = Page::Learn(Box::new(shown.clone()));
            seen(&app, LESSONS[at].title);
            seen(&app, LESSONS[at].words);
            shown.tell_other(false);
            app.page = Page::Learn(Box::new(shown));
            if rows > 20 {
                seen(&app, LESSONS[at].words);
            }
            seen(&app, LESSONS[at].other);
            press(&mut app, keys);
            seen(&app, LESSONS[at].done);
            assert!(screen(&app).is_ascii(), "{}", screen(&app));
        }
    }
}

#[test]
fn leaving_a_lesson_needs_no_question() {
    let mut app = learning(80, 24);
    press(&mut app, "Esc Esc Esc");
    assert!(matches!(app.page, Page::Learn(_)), "Esc never leaves");
    press(&mut app, "q");
    assert!(matches!(app.page, Page::Home));
    let mut app = learning(80, 24);
    app.once = true;
    assert!(matches!(press(&mut app, "q")[..], [Effect::Exit(false)]));
    assert!(matches!(press(&mut app, "C-c")[..], [Effect::Exit(true)]));
}

#[test]
fn lessons_are_drawn() {
    for (columns, rows) in [(80, 24), (120, 40)] {
        // A choice, a scout, and the end of a round with its points.
        for at in [1, 7, 12] {
            let mut app = learning(columns, rows);
            app.page = Page::Learn(Box::new(Learn::new(at).expect("a lesson")));
            let name = |state| format!("learn-{}-{state}-{columns}x{rows}.txt", at + 1);
            golden(&name("try"), &app);
            press(&mut app, KEYS[at].0);
            golden(&name("done"), &app);
        }
    }
}
