//! `fairdeal completions`

use clap::CommandFactory;

use super::{Cli, Common, DONE, Failed};

/// Print completions for a shell
///
/// Example: fairdeal completions bash > ~/.local/share/bash-completion/completions/fairdeal
#[derive(Debug, clap::Args)]
pub struct Args {
    /// The shell
    shell: clap_complete::Shell,
}

pub(super) fn run(_: &Common, args: Args) -> Result<u8, Failed> {
    let mut script = Vec::new();
    clap_complete::generate(args.shell, &mut Cli::command(), "fairdeal", &mut script);
    super::common::print(&String::from_utf8_lossy(&script));
    Ok(DONE)
}
