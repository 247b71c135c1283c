//! FORMAT.md against the program: `verify.py` was written from that page alone. It has to give the
//! same verdict, at the same record, on the golden games, on games that went on without somebody,
//! and on a thousand damaged ones.
#![cfg(unix)]

use std::{
    fmt::Write as _,
    io::Write as _,
    path::Path,
    process::{Command, Stdio},
};

use fairdeal::{
    game::Players,
    protocol::{
        codec,
        crypto::identity::SIGNATURE_BYTES,
        lobby::DealKind,
        log::{
            file::{FileError, Frames, MAGIC, frame},
            record::{Body, Record, Unchecked},
            verify::{Wrong, verify},
        },
    },
    sim::{Cast, Options, Plan, liar, run_planned, swarm, two_faced},
};
use rand::{RngExt, SeedableRng, rngs::SmallRng};
use tempfile::TempDir;

/// What the program says of a file, in the words of `verify.py`, without the reason.
fn said_here(file: &[u8]) -> String {
    match verify(file) {
        Ok(report) => {
            let state = if report.complete() { "complete" } else { "unfinished" };
            format!("right {state} {}", report.records)
        }
        Err(Wrong::Record { record, .. })
        | Err(Wrong::File(FileError::Length { record, .. } | FileError::Torn { record, .. })) => {
            format!("wrong {record}")
        }
        Err(Wrong::Empty | Wrong::File(_)) => "wrong 0".into(),
        Err(Wrong::Long) => format!("wrong {}", fairdeal::protocol::limits::LOG_RECORDS_MAX + 1),
    }
}

/// What `verify.py` says of these files; `None` where there is no Python.
fn said_there(files: &[Vec<u8>]) -> Option<Vec<String>> {
    let folder = TempDir::new().expect("a folder for the test");
    let mut names = String::new();
    for (number, file) in files.iter().enumerate() {
        let path = folder.path().join(format!("{number}.fairdeal"));
        std::fs::write(&path, file).expect("room for the files");
        writeln!(names, "{}", path.display()).expect("memory");
    }
    let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/format/verify.py");
    let started = Command::new("python3")
        .arg(script)
        .arg("-")
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn();
    let Ok(mut python) = started else {
        println!("skipped: there is no python3 here");
        return None;
    };
    let mut input = python.stdin.take().expect("its input");
    input.write_all(names.as_bytes()).expect("it listens");
    drop(input);
    let done = python.wait_with_output().expect("it ends");
    let text = String::from_utf8(done.stdout).expect("text");
    assert_eq!(text.lines().count(), files.len(), "an answer a file:\n{text}");
    Some(text.lines().map(str::to_owned).collect())
}

/// The verdicts are the same; `what` names each file. Gives how many of them were wrong.
fn agree(files: &[Vec<u8>], what: impl Fn(usize) -> String) -> usize {
    let Some(there) = said_there(files) else { return 0 };
    let mut wrong = 0;
    let mut differ = String::new();
    for (number, (file, there)) in files.iter().zip(&there).enumerate() {
        let here = said_here(file);
        wrong += usize::from(here.starts_with("wrong"));
        if here != *there && !there.starts_with(&format!("{here} ")) {
            let why = verify(file).err().map(|wrong| wrong.to_string()).unwrap_or_default();
            writeln!(differ, "{}: {here:?} ({why}) here, {there:?} there", what(number))
                .expect("memory");
        }
    }
    assert!(differ.is_empty(), "{differ}");
    wrong
}

#[test]
fn the_golden_games() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("replays");
    let read = |players| std::fs::read(folder.join(format!("open-{players}.fairdeal")));
    let files: Vec<Vec<u8>> = (2..=5).map(|players| read(players).expect("a game")).collect();
    assert_eq!(agree(&files, |number| format!("open-{}", number + 2)), 0);
}

/// A game of the simulator, as a file, and who played it.
struct Played {
    cast: Cast,
    records: Vec<Vec<u8>>,
}

impl Played {
    fn of((options, plan): (Options, Plan)) -> Option<Played> {
        let open = options.deal == DealKind::Open && Players::new(options.seats).is_some();
        let outcome = run_planned(options, plan).ok().filter(|_| open)?;
        let log = outcome.disks.first()?.log.clone();
        let records = Frames::new(&log).ok()?.map(|found| found.map(|(_, bytes)| bytes.to_vec()));
        Some(Played { cast: options.cast(), records: records.collect::<Result<_, _>>().ok()? })
    }

    fn verdicts(&self) -> usize {
        let decoded = self.records.iter().filter_map(|bytes| Unchecked::decode(bytes).ok());
        decoded.filter(Unchecked::is_verdict).count()
    }
}

/// Games among faults, with liars too: the shortest ones, most of them with verdicts.
fn games() -> Vec<Played> {
    let all = (0..16).map(|seed| swarm(DealKind::Open, seed));
    let all = all.chain((0..4).map(liar)).chain((0..4).map(two_faced));
    let mut games: Vec<Played> = all.filter_map(Played::of).collect();
    games.sort_by_key(|game| (game.verdicts() == 0, game.records.len()));
    games.truncate(16);
    games
}

fn file(records: &[Vec<u8>]) -> Vec<u8> {
    let framed = records.iter().flat_map(|bytes| frame(bytes));
    MAGIC.iter().copied().chain(framed).collect()
}

/// A record that says something else, signed anew by its own seat.
fn changed(cast: &Cast, bytes: &[u8], rng: &mut SmallRng) -> Vec<u8> {
    let mut record: Record = Unchecked::decode(bytes).expect("a record").record().clone();
    let flip = |hash: &mut [u8; 32], rng: &mut SmallRng| {
        hash[rng.random_range(0..32)] ^= 1 << rng.random_range(0..8);
    };
    match rng.random_range(0..8) {
        0 => flip(&mut record.base, rng),
        1 => flip(&mut record.state, rng),
        2 => record.seat = (record.seat + 1) % cast.seats,
        _ => match &mut record.body {
            Body::Roster(roster) => roster.number += 1,
            Body::Commit(hash) | Body::Reveal(hash) | Body::Choice(hash) => flip(hash, rng),
            Body::ChoiceOpen { flip, .. } => *flip = !*flip,
            Body::Action(text) => *text = another(text, rng),
            Body::RoundEnd(points)
            | Body::RoundEndBack { points, .. }
            | Body::Result { points, .. } => match rng.random_range(0..3) {
                0 => points.push(0),
                _ => points[0] += rng.random_range(-1..=1),
            },
            Body::Verdict(verdict) => match rng.random_range(0..6) {
                0 => verdict.motion.number += 1,
                1 => drop(verdict.votes.pop()),
                2 => verdict.votes[0].1[7] ^= 1,
                3 => verdict.votes.reverse(),
                4 => verdict.motion.without.clear(),
                _ => verdict.motion.without[0].program = (record.seat + 1) % cast.seats,
            },
            _ => record.body = Body::Sit,
        },
    }
    if matches!(record.body, Body::Verdict(_)) {
        let mut bytes = codec::encode(&record);
        bytes.extend([0; SIGNATURE_BYTES]);
        return bytes;
    }
    record.sign(&cast.identity(record.seat))
}

/// Another turn, which may be legal too, or none.
fn another(text: &str, rng: &mut SmallRng) -> String {
    let place = rng.random_range(1..14);
    match rng.random_range(0..10) {
        0 => format!("show {place}"),
        1 => format!("show {place}-{}", place + rng.random_range(0..3)),
        2 => format!("scout left {place}"),
        3 => format!("scout right {place} flip"),
        4 => format!("scout left {place} + show {}", rng.random_range(1..14)),
        5 => format!("{text} flip"),
        6 => format!("{text} ?"),
        7 => text.replacen(' ', "  ", 1),
        8 => text.replace("left", "right"),
        _ => ["keep", "flip", "show", "show 0", "show 4-4", "show +1", ""][rng.random_range(0..7)]
            .into(),
    }
}

#[test]
fn a_thousand_damaged_games() {
    let games = games();
    let with_verdicts = games.iter().filter(|game| game.verdicts() > 0).count();
    assert!(with_verdicts > 5, "{with_verdicts} games went on without somebody");
    let mut rng = SmallRng::seed_from_u64(1);
    let mut files: Vec<Vec<u8>> = games.iter().map(|game| file(&game.records)).collect();
    let mut how: Vec<String> = vec!["as it was".into(); files.len()];
    while files.len() < games.len() + 1_000 {
        let game = &games[rng.random_range(0..games.len())];
        let mut records = game.records.clone();
        // Half of them where somebody is played on without.
        let interesting: Vec<usize> = (0..records.len())
            .filter(|at| {
                Unchecked::decode(&records[*at]).is_ok_and(|record| {
                    matches!(record.record().body, Body::Verdict(_) | Body::RoundEndBack { .. })
                })
            })
            .collect();
        let at = match interesting.is_empty() || rng.random_bool(0.5) {
            true => rng.random_range(0..records.len()),
            false => interesting[rng.random_range(0..interesting.len())],
        };
        let sort = rng.random_range(0..12);
        let mut bytes = match sort {
            0 => {
                records.remove(at);
                file(&records)
            }
            1 => {
                records.insert(at, records[at].clone());
                file(&records)
            }
            2 => {
                records.swap(at, (at + 1) % game.records.len());
                file(&records)
            }
            3 => {
                let other = &games[rng.random_range(0..games.len())].records;
                records[at] = other[at.min(other.len() - 1)].clone();
                file(&records)
            }
            4..=8 => {
                records[at] = changed(&game.cast, &records[at], &mut rng);
                file(&records)
            }
            _ => file(&records),
        };
        match sort {
            9 => bytes.truncate(rng.random_range(0..bytes.len())),
            10 | 11 => {
                let byte = rng.random_range(0..bytes.len());
                bytes[byte] ^= 1 << rng.random_range(0..8);
            }
            _ => {}
        }
        how.push(format!("sort {sort} at record {} of {}", at + 1, game.records.len()));
        files.push(bytes);
    }
    let wrong = agree(&files, |number| how[number].clone());
    println!("{} files, {wrong} of them wrong", files.len());
}
