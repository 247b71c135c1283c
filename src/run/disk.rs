//! Unfinished games to go on with, and what finished ones are called.

use std::{
    fs::{self, File},
    io::Read,
    path::PathBuf,
};

use crate::{
    protocol::{
        crypto::hash::Hash,
        limits::RECORD_BYTES_MAX,
        lobby::Roster,
        log::file::{Frames, MAGIC},
        table::Table,
    },
    store::{GameDir, Home, Meta, Profile, StoreError},
};

/// The newest unfinished game that `wanted` accepts and whose profile no other process uses,
/// with that profile; only games of `profile` if one is named.
///
/// # Errors
/// [`StoreError`] if the games cannot be listed.
pub fn resume_of(
    home: &Home,
    profile: Option<&str>,
    wanted: impl Fn(&Meta) -> bool,
) -> Result<Option<(Profile, PathBuf)>, StoreError> {
    for (folder, meta) in GameDir::running(&home.games())?.into_iter().rev() {
        if profile.is_some_and(|named| named != meta.profile) || !wanted(&meta) {
            continue;
        }
        match Profile::open(home, Some(&meta.profile)) {
            Ok(profile) => return Ok(Some((profile, folder))),
            Err(StoreError::InUse(_)) => {}
            Err(error) => return Err(error),
        }
    }
    Ok(None)
}

/// The file of the game that a home has finished at the table with this id.
pub(super) fn finished(home: &Home, table: &Hash) -> Option<PathBuf> {
    let files = fs::read_dir(home.replays()).ok()?.filter_map(|entry| Some(entry.ok()?.path()));
    let head = |path: &PathBuf| {
        let mut head = Vec::new();
        let most = (MAGIC.len() + 4 + RECORD_BYTES_MAX) as u64;
        File::open(path).ok()?.take(most).read_to_end(&mut head).ok()?;
        let (_, roster) = Frames::new(&head).ok()?.next()?.ok()?;
        Some(Table::found(roster).ok()?.0.roster().terms.id)
    };
    files.into_iter().find(|path| head(path) == Some(*table))
}

/// The name of a finished game's file: the day (UTC), the players, the game's id, the seat.
pub fn replay_name(roster: &Roster, seat_number: u8, now: time::OffsetDateTime) -> String {
    let plain = |name: &str| -> String {
        let letters = name.chars().filter(char::is_ascii_alphanumeric).take(12);
        letters.collect::<String>().to_ascii_lowercase()
    };
    let names: Vec<String> = roster.joins.iter().map(|join| plain(join.name.as_str())).collect();
    let id = data_encoding::HEXLOWER.encode(&roster.game_id()[..4]);
    let day = now.date();
    format!("{day}-{}-{id}-seat{seat_number}.fairdeal", names.join("-"))
}
