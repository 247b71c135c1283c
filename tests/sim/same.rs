//! The same log gives the same state, from wherever it is read on.

use fairdeal::{
    bot::Bot,
    protocol::{
        lobby::DealKind,
        log::{
            file::{MAGIC, frame},
            record::Signed,
            verify::read,
        },
        table::Table,
    },
    sim::{Cast, Lockstep},
};

use super::bound;

/// A game of two to its end; of more, until its first round is signed.
fn game(seed: u64) -> Vec<Vec<u8>> {
    let seats = 2 + (seed % 4) as u8;
    let mut table = Lockstep::new(Cast::new(seats, DealKind::Open, seed), Bot::Random);
    let rounds = if seats == 2 { 2 } else { 1 };
    let enough = |table: &Table| {
        table.game().round_number() >= rounds && table.length() == table.length_whole()
    };
    assert!(table.run_until(|table| {
        table.phase().kind().is_none() || enough(table) && table.round_points().is_some()
    }));
    table.sessions[0].log().to_vec()
}

/// Reads a log from its bytes: every record with the head and the digest of the state after it.
fn replayed(log: &[Vec<u8>]) -> Vec<(Signed, [u8; 32], [u8; 32])> {
    let frames = log.iter().flat_map(|record| frame(record));
    let file: Vec<u8> = MAGIC.iter().copied().chain(frames).collect();
    let mut seen = Vec::new();
    let table = read(&file, |table, record, _, _| {
        seen.push((record.clone(), *table.head(), table.game().digest()));
    });
    table.unwrap_or_else(|wrong| panic!("{wrong}"));
    seen
}

/// From each prefix, read anew from its table, the next record leads to the same table in all its
/// parts: so do all that follow.
fn from_every_prefix(log: &[Vec<u8>], seen: &[(Signed, [u8; 32], [u8; 32])]) {
    let (mut table, _) = Table::found(&log[0]).unwrap();
    for (bytes, (record, head, digest)) in log[1..].iter().zip(&seen[1..]) {
        let mut other = table.clone();
        let admitted = table.admit(bytes).unwrap();
        assert_eq!(admitted.record().state, *table.state());
        table.append(admitted).unwrap();
        other.append(record.clone()).unwrap();
        assert_eq!((table.head(), table.game().digest()), (head, *digest));
        assert_eq!(format!("{table:?}"), format!("{other:?}"));
    }
}

#[test]
fn five_hundred_games_read_twice_and_from_every_prefix_give_one_state() {
    let mut records = 0;
    for seed in 0..500 {
        let log = game(seed);
        let seen = replayed(&log);
        assert!(seen == replayed(&log), "seed {seed}");
        from_every_prefix(&log, &seen);
        records += log.len();
    }
    println!("{records} records of games of 2 to 5: {}", bound(500));
}
