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

use clap::{Parser, Subcommand};

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
    command: Option<Command>,
}

#[derive(Debug, Subcommand)]
enum Command {
    Play(play::Args),
    Learn(learn::Args),
    Host(host::Args),
    Join(join::Args),
    Watch(watch::Args),
    Resume(resume::Args),
    Demo(demo::Args),
    Verify(verify::Args),
    Replay(replay::Args),
    Export(export::Args),
    Referee(referee::Args),
    Relay(relay::Args),
    Moves(moves::Args),
    Perft(perft::Args),
    Replays(replays::Args),
    Id(id::Args),
    Doctor(doctor::Args),
    Completions(completions::Args),
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
    let done = match command {
        Command::Play(args) => play::run(&common, args),
        Command::Learn(args) => learn::run(&common, args),
        Command::Host(args) => host::run(&common, args),
        Command::Join(args) => join::run(&common, args),
        Command::Watch(args) => watch::run(&common, args),
        Command::Resume(args) => resume::run(&common, args),
        Command::Demo(args) => demo::run(args),
        Command::Verify(args) => verify::run(args),
        Command::Replay(args) => replay::run(&common, args),
        Command::Export(args) => export::run(args),
        Command::Referee(args) => by_code(referee::run(args)),
        Command::Moves(args) => by_code(moves::run(args)),
        Command::Perft(args) => by_code(perft::run(args)),
        Command::Relay(args) => relay::run(&common, args),
        Command::Replays(args) => replays::run(&common, args),
        Command::Doctor(args) => doctor::run(&common, args),
        Command::Id(args) => id::run(&common, args),
        Command::Completions(args) => completions::run(args),
    };
    code_of(done)
}

/// The home screen on a terminal, a short guide elsewhere.
fn home(common: &Common) -> Result<u8, Failed> {
    #[cfg(feature = "tui")]
    if common.has_screen() {
        return screen::show(common, screen::Start::Home, None);
    }
    let _ = common;
    common::print(GUIDE);
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

fn by_code(done: anyhow::Result<u8>) -> Result<u8, Failed> {
    done.map_err(|error| Failed::new(FILE, error))
}

const GUIDE: &str = "\
fairdeal: the card game SCOUT, peer to peer, no dealer to trust

  fairdeal learn                learn the rules by doing, in five minutes
  fairdeal play                 play now against two bots, no network
  fairdeal host                 open a table and get a line to send to your friends
  fairdeal join LINE            join a table; without LINE, list the tables on this network
  fairdeal watch LINE           watch a table; you see what everyone at it sees
  fairdeal doctor               what stands between you and your friends
  fairdeal relay                help friends behind routers to meet
  fairdeal resume               go on with an unfinished game
  fairdeal replays              your finished games
  fairdeal replay FILE          look at one again, step by step
  fairdeal verify FILE          what a recorded game proves

  fairdeal --help               everything else
";
