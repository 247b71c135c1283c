//! What this seat has signed, as its journal has it: sent again after a start, never made anew.

use std::collections::{BTreeMap, BTreeSet};

use crate::protocol::{
    crypto::hash::Hash,
    log::record::{Body, Ready, Record, Unchecked},
    vote::SignedVote,
};

/// What this seat has signed.
#[derive(Default)]
pub(super) struct Journal {
    /// Own records by base.
    records: BTreeMap<Hash, Vec<u8>>,
    /// Bases of own records of before this start.
    unreached: BTreeSet<Hash>,
    /// Bases of undone tails.
    undone: BTreeSet<Hash>,
    /// The deck that this seat was ready for, by deal.
    decks: BTreeMap<Hash, Hash>,
    /// Own votes whose base the log has not come to.
    pub(super) unplaced: Vec<SignedVote>,
    /// Records of others that this seat has said to hold.
    pub(super) kept: Vec<Vec<u8>>,
    /// The starts of this seat's program.
    pub(super) boots: BTreeSet<u64>,
}

impl Journal {
    /// The own record at a base.
    pub(super) fn at(&self, base: &Hash) -> Option<&[u8]> {
        self.records.get(base).map(Vec::as_slice)
    }

    /// Writes down an own record of this start.
    pub(super) fn keep(&mut self, record: &Record, bytes: &[u8]) {
        self.records.entry(record.base).or_insert_with(|| bytes.to_vec());
        if let Body::Ready(Ready { deal, deck }) = &record.body {
            self.decks.entry(*deal).or_insert(*deck);
        }
    }

    /// Writes down an own record that this start has not signed.
    pub(super) fn keep_past(&mut self, record: &Unchecked) {
        self.keep(record.record(), record.bytes());
        self.unreached.insert(record.record().base);
    }

    /// Whether this seat may be ready for a deck: its key of that deal is good for one.
    pub(super) fn may_use(&self, ready: &Ready) -> bool {
        self.decks.get(&ready.deal).is_none_or(|deck| *deck == ready.deck)
    }

    /// Whether this seat has said that it is ready for this very deck.
    pub(super) fn is_ready(&self, deal: &Hash, deck: &Hash) -> bool {
        self.decks.get(deal) == Some(deck)
    }

    /// The log does not go to these bases any more.
    pub(super) fn undo(&mut self, bases: impl IntoIterator<Item = Hash>) {
        self.undone.extend(bases);
    }

    /// Whether the log does not go to a base any more.
    pub(super) fn is_undone(&self, base: &Hash) -> bool {
        self.undone.contains(base)
    }

    /// Whether the log knows every place this seat has signed at. One that does not is an older
    /// copy: signing on it could give one key two decks.
    pub(super) fn is_reached(&self, has: impl Fn(&Hash) -> bool) -> bool {
        let reached = |base: &Hash| has(base) || self.undone.contains(base);
        self.unplaced.is_empty() && self.unreached.iter().all(reached)
    }

    /// Forgets to look for the bases the log has come to: it stays so.
    pub(super) fn note_reached(&mut self, has: impl Fn(&Hash) -> bool) {
        let undone = &self.undone;
        self.unreached.retain(|base| !has(base) && !undone.contains(base));
    }
}
