//! `fairdeal demo`

use std::{
    io::{BufRead, BufReader},
    path::{Path, PathBuf},
    process::{Child, ChildStdout, Command, Stdio},
    sync::mpsc::{self, Sender},
    time::{Duration, Instant},
};

use sha2::{Digest, Sha256};

use super::{
    Common, FILE, Failed, NETWORK, WRONG,
    common::{code_of, parse_players, print, read_file},
};
use crate::{
    bot::Bot,
    game::{Players, Seat},
    protocol::{
        limits::LOG_BYTES_MAX,
        lobby::DealKind,
        log::verify::{Report, verify},
    },
    ui::proof,
};

/// Watch a whole game: one program a seat, over real sockets on this machine, bots at every seat
///
/// Then shows each seat's replay file with its SHA-256, and what `verify` says.
///
/// Example: fairdeal demo --players 5
#[derive(Debug, clap::Args)]
pub struct Args {
    /// How many play
    #[arg(long, value_name = "N", default_value = "3", value_parser = parse_players)]
    players: Players,
    /// How the cards are dealt
    #[arg(long, value_enum, default_value_t = DealKind::Sealed)]
    deal: DealKind,
    /// The bot at every seat
    #[arg(long, value_name = "NAME", value_enum, default_value_t = Bot::Greedy)]
    bot: Bot,
    /// Where the files go; a new folder if not given
    #[arg(long, value_name = "DIR")]
    out: Option<PathBuf>,
}

/// Names at the demo's table.
const NAMES: [&str; 5] = ["Ana", "Ben", "Cy", "Dora", "Eli"];

/// Longest silence of all programs before the demo gives up: bots take milliseconds.
const SILENCE_MAX: Duration = Duration::from_secs(60);

/// What a seat's program printed, or that it has ended.
struct Said {
    seat: usize,
    line: Option<String>,
}

/// The programs of the demo; ended with it, whatever happens.
#[derive(Default)]
struct Programs(Vec<Child>);

impl Drop for Programs {
    fn drop(&mut self) {
        for child in &mut self.0 {
            // One that has ended by itself cannot be killed; nothing is lost by trying.
            let _ = child.kill();
            let _ = child.wait();
        }
    }
}

pub(super) fn run(_: &Common, args: Args) -> Result<u8, Failed> {
    let out = out_folder(args.out.as_deref())?;
    let count = usize::from(args.players.count());
    print(&format!("{count} programs play on this machine; files in {}\n", out.display()));
    let (said, heard) = mpsc::channel();
    let mut programs = Programs::default();
    let begun = Instant::now();
    start(&mut programs, &out, 0, &host_args(&args), &said)?;
    let mut replays: Vec<Option<PathBuf>> = vec![None; count];
    let mut running = 1;
    while running > 0 {
        let Ok(Said { seat, line }) = heard.recv_timeout(SILENCE_MAX) else {
            let error = anyhow::anyhow!("no program has said anything for a minute; giving up");
            return Err(Failed::new(NETWORK, error));
        };
        let Some(line) = line else {
            running -= 1;
            continue;
        };
        if let Some(path) = line.strip_prefix("replay ") {
            replays[seat] = Some(PathBuf::from(path));
        } else if let Some(invite) = line.strip_prefix("fairdeal join ").filter(|_| seat == 0) {
            for guest in 1..count {
                let args = guest_args(&args, invite, guest);
                start(&mut programs, &out, guest, &args, &said)?;
                running += 1;
            }
        } else if seat == 0 {
            print(&format!("  {line}\n"));
        }
    }
    print(&format!("played in {:.1} s\n", begun.elapsed().as_secs_f64()));
    drop(programs);
    report(&out, &replays)
}

fn out_folder(given: Option<&Path>) -> Result<PathBuf, Failed> {
    let fail = |error: std::io::Error| Failed::new(FILE, error);
    match given {
        Some(path) => {
            std::fs::create_dir_all(path).map_err(fail)?;
            std::path::absolute(path).map_err(fail)
        }
        None => {
            let folder = tempfile::Builder::new().prefix("fairdeal-demo-").tempdir();
            Ok(folder.map_err(fail)?.keep())
        }
    }
}

fn host_args(args: &Args) -> Vec<String> {
    let deal = args.deal.name();
    let (players, bot) = (args.players.count().to_string(), args.bot.to_string());
    let words = ["host", "--new", "--local", "--port", "0", "--players", &players, "--bot", &bot];
    let rest = ["--name", NAMES[0], "--deal", deal];
    words.iter().chain(&rest).map(|word| word.to_string()).collect()
}

fn guest_args(args: &Args, invite: &str, guest: usize) -> Vec<String> {
    let bot = args.bot.to_string();
    let words = ["join", invite, "--local", "--bot", &bot, "--name", NAMES[guest]];
    words.iter().map(|word| word.to_string()).collect()
}

/// The home of a program.
fn program_home(out: &Path, program: usize) -> PathBuf {
    out.join(format!("home-{}", NAMES[program]))
}

/// The seat that a name has at a table.
fn seat_of(report: &Report, name: &str) -> Option<Seat> {
    let mut seats = report.table.players().seats();
    seats.find(|seat| report.table.player(*seat).is_some_and(|join| join.name.as_str() == name))
}

fn start(
    programs: &mut Programs,
    out: &Path,
    seat: usize,
    args: &[String],
    said: &Sender<Said>,
) -> Result<(), Failed> {
    let fail = |error: std::io::Error| Failed::new(FILE, error);
    let mut child = Command::new(std::env::current_exe().map_err(fail)?)
        .args(args)
        .args(["--no-tui", "--no-bell"])
        .env("FAIRDEAL_HOME", program_home(out, seat))
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .spawn()
        .map_err(fail)?;
    let lines = child.stdout.take();
    programs.0.push(child);
    let said = said.clone();
    std::thread::spawn(move || listen(seat, lines, &said));
    Ok(())
}

/// Passes on what a program prints. When nobody listens any more, the demo has ended.
fn listen(seat: usize, lines: Option<ChildStdout>, said: &Sender<Said>) {
    for line in lines.into_iter().flat_map(|out| BufReader::new(out).lines()) {
        let Ok(line) = line else { break };
        if said.send(Said { seat, line: Some(line) }).is_err() {
            return;
        }
    }
    let _ = said.send(Said { seat, line: None });
}

/// Points, a line for each seat with its file, and the verdict.
fn report(out: &Path, replays: &[Option<PathBuf>]) -> Result<u8, Failed> {
    let mut files = Vec::new();
    for (program, replay) in replays.iter().enumerate() {
        let Some(replay) = replay else {
            let error = anyhow::anyhow!("the program of {} left no replay", NAMES[program]);
            return Err(Failed::new(WRONG, error));
        };
        let bytes = read_file(replay, LOG_BYTES_MAX)?;
        // Who joins first sits first: the log knows which seat each name has.
        let seat = verify(&bytes).ok().and_then(|report| seat_of(&report, NAMES[program]));
        let seat = seat.map_or(program + 1, |seat| usize::from(seat.number()));
        let kept = out.join(format!("seat-{seat}.fairdeal"));
        std::fs::rename(replay, &kept)
            .and_then(|()| std::fs::remove_dir_all(program_home(out, program)))
            .map_err(|error| Failed::new(FILE, error))?;
        files.push((seat, NAMES[program], bytes, kept));
    }
    files.sort();
    let first = files.first().map_or(&[][..], |(_, _, bytes, _)| bytes.as_slice());
    let checked = verify(first);
    if let Ok(report) = &checked {
        let name = |seat: Seat| {
            report.table.player(seat).map(|join| join.name.to_string()).unwrap_or_default()
        };
        let totals = report.table.game().totals();
        let points = totals.iter().map(|(seat, points)| format!("{} {points}", name(seat)));
        let winners: Vec<String> = report.table.game().winners().iter().map(name).collect();
        let points = points.collect::<Vec<_>>().join(", ");
        print(&format!("points: {points}; winner: {}\n", winners.join(" and ")));
    }
    for (seat, name, bytes, path) in &files {
        let sum = data_encoding::HEXLOWER.encode(&Sha256::digest(bytes));
        print(&format!("seat {seat}  {name:<5} {}  {sum}\n", path.display()));
    }
    let alike = files.iter().all(|(_, _, bytes, _)| bytes == first);
    let (verdict, code) = (proof::line(&checked), code_of(&checked));
    let alike_words = if alike { "all files are byte-identical" } else { "THE FILES DIFFER" };
    print(&format!("{alike_words}; {verdict}\n"));
    Ok(if alike { code } else { code.max(WRONG) })
}
