//! What must hold at every moment of a run, held against all that seats write, send and tell.

use std::collections::{BTreeMap, BTreeSet};

use crate::protocol::{
    crypto::hash::Hash,
    log::record::Unchecked,
    message::Talk,
    session::{News, Output, Session},
    table::Table,
    vote::SignedVote,
};

/// A place: base and seat.
type Place = (Hash, u8);

/// What has been seen of a run.
#[derive(Debug, Default)]
pub(super) struct Watch {
    /// What each seat has on its disk for each place.
    signed: BTreeMap<Place, Vec<u8>>,
    /// The votes that each seat has on its disk.
    votes: BTreeMap<u8, Vec<SignedVote>>,
    /// By seat: how many records of its log are final.
    last: BTreeMap<usize, u32>,
    /// What is final, by its number in the log, and the most records above it that were undone.
    finals: Vec<Vec<u8>>,
    deepest: u32,
    /// The digest of the state at each head.
    states: BTreeMap<Hash, Hash>,
    /// What of a seat that signs twice has come to each other seat, by place.
    heard: BTreeMap<(usize, Hash), BTreeSet<Vec<u8>>>,
    /// Seats that sign two records for one place.
    liars: Vec<usize>,
}

impl Watch {
    pub(super) fn new(liars: Vec<usize>) -> Watch {
        Watch { liars, ..Watch::default() }
    }

    /// A record came to a seat that may know its place.
    pub(super) fn hear(&mut self, seat: usize, session: &Session, bytes: &[u8]) {
        let Ok(record) = Unchecked::decode(bytes) else { return };
        let (base, by) = (record.record().base, usize::from(record.record().seat));
        let known = || session.log().iter().any(|logged| logged.starts_with(&base));
        let here = base == *session.table().base() || known();
        if self.liars.contains(&by) && seat != by && !record.is_verdict() && here {
            self.heard.entry((seat, base)).or_default().insert(bytes.to_vec());
        }
    }

    /// A seat crashed: what it was told it may have forgotten.
    pub(super) fn forget(&mut self, seat: usize) {
        self.heard.retain(|(of, _), _| *of != seat);
    }

    /// The seats that have been told two records for one place.
    pub(super) fn told_both(&self) -> Vec<usize> {
        let both = self.heard.iter().filter(|(_, records)| records.len() > 1);
        let seats: BTreeSet<usize> = both.map(|((seat, _), _)| *seat).collect();
        seats.into_iter().collect()
    }

    /// What is wrong with an output that `seat` has carried out.
    pub(super) fn output(&mut self, seat: usize, table: &Table, output: &Output) -> Option<String> {
        match output {
            Output::Journal(bytes) => self.journal(seat, table, bytes),
            Output::Send(_, Talk::Fresh(bytes)) => {
                let place = place_of(bytes).filter(|(_, by)| usize::from(*by) == seat)?;
                let kept = self.signed.get(&place) == Some(bytes) || self.liars.contains(&seat);
                (!kept).then(|| "sent a record that its journal does not hold".into())
            }
            Output::Send(_, Talk::Vote(bytes)) => {
                let vote = table.open_vote(bytes)?;
                let paper = vote.paper();
                let own = usize::from(paper.program) == seat && paper.says.binds();
                let kept = self.votes.get(&paper.program).is_some_and(|all| all.contains(&vote));
                (own && !kept && !self.liars.contains(&seat))
                    .then(|| "sent a vote that its journal does not hold".into())
            }
            Output::Append(_) | Output::Cut { .. } => {
                if let Output::Cut { kept, tail } = output {
                    self.deepest = self.deepest.max(tail.len() as u32);
                    let before = self.last.get(&seat).copied().unwrap_or(0);
                    if *kept < before {
                        return Some(format!("undid {} final records", before - kept));
                    }
                }
                let state = self.states.entry(*table.head()).or_insert(*table.state());
                (state != table.state()).then(|| "one head, two states of the game".into())
            }
            Output::Tell(News::Fault { seat: accused, reason, .. }) => {
                let honest = !self.liars.contains(&accused.index());
                honest.then(|| format!("accuses the honest seat {accused}: {reason}"))
            }
            Output::Tell(News::RunningTwice) if !self.liars.contains(&seat) => {
                Some("stopped signing, as if it ran twice".into())
            }
            Output::Tell(News::BadNeighbour(_)) if self.liars.is_empty() => {
                Some("was sent what is no record of the table".into())
            }
            Output::Send(..) | Output::Tell(_) => None,
        }
    }

    /// Whether a journal lacks anything that was written into it.
    pub(super) fn misses(&self, seat: usize, journal: &[Vec<u8>]) -> bool {
        let records = self.signed.iter().filter(|((_, by), _)| usize::from(*by) == seat);
        let votes = self.votes.get(&(seat as u8)).into_iter().flatten();
        let all = records.map(|(_, bytes)| bytes.as_slice()).chain(votes.map(SignedVote::bytes));
        all.into_iter().any(|bytes| !journal.iter().any(|kept| kept == bytes))
    }

    /// A seat has carried out all its outputs, and its log is final to `last` records: what is
    /// final at two seats is one thing, and stays.
    pub(super) fn rest(&mut self, seat: usize, log: &[Vec<u8>], last: u32) -> Option<String> {
        self.last.insert(seat, last);
        if self.liars.contains(&seat) {
            return None;
        }
        let last = last as usize;
        let common = last.min(self.finals.len());
        if log.get(..common) != self.finals.get(..common) {
            return Some("has another record final than another seat has".into());
        }
        self.finals.extend(log.get(common..last).unwrap_or_default().iter().cloned());
        None
    }

    /// The most records that were undone at once.
    pub(super) fn deepest(&self) -> u32 {
        self.deepest
    }

    fn journal(&mut self, seat: usize, table: &Table, bytes: &[u8]) -> Option<String> {
        let honest = !self.liars.contains(&seat);
        if let Some(vote) = table.open_vote(bytes) {
            let all = self.votes.entry(vote.paper().program).or_default();
            let against = all.iter().any(|other| other.paper().excludes(vote.paper()));
            if !all.contains(&vote) {
                all.push(vote);
            }
            return (against && honest).then(|| "voted both ways".into());
        }
        let place = place_of(bytes).filter(|(_, by)| usize::from(*by) == seat)?;
        let known = self.signed.entry(place).or_insert_with(|| bytes.to_vec());
        (known != bytes && honest).then(|| "signed two different things for one place".into())
    }
}

/// Where a record stands; none of a note or a vote, and of a verdict, which nobody signs.
fn place_of(bytes: &[u8]) -> Option<Place> {
    let record = Unchecked::decode(bytes).ok().filter(|record| !record.is_verdict())?;
    Some((record.record().base, record.record().seat))
}
