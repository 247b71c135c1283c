//! What every command shares: options, the profile, output.

use std::{
    fs::File,
    future::Future,
    io::{self, BufRead, IsTerminal, Write},
    path::{Path, PathBuf},
    str::FromStr,
    sync::Mutex,
};

use super::{BUG, DONE, FILE, Failed, INTERRUPTED, NETWORK, UNFINISHED, WRONG};
use crate::{
    game::{Players, Seat},
    protocol::{
        log::{
            file::FileError,
            verify::{Report, Wrong},
        },
        name::Name,
    },
    run::{Cause, Failure},
    store::{Home, Profile},
};

/// Longest text record read, in bytes: five long rounds are below a tenth of it.
const TEXT_BYTES_MAX: u64 = 8 * 1024 * 1024;

/// Options every command understands.
#[derive(Debug, clap::Args)]
pub struct Common {
    /// Play as this profile: a key and a name of its own on this machine
    #[arg(long, global = true, value_name = "NAME")]
    pub profile: Option<String>,
    /// Plain text instead of the full-screen interface
    #[arg(long, global = true)]
    pub no_tui: bool,
    /// Only ASCII characters on the screen
    #[arg(long, global = true)]
    pub ascii: bool,
    /// No bell when it is your turn
    #[arg(long, global = true)]
    pub no_bell: bool,
    /// Write what the program does to this file
    #[arg(long, global = true, value_name = "FILE")]
    pub log: Option<PathBuf>,
}

/// The exit code for a checked log.
pub(super) fn code_of(checked: &Result<Report, Wrong>) -> u8 {
    match checked {
        Ok(report) if report.complete() => DONE,
        Ok(_) => UNFINISHED,
        Err(wrong) => code_of_wrong(wrong),
    }
}

/// The exit code for a log that is wrong, or for a file that is not a log.
fn code_of_wrong(wrong: &Wrong) -> u8 {
    match wrong {
        Wrong::File(FileError::NotALog | FileError::Version) => FILE,
        _ => WRONG,
    }
}

/// What is wrong with this file.
pub(super) fn wrong_file(path: &Path, wrong: &Wrong) -> Failed {
    Failed::new(code_of_wrong(wrong), anyhow::anyhow!("{}: {wrong}", path.display()))
}

impl Common {
    /// Starts writing the log, if one is asked for.
    pub(super) fn start_log(&self) -> anyhow::Result<()> {
        let Some(path) = &self.log else { return Ok(()) };
        let file = File::options().create(true).append(true).open(path)?;
        let level = std::env::var("FAIRDEAL_LOG").ok().and_then(|level| level.parse().ok());
        tracing_subscriber::fmt()
            .with_writer(Mutex::new(file))
            .with_ansi(false)
            .with_max_level(level.unwrap_or(tracing::Level::INFO))
            .init();
        Ok(())
    }

    /// The home folder.
    pub(super) fn home(&self) -> Result<Home, Failed> {
        Home::find().map_err(|error| Failed::new(FILE, error))
    }

    /// Opens the profile and says so if it is not the usual one.
    pub(super) fn open_profile(&self, home: &Home) -> Result<Profile, Failed> {
        let profile = Profile::open(home, self.profile.as_deref());
        let profile = profile.map_err(|error| Failed::new(FILE, error))?;
        if self.profile.is_none() && profile.is_spare() {
            complain(&format_args!(
                "Another fairdeal runs here as profile main; this one plays as profile {}.",
                profile.name()
            ));
        }
        Ok(profile)
    }
}

/// Runs a task on a runtime of its own.
pub(super) fn block_on<T>(task: impl Future<Output = Result<T, Failed>>) -> Result<T, Failed> {
    let runtime = tokio::runtime::Builder::new_multi_thread()
        .worker_threads(2)
        .enable_all()
        .build()
        .map_err(|error| Failed::new(FILE, error))?;
    let done = runtime.block_on(task);
    runtime.shutdown_background();
    done
}

/// A failure with the exit code for its kind.
pub(super) fn failed(failure: impl Into<Failure>) -> Failed {
    let failure = failure.into();
    let code = match failure.cause {
        Cause::File => FILE,
        Cause::Network => NETWORK,
        Cause::Bug => BUG,
    };
    Failed::new(code, failure)
}

/// Waits for `task`, or for Ctrl-C, which ends the program with its code.
pub(super) async fn or_interrupt<T>(
    task: impl Future<Output = Result<T, Failed>>,
) -> Result<T, Failed> {
    tokio::select! {
        // Ctrl-C is listened for before the task says anything.
        biased;
        _ = tokio::signal::ctrl_c() => Err(interrupted()),
        done = task => done,
    }
}

/// Ctrl-C has ended the program.
pub(super) fn interrupted() -> Failed {
    Failed::new(INTERRUPTED, anyhow::anyhow!("interrupted"))
}

/// The table, or whatever else is read so, that these words, or a line of standard input, lead to.
pub(super) fn target<T>(words: &[String]) -> Result<T, Failed>
where
    T: FromStr<Err: std::error::Error + Send + Sync + 'static>,
{
    let mut text = words.join(" ");
    if text == "-" {
        text.clear();
        let read = io::stdin().lock().read_line(&mut text);
        read.map_err(|error| Failed::new(FILE, error))?;
    }
    text.parse().map_err(|error| Failed::new(2, anyhow::Error::new(error)))
}

/// The player's name: the one given, the one remembered, or the answer to a question.
pub(super) fn player_name(profile: &Profile, given: Option<Name>) -> Result<Name, Failed> {
    let store = |error| Failed::new(FILE, error);
    let remembered = profile.player().map_err(store)?;
    let name = match (given, remembered) {
        (None, Some(name)) => return Ok(name),
        (Some(name), _) => name,
        (None, None) => ask_name()?,
    };
    profile.set_player(&name).map_err(store)?;
    Ok(name)
}

fn ask_name() -> Result<Name, Failed> {
    let login = std::env::var("USER").or_else(|_| std::env::var("USERNAME")).unwrap_or_default();
    let login = login.parse().or_else(|_| "player".parse::<Name>());
    let login = login.map_err(|error| Failed::new(FILE, error))?;
    if !io::stdin().is_terminal() || !io::stderr().is_terminal() {
        return Ok(login);
    }
    loop {
        eprint!("Your name at the table [{login}]: ");
        let mut line = String::new();
        let read = io::stdin().lock().read_line(&mut line);
        read.map_err(|error| Failed::new(FILE, error))?;
        match line.trim() {
            "" => return Ok(login),
            text => match text.parse() {
                Ok(name) => return Ok(name),
                Err(error) => complain(&error),
            },
        }
    }
}

/// Writes to standard output; a reader that has gone away is no error.
pub(super) fn print(text: &str) {
    let mut out = io::stdout().lock();
    let _ = out.write_all(text.as_bytes()).and_then(|()| out.flush());
}

/// Reads a file whole, `-` being standard input.
pub(super) fn read_file(path: &Path, bytes_max: u64) -> Result<Vec<u8>, Failed> {
    let fail = |error: io::Error| {
        let named = anyhow::Error::new(error).context(format!("cannot read {}", path.display()));
        Failed::new(FILE, named)
    };
    let mut bytes = Vec::new();
    if path.as_os_str() == "-" {
        io::Read::read_to_end(&mut io::Read::take(io::stdin().lock(), bytes_max + 1), &mut bytes)
            .map_err(fail)?;
    } else {
        let file = File::open(path).map_err(fail)?;
        io::Read::read_to_end(&mut io::Read::take(file, bytes_max + 1), &mut bytes)
            .map_err(fail)?;
    }
    if bytes.len() as u64 > bytes_max {
        return Err(fail(io::Error::other("it is too large to be a game")));
    }
    Ok(bytes)
}

/// A name from the command line.
pub(super) fn parse_name(text: &str) -> Result<Name, String> {
    text.trim().parse().map_err(|error: crate::protocol::name::NameError| error.to_string())
}

/// A seat by its number.
pub(super) fn parse_seat(text: &str) -> Result<Seat, String> {
    let seat = text.parse().ok().and_then(Seat::from_number);
    seat.ok_or_else(|| "seats are numbered from 1 to 5".into())
}

/// Two to five.
pub(super) fn parse_players(text: &str) -> Result<Players, String> {
    let count = text.parse().ok().and_then(Players::new);
    count.ok_or_else(|| "SCOUT is played by 2 to 5".into())
}

/// The text of a file, `-` for standard input; where it cannot be read, the reason is on
/// standard error.
pub(super) fn text_of(file: &Path) -> Option<String> {
    let text = read_file(file, TEXT_BYTES_MAX).and_then(|bytes| {
        String::from_utf8(bytes).map_err(|_| {
            Failed::new(FILE, anyhow::anyhow!("{} is no text: not UTF-8", file.display()))
        })
    });
    text.map_err(|failed| complain(&format_args!("fairdeal: {:#}", failed.error))).ok()
}

/// Words for people, on standard error.
pub(super) fn complain(words: &impl std::fmt::Display) {
    // There is nobody left to tell if standard error is closed.
    let _ = writeln!(io::stderr(), "{words}");
}

/// The code, unless writing failed; a reader that has seen enough is no failure.
pub(super) fn written(result: io::Result<()>, code: u8) -> Result<u8, Failed> {
    match result {
        Err(error) if error.kind() != io::ErrorKind::BrokenPipe => {
            let error = anyhow::Error::new(error).context("cannot write to standard output");
            Err(Failed::new(FILE, error))
        }
        _ => Ok(code),
    }
}
