//! Games among faults for as long as one likes: `soak SECONDS [FIRST-SEED]`, and one of them again:
//! `soak open|sealed|liar|two-faced SEED`.

use std::{
    collections::BTreeMap,
    process::ExitCode,
    time::{Duration, Instant},
};

use fairdeal::{
    protocol::{
        lobby::DealKind,
        log::{evidence, verify::verify},
    },
    sim::{Options, Outcome, Plan, liar, run_planned, swarm, two_faced},
};

/// The sorts of run.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Sort {
    Open,
    Sealed,
    Liar,
    TwoFaced,
}

/// How often progress is told.
const TELL: Duration = Duration::from_secs(30);

/// What has been run.
#[derive(Default)]
struct Tally {
    games: BTreeMap<Sort, u64>,
    records: u64,
    verdicts: u64,
    undone: u64,
    deepest: u32,
    closed: u64,
    held_up: u64,
    faults: BTreeMap<&'static str, u64>,
    failures: Vec<String>,
}

impl Sort {
    /// Of twenty runs one is sealed, two have a seat that signs twice and three one that votes both
    /// ways.
    fn of(seed: u64) -> Sort {
        match seed % 20 {
            0 => Sort::Sealed,
            7 | 14 => Sort::Liar,
            4 | 11 | 18 => Sort::TwoFaced,
            _ => Sort::Open,
        }
    }

    fn run(self, seed: u64) -> (Options, Plan) {
        match self {
            Sort::Open => swarm(DealKind::Open, seed),
            Sort::Sealed => swarm(DealKind::Sealed, seed),
            Sort::Liar => liar(seed),
            Sort::TwoFaced => two_faced(seed),
        }
    }

    fn name(self) -> &'static str {
        match self {
            Sort::Open => "open",
            Sort::Sealed => "sealed",
            Sort::Liar => "liar",
            Sort::TwoFaced => "two-faced",
        }
    }
}

/// Plays one run and checks what comes of it.
fn play(sort: Sort, seed: u64) -> Result<Outcome, String> {
    let (options, plan) = sort.run(seed);
    let outcome = run_planned(options, plan).map_err(|failure| failure.to_string())?;
    for disk in &outcome.disks {
        verify(&disk.log).map_err(|wrong| format!("a file is wrong: {wrong}"))?;
    }
    for told in &outcome.accused {
        let proven = evidence::check(&told.evidence).map(|proof| proof.seat.index());
        if proven.as_ref() != Ok(&told.seat) {
            return Err(format!("evidence against seat {} proves {proven:?}", told.seat + 1));
        }
    }
    let holds = |seat: &usize| outcome.accused.iter().any(|told| told.by == *seat);
    match outcome.told_both.iter().find(|seat| !holds(seat)) {
        Some(seat) => Err(format!("seat {} was told both records and holds no proof", seat + 1)),
        None => Ok(outcome),
    }
}

impl Tally {
    fn count(&mut self, sort: Sort, seed: u64, outcome: Result<Outcome, String>) {
        *self.games.entry(sort).or_default() += 1;
        match outcome {
            Err(wrong) => {
                let what = wrong.lines().next().unwrap_or_default().to_owned();
                println!("FAILED: {what}\n{wrong}\nagain with: soak {} {seed}", sort.name());
                self.failures.push(format!("soak {} {seed}: {what}", sort.name()));
            }
            Ok(outcome) => {
                self.closed += u64::from(outcome.closed);
                self.held_up += u64::from(outcome.held_up);
                self.verdicts += u64::from(outcome.verdicts);
                self.undone += u64::from(outcome.undone);
                self.deepest = self.deepest.max(outcome.deepest);
                let log = outcome.disks.first().and_then(|disk| disk.clone().read().ok());
                self.records += log.map_or(0, |(log, _)| log.len() as u64);
                for (what, times) in outcome.faults {
                    *self.faults.entry(what).or_default() += times;
                }
            }
        }
    }

    fn line(&self) -> String {
        let all: u64 = self.games.values().sum();
        let failures = self.failures.len();
        format!("{all} games {:?}, {} records, {failures} failures", self.games, self.records)
    }

    fn summary(&self, seconds: u64) {
        println!("\n{} in {seconds} s", self.line());
        let Tally { verdicts, undone, deepest, closed, held_up, .. } = self;
        println!("{verdicts} verdicts, {closed} games closed, {held_up} held up by a liar");
        println!("{undone} records undone, at most {deepest} at once, none of them final; faults:");
        self.faults.iter().for_each(|(what, times)| println!("{times:>10} {what}"));
        for (sort, games) in &self.games {
            let name = sort.name();
            let failed = |line: &&String| line.starts_with(&format!("soak {name} "));
            let failed = self.failures.iter().filter(failed).count();
            let most = 300.0 / *games as f64;
            match failed {
                0 => println!("{name}: none of {games} failed: fewer than {most:.3} % do (3/N)"),
                failed => println!("{name}: {failed} of {games} failed"),
            }
        }
        self.failures.iter().for_each(|line| println!("{line}"));
    }
}

fn soak(seconds: u64, first: u64) -> ExitCode {
    let (begun, mut told, mut tally) = (Instant::now(), Instant::now(), Tally::default());
    for seed in first.. {
        if begun.elapsed().as_secs() >= seconds {
            break;
        }
        let sort = Sort::of(seed);
        tally.count(sort, seed, play(sort, seed));
        if told.elapsed() >= TELL {
            told = Instant::now();
            println!("{:>6} s, seed {seed}: {}", begun.elapsed().as_secs(), tally.line());
        }
    }
    tally.summary(begun.elapsed().as_secs());
    if tally.failures.is_empty() { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}

fn main() -> ExitCode {
    let args: Vec<String> = std::env::args().skip(1).collect();
    let words: Vec<&str> = args.iter().map(String::as_str).collect();
    let number = |word: &str| word.parse::<u64>().ok();
    let sort = |word: &str| {
        [Sort::Open, Sort::Sealed, Sort::Liar, Sort::TwoFaced]
            .into_iter()
            .find(|sort| sort.name() == word)
    };
    match words.as_slice() {
        [seconds] if number(seconds).is_some() => soak(number(seconds).unwrap_or(0), 1_000_000),
        [seconds, first] if number(seconds).is_some() && number(first).is_some() => {
            soak(number(seconds).unwrap_or(0), number(first).unwrap_or(0))
        }
        [word, seed] if sort(word).is_some() && number(seed).is_some() => {
            let mut tally = Tally::default();
            let (sort, seed) = (sort(word).unwrap_or(Sort::Open), number(seed).unwrap_or(0));
            tally.count(sort, seed, play(sort, seed));
            tally.summary(0);
            if tally.failures.is_empty() { ExitCode::SUCCESS } else { ExitCode::FAILURE }
        }
        _ => {
            eprintln!("soak SECONDS [FIRST-SEED] | soak open|sealed|liar|two-faced SEED");
            ExitCode::from(2)
        }
    }
}
