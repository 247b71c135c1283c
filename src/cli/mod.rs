//! Arguments and exit codes; one file a subcommand.

mod common;
mod completions;
mod demo;
mod doctor;
mod export;
mod host;
mod id;
mod join;
mod learn;
mod moves;
mod names;
mod perft;
mod play;
mod referee;
mod relay;
mod replay;
mod replays;
mod resume;
#[cfg(feature = "tui")]
mod screen;
mod sit;
mod verify;
mod watch;

use std::process::ExitCode;

use clap::{CommandFactory, Parser, Subcommand};

pub use common::Common;

/// Done, and what was checked is right and complete.
pub const DONE: u8 = 0;
/// Something checked is wrong.
pub const WRONG: u8 = 1;
/// Right as far as it goes, and unfinished.
pub const UNFINISHED: u8 = 3;
/// A file cannot be read or written, or is none of ours.
pub const FILE: u8 = 4;
/// The network: no table, refused, unreachable.
pub const NETWORK: u8 = 5;
/// A bug of ours, as where Rust ends a program that panics.
pub const BUG: u8 = 101;
/// Ended by Ctrl-C.
pub const INTERRUPTED: u8 = 130;

/// An error that ends the program, with its exit code.
#[derive(Debug)]
pub struct Failed {
    code: u8,
    error: anyhow::Error,
}

impl Failed {
    /// An error with this exit code.
    pub fn new(code: u8, error: impl Into<anyhow::Error>) -> Failed {
        Failed { code, error: error.into() }
    }
}

const AFTER_HELP: &str = "\
Examples:
  fairdeal learn                   learn the rules by doing, in five minutes
  fairdeal host --players 3        open a table; send the printed line to your friends
  fairdeal join deal1…             join with that line; the same line again comes back
  fairdeal watch deal1…            watch a table with the line that joins it
  fairdeal demo                    watch three programs play a whole game on this machine
  fairdeal verify GAME.fairdeal    see what a recorded game proves
  fairdeal replay GAME.fairdeal    step through it: rounds, turns, whose hand to see

Exit codes:
  0 done, and what was checked is right and complete    1 something checked is wrong
  2 usage    3 verify: right as far as it goes, unfinished    4 a file cannot be used
  5 the network: no table, refused, unreachable    130 ended by Ctrl-C

Files are kept in FAIRDEAL_HOME, else in the platform's folder for data.";

/// The card game SCOUT for two to five friends in their terminals: peer to peer, without a
/// server, an account or a dealer to trust.
#[derive(Debug, Parser)]
#[command(version, max_term_width = 100, after_help = AFTER_HELP)]
pub struct Cli {
    #[command(flatten)]
    common: Common,
    #[command(subcommand)]
    command: Option<CliCommand>,
}

/// Makes the commands from the list below. A command is a module with `Args`, which are its help,
/// and `run`.
macro_rules! commands {
    ($($command:ident = $module:ident,)+) => {
        #[derive(Debug, Subcommand)]
        enum CliCommand {
            $($command($module::Args),)+
        }

        impl CliCommand {
            fn run(self, common: &Common) -> Result<u8, Failed> {
                match self { $(CliCommand::$command(args) => $module::run(common, args),)+ }
            }
        }
    };
}

commands! {
    Play = play,
    Learn = learn,
    Host = host,
    Join = join,
    Watch = watch,
    Resume = resume,
    Demo = demo,
    Verify = verify,
    Replay = replay,
    Export = export,
    Referee = referee,
    Relay = relay,
    Moves = moves,
    Perft = perft,
    Replays = replays,
    Id = id,
    Doctor = doctor,
    Completions = completions,
}

/// The commands: each name with what it does.
fn commands() -> Vec<(String, String)> {
    let cli = Cli::command();
    let shown = cli.get_subcommands().filter(|command| command.get_name() != "help");
    let about = |command: &clap::Command| command.get_about().map(ToString::to_string);
    shown
        .map(|command| (command.get_name().to_owned(), about(command).unwrap_or_default()))
        .collect()
}

/// The README's table of commands.
pub fn markdown() -> String {
    let row = |(name, about): (String, String)| format!("| `fairdeal {name}` | {about} |\n");
    let rows: String = commands().into_iter().map(row).collect();
    format!("| command | does |\n| --- | --- |\n{rows}")
}

/// What stands where there is no terminal for the home screen.
fn guide() -> String {
    let line = |(name, about): (String, String)| format!("  fairdeal {name:<12} {about}\n");
    let lines: String = commands().into_iter().map(line).collect();
    format!(
        "fairdeal: the card game SCOUT, peer to peer, no dealer to trust\n\n{lines}\n  \
         fairdeal --help       everything else\n"
    )
}

/// Runs the program and gives its exit code.
pub fn main() -> ExitCode {
    let cli = Cli::parse();
    let Cli { common, command } = cli;
    if let Err(error) = common.start_log() {
        common::complain(&format_args!("fairdeal: --log: {error:#}"));
        return FILE.into();
    }
    let Some(command) = command else { return code_of(home(&common)) };
    code_of(command.run(&common))
}

/// The home screen on a terminal, a short guide elsewhere.
fn home(common: &Common) -> Result<u8, Failed> {
    #[cfg(feature = "tui")]
    if common.has_screen() {
        return screen::show(common, screen::Start::Home, None);
    }
    let _ = common;
    common::print(&guide());
    Ok(DONE)
}

fn code_of(done: Result<u8, Failed>) -> ExitCode {
    match done {
        Ok(code) => code.into(),
        Err(Failed { code, error }) => {
            common::complain(&format_args!("fairdeal: {error:#}"));
            code.into()
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_commands_are_as_clap_wants_them() {
        Cli::command().debug_assert();
    }

    #[test]
    fn every_example_names_a_command() {
        let names: Vec<String> = commands().into_iter().map(|(name, _)| name).collect();
        let examples = AFTER_HELP.lines().filter_map(|line| line.strip_prefix("  fairdeal "));
        let mut count = 0;
        for example in examples {
            let name = example.split(' ').next().unwrap_or_default();
            assert!(name.is_empty() || names.iter().any(|known| known == name), "{example}");
            count += 1;
        }
        assert!(count > 5, "{AFTER_HELP}");
    }
}
