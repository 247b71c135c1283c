//! A contested place as this seat knows it: the contest, and the bytes of what it is about.

use std::collections::BTreeMap;

use crate::{
    game::Seat,
    protocol::{
        contest::{Claim, Contest, Proposal, Reason, Settling, Try, Vote},
        crypto::hash::{Hash, hash},
        log::record::Signed,
        table::Table,
        vote::{Has, Paper, Quorum, Says, Settled, SignedVote, reason_of, record_id},
    },
};

/// A vote by try, voter and sort.
type Key = (Try, u8, u8);

/// A contested place.
#[derive(Debug)]
pub(super) struct Dispute {
    pub(super) owner: Seat,
    /// The table at the base of the place.
    pub(super) table: Table,
    pub(super) contest: Contest<Hash>,
    pub(super) settled: Option<Settled>,
    votes: BTreeMap<Key, Vec<SignedVote>>,
    /// Entries that may stand here, by name.
    things: BTreeMap<Hash, Vec<u8>>,
    /// The highest certificate that a claim told.
    certificate: Option<Quorum>,
    /// Proof where this seat decides alone.
    pub(super) evidence: Vec<Vec<u8>>,
}

/// What became of a vote.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Heard {
    /// It was known, or does not count.
    Nothing,
    /// It counts.
    New,
    /// Its voter signed another of its sort in that try.
    Twice(Vec<u8>),
}

impl Dispute {
    pub(super) fn new(me: Seat, owner: Seat, table: Table) -> Dispute {
        let contest = Contest::new(me, table.voters(owner), Settling::Seals);
        Dispute {
            owner,
            table,
            contest,
            settled: None,
            votes: BTreeMap::new(),
            things: BTreeMap::new(),
            certificate: None,
            evidence: Vec::new(),
        }
    }

    /// A record of the owner was seen here; true if it is taken on sight.
    pub(super) fn see(&mut self, record: &[u8]) -> bool {
        let id = record_id(record);
        if self.contest.record().is_none() {
            self.things.insert(id, record.to_vec());
        }
        self.contest.see(id)
    }

    /// The first record of the owner that was seen here.
    pub(super) fn record(&self) -> Option<&[u8]> {
        self.things.get(&self.contest.record()?).map(Vec::as_slice)
    }

    /// The record that came after a vote of this seat and is to be taken after all.
    pub(super) fn late_record(&mut self, now: u64) -> Option<Vec<u8>> {
        self.things.get(&self.contest.late_record(now)?).cloned()
    }

    /// The votes known, in the order they follow from each other.
    pub(super) fn votes(&self) -> impl Iterator<Item = &SignedVote> {
        self.votes.values().flatten()
    }

    /// Whether these very bytes are known.
    pub(super) fn knows(&self, bytes: &[u8]) -> bool {
        self.votes().any(|vote| vote.bytes() == bytes)
    }

    /// Takes a signed vote.
    pub(super) fn hear(&mut self, vote: SignedVote, now: u64) -> Heard {
        let Ok((voter, heard)) = self.table.hear(&vote) else { return Heard::Nothing };
        let at = heard.at();
        let key = (at, vote.paper().voter, vote.paper().sort());
        let known = self.votes.get(&key).map_or(&[][..], Vec::as_slice);
        if known.contains(&vote) || known.len() > 1 {
            return Heard::Nothing;
        }
        let other = known.first().map(|other| other.bytes().to_vec());
        if !self.contest.receive(voter, heard, now) {
            return Heard::Nothing;
        }
        self.keep_things(&vote);
        self.votes.entry(key).or_default().push(vote);
        let contest = &self.contest;
        self.votes.retain(|(at, ..), _| contest.keeps(*at));
        other.map_or(Heard::New, Heard::Twice)
    }

    fn keep_things(&mut self, vote: &SignedVote) {
        match &vote.paper().says {
            Says::Claim(has) => {
                if let Some(record) = &has.record {
                    self.things.insert(record_id(record), record.clone());
                }
                let try_of = |quorum: &Quorum| (quorum.number, quorum.opener);
                let highest = self.certificate.as_ref().map(try_of);
                if let Some(told) = &has.certificate
                    && Some(try_of(told)) > highest
                {
                    self.certificate = Some(told.clone());
                }
            }
            Says::Propose { thing, .. } => {
                if let Ok((id, _)) = self.table.admit_thing(self.owner, thing) {
                    self.things.insert(id, thing.clone());
                }
            }
            Says::Confirm(_) | Says::Seal(_) => {}
        }
    }

    /// The vote this seat owes, ready to be signed; `None` too if it lacks what it is about.
    pub(super) fn duty(&self, me: Seat, now: u64) -> Option<Paper> {
        let vote = self.contest.duty(now, [0; 32])?;
        let at = vote.at();
        let says = match vote {
            Vote::Claim(claim) => Says::Claim(self.claim(&claim)?),
            Vote::Propose(proposal) => self.proposal(&proposal)?,
            Vote::Confirm { thing, .. } => Says::Confirm(thing),
            Vote::Seal { thing, .. } => Says::Seal(thing),
        };
        Some(Paper {
            base: *self.table.base(),
            owner: self.owner.index() as u8,
            voter: me.index() as u8,
            number: at.number,
            opener: at.opener.index() as u8,
            says,
        })
    }

    fn claim(&self, claim: &Claim<Hash>) -> Option<Has> {
        let record = match claim.record {
            Some(record) => Some(self.things.get(&record)?.clone()),
            None => None,
        };
        let certificate = match claim.certificate {
            Some((at, thing)) => Some(self.certificate_of(at, thing)?),
            None => None,
        };
        let alone = self.contest.voters().count() < 2;
        let evidence = if alone { self.evidence.clone() } else { Vec::new() };
        Some(Has { reason: claim.reason as u8, record, certificate, evidence })
    }

    fn certificate_of(&self, at: Try, thing: Hash) -> Option<Quorum> {
        let told = self.certificate.as_ref().filter(|told| {
            told.number == at.number
                && usize::from(told.opener) == at.opener.index()
                && told.thing == thing
        });
        told.cloned().or_else(|| self.quorum(at, thing, &Says::Confirm(thing)))
    }

    /// A quorum of the same vote, from those known.
    fn quorum(&self, at: Try, thing: Hash, says: &Says) -> Option<Quorum> {
        let needed = crate::protocol::contest::quorum(self.contest.voters().count());
        let same = |vote: &&SignedVote| vote.paper().says == *says && vote.paper().at() == Some(at);
        let votes: Vec<(u8, Vec<u8>)> = self
            .votes()
            .filter(same)
            .map(|vote| (vote.paper().voter, vote.signature()))
            .take(needed.into())
            .collect();
        let (number, opener) = (at.number, at.opener.index() as u8);
        let enough = votes.len() == usize::from(needed);
        enough.then_some(Quorum { number, opener, thing, votes })
    }

    fn proposal(&self, proposal: &Proposal<Hash>) -> Option<Says> {
        let signed = |claim: &Claim<Hash>| {
            let of = (proposal.at, claim.voter.index() as u8, 0);
            let votes = self.votes.get(&of)?;
            let first = votes.first()?;
            Some(first.bytes().to_vec())
        };
        let claims = proposal.claims.iter().map(signed).collect::<Option<Vec<_>>>()?;
        let thing = match self.things.get(&proposal.thing) {
            Some(thing) => thing.clone(),
            None => {
                let verdict = self.table.verdict(self.owner, claims.clone());
                let (id, _) = self.table.admit_thing(self.owner, &verdict).ok()?;
                (id == proposal.thing).then_some(verdict)?
            }
        };
        Some(Says::Propose { claims, thing })
    }

    /// What settled the place just now, with the entry that stands there.
    pub(super) fn settle(&mut self) -> Option<(Settled, Signed)> {
        if self.settled.is_some() {
            return None;
        }
        let (at, thing) = self.contest.settled()?;
        let settled = Settled {
            base: *self.table.base(),
            owner: self.owner.index() as u8,
            seals: self.quorum(at, thing, &Says::Seal(thing))?,
            thing: self.things.get(&thing)?.clone(),
        };
        self.take_settled(settled)
    }

    /// Takes what settled the place, if it does.
    pub(super) fn take_settled(&mut self, settled: Settled) -> Option<(Settled, Signed)> {
        if self.settled.is_some() {
            return None;
        }
        let (sealers, at, thing, entry) = self.table.check_settled(&settled)?;
        if !self.contest.settle(sealers, at, thing) {
            return None;
        }
        self.settled = Some(settled.clone());
        Some((settled, entry))
    }

    /// What two seats that know the same of this place have in common.
    pub(super) fn digest(&self) -> Hash {
        if let Some(settled) = &self.settled {
            return hash("settled", &[&settled.base, &[settled.owner], &settled.seals.thing]);
        }
        let votes: Vec<&[u8]> = self.votes().map(SignedVote::bytes).collect();
        hash("votes", &votes)
    }

    /// This seat is for a verdict again, if that is what an own claim of before a restart says.
    pub(super) fn want_again(&mut self, vote: &SignedVote, now: u64) {
        let Says::Claim(has) = &vote.paper().says else { return };
        if let Some(reason) = reason_of(has.reason)
            && has.record.is_none()
        {
            self.evidence.clone_from(&has.evidence);
            self.claim_seat(reason, now);
        }
    }

    /// This seat is for a verdict.
    pub(super) fn claim_seat(&mut self, reason: Reason, now: u64) {
        self.contest.claim(reason, now);
    }
}
