//! What no seat has signed is refused before anything changes.

use fairdeal::{
    protocol::{
        crypto::identity::{Identity, PublicKey},
        log::record::{Record, Unchecked},
        message::Talk,
        session::{Link, News, Output, Session, Start},
        table::Table,
    },
    sim::fuzz::{Played, games},
};
use rand::{RngExt, SeedableRng, rngs::SmallRng};

/// A seat that has come to a table in the middle of a game, next to the one the table waits for.
struct Door {
    session: Session,
    from: Link,
    /// What the seat the table waits for signed there.
    right: Vec<u8>,
}

impl Door {
    fn new(game: &Played, table: &Table) -> Option<Door> {
        let right = game.log.get(table.length() as usize)?.clone();
        let owner = right[64];
        let seat = (owner + 1) % game.cast.seats;
        let log = game.before(table).to_vec();
        let mut session = Session::new(Start { log, ..game.cast.start(seat) }).unwrap();
        let from = Link(owner.into());
        session.link_up(from);
        session.tick(0);
        while session.poll().is_some() {}
        Some(Door { session, from, right })
    }

    /// All that can be seen of the seat.
    fn state(&self) -> (Vec<Vec<u8>>, String) {
        let Door { session, .. } = self;
        let table = format!("{:?}", session.table());
        let rest = format!("{:?} {:?}", session.awaited(), session.faulty());
        (session.log().to_vec(), table + &rest)
    }

    /// Whether the seat takes what was really signed: then the forgeries were offered at the right
    /// door.
    fn takes_the_right_one(&mut self) -> bool {
        let before = self.state();
        self.session.receive(self.from, Talk::Fresh(self.right.clone()), 1);
        self.state() != before
    }

    /// Whether a neighbour's word is refused: the seat takes, writes, tells on and accuses nothing.
    fn refuses(&mut self, talk: Talk) -> bool {
        self.session.receive(self.from, talk, 1);
        let mut quiet = true;
        while let Some(output) = self.session.poll() {
            quiet &= matches!(
                output,
                Output::Send(_, Talk::Get(_) | Talk::Status(_))
                    | Output::Tell(News::BadNeighbour(_))
            );
        }
        quiet
    }
}

/// The order of ed25519's group, little-endian: added to a signature's scalar it gives another
/// signature for whoever does not check.
const ORDER: [u8; 32] = [
    0xed, 0xd3, 0xf5, 0x5c, 0x1a, 0x63, 0x12, 0x58, 0xd6, 0x9c, 0xf7, 0xa2, 0xde, 0xf9, 0xde, 0x14,
    0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0x10,
];

fn malleated(right: &[u8]) -> Vec<u8> {
    let mut bytes = right.to_vec();
    let scalar = bytes.len() - 32;
    let mut carry = 0;
    for (byte, order) in bytes[scalar..].iter_mut().zip(ORDER) {
        let sum = u16::from(*byte) + u16::from(order) + carry;
        (*byte, carry) = (sum as u8, sum >> 8);
    }
    assert_eq!(carry, 0);
    bytes
}

/// Forged records, each with what is wrong with it.
fn forgeries(game: &Played, right: &[u8]) -> Vec<(&'static str, Vec<u8>)> {
    let record = Unchecked::decode(right).unwrap().record().clone();
    let (owner, other) = (record.seat, (record.seat + 1) % game.cast.seats);
    let own = game.cast.identity(owner);
    let signed = |record: &Record, key: &Identity| record.sign(key);
    let text = &right[..right.len() - 64];
    let with = |signature: [u8; 64]| [text, &signature].concat();
    let mut swapped = right.to_vec();
    swapped[..64].rotate_left(32);
    let mut renumbered = right.to_vec();
    renumbered[64] = other;
    let mut nobody = record.clone();
    nobody.seat = 7;
    let moved = |base| Record { base, ..record.clone() };
    let mut small_commitment = [0; 64];
    small_commitment[0] = 1;
    vec![
        ("a stranger's key", signed(&record, &Identity::from_secret(&[9; 32]))),
        ("another seat's key", signed(&record, &game.cast.identity(other))),
        ("another seat's number", renumbered),
        ("a seat that is not there", signed(&nobody, &own)),
        ("another game's base", signed(&moved([7; 32]), &own)),
        ("an older session's base", signed(&moved(*base_of_other_session(game)), &own)),
        ("base and state swapped", swapped),
        ("signed as a vote", with(own.sign("vote", text))),
        ("signed as a note", with(own.sign("note", text))),
        ("signed as nothing", with(own.sign("", text))),
        ("a malleated signature", malleated(right)),
        ("a small-order commitment", with(small_commitment)),
        ("no signature", with([0; 64])),
    ]
}

/// The first head of a game of the same people at another table.
fn base_of_other_session(game: &Played) -> &'static [u8; 32] {
    let other = games().iter().find(|other| other.cast.seed != game.cast.seed).unwrap();
    other.tables[0].base()
}

#[test]
fn forged_records_are_refused_before_anything_changes() {
    let mut tried = 0;
    for game in games() {
        for table in &game.tables {
            let Some(mut door) = Door::new(game, table) else { continue };
            let before = door.state();
            for (what, bytes) in forgeries(game, &door.right.clone()) {
                assert!(door.refuses(Talk::Fresh(bytes)), "{what} is taken");
                assert!(door.state() == before, "{what} changes something");
                tried += 1;
            }
            assert!(door.takes_the_right_one());
        }
    }
    println!("{tried} forged records at {} tables refused", tried / 13);
}

/// A seat that signs another state than the records give is at fault, and proven to be.
#[test]
fn another_state_of_the_game_is_a_fault() {
    for game in games() {
        for table in &game.tables {
            let Some(mut door) = Door::new(game, table) else { continue };
            let mut record = Unchecked::decode(&door.right).unwrap().record().clone();
            record.state[0] ^= 1;
            let bytes = record.sign(&game.cast.identity(record.seat));
            assert!(!door.refuses(Talk::Fresh(bytes.clone())), "nobody is told");
            let accused = door.session.faulty().keys().map(|seat| seat.index() as u8);
            assert_eq!(accused.collect::<Vec<_>>(), [record.seat]);
            // Of two, the other goes on without it at once; what it signed is not in the log.
            let (log, before) = (door.session.log(), game.before(table));
            assert!(log.starts_with(before) && !log.contains(&bytes));
            assert!(log.len() == before.len() || game.cast.seats == 2);
        }
    }
}

/// Bytes of a record changed, cut, doubled or swapped.
fn mutated(right: &[u8], rng: &mut SmallRng) -> Vec<u8> {
    let mut bytes = right.to_vec();
    for _ in 0..rng.random_range(1..4) {
        let at = rng.random_range(0..bytes.len());
        let to = rng.random_range(0..bytes.len());
        match rng.random_range(0..6) {
            0 => bytes[at] ^= 1 << rng.random_range(0..8),
            1 => bytes[at] = rng.random(),
            2 => bytes.swap(at, to),
            3 => bytes.truncate(at.max(1)),
            4 => bytes.insert(at, rng.random()),
            _ => bytes.extend_from_slice(&right[..at % 8]),
        }
    }
    bytes
}

#[test]
fn two_thousand_changed_records_are_refused_before_anything_changes() {
    let mut rng = SmallRng::seed_from_u64(9);
    let tables = || games().iter().flat_map(|game| game.tables.iter().map(move |at| (game, at)));
    let mut doors: Vec<Door> = tables().filter_map(|(game, at)| Door::new(game, at)).collect();
    let before: Vec<_> = doors.iter().map(Door::state).collect();
    let mut tried = 0;
    while tried < 2_000 {
        let at = rng.random_range(0..doors.len());
        let right = doors[at].right.clone();
        let bytes = mutated(&right, &mut rng);
        if bytes != right {
            assert!(doors[at].refuses(Talk::Fresh(bytes)), "mutation {tried} is taken");
            tried += 1;
        }
    }
    for (door, before) in doors.iter_mut().zip(before) {
        assert!(door.state() == before, "a mutation changes something");
        assert!(door.takes_the_right_one());
    }
    println!("2000 changed records refused: {}", super::bound(2_000));
}

/// Keys for which a signature would prove nothing are no keys.
#[test]
fn small_order_keys_have_no_seat() {
    let y = |first: u8, rest: u8, last: u8| {
        let mut bytes = [rest; 32];
        (bytes[0], bytes[31]) = (first, last);
        bytes
    };
    let keys = [y(1, 0, 0), y(1, 0, 0x80), y(0, 0, 0), y(0, 0, 0x80), y(0xec, 0xff, 0x7f)];
    for key in keys {
        assert!(PublicKey::try_from(key).is_err(), "{key:?}");
    }
}
