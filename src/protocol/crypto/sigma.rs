//! The two-scalar proof of Schnorr's kind, and its first use: that a seat knows its key.

use curve25519_dalek::ristretto::RistrettoPoint;
use curve25519_dalek::scalar::Scalar;

use super::error::CryptoError;
use super::group::{Point, parse_scalar};
use super::hash::Hash;
use super::keys::DealSecrets;
use super::transcript::Transcript;

/// Challenge and response, `(c, s)`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SigmaProof {
    pub(super) challenge: Scalar,
    pub(super) response: Scalar,
}

impl SigmaProof {
    /// The length of the encoding `c ‖ s`.
    pub const BYTES: usize = 64;

    /// Reads two canonical scalars.
    ///
    /// # Errors
    /// [`CryptoError::Length`], [`CryptoError::Scalar`].
    pub fn parse(bytes: &[u8]) -> Result<Self, CryptoError> {
        let (expected, found) = (Self::BYTES, bytes.len());
        if found != expected {
            return Err(CryptoError::Length { what: "proof", expected, found });
        }
        let (challenge, response) = bytes.split_at(Self::BYTES / 2);
        Ok(Self {
            challenge: parse_scalar(challenge, "a proof's challenge")?,
            response: parse_scalar(response, "a proof's response")?,
        })
    }

    /// The canonical encoding.
    pub fn to_bytes(&self) -> [u8; Self::BYTES] {
        let mut bytes = [0; Self::BYTES];
        let (challenge, response) = bytes.split_at_mut(Self::BYTES / 2);
        challenge.copy_from_slice(self.challenge.as_bytes());
        response.copy_from_slice(self.response.as_bytes());
        bytes
    }
}

/// Proves knowledge of `sk` behind `pk = sk G` for this seat of this deal: `R = kG`,
/// `c = ch(T0, seat, pk, R)`, `s = k + c sk` (Schnorr 1991). `hedge` is 32 bytes of OS randomness.
pub fn prove_key(secrets: &DealSecrets, hedge: &[u8; 32]) -> SigmaProof {
    let mut transcript = key_transcript(secrets.t0(), secrets.seat(), secrets.public());
    let nonce = zeroize::Zeroizing::new(transcript.nonces(hedge, secrets.seed()).draw());
    transcript.absorb("R", RistrettoPoint::mul_base(&nonce).compress().as_bytes());
    let challenge = transcript.challenge("c");
    SigmaProof { challenge, response: *nonce + challenge * secrets.key() }
}

/// Checks that who sits on `seat` of this deal knows the secret of `public`.
///
/// # Errors
/// [`CryptoError::Proof`].
pub fn verify_key(
    t0: &Hash,
    seat: u8,
    public: &Point,
    proof: &SigmaProof,
) -> Result<(), CryptoError> {
    let mut transcript = key_transcript(t0, seat, public);
    let commitment = schnorr_commitment(public, proof);
    transcript.absorb("R", commitment.compress().as_bytes());
    if transcript.challenge("c") == proof.challenge {
        Ok(())
    } else {
        Err(CryptoError::Proof("proof of knowledge of the key"))
    }
}

/// `s G − c pk`, in variable time.
pub(super) fn schnorr_commitment(public: &Point, proof: &SigmaProof) -> RistrettoPoint {
    RistrettoPoint::vartime_double_scalar_mul_basepoint(
        &-proof.challenge,
        public.inner(),
        &proof.response,
    )
}

fn key_transcript(t0: &Hash, seat: u8, public: &Point) -> Transcript {
    let mut transcript = Transcript::new("key");
    transcript.absorb("T0", t0);
    transcript.absorb("seat", &[seat]);
    transcript.absorb("pk", public.bytes());
    transcript
}
