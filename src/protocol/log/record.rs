//! A record: what one seat signed at one place of the log.
//!
//! On the wire and in the file it is the canonical bytes of [`Record`] followed by an ed25519
//! signature over `H("record", bytes)`. The bytes as received are what is hashed and checked.
//! A place is a base and a seat. The base is the head the record stands on and the first head is
//! the game's id, so a record fits one place of one game and needs no other label.

use serde::{Deserialize, Serialize};

use crate::game::Seat;
use crate::planted::{Bug, planted};
use crate::protocol::{
    codec::{self, CodecError},
    crypto::{
        hash::{Hash, hash},
        identity::{Identity, PublicKey, SIGNATURE_BYTES},
    },
    deal::wire::{Commitment, Opening, SealedTurn, Shares, Shuffle},
    limits::RECORD_BYTES_MAX,
    lobby::Roster,
    vote::Verdict,
};

/// What a seat signs.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Record {
    /// The head it stands on; in a phase of several seats, the head the phase began with.
    pub base: Hash,
    /// Digest of the public state at the base.
    pub state: Hash,
    /// The seat, from 0.
    pub seat: u8,
    /// What it says.
    pub body: Body,
}

/// What a record says. Variants are only ever appended.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub enum Body {
    /// The host proposes the table and who sits where.
    Roster(Roster),
    /// A seat agrees to the roster it stands on.
    Sit,
    /// Open deal: a commitment to the seat's seed, `H("seed", T0, seat, seed)`.
    Commit(Hash),
    /// A committed seed: before play in an open deal, after the deal's last round in a sealed one.
    Reveal(Hash),
    /// Sealed deal: the seat's commitments and key.
    Seal(Commitment),
    /// Sealed deal: the deck as the seat leaves it.
    Shuffle(Shuffle),
    /// Sealed deal: the final deck the seat has seen proven.
    Ready(Ready),
    /// Sealed deal: what the others need to read their cards.
    Shares(Shares),
    /// A commitment to keep or flip: `H("choice", base, seat, bit, salt)`.
    Choice(Hash),
    /// The committed choice.
    ChoiceOpen {
        /// Whether the whole hand is turned.
        flip: bool,
        /// The salt of the commitment.
        salt: Hash,
    },
    /// Open deal: a turn, in the text notation without the seat: `show 3-5`.
    Action(String),
    /// Sealed deal: a turn with what opens its cards.
    SealedAction(SealedTurn),
    /// Sealed deal of two: the seat to act can neither show nor scout; its hand proves it.
    Stuck(Opening),
    /// The points of the round that ended, by seat.
    RoundEnd(Vec<i32>),
    /// The totals by seat, and the numbers (from 0) of all seats that won.
    Result {
        /// Totals by seat.
        points: Vec<i32>,
        /// Winners, ascending.
        winners: Vec<u8>,
    },
    /// Everyone else who is there goes on without this seat's record. It stands in the place of the
    /// record; the signatures are in it.
    Verdict(Verdict),
    /// The points of the round that ended, and the signed notes of seats that come back.
    RoundEndBack {
        /// The points by seat.
        points: Vec<i32>,
        /// A RETURN note of each such seat, by seat.
        returns: Vec<Vec<u8>>,
    },
}

/// The deck that a seat is ready to share. It signs no two for one deal: each key is good for one
/// deck.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Ready {
    /// The deal, `T0`.
    pub deal: Hash,
    /// The deck after all shuffles, `S_n`.
    pub deck: Hash,
}

/// What a phase asks for. A turn is one kind, however its cards are dealt and whether it is an
/// action or the proof that there is none.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    /// [`Body::Roster`]
    Roster,
    /// [`Body::Sit`]
    Sit,
    /// [`Body::Commit`] or [`Body::Seal`]
    Commit,
    /// [`Body::Reveal`]
    Reveal,
    /// [`Body::Shuffle`]
    Shuffle,
    /// [`Body::Ready`]
    Ready,
    /// [`Body::Shares`]
    Shares,
    /// [`Body::Choice`]
    Choice,
    /// [`Body::ChoiceOpen`]
    ChoiceOpen,
    /// [`Body::Action`], [`Body::SealedAction`] or [`Body::Stuck`]
    Turn,
    /// [`Body::RoundEnd`] or [`Body::RoundEndBack`]
    RoundEnd,
    /// [`Body::Result`]
    Result,
    /// [`Body::Verdict`]
    Verdict,
}

impl Body {
    /// The sort of record this is.
    pub fn kind(&self) -> Kind {
        match self {
            Body::Roster(_) => Kind::Roster,
            Body::Sit => Kind::Sit,
            Body::Commit(_) | Body::Seal(_) => Kind::Commit,
            Body::Reveal(_) => Kind::Reveal,
            Body::Shuffle(_) => Kind::Shuffle,
            Body::Ready(_) => Kind::Ready,
            Body::Shares(_) => Kind::Shares,
            Body::Choice(_) => Kind::Choice,
            Body::ChoiceOpen { .. } => Kind::ChoiceOpen,
            Body::Action(_) | Body::SealedAction(_) | Body::Stuck(_) => Kind::Turn,
            Body::RoundEnd(_) | Body::RoundEndBack { .. } => Kind::RoundEnd,
            Body::Result { .. } => Kind::Result,
            Body::Verdict(_) => Kind::Verdict,
        }
    }

    /// Whether the record belongs to a sealed deal only (`Some(true)`), to an open one only, or
    /// to both.
    pub fn is_sealed(&self) -> Option<bool> {
        match self {
            Body::Commit(_) | Body::Action(_) => Some(false),
            Body::Seal(_) | Body::SealedAction(_) | Body::Stuck(_) => Some(true),
            _ => None,
        }
    }
}

impl Kind {
    /// The kind in words.
    pub fn name(self) -> &'static str {
        match self {
            Kind::Roster => "roster",
            Kind::Sit => "agreement to the table",
            Kind::Commit => "commitment",
            Kind::Reveal => "seed",
            Kind::Shuffle => "shuffle",
            Kind::Ready => "readiness",
            Kind::Shares => "shares",
            Kind::Choice => "keep-or-flip commitment",
            Kind::ChoiceOpen => "keep-or-flip choice",
            Kind::Turn => "turn",
            Kind::RoundEnd => "points of the round",
            Kind::Result => "result",
            Kind::Verdict => "verdict",
        }
    }
}

impl Record {
    /// The bytes that go out: the record and its signature.
    pub fn sign(&self, identity: &Identity) -> Vec<u8> {
        let mut bytes = codec::encode(self);
        bytes.extend(identity.sign("record", &bytes));
        bytes
    }
}

/// Why bytes are not a record of anybody.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum RecordError {
    /// Too short to hold a signature, or over the limit.
    #[error("a record cannot be {0} bytes long")]
    Length(usize),
    /// Not the canonical bytes of a record.
    #[error("{0}")]
    Codec(#[from] CodecError),
}

/// A decoded record whose signature nobody has checked yet.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Unchecked {
    bytes: Vec<u8>,
    record: Record,
}

impl Unchecked {
    /// Decodes `bytes`.
    ///
    /// # Errors
    /// [`RecordError`] if they are no canonical record with a signature behind it.
    pub fn decode(bytes: &[u8]) -> Result<Unchecked, RecordError> {
        let length = bytes.len();
        if length <= SIGNATURE_BYTES || length > RECORD_BYTES_MAX {
            return Err(RecordError::Length(length));
        }
        let record = codec::decode(&bytes[..length - SIGNATURE_BYTES])?;
        Ok(Unchecked { bytes: bytes.to_vec(), record })
    }

    /// What it says, on nobody's authority.
    pub fn record(&self) -> &Record {
        &self.record
    }

    /// The seat it names, if there is such a seat at any table.
    pub fn seat(&self) -> Option<Seat> {
        Seat::new(self.record.seat)
    }

    /// Whether it is made as a verdict.
    pub fn is_verdict(&self) -> bool {
        matches!(self.record.body, Body::Verdict(_))
    }

    /// The bytes as they were received.
    pub fn bytes(&self) -> &[u8] {
        &self.bytes
    }

    /// The record, if `key` signed it.
    pub fn signed_by(self, key: &PublicKey) -> Option<Signed> {
        let (text, signature) = self.bytes.split_last_chunk::<SIGNATURE_BYTES>()?;
        key.verifies("record", text, signature).then_some(Signed(self))
    }

    /// The verdict it is, whose votes the caller has checked.
    pub(in crate::protocol) fn into_verdict(self) -> Option<Signed> {
        let verdict = matches!(self.record.body, Body::Verdict(_));
        let (_, signature) = self.bytes.split_last_chunk::<SIGNATURE_BYTES>()?;
        (verdict && *signature == [0; SIGNATURE_BYTES]).then_some(Signed(self))
    }
}

/// A record that its seat's key has signed, or a verdict that everyone it asks has.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Signed(Unchecked);

impl Signed {
    /// What it says.
    pub fn record(&self) -> &Record {
        &self.0.record
    }

    /// The bytes as they were received.
    pub fn bytes(&self) -> &[u8] {
        &self.0.bytes
    }

    /// The seat whose place it stands at.
    pub fn seat(&self) -> Option<Seat> {
        self.0.seat()
    }

    /// Whether it is a verdict about its seat, not a record of it.
    pub fn is_verdict(&self) -> bool {
        matches!(self.0.record.body, Body::Verdict(_))
    }

    /// The head after this record on top of `head`: `H("head", head, record with signature)`.
    pub fn head_on(&self, head: &Hash) -> Hash {
        let head = if planted(Bug::LooseHead) { &[0; 32] } else { head };
        hash("head", &[head, &self.0.bytes])
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::protocol::vote::Motion;

    fn record(body: Body) -> Record {
        Record { base: [1; 32], state: [2; 32], seat: 3, body }
    }

    #[test]
    fn a_record_is_longer_than_its_signature_and_no_longer_than_the_limit() {
        let length = |count| match Unchecked::decode(&vec![0; count]) {
            Err(RecordError::Length(length)) => Some(length),
            _ => None,
        };
        for wrong in [0, 1, SIGNATURE_BYTES, RECORD_BYTES_MAX + 1, 2 * RECORD_BYTES_MAX] {
            assert_eq!(length(wrong), Some(wrong));
        }
        for possible in [SIGNATURE_BYTES + 1, RECORD_BYTES_MAX] {
            assert_eq!(length(possible), None);
        }
    }

    /// A verdict has one form, or the files of two seats could differ: no signature, all zero.
    #[test]
    fn a_verdict_has_no_signature_and_nothing_else_is_one() {
        let motion = Motion { number: 1, without: Vec::new() };
        let verdict = record(Body::Verdict(Verdict { motion, votes: vec![(0, vec![5; 9])] }));
        let with = |record: &Record, signature: [u8; SIGNATURE_BYTES]| {
            let bytes = [codec::encode(record), signature.to_vec()].concat();
            Unchecked::decode(&bytes).unwrap()
        };
        let right = with(&verdict, [0; SIGNATURE_BYTES]);
        assert!(right.is_verdict());
        let entry = right.into_verdict().unwrap();
        assert_eq!((entry.is_verdict(), entry.seat().map(Seat::number)), (true, Some(4)));
        for bit in 0..8 * SIGNATURE_BYTES {
            let mut signature = [0; SIGNATURE_BYTES];
            signature[bit / 8] = 1 << (bit % 8);
            assert_eq!(with(&verdict, signature).into_verdict(), None);
        }
        let sits = with(&record(Body::Sit), [0; SIGNATURE_BYTES]);
        assert!(!sits.is_verdict());
        assert_eq!(sits.into_verdict(), None);
        let identity = Identity::from_secret(&[4; 32]);
        let signed = Unchecked::decode(&record(Body::Sit).sign(&identity)).unwrap();
        assert!(!signed.signed_by(&identity.public()).unwrap().is_verdict());
    }
}
