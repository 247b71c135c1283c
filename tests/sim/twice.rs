//! A seat signs two records for one place: it is proven, and the honest end on one log.

use fairdeal::{
    protocol::log::{evidence, verify::verify},
    sim::{liar, run_planned},
};

use super::bound;

/// One run; how many seats were told both records and hold proof, or none if the seat had no chance
/// to sign twice.
fn run(seed: u64) -> Option<usize> {
    let (options, plan) = liar(seed);
    let twice = plan.twice?;
    let outcome = run_planned(options, plan).unwrap_or_else(|failure| panic!("{failure}"));
    for told in &outcome.accused {
        let proof = evidence::check(&told.evidence).unwrap_or_else(|wrong| panic!("{wrong}"));
        assert_eq!(proof.seat.index(), usize::from(twice.seat), "{options:?} {plan:?}");
        assert_eq!(told.seat, usize::from(twice.seat), "{options:?} {plan:?}");
    }
    for disk in &outcome.disks {
        verify(&disk.log).unwrap_or_else(|wrong| panic!("{wrong}: {options:?} {plan:?}"));
    }
    outcome.faults.get("second records told")?;
    let holds = |seat: &usize| outcome.accused.iter().any(|told| told.by == *seat);
    for seat in &outcome.told_both {
        assert!(holds(seat), "seat {} holds no proof: {options:?} {plan:?}", seat + 1);
    }
    Some(outcome.told_both.len())
}

#[test]
fn fifty_seats_that_sign_twice_are_proven_to() {
    let runs = (0..).filter_map(run).take(50);
    let proofs: usize = runs.sum();
    println!("50 seats signed twice: {proofs} proofs at honest seats, {}", bound(50));
}

/// Runs that failed once: honest seats stood still without a quorum, followed the liar for want of
/// the proof, held both records without knowing it, or never saw the end.
#[test]
fn seats_that_sign_twice_as_they_did_before() {
    let seeds = [700_854, 700_867, 801_574, 1_000_054, 1_000_127, 1_000_217, 1_000_389, 1_000_570];
    let proofs: usize = seeds.into_iter().filter_map(run).sum();
    println!("{} runs that failed once: {proofs} proofs at honest seats", seeds.len());
}
