//! A game as a web page: that its steps are the game's facts, that names stay text, and that it
//! works in a real browser where one is installed.

#[cfg(unix)]
#[path = "html/browser.rs"]
mod browser;
#[cfg(unix)]
#[path = "html/in_browser.rs"]
mod in_browser;

use fairdeal::{
    bot::Bot,
    game::Action,
    protocol::{
        lobby::DealKind,
        log::{
            file::{Frames, MAGIC, frame},
            record::{Body, Record},
            verify::read_open,
        },
        table::{Fact, Table},
    },
    sim::{Cast, Network, Options, Plan, Topology, run_planned},
    ui::html::{page, steps},
};

/// Ends a script, begins an element that runs one, fills 24 columns.
const HOSTILE: &str = "</script><img onerror=x>";

/// The log of a whole game.
fn game(seats: u8, deal: DealKind, bot: Bot, seed: u64) -> Vec<u8> {
    let network = Network { topology: Topology::Mesh, loss: 0, doubled: 0, delay_ms_max: 5 };
    let options = Options { seats, seed, network, deal, bot, time_ms_max: 4 * 3_600_000, bots: 0 };
    let outcome =
        run_planned(options, Plan::default()).unwrap_or_else(|failure| panic!("{failure:?}"));
    outcome.disks.into_iter().next().expect("a seat").log
}

/// The log up to the first of these facts, that included.
fn until(log: &[u8], wanted: impl Fn(&Fact) -> bool) -> Vec<u8> {
    let (mut records, mut found) = (0, false);
    read_open(log, |_, _, _, facts| {
        records += usize::from(!found);
        found |= facts.iter().any(&wanted);
    })
    .expect("a right log");
    assert!(found);
    let kept = Frames::new(log).expect("a log").take(records);
    let kept = kept.map(|record| frame(record.expect("a record").1));
    MAGIC.iter().copied().chain(kept.flatten()).collect()
}

/// A game of three just begun, the first of them with a name that is markup.
fn hostile() -> Vec<u8> {
    let cast = Cast::new(3, DealKind::Sealed, 7);
    let (table, _) = Table::found(&cast.first_record()).expect("a table");
    let mut roster = table.roster().clone();
    roster.joins[0].name = HOSTILE.parse().expect("a name as any");
    roster.joins[1].name = "{{script}}<!--<script>".parse().expect("a name as any");
    let mut records = vec![roster.sign(&cast.identity(0))];
    let (mut table, _) = Table::found(&records[0]).expect("a table");
    let (base, state) = (*table.base(), *table.state());
    for seat in 0..3 {
        let record = Record { base, state, seat, body: Body::Sit }.sign(&cast.identity(seat));
        let signed = table.admit(&record).expect("a right record");
        table.append(signed).expect("the next record");
        records.push(record);
    }
    [MAGIC.to_vec()]
        .into_iter()
        .chain(records.iter().map(|record| frame(record)))
        .flatten()
        .collect()
}

fn html(log: &[u8]) -> String {
    page(log, |_| "four words of key".into()).expect("a right log").0
}

#[test]
fn the_steps_are_the_facts_and_the_last_has_the_totals() {
    for (seats, deal) in [
        (2, DealKind::Open),
        (3, DealKind::Open),
        (4, DealKind::Open),
        (5, DealKind::Open),
        (2, DealKind::Sealed),
        (3, DealKind::Sealed),
    ] {
        let log = game(seats, deal, Bot::Random, 40 + u64::from(seats));
        let mut facts = 0;
        read_open(&log, |_, _, _, told| facts += told.len()).expect("a right log");
        let (found, table) = steps(&log).expect("a right log");
        assert_eq!(found.steps.len(), facts, "{seats} {deal:?}");
        let last = found.steps.last().expect("a step");
        assert_eq!(last.fact, "complete");
        assert_eq!(last.totals, table.game().totals().as_slice());
        assert_eq!(found.rounds.len(), usize::from(seats));
        for (number, round) in (1..).zip(&found.rounds) {
            assert_eq!(round.round, number);
            let turns = found.steps.iter().filter(|step| step.round == number);
            assert_eq!(turns.filter(|step| step.fact == "turn").count() as u32, round.turns);
            assert_eq!(round.over.map(|at| found.steps[at].fact), Some("over"));
        }
        for step in &found.steps {
            assert!(!step.words.is_empty(), "{step:?}");
        }
        let unknown = found.hands.iter().filter(|hand| hand.contains('?')).count();
        let hidden = found.steps.iter().filter_map(|step| step.hands.as_ref()).flatten();
        assert!(unknown > 0, "the hands as everyone saw them have cards nobody saw");
        for hand in hidden {
            assert!(!found.hands[*hand].contains('?'), "a revealed game has no unknown card");
        }
    }
}

#[test]
fn a_page_of_a_long_game_of_five_is_below_a_megabyte() {
    let log = game(5, DealKind::Open, Bot::Random, 5);
    let records = Frames::new(&log).expect("a log").count();
    let page = html(&log);
    println!("{records} records: {} bytes of log, {} of page", log.len(), page.len());
    assert!(page.len() < 1_000_000, "{}", page.len());
}

#[test]
fn a_sealed_game_that_reveals_nothing_shows_what_everyone_saw() {
    let whole = game(3, DealKind::Sealed, Bot::Random, 3);
    let scout = |fact: &Fact| matches!(fact, Fact::Acted { action: Action::Scout(_), .. });
    let log = until(&whole, scout);
    let (found, _) = steps(&log).expect("a right log");
    let last = found.steps.last().expect("a step");
    let (seat, place) = last.fresh.expect("a card just scouted");
    let hands = last.hands.as_ref().expect("hands");
    let hand = &found.hands[hands[seat]];
    let card = &hand[2 * place..][..2];
    assert!(hand.contains("??"), "cards dealt and never shown: {hand}");
    assert!(card.chars().all(|c| ('A'..='J').contains(&c)), "its side is the seat's own: {card}");
    let page = html(&log);
    assert!(page.contains("The record ends here; the game is unfinished."));
    assert!(page.contains("right, but unfinished") && page.contains("proves nothing"));
}

#[test]
fn a_log_with_nothing_but_its_roster_is_a_page_too() {
    let log = hostile();
    let first = Frames::new(&log).expect("a log").next().expect("a record").expect("whole").1;
    let log = [MAGIC.to_vec(), frame(first)].concat();
    assert!(steps(&log).expect("a right log").0.steps.is_empty());
    assert!(html(&log).contains("Next is the agreement to the table of"));
}

#[test]
fn a_name_that_is_markup_stays_a_name() {
    let page = html(&hostile());
    assert!(!page.contains("<img") && !page.contains("<!--"), "{page}");
    assert_eq!(page.matches("</script>").count(), 2, "the data and the script end once each");
    assert!(page.contains("<h1>&lt;/script&gt;&lt;img onerror=x&gt;, {{script}}&lt;!--"));
    let data = page.split("id=\"game\">").nth(1).and_then(|rest| rest.split("</script>").next());
    let data: serde_json::Value = serde_json::from_str(data.expect("the data")).expect("JSON");
    assert_eq!(data["names"][0], HOSTILE);
}
