//! A deck of encrypted cards.

use curve25519_dalek::ristretto::RistrettoPoint;
use curve25519_dalek::traits::Identity;

use super::error::CryptoError;
use super::group::{CARDS_MAX, Point, card_points};

/// The bytes of one encrypted card: `A ‖ B`.
pub const CARD_BYTES: usize = 64;

/// 2 to [`CARDS_MAX`] ElGamal ciphertexts `(A, B) = (ρG, M_c + ρPK)` in a row, with their
/// canonical bytes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Deck {
    cards: Vec<Ciphertext>,
    bytes: Vec<u8>,
}

/// One encrypted card.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Ciphertext {
    pub(super) a: RistrettoPoint,
    pub(super) b: RistrettoPoint,
}

impl Deck {
    /// The deck before any shuffle: `(0, M_c)` for each of `cards` in this order.
    ///
    /// # Errors
    /// [`CryptoError::Range`] for a number of cards or a card no deck has,
    /// [`CryptoError::Repeated`] for the same card twice.
    pub fn initial(cards: &[u8]) -> Result<Self, CryptoError> {
        check_len(cards.len())?;
        let mut deck = Vec::with_capacity(cards.len());
        for (i, card) in cards.iter().enumerate() {
            if cards.iter().take(i).any(|earlier| earlier == card) {
                return Err(CryptoError::Repeated("a card"));
            }
            let out_of_range = CryptoError::Range { what: "card", value: usize::from(*card) };
            let b = *card_points().get(usize::from(*card)).ok_or(out_of_range)?;
            deck.push(Ciphertext { a: RistrettoPoint::identity(), b });
        }
        Ok(Self::new(deck))
    }

    /// Reads a shuffled deck of `len` cards, [`CARD_BYTES`] each.
    ///
    /// # Errors
    /// [`CryptoError::Range`] for a `len` no deck has, [`CryptoError::Length`] for another number
    /// of bytes, [`CryptoError::Point`] for a half that is no point or is the identity.
    pub fn parse(bytes: &[u8], len: usize) -> Result<Self, CryptoError> {
        check_len(len)?;
        let expected = len * CARD_BYTES;
        if bytes.len() != expected {
            return Err(CryptoError::Length { what: "deck", expected, found: bytes.len() });
        }
        let mut cards = Vec::with_capacity(len);
        for card in bytes.chunks_exact(CARD_BYTES) {
            let (a, b) = card.split_at(CARD_BYTES / 2);
            cards.push(Ciphertext {
                a: *Point::parse(a, "a card's first half")?.inner(),
                b: *Point::parse(b, "a card's second half")?.inner(),
            });
        }
        Ok(Self { cards, bytes: bytes.to_vec() })
    }

    /// The canonical encoding, [`CARD_BYTES`] a card.
    pub fn bytes(&self) -> &[u8] {
        &self.bytes
    }

    /// The number of cards.
    #[expect(clippy::len_without_is_empty, reason = "a deck has at least two cards")]
    pub fn len(&self) -> usize {
        self.cards.len()
    }

    pub(super) fn new(cards: Vec<Ciphertext>) -> Self {
        let halves = cards.iter().flat_map(|card| [card.a, card.b]);
        let bytes = halves.flat_map(|half| half.compress().to_bytes()).collect();
        Self { cards, bytes }
    }

    pub(super) fn cards(&self) -> &[Ciphertext] {
        &self.cards
    }

    /// The card at `position`.
    pub(super) fn card(&self, position: u8) -> Result<&Ciphertext, CryptoError> {
        self.cards.get(usize::from(position)).ok_or(out_of_range(position))
    }

    /// The encoding of A at `position`.
    pub(super) fn a_bytes(&self, position: u8) -> Result<&[u8], CryptoError> {
        let mut cards = self.bytes.chunks_exact(CARD_BYTES);
        let card = cards.nth(usize::from(position)).ok_or(out_of_range(position))?;
        Ok(card.split_at(CARD_BYTES / 2).0)
    }
}

fn out_of_range(position: u8) -> CryptoError {
    CryptoError::Range { what: "position", value: usize::from(position) }
}

fn check_len(value: usize) -> Result<(), CryptoError> {
    if (2..=CARDS_MAX).contains(&value) {
        Ok(())
    } else {
        Err(CryptoError::Range { what: "number of cards", value })
    }
}
