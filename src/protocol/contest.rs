//! How the voters of one place settle what stands there: the owner's record or a verdict.
//!
//! A pure state machine without signatures, bytes or I/O: whoever runs it checks the votes it puts
//! in, signs what [`Contest::duty`] asks for, writes it down before it leaves, and puts it back in
//! with [`Contest::receive`]. A session does that for each contested place; so does the random
//! model in `tests/table/contest.rs`, which looks for runs where two things are settled.
//!
//! Why nothing else can be settled once something is: q SEALs of one try mean that q voters hold
//! its certificate and vote in no lower try any more. Any two quorums share two voters, so one
//! that is honest if at most one lies. So each later q CLAIMs hold that certificate or a higher
//! one, and what they propose is the same thing. Settling by CONFIRMs alone forks: they may
//! complete a certificate at one voter only, and the rest go on without knowing.

mod ballot;

use std::collections::BTreeMap;

use crate::{
    game::{Seat, Seats},
    protocol::limits::{LATE_MS, RETRY_MS, RETRY_MS_MAX, TRIES_AHEAD_MAX, TRIES_MAX},
};
use ballot::Ballot;
pub use ballot::{Claim, Id, Proposal, Reason, Try, Vote, decide, quorum, reason};

/// What settles a thing.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Settling {
    /// A quorum of SEALs: voters that hold the certificate.
    Seals,
    /// A quorum of CONFIRMs. It forks; the model has to find that.
    Confirms,
}

/// The contest of one place as one seat knows it.
#[derive(Debug, Clone)]
pub struct Contest<I> {
    me: Option<Seat>,
    voters: Seats,
    settling: Settling,
    tries: BTreeMap<Try, Ballot<I>>,
    record: Option<I>,
    willing: Option<Reason>,
    voted: Option<Try>,
    certificate: Option<(Try, I)>,
    settled: Option<(Try, I)>,
    opens_at: u64,
    pauses: BTreeMap<Seat, Pause>,
    /// When this seat voted first, until [`Contest::late_record`] is given.
    voting_since: Option<u64>,
}

/// How long a voter waits before it goes on to a higher try of one opener.
#[derive(Debug, Clone, Copy)]
struct Pause {
    until: u64,
    next_ms: u64,
}

impl<I: Id> Contest<I> {
    /// A contest among `voters` as `me` sees it; who is none of them only watches.
    pub fn new(me: Seat, voters: Seats, settling: Settling) -> Contest<I> {
        Contest {
            me: voters.contains(me).then_some(me),
            voters,
            settling,
            tries: BTreeMap::new(),
            record: None,
            willing: None,
            voted: None,
            certificate: None,
            settled: None,
            opens_at: 0,
            pauses: BTreeMap::new(),
            voting_since: None,
        }
    }

    /// What is settled here, and the try whose SEALs settled it.
    pub fn settled(&self) -> Option<(Try, I)> {
        self.settled
    }

    /// A quorum of checked SEALs of one try, all at once: what who knows the place settled sends
    /// to who does not, however far the tries have gone on there.
    pub fn settle(&mut self, sealers: Seats, at: Try, thing: I) -> bool {
        let sealers = sealers.minus(sealers.minus(self.voters));
        let enough = sealers.count() >= quorum(self.voters.count());
        if enough && self.settled.is_none() {
            self.settled = Some((at, thing));
        }
        enough
    }

    /// Whether the votes of this try still count.
    pub fn keeps(&self, at: Try) -> bool {
        self.tries.contains_key(&at)
    }

    /// The certificate of the highest try that is known: the try and its thing.
    pub fn certificate(&self) -> Option<(Try, I)> {
        self.certificate
    }

    /// The owner's record that is known here: the one taken, or the first one seen since.
    pub fn record(&self) -> Option<I> {
        self.record
    }

    /// Who may vote.
    pub fn voters(&self) -> Seats {
        self.voters
    }

    /// Whether anyone has voted.
    pub fn is_open(&self) -> bool {
        !self.tries.is_empty()
    }

    /// The seats that are for a verdict: their claims, in any try, hold nothing of the owner.
    pub fn claimers(&self) -> Seats {
        let claims = self.tries.values().flat_map(|ballot| &ballot.claims);
        claims.filter(|claim| claim.record.is_none()).map(|claim| claim.voter).collect()
    }

    /// Whether this seat has voted: then it takes no record here by itself.
    pub fn has_voted(&self) -> bool {
        self.voted.is_some()
    }

    /// The owner's record was seen. True if it is taken on sight; one that comes after a vote is
    /// only told in later claims.
    pub fn see(&mut self, record: I) -> bool {
        if self.record.is_some() {
            return false;
        }
        self.record = Some(record);
        self.voted.is_none() && self.settled.is_none()
    }

    /// The owner's record that came after a vote of this seat, once voting has come to no
    /// certificate for [`LATE_MS`]: there is no quorum, and the record is taken after all. Like
    /// any that is taken it is given up for what is settled later. In the tries so far this seat
    /// votes no more, so that its old claims, without the record, lead to nothing.
    pub fn late_record(&mut self, now: u64) -> Option<I> {
        let due = self.late_at().is_some_and(|at| at <= now);
        let record = self.record.filter(|_| due)?;
        self.voting_since = None;
        self.voted.into_iter().for_each(|at| self.bar(at));
        Some(record)
    }

    fn late_at(&self) -> Option<u64> {
        let other = self.certificate.is_some_and(|(_, thing)| Some(thing) != self.record);
        let late = self.record.is_some() && self.settled.is_none() && !other;
        self.voting_since.filter(|_| late).map(|since| since.saturating_add(LATE_MS))
    }

    /// This seat is for a verdict, by its player's choice or because it holds proof. It opens a
    /// try unless one is open.
    pub fn claim(&mut self, reason: Reason, now: u64) {
        self.willing = self.willing.max(Some(reason));
        if self.tries.is_empty() {
            self.opens_at = now;
        }
    }

    /// A vote that was checked: its signature, the record and certificate a claim names, and
    /// that a proposal's claims were signed. Own votes come back this way too, also after a
    /// restart. False if it is not taken.
    pub fn receive(&mut self, voter: Seat, vote: Vote<I>, now: u64) -> bool {
        let at = vote.at();
        let bound = self.top().saturating_add(TRIES_AHEAD_MAX);
        let known = self.voters.contains(voter) && self.voters.contains(at.opener);
        if !known || at.number == 0 || at.number > bound || !self.is_right(voter, &vote) {
            return false;
        }
        if self.me == Some(voter) {
            self.note_own(at, now);
        } else if let Some(me) = self.me.filter(|_| self.tries.is_empty()) {
            self.opens_at = now + RETRY_MS * u64::from(me.number());
        }
        if let Vote::Claim(claim) = &vote {
            self.certificate = self.certificate.max(claim.certificate);
        }
        let quorum = usize::from(quorum(self.voters.count()));
        let ballot = self.tries.entry(at).or_default();
        ballot.put(voter, vote);
        if let Some(thing) = ballot.certified(quorum) {
            self.certificate = self.certificate.max(Some((at, thing)));
        }
        let settled = match self.settling {
            Settling::Seals => ballot.sealed(quorum),
            Settling::Confirms => ballot.certified(quorum),
        };
        self.settled = self.settled.or(settled.map(|thing| (at, thing)));
        self.forget();
        true
    }

    /// The vote this seat owes now, if any; to be signed, written down, sent and put back in.
    /// A claim's id is its maker's to fill in.
    pub fn duty(&self, now: u64, unsigned: I) -> Option<Vote<I>> {
        let me = self.me.filter(|_| self.settled.is_none())?;
        if let Some((at, thing)) = self.certificate
            && self.may_vote(at)
            && self.tries.get(&at).is_none_or(|ballot| !ballot.has_sealed(me))
        {
            return Some(Vote::Seal { at, thing });
        }
        let open = self.tries.iter().rev().take_while(|(at, _)| self.may_vote(**at));
        for (at, ballot) in open {
            if let Some(vote) = self.duty_in(me, *at, ballot, now, unsigned) {
                return Some(vote);
            }
        }
        let mine = Try { number: self.top() + 1, opener: me };
        self.opens(me, now).then(|| Vote::Claim(self.own_claim(me, mine, unsigned)))
    }

    /// This seat votes in no try of this number or lower any more: after a restart it may not know
    /// all that it voted there.
    pub fn bar(&mut self, at: Try) {
        let next = Try { number: at.number.saturating_add(1), opener: Seat::FIRST };
        self.voted = self.voted.max(Some(next));
    }

    /// When after `now` [`Contest::duty`] may owe something that it does not owe yet.
    pub fn wakes_at(&self, now: u64) -> Option<u64> {
        let pauses = self.pauses.values().map(|pause| pause.until);
        pauses.chain([self.opens_at]).chain(self.late_at()).filter(|at| *at > now).min()
    }

    fn duty_in(
        &self,
        me: Seat,
        at: Try,
        ballot: &Ballot<I>,
        now: u64,
        unsigned: I,
    ) -> Option<Vote<I>> {
        if let Some(proposal) = &ballot.proposal
            && !ballot.has_confirmed(me)
        {
            return Some(Vote::Confirm { at, thing: proposal.thing });
        }
        let (voters, quorum) = (self.voters.count(), quorum(self.voters.count()));
        if at.opener == me && ballot.proposal.is_none() {
            let mut claims = ballot.claims.get(..usize::from(quorum))?.to_vec();
            claims.sort_by_key(|claim| claim.voter);
            let thing = decide(voters, &claims);
            return Some(Vote::Propose(Proposal { at, claims, thing }));
        }
        let paused = self.pauses.get(&at.opener).is_some_and(|pause| now < pause.until);
        let later = self.certificate.is_none_or(|(certified, _)| certified < at);
        let opened = later && ballot.has_claimed(at.opener) && !ballot.has_claimed(me);
        let answers = opened && !paused && self.is_party();
        answers.then(|| Vote::Claim(self.own_claim(me, at, unsigned)))
    }

    /// Whether this seat has something to say: a record, a certificate, or its player's choice.
    fn is_party(&self) -> bool {
        self.willing.is_some() || self.record.is_some() || self.certificate.is_some()
    }

    /// Whether it is time for a try of one's own. One that nobody answered is sent again, not
    /// followed by another: who comes back after days must not find others far ahead.
    fn opens(&self, me: Seat, now: u64) -> bool {
        let party = self.willing.is_some() || (self.is_open() && self.is_party());
        let unheard = self
            .tries
            .last_key_value()
            .is_some_and(|(at, ballot)| at.opener == me && ballot.is_only_of(me));
        party && !unheard && now >= self.opens_at && self.may_claim()
    }

    /// Alone one may say that a seat left or is at fault, not that it is silent.
    fn may_claim(&self) -> bool {
        self.voters.count() > 1 || self.willing > Some(Reason::Silent)
    }

    fn own_claim(&self, me: Seat, at: Try, id: I) -> Claim<I> {
        let reason = self.willing.unwrap_or(Reason::Silent);
        let (record, certificate) = (self.record, self.certificate);
        Claim { voter: me, at, reason, record, certificate, id }
    }

    fn note_own(&mut self, at: Try, now: u64) {
        if self.voted >= Some(at) {
            return;
        }
        self.voted = Some(at);
        self.voting_since = self.voting_since.or(Some(now));
        let next = |pause: Option<&Pause>, first: u64, most: u64| {
            let wait = pause.map_or(first, |pause| pause.next_ms);
            Pause { until: now + wait, next_ms: (2 * wait).min(most) }
        };
        // Half of what an honest opener waits, so that its tries are answered in time.
        if self.me != Some(at.opener) {
            let pause = next(self.pauses.get(&at.opener), RETRY_MS / 2, RETRY_MS_MAX / 2);
            self.pauses.insert(at.opener, pause);
        }
        if let Some(me) = self.me {
            let first = RETRY_MS * u64::from(me.number());
            let own = next(self.pauses.get(&me), first, RETRY_MS_MAX);
            self.pauses.insert(me, own);
            self.opens_at = own.until;
        }
    }

    fn is_right(&self, voter: Seat, vote: &Vote<I>) -> bool {
        match vote {
            Vote::Claim(claim) => {
                claim.voter == voter
                    && claim.certificate.is_none_or(|(at, _)| at < claim.at)
                    && (self.voters.count() > 1 || claim.reason > Reason::Silent)
            }
            Vote::Propose(proposal) => proposal.at.opener == voter && self.is_first(proposal),
            _ => true,
        }
    }

    /// Whether a proposal names the first thing that fits a quorum of claims of its try.
    fn is_first(&self, proposal: &Proposal<I>) -> bool {
        let claims = &proposal.claims;
        let enough = claims.len() == usize::from(quorum(self.voters.count()));
        let by_voter = claims.is_sorted_by(|one, next| one.voter < next.voter);
        let fit = |claim: &Claim<I>| claim.at == proposal.at && self.voters.contains(claim.voter);
        enough
            && by_voter
            && claims.iter().all(fit)
            && decide(self.voters.count(), claims) == proposal.thing
    }

    fn may_vote(&self, at: Try) -> bool {
        self.voted.is_none_or(|voted| at >= voted)
    }

    fn top(&self) -> u64 {
        self.tries.last_key_value().map_or(0, |(at, _)| at.number)
    }

    /// Keeps the newest tries, that of the certificate and the one that settled the place.
    fn forget(&mut self) {
        let kept = [self.certificate, self.settled].map(|known| known.map(|(at, _)| at));
        while self.tries.len() > TRIES_MAX {
            let oldest = self.tries.keys().find(|at| !kept.contains(&Some(**at))).copied();
            let Some(oldest) = oldest else { return };
            self.tries.remove(&oldest);
        }
    }
}
