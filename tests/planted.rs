//! The tests can fail: each planted bug is found by a test of the CI, and a false expectation by
//! the canary.

use std::process::Command;

use fairdeal::{
    planted::Bug,
    protocol::lobby::DealKind,
    sim::{run_planned, swarm},
};

/// A planted bug, the test target and the test in it that has to find it.
const FINDERS: [(Bug, &str, &str); Bug::ALL.len()] = [
    (
        Bug::EqualBeats,
        "rules",
        "easy_to_get_wrong::sets_beat_by_count_then_kind_then_smallest_number",
    ),
    (Bug::NoToken, "rules", "cases::every_game_has_the_trace_of_the_other_engine"),
    (
        Bug::NobodySpared,
        "rules",
        "easy_to_get_wrong::the_owner_of_a_stalled_round_loses_nothing_for_the_hand",
    ),
    (Bug::AnySignature, "sim", "forgery::forged_records_are_refused_before_anything_changes"),
    (Bug::AnyState, "sim", "forgery::another_state_of_the_game_is_a_fault"),
    (Bug::LooseHead, "replays", "golden_games_stay_valid"),
    (Bug::AnySeed, "deal", "attacks::a_seed_that_was_not_committed_to"),
    (Bug::AnyChoice, "deal", "attacks::another_choice_than_was_committed_to"),
    (Bug::AnyShuffle, "deal", "attacks::decks_that_are_no_shuffle"),
    (Bug::AnyOpening, "deal", "attacks::a_card_shown_as_another"),
    (Bug::SendsFirst, "sim", "swarm::three_hundred_open_games_among_faults_end_alike"),
    (Bug::ForgetsJournal, "sim", "swarm::three_hundred_open_games_among_faults_end_alike"),
    (Bug::NeverAsks, "sim", "swarm::three_hundred_open_games_among_faults_end_alike"),
    (Bug::NoProof, "sim", "twice::fifty_seats_that_sign_twice_are_proven_to"),
    (Bug::GoesOnAtOnce, "table", "model::one_is_awaited_by_three"),
    (Bug::KeepsUndone, "table", "absence::a_seat_cut_off_for_a_while_comes_back"),
    (Bug::KeepsTorn, "sim", "disk::no_write_of_a_game_of_two_loses_anything_where_it_fails"),
    (Bug::DropsLast, "sim", "disk::no_write_of_a_game_of_two_loses_anything_where_it_fails"),
];

/// Whether a test passes with a bug planted, and the first line of what it complains of.
fn passes(target: &str, test: &str, bug: &str) -> (bool, String) {
    let run = Command::new(env!("CARGO"))
        .args(["test", "--quiet", "--locked", "--no-default-features", "--features", "planted"])
        .args(["--test", target, "--", "--exact", test])
        .env("FAIRDEAL_PLANTED", bug)
        .output()
        .expect("cargo runs");
    let said = String::from_utf8_lossy(&run.stdout).into_owned();
    let ran = said.contains("1 passed") || said.contains("1 failed");
    assert!(ran, "{target} {test}: {said}{}", String::from_utf8_lossy(&run.stderr));
    let panicked = said.lines().skip_while(|line| !line.contains("panicked at"));
    let complaint = panicked.skip(1).find(|line| !line.is_empty()).unwrap_or_default();
    (run.status.success(), complaint.chars().take(100).collect())
}

#[test]
fn every_planted_bug_is_found() {
    for (bug, (of, target, test)) in Bug::ALL.into_iter().zip(FINDERS) {
        assert_eq!(bug, of);
        let (passed, complaint) = passes(target, test, &format!("{bug:?}"));
        assert!(!passed, "{bug:?} is planted and {target} {test} passes");
        println!("{bug:?}: found by {target} {test}: {complaint}");
    }
}

/// Without a bug the quick ones of those tests pass: it is the bug that they find.
#[test]
fn nothing_is_found_where_nothing_is_planted() {
    for (_, target, test) in FINDERS.iter().filter(|(_, target, _)| *target != "sim") {
        let (passed, complaint) = passes(target, test, "none");
        assert!(passed, "{target} {test}: {complaint}");
    }
}

/// A false expectation of a right game is found: the harness does not swallow failures.
#[test]
#[should_panic(expected = "a whole game has one record")]
fn the_canary_dies() {
    let (options, plan) = swarm(DealKind::Open, 0);
    let outcome = run_planned(options, plan).unwrap_or_else(|failure| panic!("{failure}"));
    let (log, _) = outcome.disks[0].clone().read().expect("a log");
    assert_eq!(log.len(), 1, "a whole game has one record");
}
