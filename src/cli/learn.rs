//! `fairdeal learn`

use super::{Common, DONE, Failed, common::print};
use crate::ui::text::RULES;

/// Learn the rules by doing, in five minutes
///
/// Lessons on fixed deals at the table screen; without a terminal, the rules in five sentences.
///
/// Example: fairdeal learn
#[derive(Debug, clap::Args)]
pub struct Args {}

pub(super) fn run(common: &Common, _: Args) -> Result<u8, Failed> {
    #[cfg(feature = "tui")]
    if common.has_screen() {
        return super::screen::show(common, super::screen::Start::Learn, None);
    }
    let _ = common;
    RULES.iter().for_each(|rule| print(&format!("{rule}\n")));
    print(
        "\nThe lessons are played on screens: `fairdeal learn` in a terminal, without --no-tui.\n",
    );
    Ok(DONE)
}
