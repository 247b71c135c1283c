//! Nothing in a log can be changed unnoticed, and the message says where.
//!
//! A change can only matter from the changed record on, so the table before each record is kept
//! and a changed file is checked from there; samples are checked from the first byte as well.

use fairdeal::{
    bot::Bot,
    game::Action,
    protocol::{
        crypto::{hash::Secret, identity::Identity},
        lobby::{DealKind, Join, LOG_VERSION, Roster, Terms},
        log::{
            file::{FileError, Frames, MAGIC, frame},
            record::{Body, Record},
            verify::{Wrong, verify},
        },
        session::{Link, Output, Session, Start},
        table::{Phase, Refusal, Table},
    },
};
use rand::{RngExt, SeedableRng, rngs::SmallRng};

/// A log cut into records, with the table before each.
struct Log {
    file: Vec<u8>,
    /// Where each record's length stands, in bytes; behind the last one, where the file ends.
    offsets: Vec<usize>,
    /// The table before each record, `None` before the first; behind the last one, at the end.
    before: Vec<Option<Table>>,
}

impl Log {
    fn new(file: Vec<u8>) -> Log {
        let mut offsets = Vec::new();
        let mut before: Vec<Option<Table>> = vec![None];
        for found in Frames::new(&file).expect("a log") {
            let (offset, bytes) = found.expect("whole records");
            offsets.push(offset as usize);
            let table = match before.last().and_then(Option::as_ref) {
                None => Table::found(bytes).expect("a roster").0,
                Some(table) => {
                    let mut table = table.clone();
                    let record = table.admit(bytes).expect("a right record");
                    table.append(record).expect("the next record");
                    table
                }
            };
            before.push(Some(table));
        }
        offsets.push(file.len());
        Log { file, offsets, before }
    }

    /// Number of records.
    fn count(&self) -> usize {
        self.offsets.len() - 1
    }

    /// The framed bytes of a record (from 0).
    fn framed(&self, record: usize) -> &[u8] {
        &self.file[self.offsets[record]..self.offsets[record + 1]]
    }

    /// The record (from 0) that a byte of the file belongs to.
    fn record_at(&self, byte: usize) -> usize {
        self.offsets.partition_point(|offset| *offset <= byte) - 1
    }

    /// Checks the file that has the records before `start` (from 0) and then `tail`, as `verify`
    /// does, and gives the table at its end.
    fn check(&self, start: usize, tail: &[u8]) -> Result<Table, Wrong> {
        let (shift, base) = (start as u32, self.offsets[start] as u64);
        let mut table = self.before[start].clone();
        for found in Frames::headless(tail) {
            let (offset, bytes) = found.map_err(|error| shifted(error, shift, base))?;
            let number = table.as_ref().map_or(0, Table::length) + 1;
            let offset = base + offset;
            let wrong = |reason| Wrong::Record { record: number, offset, reason };
            table = Some(match table {
                None => Table::found(bytes).map_err(wrong)?.0,
                Some(mut table) => {
                    let record = table.admit(bytes).map_err(wrong)?;
                    table.append(record).map_err(wrong)?;
                    table
                }
            });
        }
        table.ok_or(Wrong::Empty)
    }

    /// What is wrong when the records from `start` are replaced by `tail`; now and then held
    /// against what `verify` says of the whole file.
    fn refusal(&self, start: usize, tail: &[u8], whole_too: bool) -> Wrong {
        let Err(wrong) = self.check(start, tail) else {
            panic!("accepted: record {} and what follows, changed", start + 1);
        };
        if whole_too {
            let file = [&self.file[..self.offsets[start]], tail].concat();
            assert_eq!(verify(&file).expect_err("it must be refused"), wrong);
        }
        wrong
    }
}

fn shifted(error: FileError, shift: u32, base: u64) -> Wrong {
    Wrong::File(match error {
        FileError::Torn { record, offset } => {
            FileError::Torn { record: record + shift, offset: offset + base }
        }
        FileError::Length { record, offset, length } => {
            FileError::Length { record: record + shift, offset: offset + base, length }
        }
        error => error,
    })
}

/// Number of the record (from 1) and byte that a message names.
fn place(wrong: &Wrong) -> (usize, usize) {
    match wrong {
        Wrong::Record { record, offset, .. }
        | Wrong::File(
            FileError::Torn { record, offset } | FileError::Length { record, offset, .. },
        ) => {
            let text = wrong.to_string();
            assert!(text.starts_with(&format!("record {record} at byte {offset}: ")), "{text}");
            (*record as usize, *offset as usize)
        }
        wrong => panic!("{wrong} names no place"),
    }
}

fn small() -> Log {
    let file = std::fs::read("tests/data/small.fairdeal").expect("tests/data/README.md tells how");
    assert!(file.len() <= 8 * 1024, "a small file, or the test takes long: {}", file.len());
    let report =
        verify(&file).expect("made anew when the format changes, see tests/data/README.md");
    assert!(report.complete());
    Log::new(file)
}

#[test]
fn every_flipped_bit_is_found_and_located() {
    let log = small();
    for bit in 0..MAGIC.len() * 8 {
        let mut file = log.file.clone();
        file[bit / 8] ^= 1 << (bit % 8);
        let wrong = verify(&file).expect_err("no log of this version");
        assert!(matches!(wrong, Wrong::File(FileError::NotALog | FileError::Version)), "{wrong}");
    }
    for byte in MAGIC.len()..log.file.len() {
        let record = log.record_at(byte);
        let start = log.offsets[record];
        let mut tail = log.file[start..].to_vec();
        for bit in 0..8 {
            tail[byte - start] ^= 1 << bit;
            let wrong = log.refusal(record, &tail, byte % 97 == 0 && bit == byte % 8);
            assert_eq!(place(&wrong), (record + 1, start), "bit {bit} of byte {byte}: {wrong}");
            tail[byte - start] ^= 1 << bit;
        }
    }
}

#[test]
fn every_cut_is_unfinished_at_a_border_and_refused_elsewhere() {
    let log = small();
    for length in 0..MAGIC.len() {
        let wrong = verify(&log.file[..length]).expect_err("no log");
        assert_eq!(wrong, Wrong::File(FileError::NotALog), "{length}");
    }
    assert_eq!(verify(MAGIC).expect_err("no records"), Wrong::Empty);
    for length in MAGIC.len() + 1..log.file.len() {
        let record = log.record_at(length);
        let start = log.offsets[record];
        if start == length {
            let report = verify(&log.file[..length]).expect("right as far as it goes");
            assert!(!report.complete(), "{length}");
            assert_eq!(report.records as usize, record);
        } else {
            let wrong = log.refusal(record, &log.file[start..length], length % 97 == 0);
            assert_eq!(place(&wrong), (record + 1, start), "cut at {length}");
        }
    }
}

/// Drops, doubles and swaps each record of a log.
fn rearranged(log: &Log) {
    let (count, end) = (log.count(), log.file.len());
    for record in 0..count {
        let sample = record % 8 == 0;
        let (one, after) = (log.framed(record), &log.file[log.offsets[record + 1]..end]);
        if record + 1 < count {
            let wrong = log.refusal(record, after, sample);
            assert_eq!(place(&wrong).0, record + 1, "{record} dropped: {wrong}");
            let rest = &log.file[log.offsets[record + 2]..];
            let swapped = [log.framed(record + 1), one, rest].concat();
            let wrong = log.refusal(record, &swapped, sample);
            assert_eq!(place(&wrong).0, record + 1, "{record} swapped: {wrong}");
        }
        let wrong = log.refusal(record + 1, &[one, after].concat(), sample);
        assert_eq!(place(&wrong).0, record + 2, "{record} doubled: {wrong}");
        let wrong = log.refusal(count, one, sample);
        assert_eq!(place(&wrong), (count + 1, end), "{record} appended: {wrong}");
    }
}

#[test]
fn a_dropped_doubled_or_swapped_record_is_found_and_located() {
    rearranged(&small());
}

#[test]
fn nothing_may_follow_the_end() {
    let log = small();
    let end = log.file.len();
    for tail in [&[0][..], &[0; 4], &[1, 0, 0, 0, 0], b"fairdeal 1\r\n", &log.file[MAGIC.len()..]] {
        let wrong = log.refusal(log.count(), tail, true);
        assert_eq!(place(&wrong), (log.count() + 1, end), "{wrong}");
    }
}

/// Two games of the same players, so that only the chain can tell their records apart.
#[test]
fn a_record_of_another_game_of_the_same_players_fits_nowhere() {
    let (log, other) = (Log::new(played(1, DealKind::Open)), Log::new(played(2, DealKind::Open)));
    for record in 0..log.count().min(other.count()) {
        let (foreign, after) = (other.framed(record), &log.file[log.offsets[record + 1]..]);
        let wrong = log.refusal(record, &[foreign, after].concat(), record % 8 == 0);
        // A roster of another game is right in itself; the record after it does not fit.
        let expected = if record == 0 { 2 } else { record + 1 };
        assert_eq!(place(&wrong).0, expected, "{record}: {wrong}");
        let reason = match wrong {
            Wrong::Record { reason, .. } => reason,
            wrong => panic!("{wrong}"),
        };
        assert!(matches!(reason, Refusal::Elsewhere(_)), "{reason}");
        // From here on the other game; as a whole that is no splice.
        if record > 0 {
            let wrong = log.refusal(record, &other.file[other.offsets[record]..], false);
            assert_eq!(place(&wrong).0, record + 1, "{wrong}");
        }
    }
}

/// Even a seat of the table cannot add to a game that is complete.
#[test]
fn a_seat_cannot_sign_on_after_the_end() {
    let log = Log::new(played(3, DealKind::Open));
    let table = log.before[log.count()].as_ref().expect("the end");
    for seat in 0..2 {
        let (base, state) = (*table.head(), *table.state());
        let record = Record { base, state, seat, body: Body::Sit }.sign(&identity(seat));
        let wrong = log.refusal(log.count(), &frame(&record), true);
        assert_eq!(place(&wrong).0, log.count() + 1);
        assert!(matches!(wrong, Wrong::Record { reason: Refusal::AfterEnd, .. }), "{wrong}");
    }
}

/// A sealed game is larger, and its records are dearer to check: bits by sample.
#[test]
fn a_sealed_game_holds_as_well() {
    let log = Log::new(played(4, DealKind::Sealed));
    let mut rng = SmallRng::seed_from_u64(4);
    for _ in 0..4_000 {
        let byte = rng.random_range(MAGIC.len()..log.file.len());
        let record = log.record_at(byte);
        let start = log.offsets[record];
        let mut tail = log.file[start..].to_vec();
        tail[byte - start] ^= 1 << rng.random_range(0..8);
        let wrong = log.refusal(record, &tail, false);
        assert_eq!(place(&wrong), (record + 1, start), "byte {byte}: {wrong}");
    }
    let count = log.count();
    for record in 0..count - 1 {
        let wrong = log.refusal(record, &log.file[log.offsets[record + 1]..], false);
        assert_eq!(place(&wrong).0, record + 1, "{record} dropped: {wrong}");
        let wrong = log.refusal(count, log.framed(record), false);
        assert_eq!(place(&wrong).0, count + 1, "{record} appended: {wrong}");
    }
}

fn identity(seat: u8) -> Identity {
    Identity::from_secret(&[seat + 1; 32])
}

/// The log of a game of two that always are the same; `number` makes it another game.
fn played(number: u8, deal: DealKind) -> Vec<u8> {
    let joins = ["Ana", "Ben"].into_iter().zip(0..).map(|(name, seat)| Join {
        key: identity(seat).public(),
        name: name.parse().expect("a name"),
        nonce: [number; 32],
        kept_by: None,
    });
    let (id, version) = ([number; 32], LOG_VERSION);
    let terms = Terms { id, version, deal, clock_s: 0, patience_s: 60 };
    let roster = Roster { terms, number: 1, joins: joins.collect() };
    let first = roster.sign(&identity(0));
    let mut sessions: Vec<Session> = (0..2)
        .map(|seat| {
            let start = Start {
                identity: identity(seat),
                secret: Secret::new([number ^ seat << 4; 32]),
                log: vec![first.clone()],
                journal: Vec::new(),
                entropy: Secret::new([seat; 32]),
                boot: 0,
                again: false,
            };
            let mut session = Session::new(start).expect("a session");
            session.link_up(Link(u32::from(1 - seat)));
            session
        })
        .collect();
    let mut file = [MAGIC.as_slice(), &frame(&first)].concat();
    let mut rng = SmallRng::seed_from_u64(u64::from(number));
    for now in 0.. {
        for seat in 0..2 {
            sessions[seat].tick(now);
            decide(&mut sessions[seat], &mut rng);
            while let Some(output) = sessions[seat].poll() {
                match output {
                    Output::Send(_, talk) => {
                        sessions[1 - seat].receive(Link(seat as u32), talk, now);
                    }
                    Output::Append(records) if seat == 0 => {
                        file.extend(records.iter().flat_map(|record| frame(record)));
                    }
                    _ => {}
                }
            }
        }
        let ended = |session: &Session| {
            session.table().phase() == Phase::Complete && !session.has_outputs()
        };
        if sessions.iter().all(ended) {
            break;
        }
        assert!(now < 100_000, "the game stands still");
    }
    file
}

fn decide(session: &mut Session, rng: &mut SmallRng) {
    if !session.asks() {
        return;
    }
    let Some(view) = session.view() else { return };
    let decided = match Bot::Random.choose(&view, rng) {
        Action::Keep => session.choose(false),
        Action::Flip => session.choose(true),
        action => session.act(action),
    };
    decided.expect("a legal decision");
}
