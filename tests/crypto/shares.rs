//! Keys and shares: what their proofs are bound to.

use curve25519_dalek::ristretto::RistrettoPoint;
use curve25519_dalek::scalar::Scalar;
use fairdeal::protocol::crypto::error::CryptoError;
use fairdeal::protocol::crypto::group::Point;
use fairdeal::protocol::crypto::keys::joint_key;
use fairdeal::protocol::crypto::share::{
    self, Purpose, ShareContext, card, prove_shares, verify_shares,
};
use fairdeal::protocol::crypto::sigma::{SigmaProof, prove_key, verify_key};

use crate::table::{HEDGE, Table, moved, point, stepped};

const REFUSED: Result<(), CryptoError> = Err(CryptoError::Proof("proof of equal logarithms"));
const ROUND: Purpose = Purpose::Share { round: 1 };

#[test]
fn a_batch_holds_exactly_if_each_share_does() {
    let table = Table::new(2, 8);
    let (secrets, deck, context) =
        (&table.secrets[1], table.last_deck(), table.share_context(ROUND));
    let positions = [0, 2, 4, 6];
    let check = |positions: &[u8], shares: &[Point], proof: &SigmaProof| {
        verify_shares(&context, 1, secrets.public(), deck, positions, shares, proof)
    };
    let (honest, proof) = prove_shares(secrets, &context, deck, &positions, &HEDGE).unwrap();
    assert_eq!(check(&positions, &honest, &proof), Ok(()));
    let singles: Vec<SigmaProof> = positions
        .iter()
        .map(|i| prove_shares(secrets, &context, deck, &[*i], &HEDGE).unwrap().1)
        .collect();
    for (changed, step) in (0..4).flat_map(|i| [(i, 0), (i, 1), (i, -1)]) {
        let mut shares = honest.clone();
        if step != 0 {
            shares[changed] = Point::parse(&moved(shares[changed].bytes(), step), "").unwrap();
        }
        let expected = if step == 0 { Ok(()) } else { REFUSED };
        assert_eq!(check(&positions, &shares, &proof), expected);
        for (i, single) in singles.iter().enumerate() {
            let verdict = check(&positions[i..=i], &shares[i..=i], single);
            assert_eq!(verdict, if i == changed { expected } else { Ok(()) });
        }
    }
}

/// Without weights, two errors that cancel would pass.
#[test]
fn errors_that_cancel_are_refused() {
    let table = Table::new(2, 8);
    let (secrets, deck, context) =
        (&table.secrets[1], table.last_deck(), table.share_context(ROUND));
    let (mut shares, proof) = prove_shares(secrets, &context, deck, &[0, 2], &HEDGE).unwrap();
    shares[0] = Point::parse(&moved(shares[0].bytes(), 1), "").unwrap();
    shares[1] = Point::parse(&moved(shares[1].bytes(), -1), "").unwrap();
    let public = secrets.public();
    assert_eq!(verify_shares(&context, 1, public, deck, &[0, 2], &shares, &proof), REFUSED);
}

const OPEN: Purpose = Purpose::Open { number: 5, head: [1; 32] };

#[test]
fn a_share_proof_holds_for_its_statement_only() {
    let table = Table::new(3, 8);
    let (seat, deck) = (&table.secrets[1], table.last_deck());
    let (public, other) = (seat.public(), table.secrets[0].public());
    for purpose in [ROUND, OPEN] {
        let right = table.share_context(purpose);
        let (shares, proof) = prove_shares(seat, &right, deck, &[3, 5], &HEDGE).unwrap();
        let check = |context: &ShareContext<'_>, seat, public, deck, positions: &[u8]| {
            verify_shares(context, seat, public, deck, positions, &shares, &proof)
        };
        let zero = [0; 32];
        let (mut t1, mut stage) = (right, right);
        t1.t1 = &zero;
        stage.stage = &zero;
        assert_eq!(check(&right, 1, public, deck, &[3, 5]), Ok(()));
        assert_eq!(check(&t1, 1, public, deck, &[3, 5]), REFUSED);
        assert_eq!(check(&stage, 1, public, deck, &[3, 5]), REFUSED);
        assert_eq!(check(&right, 0, public, deck, &[3, 5]), REFUSED);
        assert_eq!(check(&right, 1, other, deck, &[3, 5]), REFUSED);
        assert_eq!(check(&right, 1, public, &table.decks[1], &[3, 5]), REFUSED);
        assert_eq!(check(&right, 1, public, deck, &[5, 3]), REFUSED);
        assert_eq!(check(&right, 1, public, deck, &[3, 6]), REFUSED);
    }
}

#[test]
fn a_share_proof_serves_one_purpose() {
    let table = Table::new(2, 8);
    let (seat, deck) = (&table.secrets[1], table.last_deck());
    let all = [
        ROUND,
        Purpose::Share { round: 2 },
        OPEN,
        Purpose::Open { number: 6, head: [1; 32] },
        Purpose::Open { number: 5, head: [2; 32] },
    ];
    for purpose in all {
        let context = table.share_context(purpose);
        let (shares, proof) = prove_shares(seat, &context, deck, &[3, 5], &HEDGE).unwrap();
        for other in all {
            let context = table.share_context(other);
            let verdict = verify_shares(&context, 1, seat.public(), deck, &[3, 5], &shares, &proof);
            assert_eq!(verdict, if other == purpose { Ok(()) } else { REFUSED });
        }
    }
}

#[test]
fn numbers_of_shares_and_positions_are_checked() {
    let table = Table::new(2, 8);
    let (secrets, deck, context) =
        (&table.secrets[0], table.last_deck(), table.share_context(ROUND));
    let (shares, proof) = prove_shares(secrets, &context, deck, &[1, 3], &HEDGE).unwrap();
    let check = |positions: &[u8], shares: &[Point]| {
        verify_shares(&context, 0, secrets.public(), deck, positions, shares, &proof)
    };
    let length = |expected, found| Err(CryptoError::Length { what: "shares", expected, found });
    let range = CryptoError::Range { what: "position", value: 8 };
    assert_eq!(check(&[1], &shares), length(1, 2));
    assert_eq!(check(&[1, 3, 5], &shares), length(3, 2));
    assert_eq!(check(&[], &[]), length(1, 0));
    assert_eq!(check(&[1, 8], &shares), Err(range));
    assert_eq!(share::shares(secrets, deck, &[8]), Err(range));
    assert_eq!(card(deck, 8, &[]), Err(range));
    assert!(prove_shares(secrets, &context, deck, &[], &HEDGE).is_err());
    assert!(prove_shares(secrets, &context, deck, &[8], &HEDGE).is_err());
}

#[test]
fn each_word_of_a_small_proof_matters() {
    let table = Table::new(2, 4);
    let (secrets, deck, context) =
        (&table.secrets[0], table.last_deck(), table.share_context(ROUND));
    let (shares, proof) = prove_shares(secrets, &context, deck, &[1, 3], &HEDGE).unwrap();
    let (proof, key_proof) = (proof.to_bytes(), prove_key(secrets, &HEDGE).to_bytes());
    let public = secrets.public();
    for (place, step) in [(0, 1), (0, -1), (1, 1), (1, -1)] {
        let change = |proof: &[u8; 64]| {
            let mut proof = *proof;
            let word = &mut proof[place * 32..][..32];
            word.copy_from_slice(&stepped(word, step));
            SigmaProof::parse(&proof).unwrap()
        };
        let changed = change(&proof);
        let verdict = verify_shares(&context, 0, public, deck, &[1, 3], &shares, &changed);
        assert_eq!(verdict, REFUSED);
        assert!(verify_key(&table.t0, 0, public, &change(&key_proof)).is_err());
    }
    assert!(matches!(SigmaProof::parse(&proof[..63]), Err(CryptoError::Length { .. })));
    assert!(matches!(SigmaProof::parse(&[0xff; 64]), Err(CryptoError::Scalar(_))));
}

#[test]
fn a_key_proof_holds_for_its_seat_and_deal_only() {
    let table = Table::unshuffled(3, 4);
    let [first, second, _] = &table.secrets[..] else { panic!("three seats") };
    let proof = prove_key(first, &HEDGE);
    assert_eq!(verify_key(&table.t0, 0, first.public(), &proof), Ok(()));
    assert!(verify_key(&table.t0, 1, first.public(), &proof).is_err());
    assert!(verify_key(&[0; 32], 0, first.public(), &proof).is_err());
    assert!(verify_key(&table.t0, 0, second.public(), &proof).is_err());
}

#[test]
fn keys_that_spoil_the_joint_key_are_refused() {
    let table = Table::unshuffled(2, 4);
    let keys: Vec<Point> = table.secrets.iter().map(|seat| seat.public().clone()).collect();
    let parse = |point: RistrettoPoint| Point::parse(point.compress().as_bytes(), "key").unwrap();
    let [a, b] = [point(keys[0].bytes()), point(keys[1].bytes())];
    assert_eq!(joint_key(&keys).unwrap().bytes(), (a + b).compress().as_bytes());
    let twice = [keys[0].clone(), keys[1].clone(), keys[0].clone()];
    assert_eq!(joint_key(&twice), Err(CryptoError::Repeated("a public key")));
    let cancelled = [keys[0].clone(), keys[1].clone(), parse(-a - b)];
    assert_eq!(joint_key(&cancelled), Err(CryptoError::Point("the joint key")));
    assert!(joint_key(&[]).is_err());
}

/// The last seat's favourite: a key that makes the joint key its own. It cannot be proved.
#[test]
fn a_rogue_key_has_no_proof() {
    let table = Table::unshuffled(2, 4);
    let own = Scalar::from(77u64);
    let honest = point(table.secrets[0].public().bytes());
    let rogue = RistrettoPoint::mul_base(&own) - honest;
    let rogue = Point::parse(rogue.compress().as_bytes(), "key").unwrap();
    for secrets in &table.secrets {
        assert!(verify_key(&table.t0, 1, &rogue, &prove_key(secrets, &HEDGE)).is_err());
    }
}
