//! Nothing that hides a card leaves its seat before the card is opened.

use std::collections::BTreeMap;

use fairdeal::{
    bot::Bot,
    protocol::{
        codec,
        crypto::hash::{Hash, Secret},
        lobby::DealKind,
        log::file::{MAGIC, frame},
        message::{Message, Talk},
    },
    sim::{Cast, Lockstep},
};

use super::search::{self, Releases, Secrets, first_leak};

fn play(seats: u8, seed: u64) -> Lockstep {
    let cast = Cast::new(seats, DealKind::Sealed, seed);
    let mut table = Lockstep::new(cast, Bot::Greedy);
    table.settle();
    table
}

fn log_file(table: &Lockstep) -> Vec<u8> {
    let frames = table.sessions[0].log().iter().flat_map(|record| frame(record));
    MAGIC.iter().copied().chain(frames).collect()
}

/// Everything secret in a game, and which record may tell what.
fn secrets_of(table: &Lockstep) -> (Secrets, Releases) {
    let cast = table.cast;
    let of: Vec<Secret> = (0..cast.seats).map(|seat| Secret::new(cast.secret(seat))).collect();
    let (mut secrets, releases) = search::secrets_of(&of, &log_file(table));
    for seat in 0..cast.seats {
        secrets.insert(*cast.start(seat).entropy, format!("entropy of seat {}", seat + 1));
    }
    (secrets, releases)
}

#[test]
fn nothing_secret_leaves_before_its_card_is_opened() {
    std::thread::scope(|scope| {
        for seats in 2..=5 {
            scope.spawn(move || search_games(seats, 8));
        }
    });
}

fn search_games(seats: u8, games_max: u64) {
    let (mut games, mut bytes, mut count) = (0, 0, 0);
    for seed in 0..games_max {
        let table = play(seats, seed);
        let (secrets, releases) = secrets_of(&table);
        assert_eq!(first_leak(&secrets, &releases, &table.said), None, "game {seed}");
        let told = format!("{:?}", table.told);
        for secret in secrets.keys() {
            let hex = data_encoding::HEXLOWER.encode(secret);
            let list = format!("{:?}", &secret[..6]);
            assert!(!told.contains(&hex) && !told.contains(list.trim_matches(['[', ']'])));
        }
        games += 1;
        count += secrets.len();
        bytes += table
            .said
            .iter()
            .map(|(_, talk)| codec::encode(&Message::Table([0; 32], talk.clone())).len())
            .sum::<usize>();
    }
    println!("{games} games of {seats}, {bytes} bytes said, searched for {count} secrets");
}

/// The search finds each sort of secret when it is planted.
#[test]
fn a_planted_leak_is_found() {
    let table = play(3, 99);
    let (secrets, releases) = secrets_of(&table);
    let mut kinds: BTreeMap<&str, Hash> = BTreeMap::new();
    for (secret, what) in &secrets {
        kinds.insert(what.split(" of seat").next().unwrap_or_default(), *secret);
    }
    assert_eq!(kinds.len(), 7, "{:?}", kinds.keys());
    for (kind, secret) in kinds {
        let mut said = table.said.clone();
        said.insert(0, (1, Talk::Note([&[0; 7][..], &secret].concat())));
        let found = first_leak(&secrets, &releases, &said).unwrap_or_default();
        assert!(found.contains(kind), "{kind}: {found}");
    }
}
