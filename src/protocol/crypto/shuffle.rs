//! One seat's shuffle: the deck permuted and re-encrypted.

use curve25519_dalek::constants::RISTRETTO_BASEPOINT_POINT as G;
use curve25519_dalek::ristretto::RistrettoPoint;
use curve25519_dalek::scalar::Scalar;
use curve25519_dalek::traits::IsIdentity;

use super::bayer_groth::{ShuffleProof, Statement, prove};
use super::deck::{Ciphertext, Deck};
use super::error::CryptoError;
use super::group::public_sum_of_products;
use super::keys::DealSecrets;
use super::transcript::Transcript;
pub use super::witness::ShuffleContext;
use super::witness::{Witness, apply};

/// The shuffled deck `out[i] = input[π(i)] + (ρ_i G, ρ_i PK)` with the permutation and the ρ of
/// this seat for S_{j−1}; byte for byte the same each time, so that an audit can compare.
pub fn shuffle(secrets: &DealSecrets, context: &ShuffleContext<'_>, input: &Deck) -> Deck {
    apply(&Witness::derive(secrets, context.stage, input), context.joint, input)
}

/// [`shuffle`], with the proof that it is one; `hedge` is 32 bytes of OS randomness.
pub fn shuffle_and_prove(
    secrets: &DealSecrets,
    context: &ShuffleContext<'_>,
    input: &Deck,
    hedge: &[u8; 32],
) -> (Deck, ShuffleProof) {
    let witness = Witness::derive(secrets, context.stage, input);
    let output = apply(&witness, context.joint, input);
    let statement = Statement { context, seat: secrets.seat(), input, output: &output };
    let nonces = statement.transcript().nonces(hedge, secrets.seed());
    let proof = prove(&statement, &witness, nonces);
    (output, proof)
}

/// Whether `output` is what [`shuffle`] gives; in variable time, for secrets that were revealed.
///
/// For each half of the cards the equations `out[i] − input[π(i)] = ρ_i base` are checked as one
/// sum (the small exponents test of Bellare, Garay and Rabin 1998). The weights are drawn after all
/// that the equations are made of.
pub fn is_shuffle_of(
    output: &Deck,
    secrets: &DealSecrets,
    context: &ShuffleContext<'_>,
    input: &Deck,
) -> bool {
    let mut transcript = Transcript::new("audit");
    transcript.absorb("seed", secrets.seed());
    transcript.absorb("S", context.stage);
    transcript.absorb("PK", context.joint.bytes());
    transcript.absorb("in", input.bytes());
    transcript.absorb("out", output.bytes());
    let witness = Witness::derive(secrets, context.stage, input);
    let mut weights: Vec<Scalar> = witness.rhos.iter().map(|_| transcript.weight()).collect();
    let rho: Scalar = weights.iter().zip(witness.rhos.iter()).map(|(w, rho)| w * rho).sum();
    weights.push(-rho);
    let holds = |base: &RistrettoPoint, half: fn(&Ciphertext) -> RistrettoPoint| {
        let before = witness.map.iter().map(|from| half(&input.cards()[usize::from(*from)]));
        let rows = output.cards().iter().zip(before).map(|(card, before)| half(card) - before);
        let points: Vec<RistrettoPoint> = rows.chain([*base]).collect();
        public_sum_of_products(&weights, &points).is_identity()
    };
    output.len() == input.len()
        && holds(&G, |card| card.a)
        && holds(context.joint.inner(), |card| card.b)
}

/// Checks that `output` is a shuffle of `input` by `seat`.
///
/// # Errors
/// [`CryptoError::Length`] if a deck or the proof is of another number of cards,
/// [`CryptoError::Proof`].
pub fn verify_shuffle(
    context: &ShuffleContext<'_>,
    seat: u8,
    input: &Deck,
    output: &Deck,
    proof: &ShuffleProof,
) -> Result<(), CryptoError> {
    proof.verify(&Statement { context, seat, input, output })
}
