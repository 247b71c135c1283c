//! `fairdeal watch`

use super::{
    Common, Failed,
    common::{parse_name, target},
    sit::sit,
};
use crate::{protocol::name::Name, run::Begin};

/// Watch a table with its host's invite: what everyone at it sees
///
/// No hand is shown, and of a scouted card not which way up it was put. In a sealed deal the log
/// that is sent has no card before it is shown; in an open deal it gives all cards away, so there
/// this program keeps them from your screen and a changed one could show them. The players see how
/// many people are watching. Nothing is written to your disk.
///
/// Example: fairdeal watch deal1…
#[derive(Debug, clap::Args)]
pub struct Args {
    /// The invite, a table's two words, an address, or - to read it from standard input
    #[arg(value_name = "INVITE|WORDS|ADDRESS|-", required = true)]
    target: Vec<String>,
    /// Your name, as the host's program is told it; remembered
    #[arg(long, value_parser = parse_name)]
    name: Option<Name>,
    /// Listen on this machine only
    #[arg(long)]
    local: bool,
}

pub(super) fn run(common: &Common, args: Args) -> Result<u8, Failed> {
    sit(common, Begin::Watch { target: target(&args.target)?, local: args.local }, args.name)
}
