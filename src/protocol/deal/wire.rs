//! What the records of a sealed deal carry.

use serde::{Deserialize, Serialize};

use crate::protocol::crypto::hash::Hash;

/// COMMIT: what a seat binds itself to before any card exists.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Commitment {
    /// `H("seed", T0, seat, seed)`.
    pub seed: Hash,
    /// `H("coinc", T0, seat, round, coin)` for each round of the deal.
    pub coins: Vec<Hash>,
    /// `H("leaf", T0, seat, position, salt)` for each own position, in deck order.
    pub leaves: Vec<Hash>,
    /// The public key, a ristretto255 point.
    pub key: Hash,
    /// Proof of knowledge of its secret, 64 bytes.
    pub proof: Vec<u8>,
}

/// SHUFFLE: the deck as this seat leaves it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Shuffle {
    /// 64 bytes a card.
    pub deck: Vec<u8>,
    /// The Bayer-Groth proof, (8 + 3N + 2) × 32 bytes.
    pub proof: Vec<u8>,
}

/// SHARES: what others need to read their cards of a round.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Shares {
    /// One point for each position of the round that others own, in deck order.
    pub shares: Vec<Hash>,
    /// One proof for all of them, 64 bytes.
    pub proof: Vec<u8>,
    /// The seat's coin of the round.
    pub coin: Hash,
}

/// OPEN: what shows the cards of a show, in the order they lie.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Opening {
    /// The cards.
    pub cards: Vec<OpenCard>,
    /// One proof for the shares of all dealt cards among them, 64 bytes; empty if there is none.
    pub proof: Vec<u8>,
}

impl Opening {
    /// The dealt cards of the opening with their positions, or `None` if the sorts of card do not
    /// fit the places opened.
    pub(in crate::protocol) fn dealt(&self, at: &[Option<u8>]) -> Option<Vec<(u8, Hash, Hash)>> {
        if at.len() != self.cards.len() {
            return None;
        }
        let mut dealt = Vec::new();
        for (card, position) in self.cards.iter().zip(at) {
            match (card, position) {
                (OpenCard::Dealt { share, salt }, Some(position)) => {
                    dealt.push((*position, *share, *salt));
                }
                (OpenCard::Scouted { .. }, None) => {}
                _ => return None,
            }
        }
        Some(dealt)
    }
}

/// One card of an opening.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub enum OpenCard {
    /// A card that was dealt.
    Dealt {
        /// The owner's share of it, a point.
        share: Hash,
        /// The salt of its leaf.
        salt: Hash,
    },
    /// A card that was scouted.
    Scouted {
        /// Whether it was turned over when it was taken up.
        turned: bool,
        /// The salt of that commitment.
        salt: Hash,
    },
}

/// A turn of a table with a sealed deal.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct SealedTurn {
    /// The action in the text notation, the side of a scouted card as `?`.
    pub action: String,
    /// `H("sidec", T1, seat, base, side, salt)` of a scouted card.
    pub side: Option<Hash>,
    /// What shows the cards of a show.
    pub opening: Option<Opening>,
}
