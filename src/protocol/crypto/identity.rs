//! The key of a player: it signs the records of a seat.

use std::fmt;

use ed25519_dalek::{Signature, Signer, SigningKey, VerifyingKey};
use serde::{Deserialize, Serialize};
use zeroize::Zeroizing;

use super::hash::{Hash, hash};
use crate::planted::{Bug, planted};

/// Length of a signature in bytes.
pub const SIGNATURE_BYTES: usize = 64;

/// A secret ed25519 key. Its `Debug` shows the public key only.
///
/// ```
/// use fairdeal::protocol::crypto::identity::Identity;
///
/// let ana = Identity::from_secret(&[1; 32]);
/// let signature = ana.sign("note", b"well played");
/// assert!(ana.public().verifies("note", b"well played", &signature));
/// assert!(!ana.public().verifies("record", b"well played", &signature));
/// ```
pub struct Identity(SigningKey);

/// A public ed25519 key: 32 bytes that decode to a point of full order.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(try_from = "[u8; 32]", into = "[u8; 32]")]
pub struct PublicKey([u8; 32]);

/// The bytes are no usable public key: no point of the curve, or one of small order, for which a
/// signature would prove nothing.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("it is no usable ed25519 public key")]
pub struct WeakKey;

impl Identity {
    /// The identity with this secret.
    pub fn from_secret(secret: &[u8; 32]) -> Identity {
        Identity(SigningKey::from_bytes(secret))
    }

    /// The secret, to be stored with mode 0600 or handed to the transport.
    pub fn secret(&self) -> Zeroizing<[u8; 32]> {
        Zeroizing::new(self.0.to_bytes())
    }

    /// The public key.
    pub fn public(&self) -> PublicKey {
        PublicKey(self.0.verifying_key().to_bytes())
    }

    /// Signs `bytes` for the use `dom`: ed25519 over `H(dom, bytes)`.
    pub fn sign(&self, dom: &str, bytes: &[u8]) -> [u8; SIGNATURE_BYTES] {
        self.0.sign(&hash(dom, &[bytes])).to_bytes()
    }

    /// A secret hash that only the holder of this key can compute.
    pub fn derive(&self, dom: &str, parts: &[&[u8]]) -> Hash {
        let secret = self.secret();
        let all: Vec<&[u8]> = std::iter::once(&secret[..]).chain(parts.iter().copied()).collect();
        hash(dom, &all)
    }
}

impl fmt::Debug for Identity {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Identity").field(&self.public()).finish()
    }
}

impl PublicKey {
    /// The 32 bytes.
    pub fn as_bytes(&self) -> &[u8; 32] {
        &self.0
    }

    /// Whether `signature` is this key's over `bytes` for the use `dom`. Strict: a malleated
    /// signature or one with a small-order commitment fails.
    pub fn verifies(&self, dom: &str, bytes: &[u8], signature: &[u8; SIGNATURE_BYTES]) -> bool {
        if planted(Bug::AnySignature) {
            return true;
        }
        VerifyingKey::from_bytes(&self.0).is_ok_and(|key| {
            let signature = Signature::from_bytes(signature);
            key.verify_strict(&hash(dom, &[bytes]), &signature).is_ok()
        })
    }
}

impl TryFrom<[u8; 32]> for PublicKey {
    type Error = WeakKey;
    fn try_from(bytes: [u8; 32]) -> Result<Self, WeakKey> {
        match VerifyingKey::from_bytes(&bytes) {
            Ok(key) if !key.is_weak() => Ok(PublicKey(bytes)),
            _ => Err(WeakKey),
        }
    }
}

impl From<PublicKey> for [u8; 32] {
    fn from(key: PublicKey) -> [u8; 32] {
        key.0
    }
}

impl fmt::Debug for PublicKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", data_encoding::HEXLOWER.encode(&self.0))
    }
}

impl fmt::Display for PublicKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Debug::fmt(self, f)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn signatures_hold_for_one_key_one_use_one_text() {
        let ana = Identity::from_secret(&[1; 32]);
        let ben = Identity::from_secret(&[2; 32]);
        let signature = ana.sign("record", b"show 3");
        assert!(ana.public().verifies("record", b"show 3", &signature));
        assert!(!ben.public().verifies("record", b"show 3", &signature));
        assert!(!ana.public().verifies("note", b"show 3", &signature));
        assert!(!ana.public().verifies("record", b"show 4", &signature));
        for bit in 0..SIGNATURE_BYTES * 8 {
            let mut bent = signature;
            bent[bit / 8] ^= 1 << (bit % 8);
            assert!(!ana.public().verifies("record", b"show 3", &bent), "bit {bit}");
        }
    }

    #[test]
    fn small_order_keys_are_refused() {
        let mut identity_point = [0u8; 32];
        identity_point[0] = 1;
        assert_eq!(PublicKey::try_from(identity_point), Err(WeakKey));
        assert_eq!(PublicKey::try_from([0u8; 32]), Err(WeakKey), "order 4");
    }

    #[test]
    fn debug_shows_no_secret() {
        let shown = format!("{:?}", Identity::from_secret(&[7; 32]));
        assert!(!shown.contains(&"07".repeat(4)), "{shown}");
    }
}
