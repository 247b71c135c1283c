//! A running fairdeal: what it says, and a slow player in front of it.

use std::io::{BufRead, BufReader, Write};
use std::process::{Child, ChildStdin, Command, Stdio};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Condvar, Mutex, PoisonError};
use std::thread::{sleep, spawn};
use std::time::{Duration, Instant};

/// How long anything may take before a test gives up.
pub const PATIENCE: Duration = Duration::from_secs(60);

/// A program; ended when dropped.
pub struct Program {
    name: String,
    child: Child,
    said: Arc<Said>,
    /// Its standard input, until somebody plays.
    pub input: Option<ChildStdin>,
    begun: Instant,
}

#[derive(Default)]
struct Said {
    lines: Mutex<Vec<(Instant, String)>>,
    more: Condvar,
}

/// Whether slow players move.
#[derive(Clone, Default)]
pub struct Gate(Arc<AtomicBool>);

impl Gate {
    pub fn open(&self) {
        self.0.store(true, Ordering::Relaxed);
    }

    fn wait(&self) {
        while !self.0.load(Ordering::Relaxed) {
            sleep(Duration::from_millis(20));
        }
    }
}

impl Program {
    pub fn start(name: &str, mut command: Command) -> Program {
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
        let mut child = command.spawn().expect("it starts");
        let said = Arc::<Said>::default();
        let (out, error) = (child.stdout.take().expect("piped"), child.stderr.take());
        listen(BufReader::new(out), Arc::clone(&said));
        listen(BufReader::new(error.expect("piped")), Arc::clone(&said));
        let input = child.stdin.take();
        Program { name: name.into(), child, said, input, begun: Instant::now() }
    }

    /// Waits until a line holds this; gives the line.
    pub fn until(&self, part: &str) -> String {
        self.until_after(0, part).1
    }

    /// Waits until a line at this place or later holds this; gives the next place, and the line.
    pub fn until_after(&self, place: usize, part: &str) -> (usize, String) {
        let end = Instant::now() + PATIENCE;
        let mut lines = self.said.lines.lock().unwrap_or_else(PoisonError::into_inner);
        loop {
            let mut later = lines.iter().enumerate().skip(place);
            if let Some((at, (_, line))) = later.find(|(_, (_, line))| line.contains(part)) {
                return (at + 1, line.clone());
            }
            let left = end.saturating_duration_since(Instant::now());
            assert!(!left.is_zero(), "{} has not said {part:?}:\n{}", self.name, text(&lines));
            lines = self.said.more.wait_timeout(lines, left).expect("no panics").0;
        }
    }

    /// How many lines it has said.
    pub fn place(&self) -> usize {
        self.said.lines.lock().unwrap_or_else(PoisonError::into_inner).len()
    }

    /// Whether it has said this.
    pub fn has_said(&self, part: &str) -> bool {
        let lines = self.said.lines.lock().unwrap_or_else(PoisonError::into_inner);
        lines.iter().any(|(_, line)| line.contains(part))
    }

    /// Everything it has said.
    pub fn all(&self) -> String {
        text(&self.said.lines.lock().unwrap_or_else(PoisonError::into_inner))
    }

    /// When, after its start, it first said this.
    pub fn when(&self, part: &str) -> Duration {
        self.until(part);
        let lines = self.said.lines.lock().unwrap_or_else(PoisonError::into_inner);
        let found = lines.iter().find(|(_, line)| line.contains(part));
        found.map_or(Duration::ZERO, |(at, _)| at.duration_since(self.begun))
    }

    /// Lets somebody play who takes a moment for each move, and waits at a gate.
    pub fn played(&mut self, moment: Duration, gate: &Gate) {
        let mut input = self.input.take().expect("nobody plays yet");
        let (said, gate) = (Arc::clone(&self.said), gate.clone());
        spawn(move || {
            let mut place = 0;
            let mut choosing = false;
            loop {
                let mut lines = said.lines.lock().unwrap_or_else(PoisonError::into_inner);
                while lines.len() <= place {
                    lines = said.more.wait(lines).expect("no panics");
                }
                let line = lines[place].1.clone();
                drop(lines);
                place += 1;
                let line = line.trim_start_matches("> ").trim();
                let answer = if line.starts_with("Keep this hand") {
                    "keep"
                } else if line.starts_with("Your turn") {
                    choosing = true;
                    "?"
                } else if choosing && (line.starts_with("show ") || line.starts_with("scout ")) {
                    choosing = false;
                    line
                } else {
                    continue;
                };
                gate.wait();
                sleep(moment);
                if writeln!(input, "{answer}").is_err() {
                    return;
                }
            }
        });
    }

    /// The memory it has taken, in KiB, at its most.
    pub fn memory(&self) -> u64 {
        let status = std::fs::read_to_string(format!("/proc/{}/status", self.child.id()));
        let status = status.expect("it runs");
        let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:")).expect("a number");
        line.trim().trim_end_matches(" kB").parse().expect("a number")
    }

    /// Ends it as if its machine had lost power.
    pub fn kill(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }

    /// Waits until it has ended well.
    pub fn ends(&mut self) {
        let good = self.waits();
        assert!(good, "{} has failed:\n{}", self.name, self.all());
    }

    /// Waits until it has ended; whether well.
    pub fn waits(&mut self) -> bool {
        let end = Instant::now() + PATIENCE;
        loop {
            match self.child.try_wait().expect("a child") {
                Some(status) => return status.success(),
                None => assert!(Instant::now() < end, "{} goes on:\n{}", self.name, self.all()),
            }
            sleep(Duration::from_millis(20));
        }
    }
}

impl Drop for Program {
    fn drop(&mut self) {
        self.kill();
        if std::thread::panicking() {
            eprintln!("== {}\n{}", self.name, self.all());
        }
    }
}

fn listen(mut from: impl BufRead + Send + 'static, said: Arc<Said>) {
    spawn(move || {
        let mut line = String::new();
        while from.read_line(&mut line).is_ok_and(|count| count > 0) {
            let text = std::mem::take(&mut line).trim_end().to_owned();
            said.lines.lock().unwrap_or_else(PoisonError::into_inner).push((Instant::now(), text));
            said.more.notify_all();
        }
    });
}

fn text(lines: &[(Instant, String)]) -> String {
    let first = lines.first().map_or_else(Instant::now, |(at, _)| *at);
    let line = |(at, line): &(Instant, String)| {
        format!("{:7.3} {line}\n", at.duration_since(first).as_secs_f64())
    };
    lines.iter().map(line).collect()
}
