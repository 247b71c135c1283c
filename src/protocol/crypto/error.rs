//! What can be wrong with bytes that claim to be part of a sealed deal.

use thiserror::Error;

/// Why a key, a deck, a share or a proof was refused.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
pub enum CryptoError {
    /// Too many or too few bytes or items.
    #[error("{what}: {found} where {expected} belong")]
    Length {
        /// What was counted.
        what: &'static str,
        /// How many there must be.
        expected: usize,
        /// How many there are.
        found: usize,
    },
    /// 32 bytes that are not the encoding of a ristretto255 point, or are that of the identity.
    #[error("{0} is not a point, or is the identity")]
    Point(&'static str),
    /// 32 bytes that are not a scalar below the group order.
    #[error("{0} is not a scalar below the group order")]
    Scalar(&'static str),
    /// A number of cards, a card or a position outside the deck.
    #[error("{what} {value} is out of range")]
    Range {
        /// What was numbered.
        what: &'static str,
        /// The number.
        value: usize,
    },
    /// Two of the same where all must differ.
    #[error("{0} appears twice")]
    Repeated(&'static str),
    /// Well-formed, and wrong.
    #[error("the {0} does not hold")]
    Proof(&'static str),
}
