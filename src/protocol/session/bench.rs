//! One base as this seat knows it: the court, and the bytes of what was said there.

use std::collections::BTreeMap;

use super::quota::Quota;
use crate::{
    game::{Seat, Seats},
    protocol::{
        court::{Attempt, Court, Heard, Held, What},
        crypto::hash::{Hash, hash},
        log::record::{Body, Signed, Unchecked},
        table::Table,
        vote::{Motion, Says, SignedVote, Verdict},
    },
};

/// Of one program: what sort of thing it said, and in which attempt.
type Key = (u8, u8, u64, Hash);

/// One base.
pub(super) struct Bench {
    pub(super) court: Court<Hash>,
    votes: BTreeMap<Key, SignedVote>,
    motions: BTreeMap<Hash, Motion>,
    /// Records of the open phase that are not taken, two of a seat if they differ.
    pub(super) late: Vec<Signed>,
    /// HAVEs said in this stretch of time.
    pub(super) haves: Quota,
    /// When the last own motion was put.
    pub(super) put_at: Option<u64>,
}

/// What became of a vote.
pub(super) enum Said {
    /// It was known, or does not count.
    Nothing,
    /// It is new.
    New,
    /// It is new, and its program has signed this, which excludes it.
    Against(Vec<u8>),
}

/// What names all that a program owes at a base.
pub(super) fn thing(records: &[&[u8]]) -> Hash {
    hash("thing", records)
}

fn key(vote: &SignedVote) -> Key {
    let program = vote.paper().program;
    match &vote.paper().says {
        Says::Sign(motion) => (program, 0, motion.number, motion.attempt().name),
        Says::Have { number: 0, owner, .. } => (program, 3, 0, [*owner; 32]),
        Says::Have { number, .. } => (program, 1, *number, [0; 32]),
        Says::Holds(_) => (program, 2, 0, [0; 32]),
    }
}

impl Bench {
    /// A base with nothing said about it, at the table that was open there.
    pub(super) fn new(me: Seat, table: &Table) -> Bench {
        Bench {
            court: Court::new(me, table.live_programs(), table.owners()),
            votes: BTreeMap::new(),
            motions: BTreeMap::new(),
            late: Vec::new(),
            haves: Quota::default(),
            put_at: None,
        }
    }

    /// Puts in what the log has here: this program has gone on above it.
    pub(super) fn lock(&mut self, table: &Table, entries: &[Vec<u8>]) {
        for program in table.owners().iter() {
            let mine = entries.iter().filter_map(|bytes| Unchecked::decode(bytes).ok());
            let mine: Vec<Unchecked> = mine
                .filter(|entry| entry.seat().is_some_and(|it| table.program(it) == program))
                .collect();
            match mine.first().map(|entry| &entry.record().body) {
                Some(Body::Verdict(verdict)) => {
                    for vote in verdict.signed(table.base()) {
                        table
                            .open_vote(&vote)
                            .into_iter()
                            .for_each(|vote| drop(self.hear(table, vote)));
                    }
                    let Attempt { number, name, .. } = verdict.motion.attempt();
                    self.court.put(program, Held { what: What::Out(name), level: number });
                }
                _ if self.court.held(program).is_some() => {}
                _ => {
                    let records: Vec<&[u8]> = mine.iter().map(Unchecked::bytes).collect();
                    self.court.put(program, Held { what: What::Record(thing(&records)), level: 0 });
                }
            }
        }
        self.court.lock();
    }

    /// Takes a vote of a live program; what it says must be right at this base.
    pub(super) fn hear(&mut self, table: &Table, vote: SignedVote) -> Said {
        let Some(program) = Seat::new(vote.paper().program) else { return Said::Nothing };
        if !table.live_programs().contains(program) {
            return Said::Nothing;
        }
        let heard = match &vote.paper().says {
            Says::Sign(motion) => {
                if table.check_motion(motion).is_err() || motion.programs().contains(program) {
                    return Said::Nothing;
                }
                let attempt = motion.attempt();
                let heard = self.court.hear_sign(program, attempt);
                self.motions.entry(attempt.name).or_insert_with(|| motion.clone());
                heard
            }
            Says::Have { number, owner, thing } => {
                let owner = Seat::new(*owner).filter(|owner| table.owners().contains(*owner));
                let Some(owner) = owner else { return Said::Nothing };
                self.court.hear_have(program, *number, owner, *thing)
            }
            Says::Holds(outcome) => self.court.hear_told(program, *outcome),
        };
        if heard == Heard::Known {
            return Said::Nothing;
        }
        let against = self.votes.values().find(|other| other.paper().excludes(vote.paper()));
        let against = against.map(|other| other.bytes().to_vec());
        self.votes.insert(key(&vote), vote);
        self.forget();
        against.map_or(Said::New, Said::Against)
    }

    /// Keeps the votes that the court remembers.
    fn forget(&mut self) {
        let court = &self.court;
        self.votes.retain(|(program, sort, number, name), _| {
            let Some(program) = Seat::new(*program) else { return false };
            match sort {
                0 => court.signed(program).any(|it| it.number == *number && it.name == *name),
                1 => court.has_said_have(program, *number),
                _ => true,
            }
        });
        let votes = &self.votes;
        self.motions.retain(|name, _| votes.keys().any(|key| key.3 == *name));
    }

    /// The verdict that the votes for an attempt make.
    pub(super) fn verdict(&self, attempt: &Attempt<Hash>) -> Option<Verdict> {
        let motion = self.motions.get(&attempt.name)?.clone();
        let of = |((program, sort, _, name), vote): (&Key, &SignedVote)| {
            (*sort == 0 && *name == attempt.name).then(|| (*program, vote.signature()))
        };
        Some(Verdict { motion, votes: self.votes.iter().filter_map(of).collect() })
    }

    /// The motions without these programs that others have signed.
    pub(super) fn motions(&self, without: Seats) -> impl Iterator<Item = &Motion> {
        self.motions.values().filter(move |motion| motion.programs() == without)
    }

    /// Whether these very bytes are known.
    pub(super) fn knows(&self, bytes: &[u8]) -> bool {
        self.votes.values().any(|vote| vote.bytes() == bytes)
    }

    /// All votes that are remembered.
    pub(super) fn votes(&self) -> impl Iterator<Item = &SignedVote> {
        self.votes.values()
    }

    /// Keeps a record that is not taken now.
    pub(super) fn keep_late(&mut self, record: Signed) {
        let same = self.late.iter().filter(|late| late.seat() == record.seat());
        let (known, count) = (self.late.contains(&record), same.count());
        if !known && count < 2 {
            self.late.push(record);
        }
    }
}
