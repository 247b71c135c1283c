//! What honest seats do is accepted, and gives every card to its owner.

use fairdeal::protocol::crypto::bayer_groth::ShuffleProof;
use fairdeal::protocol::crypto::deck::Deck;
use fairdeal::protocol::crypto::error::CryptoError;
use fairdeal::protocol::crypto::group::Point;
use fairdeal::protocol::crypto::hash::Hash;
use fairdeal::protocol::crypto::keys::DealSecrets;
use fairdeal::protocol::crypto::share::{Purpose, card, own_card, prove_shares, verify_shares};
use fairdeal::protocol::crypto::shuffle::{is_shuffle_of, shuffle};

use crate::table::{HEDGE, Table};

#[test]
fn every_deck_size_is_shuffled_and_proved() {
    for cards in 2..=60 {
        // Each number of seats meets each kind of size; the games' own sizes meet all of them.
        let seats = if matches!(cards, 36 | 44 | 45) { 2..6 } else { 2 + cards % 4..3 + cards % 4 };
        for seats in seats {
            let table = Table::new(seats, cards);
            for seat in 0..seats {
                let proof = table.proofs[seat].to_bytes();
                assert_eq!(proof.len(), ShuffleProof::bytes_for(cards));
                let output = table.decks[seat + 1].bytes();
                assert_eq!(table.verdict(seat, output, &proof), Ok(()), "{seats} seats, {cards}");
            }
        }
    }
}

#[test]
fn every_card_reaches_its_owner_and_then_everybody() {
    for (seats, cards) in [(2, 2), (2, 44), (3, 36), (4, 44), (5, 45), (5, 60)] {
        let table = Table::new(seats, cards);
        let shares: Vec<Vec<Point>> = (0..seats).map(|seat| all_shares(&table, seat)).collect();
        let mut order = Vec::new();
        for position in 0..cards as u8 {
            let at = |seat: usize| &shares[seat][usize::from(position)];
            let owner = usize::from(position) % seats;
            let others: Vec<&Point> = (0..seats).filter(|s| *s != owner).map(at).collect();
            let deck = table.last_deck();
            let own = own_card(&table.secrets[owner], deck, position, &others).unwrap();
            let all: Vec<&Point> = (0..seats).map(at).collect();
            assert_eq!(own, card(deck, position, &all).unwrap());
            assert_eq!(card(deck, position, &others), Ok(None), "readable without its owner");
            order.push(own.unwrap());
        }
        assert!(cards < 10 || order.windows(2).any(|pair| pair[0] > pair[1]), "not shuffled");
        order.sort_unstable();
        assert_eq!(order, (0..cards as u8).collect::<Vec<_>>());
    }
}

/// The shares of one seat for all positions, proved for those of others.
fn all_shares(table: &Table, seat: usize) -> Vec<Point> {
    let context = table.share_context(Purpose::Share { round: 1 });
    let (secrets, deck) = (&table.secrets[seat], table.last_deck());
    let positions: Vec<u8> = (0..deck.len() as u8).collect();
    let (shares, proof) = prove_shares(secrets, &context, deck, &positions, &HEDGE).unwrap();
    let public = secrets.public();
    verify_shares(&context, seat as u8, public, deck, &positions, &shares, &proof).unwrap();
    shares
}

#[test]
fn an_audit_finds_every_deck_byte_for_byte() {
    let table = Table::new(3, 36);
    for seat in 0..3 {
        let honest = &table.secrets[seat];
        let (context, input) = (table.context(seat), &table.decks[seat]);
        let revealed = DealSecrets::derive(honest.seed(), &table.t0, seat as u8);
        let output = &table.decks[seat + 1];
        assert_eq!(shuffle(&revealed, &context, input), *output);
        assert!(is_shuffle_of(output, &revealed, &context, input));
        let mut seed: Hash = *honest.seed();
        seed[31] ^= 1;
        let other = DealSecrets::derive(&seed, &table.t0, seat as u8);
        assert_ne!(shuffle(&other, &context, input), *output);
        assert!(!is_shuffle_of(output, &other, &context, input));
    }
}

#[test]
fn decks_that_no_game_has_are_refused() {
    let sixty_one: Vec<u8> = (0..61).collect();
    for (cards, value) in [(&sixty_one[..0], 0), (&sixty_one[..1], 1), (&sixty_one[..], 61)] {
        let refused = CryptoError::Range { what: "number of cards", value };
        assert_eq!(Deck::initial(cards), Err(refused));
        assert_eq!(Deck::parse(&vec![0; value * 64], value), Err(refused));
    }
    assert_eq!(Deck::initial(&[3, 60]), Err(CryptoError::Range { what: "card", value: 60 }));
    assert_eq!(Deck::initial(&[3, 4, 3]), Err(CryptoError::Repeated("a card")));
    assert!(ShuffleProof::parse(&[], 0).is_err());
    assert!(ShuffleProof::parse(&[0; (8 + 3 + 2) * 32], 1).is_err());
}
