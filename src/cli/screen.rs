//! The screens as a command shows them.

use std::io::IsTerminal;

pub(super) use crate::ui::drive::Start;

use super::{
    Common, DONE, Failed,
    common::{block_on, failed},
};
use crate::{
    protocol::name::Name,
    ui::{
        drive::{self, Left, Options},
        lines::say,
        look::Look,
    },
};

impl Common {
    /// Whether there is a terminal for screens, and they are wanted.
    pub(super) fn has_screen(&self) -> bool {
        let dumb = std::env::var_os("TERM").is_some_and(|term| term == "dumb");
        !self.no_tui && !dumb && std::io::stdin().is_terminal() && std::io::stdout().is_terminal()
    }
}

/// Shows the screens, from there.
pub(super) fn show(common: &Common, start: Start, name: Option<Name>) -> Result<u8, Failed> {
    let no_colour = std::env::var_os("NO_COLOR").is_some_and(|set| !set.is_empty());
    let options = Options {
        look: Look { ascii: common.ascii, colour: !no_colour },
        bell: !common.no_bell,
        profile: common.profile.clone(),
        name,
    };
    let home = common.home()?;
    let shown = block_on(async { drive::run(options, home, start).await.map_err(failed) });
    let Left { words, failed: failure, signal } = shown?;
    words.iter().for_each(|line| say(line));
    match (failure, signal) {
        (Some(failure), _) => Err(failed(failure)),
        (None, Some(number)) => Ok(128 + number),
        (None, None) => Ok(DONE),
    }
}
