//! What the disk knows, for the screens.

use std::path::Path;

use crate::{
    store::{Home, Profile, finished, read_log, unfinished},
    ui::app::{home::Facts, replay::Replay},
};

/// Looks at the disk; what cannot be read is as if it were not there.
pub(super) fn facts(home: &Home, own: Option<&Profile>, named: Option<&str>) -> Facts {
    let name = own.and_then(|own| own.player().ok().flatten());
    let login = std::env::var("USER").or_else(|_| std::env::var("USERNAME")).unwrap_or_default();
    let proposed = if login.is_empty() { "player".into() } else { login };
    let games = unfinished(home, named).unwrap_or_default();
    let spare = own.filter(|own| own.is_spare() && named.is_none());
    let spare = spare.map(|own| own.name().to_string());
    let replays = finished(home).unwrap_or_default();
    Facts { name, spare, proposed, games, replays }
}

/// Reads a recorded game; or says why that cannot be.
pub(super) fn replay(path: &Path) -> Result<Replay, String> {
    let bytes = read_log(path).map_err(|error| error.to_string())?;
    let replay = Replay::read(&bytes, &Replay::title(path));
    replay.map_err(|wrong| format!("{}: {wrong}", path.display()))
}
