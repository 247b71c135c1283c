//! Those who watch a table from outside. They get its log when the table has nothing else to do,
//! and a fixed number of bytes a second; nothing waits for them, and no record of theirs is taken.

use std::collections::BTreeMap;

use super::door::Entry;
use crate::protocol::{
    crypto::identity::PublicKey,
    limits::{BATCH_BYTES_MAX, WATCH_ANSWER_COST, WATCH_BYTES_MAX, WATCH_WORDS_MAX, WATCHERS_MAX},
    message::Talk,
    session::quota::Quota,
};

/// Those who watch here.
#[derive(Default)]
pub(super) struct Watchers {
    /// Whether this table may be watched.
    open: bool,
    all: BTreeMap<PublicKey, Watcher>,
}

#[derive(Default)]
struct Watcher {
    /// The record it waits for, from 0.
    wants: Option<u32>,
    sent: Quota,
    heard: Quota,
}

impl Watchers {
    /// Lets those watch who get in at the door.
    pub(super) fn let_in(&mut self) {
        self.open = true;
    }

    /// Takes one more, who gets in at the door like this, or says why not.
    pub(super) fn admit(
        &mut self,
        key: PublicKey,
        entry: Option<Entry>,
    ) -> Result<(), &'static str> {
        if !self.open {
            return Err("this table is not to be watched");
        }
        if entry.is_none() {
            return Err("this table is watched with its invite: ask the host for the line");
        }
        if self.all.len() >= WATCHERS_MAX && !self.all.contains_key(&key) {
            return Err("this table already has 8 spectators");
        }
        // Coming back does not renew the allowance.
        self.all.entry(key).or_default().wants = None;
        Ok(())
    }

    /// How many there are.
    pub(super) fn count(&self) -> u8 {
        self.all.len() as u8
    }

    /// Who they are.
    pub(super) fn keys(&self) -> impl Iterator<Item = &PublicKey> {
        self.all.keys()
    }

    /// One is gone.
    pub(super) fn gone(&mut self, key: &PublicKey) {
        self.all.remove(key);
    }

    /// A watcher asks for the log from this record on; false if it asks too often. `second` tells
    /// one second from the next.
    pub(super) fn asks(&mut self, key: &PublicKey, from: u32, second: u64) -> bool {
        let Some(watcher) = self.all.get_mut(key) else { return true };
        watcher.wants = Some(from);
        watcher.heard.take(second, 1, WATCH_WORDS_MAX)
    }

    /// Answers for watchers whose records now exist, and for those who asked beyond the log's end
    /// before its tail was undone.
    pub(super) fn answers(&mut self, log: &[Vec<u8>], second: u64) -> Vec<(PublicKey, Talk)> {
        let length = log.len() as u32;
        let mut answers = Vec::new();
        for (key, watcher) in &mut self.all {
            let Some(wanted) = watcher.wants.filter(|wanted| *wanted != length) else { continue };
            if !watcher.sent.take(second, WATCH_ANSWER_COST, WATCH_BYTES_MAX) {
                continue;
            }
            let from = wanted.min(length);
            let mut bytes = 0;
            let rest = log.iter().skip(from as usize).take_while(|record| {
                bytes += record.len() + 8;
                bytes <= BATCH_BYTES_MAX
            });
            let records: Vec<Vec<u8>> = rest.cloned().collect();
            watcher.sent.take(second, bytes, WATCH_BYTES_MAX);
            watcher.wants = None;
            answers.push((*key, Talk::Records { from, length, records }));
        }
        answers
    }

    /// Whether all have said that they have this many records.
    pub(super) fn have(&self, length: usize) -> bool {
        self.all.values().all(|watcher| watcher.wants == Some(length as u32))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::protocol::crypto::identity::Identity;

    const INVITED: Option<Entry> = Some(Entry::Invited);

    fn key(number: u8) -> PublicKey {
        Identity::from_secret(&[number; 32]).public()
    }

    fn watched() -> Watchers {
        let mut watchers = Watchers::default();
        watchers.let_in();
        watchers
    }

    fn sent(answers: &[(PublicKey, Talk)]) -> Vec<(u32, usize)> {
        let one = |(_, talk): &(PublicKey, Talk)| match talk {
            Talk::Records { from, records, .. } => (*from, records.len()),
            other => panic!("{other:?}"),
        };
        answers.iter().map(one).collect()
    }

    #[test]
    fn only_the_invite_lets_in_and_only_so_many() {
        let mut shut = Watchers::default();
        assert!(shut.admit(key(1), INVITED).is_err());
        let mut watchers = watched();
        assert!(watchers.admit(key(1), None).is_err());
        for number in 0..WATCHERS_MAX as u8 {
            assert_eq!(watchers.admit(key(number), INVITED), Ok(()));
        }
        assert!(watchers.admit(key(99), INVITED).is_err());
        assert_eq!(watchers.admit(key(1), INVITED), Ok(()), "who comes again keeps the place");
        watchers.gone(&key(1));
        assert_eq!(watchers.admit(key(99), Some(Entry::Near)), Ok(()));
    }

    #[test]
    fn a_question_stands_until_there_is_an_answer() {
        let mut watchers = watched();
        watchers.admit(key(1), INVITED).expect("let in");
        let mut log = vec![vec![0; 100]; 3];
        assert!(watchers.answers(&log, 0).is_empty(), "nothing was asked");
        assert!(watchers.asks(&key(1), 3, 0) && watchers.have(3));
        assert!(watchers.answers(&log, 0).is_empty());
        log.push(vec![0; 100]);
        assert_eq!(sent(&watchers.answers(&log, 0)), [(3, 1)]);
        assert!(watchers.answers(&log, 0).is_empty(), "once a question");
        assert!(watchers.asks(&key(1), 9, 0));
        assert_eq!(sent(&watchers.answers(&log, 0)), [(4, 0)], "the log was cut");
    }

    #[test]
    fn the_bytes_of_a_second_are_bounded_and_so_are_the_words() {
        let mut watchers = watched();
        watchers.admit(key(1), INVITED).expect("let in");
        let log = vec![vec![0; 4000]; 1000];
        let mut bytes = 0;
        let mut words = 0;
        while watchers.asks(&key(1), 0, 5) {
            bytes += sent(&watchers.answers(&log, 5)).iter().map(|(_, n)| n * 4000).sum::<usize>();
            words += 1;
        }
        assert!(bytes <= WATCH_BYTES_MAX + BATCH_BYTES_MAX, "{bytes}");
        assert_eq!(words, WATCH_WORDS_MAX);
        assert!(watchers.asks(&key(1), 0, 6) && !watchers.answers(&log, 6).is_empty());
    }
}
