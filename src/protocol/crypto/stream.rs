//! Fair draws from a hash: ChaCha20 (RFC 8439) keyed by it, zero nonce, from block 0.
//!
//! Written out here because a library's `shuffle` may change with its version, and replays may
//! not.

use std::num::NonZeroU8;

use chacha20::ChaCha20;
use chacha20::cipher::{KeyIvInit, StreamCipher};

use super::hash::Hash;

/// The bytes of one ChaCha20 key.
pub struct Stream(ChaCha20);

impl Stream {
    /// The stream of `key`, from its first byte.
    pub fn new(key: &Hash) -> Self {
        Self(ChaCha20::new(key.into(), &[0; 12].into()))
    }

    /// The next byte.
    pub fn byte(&mut self) -> u8 {
        let [byte] = self.bytes();
        byte
    }

    /// A fair number below `bound`: the next `u32` (little-endian) modulo `bound`, drawn again
    /// where it is not below the largest multiple of `bound` up to 2^32.
    pub fn below(&mut self, bound: NonZeroU8) -> u8 {
        let bound = u64::from(bound.get());
        let limit = (1 << 32) / bound * bound;
        loop {
            let word = u64::from(u32::from_le_bytes(self.bytes()));
            if word < limit {
                return (word % bound) as u8;
            }
        }
    }

    /// A fair permutation of `0..len` (Fisher-Yates): for i from `len` − 1 down to 1, swap the
    /// entries i and [`below`](Self::below)(i + 1).
    pub fn permutation(&mut self, len: u8) -> Vec<u8> {
        let mut map: Vec<u8> = (0..len).collect();
        for i in (1..len).rev() {
            let j = self.below(NonZeroU8::MIN.saturating_add(i));
            map.swap(usize::from(i), usize::from(j));
        }
        map
    }

    fn bytes<const N: usize>(&mut self) -> [u8; N] {
        let mut bytes = [0; N];
        self.0.apply_keystream(&mut bytes);
        bytes
    }
}
