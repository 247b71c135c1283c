//! Where the players of a table can be reached, each by its own newest word. Nobody else's word
//! counts, so no player can keep two others from meeting again.

use std::collections::BTreeMap;

use crate::{
    net::{Address, RELAYS},
    protocol::{
        crypto::{
            hash::Hash,
            identity::{Identity, PublicKey},
        },
        lobby::Roster,
        whereabouts::Whereabouts,
    },
};

/// What the text of a relay's address begins with.
const RELAY: &str = "relay ";

/// What players say of where they are.
#[derive(Default)]
pub(super) struct Ways {
    /// The newest word of each, as signed, with its number.
    said: BTreeMap<PublicKey, (u64, Vec<u8>)>,
    /// Our own last one.
    own: Option<Whereabouts>,
    /// The highest number that is known of us: others have heard it before this program began.
    number: u64,
}

/// What is new of one player.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Moved {
    pub(super) key: PublicKey,
    /// Where it can be dialled.
    pub(super) addresses: Vec<Address>,
    /// Through which relays.
    pub(super) relays: Vec<Address>,
}

impl Ways {
    /// Takes a word of a player's; what comes of it if it is the newest.
    pub(super) fn take(&mut self, table: &Hash, key: PublicKey, bytes: &[u8]) -> Option<Moved> {
        let word = Whereabouts::open(bytes, table, &key)?;
        if self.said.get(&key).is_some_and(|(number, _)| *number >= word.number) {
            return None;
        }
        self.said.insert(key, (word.number, bytes.to_vec()));
        let parsed = |text: &str| text.parse().ok();
        let relays = word.ways.iter().filter_map(|way| parsed(way.strip_prefix(RELAY)?));
        let relays = relays.take(RELAYS).collect();
        let addresses = word.ways.iter().filter_map(|way| parsed(way)).collect();
        Some(Moved { key, addresses, relays })
    }

    /// Takes what a peer tells of the players of a table; what is new of others.
    pub(super) fn learn(
        &mut self,
        roster: &Roster,
        own: &PublicKey,
        told: Vec<(PublicKey, Vec<u8>)>,
    ) -> Vec<Moved> {
        let mut moved = Vec::new();
        for (key, bytes) in told {
            if key == *own {
                let known = Whereabouts::open(&bytes, &roster.terms.id, own);
                self.number = known.map_or(self.number, |word| word.number.max(self.number));
            } else if roster.seat_of(&key).is_some() {
                moved.extend(self.take(&roster.terms.id, key, &bytes));
            }
        }
        moved
    }

    /// Our own word, signed: numbered anew where the ways are others than before, or where others
    /// hold one of ours that is newer.
    pub(super) fn own(
        &mut self,
        identity: &Identity,
        table: Hash,
        (addresses, relays): (&[Address], &[Address]),
        now_ms: u64,
    ) -> Vec<u8> {
        let mut ways: Vec<String> = addresses.iter().map(Address::to_string).collect();
        ways.extend(relays.iter().map(|relay| format!("{RELAY}{relay}")));
        let same = self
            .own
            .take()
            .filter(|own| own.ways == ways && own.table == table && own.number >= self.number);
        let word = same.unwrap_or_else(|| {
            let number = now_ms.max(self.number.saturating_add(1));
            Whereabouts { table, number, ways }
        });
        self.number = word.number;
        self.own = Some(word.clone());
        word.sign(identity)
    }

    /// The newest words of all others.
    pub(super) fn all(&self) -> impl Iterator<Item = (&PublicKey, &Vec<u8>)> {
        self.said.iter().map(|(key, (_, bytes))| (key, bytes))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::protocol::lobby::{DealKind, Join, LOG_VERSION, Terms};

    const TABLE: Hash = [5; 32];

    fn identity(number: u8) -> Identity {
        Identity::from_secret(&[number; 32])
    }

    fn roster() -> Roster {
        let join = |number| Join {
            key: identity(number).public(),
            name: format!("player {number}").parse().expect("a name"),
            nonce: [number; 32],
            kept_by: None,
        };
        let (deal, version) = (DealKind::Sealed, LOG_VERSION);
        let terms = Terms { id: TABLE, version, deal, clock_s: 0, patience_s: 60 };
        Roster { terms, number: 1, joins: vec![join(1), join(2), join(3)] }
    }

    fn word(by: u8, number: u64, ways: &[&str]) -> Vec<u8> {
        let ways = ways.iter().map(ToString::to_string).collect();
        Whereabouts { table: TABLE, number, ways }.sign(&identity(by))
    }

    fn key(number: u8) -> PublicKey {
        identity(number).public()
    }

    #[test]
    fn a_liar_moves_nobody_but_itself() {
        let mut ways = Ways::default();
        let told = vec![(key(2), word(2, 1, &["10.0.0.2:7268", "relay 203.0.113.9:7268"]))];
        let moved = ways.learn(&roster(), &key(1), told);
        let address = |text: &str| text.parse::<Address>().expect("an address");
        let (addresses, relays) = (vec![address("10.0.0.2")], vec![address("203.0.113.9")]);
        assert_eq!(moved, [Moved { key: key(2), addresses, relays }]);
        let lies = vec![
            (key(2), word(3, 9, &["10.6.6.6:1"])),
            (key(2), word(2, 1, &["10.0.0.3:7268"])),
            (key(4), word(4, 9, &["10.0.0.4:7268"])),
            (key(2), vec![7; 40]),
        ];
        assert_eq!(ways.learn(&roster(), &key(1), lies), []);
        let newer = vec![(key(2), word(2, 2, &["10.0.0.3:7268"]))];
        assert_eq!(ways.learn(&roster(), &key(1), newer).len(), 1);
    }

    #[test]
    fn the_own_word_is_newer_than_any_that_others_hold() {
        let here = ["10.0.0.1:7268".parse().expect("an address")];
        let there = ["10.0.0.9:7268".parse().expect("an address")];
        let number = |bytes: &[u8]| Whereabouts::open(bytes, &TABLE, &key(1)).expect("ours").number;
        let mut ways = Ways::default();
        let first = ways.own(&identity(1), TABLE, (&here, &[]), 1000);
        assert_eq!(number(&first), 1000);
        assert_eq!(ways.own(&identity(1), TABLE, (&here, &[]), 2000), first, "nothing is new");
        assert_eq!(number(&ways.own(&identity(1), TABLE, (&there, &[]), 900)), 1001);
        // Said before this program began, when the clock was ahead.
        ways.learn(&roster(), &key(1), vec![(key(1), word(1, 5000, &["10.0.0.8:7268"]))]);
        assert_eq!(number(&ways.own(&identity(1), TABLE, (&there, &[]), 3000)), 5001);
    }
}
