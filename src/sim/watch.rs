//! What must hold at every moment of a run, held against all that seats write, send and tell.

use std::collections::{BTreeMap, BTreeSet};

use crate::protocol::{
    crypto::hash::Hash,
    log::record::Unchecked,
    message::Talk,
    session::{News, Output, Session},
    table::Table,
};

/// A place, or a vote of a try at one: base, seat, and for votes owner, number, opener and sort.
type Place = (Hash, u8, Option<(u8, u64, u8, u8)>);

/// What has been seen of a run.
#[derive(Debug, Default)]
pub(super) struct Watch {
    /// What each seat has on its disk for each place.
    signed: BTreeMap<Place, Vec<u8>>,
    /// What was settled at a place.
    settled: BTreeMap<(Hash, u8), Hash>,
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
            Output::Send(_, Talk::Fresh(bytes) | Talk::Vote(bytes)) => {
                let place = place_of(table, bytes).filter(|(_, by, _)| usize::from(*by) == seat)?;
                let kept = self.signed.get(&place) == Some(bytes) || self.liars.contains(&seat);
                (!kept).then(|| "sent what its journal does not hold".into())
            }
            Output::Send(_, Talk::Settled(settled)) => {
                let place = (settled.base, settled.owner);
                let thing = self.settled.entry(place).or_insert(settled.seals.thing);
                let same = *thing == settled.seals.thing;
                (!same).then(|| "two things were settled at one place".into())
            }
            Output::Append(_) | Output::Cut { .. } => {
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
        let of_seat = self.signed.iter().filter(|((_, by, _), _)| usize::from(*by) == seat);
        let lost = |bytes: &Vec<u8>| !journal.contains(bytes);
        of_seat.map(|(_, bytes)| bytes).any(lost)
    }

    fn journal(&mut self, seat: usize, table: &Table, bytes: &[u8]) -> Option<String> {
        let place = place_of(table, bytes)?;
        let known = self.signed.entry(place).or_insert_with(|| bytes.to_vec());
        let once = known == bytes || self.liars.contains(&seat);
        (!once).then(|| "signed two different things for one place".into())
    }
}

/// Where a record or a vote stands; none of a note, and of a verdict, which nobody signs.
fn place_of(table: &Table, bytes: &[u8]) -> Option<Place> {
    if let Ok(record) = Unchecked::decode(bytes) {
        let place = (record.record().base, record.record().seat, None);
        return (!record.is_verdict()).then_some(place);
    }
    let vote = table.open_vote(bytes)?;
    let paper = vote.paper();
    let of = (paper.owner, paper.number, paper.opener, paper.sort());
    Some((paper.base, paper.voter, Some(of)))
}
