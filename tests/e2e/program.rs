//! A running `fairdeal`, heard line by line.

use std::{
    ffi::OsStr,
    io::{BufReader, Read, Write},
    path::Path,
    process::{Child, ChildStdin, Command, ExitStatus, Stdio},
    sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel},
    time::{Duration, Instant},
};

/// How long anything may take: the machine that runs the tests may be busy with others.
pub const PATIENCE: Duration = Duration::from_secs(120);

/// How often a process that should be ending is looked at.
const LOOK: Duration = Duration::from_millis(5);

/// The program with arguments, in a home.
pub fn command(home: &Path, args: &[impl AsRef<OsStr>]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_fairdeal"));
    command.args(args).env("FAIRDEAL_HOME", home).env("USER", "tester").env_remove("NO_COLOR");
    command.stdin(Stdio::null());
    command
}

/// What a program that has ended left behind.
#[derive(Debug)]
pub struct Done {
    /// Its exit code; `None` if a signal ended it.
    pub code: Option<i32>,
    /// Standard output.
    pub out: String,
    /// Standard error.
    pub err: String,
}

/// Runs the program to its end, with `input` on standard input.
pub fn run_with(home: &Path, args: &[impl AsRef<OsStr>], input: &str) -> Done {
    let mut command = command(home, args);
    command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut child = command.spawn().expect("the program starts");
    let mut stdin = child.stdin.take().expect("a pipe");
    let text = input.to_owned();
    // A program that has seen enough closes the pipe; that is its right.
    let writer = std::thread::spawn(move || drop(stdin.write_all(text.as_bytes())));
    let output = child.wait_with_output().expect("the program ends");
    writer.join().expect("the writer ends");
    Done {
        code: output.status.code(),
        out: String::from_utf8(output.stdout).expect("standard output is UTF-8"),
        err: String::from_utf8(output.stderr).expect("standard error is UTF-8"),
    }
}

/// Runs the program to its end.
pub fn run(home: &Path, args: &[impl AsRef<OsStr>]) -> Done {
    run_with(home, args, "")
}

/// What a program says.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Said {
    /// A line of standard output, without a prompt before it.
    Out(String),
    /// It waits at its prompt.
    Prompt,
    /// A line of standard error.
    Err(String),
    /// Standard output has been closed.
    Closed,
}

/// A program that runs; killed when dropped.
pub struct Program {
    child: Child,
    stdin: Option<ChildStdin>,
    heard: Receiver<Said>,
    told: Vec<String>,
}

impl Program {
    /// Starts the program with pipes to all its streams.
    pub fn start(home: &Path, args: &[impl AsRef<OsStr>]) -> Program {
        let mut command = command(home, args);
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
        let mut child = command.spawn().expect("the program starts");
        let (say, heard) = channel();
        let (out, err) = (child.stdout.take(), child.stderr.take());
        let stdin = child.stdin.take();
        let say_err = say.clone();
        std::thread::spawn(move || out.map(|out| listen(out, &say)));
        std::thread::spawn(move || {
            let lines = std::io::BufRead::lines(BufReader::new(err?));
            lines.map_while(Result::ok).try_for_each(|line| say_err.send(Said::Err(line)).ok())
        });
        Program { child, stdin, heard, told: Vec::new() }
    }

    /// The next thing it says, if it says something before `deadline`.
    pub fn next(&mut self, deadline: Instant) -> Option<Said> {
        let left = deadline.saturating_duration_since(Instant::now());
        match self.heard.recv_timeout(left) {
            Ok(said) => {
                self.told.push(format!("{said:?}"));
                Some(said)
            }
            Err(RecvTimeoutError::Disconnected) => Some(Said::Closed),
            Err(RecvTimeoutError::Timeout) => None,
        }
    }

    /// Waits for a line, on either stream, in which `wanted` finds something.
    pub fn wait_for<T>(&mut self, what: &str, wanted: impl Fn(&str) -> Option<T>) -> T {
        let deadline = Instant::now() + PATIENCE;
        loop {
            match self.next(deadline) {
                Some(Said::Out(line) | Said::Err(line)) => {
                    if let Some(found) = wanted(&line) {
                        return found;
                    }
                }
                Some(Said::Prompt) => {}
                Some(Said::Closed) | None => panic!("waited for {what}; heard:\n{}", self.heard()),
            }
        }
    }

    /// Waits for a line with these words.
    pub fn wait_for_words(&mut self, words: &str) -> String {
        self.wait_for(words, |line| line.contains(words).then(|| line.to_owned()))
    }

    /// Types a line. One that has ended cannot read it; the caller notices by its silence.
    pub fn type_line(&mut self, line: &str) {
        self.told.push(format!("<< {line}"));
        if let Some(stdin) = &mut self.stdin {
            let _ = stdin.write_all(format!("{line}\n").as_bytes()).and_then(|()| stdin.flush());
        }
    }

    /// Kills it as a power cut would, and waits until it is gone.
    pub fn kill(&mut self) {
        self.child.kill().expect("a running program can be killed");
        self.child.wait().expect("a killed program ends");
    }

    /// Sends the signal that Ctrl-C sends.
    pub fn interrupt(&self) {
        let kill = format!("kill -INT {}", self.child.id());
        let status = Command::new("sh").args(["-c", &kill]).status().expect("a shell");
        assert!(status.success(), "{kill}");
    }

    /// Whether it still runs.
    pub fn runs(&mut self) -> bool {
        self.child.try_wait().expect("its state is known").is_none()
    }

    /// Waits for its end; its exit code.
    pub fn end(&mut self) -> Option<i32> {
        let deadline = Instant::now() + PATIENCE;
        loop {
            if let Some(status) = self.child.try_wait().expect("its state is known") {
                return ExitStatus::code(&status);
            }
            assert!(Instant::now() < deadline, "it does not end; heard:\n{}", self.heard());
            std::thread::sleep(LOOK);
        }
    }

    /// What it has said, as far as that was looked at, and what was typed.
    pub fn told(&self) -> String {
        self.told.join("\n")
    }

    /// All it has said and been told so far, for the message of a test that fails.
    pub fn heard(&mut self) -> String {
        while let Ok(said) = self.heard.try_recv() {
            self.told.push(format!("{said:?}"));
        }
        self.told()
    }
}

impl Drop for Program {
    fn drop(&mut self) {
        // One that has ended by itself cannot be killed; nothing is lost by trying.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// Cuts standard output into lines; a prompt is not followed by a line's end.
fn listen(mut out: impl Read, say: &Sender<Said>) -> Option<()> {
    let (mut buffer, mut line) = ([0; 4096], Vec::new());
    while let Ok(count @ 1..) = out.read(&mut buffer) {
        for byte in &buffer[..count] {
            if *byte == b'\n' {
                let text = String::from_utf8_lossy(&line).replace('\x07', "");
                say.send(Said::Out(text)).ok()?;
                line.clear();
                continue;
            }
            line.push(*byte);
            if line == b"> " {
                say.send(Said::Prompt).ok()?;
                line.clear();
            }
        }
    }
    say.send(Said::Closed).ok()
}
