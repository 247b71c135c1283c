//! ristretto255: hashing to it, strict encodings, and the points nobody chose.

use std::iter::once;
use std::sync::{LazyLock, OnceLock};

use curve25519_dalek::ristretto::{CompressedRistretto, RistrettoPoint};
use curve25519_dalek::scalar::Scalar;
use curve25519_dalek::traits::{MultiscalarMul, VartimeMultiscalarMul};
use sha2::{Digest, Sha512};
use zeroize::Zeroizing;

use super::error::CryptoError;
use super::hash::frame;

/// The most cards a deck can have; SCOUT has 45, the proofs are tested beyond it.
pub const CARDS_MAX: usize = 60;

/// `Hs(dom, parts)`: the framing of [`hash`](super::hash::hash), SHA-512, reduced modulo the group
/// order; the bias is below 2^-250.
pub fn hash_to_scalar(dom: &str, parts: &[&[u8]]) -> Scalar {
    Scalar::from_bytes_mod_order_wide(&hash_wide(dom, parts))
}

/// `Hp(dom, parts)`: the framing of [`hash`](super::hash::hash), SHA-512, to a point by the
/// one-way map of RFC 9496, section 4.3.4; nobody knows its discrete logarithm.
pub fn hash_to_point(dom: &str, parts: &[&[u8]]) -> RistrettoPoint {
    RistrettoPoint::from_uniform_bytes(&hash_wide(dom, parts))
}

/// The 64 bytes behind `Hs` and `Hp`.
pub(super) fn hash_wide(dom: &str, parts: &[&[u8]]) -> [u8; 64] {
    let mut sha = Sha512::new();
    frame(dom, parts, |bytes| sha.update(bytes));
    sha.finalize().into()
}

/// The inverse of 2. To encode a point takes a square root, to encode the doubles of many takes one
/// inversion for all: so points to be encoded together are multiplied with half of what is meant.
pub(super) static HALF: LazyLock<Scalar> = LazyLock::new(|| Scalar::from(2u64).invert());

/// The only encoding of the identity.
const IDENTITY: [u8; 32] = [0; 32];

/// A point together with its 32-byte encoding; one that came from a peer is never the identity.
///
/// No honest record holds the identity but with a probability of 2^-250, so one rule serves for
/// keys, shares, commitments and decks alike.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Point {
    inner: RistrettoPoint,
    bytes: [u8; 32],
}

impl Point {
    /// Reads 32 canonical bytes (RFC 9496, section 4.3.1); `what` names them in the error.
    ///
    /// # Errors
    /// [`CryptoError::Length`], or [`CryptoError::Point`] if they are not canonical or are the
    /// identity.
    pub fn parse(bytes: &[u8], what: &'static str) -> Result<Self, CryptoError> {
        let bytes = word(bytes, what)?;
        match CompressedRistretto(bytes).decompress() {
            Some(inner) if bytes != IDENTITY => Ok(Self { inner, bytes }),
            _ => Err(CryptoError::Point(what)),
        }
    }

    /// The canonical encoding, 32 bytes.
    pub fn bytes(&self) -> &[u8; 32] {
        &self.bytes
    }

    pub(super) fn new(inner: RistrettoPoint) -> Self {
        Self { inner, bytes: inner.compress().to_bytes() }
    }

    /// The products of the points with a secret scalar, in constant time, encoded in one batch.
    pub(super) fn products(points: &[RistrettoPoint], scalar: &Scalar) -> Vec<Self> {
        let half = Zeroizing::new(scalar * *HALF);
        let halves: Vec<RistrettoPoint> = points.iter().map(|point| point * *half).collect();
        let encoded = RistrettoPoint::double_and_compress_batch(&halves);
        let double = |(half, bytes): (&RistrettoPoint, CompressedRistretto)| Self {
            inner: half + half,
            bytes: bytes.to_bytes(),
        };
        halves.iter().zip(encoded).map(double).collect()
    }

    pub(super) fn inner(&self) -> &RistrettoPoint {
        &self.inner
    }
}

/// Reads a scalar of 32 canonical little-endian bytes; `what` names it in the error.
pub(super) fn parse_scalar(bytes: &[u8], what: &'static str) -> Result<Scalar, CryptoError> {
    let scalar = Scalar::from_canonical_bytes(word(bytes, what)?);
    Option::from(scalar).ok_or(CryptoError::Scalar(what))
}

fn word(bytes: &[u8], what: &'static str) -> Result<[u8; 32], CryptoError> {
    let found = bytes.len();
    bytes.try_into().map_err(|_| CryptoError::Length { what, expected: 32, found })
}

/// The card points `M_c = Hp("card", u8 c)` for every `c` below [`CARDS_MAX`].
pub fn card_points() -> &'static [RistrettoPoint] {
    static POINTS: OnceLock<Vec<RistrettoPoint>> = OnceLock::new();
    POINTS.get_or_init(|| {
        (0..CARDS_MAX).map(|card| hash_to_point("card", &[&[card as u8]])).collect()
    })
}

/// The key of the vector commitment `com(v; r) = r Hh + Σ v_i G_i`: `Hh = Hp("ckh")` first, then
/// `G_i = Hp("ck", u16 i)` for `i` from 1 to [`CARDS_MAX`].
pub fn commitment_key() -> &'static [RistrettoPoint] {
    static KEY: OnceLock<Vec<RistrettoPoint>> = OnceLock::new();
    KEY.get_or_init(|| {
        let generators = (1..=CARDS_MAX).map(|i| hash_to_point("ck", &[&(i as u16).to_le_bytes()]));
        once(hash_to_point("ckh", &[])).chain(generators).collect()
    })
}

/// `com(values; blind)` in constant time (Pedersen; Bayer and Groth, section 2.2).
pub(super) fn commit(values: &[Scalar], blind: &Scalar) -> Point {
    let scalars: Zeroizing<Vec<Scalar>> =
        Zeroizing::new(once(blind).chain(values).copied().collect());
    let key = commitment_key().get(..scalars.len()).unwrap_or_default();
    Point::new(sum_of_products(&scalars, key))
}

/// `Σ scalars_i points_i` in constant time. This and [`public_sum_of_products`] are the only
/// callers of the library's loops, which are large and compiled anew for each sort of caller.
pub(super) fn sum_of_products(scalars: &[Scalar], points: &[RistrettoPoint]) -> RistrettoPoint {
    RistrettoPoint::multiscalar_mul(scalars, points)
}

/// `Σ scalars_i points_i` in variable time, for what everyone knows.
pub(super) fn public_sum_of_products(
    scalars: &[Scalar],
    points: &[RistrettoPoint],
) -> RistrettoPoint {
    RistrettoPoint::vartime_multiscalar_mul(scalars, points)
}

#[cfg(test)]
mod tests {
    use curve25519_dalek::traits::Identity;

    use super::*;

    /// With one inversion for all, a zero could spoil the rest, and a forger could put it there.
    #[test]
    fn a_batch_encodes_what_single_points_do() {
        let scalar = hash_to_scalar("batch", &[]);
        let points = [card_points()[0], RistrettoPoint::identity(), card_points()[1]];
        for some in [&points[..], &points[1..], &points[..1], &[]] {
            let single: Vec<Point> = some.iter().map(|point| Point::new(point * scalar)).collect();
            assert_eq!(Point::products(some, &scalar), single);
        }
    }
}
