//! The verifier.
//!
//! With the responses of the parent module in them, each of these holds identically:
//!
//! 1. `com(o; o_r) = c_α + e c_b`
//! 2. `Σ o_i A'_i + τ G = E_A + e Σ x^i A_i`, as `Σ b_i A'_i = Σ x^i A_i + Σ b_i ρ_i G`
//! 3. `Σ o_i B'_i + τ PK = E_B + e Σ x^i B_i`, likewise
//! 4. `com(ã; r̃) = c_d + e (y c_π + c_b − z ΣG_i)`
//! 5. `com(e b̃_{i+1} − b̃_i ã_{i+1} for i < N; s̃) = c_δ + e c_Δ`, as `e b̃_{i+1} − b̃_i ã_{i+1} =
//!    e² (q_{i+1} − q_i a_{i+1}) + e (δ_{i+1} − a_{i+1} δ_i − q_i d_{i+1}) − δ_i d_{i+1}`, where
//!    the first bracket is zero
//!
//! Conversely 5, with `b̃_1 = ã_1` and `b̃_N = e Π (y i + x^i − z)` put in, makes
//! `e^N Π (y i + x^i − z) = e^N Π a_i + (a polynomial in e of lower degree, fixed before e)`.
//!
//! All five are checked as one multiscalar product, each with a weight, the first with 1. The other
//! weights are drawn from the transcript after the responses, hence after everything the equations
//! are made of: if one of the five fails, the sum vanishes for at most one in 2^252 of its weights
//! (if only the first fails, for none), and a forger can only try again with another proof, at one
//! hash each. So the verdict is the same for everyone, at every replay.

use std::iter::once;

use curve25519_dalek::constants::RISTRETTO_BASEPOINT_POINT as G;
use curve25519_dalek::ristretto::RistrettoPoint;
use curve25519_dalek::scalar::Scalar;
use curve25519_dalek::traits::IsIdentity;

use super::{ShuffleProof, Statement, challenge_e, challenge_x, challenge_yz, powers};
use crate::protocol::crypto::error::CryptoError;
use crate::protocol::crypto::group::{Point, commitment_key, public_sum_of_products};

impl ShuffleProof {
    /// Checks the proof against `statement`.
    ///
    /// # Errors
    /// [`CryptoError::Length`] if a deck or the proof is of another number of cards,
    /// [`CryptoError::Proof`].
    pub(in crate::protocol::crypto) fn verify(
        &self,
        statement: &Statement<'_>,
    ) -> Result<(), CryptoError> {
        let expected = statement.input.len();
        for (what, found) in [
            ("cards of the shuffled deck", statement.output.len()),
            ("cards of the shuffle proof", self.responses.o.len()),
        ] {
            if found != expected {
                return Err(CryptoError::Length { what, expected, found });
            }
        }
        let mut transcript = statement.transcript();
        let x = challenge_x(&mut transcript, &self.c_pi);
        let (y, z) = challenge_yz(&mut transcript, &self.c_b);
        let e = challenge_e(&mut transcript, &self.last);
        transcript.absorb("responses", &self.responses.bytes());
        let weights = ["w2", "w3", "w4", "w5"].map(|label| transcript.challenge(label));
        let drawn = Drawn { powers: powers(&x, expected), y, z, e, weights };
        if self.combined(statement, &drawn).is_identity() {
            Ok(())
        } else {
            Err(CryptoError::Proof("shuffle proof"))
        }
    }

    /// The weighted sum of left minus right sides of the five equations.
    fn combined(&self, statement: &Statement<'_>, drawn: &Drawn) -> RistrettoPoint {
        let Drawn { powers, y, e, weights: [w2, w3, w4, w5], .. } = drawn;
        let (answer, last) = (&self.responses, &self.last);
        let (input, output) = (statement.input.cards(), statement.output.cards());
        let blinds = answer.o_r + w4 * answer.r + w5 * answer.s;
        let generators = self.generator_scalars(drawn);
        let (w2e, w3e) = (w2 * e, w3 * e);
        let scalars: Vec<Scalar> = once(blinds)
            .chain(generators)
            .chain(answer.o.iter().map(|o| w2 * o))
            .chain(answer.o.iter().map(|o| w3 * o))
            .chain(powers.iter().map(|power| -w2e * power))
            .chain(powers.iter().map(|power| -w3e * power))
            .chain([w2 * answer.tau, w3 * answer.tau])
            .chain([-w4 * e * y, -e * (Scalar::ONE + w4), -Scalar::ONE])
            .chain([-*w2, -*w3, -*w4, -*w5, -w5 * e])
            .collect();
        let commitments = [&self.c_pi, &self.c_b].into_iter().chain(last.points());
        let points: Vec<RistrettoPoint> = commitment_key()
            .iter()
            .take(output.len() + 1)
            .chain(output.iter().map(|card| &card.a))
            .chain(output.iter().map(|card| &card.b))
            .chain(input.iter().map(|card| &card.a))
            .chain(input.iter().map(|card| &card.b))
            .chain([&G, statement.context.joint.inner()])
            .chain(commitments.map(Point::inner))
            .copied()
            .collect();
        public_sum_of_products(&scalars, &points)
    }

    /// What each G_i is multiplied with:
    /// `o_i + w4 (ã_i + e z) + w5 (e b̃_{i+1} − b̃_i ã_{i+1})`, the last for i < N.
    fn generator_scalars(&self, drawn: &Drawn) -> Vec<Scalar> {
        let Drawn { e, z, weights: [_, _, w4, w5], .. } = drawn;
        let answer = &self.responses;
        let b_first = answer.a.iter().take(1).copied();
        let b: Vec<Scalar> =
            b_first.chain(answer.b.iter().copied()).chain(once(e * drawn.product())).collect();
        let steps = b.windows(2).zip(answer.a.iter().skip(1)).map(|(pair, a)| match pair {
            [b, b_next] => e * b_next - b * a,
            _ => Scalar::ZERO,
        });
        let steps = steps.chain(once(Scalar::ZERO));
        let w4ez = w4 * e * z;
        let rows = answer.o.iter().zip(&answer.a).zip(steps);
        rows.map(|((o, a), step)| o + w4 * a + w4ez + w5 * step).collect()
    }
}

/// The challenges and the weights.
struct Drawn {
    powers: Vec<Scalar>,
    y: Scalar,
    z: Scalar,
    e: Scalar,
    weights: [Scalar; 4],
}

impl Drawn {
    /// `Π (y i + x^i − z)`, i from 1 to N.
    fn product(&self) -> Scalar {
        let multiples = std::iter::successors(Some(self.y), |multiple| Some(multiple + self.y));
        self.powers.iter().zip(multiples).map(|(power, yi)| power + yi - self.z).product()
    }
}
