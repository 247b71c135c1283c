//! The draws are fair, and those of another engine.

use std::num::NonZeroU8;

use fairdeal::protocol::crypto::commit;
use fairdeal::protocol::crypto::deck::Deck;
use fairdeal::protocol::crypto::group::Point;
use fairdeal::protocol::crypto::hash::{Hash, hash};
use fairdeal::protocol::crypto::keys::{DealSecrets, joint_key};
use fairdeal::protocol::crypto::share::{card, shares};
use fairdeal::protocol::crypto::shuffle::{ShuffleContext, shuffle};
use fairdeal::protocol::crypto::stream::Stream;

/// From Z to hands and starting seat, as an independent engine deals them.
#[test]
fn open_deals_are_those_of_another_engine() {
    let mut compared = 0;
    for line in include_str!("../data/cases/open-deal.tsv").lines().skip(1) {
        let [z, players, start, round, seat, hand]: [&str; 6] =
            line.split('\t').collect::<Vec<_>>().try_into().unwrap();
        let key: Hash = data_encoding::HEXLOWER.decode(z.as_bytes()).unwrap().try_into().unwrap();
        let [players, start, round, seat] =
            [players, start, round, seat].map(|field| field.parse::<u8>().unwrap());
        let (cards, starter) = open_deal(&key, players);
        assert_eq!(starter + 1, start);
        let own = cards.iter().skip(usize::from(seat - 1)).step_by(usize::from(players));
        let round_len = if players == 2 { 11 } else { own.len() };
        let own: Vec<String> =
            own.skip(usize::from(round - 1) * round_len).take(round_len).cloned().collect();
        assert_eq!(own.join(" "), hand);
        compared += 1;
    }
    assert!(compared > 20);
}

/// The cards by position, written number up / number down, and who starts.
fn open_deal(key: &Hash, players: u8) -> (Vec<String>, u8) {
    let pairs = (1..=10).flat_map(|low| (low + 1..=10).map(move |high| (low, high)));
    let in_play = |(low, high): &(u8, u8)| match players {
        3 => *high != 10,
        2 | 4 => (*low, *high) != (9, 10),
        _ => true,
    };
    let table: Vec<(u8, u8)> = pairs.filter(in_play).collect();
    let mut stream = Stream::new(key);
    let order = stream.permutation(table.len() as u8);
    let cards = order
        .iter()
        .map(|card| {
            let (low, high) = table[usize::from(*card)];
            let (up, down) = if stream.byte() & 1 == 1 { (high, low) } else { (low, high) };
            format!("{up}/{down}")
        })
        .collect();
    (cards, stream.below(NonZeroU8::new(players).unwrap()))
}

#[test]
fn every_card_is_equally_likely_at_every_position() {
    let (deals, cards) = (1_800u32, 45);
    let mut counts = vec![0; cards * cards];
    for deal in 0..deals {
        for (position, card) in
            Stream::new(&hash("fair", &[&deal.to_le_bytes()])).permutation(45).iter().enumerate()
        {
            counts[position * cards + usize::from(*card)] += 1;
        }
    }
    assert_fair_permutations(&counts, 45);
}

/// Whole sealed deals of four cards: card × position × orientation.
#[test]
fn sealed_deals_are_fair() {
    let deals = 800u32;
    let mut counts = vec![0; 4 * 4];
    let (mut sides, mut starts) = (vec![0; 4 * 4 * 2], vec![0; 2]);
    for deal in 0..deals {
        let t0 = hash("fair", &[&deal.to_le_bytes()]);
        let secrets = [1, 2].map(|seat| DealSecrets::derive(&[seat; 32], &t0, seat - 1));
        let joint = joint_key(&secrets.each_ref().map(|seat| seat.public().clone())).unwrap();
        let t1 = commit::commitments(&t0, &[]);
        let coins = commit::coins(&t1, 1, &secrets.each_ref().map(|seat| seat.coin(1)));
        let mut deck = Deck::initial(&[0, 1, 2, 3]).unwrap();
        for seat in &secrets {
            let context = ShuffleContext { t1: &t1, stage: &t0, joint: &joint };
            deck = shuffle(seat, &context, &deck);
        }
        let all = secrets.each_ref().map(|seat| shares(seat, &deck, &[0, 1, 2, 3]).unwrap());
        for position in 0..4 {
            let shares: Vec<&Point> =
                all.iter().map(|shares| &shares[usize::from(position)]).collect();
            let card = card(&deck, position, &shares).unwrap().unwrap();
            let owner = position % 2;
            let salt = secrets[usize::from(owner)].salt(position);
            let turned = commit::turned(&t1, &coins, owner, position, &salt);
            let cell = usize::from(position * 4 + card);
            counts[cell] += 1;
            sides[cell * 2 + usize::from(turned)] += 1;
        }
        starts[usize::from(commit::starter(&t1, &coins, NonZeroU8::new(2).unwrap()))] += 1;
    }
    assert_fair_permutations(&counts, 4);
    // Whether a card lies turned, whatever and wherever it is.
    let coins = sides.chunks(2).map(chi_squared).sum();
    assert_likely(coins, 16);
    assert_likely(chi_squared(&starts), 1);
}

#[test]
fn a_draw_below_one_is_zero() {
    let mut stream = Stream::new(&[0; 32]);
    assert!((0..100).all(|_| stream.below(NonZeroU8::MIN) == 0));
}

/// Counts of `len` cards at `len` positions; every deal fills each row and column once, which makes
/// the statistic larger by `len` / (`len` − 1) than that of independent draws.
fn assert_fair_permutations(counts: &[u32], len: u32) {
    let free = f64::from(len - 1);
    assert_likely(chi_squared(counts) * free / f64::from(len), (len - 1) * (len - 1));
}

fn chi_squared(counts: &[u32]) -> f64 {
    let expected = f64::from(counts.iter().sum::<u32>()) / counts.len() as f64;
    counts.iter().map(|count| (f64::from(*count) - expected).powi(2) / expected).sum()
}

/// Less than one fair source in a thousand gives more (Wilson and Hilferty 1931).
fn assert_likely(chi_squared: f64, degrees: u32) {
    let spread = 2.0 / (9.0 * f64::from(degrees));
    let deviation = ((chi_squared / f64::from(degrees)).cbrt() - (1.0 - spread)) / spread.sqrt();
    assert!(deviation < 3.09, "chi squared {chi_squared} with {degrees} degrees of freedom");
}
