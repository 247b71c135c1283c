//! Unfinished games to go on with, and what finished ones are called.

use std::path::PathBuf;

use crate::{
    protocol::lobby::Roster,
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
