//! Provers that follow the protocol to the letter, on statements that are false or with blinding
//! that is not as it should be: what an outsider's change of bytes cannot imitate.

use curve25519_dalek::ristretto::RistrettoPoint;
use curve25519_dalek::scalar::Scalar;
use zeroize::Zeroizing;

use super::prove::{Blinds, prove_with};
use super::{ShuffleProof, Statement};
use crate::protocol::crypto::deck::{Ciphertext, Deck};
use crate::protocol::crypto::error::CryptoError;
use crate::protocol::crypto::group::{Point, card_points};
use crate::protocol::crypto::transcript::Transcript;
use crate::protocol::crypto::witness::{ShuffleContext, Witness, apply};

const CARDS: usize = 5;
const REFUSED: Result<(), CryptoError> = Err(CryptoError::Proof("shuffle proof"));

/// A proof by `map`, from an input shuffled before to an output changed by `edit`, with blinds
/// changed by `spoil`; and the verdict on it.
fn verdict(
    map: [u8; CARDS],
    edit: impl Fn(&mut Vec<Ciphertext>, &RistrettoPoint),
    spoil: impl Fn(&mut Blinds),
) -> Result<(), CryptoError> {
    verdict_with(map, edit, spoil, |_| ())
}

/// As [`verdict`], with `b` changed by `bend`.
fn verdict_with(
    map: [u8; CARDS],
    edit: impl Fn(&mut Vec<Ciphertext>, &RistrettoPoint),
    spoil: impl Fn(&mut Blinds),
    bend: impl Fn(&mut [Scalar]),
) -> Result<(), CryptoError> {
    let joint = Point::new(RistrettoPoint::mul_base(&Scalar::from(99u64)));
    let context = ShuffleContext { t1: &[1; 32], stage: &[2; 32], joint: &joint };
    let first = apply(&witness([0, 1, 2, 3, 4]), &joint, &Deck::initial(&[0, 1, 2, 3, 4]).unwrap());
    let witness = witness(map);
    let honest = apply(&witness, &joint, &first);
    let mut cards = honest.cards().to_vec();
    edit(&mut cards, joint.inner());
    let output = Deck::new(cards);
    let statement = Statement { context: &context, seat: 3, input: &first, output: &output };
    let mut nonces = Transcript::new("cheat").nonces(&[7; 32], &[8; 32]);
    let mut blinds = Blinds::draw(CARDS, &mut nonces);
    spoil(&mut blinds);
    let proof = prove_with(&statement, &witness, &blinds, |powers| {
        let mut b = witness.arrange(powers);
        bend(&mut b);
        b
    });
    let proof = ShuffleProof::parse(&proof.to_bytes(), CARDS)?;
    proof.verify(&statement)
}

fn witness(map: [u8; CARDS]) -> Witness {
    let rhos = (1u64..=CARDS as u64).map(|i| Scalar::from(i * i * 1_000_003));
    Witness { map: Zeroizing::new(map.to_vec()), rhos: Zeroizing::new(rhos.collect()) }
}

const HONEST: [u8; CARDS] = [3, 0, 4, 1, 2];

#[test]
fn the_honest_prover_convinces() {
    assert_eq!(verdict(HONEST, |_, _| (), |_| ()), Ok(()));
    assert_eq!(verdict([0, 1, 2, 3, 4], |_, _| (), |_| ()), Ok(()));
}

/// Each output card is a true re-encryption of an input card: only the product argument objects.
#[test]
fn what_is_no_permutation_is_refused() {
    for map in [[3, 0, 4, 1, 1], [0, 0, 0, 0, 0], [3, 0, 4, 1, 3], [4, 4, 2, 0, 0]] {
        assert_eq!(verdict(map, |_, _| (), |_| ()), REFUSED, "{map:?}");
    }
}

/// The permutation is one, and only the multi-exponentiation argument objects.
#[test]
fn what_is_no_reencryption_is_refused() {
    let edits: [fn(&mut Vec<Ciphertext>, &RistrettoPoint); 7] = [
        |cards, _| cards[2].a += card_points()[9],
        |cards, _| cards[2].b += card_points()[9],
        |cards, _| cards[2] = Ciphertext { a: cards[2].a + cards[2].a, b: cards[2].b + cards[2].b },
        |cards, _| cards[2] = cards[4],
        |cards, _| cards.swap(0, 1),
        |cards, _| {
            cards[0].b += card_points()[9];
            cards[1].b -= card_points()[9];
        },
        |cards, joint| cards[0] = Ciphertext { a: *joint, b: card_points()[1] + joint },
    ];
    for (i, edit) in edits.into_iter().enumerate() {
        assert_eq!(verdict(HONEST, edit, |_| ()), REFUSED, "edit {i}");
    }
}

/// A card doubled and its power halved: the weighted sums are what they should be, with a ρ the
/// prover can state, and only the product argument objects.
#[test]
fn powers_that_are_no_powers_are_refused() {
    let joint = RistrettoPoint::mul_base(&Scalar::from(99u64));
    let rho = witness(HONEST).rhos[2];
    // Twice the input card and once ρ; with b/2, that is b times the card and b/2 times ρ.
    let double = |cards: &mut Vec<Ciphertext>, _: &RistrettoPoint| {
        let card = &mut cards[2];
        let plain =
            Ciphertext { a: card.a - RistrettoPoint::mul_base(&rho), b: card.b - joint * rho };
        card.a += plain.a;
        card.b += plain.b;
    };
    let halve = |b: &mut [Scalar]| b[2] *= Scalar::from(2u64).invert();
    assert_eq!(verdict_with(HONEST, double, |_| (), halve), REFUSED);
    assert_eq!(verdict_with(HONEST, |_, _| (), |_| (), halve), REFUSED);
}

/// A re-encryption the witness does not account for.
#[test]
fn another_rho_than_proved_is_refused() {
    let more = |cards: &mut Vec<Ciphertext>, joint: &RistrettoPoint| {
        cards[3].a += RistrettoPoint::mul_base(&Scalar::ONE);
        cards[3].b += joint;
    };
    assert_eq!(verdict(HONEST, more, |_| ()), REFUSED);
}

/// `δ_1 = d_1` and `δ_N = 0` tie the chain of products to its ends; between them δ is free.
#[test]
fn the_ends_of_delta_are_pinned() {
    let spoil = |place: usize| move |blinds: &mut Blinds| blinds.delta[place] += Scalar::ONE;
    assert_eq!(verdict(HONEST, |_, _| (), spoil(0)), REFUSED);
    assert_eq!(verdict(HONEST, |_, _| (), spoil(CARDS - 1)), REFUSED);
    for place in 1..CARDS - 1 {
        assert_eq!(verdict(HONEST, |_, _| (), spoil(place)), Ok(()));
    }
}

/// No blinding is needed for a proof to hold, all of it for the proof to hide: none may be equal to
/// another, or a difference of responses would be a difference of secrets.
#[test]
fn no_blind_is_drawn_twice() {
    let mut nonces = Transcript::new("cheat").nonces(&[7; 32], &[8; 32]);
    let Blinds { r, tau, alpha, d, delta } = Blinds::draw(CARDS, &mut nonces);
    assert_eq!(delta[0], d[0]);
    assert_eq!(delta[CARDS - 1], Scalar::ZERO);
    let mut all: Vec<[u8; 32]> = r.iter().map(|r| r.to_bytes()).collect();
    all.push(tau.to_bytes());
    all.extend(alpha.iter().chain(d.iter()).chain(&delta[1..]).map(Scalar::to_bytes));
    let count = all.len();
    all.sort_unstable();
    all.dedup();
    assert_eq!(all.len(), count);
    let zero = |blinds: &mut Blinds| {
        blinds.alpha.fill(Scalar::ZERO);
        blinds.d.fill(Scalar::ZERO);
        blinds.delta.fill(Scalar::ZERO);
    };
    // E, c_α and c_d are then not the identity only for r and τ.
    assert_eq!(verdict(HONEST, |_, _| (), zero), Ok(()));
}
