//! How long a turn takes from one player's Enter to the other's screen, beside the raw round trip
//! of the same path and the disk, all in one run: whole programs in namespaces (see tests/netns).
//!
//! A turn is one way across, and two records that must be on a disk before they are told: in the
//! journal of the seat that acts, and in the log of the seat that sees it.
#![cfg(all(feature = "net", target_os = "linux"))]

// The tests use the rest of it.
#[allow(dead_code)]
#[path = "../tests/netns/lab.rs"]
mod lab;
#[allow(dead_code)]
#[path = "../tests/netns/program.rs"]
mod program;

use std::{
    fs::File,
    io::Write,
    time::{Duration, Instant},
};

use lab::{Lab, RELAY};
use program::Program;

fn main() {
    let heads = ["one way", "fsync", "p50", "max", "limit"].map(|head| format!("{head:>11}"));
    println!("{:<24}{}", "", heads.concat());
    for (name, lines) in [("a wire", &[][..]), ("300 ms there and back", &[("DELAY", "75")][..])] {
        match Lab::up_with(&["open", "open"], lines) {
            Some(lab) => measure(name, &lab),
            None => return,
        }
    }
}

fn measure(name: &str, lab: &Lab) {
    let host = ["host", "--new", "--players", "2", "--no-lan", "--name", "Ana"];
    let mut host = lab.start("p1", &host);
    let invite = host.until("fairdeal join deal1").replace("fairdeal join ", "");
    let guest = lab.start("p2", &["join", &invite, "--bot", "greedy", "--name", "Ben"]);
    guest.until("at the table of Ana, direct over");
    let (mut turns, mut disk) = (Vec::new(), Vec::new());
    let mut place = 0;
    loop {
        let (next, line) = host.until_after(place, "");
        place = next;
        let line = line.trim_start_matches("> ").trim();
        let asked = line.starts_with("Keep this hand") || line.starts_with("Your turn");
        if line.starts_with("The game is over") {
            break;
        } else if asked {
            disk.push(fsync(lab));
            says(&mut host, "?");
        } else if line == "keep" {
            says(&mut host, "keep");
        } else if line.starts_with("show ") || line.starts_with("scout ") {
            let sees = if line.starts_with("show ") { "Ana shows" } else { "Ana scouts" };
            let seen = guest.place();
            let enter = Instant::now();
            says(&mut host, line);
            guest.until_after(seen, sees);
            turns.push(enter.elapsed());
            // What else was listed is passed over.
            place = host.until_after(place, sees).0;
        }
    }
    let way = ping(lab) / 2;
    turns.sort();
    disk.sort();
    let (p50, max, disk) = (turns[turns.len() / 2], turns[turns.len() - 1], disk[disk.len() / 2]);
    let limit = way.mul_f64(1.2) + Duration::from_millis(3) + disk;
    let ms = |time: Duration| format!("{:>8.2} ms", time.as_secs_f64() * 1e3);
    println!(
        "{name:<24}{}  ({} turns)",
        [way, disk, p50, max, limit].map(ms).concat(),
        turns.len()
    );
}

/// Types a line. One that has ended cannot read it, and is noticed by its silence.
fn says(program: &mut Program, line: &str) {
    let _ = program.input.as_mut().map(|input| writeln!(input, "{line}"));
}

/// The raw round trip between the two, the mean of twenty.
fn ping(lab: &Lab) -> Duration {
    let address = format!("{}.102", RELAY.rsplit_once('.').expect("an address").0);
    let mut ping = lab.command("p1", "ping");
    let out = ping.args(["-q", "-c", "20", "-i", "0.2", &address]).output().expect("ping");
    let text = String::from_utf8_lossy(&out.stdout);
    let mean = text.rsplit('=').next().and_then(|times| times.split('/').nth(1));
    let ms: f64 = mean.and_then(|mean| mean.parse().ok()).unwrap_or_else(|| panic!("{text}"));
    Duration::from_secs_f64(ms / 1e3)
}

/// How long a record takes to be on the disk where the homes are.
fn fsync(lab: &Lab) -> Duration {
    let mut file = File::create(lab.home("fsync")).expect("a file");
    let begun = Instant::now();
    file.write_all(&[7; 300]).and_then(|()| file.sync_data()).expect("written");
    begun.elapsed()
}
