//! A running game on disk: the log, which is the replay, and the journals of the seats this
//! process plays.

use std::{
    fs,
    io::ErrorKind,
    path::{Path, PathBuf},
};

use serde::{Deserialize, Serialize};

use super::{
    Profile, StoreError, at,
    files::{Growing, make_folder, sync_folder, write_whole},
    profile::load_secret,
};
use crate::{
    bot::Bot,
    game::Seat,
    planted::{Bug, planted},
    protocol::{
        crypto::hash::Secret,
        limits::LOG_BYTES_MAX,
        log::file::{FileError, Frames, MAGIC, frame},
        table::Table,
    },
};

/// How this process came to the table.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub enum Role {
    /// It opened the table.
    Host,
    /// It was invited.
    Guest,
    /// It plays alone, without a network.
    Alone,
}

/// What must be known to go on with a game, besides its log.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Meta {
    /// The table's id, hexadecimal.
    pub table: String,
    /// How this process came to the table.
    pub role: Role,
    /// The profile that plays.
    pub profile: String,
    /// The invite that leads to the table.
    pub invite: String,
    /// The port this process listened on.
    pub port: u16,
    /// Whether it listened on this machine only.
    pub local: bool,
    /// Whether it could be found on the local network.
    pub lan: bool,
    /// Whether nobody may watch.
    #[serde(default)]
    pub no_watch: bool,
    /// The bot that plays the own seat, if one does.
    pub bot: Option<Bot>,
    /// The bot that plays the seats this process keeps, if it keeps any.
    pub bots: Option<Bot>,
    /// Where the other players were reached before they said anything of it: key (hexadecimal)
    /// and addresses.
    pub addresses: Vec<(String, Vec<String>)>,
    /// Where the other players say that they are: key and signed words (hexadecimal).
    #[serde(default)]
    pub whereabouts: Vec<(String, String)>,
    /// The relays through which the players find each other.
    #[serde(default)]
    pub relays: Vec<String>,
}

impl Meta {
    /// Of a game of `profile` alone with its bots: there is no network.
    pub fn alone(table: String, profile: &Profile, bots: Bot) -> Meta {
        Meta {
            table,
            role: Role::Alone,
            profile: profile.name().into(),
            invite: String::new(),
            port: 0,
            local: true,
            lan: false,
            no_watch: true,
            bot: None,
            bots: Some(bots),
            addresses: Vec::new(),
            whereabouts: Vec::new(),
            relays: Vec::new(),
        }
    }
}

/// The folder of a running game.
#[derive(Debug)]
pub struct GameDir {
    folder: PathBuf,
    secret_path: PathBuf,
    secret: Secret,
    meta: Meta,
    log: Growing,
    log_records: Vec<Vec<u8>>,
    journals: Vec<(Seat, Growing)>,
}

impl GameDir {
    /// Makes the folder of a new game with its first record, the roster.
    ///
    /// # Errors
    /// [`StoreError`] if it cannot be written; nothing of it is then left.
    pub fn create(profile: &Profile, meta: Meta, roster: &[u8]) -> Result<GameDir, StoreError> {
        let name = folder_name(&meta.table, &meta.profile);
        let folder = profile.home().games().join(&name);
        let secret = profile.secret_path(&name);
        if !lacks_log(&folder) {
            let reason = "this game has begun; go on with it by `fairdeal resume`".into();
            return Err(StoreError::Damaged { path: folder, reason });
        }
        let id = Table::found(roster).map(|(table, _)| *table.game_id());
        let reason = "the roster is not right".to_owned();
        let id = id.map_err(|_| StoreError::Damaged { path: folder.clone(), reason })?;
        if profile.has_begun(&id)? {
            let reason = "this game was played here before; open a new table for the next".into();
            return Err(StoreError::Damaged { path: folder, reason });
        }
        let make = || {
            make_folder(&folder)?;
            load_secret(&secret)?;
            let first = [MAGIC.as_slice(), &frame(roster)].concat();
            write_whole(&folder.join(LOG), &first)?;
            write_whole(&folder.join(META), &encode_meta(&meta))?;
            sync_folder(&profile.home().games())?;
            let game = GameDir::open(profile, &folder)?;
            profile.note_begun(&id)?;
            Ok(game)
        };
        make().inspect_err(|_| remove(&folder, &secret).unwrap_or_default())
    }

    /// The running game of this table (its id, hexadecimal) that a profile plays, if it plays one.
    ///
    /// # Errors
    /// [`StoreError`] if it cannot be read or is not as fairdeal wrote it.
    pub fn find(profile: &Profile, table: &str) -> Result<Option<GameDir>, StoreError> {
        let folder = profile.home().games().join(folder_name(table, profile.name()));
        if lacks_log(&folder) { Ok(None) } else { GameDir::open(profile, &folder).map(Some) }
    }

    /// Removes what is left of a profile's games that are over: folders without a log. The profile
    /// must be locked.
    pub(super) fn sweep(profile: &Profile) {
        let Ok(entries) = fs::read_dir(profile.home().games()) else { return };
        for folder in entries.filter_map(|entry| Some(entry.ok()?.path())) {
            let name = folder.file_name().unwrap_or_default().to_string_lossy();
            let own = name.split_once('-').is_some_and(|(_, of)| of == profile.name());
            if own && lacks_log(&folder) {
                remove(&folder, &profile.secret_path(&name)).unwrap_or_default();
            }
        }
    }

    /// Opens the folder of a running game. A record torn by a crash is cut from the log's end.
    ///
    /// # Errors
    /// [`StoreError`] if it cannot be read or is not as fairdeal wrote it.
    pub fn open(profile: &Profile, folder: &Path) -> Result<GameDir, StoreError> {
        let meta = GameDir::meta_of(folder)?;
        let secret_path = profile.secret_path(&folder_name(&meta.table, &meta.profile));
        let secret = load_secret(&secret_path)?;
        let (mut log, bytes) = Growing::open(folder.join(LOG), LOG_BYTES_MAX)?;
        let damaged = |reason: FileError| StoreError::Damaged {
            path: folder.join(LOG),
            reason: reason.to_string(),
        };
        let frames = Frames::new(&bytes).map_err(damaged)?;
        let log_records = whole_frames(frames, &mut log, MAGIC.len() as u64)?;
        Ok(GameDir {
            folder: folder.to_owned(),
            secret_path,
            secret,
            meta,
            log,
            log_records,
            journals: Vec::new(),
        })
    }

    /// What is known of the game in a folder, and when its log last grew.
    #[cfg(feature = "net")]
    pub(super) fn glance(folder: &Path) -> Result<(Meta, std::time::SystemTime), StoreError> {
        let log = folder.join(LOG);
        let grown = fs::metadata(&log).and_then(|data| data.modified()).map_err(at(&log))?;
        Ok((GameDir::meta_of(folder)?, grown))
    }

    fn meta_of(folder: &Path) -> Result<Meta, StoreError> {
        let path = folder.join(META);
        let bytes = fs::read(&path).map_err(at(&path))?;
        serde_json::from_slice(&bytes)
            .map_err(|error| StoreError::Damaged { path, reason: error.to_string() })
    }

    /// What is known of the game.
    pub fn meta(&self) -> &Meta {
        &self.meta
    }

    /// Replaces what is known of the game.
    ///
    /// # Errors
    /// [`StoreError`] if it cannot be written; the old one then stands.
    pub fn set_meta(&mut self, meta: Meta) -> Result<(), StoreError> {
        write_whole(&self.folder.join(META), &encode_meta(&meta))?;
        self.meta = meta;
        Ok(())
    }

    /// 32 secret bytes drawn for this game.
    pub fn secret(&self) -> &Secret {
        &self.secret
    }

    /// The log's records as they were when the folder was opened.
    pub fn log_records(&self) -> &[Vec<u8>] {
        &self.log_records
    }

    /// Where the log is.
    pub fn log_path(&self) -> &Path {
        self.log.path()
    }

    /// Cuts the log to its first `count` records: those of phases that every seat had filled.
    ///
    /// # Errors
    /// [`StoreError`] if the file cannot be changed.
    pub fn keep_records(&mut self, count: usize) -> Result<(), StoreError> {
        self.log_records.truncate(count);
        let bytes: u64 = self.log_records.iter().map(|record| 4 + record.len() as u64).sum();
        self.log.cut(MAGIC.len() as u64 + bytes)
    }

    /// The own records of a seat, in the order they were signed.
    ///
    /// # Errors
    /// [`StoreError`] if the journal cannot be read.
    pub fn open_journal(&mut self, seat: Seat) -> Result<Vec<Vec<u8>>, StoreError> {
        let path = self.folder.join(format!("journal-{}", seat.number()));
        let (mut journal, bytes) = Growing::open(path, LOG_BYTES_MAX)?;
        sync_folder(&self.folder)?;
        let mut records = whole_frames(Frames::headless(&bytes), &mut journal, 0)?;
        if planted(Bug::DropsLast) {
            records.pop();
        }
        self.journals.push((seat, journal));
        Ok(records)
    }

    /// Writes an own record of a seat into its journal.
    ///
    /// # Errors
    /// [`StoreError`] if it is not on disk; the journal is then as it was.
    pub fn journal(&mut self, seat: Seat, record: &[u8]) -> Result<(), StoreError> {
        match self.journals.iter_mut().find(|(of, _)| *of == seat) {
            Some((_, journal)) => journal.append(&frame(record)),
            None => {
                self.open_journal(seat)?;
                self.journal(seat, record)
            }
        }
    }

    /// Appends records to the log.
    ///
    /// # Errors
    /// [`StoreError`] if they are not on disk; the log is then as it was.
    pub fn append(&mut self, records: &[Vec<u8>]) -> Result<(), StoreError> {
        let bytes: Vec<u8> = records.iter().flat_map(|record| frame(record)).collect();
        self.log.append(&bytes)
    }

    /// Cuts these records, the last ones, off the log's end. They are kept in a file of their own
    /// beside it.
    ///
    /// # Errors
    /// [`StoreError`] if they cannot be kept or the log cannot be cut.
    pub fn undo(&mut self, kept: u32, tail: &[Vec<u8>]) -> Result<(), StoreError> {
        let bytes: Vec<u8> = tail.iter().flat_map(|record| frame(record)).collect();
        write_whole(&self.folder.join(format!("undone-{kept}")), &bytes)?;
        self.log.cut_tail(bytes.len() as u64)
    }

    /// Moves the log of a finished game to `replay`, then removes the folder and the secret; what
    /// a failing disk leaves of them is swept when the profile is opened next.
    ///
    /// # Errors
    /// [`StoreError`] if the log cannot be moved; everything is then where it was.
    pub fn finish(self, replay: &Path) -> Result<(), StoreError> {
        fs::rename(self.log.path(), replay).map_err(at(replay))?;
        drop((self.log, self.journals));
        let synced = sync_folder(replay.parent().unwrap_or(Path::new(".")));
        synced.and_then(|()| remove(&self.folder, &self.secret_path)).unwrap_or_default();
        Ok(())
    }
}

/// Whether there certainly is no log: where the disk does not say, there may be one.
fn lacks_log(folder: &Path) -> bool {
    matches!(folder.join(LOG).try_exists(), Ok(false))
}

/// Removes a game's secret and its folder, in this order: what is left can be found by the folder.
fn remove(folder: &Path, secret: &Path) -> Result<(), StoreError> {
    match fs::remove_file(secret) {
        Err(error) if error.kind() != ErrorKind::NotFound => return Err(at(secret)(error)),
        _ => fs::remove_dir_all(folder).map_err(at(folder)),
    }
}

const LOG: &str = "game.fairdeal";
const META: &str = "game.json";

fn encode_meta(meta: &Meta) -> Vec<u8> {
    serde_json::to_vec_pretty(meta).unwrap_or_default()
}

/// `games/` holds one folder a table and profile: two profiles at one table do not collide.
fn folder_name(table: &str, profile: &str) -> String {
    let table: String = table.chars().take(16).collect();
    format!("{table}-{profile}")
}

/// The whole frames of a file; what a crash has torn at its end is cut.
fn whole_frames(
    frames: Frames<'_>,
    file: &mut Growing,
    start: u64,
) -> Result<Vec<Vec<u8>>, StoreError> {
    let mut records = Vec::new();
    let mut end = start;
    for found in frames {
        match found {
            Ok((offset, bytes)) => {
                records.push(bytes.to_vec());
                end = offset + 4 + bytes.len() as u64;
            }
            Err(FileError::Torn { .. } | FileError::Length { .. }) => {
                if !planted(Bug::KeepsTorn) {
                    file.cut(end)?;
                }
                break;
            }
            Err(error) => {
                let path = file.path().to_owned();
                return Err(StoreError::Damaged { path, reason: error.to_string() });
            }
        }
    }
    Ok(records)
}
