//! An internet with routers in namespaces, by the script beside this file.

use std::path::PathBuf;
use std::process::{Command, Stdio};
use std::sync::atomic::{AtomicU8, Ordering};

use tempfile::TempDir;

use crate::program::Program;

/// Where the script's relay is.
pub const RELAY: &str = "198.51.100.10:7268";

/// The program.
const FAIRDEAL: &str = env!("CARGO_BIN_EXE_fairdeal");

/// The namespaces, and a folder for the homes of the programs; gone when dropped.
pub struct Lab {
    prefix: String,
    folder: TempDir,
}

impl Lab {
    /// Routers and peers of these kinds; `None`, with the reason printed, where there can be none.
    pub fn up(kinds: &[&str]) -> Option<Lab> {
        Lab::up_with(kinds, &[])
    }

    /// The same with lines of this quality (DELAY in ms, LOSS in per cent, a line and direction),
    /// or other settings of the script.
    pub fn up_with(kinds: &[&str], lines: &[(&str, &str)]) -> Option<Lab> {
        static NEXT: AtomicU8 = AtomicU8::new(b'a');
        let letter = NEXT.fetch_add(1, Ordering::Relaxed) as char;
        // Two runs at once on one machine have different names.
        let process = std::process::id() % 1296;
        let digit = |n: u32| char::from_digit(n, 36).expect("a digit");
        let prefix = format!("{letter}{}{}", digit(process / 36), digit(process % 36));
        if let Err(reason) = possible(&prefix, !lines.is_empty()) {
            let required = std::env::var("FAIRDEAL_NETNS").is_ok_and(|value| value == "required");
            assert!(!required, "{reason}");
            eprintln!("skipped: {reason}");
            return None;
        }
        let folder = tempfile::tempdir().expect("a folder");
        let lab = Lab { prefix, folder };
        lab.script(&["down"], &[]);
        let words: Vec<&str> = ["up"].iter().chain(kinds).copied().collect();
        lab.script(&words, lines);
        Some(lab)
    }

    /// Runs the script, as in `rebind 1`.
    pub fn does(&self, words: &str) {
        let words: Vec<&str> = words.split(' ').collect();
        self.script(&words, &[]);
    }

    fn script(&self, words: &[&str], lines: &[(&str, &str)]) {
        let script = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/netns/cardnet.sh");
        let status = Command::new("bash")
            .arg(script)
            .args(words)
            .env("NETNS_PREFIX", &self.prefix)
            .envs(lines.iter().copied())
            .stdout(Stdio::null())
            .status()
            .expect("bash");
        assert!(status.success(), "{words:?}");
    }

    /// Where the program of a node keeps its files.
    pub fn home(&self, node: &str) -> PathBuf {
        self.folder.path().join(node)
    }

    /// A program on a node.
    pub fn command(&self, node: &str, program: &str) -> Command {
        let mut command = Command::new("ip");
        command.args(["netns", "exec", &format!("{}-{node}", self.prefix), program]);
        command
    }

    /// Starts fairdeal on a node.
    pub fn start(&self, node: &str, args: &[&str]) -> Program {
        self.start_by(node, &[], args)
    }

    /// The same by way of another program that starts it.
    pub fn start_by(&self, node: &str, by: &[&str], args: &[&str]) -> Program {
        let whole: Vec<&str> = by.iter().copied().chain([FAIRDEAL]).collect();
        let mut command = self.command(node, whole[0]);
        command.args(&whole[1..]).args(args).args(["--no-tui", "--no-bell"]);
        command.env("FAIRDEAL_HOME", self.home(node)).env("USER", node);
        if let Ok(folder) = std::env::var("FAIRDEAL_NETNS_LOGS") {
            let log = format!("{folder}/{}-{node}.log", self.prefix);
            command.args(["--log", &log]).env("FAIRDEAL_LOG", "debug");
        }
        Program::start(node, command)
    }

    /// Starts the relay, and waits until it listens.
    pub fn relay(&self) -> Program {
        let relay = self.start("relay", &["relay"]);
        relay.until(&format!("fairdeal host --relay {RELAY}"));
        relay
    }
}

impl Drop for Lab {
    fn drop(&mut self) {
        self.script(&["down"], &[]);
    }
}

/// Whether namespaces can be made here.
fn possible(prefix: &str, cables: bool) -> Result<(), String> {
    let runs = |program: &str, args: &[&str]| {
        let mut command = Command::new(program);
        let status = command.args(args).stdout(Stdio::null()).stderr(Stdio::null()).status();
        status.is_ok_and(|status| status.success())
    };
    for program in ["ip", "iptables", "conntrack"] {
        if !runs(program, &["-V"]) {
            return Err(format!("no {program}: apt-get install iproute2 iptables conntrack"));
        }
    }
    if cables && !runs("python3", &["-V"]) {
        return Err("no python3, which carries the slow lines and forwards ports".into());
    }
    let probe = format!("{prefix}-t");
    let made = runs("ip", &["netns", "add", &probe]);
    let nat = made && runs("ip", &["netns", "exec", &probe, "iptables", "-t", "nat", "-S"]);
    runs("ip", &["netns", "del", &probe]);
    if nat { Ok(()) } else { Err("namespaces with routers cannot be made: not root?".into()) }
}
