//! A seat signs two records for one place: it is proven, and the honest end on one log.

use fairdeal::{
    bot::Bot,
    protocol::{
        lobby::DealKind,
        log::{evidence, record::Kind, verify::verify},
    },
    sim::{Network, Options, Plan, Topology, Twice, run_planned},
};

use super::bound;

/// One run; how many seats were told both records and hold proof, or none if the seat had no chance
/// to sign twice.
fn run(seed: u64) -> Option<usize> {
    let seats = 3 + (seed % 3) as u8;
    let kind = [Kind::Commit, Kind::Choice, Kind::Turn][(seed / 3 % 3) as usize];
    let liar = (seed % u64::from(seats)) as u8;
    let twice = Twice { seat: liar, kind, from: 3 * u32::from(seats) };
    let side = 1 + (seed % ((1 << seats) - 2)) as u8;
    let parted = (seed % 2 == 1).then_some((side, 2_000, 200_000));
    let drawn = Network::drawn(seed);
    let options = Options {
        seats,
        seed,
        network: Network {
            topology: Topology::Mesh,
            loss: drawn.loss / 3,
            delay_ms_max: 1 + drawn.delay_ms_max / 4,
            ..drawn
        },
        deal: DealKind::Open,
        bot: Bot::Random,
        time_ms_max: 4 * 3_600_000,
    };
    let plan = Plan { twice: Some(twice), parted, ..Plan::default() };
    let outcome = run_planned(options, plan).unwrap_or_else(|failure| panic!("{failure}"));
    for told in &outcome.accused {
        let proof = evidence::check(&told.evidence).unwrap_or_else(|wrong| panic!("{wrong}"));
        assert_eq!(proof.seat.index(), usize::from(liar), "{options:?} {plan:?}");
        assert_eq!(told.seat, usize::from(liar), "{options:?} {plan:?}");
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
