//! Whole tables in the seeded world.

use fairdeal::{
    bot::Bot,
    protocol::{lobby::DealKind, log::verify::verify},
    sim::{Network, Options, run},
};

/// Plays games of one number of seats; all must end, with one file at all seats that verifies.
fn games(seats: u8, deal: DealKind, bot: Bot, seeds: std::ops::Range<u64>) {
    let (count, mut records, mut messages) = (seeds.end - seeds.start, 0, 0);
    for seed in seeds {
        let network = Network::drawn(seed);
        let options = Options { seats, seed, network, deal, bot, time_ms_max: 4 * 3_600_000 };
        let outcome = run(options).unwrap_or_else(|failure| panic!("{failure:?}"));
        for file in &outcome.files {
            assert_eq!(file, &outcome.files[0], "files differ: {options:?}");
        }
        let report = verify(&outcome.files[0]).unwrap_or_else(|wrong| panic!("{wrong}"));
        assert!(report.complete(), "{options:?}");
        records += report.records;
        messages += outcome.messages;
    }
    println!("{count} {deal:?} games of {seats}: {records} records, {messages} messages sent");
}

#[test]
fn fifty_open_games_of_two_end_alike_on_a_bad_network() {
    games(2, DealKind::Open, Bot::Random, 0..50);
}

#[test]
fn fifty_open_games_of_three_end_alike_on_a_bad_network() {
    games(3, DealKind::Open, Bot::Random, 50..100);
}

#[test]
fn fifty_open_games_of_four_end_alike_on_a_bad_network() {
    games(4, DealKind::Open, Bot::Random, 100..150);
}

#[test]
fn fifty_open_games_of_five_end_alike_on_a_bad_network() {
    games(5, DealKind::Open, Bot::Random, 150..200);
}

#[test]
fn sealed_games_of_two_end_alike_on_a_bad_network() {
    games(2, DealKind::Sealed, Bot::Random, 200..212);
}

#[test]
fn sealed_games_of_three_end_alike_on_a_bad_network() {
    games(3, DealKind::Sealed, Bot::Random, 212..220);
}

#[test]
fn sealed_games_of_four_end_alike_on_a_bad_network() {
    games(4, DealKind::Sealed, Bot::Greedy, 220..226);
}

#[test]
fn sealed_games_of_five_end_alike_on_a_bad_network() {
    games(5, DealKind::Sealed, Bot::Greedy, 226..230);
}
