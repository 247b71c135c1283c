//! What a vote or a verdict needs to be right at an open place.

use super::{Refusal, Table};
use crate::{
    game::{Seat, Seats},
    protocol::{
        contest::{Claim, Id, Proposal, Reason, Try, Vote, decide, quorum, reason},
        crypto::{
            hash::Hash,
            identity::{PublicKey, SIGNATURE_BYTES},
        },
        log::record::{Body, Record, Signed, Unchecked},
        message::{Note, NoteBody},
        table::Phase,
        vote::{Has, Paper, Quorum, Says, Settled, SignedVote, claim_id, reason_of, record_id},
    },
};

impl Table {
    /// The seats that vote on a place of `owner`: the live ones that no other seat keeps.
    pub fn voters(&self, owner: Seat) -> Seats {
        let votes = |seat: &Seat| {
            *seat != owner && self.player(*seat).is_some_and(|join| join.kept_by.is_none())
        };
        self.live().iter().filter(votes).collect()
    }

    /// Whether a verdict may stand at the open place of `owner`.
    pub fn is_contestable(&self, owner: Seat) -> bool {
        !matches!(self.phase, Phase::Sit | Phase::Complete) && self.expected().contains(&owner)
    }

    /// The vote in these bytes, if a seat of this table has signed it.
    pub fn open_vote(&self, bytes: &[u8]) -> Option<SignedVote> {
        SignedVote::open(bytes, |seat| self.key_of(seat))
    }

    /// What a vote at an open place means.
    ///
    /// # Errors
    /// What is wrong with it.
    pub fn hear(&self, vote: &SignedVote) -> Result<(Seat, Vote<Hash>), &'static str> {
        let paper = vote.paper();
        let owner = Seat::new(paper.owner).filter(|owner| self.is_contestable(*owner));
        let owner = owner.filter(|_| paper.base == self.base).ok_or("it is for no open place")?;
        let voters = self.voters(owner);
        let voter = Seat::new(paper.voter).filter(|seat| voters.contains(*seat));
        let (voter, at) = voter.zip(paper.at()).ok_or("its signer does not vote here")?;
        let heard = match &paper.says {
            Says::Claim(has) => Vote::Claim(self.hear_claim((owner, voter, at), has, vote)?),
            Says::Propose { claims, thing } => {
                let claims = self.hear_claims(owner, claims)?;
                let (thing, _) = self.admit_thing(owner, thing)?;
                Vote::Propose(Proposal { at, claims, thing })
            }
            Says::Confirm(thing) => Vote::Confirm { at, thing: *thing },
            Says::Seal(thing) => Vote::Seal { at, thing: *thing },
        };
        Ok((voter, heard))
    }

    fn hear_claim(
        &self,
        (owner, voter, at): (Seat, Seat, Try),
        has: &Has,
        vote: &SignedVote,
    ) -> Result<Claim<Hash>, &'static str> {
        let reason = reason_of(has.reason).ok_or("it gives no known reason")?;
        let record = has.record.as_deref().map(|record| self.own_record(owner, record));
        let certificate = match &has.certificate {
            Some(certificate) => {
                let confirm = Says::Confirm(certificate.thing);
                Some(self.check_quorum(owner, certificate, &confirm).ok_or("a false certificate")?)
            }
            None => None,
        };
        let alone = self.voters(owner).count() < 2;
        if alone && !self.proves(owner, reason, &has.evidence) {
            return Err("one voter alone has to prove what it says");
        }
        if !alone && !has.evidence.is_empty() {
            return Err("it carries more than a claim does");
        }
        let record = record.transpose()?;
        Ok(Claim { voter, at, reason, record, certificate, id: claim_id(vote.bytes()) })
    }

    fn own_record(&self, owner: Seat, bytes: &[u8]) -> Result<Hash, &'static str> {
        let admitted = self.admit(bytes).ok().filter(|record| !record.is_verdict());
        let own = admitted.filter(|record| usize::from(record.record().seat) == owner.index());
        own.map(|_| record_id(bytes)).ok_or("it holds no record of this place")
    }

    fn hear_claims(&self, owner: Seat, all: &[Vec<u8>]) -> Result<Vec<Claim<Hash>>, &'static str> {
        let hear = |bytes: &Vec<u8>| {
            let vote = self.open_vote(bytes).ok_or("a claim is not signed")?;
            let here = usize::from(vote.paper().owner) == owner.index();
            if !here || !matches!(vote.paper().says, Says::Claim(_)) {
                return Err("it holds something else than claims");
            }
            match self.hear(&vote)? {
                (_, Vote::Claim(claim)) => Ok(claim),
                _ => Err("it holds something else than claims"),
            }
        };
        if all.len() > usize::from(quorum(self.voters(owner).count())) {
            return Err("it holds more claims than it takes");
        }
        all.iter().map(hear).collect()
    }

    /// Whether a quorum signed this vote; the try and the thing.
    fn check_quorum(&self, owner: Seat, quorum_of: &Quorum, says: &Says) -> Option<(Try, Hash)> {
        let Quorum { number, opener, thing, votes } = quorum_of;
        let voters = self.voters(owner);
        let signed = |(voter, signature): &(u8, Vec<u8>)| {
            let seat = Seat::new(*voter).filter(|seat| voters.contains(*seat))?;
            let (number, opener, says) = (*number, *opener, says.clone());
            let owner = owner.index() as u8;
            let paper = Paper { base: self.base, owner, voter: *voter, number, opener, says };
            paper.signed_by(&self.key_of(*voter)?, signature).then_some(seat)
        };
        let all = votes.iter().map(signed).collect::<Option<Seats>>()?;
        let at = Try { number: *number, opener: Seat::new(*opener)? };
        let enough = usize::from(quorum(voters.count())) == votes.len();
        (enough && usize::from(all.count()) == votes.len()).then_some((at, *thing))
    }

    /// Whether these bytes settle an open place: the seats whose SEALs they are, the try, and the
    /// entry with its name.
    pub fn check_settled(&self, settled: &Settled) -> Option<(Seats, Try, Hash, Signed)> {
        let owner = Seat::new(settled.owner).filter(|owner| self.is_contestable(*owner))?;
        let seal = Says::Seal(settled.seals.thing);
        let (at, thing) = self.check_quorum(owner, &settled.seals, &seal)?;
        let (id, entry) = self.admit_thing(owner, &settled.thing).ok()?;
        let sealers = settled.seals.votes.iter().filter_map(|(voter, _)| Seat::new(*voter));
        (id == thing && settled.base == self.base).then(|| (sealers.collect(), at, thing, entry))
    }

    /// An entry that may stand at the open place of `owner`, with its name.
    ///
    /// # Errors
    /// If it may not.
    pub fn admit_thing(&self, owner: Seat, bytes: &[u8]) -> Result<(Hash, Signed), &'static str> {
        let entry = self.admit(bytes).map_err(|_| "what it proposes cannot stand here")?;
        if usize::from(entry.record().seat) != owner.index() {
            return Err("what it proposes is another seat's");
        }
        let id = match &entry.record().body {
            Body::Verdict(claims) => Id::verdict(&self.hear_claims(owner, claims)?),
            _ => record_id(bytes),
        };
        Ok((id, entry))
    }

    /// The entry that these claims, by voter, make.
    pub fn verdict(&self, owner: Seat, claims: Vec<Vec<u8>>) -> Vec<u8> {
        let body = Body::Verdict(claims);
        let record = Record { base: self.base, state: self.state, seat: owner.index() as u8, body };
        record.unsigned()
    }

    /// Admits a verdict at an open place.
    pub(super) fn admit_verdict(&self, owner: Seat, entry: Unchecked) -> Result<Signed, Refusal> {
        let refused = |reason: &str| Refusal::NoVerdict(owner, reason.into());
        let signed = entry.into_verdict().ok_or_else(|| refused("it has no verdict's form"))?;
        if signed.record().base != self.base {
            return Err(Refusal::Elsewhere(Box::new(signed)));
        }
        if !self.is_contestable(owner) || signed.record().state != self.state {
            return Err(refused("none may stand here"));
        }
        self.reason_of(owner, &signed).map(|_| signed).map_err(refused)
    }

    /// Why a verdict was given, which its claims have to lead to.
    pub(super) fn reason_of(&self, owner: Seat, entry: &Signed) -> Result<Reason, &'static str> {
        let Body::Verdict(claims) = &entry.record().body else { return Err("it is no verdict") };
        let claims = self.hear_claims(owner, claims)?;
        let voters = self.voters(owner).count();
        let by_voter = claims.is_sorted_by(|one, next| one.voter < next.voter);
        let one_try = claims
            .windows(2)
            .all(|pair| pair.first().map(|claim| claim.at) == pair.last().map(|claim| claim.at));
        if claims.len() != usize::from(quorum(voters)) || !by_voter || !one_try {
            return Err("its claims are no quorum");
        }
        if decide(voters, &claims) != Id::verdict(&claims) {
            return Err("its claims do not lead to a verdict");
        }
        Ok(reason(&claims))
    }

    /// Whether this proves alone that the owner left or is at fault.
    pub(in crate::protocol) fn proves(
        &self,
        owner: Seat,
        reason: Reason,
        evidence: &[Vec<u8>],
    ) -> bool {
        match (reason, evidence) {
            (Reason::Left, [note]) => {
                let outs = self.outs_of(owner);
                self.note_of(owner, note) == Some(NoteBody::Leave { outs })
            }
            (Reason::Fault, [one, other]) => {
                let signed =
                    |bytes: &[u8]| Unchecked::decode(bytes).ok()?.signed_by(&self.key(owner).ok()?);
                let (Some(a), Some(b)) = (signed(one), signed(other)) else { return false };
                let base = a.record().base;
                let here = base == self.base || self.bases.contains(&base);
                here && base == b.record().base && a.bytes() != b.bytes()
            }
            (Reason::Fault, [one]) => {
                let of_owner = |record: &Signed| usize::from(record.record().seat) == owner.index();
                matches!(self.admit(one), Err(Refusal::Wrong { record, .. }) if of_owner(&record))
            }
            _ => false,
        }
    }

    /// What a note of a seat of this game says.
    pub(super) fn note_of(&self, seat: Seat, bytes: &[u8]) -> Option<NoteBody> {
        let note = Note::open(bytes, |seat| self.key_of(seat))?;
        let right = note.game == self.game_id && usize::from(note.seat) == seat.index();
        right.then_some(note.body)
    }

    fn key_of(&self, seat: u8) -> Option<PublicKey> {
        self.roster.joins.get(usize::from(seat)).map(|join| join.key)
    }
}

impl Record {
    /// The bytes of an entry that nobody signs.
    fn unsigned(&self) -> Vec<u8> {
        let mut bytes = crate::protocol::codec::encode(self);
        bytes.extend([0; SIGNATURE_BYTES]);
        bytes
    }
}
