//! The transcript that makes the proofs non-interactive (strong Fiat-Shamir): whatever a
//! challenge depends on is absorbed before it is drawn.

use curve25519_dalek::scalar::Scalar;
use sha2::{Digest, Sha512};
use zeroize::Zeroizing;

use super::group::{hash_to_scalar, hash_wide};
use super::hash::{Hash, hash};

/// 64 bytes of state, which public data goes into and challenges come out of.
#[derive(Clone)]
pub struct Transcript {
    state: [u8; 64],
}

impl Transcript {
    /// The transcript of one kind of proof: the state is SHA-512 of the frame `("tr", protocol)`.
    pub fn new(protocol: &str) -> Self {
        Self { state: hash_wide("tr", &[protocol.as_bytes()]) }
    }

    /// `st = SHA-512(st ‖ u32le|label| ‖ label ‖ u64le|data| ‖ data)`.
    pub fn absorb(&mut self, label: &str, data: &[u8]) {
        let mut sha = Sha512::new();
        sha.update(self.state);
        sha.update((label.len() as u32).to_le_bytes());
        sha.update(label.as_bytes());
        sha.update((data.len() as u64).to_le_bytes());
        sha.update(data);
        self.state = sha.finalize().into();
    }

    /// `c = Hs("ch", st, label)`, then absorbed under the same label. Zero with a probability of
    /// 2^-252, which is within the soundness error of every proof here.
    pub fn challenge(&mut self, label: &str) -> Scalar {
        let challenge = hash_to_scalar("ch", &[&self.state, label.as_bytes()]);
        self.absorb(label, challenge.as_bytes());
        challenge
    }

    /// 128 bits of a [`challenge`](Self::challenge): a weight of one of many equations that are
    /// checked as one sum. If one of them fails, the sum holds for at most one in 2^128 of its
    /// weights.
    pub(super) fn weight(&mut self) -> Scalar {
        let mut bytes = self.challenge("w").to_bytes();
        bytes[16..].fill(0);
        Scalar::from_bytes_mod_order(bytes)
    }

    /// The prover's secret scalars for the statement absorbed so far.
    ///
    /// They depend on the statement, so two statements never share one even if `hedge` repeats;
    /// on `hedge` (32 bytes of OS randomness), so they are not known to who learns the secret
    /// later; and on the secret, so a weak `hedge` alone gives nothing away.
    pub fn nonces(&self, hedge: &[u8; 32], secret: &[u8; 32]) -> Nonces {
        Nonces { key: Zeroizing::new(hash("noncekey", &[hedge, secret, &self.state])), count: 0 }
    }
}

/// A row of secret scalars, no two alike: the i-th, from 0, is `Hs("nonce", key, u32le i)` with
/// `key = H("noncekey", hedge, secret, st)`.
pub struct Nonces {
    key: Zeroizing<Hash>,
    count: u32,
}

impl Nonces {
    /// The next secret scalar.
    pub fn draw(&mut self) -> Scalar {
        let nonce = hash_to_scalar("nonce", &[&*self.key, &self.count.to_le_bytes()]);
        self.count += 1;
        nonce
    }

    /// The next `count` secret scalars.
    pub fn draw_many(&mut self, count: usize) -> Zeroizing<Vec<Scalar>> {
        Zeroizing::new((0..count).map(|_| self.draw()).collect())
    }
}
