//! When a verdict is right at the open place, and what proves a fault.

use super::{Phase, Refusal, Table};
use crate::{
    game::Seat,
    protocol::{
        crypto::{
            hash::Hash,
            identity::{PublicKey, SIGNATURE_BYTES},
        },
        log::record::{Body, Record, Signed, Unchecked},
        message::{Note, NoteBody},
        vote::{Motion, SignedVote, Verdict, Why, unchecked},
    },
};

/// What two signatures of one seat that exclude each other prove.
pub const TWO_RECORDS: &str = "signed two different records for one place";
/// Two attempts of one number, or one and the word never to sign it.
pub const TWO_VOTES: &str = "signed two votes that exclude each other";
/// One key of a deal, two decks.
pub const TWO_DECKS: &str = "signed that it is ready for two decks of one deal";

impl Table {
    /// Whether a verdict may stand at an open place.
    pub fn is_contestable(&self) -> bool {
        !matches!(self.phase, Phase::Sit | Phase::Complete)
    }

    /// The vote in these bytes, if the keeper of a program of this table has signed it.
    pub fn open_vote(&self, bytes: &[u8]) -> Option<SignedVote> {
        let vote = SignedVote::open(bytes, |seat| self.key_of(seat))?;
        let program = Seat::new(vote.paper().program)?;
        (self.program(program) == program).then_some(vote)
    }

    /// Checks a motion at the open base: which programs it names, why, and whether those that it
    /// asks are enough: with those that left or are at fault, more than half of the live programs.
    ///
    /// # Errors
    /// What is wrong with it.
    pub fn check_motion(&self, motion: &Motion) -> Result<(), &'static str> {
        let (live, without) = (self.live_programs(), motion.programs());
        let sorted = motion.without.is_sorted_by(|one, next| one.program < next.program);
        let named = !without.is_empty() && without.minus(live).is_empty();
        if motion.number == 0 || !sorted || !named || !self.is_contestable() {
            return Err("its motion cannot be put here");
        }
        for of in &motion.without {
            let program = Seat::new(of.program).ok_or("its motion names no program")?;
            let proven = match &of.why {
                Why::Silent => true,
                Why::Left(note) => self.has_left(program, note),
                Why::Fault(proof) => {
                    let signed: Vec<&[u8]> = proof.iter().map(Vec::as_slice).collect();
                    self.fault_in(&signed).is_some_and(|(seat, _)| self.program(seat) == program)
                }
            };
            if !proven {
                return Err("it does not prove why it goes on without somebody");
            }
        }
        if self.is_enough(motion) { Ok(()) } else { Err("too few are asked") }
    }

    /// Whether those that a motion asks, with those that left or are proven at fault, are more
    /// than half of the live programs.
    pub fn is_enough(&self, motion: &Motion) -> bool {
        let live = self.live_programs();
        let asked = live.minus(motion.programs()).count();
        let given = motion.without.iter().filter(|of| of.why != Why::Silent).count();
        asked > 0 && 2 * (usize::from(asked) + given) > usize::from(live.count())
    }

    /// The entry that stands at the place of `seat` by these votes.
    pub fn verdict(&self, seat: Seat, verdict: Verdict) -> Vec<u8> {
        let body = Body::Verdict(verdict);
        let record = Record { base: self.base, state: self.state, seat: seat.index() as u8, body };
        record.unsigned()
    }

    /// Admits a verdict at an open place.
    pub(super) fn admit_verdict(&self, owner: Seat, entry: Unchecked) -> Result<Signed, Refusal> {
        let refused = |reason: &str| Refusal::NoVerdict(owner, reason.into());
        let signed = entry.into_verdict().ok_or_else(|| refused("it has no verdict's form"))?;
        if signed.record().base != self.base {
            return Err(Refusal::Elsewhere(Box::new(signed)));
        }
        if !self.expected().contains(&owner) || signed.record().state != self.state {
            return Err(refused("none may stand here"));
        }
        let Body::Verdict(verdict) = &signed.record().body else {
            return Err(refused("it is no verdict"));
        };
        self.check_verdict(owner, verdict).map_err(refused)?;
        Ok(signed)
    }

    fn check_verdict(&self, owner: Seat, verdict: &Verdict) -> Result<(), &'static str> {
        let Verdict { motion, votes } = verdict;
        if !motion.programs().contains(self.program(owner)) {
            return Err("its motion goes on with that seat");
        }
        let asked = self.live_programs().minus(motion.programs());
        let named: Option<Vec<Seat>> = votes.iter().map(|(by, _)| Seat::new(*by)).collect();
        if named != Some(asked.iter().collect()) {
            return Err("it lacks the signature of somebody who was asked");
        }
        if !verdict.signed(&self.base).iter().all(|vote| self.open_vote(vote).is_some()) {
            return Err("a signature in it is false");
        }
        self.check_motion(motion)
    }

    /// The seat that these signed bytes prove at fault, and what it did: a record that is wrong at
    /// the open base, or two that exclude each other, the lower bytes first.
    pub fn fault_in(&self, signed: &[&[u8]]) -> Option<(Seat, String)> {
        match signed {
            [one] => match self.admit(one) {
                Err(Refusal::Wrong { record, reason }) => Some((record.seat()?, reason)),
                _ => None,
            },
            [one, other] if one < other => {
                let by = |(seat, what): (Seat, &str)| (seat, what.to_owned());
                self.two_votes(one, other).or_else(|| self.two_records(one, other)).map(by)
            }
            _ => None,
        }
    }

    fn two_votes(&self, one: &[u8], other: &[u8]) -> Option<(Seat, &'static str)> {
        let exclude = unchecked(one)?.excludes(&unchecked(other)?);
        let one = self.open_vote(one).filter(|_| exclude)?;
        self.open_vote(other)?;
        Some((Seat::new(one.paper().program)?, TWO_VOTES))
    }

    fn two_records(&self, one: &[u8], other: &[u8]) -> Option<(Seat, &'static str)> {
        let signed = |bytes: &[u8]| {
            let unchecked = Unchecked::decode(bytes).ok().filter(|record| !record.is_verdict())?;
            let key = self.key_of(unchecked.record().seat)?;
            unchecked.signed_by(&key)
        };
        let (one, other) = (signed(one)?, signed(other)?);
        let (one, other) = (one.record(), other.record());
        let seat = Seat::new(one.seat).filter(|_| one.seat == other.seat)?;
        match (&one.body, &other.body) {
            _ if one.base == other.base => Some((seat, TWO_RECORDS)),
            (Body::Ready(one), Body::Ready(other)) => {
                (one.deal == other.deal && one.deck != other.deck).then_some((seat, TWO_DECKS))
            }
            _ => None,
        }
    }

    /// What a note of a seat of this game says.
    pub(super) fn note_of(&self, seat: Seat, bytes: &[u8]) -> Option<NoteBody> {
        let note = Note::open(bytes, |seat| self.key_of(seat))?;
        let right = note.game == self.game_id && usize::from(note.seat) == seat.index();
        right.then_some(note.body)
    }

    /// The key of a seat by its index.
    pub(in crate::protocol) fn key_of(&self, seat: u8) -> Option<PublicKey> {
        self.roster.joins.get(usize::from(seat)).map(|join| join.key)
    }

    /// What names that these programs' records, or their absence, stand at the open base: what a
    /// program says that it holds.
    pub fn name_of_outcome(&self, entries: &[&[u8]]) -> Hash {
        crate::protocol::crypto::hash::hash("outcome", &[&[&self.base[..]], entries].concat())
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
