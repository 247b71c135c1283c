//! Voting on the places of seats that are silent or lie.

use super::{
    Link, News, NotNow, Output, Session,
    dispute::{Dispute, Heard},
    sync::Neighbour,
};
use crate::{
    game::Seat,
    protocol::{
        contest::Reason,
        crypto::hash::{Hash, hash},
        limits::{DISPUTES_MAX, RETRY_MS, SERVED_BYTES_MAX, VOTES_A_SEAT},
        log::{
            evidence::{self, TWO_VOTES},
            record::{Signed, Unchecked},
        },
        message::Talk,
        table::Table,
        vote::{Says, Settled, SignedVote, reason_of},
    },
};

impl Session {
    /// The player does not want to wait for `seat` any longer. The others are asked; with a quorum
    /// of them the seat is out, unless somebody has what it signed.
    ///
    /// # Errors
    /// [`NotNow`] if the table does not wait for that seat, or this seat cannot decide it.
    pub fn claim(&mut self, seat: Seat, now: u64) -> Result<(), NotNow> {
        if !self.may_sign() {
            return Err(NotNow::Silent);
        }
        if seat == self.seat || !self.awaited().contains(&seat) {
            return Err(NotNow::NotAwaited(self.name_of(seat)));
        }
        let voters = self.table.voters(seat);
        let reason = self.reason_against(seat);
        if !self.table.is_contestable(seat) || !voters.contains(self.seat) {
            return Err(NotNow::NoVote);
        }
        if voters.count() < 2 && reason == Reason::Silent {
            return Err(NotNow::Alone);
        }
        self.contest(*self.table.base(), seat, reason, now);
        self.progress(now);
        Ok(())
    }

    /// The seats that this one may ask the others to go on without: those that said they leave, and
    /// those the table has waited for as long as its terms say, the clock where a player is to
    /// decide and the patience elsewhere.
    pub fn overdue(&self, now: u64) -> Vec<Seat> {
        let terms = &self.table.roster().terms;
        let clock = self.table.asks_player().then_some(terms.clock_s).filter(|clock| *clock > 0);
        let limit = u64::from(clock.unwrap_or(terms.patience_s)) * 1_000;
        let late = limit > 0 && self.waited(now) >= limit;
        let may = |seat: &Seat| {
            let voters = self.table.voters(*seat);
            let silent = self.reason_against(*seat) == Reason::Silent;
            *seat != self.seat
                && self.table.is_contestable(*seat)
                && voters.contains(self.seat)
                && (!silent || late && voters.count() > 1)
        };
        self.awaited().into_iter().filter(may).collect()
    }

    /// The seats the table waits for that have said that they leave.
    pub fn leaving(&self) -> Vec<Seat> {
        self.awaited().into_iter().filter(|seat| self.standing_leave(*seat).is_some()).collect()
    }

    /// How long the open phase has lasted, in milliseconds.
    pub fn waited(&self, now: u64) -> u64 {
        now.saturating_sub(self.phase_at)
    }

    /// The seats that somebody claims at the open places, with those who do.
    pub fn claimed(&self) -> Vec<(Seat, Vec<Seat>)> {
        let open = self.disputes.iter().filter(|((base, _), _)| base == self.table.base());
        let undecided = open.filter(|(_, dispute)| dispute.settled.is_none());
        undecided
            .map(|((_, owner), dispute)| (*owner, dispute.contest.claimers().iter().collect()))
            .filter(|(_, claimers): &(Seat, Vec<Seat>)| !claimers.is_empty())
            .collect()
    }

    fn reason_against(&self, seat: Seat) -> Reason {
        if self.faulty.contains_key(&seat) {
            Reason::Fault
        } else if self.standing_leave(seat).is_some() {
            Reason::Left
        } else {
            Reason::Silent
        }
    }

    /// Is for a verdict at a place.
    pub(super) fn contest(&mut self, base: Hash, owner: Seat, reason: Reason, now: u64) {
        let evidence = match reason {
            Reason::Silent => Vec::new(),
            Reason::Left => self.standing_leave(owner).into_iter().collect(),
            Reason::Fault => self.proofs.get(&owner).cloned().unwrap_or_default(),
        };
        if let Some(dispute) = self.dispute(base, owner) {
            // Who decides alone has to prove it here: proof from another place may not do.
            let alone = dispute.contest.voters().count() < 2;
            if alone && !dispute.table.proves(owner, reason, &evidence) {
                return;
            }
            dispute.evidence = evidence;
            dispute.claim_seat(reason, now);
        }
    }

    /// Where a faulty seat is awaited, a try is opened.
    fn contest_faulty(&mut self, now: u64) {
        let base = *self.table.base();
        let awaited = self.awaited();
        let faulty: Vec<Seat> =
            self.faulty.keys().copied().filter(|seat| awaited.contains(seat)).collect();
        for seat in faulty {
            if !self.disputes.get(&(base, seat)).is_some_and(|known| known.contest.has_voted()) {
                self.contest(base, seat, Reason::Fault, now);
            }
        }
    }

    /// The contest of a place of the log or of the open phase; a new one if there is none yet.
    pub(super) fn dispute(&mut self, base: Hash, owner: Seat) -> Option<&mut Dispute> {
        if !self.disputes.contains_key(&(base, owner)) {
            let open = base == *self.table.base();
            if self.disputes.len() >= DISPUTES_MAX && !open && !self.forget_dispute() {
                return None;
            }
            let table = if open { self.table.clone() } else { self.table_at(&base)? };
            if !table.is_contestable(owner) {
                return None;
            }
            let mut dispute = Dispute::new(self.seat, owner, table);
            let held = self.held.get(&owner).filter(|_| open).map(|held| held.bytes().to_vec());
            let known = held.or_else(|| self.logged_of(&base, owner));
            if let Some(record) = known.and_then(|bytes| dispute.table.admit(&bytes).ok())
                && !record.is_verdict()
            {
                dispute.see(record.bytes());
            }
            self.disputes.insert((base, owner), dispute);
        }
        self.disputes.get_mut(&(base, owner))
    }

    /// Makes room by a contest that has come to nothing and that this seat has not voted in: who
    /// is in it tells its votes again. False if there is none.
    fn forget_dispute(&mut self) -> bool {
        let open = *self.table.base();
        let idle = |((base, _), dispute): &(&(Hash, Seat), &Dispute)| {
            *base != open && !dispute.contest.has_voted() && dispute.settled.is_none()
        };
        let place = self.disputes.iter().find(idle).map(|(place, _)| *place);
        place.is_some_and(|place| self.disputes.remove(&place).is_some())
    }

    /// The table as it was at a base of the log.
    fn table_at(&self, base: &Hash) -> Option<Table> {
        let first = *self.places.get(base)?.first()?;
        let (mut table, _) = Table::found(self.log.first()?).ok()?;
        for bytes in self.log.get(1..first as usize)? {
            let record = table.admit(bytes).ok()?;
            table.append(record).ok()?;
        }
        Some(table)
    }

    /// The entry of a seat that the log has on a base.
    pub(super) fn logged_of(&self, base: &Hash, seat: Seat) -> Option<Vec<u8>> {
        let of_seat = |bytes: &&[u8]| {
            Unchecked::decode(bytes).is_ok_and(|entry| entry.record().seat == seat.index() as u8)
        };
        self.logged_at(base).find(of_seat).map(<[u8]>::to_vec)
    }

    /// A vote came from a neighbour.
    pub(super) fn receive_vote(&mut self, link: Link, bytes: &[u8], now: u64) {
        if self.disputes.values().any(|dispute| dispute.knows(bytes)) {
            return;
        }
        let Some(vote) = self.table.open_vote(bytes) else {
            self.outputs.push_back(Output::Tell(News::BadNeighbour(link)));
            return;
        };
        let (base, owner) = (vote.paper().base, vote.paper().owner);
        let Some(owner) = Seat::new(owner) else { return };
        if base != *self.table.base() && !self.places.contains_key(&base) {
            return self.ask(link, now);
        }
        if usize::from(vote.paper().voter) == self.seat.index() {
            return self.adopt_vote(vote, now);
        }
        let quota = self.vote_quotas.entry(vote.paper().voter).or_default();
        if !quota.take(now / RETRY_MS, 1, VOTES_A_SEAT) {
            return;
        }
        let Some(dispute) = self.dispute(base, owner) else { return };
        if let Some(settled) = &dispute.settled {
            let talk = Talk::Settled(settled.clone());
            self.outputs.push_back(Output::Send(link, talk));
            return;
        }
        let unproven = matches!(&vote.paper().says, Says::Claim(has)
            if reason_of(has.reason).is_none_or(|reason| reason < Reason::Fault));
        if self.hear(base, owner, vote, Some(link), now) && unproven {
            self.send_proof(link, owner, now);
        }
    }

    /// Tells a neighbour, of whom came a claim without it, the proof against a seat. What was told
    /// when the proof was found may have been lost, and a verdict for a fault needs a quorum that
    /// holds it.
    fn send_proof(&mut self, link: Link, owner: Seat, now: u64) {
        let proof = self.proofs.get(&owner).cloned().unwrap_or_default();
        let bytes = proof.iter().map(Vec::len).sum();
        let may = |next: &mut Neighbour| next.served.take(now / 1_000, bytes, SERVED_BYTES_MAX);
        if self.links.get_mut(&link).is_some_and(may) {
            let tell = |bytes| Output::Send(link, Talk::Fresh(bytes));
            self.outputs.extend(proof.into_iter().map(tell));
        }
    }

    /// Takes a vote and forwards it; false if it was known or does not count.
    fn hear(
        &mut self,
        base: Hash,
        owner: Seat,
        vote: SignedVote,
        from: Option<Link>,
        now: u64,
    ) -> bool {
        let Some(dispute) = self.disputes.get_mut(&(base, owner)) else { return false };
        let (bytes, voter) = (vote.bytes().to_vec(), vote.paper().voter);
        let told = dispute.contest.record();
        let heard = dispute.hear(vote, now);
        if heard == Heard::Nothing {
            return false;
        }
        self.say_to_all(&Talk::Vote(bytes.clone()), from);
        if let (Heard::Twice(other), Some(voter)) = (heard, Seat::new(voter)) {
            let roster = self.log.get(..1).unwrap_or_default();
            let proof = evidence::encode(roster, &[&other, &bytes]);
            self.blame(voter, TWO_VOTES.into(), proof, Vec::new());
        }
        if told.is_none() {
            self.take_told(base, owner, &bytes, now);
        }
        true
    }

    /// A claim may bring the record that is missed here.
    fn take_told(&mut self, base: Hash, owner: Seat, claim: &[u8], now: u64) {
        let Some(vote) = self.table.open_vote(claim) else { return };
        let Says::Claim(has) = &vote.paper().says else { return };
        let Some(record) = has.record.as_ref() else { return };
        if base == *self.table.base()
            && let Ok(record) = self.table.admit(record)
        {
            self.take_here(owner, record, None, now);
        } else if let Some(dispute) = self.disputes.get_mut(&(base, owner)) {
            dispute.see(record);
        }
    }

    /// What settles a place came from a neighbour.
    pub(super) fn receive_settled(&mut self, link: Link, settled: Settled, now: u64) {
        let base = settled.base;
        let Some(owner) = Seat::new(settled.owner) else { return };
        if base != *self.table.base() && !self.places.contains_key(&base) {
            return self.ask(link, now);
        }
        let Some(dispute) = self.dispute(base, owner) else { return };
        if let Some((settled, entry)) = dispute.take_settled(settled) {
            self.say_to_all(&Talk::Settled(settled), Some(link));
            self.put_settled(base, owner, entry, now);
        }
    }

    /// Takes the records that came after a vote of this seat where no quorum has been had since.
    pub(super) fn take_late(&mut self, now: u64) {
        let base = *self.table.base();
        for owner in self.awaited() {
            let honest = !self.faulty.contains_key(&owner);
            let dispute = self.disputes.get_mut(&(base, owner)).filter(|_| honest);
            let late = dispute.and_then(|dispute| dispute.late_record(now));
            if let Some(Ok(record)) = late.map(|bytes| self.table.admit(&bytes)) {
                self.say_to_all(&Talk::Fresh(record.bytes().to_vec()), None);
                self.hold(record, now);
            }
        }
    }

    /// Votes all that this seat owes, and puts into the log what is settled by that.
    pub(super) fn vote(&mut self, now: u64) {
        if !self.may_sign() {
            return;
        }
        self.contest_faulty(now);
        let places: Vec<(Hash, Seat)> = self.disputes.keys().copied().collect();
        for place in places {
            while let Some(paper) =
                self.disputes.get(&place).and_then(|dispute| dispute.duty(self.seat, now))
            {
                let bytes = paper.sign(&self.identity);
                let Some(vote) = self.table.open_vote(&bytes) else { break };
                self.own_votes.insert(hash("own vote", &[&bytes]));
                self.outputs.push_back(Output::Journal(bytes));
                if !self.hear(place.0, place.1, vote, None, now) {
                    debug_assert!(false, "an own vote is refused: {paper:?}");
                    break;
                }
            }
            let settled = self.disputes.get_mut(&place).and_then(Dispute::settle);
            if let Some((settled, entry)) = settled {
                self.say_to_all(&Talk::Settled(settled), None);
                self.put_settled(place.0, place.1, entry, now);
            }
        }
    }

    /// An entry is settled: only it stands at its place.
    fn put_settled(&mut self, base: Hash, owner: Seat, entry: Signed, now: u64) {
        if base == *self.table.base() {
            let same = self.held.get(&owner).is_some_and(|held| held.bytes() == entry.bytes());
            if !same {
                self.hold(entry, now);
            }
            return;
        }
        if self.logged_of(&base, owner).is_none_or(|logged| logged == entry.bytes()) {
            return;
        }
        let others: Vec<Vec<u8>> = self.logged_at(&base).map(<[u8]>::to_vec).collect();
        self.cut(&base, now);
        for other in others {
            if let Ok(record) = self.table.admit(&other)
                && record.seat() != Some(owner)
            {
                self.hold(record, now);
            }
        }
        self.hold(entry, now);
    }

    /// A vote of this seat came from others, who have it from a copy of this seat or from before
    /// a restart: while this seat may sign, another copy runs.
    pub(super) fn adopt_vote(&mut self, vote: SignedVote, now: u64) {
        let id = hash("own vote", &[vote.bytes()]);
        if self.own_votes.contains(&id) {
            return;
        }
        if self.may_sign() {
            return self.halt();
        }
        self.own_votes.insert(id);
        self.outputs.push_back(Output::Journal(vote.bytes().to_vec()));
        self.unplaced.push(vote);
        self.place_own_votes(now);
    }

    /// Puts own votes of before a restart back where the log has come to their places, with what
    /// this seat wanted and had when it claimed. In their tries nothing is voted any more: it may
    /// not know all that it did there.
    pub(super) fn place_own_votes(&mut self, now: u64) {
        for vote in std::mem::take(&mut self.unplaced) {
            let (base, at) = (vote.paper().base, vote.paper().at());
            if self.undone.contains(&base) {
                continue;
            }
            if base != *self.table.base() && !self.places.contains_key(&base) {
                self.unplaced.push(vote);
                continue;
            }
            let owner = Seat::new(vote.paper().owner);
            if let Some((owner, at)) = owner.zip(at)
                && let Some(dispute) = self.dispute(base, owner)
            {
                let bytes = vote.bytes().to_vec();
                dispute.want_again(&vote, now);
                dispute.hear(vote, now);
                dispute.contest.bar(at);
                self.take_told(base, owner, &bytes, now);
            }
        }
    }

    /// The vote of `voter` in its highest try at an undecided place.
    pub(super) fn newest_vote_of(&self, voter: u8) -> Option<Vec<u8>> {
        let undecided = self.disputes.values().filter(|dispute| dispute.settled.is_none());
        let votes = undecided.flat_map(Dispute::votes);
        let own = votes.filter(|vote| vote.paper().voter == voter && vote.paper().sort() != 1);
        own.max_by_key(|vote| vote.paper().at()).map(|vote| vote.bytes().to_vec())
    }

    /// Tells a neighbour all votes and what is settled.
    pub(super) fn send_votes(&mut self, link: Link) {
        for dispute in self.disputes.values() {
            match &dispute.settled {
                Some(settled) => {
                    let talk = Talk::Settled(settled.clone());
                    self.outputs.push_back(Output::Send(link, talk));
                }
                None => {
                    for vote in dispute.votes() {
                        let talk = Talk::Vote(vote.bytes().to_vec());
                        self.outputs.push_back(Output::Send(link, talk));
                    }
                }
            }
        }
    }

    /// What two seats that know the same votes have in common.
    pub(super) fn votes_digest(&self) -> Hash {
        let open = self.disputes.values();
        let known = open.filter(|dispute| dispute.contest.is_open() || dispute.settled.is_some());
        let all: Vec<Hash> = known.map(Dispute::digest).collect();
        let parts: Vec<&[u8]> = all.iter().map(|digest| &digest[..]).collect();
        hash("contests", &parts)
    }

    /// When the next vote may be due.
    pub(super) fn vote_at(&self, now: u64) -> Option<u64> {
        let undecided = self.disputes.values().filter(|dispute| dispute.settled.is_none());
        undecided.filter_map(|dispute| dispute.contest.wakes_at(now)).min()
    }

    pub(super) fn say_to_all(&mut self, talk: &Talk, from: Option<Link>) {
        for link in self.links.keys().filter(|link| Some(**link) != from) {
            self.outputs.push_back(Output::Send(*link, talk.clone()));
        }
    }
}
