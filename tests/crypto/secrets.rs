//! Secrets stay where they are.

use curve25519_dalek::scalar::Scalar;
use fairdeal::protocol::crypto::group::hash_to_scalar;
use fairdeal::protocol::crypto::keys::DealSecrets;
use fairdeal::protocol::crypto::share::{Purpose, prove_shares};
use fairdeal::protocol::crypto::shuffle::shuffle_and_prove;
use fairdeal::protocol::crypto::sigma::{SigmaProof, prove_key};

use crate::table::{HEDGE, Table};

#[test]
fn secrets_are_not_printed() {
    let seed = [0xa7; 32];
    let secrets = DealSecrets::derive(&seed, &[1; 32], 3);
    assert_eq!(format!("{secrets:?}"), "DealSecrets { seat: 3, .. }");
    assert_eq!(format!("{secrets:#?}").matches(char::is_numeric).count(), 1);
}

/// Two responses with one nonce and two challenges give the key away.
#[test]
fn a_repeated_hedge_does_not_give_the_key_away() {
    let table = Table::new(2, 6);
    let (secrets, deck) = (&table.secrets[0], table.last_deck());
    let prove = |round, position| {
        let context = table.share_context(Purpose::Share { round });
        prove_shares(secrets, &context, deck, &[position], &HEDGE).unwrap().1
    };
    let proofs = [prove_key(secrets, &HEDGE), prove(1, 1), prove(1, 3), prove(2, 1)];
    let key = hash_to_scalar("sk", &[secrets.seed(), &table.t0]);
    for (i, one) in proofs.iter().enumerate() {
        for other in &proofs[..i] {
            let ([c1, s1], [c2, s2]) = (words(one), words(other));
            assert_ne!((s1 - s2) * (c1 - c2).invert(), key);
        }
    }
}

fn words(proof: &SigmaProof) -> [Scalar; 2] {
    let bytes = proof.to_bytes();
    [0, 32].map(|at| Scalar::from_canonical_bytes(bytes[at..at + 32].try_into().unwrap()).unwrap())
}

#[test]
fn a_hedge_changes_each_word_of_a_proof_and_no_card() {
    let table = Table::new(2, 6);
    let (context, input) = (table.context(1), &table.decks[1]);
    let (deck, proof) = shuffle_and_prove(&table.secrets[1], &context, input, &[1; 32]);
    assert_eq!(deck, table.decks[2]);
    let (proof, other) = (proof.to_bytes(), table.proofs[1].to_bytes());
    assert!(proof.chunks(32).zip(other.chunks(32)).all(|(word, other)| word != other));
    let mut words: Vec<&[u8]> = proof.chunks(32).collect();
    words.sort_unstable();
    words.dedup();
    assert_eq!(words.len(), proof.len() / 32, "a nonce was used twice");
}
