//! The screens as a command shows them.

use std::{io::IsTerminal, path::PathBuf};

use super::{
    Common, DONE, Failed,
    common::read_file,
    replay,
    sit::{block_on, failed},
};
use crate::{
    protocol::{limits::LOG_BYTES_MAX, name::Name},
    ui::{
        app::Begin,
        drive::{self, Left, Options, Start},
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

/// Shows the screens: the home screen, or one game.
pub(super) fn show(
    common: &Common,
    begin: Option<Begin>,
    name: Option<Name>,
) -> Result<u8, Failed> {
    show_from(common, begin.map_or(Start::Home, |begin| Start::Table(Box::new(begin))), name)
}

/// Shows the screens, from there.
pub(super) fn show_from(common: &Common, start: Start, name: Option<Name>) -> Result<u8, Failed> {
    let no_colour = std::env::var_os("NO_COLOR").is_some_and(|set| !set.is_empty());
    let options = Options {
        look: Look { ascii: common.ascii, colour: !no_colour },
        bell: !common.no_bell,
        profile: common.profile.clone(),
        name,
    };
    let home = common.home()?;
    let reader = |path: &PathBuf| {
        let bytes = read_file(path, LOG_BYTES_MAX);
        let bytes = bytes.map_err(|failed| format!("{:#}", failed.error))?;
        replay::open(path, &bytes).map_err(|wrong| format!("{}: {wrong}", path.display()))
    };
    let shown =
        block_on(async move { drive::run(options, home, start, reader).await.map_err(failed) });
    let Left { words, failed: failure, signal } = shown?;
    words.iter().for_each(|line| say(line));
    match (failure, signal) {
        (Some(failure), _) => Err(failed(failure)),
        (None, Some(number)) => Ok(128 + number),
        (None, None) => Ok(DONE),
    }
}
