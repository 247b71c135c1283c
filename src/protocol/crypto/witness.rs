//! How a deck was shuffled, and what the shuffle is bound to: what the shuffle and its proof share.

use curve25519_dalek::ristretto::RistrettoPoint;
use curve25519_dalek::scalar::Scalar;
use zeroize::Zeroizing;

use super::deck::{Ciphertext, Deck};
use super::group::Point;
use super::hash::Hash;
use super::keys::DealSecrets;

/// What a shuffle is bound to, but for the seat.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ShuffleContext<'a> {
    /// T1, the commitments.
    pub t1: &'a Hash,
    /// S_{j−1}, the input deck and all that led to it.
    pub stage: &'a Hash,
    /// PK, the joint key.
    pub joint: &'a Point,
}

/// How a deck was shuffled.
pub(super) struct Witness {
    /// π: where in the input the card at each position of the output comes from.
    pub(super) map: Zeroizing<Vec<u8>>,
    /// What each position of the output was re-encrypted with.
    pub(super) rhos: Zeroizing<Vec<Scalar>>,
}

impl Witness {
    pub(super) fn derive(secrets: &DealSecrets, stage: &Hash, input: &Deck) -> Self {
        let len = input.len() as u8;
        Self { map: secrets.permutation(stage, len), rhos: secrets.rhos(stage, len) }
    }

    /// What belongs to each position of the input, in the order of the output.
    pub(super) fn arrange(&self, row: &[Scalar]) -> Zeroizing<Vec<Scalar>> {
        Zeroizing::new(self.map.iter().map(|from| row[usize::from(*from)]).collect())
    }
}

/// The deck `witness` makes of `input`.
pub(super) fn apply(witness: &Witness, joint: &Point, input: &Deck) -> Deck {
    let shuffled = witness.map.iter().zip(witness.rhos.iter()).map(|(from, rho)| {
        let card = &input.cards()[usize::from(*from)];
        Ciphertext { a: card.a + RistrettoPoint::mul_base(rho), b: card.b + joint.inner() * rho }
    });
    Deck::new(shuffled.collect())
}
