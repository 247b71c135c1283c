//! That many points were multiplied with the key behind one public key: the batched proof of equal
//! discrete logarithms (Chaum and Pedersen 1992; composites as in RFC 9497, section 2.2.1).

use curve25519_dalek::ristretto::RistrettoPoint;
use curve25519_dalek::scalar::Scalar;
use zeroize::Zeroizing;

use super::error::CryptoError;
use super::group::{HALF, Point, public_sum_of_products};
use super::sigma::{SigmaProof, schnorr_commitment};
use super::transcript::{Nonces, Transcript};

/// A statement `D_i = sk A_i` for all i, with `pk = sk G`; `transcript` has absorbed the context,
/// `pk`, all `A_i` and all `D_i`.
pub(super) struct Statement<'a> {
    pub(super) transcript: Transcript,
    pub(super) public: &'a Point,
    pub(super) bases: Vec<RistrettoPoint>,
    pub(super) products: Vec<RistrettoPoint>,
}

impl Statement<'_> {
    /// With the weighted sums M of the `A_i` and Z of the `D_i`: `X = kG`, `Y = kM`,
    /// `c = ch(.., X, Y)`, `s = k + c sk`.
    pub(super) fn prove(mut self, key: &Scalar, mut nonces: Nonces) -> SigmaProof {
        let weights = self.weights();
        let base = weighted_sum(&weights, &self.bases);
        let nonce = Zeroizing::new(nonces.draw());
        let half = Zeroizing::new(*nonce * *HALF);
        let challenge = self.challenge([RistrettoPoint::mul_base(&half), base * *half]);
        SigmaProof { challenge, response: *nonce + challenge * key }
    }

    /// `X = sG − c pk`, `Y = sM − cZ`, and `c` must come out again.
    pub(super) fn verify(mut self, proof: &SigmaProof) -> Result<(), CryptoError> {
        let weights = self.weights();
        let [challenge, response] = [proof.challenge, proof.response].map(|scalar| scalar * *HALF);
        let x = schnorr_commitment(self.public, &SigmaProof { challenge, response });
        let sums = [&self.bases, &self.products].map(|points| weighted_sum(&weights, points));
        let y = public_sum_of_products(&[response, -challenge], &sums);
        if self.challenge([x, y]) == proof.challenge {
            Ok(())
        } else {
            Err(CryptoError::Proof("proof of equal logarithms"))
        }
    }

    /// One weight a point, drawn after all of them are absorbed: 1, then 128 bits each. If some
    /// `D_i ≠ sk A_i`, the weighted sums agree with a probability of at most 2^-128.
    fn weights(&mut self) -> Vec<Scalar> {
        let first = std::iter::once(Scalar::ONE);
        first.chain((1..self.bases.len()).map(|_| self.transcript.weight())).collect()
    }

    /// `c`, given half of X and half of Y.
    fn challenge(&mut self, halves: [RistrettoPoint; 2]) -> Scalar {
        let encoded = RistrettoPoint::double_and_compress_batch(&halves);
        for (label, point) in ["X", "Y"].into_iter().zip(encoded) {
            self.transcript.absorb(label, point.as_bytes());
        }
        self.transcript.challenge("c")
    }
}

/// `Σ weights_i points_i`, in variable time; a single point's weight is 1.
fn weighted_sum(weights: &[Scalar], points: &[RistrettoPoint]) -> RistrettoPoint {
    match points {
        [only] => *only,
        _ => public_sum_of_products(weights, points),
    }
}
