//! Swarms: in each run other faults, drawn from its seed, then the table heals.

use std::collections::BTreeMap;

use fairdeal::{
    protocol::{lobby::DealKind, log::verify::verify},
    sim::{liar, run_planned, swarm},
};

use super::bound;

/// Plays runs of a swarm. The world watches every step: no seat signs two things for one place or
/// sends what is not on its disk, no head has two states, nobody honest is accused, nothing is
/// settled twice, a table that has healed does not stand still, and seats that are through have
/// the same file, byte for byte.
fn swarms(deal: DealKind, seeds: std::ops::Range<u64>) {
    let count = seeds.end - seeds.start;
    let (mut records, mut verdicts, mut undone, mut closed) = (0, 0, 0, 0);
    let mut games = [0; 6];
    let mut faults = BTreeMap::new();
    for seed in seeds {
        let (options, plan) = swarm(deal, seed);
        let outcome = run_planned(options, plan)
            .unwrap_or_else(|failure| panic!("{deal:?} {seed}: {failure}"));
        games[usize::from(options.seats)] += 1;
        for (what, times) in &outcome.faults {
            *faults.entry(*what).or_insert(0) += times;
        }
        let report = verify(&outcome.disks[0].log).unwrap_or_else(|wrong| panic!("{wrong}"));
        assert!(report.complete() || outcome.closed, "{deal:?} {seed}");
        records += report.records;
        verdicts += outcome.verdicts;
        undone += outcome.undone;
        closed += u32::from(outcome.closed);
    }
    println!(
        "{deal:?} games of 2, 3, 4 and 5: {:?}; {records} records, {verdicts} of them verdicts, \
         {undone} undone, {closed} \
         games closed; {}",
        &games[2..],
        bound(count)
    );
    faults.iter().for_each(|(what, times)| println!("{times:>9} {what}"));
}

#[test]
fn three_hundred_open_games_among_faults_end_alike() {
    swarms(DealKind::Open, 0..300);
}

#[test]
fn thirty_sealed_games_among_faults_end_alike() {
    swarms(DealKind::Sealed, 0..30);
}

/// Games in which honest seats once stood still: one had missed a word about a place below, got a
/// proof before it came to its place, had two attempts of one number before it, or was out and held
/// the other one of a liar's two records.
#[test]
fn games_that_once_stood_still_end() {
    let open = [292, 1_001_969, 1_002_590, 2_001_526, 2_001_821];
    let open = open.map(|seed| swarm(DealKind::Open, seed)).into_iter();
    let liars = [2_000_534, 3_000_227, 3_001_667].map(liar);
    for (options, plan) in open.chain([swarm(DealKind::Sealed, 1_003_180)]).chain(liars) {
        let seed = options.seed;
        run_planned(options, plan).unwrap_or_else(|failure| panic!("{seed}: {failure}"));
    }
}
