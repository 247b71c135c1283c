//! A changed proof, deck or statement is refused.

use curve25519_dalek::ristretto::RistrettoPoint;
use curve25519_dalek::scalar::Scalar;
use fairdeal::protocol::crypto::deck::{CARD_BYTES, Deck};
use fairdeal::protocol::crypto::error::CryptoError;
use fairdeal::protocol::crypto::group::{Point, card_points};
use fairdeal::protocol::crypto::shuffle::{ShuffleContext, shuffle_and_prove, verify_shuffle};

use crate::table::{HEDGE, Table, moved, point, stepped};

const REFUSED: Result<(), CryptoError> = Err(CryptoError::Proof("shuffle proof"));

#[test]
fn each_word_of_a_proof_matters() {
    for cards in [2, 3, 7] {
        let table = Table::new(2, cards);
        for seat in 0..2 {
            let output = table.decks[seat + 1].bytes();
            let proof = table.proofs[seat].to_bytes();
            for (place, step) in (0..proof.len() / 32).flat_map(|i| [(i, 1), (i, -1)]) {
                let mut changed = proof.clone();
                let word = &mut changed[place * 32..][..32];
                let new = if place < 8 { moved(word, step) } else { stepped(word, step) };
                word.copy_from_slice(&new);
                assert_eq!(table.verdict(seat, output, &changed), REFUSED, "word {place}");
            }
        }
    }
}

#[test]
fn words_of_a_proof_cannot_change_places() {
    let table = Table::new(2, 4);
    let (output, proof) = (table.decks[1].bytes(), table.proofs[0].to_bytes());
    let words = proof.len() / 32;
    let same_kind = |i: usize, j: usize| (i < 8) == (j < 8);
    for (i, j) in (0..words).flat_map(|i| (0..i).map(move |j| (i, j))) {
        let mut changed = proof.clone();
        let (head, tail) = changed.split_at_mut(i * 32);
        head[j * 32..][..32].swap_with_slice(&mut tail[..32]);
        let verdict = table.verdict(0, output, &changed);
        assert!(if same_kind(i, j) { verdict == REFUSED } else { verdict.is_err() }, "{i}, {j}");
    }
}

#[test]
fn each_half_of_a_card_matters() {
    let table = Table::new(2, 6);
    for seat in 0..2 {
        let proof = table.proofs[seat].to_bytes();
        let output = table.decks[seat + 1].bytes();
        for (half, step) in (0..output.len() / 32).flat_map(|i| [(i, 1), (i, -1)]) {
            let mut changed = output.to_vec();
            let word = &mut changed[half * 32..][..32];
            word.copy_from_slice(&moved(word, step));
            assert_eq!(table.verdict(seat, &changed, &proof), REFUSED, "half {half}");
        }
    }
}

/// Decks a cheat would like: proved as if they were the honest one, and put in its place.
#[test]
fn cheats_with_an_honest_proof_are_refused() {
    let table = Table::new(3, 6);
    let proof = table.proofs[1].to_bytes();
    for (name, output) in cheats(&table, table.decks[2].bytes()) {
        assert_eq!(table.verdict(1, &output, &proof), REFUSED, "{name}");
    }
}

/// Decks that are no shuffle of the honest one's input.
pub fn cheats(table: &Table, honest: &[u8]) -> Vec<(&'static str, Vec<u8>)> {
    let card = |i: usize| i * CARD_BYTES..(i + 1) * CARD_BYTES;
    let change = |edit: &dyn Fn(&mut Vec<u8>)| {
        let mut deck = honest.to_vec();
        edit(&mut deck);
        deck
    };
    let joint = point(table.joint.bytes());
    let fresh = |place: usize, message: RistrettoPoint| {
        let rho = Scalar::from(1234u64 + place as u64);
        let (a, b) = (RistrettoPoint::mul_base(&rho), message + joint * rho);
        [a.compress().to_bytes(), b.compress().to_bytes()].concat()
    };
    let plus = |deck: &mut Vec<u8>, half: usize, added: RistrettoPoint| {
        let word = &mut deck[half * 32..][..32];
        word.copy_from_slice(&(point(word) + added).compress().to_bytes());
    };
    vec![
        ("a card twice", change(&|deck| deck.copy_within(card(0), card(3).start))),
        (
            "a card cloned and disguised",
            change(&|deck| {
                deck.copy_within(card(0), card(3).start);
                plus(deck, 6, RistrettoPoint::mul_base(&Scalar::from(9u64)));
                plus(deck, 7, joint * Scalar::from(9u64));
            }),
        ),
        (
            "a card replaced by a known one",
            change(&|deck| deck[card(2)].copy_from_slice(&fresh(2, card_points()[5]))),
        ),
        (
            "all cards replaced by known ones",
            change(&|deck| {
                for i in 0..6 {
                    deck[card(i)].copy_from_slice(&fresh(i, card_points()[i]));
                }
            }),
        ),
        (
            "a card scaled",
            change(&|deck| {
                for half in [4, 5] {
                    let added = point(&deck[half * 32..][..32]);
                    plus(deck, half, added);
                }
            }),
        ),
        ("a card's halves swapped", change(&|deck| deck[card(1)].rotate_left(32))),
        (
            "two cards moved, their sum kept",
            change(&|deck| {
                plus(deck, 1, card_points()[7]);
                plus(deck, 3, -card_points()[7]);
            }),
        ),
    ]
}

#[test]
fn two_cards_that_change_places_are_refused() {
    let table = Table::new(2, 5);
    let (honest, proof) = (table.decks[1].bytes(), table.proofs[0].to_bytes());
    for (i, j) in (0..5).flat_map(|i| (0..i).map(move |j| (i, j))) {
        let mut output = honest.to_vec();
        let (head, tail) = output.split_at_mut(i * CARD_BYTES);
        head[j * CARD_BYTES..][..CARD_BYTES].swap_with_slice(&mut tail[..CARD_BYTES]);
        assert_eq!(table.verdict(0, &output, &proof), REFUSED, "{i} and {j}");
    }
}

#[test]
fn a_proof_holds_for_its_statement_only() {
    let table = Table::new(3, 6);
    let other = Table::new(2, 6);
    let (input, output, proof) = (&table.decks[1], &table.decks[2], &table.proofs[1]);
    let right = table.context(1);
    let check = |context: &ShuffleContext<'_>, seat, input: &Deck, output: &Deck| {
        verify_shuffle(context, seat, input, output, proof)
    };
    assert_eq!(check(&right, 1, input, output), Ok(()));
    let wrong = [0; 32];
    assert_eq!(check(&ShuffleContext { t1: &wrong, ..right }, 1, input, output), REFUSED);
    assert_eq!(check(&ShuffleContext { stage: &wrong, ..right }, 1, input, output), REFUSED);
    assert_eq!(check(&ShuffleContext { joint: &other.joint, ..right }, 1, input, output), REFUSED);
    assert_eq!(check(&right, 0, input, output), REFUSED);
    assert_eq!(check(&right, 1, &table.decks[0], output), REFUSED, "another input");
    assert_eq!(check(&right, 1, output, input), REFUSED, "backwards");
    assert_eq!(check(&right, 1, output, output), REFUSED);
    assert_eq!(check(&table.context(2), 2, output, &table.decks[3]), REFUSED, "a stale proof");
    let short = Table::new(2, 5);
    assert!(matches!(check(&right, 1, input, &short.decks[1]), Err(CryptoError::Length { .. })));
    assert!(matches!(
        check(&right, 1, &short.decks[0], &short.decks[1]),
        Err(CryptoError::Length { .. })
    ));
}

#[test]
fn shuffling_two_inputs_gives_neither_permutation_away() {
    let table = Table::new(3, 20);
    let secrets = &table.secrets[1];
    let input = &table.decks[1];
    let other_stage = [7; 32];
    let context = ShuffleContext { stage: &other_stage, ..table.context(1) };
    let (output, _) = shuffle_and_prove(secrets, &context, input, &HEDGE);
    assert_ne!(&output, &table.decks[2]);
    // With one permutation and one row of ρ, each card would differ by what the input differs.
    let halves = |deck: &Deck| -> Vec<[u8; 32]> {
        deck.bytes().chunks(32).map(|half| half.try_into().unwrap()).collect()
    };
    let first = halves(&table.decks[2]);
    assert!(halves(&output).iter().all(|half| !first.contains(half)));
}

#[test]
fn malformed_proofs_and_decks_are_refused() {
    let table = Table::new(2, 4);
    let (output, proof) = (table.decks[1].bytes(), table.proofs[0].to_bytes());
    for len in [0, 31, 32, proof.len() - 32, proof.len() - 1] {
        let verdict = table.verdict(0, output, &proof[..len]);
        assert!(matches!(verdict, Err(CryptoError::Length { .. })));
    }
    let long = [proof.as_slice(), &[0; 32]].concat();
    assert!(matches!(table.verdict(0, output, &long), Err(CryptoError::Length { .. })));
    for len in [0, 63, output.len() - 64, output.len() - 1] {
        let verdict = table.verdict(0, &output[..len], &proof);
        assert!(matches!(verdict, Err(CryptoError::Length { .. })));
    }
    for place in 0..proof.len() / 32 {
        let mut changed = proof.clone();
        let word = &mut changed[place * 32..][..32];
        if place < 8 {
            word.fill(0);
            let verdict = table.verdict(0, output, &changed);
            assert!(matches!(verdict, Err(CryptoError::Point(_))), "the identity");
        } else {
            add_order(word);
            let verdict = table.verdict(0, output, &changed);
            assert!(matches!(verdict, Err(CryptoError::Scalar(_))), "a scalar over the order");
        }
    }
    for half in 0..output.len() / 32 {
        for bad in [[0; 32], [0xff; 32]] {
            let mut changed = output.to_vec();
            changed[half * 32..][..32].copy_from_slice(&bad);
            let verdict = table.verdict(0, &changed, &proof);
            assert!(matches!(verdict, Err(CryptoError::Point(_))));
        }
    }
    assert!(matches!(Point::parse(&[1; 31], "it"), Err(CryptoError::Length { .. })));
}

/// The other encoding, below 2^256, of the same scalar.
fn add_order(word: &mut [u8]) {
    let order_minus_one = (-Scalar::ONE).to_bytes();
    let mut carry = 1u16;
    for (byte, add) in word.iter_mut().zip(order_minus_one) {
        carry += u16::from(*byte) + u16::from(add);
        *byte = carry as u8;
        carry >>= 8;
    }
    assert_eq!(carry, 0);
}
