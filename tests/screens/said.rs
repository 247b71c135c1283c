//! What Enter will do, or why it does nothing: whole on every screen, what matters first.

use fairdeal::{
    game::{Action, End, Scout, Side, Span},
    run::{SittingEvent, ToPlayer},
    ui::app::{App, Page, pick::Pick, said::Said, table::Draft, table::TablePage, update},
};

use crate::support::{LONG, NAMES, TABLE, app, game, press, screen, seat, seated, sits, snapshot};

/// From the smallest terminal that is played on to a large one.
const SIZES: [(u16, u16); 6] = [(60, 20), (61, 20), (60, 24), (80, 24), (120, 40), (200, 60)];

/// The words of what is said, with the mark before them.
fn words(said: &Said) -> String {
    let (mark, words) = match said {
        Said::Will(words) => ("Enter: ", words),
        Said::Cannot(words) => ("Not possible: ", words),
        Said::Hint(words) => ("", words),
    };
    format!("{mark}{words}")
}

/// The text without what breaking it into lines changes.
fn flat(text: &str) -> String {
    text.split_whitespace().collect()
}

fn table(app: &mut App) -> &mut TablePage {
    match &mut app.page {
        Page::Table(table) => table,
        other => panic!("no table: {other:?}"),
    }
}

/// Drafts of every kind at this table: every range of cards, every scout, and many of both.
fn drafts(page: &TablePage) -> Vec<Draft> {
    let len = page.hand().0.len() as u8;
    let spans = (0..len).flat_map(|first| (first..len).filter_map(move |at| Span::new(first, at)));
    let mut drafts: Vec<Draft> = spans.map(|span| Draft::Show(Pick::of(span))).collect();
    for place in 0..=len {
        for end in [End::Left, End::Right] {
            for side in [Side::AsItLay, Side::Flipped] {
                let scout = Scout { end, place, side };
                drafts.push(Draft::Scout(scout, false));
                drafts.push(Draft::Scout(scout, true));
                drafts.push(Draft::ScoutShow(scout, Pick::default()));
            }
        }
    }
    let mut both = Vec::new();
    page.round().expect("a round").for_each_action(|action| {
        if let Action::ScoutAndShow(scout, span) = action {
            both.push(Draft::ScoutShow(scout, Pick::of(span)));
        }
    });
    let some = both.len() / 100 + 1;
    drafts.extend(both.into_iter().step_by(some));
    drafts
}

#[test]
fn no_consequence_and_no_refusal_is_cut_on_any_screen() {
    let long = snapshot(game(LONG), seat(1), &NAMES);
    for (columns, rows) in SIZES {
        let mut many = app(columns, rows);
        update(&mut many, sits(long.clone(), Vec::new()));
        let last = format!("{TABLE}1 scout left 1\n");
        for mut app in [many, seated(TABLE, 1, columns, rows), seated(&last, 2, columns, rows)] {
            let drafts = drafts(table(&mut app));
            let some = drafts.len() / 120 + 1;
            for draft in drafts.into_iter().step_by(some) {
                table(&mut app).draft = draft;
                let said = flat(&words(&table(&mut app).said()));
                let drawn = screen(&app);
                assert!(flat(&drawn).contains(&said), "{columns}x{rows}: {said}\n{drawn}");
            }
        }
    }
}

#[test]
fn a_refusal_of_the_table_is_whole_even_while_a_hand_is_kept_or_flipped() {
    let choice = TABLE.split("1 keep").next().expect("the deal");
    let why = "the disk is full; the game waits until there is room, and tries again every second";
    for (columns, rows) in SIZES {
        for text in [TABLE, choice] {
            let mut app = seated(text, 1, columns, rows);
            update(&mut app, SittingEvent::Told(ToPlayer::NotTaken(why.into())));
            let drawn = screen(&app);
            assert!(flat(&drawn).contains(&flat(why)), "{columns}x{rows}:\n{drawn}");
        }
    }
}

/// What the words say after the keys, for the seat that is asked.
fn said(text: &str, own: u8, keys: &str) -> String {
    let mut app = seated(text, own, 60, 20);
    press(&mut app, keys);
    words(&table(&mut app).said())
}

#[test]
fn the_end_of_the_round_comes_before_everything_else() {
    let last = format!("{TABLE}1 scout left 1\n");
    let said = said(&last, 2, "s");
    assert_eq!(said, "Enter: ENDS THE ROUND · takes 2 (the only card) to a · Cy gets a chip");
}

#[test]
fn of_a_scout_and_show_what_is_shown_comes_first() {
    let shows = "Enter: shows 7 8 9 · beats Cy's single card · captures 1";
    let takes = "takes 2 (left end) to a · Cy gets a chip";
    assert_eq!(said(TABLE, 1, "x a Enter b d"), format!("{shows} · {takes}"));
}

#[test]
fn how_many_sets_would_do_is_a_sentence_for_one_for_some_and_for_none() {
    let mut found = [false; 3];
    let mut app = seated(TABLE, 1, 80, 24);
    for place in 0..12 {
        for side in [Side::AsItLay, Side::Flipped] {
            let scout = Scout { end: End::Left, place, side };
            table(&mut app).draft = Draft::ScoutShow(scout, Pick::default());
            let sets = table(&mut app).shows().len();
            let wanted = match sets {
                0 => "Not possible: with the card there, nothing you hold beats what is left. \
                      Esc: place it elsewhere"
                    .into(),
                1 => "Choose what to show: one set would do (Tab chooses it).".to_string(),
                _ => format!("Choose what to show: {sets} sets would do (Tab goes through them)."),
            };
            assert_eq!(words(&table(&mut app).said()), wanted);
            found[sets.min(2)] = true;
        }
    }
    assert!(found[2], "the case that was broken");
}
