//! Chi-squared over many deals with fixed seeds: every card is as likely in every place, either
//! way up, and every seat as likely to start.

use fairdeal::{
    game::{Card, Players, Seat},
    protocol::{
        crypto::{
            hash::{Hash, hash},
            keys::DealSecrets,
        },
        deal::{Context, Dealt, open::OpenDeal, sealed::SealedDeal},
    },
};

fn context(players: Players, number: u32) -> Context {
    let head = hash("test head", &[&number.to_le_bytes()]);
    Context::new(&[7; 32], players, number, 1, &head)
}

fn seed(number: u32, seat: Seat) -> Hash {
    hash("test seed", &[&number.to_le_bytes(), &[seat.number()]])
}

fn open(players: Players, number: u32) -> Dealt {
    let deal = OpenDeal::new(context(players, number));
    let seeds: Vec<Hash> = players.seats().map(|seat| seed(number, seat)).collect();
    deal.reveal(&seeds)
}

/// A whole sealed deal, every step but the checks of the proofs, which others test.
fn sealed(players: Players, number: u32) -> Dealt {
    let mut deal = SealedDeal::new(context(players, number));
    let t0 = *deal.context().t0();
    let seeds: Vec<Hash> = players.seats().map(|seat| seed(number, seat)).collect();
    let secrets: Vec<DealSecrets> = players
        .seats()
        .zip(&seeds)
        .map(|(seat, seed)| DealSecrets::derive(seed, &t0, seat.index() as u8))
        .collect();
    let hedge = [3; 32];
    let commitments =
        players.seats().zip(&secrets).map(|(seat, own)| deal.commitment(seat, own, &hedge));
    deal.take_commitments(commitments.collect()).expect("honest");
    for (seat, own) in players.seats().zip(&secrets) {
        let shuffle = deal.shuffle(own, &hedge).expect("honest");
        deal.take_shuffle(seat, &shuffle).expect("honest");
    }
    for round in 1..=deal.context().rounds() {
        let shares =
            players.seats().zip(&secrets).map(|(seat, own)| deal.shares(seat, round, own, &hedge));
        let shares: Vec<_> = shares.collect::<Result<_, _>>().expect("honest");
        deal.take_shares(round, &shares).expect("honest");
    }
    deal.reveal(&seeds).expect("honest")
}

/// The upper tail of chi-squared as a standard normal deviate (Wilson and Hilferty 1931).
fn deviate(counts: &[u32], expected: f64, freedom: f64) -> f64 {
    let square = |count: &u32| (f64::from(*count) - expected).powi(2) / expected;
    let chi: f64 = counts.iter().map(square).sum();
    let spread = 2.0 / (9.0 * freedom);
    ((chi / freedom).cbrt() - (1.0 - spread)) / spread.sqrt()
}

/// One in a thousand on the upper side of a standard normal.
const P_0_001: f64 = 3.0902;

fn check(deals: impl Iterator<Item = Dealt>, players: Players) {
    let deck = fairdeal::game::deck::deck(players);
    let places = deck.len();
    let mut at = vec![0u32; 45 * places];
    let (mut turned, mut turned_at) = (vec![0u32; 45], vec![0u32; places]);
    let mut starts = vec![0u32; usize::from(players.count())];
    let mut count = 0;
    for dealt in deals {
        count += 1;
        starts[dealt.start.index()] += 1;
        let hands = dealt.rounds.iter().flat_map(|hands| hands.iter().map(|(_, hand)| hand));
        for (place, card) in hands.flatten().enumerate() {
            at[usize::from(card.pair()) * places + place] += 1;
            if card.up() > card.down() {
                turned[usize::from(card.pair())] += 1;
                turned_at[place] += 1;
            }
        }
    }
    let row = |card: &Card| at[usize::from(card.pair()) * places..][..places].to_vec();
    let cells: Vec<u32> = deck.iter().flat_map(row).collect();
    assert_eq!(cells.iter().sum::<u32>(), count * places as u32);
    let (deals, places) = (f64::from(count), places as f64);
    let dealt: Vec<u32> = deck.iter().map(|card| turned[usize::from(card.pair())]).collect();
    let seats = f64::from(players.count());
    for (what, deviate) in [
        ("place", deviate(&cells, deals / places, (places - 1.0) * (places - 1.0))),
        // Twice, for the side not counted adds as much again to each cell.
        ("side by card", deviate(&both(&dealt, count), deals / 2.0, places)),
        ("side by place", deviate(&both(&turned_at, count), deals / 2.0, places)),
        ("start", deviate(&starts, deals / seats, seats - 1.0)),
    ] {
        println!("{what}: {deviate:.2} standard deviations over {count} deals");
        assert!(deviate < P_0_001, "{what}: {deviate}");
    }
}

/// The counts and those of the other side.
fn both(counts: &[u32], deals: u32) -> Vec<u32> {
    counts.iter().flat_map(|count| [*count, deals - count]).collect()
}

fn players(count: u8) -> Players {
    Players::new(count).expect("2 to 5")
}

#[test]
fn open_deals_are_fair() {
    for count in 2..=5 {
        check((1..=2_000).map(|number| open(players(count), number)), players(count));
    }
}

#[test]
fn sealed_deals_are_fair() {
    check((1..=300).map(|number| sealed(players(3), number)), players(3));
}

#[test]
fn sealed_deals_of_two_are_fair() {
    check((1..=300).map(|number| sealed(players(2), number)), players(2));
}

/// The test can fail: a deal that turns no card, and one that always deals the same.
#[test]
#[should_panic(expected = "side by")]
fn a_deal_that_leans_to_one_side_is_found() {
    let leaning = (1..=2_000).map(|number| {
        let mut dealt = open(players(3), number);
        let hand = &mut dealt.rounds[0][Seat::FIRST];
        if number % 5 == 0 {
            hand.iter_mut().for_each(|card| *card = card.low_up());
        }
        dealt
    });
    check(leaning, players(3));
}
