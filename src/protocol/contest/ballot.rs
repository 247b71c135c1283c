//! Votes, and what follows from a quorum of claims.

use crate::game::{Seat, Seats};

/// What names a thing, a record or a claim: a hash at a table, a number in a model.
pub trait Id: Copy + Ord {
    /// The name of the verdict that these claims, by seat, make.
    fn verdict(claims: &[Claim<Self>]) -> Self;
}

/// One try of settling a place. A higher one takes the place of a lower one.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct Try {
    /// From 1.
    pub number: u64,
    /// Who opened it and alone may propose in it.
    pub opener: Seat,
}

/// Why a seat is claimed, the gravest last.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Reason {
    /// Nothing came from it.
    Silent,
    /// It said that it leaves.
    Left,
    /// There is proof against it.
    Fault,
}

impl Reason {
    /// The reason in a word.
    pub fn name(self) -> &'static str {
        match self {
            Reason::Silent => "silent",
            Reason::Left => "left",
            Reason::Fault => "fault",
        }
    }
}

/// CLAIM: what a voter knows of the place.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Claim<I> {
    /// Who says it.
    pub voter: Seat,
    /// In which try.
    pub at: Try,
    /// Why it is for a verdict, if it is.
    pub reason: Reason,
    /// The owner's record it has.
    pub record: Option<I>,
    /// The certificate of the highest try it has: the try and its thing.
    pub certificate: Option<(Try, I)>,
    /// What names this claim.
    pub id: I,
}

/// PROPOSE: a quorum of claims and what follows from them.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Proposal<I> {
    /// The try.
    pub at: Try,
    /// The claims, each of another voter.
    pub claims: Vec<Claim<I>>,
    /// The first thing that fits them.
    pub thing: I,
}

/// A vote.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Vote<I> {
    /// What the voter knows of the place.
    Claim(Claim<I>),
    /// What follows from a quorum of claims; the opener's alone.
    Propose(Proposal<I>),
    /// The voter has checked the proposal.
    Confirm {
        /// The try.
        at: Try,
        /// What was proposed.
        thing: I,
    },
    /// The voter holds a quorum of CONFIRMs.
    Seal {
        /// The try.
        at: Try,
        /// What was confirmed.
        thing: I,
    },
}

impl<I> Vote<I> {
    /// The try it is in.
    pub fn at(&self) -> Try {
        match self {
            Vote::Claim(claim) => claim.at,
            Vote::Propose(proposal) => proposal.at,
            Vote::Confirm { at, .. } | Vote::Seal { at, .. } => *at,
        }
    }
}

/// How many of so many voters it takes: any two quorums share two voters, where there are two.
pub fn quorum(voters: u8) -> u8 {
    match voters {
        0 | 1 => 1,
        2 => 2,
        _ => 3,
    }
}

/// What a quorum of claims proposes: the thing of the highest certificate; or else the owner's
/// record, if they hold just one; of several the one that a quorum may have taken; or else a
/// verdict.
pub fn decide<I: Id>(voters: u8, claims: &[Claim<I>]) -> I {
    if let Some((_, thing)) = claims.iter().filter_map(|claim| claim.certificate).max() {
        return thing;
    }
    let held = || claims.iter().filter_map(|claim| claim.record);
    let Some(first) = held().next() else { return I::verdict(claims) };
    if held().all(|record| record == first) {
        return first;
    }
    let silent = usize::from(voters).saturating_sub(claims.len());
    let fits = |record: &I| {
        let holders = held().filter(|other| other == record).count();
        holders + silent >= usize::from(quorum(voters))
    };
    held().find(fits).unwrap_or_else(|| I::verdict(claims))
}

/// The reason of the verdict that these claims make: the one all of them go as far as.
pub fn reason<I>(claims: &[Claim<I>]) -> Reason {
    claims.iter().map(|claim| claim.reason).min().unwrap_or(Reason::Silent)
}

/// The votes of one try.
#[derive(Debug, Clone)]
pub(super) struct Ballot<I> {
    pub(super) claims: Vec<Claim<I>>,
    pub(super) proposal: Option<Proposal<I>>,
    confirms: Vec<(Seat, I)>,
    seals: Vec<(Seat, I)>,
}

impl<I> Default for Ballot<I> {
    fn default() -> Ballot<I> {
        let (confirms, seals) = (Vec::new(), Vec::new());
        Ballot { claims: Vec::new(), proposal: None, confirms, seals }
    }
}

impl<I: Id> Ballot<I> {
    /// Takes a vote. Of each voter the first claim and proposal count, and of CONFIRMs and SEALs
    /// two if they differ: which of them others have seen is not known here.
    pub(super) fn put(&mut self, voter: Seat, vote: Vote<I>) {
        let put = |votes: &mut Vec<(Seat, I)>, thing| {
            let of_voter = votes.iter().filter(|(seat, _)| *seat == voter).count();
            if of_voter < 2 && !votes.contains(&(voter, thing)) {
                votes.push((voter, thing));
            }
        };
        match vote {
            Vote::Claim(claim) if !self.has_claimed(voter) => self.claims.push(claim),
            Vote::Propose(proposal) if self.proposal.is_none() => self.proposal = Some(proposal),
            Vote::Confirm { thing, .. } => put(&mut self.confirms, thing),
            Vote::Seal { thing, .. } => put(&mut self.seals, thing),
            Vote::Claim(_) | Vote::Propose(_) => {}
        }
    }

    pub(super) fn certified(&self, quorum: usize) -> Option<I> {
        enough(&self.confirms, quorum)
    }

    pub(super) fn sealed(&self, quorum: usize) -> Option<I> {
        enough(&self.seals, quorum)
    }

    pub(super) fn has_claimed(&self, voter: Seat) -> bool {
        self.claims.iter().any(|claim| claim.voter == voter)
    }

    pub(super) fn has_confirmed(&self, voter: Seat) -> bool {
        self.confirms.iter().any(|(seat, _)| *seat == voter)
    }

    pub(super) fn has_sealed(&self, voter: Seat) -> bool {
        self.seals.iter().any(|(seat, _)| *seat == voter)
    }

    /// Whether nobody else has voted in it.
    pub(super) fn is_only_of(&self, voter: Seat) -> bool {
        let claimers = self.claims.iter().map(|claim| claim.voter);
        let others = self.confirms.iter().chain(&self.seals).map(|(seat, _)| *seat);
        claimers.chain(others).collect::<Seats>().without(voter).is_empty()
    }
}

/// What a quorum of these votes is for.
fn enough<I: Id>(votes: &[(Seat, I)], quorum: usize) -> Option<I> {
    let count = |thing: I| votes.iter().filter(|(_, other)| *other == thing).count();
    votes.iter().map(|(_, thing)| *thing).find(|thing| count(*thing) >= quorum)
}
