//! Domain-separated hashing.
//!
//! Every hash names its use: `H(dom, x1..xk) = SHA-256(u8|dom| ‖ dom ‖ for each x: u32le|x| ‖ x)`
//! with `dom` starting with `fairdeal/1/`. The length prefixes make the framing injective.

use std::{fmt, ops::Deref};

use sha2::{Digest, Sha256};
use zeroize::Zeroizing;

/// A SHA-256 output.
pub type Hash = [u8; 32];

/// 32 secret bytes: not printed, and overwritten when they are dropped.
#[derive(Clone)]
pub struct Secret(Zeroizing<Hash>);

impl Secret {
    /// Takes the bytes over.
    pub fn new(bytes: Hash) -> Secret {
        Secret(Zeroizing::new(bytes))
    }
}

impl Deref for Secret {
    type Target = Hash;
    fn deref(&self) -> &Hash {
        &self.0
    }
}

impl fmt::Debug for Secret {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Secret")
    }
}

/// What every domain starts with.
const PREFIX: &str = "fairdeal/1/";

/// `H(dom, parts)`; `dom` is the name after `fairdeal/1/`, one name a use.
pub fn hash(dom: &str, parts: &[&[u8]]) -> Hash {
    let mut sha = Sha256::new();
    frame(dom, parts, |bytes| sha.update(bytes));
    sha.finalize().into()
}

/// Feeds the framing of `H`, `Hs` and `Hp` to `absorb`.
pub(crate) fn frame(dom: &str, parts: &[&[u8]], mut absorb: impl FnMut(&[u8])) {
    let dom_len = PREFIX.len() + dom.len();
    debug_assert!(dom_len <= usize::from(u8::MAX));
    absorb(&[dom_len as u8]);
    absorb(PREFIX.as_bytes());
    absorb(dom.as_bytes());
    for part in parts {
        absorb(&(part.len() as u32).to_le_bytes());
        absorb(part);
    }
}
