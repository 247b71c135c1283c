//! What one seat keeps secret in one deal, all of it from one seed, and the table's joint key.

use std::fmt;

use curve25519_dalek::ristretto::RistrettoPoint;
use curve25519_dalek::scalar::Scalar;
use curve25519_dalek::traits::IsIdentity;
use zeroize::Zeroizing;

use super::error::CryptoError;
use super::group::{Point, hash_to_scalar};
use super::hash::{Hash, hash};
use super::stream::Stream;

/// The secrets of one seat in one deal; from a revealed seed, what its audit compares with.
///
/// Zeroised on drop, and not printed.
pub struct DealSecrets {
    seed: Zeroizing<Hash>,
    t0: Hash,
    seat: u8,
    key: Zeroizing<Scalar>,
    public: Point,
}

impl DealSecrets {
    /// Everything that follows from `seed` for `seat` in the deal `T0`; the key is
    /// `sk = Hs("sk", seed, T0)`.
    pub fn derive(seed: &Hash, t0: &Hash, seat: u8) -> Self {
        let key = Zeroizing::new(hash_to_scalar("sk", &[seed, t0]));
        let public = Point::new(RistrettoPoint::mul_base(&key));
        Self { seed: Zeroizing::new(*seed), t0: *t0, seat, key, public }
    }

    /// The seat they belong to.
    pub fn seat(&self) -> u8 {
        self.seat
    }

    /// The deal they belong to.
    pub fn t0(&self) -> &Hash {
        &self.t0
    }

    /// The seed, to be sent in REVEAL and not before.
    pub fn seed(&self) -> &Hash {
        &self.seed
    }

    /// `pk = sk G`.
    pub fn public(&self) -> &Point {
        &self.public
    }

    /// `H("coin", seed, T0, r)`, to be sent with the shares of `round`.
    pub fn coin(&self, round: u8) -> Hash {
        hash("coin", &[&*self.seed, &self.t0, &[round]])
    }

    /// `H("salt", seed, T0, i)` of an own position, to be sent when its card is shown.
    pub fn salt(&self, position: u8) -> Hash {
        hash("salt", &[&*self.seed, &self.t0, &[position]])
    }

    /// `H("side", seed, head)`: the salt of the card scouted when the log's head was `head`.
    pub fn side_salt(&self, head: &Hash) -> Hash {
        hash("side", &[&*self.seed, head])
    }

    pub(super) fn key(&self) -> &Scalar {
        &self.key
    }

    /// The permutation for the input deck that `stage` = S_{j−1} stands for: from the [`Stream`]
    /// keyed `H("perm", seed, S_{j−1})`.
    pub(super) fn permutation(&self, stage: &Hash, len: u8) -> Zeroizing<Vec<u8>> {
        let key = Zeroizing::new(hash("perm", &[&*self.seed, stage]));
        Zeroizing::new(Stream::new(&key).permutation(len))
    }

    /// `ρ_i = Hs("rho", seed, S_{j−1}, i)` for every position.
    pub(super) fn rhos(&self, stage: &Hash, len: u8) -> Zeroizing<Vec<Scalar>> {
        let rho = |i| hash_to_scalar("rho", &[&*self.seed, stage, &[i]]);
        Zeroizing::new((0..len).map(rho).collect())
    }
}

impl fmt::Debug for DealSecrets {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("DealSecrets").field("seat", &self.seat).finish_non_exhaustive()
    }
}

/// `PK = Σ pk_j`. Each proof of knowledge must have been checked, or the last seat could choose
/// its key so that it alone knows the sum's.
///
/// # Errors
/// [`CryptoError::Repeated`] for the same key twice, [`CryptoError::Point`] for a sum of zero.
pub fn joint_key(keys: &[Point]) -> Result<Point, CryptoError> {
    for (i, key) in keys.iter().enumerate() {
        if keys.iter().take(i).any(|earlier| earlier == key) {
            return Err(CryptoError::Repeated("a public key"));
        }
    }
    let sum: RistrettoPoint = keys.iter().map(Point::inner).sum();
    if sum.is_identity() {
        return Err(CryptoError::Point("the joint key"));
    }
    Ok(Point::new(sum))
}
