//! Votes as they travel: signed with the domain "vote", forwarded by anyone.
//!
//! What they mean is in [`super::contest`]; here a vote has bytes. A CLAIM holds the owner's record
//! itself, so that a verdict can be checked from the log alone.

use serde::{Deserialize, Serialize};

use super::{
    codec,
    contest::{Claim, Id, Reason, Try},
    crypto::{
        hash::{Hash, hash},
        identity::{Identity, PublicKey, SIGNATURE_BYTES},
    },
    limits::VOTE_BYTES_MAX,
};
use crate::game::Seat;

/// What a voter signs.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Paper {
    /// The base of the place.
    pub base: Hash,
    /// The seat whose place it is, from 0.
    pub owner: u8,
    /// Who votes, from 0.
    pub voter: u8,
    /// Number of the try, from 1.
    pub number: u64,
    /// Who opened the try, from 0.
    pub opener: u8,
    /// The vote.
    pub says: Says,
}

/// A vote.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub enum Says {
    /// What the voter has.
    Claim(Has),
    /// What follows from a quorum of claims.
    Propose {
        /// The claims as signed, by voter.
        claims: Vec<Vec<u8>>,
        /// The entry of the log they lead to: a record of the owner, or a verdict.
        thing: Vec<u8>,
    },
    /// The proposal with this thing is right.
    Confirm(Hash),
    /// A quorum has confirmed this thing.
    Seal(Hash),
}

/// What a claim tells.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Has {
    /// 0 silent, 1 left, 2 fault.
    pub reason: u8,
    /// The owner's record the voter has.
    pub record: Option<Vec<u8>>,
    /// The certificate of the highest try the voter has.
    pub certificate: Option<Quorum>,
    /// Where one voter decides alone: the LEAVE note, the two records of one place or the one
    /// that is wrong.
    pub evidence: Vec<Vec<u8>>,
}

/// The same vote of a quorum for one thing in one try: a certificate, or what settles a place.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Quorum {
    /// Number of the try.
    pub number: u64,
    /// Its opener, from 0.
    pub opener: u8,
    /// The thing.
    pub thing: Hash,
    /// Voter, from 0, and signature of its vote.
    pub votes: Vec<(u8, Vec<u8>)>,
}

/// What settles a place, with the entry of the log that stands there.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Settled {
    /// The base of the place.
    pub base: Hash,
    /// Whose place it is, from 0.
    pub owner: u8,
    /// The SEALs.
    pub seals: Quorum,
    /// The entry.
    pub thing: Vec<u8>,
}

/// A vote that its voter's key has signed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SignedVote {
    bytes: Vec<u8>,
    paper: Paper,
}

impl Paper {
    /// The bytes that go out: the vote and its signature.
    pub fn sign(&self, identity: &Identity) -> Vec<u8> {
        let mut bytes = codec::encode(self);
        bytes.extend(identity.sign("vote", &bytes));
        bytes
    }

    /// Whether this is `key`'s signature of it.
    pub(super) fn signed_by(&self, key: &PublicKey, signature: &[u8]) -> bool {
        let signature = <&[u8; SIGNATURE_BYTES]>::try_from(signature);
        signature.is_ok_and(|signature| key.verifies("vote", &codec::encode(self), signature))
    }

    /// The try it is in.
    pub fn at(&self) -> Option<Try> {
        Some(Try { number: self.number, opener: Seat::new(self.opener)? })
    }

    /// The sort of vote, from 0: claim, propose, confirm, seal.
    pub fn sort(&self) -> u8 {
        match self.says {
            Says::Claim(_) => 0,
            Says::Propose { .. } => 1,
            Says::Confirm(_) => 2,
            Says::Seal(_) => 3,
        }
    }
}

impl SignedVote {
    /// The vote in `bytes` if the key that `key_of` gives for its voter has signed it.
    pub fn open(bytes: &[u8], key_of: impl Fn(u8) -> Option<PublicKey>) -> Option<SignedVote> {
        if bytes.len() > VOTE_BYTES_MAX {
            return None;
        }
        let (text, signature) = bytes.split_last_chunk::<SIGNATURE_BYTES>()?;
        let paper: Paper = codec::decode(text).ok()?;
        let right = key_of(paper.voter)?.verifies("vote", text, signature);
        right.then(|| SignedVote { bytes: bytes.to_vec(), paper })
    }

    /// What it says.
    pub fn paper(&self) -> &Paper {
        &self.paper
    }

    /// The bytes as they were received.
    pub fn bytes(&self) -> &[u8] {
        &self.bytes
    }

    /// The signature alone.
    pub fn signature(&self) -> Vec<u8> {
        self.bytes.last_chunk::<SIGNATURE_BYTES>().map(|last| last.to_vec()).unwrap_or_default()
    }
}

/// The reason of this number.
pub fn reason_of(number: u8) -> Option<Reason> {
    [Reason::Silent, Reason::Left, Reason::Fault].get(usize::from(number)).copied()
}

/// What names a claim.
pub fn claim_id(bytes: &[u8]) -> Hash {
    hash("claim", &[bytes])
}

/// What names a record of the owner.
pub fn record_id(bytes: &[u8]) -> Hash {
    hash("thing", &[bytes])
}

impl Id for Hash {
    fn verdict(claims: &[Claim<Hash>]) -> Hash {
        let parts: Vec<&[u8]> = claims.iter().map(|claim| &claim.id[..]).collect();
        hash("verdict", &parts)
    }
}
