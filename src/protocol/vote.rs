//! What programs sign about a base where somebody is awaited: in the domain "vote", forwarded by
//! anyone. What follows from it is in [`super::court`]; here it has bytes.

use serde::{Deserialize, Serialize};

use super::{
    codec,
    court::Attempt,
    crypto::{
        hash::{Hash, hash},
        identity::{Identity, PublicKey, SIGNATURE_BYTES},
    },
    limits::VOTE_BYTES_MAX,
};
use crate::game::{Seat, Seats};

/// What a program signs about a base.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Paper {
    /// The base.
    pub base: Hash,
    /// The program, by its keeper's seat from 0; the keeper's key signs.
    pub program: u8,
    /// What it says.
    pub says: Says,
}

/// What is said about a base.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub enum Says {
    /// "I hold nothing here that this excludes, and of what it excludes I take nothing that came
    /// before it."
    Sign(Motion),
    /// "I hold this here, which the attempts of this number exclude. I have not signed one of them
    /// and never will." Number 0 is no attempt: it tells which of an owner's two records is held.
    Have {
        /// The number.
        number: u64,
        /// The awaited program whose it is, from 0.
        owner: u8,
        /// The name of what is held.
        thing: Hash,
    },
    /// "This is what I hold of everyone awaited here."
    Holds(Hash),
}

/// An attempt to go on without some programs.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Motion {
    /// A higher number is a later attempt; from 1.
    pub number: u64,
    /// The programs it goes on without, ascending.
    pub without: Vec<Without>,
}

/// A program that a motion goes on without.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Without {
    /// Its keeper's seat, from 0.
    pub program: u8,
    /// Why.
    pub why: Why,
}

/// Why a motion goes on without a program, with the proof of it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub enum Why {
    /// Nothing came from it.
    Silent,
    /// It said that it leaves: the signed note.
    Left(Vec<u8>),
    /// It is at fault: what it signed that proves it.
    Fault(Vec<Vec<u8>>),
}

/// Why a program is out, in one word. Later ones weigh more.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Reason {
    /// Nothing came from it.
    Silent,
    /// It said that it leaves.
    Left,
    /// It signed what proves a fault.
    Fault,
}

/// A motion that everyone who is asked has signed: it stands in the log at the places of those it
/// goes on without.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Verdict {
    /// The motion.
    pub motion: Motion,
    /// Each live program that it asks, ascending, with the signature of its vote.
    pub votes: Vec<(u8, Vec<u8>)>,
}

/// A vote that its program's key has signed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SignedVote {
    bytes: Vec<u8>,
    paper: Paper,
}

impl Reason {
    /// In one word, as data has it.
    pub fn name(self) -> &'static str {
        match self {
            Reason::Silent => "silent",
            Reason::Left => "left",
            Reason::Fault => "fault",
        }
    }
}

impl Why {
    /// In one word.
    pub fn reason(&self) -> Reason {
        match self {
            Why::Silent => Reason::Silent,
            Why::Left(_) => Reason::Left,
            Why::Fault(_) => Reason::Fault,
        }
    }
}

impl Motion {
    /// The programs it goes on without.
    pub fn programs(&self) -> Seats {
        self.without.iter().filter_map(|without| Seat::new(without.program)).collect()
    }

    /// Why it goes on without a program.
    pub fn why(&self, program: Seat) -> Option<&Why> {
        let of = self.without.iter().find(|of| usize::from(of.program) == program.index());
        of.map(|of| &of.why)
    }

    /// What the court knows of it.
    pub fn attempt(&self) -> Attempt<Hash> {
        let name = hash("motion", &[&codec::encode(self)]);
        Attempt { number: self.number, without: self.programs(), name }
    }
}

impl Verdict {
    /// The signed votes of those it asks, as they were signed at `base`.
    pub fn signed(&self, base: &Hash) -> Vec<Vec<u8>> {
        let bytes = |(program, signature): &(u8, Vec<u8>)| {
            let says = Says::Sign(self.motion.clone());
            let mut bytes = codec::encode(&Paper { base: *base, program: *program, says });
            bytes.extend(signature);
            bytes
        };
        self.votes.iter().map(bytes).collect()
    }
}

impl Says {
    /// Whether who signs it is bound by it.
    pub fn binds(&self) -> bool {
        !matches!(self, Says::Holds(_) | Says::Have { number: 0, .. })
    }
}

impl Paper {
    /// The bytes that go out: the paper and its signature.
    pub fn sign(&self, identity: &Identity) -> Vec<u8> {
        let mut bytes = codec::encode(self);
        bytes.extend(identity.sign("vote", &bytes));
        bytes
    }

    /// Whether these two prove that their program has lied: two attempts of one number, or HAVE of
    /// an attempt's number and that attempt.
    pub fn excludes(&self, other: &Paper) -> bool {
        let one = (self.base, self.program) == (other.base, other.program);
        one && match (&self.says, &other.says) {
            (Says::Sign(one), Says::Sign(other)) => one.number == other.number && one != other,
            (Says::Sign(motion), Says::Have { number, .. })
            | (Says::Have { number, .. }, Says::Sign(motion)) => *number == motion.number,
            _ => false,
        }
    }
}

/// A vote whose signature nobody has checked yet; `None` for bytes that are none.
pub fn unchecked(bytes: &[u8]) -> Option<Paper> {
    let (text, _) = bytes.split_last_chunk::<SIGNATURE_BYTES>()?;
    if bytes.len() > VOTE_BYTES_MAX { None } else { codec::decode(text).ok() }
}

impl SignedVote {
    /// The vote in `bytes` if the key that `key_of` gives for its program has signed it.
    pub fn open(bytes: &[u8], key_of: impl Fn(u8) -> Option<PublicKey>) -> Option<SignedVote> {
        let paper = unchecked(bytes)?;
        let (text, signature) = bytes.split_last_chunk::<SIGNATURE_BYTES>()?;
        let right = key_of(paper.program)?.verifies("vote", text, signature);
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
