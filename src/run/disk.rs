//! Unfinished games to go on with, and what finished ones are called.

use std::{
    fs::{self, File},
    io::Read,
    path::{Path, PathBuf},
};

use super::{greet::table_id, peers::parse_key};
use crate::{
    net::{ADDRESSES, Address, Invite, PeerKey, RELAYS},
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

/// The id of the table that an invite leads to, as the disk has it.
pub fn table_of(invite: &Invite) -> String {
    data_encoding::HEXLOWER.encode(&table_id(&invite.host(), invite.secret()))
}

/// Takes the ways that a newer line to the table of an unfinished game names.
///
/// # Errors
/// [`StoreError`] if the game cannot be read or written.
pub fn take_line(profile: &Profile, folder: &Path, invite: &Invite) -> Result<(), StoreError> {
    let mut game = GameDir::open(profile, folder)?;
    let mut meta = game.meta().clone();
    let newer = |texts: &mut Vec<String>, addresses: &[Address], most: usize| {
        let named: Vec<String> = addresses.iter().map(Address::to_string).collect();
        texts.retain(|text| !named.contains(text));
        texts.extend(named);
        texts.drain(..texts.len().saturating_sub(most));
    };
    let is_host = |key: &str| {
        let peer = parse_key(key).and_then(|key| PeerKey::new(*key.as_bytes()));
        peer.is_some_and(|peer| peer.hash() == invite.host())
    };
    if let Some((_, texts)) = meta.addresses.iter_mut().find(|(key, _)| is_host(key)) {
        newer(texts, invite.addresses(), ADDRESSES);
    }
    newer(&mut meta.relays, invite.relays(), RELAYS);
    meta.invite = invite.to_string();
    if meta == *game.meta() { Ok(()) } else { game.set_meta(meta) }
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
