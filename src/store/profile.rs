//! A profile: one player's key and name on this machine, used by one process at a time.

use std::{
    fmt::Display,
    fs::{self, File, OpenOptions, TryLockError},
    path::PathBuf,
    str::FromStr,
};

use serde::{Deserialize, Serialize};

use super::{
    GameDir, Home, StoreError, at,
    files::{Growing, make_folder, write_whole},
};
use crate::protocol::{
    crypto::{
        hash::{Hash, Secret},
        identity::{Identity, PublicKey},
    },
    limits::LOG_BYTES_MAX,
    name::Name,
};

/// The profile that is used when none is named.
const DEFAULT: &str = "main";

/// How many default profiles are tried: more terminals than that on one machine is a loop.
const DEFAULTS_MAX: u32 = 32;

/// A locked profile.
///
/// ```
/// use fairdeal::store::{Home, Profile, StoreError};
///
/// # let folder = tempfile::tempdir().expect("a folder");
/// let home = Home::at(folder.path().join("home"))?;
/// let ana = Profile::open(&home, Some("ana"))?;
/// ana.set_player(&"Ana".parse().expect("a name"))?;
/// // One process, one use: the key would sign twice.
/// assert!(matches!(Profile::open(&home, Some("ana")), Err(StoreError::InUse(_))));
/// # Ok::<(), StoreError>(())
/// ```
#[derive(Debug)]
pub struct Profile {
    home: Home,
    name: String,
    identity: Identity,
    _lock: File,
}

/// Somebody met at a table.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Person {
    /// The name used last.
    pub name: Name,
    /// The key.
    pub key: PublicKey,
}

impl Profile {
    /// Opens and locks a profile, making it at its first use. Without a name it is `main`, or
    /// the first of `main-2`, `main-3`, … that no other process uses.
    ///
    /// # Errors
    /// [`StoreError`] if the named one is in use or its files cannot be used.
    pub fn open(home: &Home, name: Option<&str>) -> Result<Profile, StoreError> {
        if let Some(name) = name {
            check_name(name)?;
            return Profile::lock(home, name)?.ok_or_else(|| StoreError::InUse(name.into()));
        }
        for number in 1..=DEFAULTS_MAX {
            if let Some(profile) = Profile::lock(home, &default_name(number))? {
                return Ok(profile);
            }
        }
        Err(StoreError::TooMany)
    }

    /// The key and the player's name of a profile that may be in use, without locking it; the key
    /// is drawn if there is none yet.
    ///
    /// # Errors
    /// [`StoreError`] if its files cannot be used.
    pub fn peek(
        home: &Home,
        name: Option<&str>,
    ) -> Result<(String, PublicKey, Option<Name>), StoreError> {
        let name = name.unwrap_or(DEFAULT);
        check_name(name)?;
        let folder = home.profiles().join(name);
        make_folder(&folder.join("secrets"))?;
        let identity = load_identity(&folder.join("key"))?;
        Ok((name.to_owned(), identity.public(), read_player(&folder)?))
    }

    /// `None` if another process uses it.
    fn lock(home: &Home, name: &str) -> Result<Option<Profile>, StoreError> {
        let folder = home.profiles().join(name);
        make_folder(&folder.join("secrets"))?;
        let path = folder.join("lock");
        let mut options = OpenOptions::new();
        let lock =
            options.write(true).create(true).truncate(false).open(&path).map_err(at(&path))?;
        match lock.try_lock() {
            Ok(()) => {}
            Err(TryLockError::WouldBlock) => return Ok(None),
            Err(TryLockError::Error(error)) => return Err(at(&path)(error)),
        }
        let identity = load_identity(&folder.join("key"))?;
        let (home, name) = (home.clone(), name.to_owned());
        let profile = Profile { home, name, identity, _lock: lock };
        GameDir::sweep(&profile);
        Ok(Some(profile))
    }

    /// The home it is in.
    pub fn home(&self) -> &Home {
        &self.home
    }

    /// The profile's name.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Whether it is not the one a single terminal would get.
    pub fn is_spare(&self) -> bool {
        self.name.strip_prefix(DEFAULT).is_some_and(|rest| rest.starts_with('-'))
    }

    /// The key.
    pub fn identity(&self) -> &Identity {
        &self.identity
    }

    /// The player's name, if one has been chosen.
    ///
    /// # Errors
    /// [`StoreError`] if the file is there and cannot be read.
    pub fn player(&self) -> Result<Option<Name>, StoreError> {
        read_player(&self.folder())
    }

    /// Remembers the player's name.
    ///
    /// # Errors
    /// [`StoreError`] if it cannot be written.
    pub fn set_player(&self, name: &Name) -> Result<(), StoreError> {
        write_whole(&self.folder().join("name"), format!("{name}\n").as_bytes())
    }

    /// The relays used last; empty if none were.
    ///
    /// # Errors
    /// [`StoreError`] if the file is there and cannot be read.
    pub fn relays<T: FromStr>(&self) -> Result<Vec<T>, StoreError> {
        let text = read_if_there(&self.folder().join("relays"))?;
        Ok(text.lines().filter_map(|line| line.parse().ok()).collect())
    }

    /// Remembers the relays used.
    ///
    /// # Errors
    /// [`StoreError`] if it cannot be written.
    pub fn remember_relays(&self, relays: &[impl Display]) -> Result<(), StoreError> {
        let lines: String = relays.iter().map(|relay| format!("{relay}\n")).collect();
        write_whole(&self.folder().join("relays"), lines.as_bytes())
    }

    /// The nonce of this player's wish to join a table: drawn anew for each table and for each game
    /// at it, and the same again after a crash in the lobby. It makes a roster one that was asked
    /// for: an old one has another nonce.
    ///
    /// # Errors
    /// [`StoreError`] if it cannot be read or written.
    pub fn join_nonce(&self, table: &Hash) -> Result<Hash, StoreError> {
        let path = self.folder().join("joining");
        let hex = &data_encoding::HEXLOWER;
        let known = read_if_there(&path)?;
        let nonce = known
            .strip_prefix(&hex.encode(table))
            .and_then(|rest| hex.decode(rest.trim().as_bytes()).ok()?.try_into().ok());
        if let Some(nonce) = nonce {
            return Ok(nonce);
        }
        let mut nonce = [0; 32];
        getrandom::fill(&mut nonce).map_err(|error| at(&path)(std::io::Error::other(error)))?;
        let line = format!("{} {}\n", hex.encode(table), hex.encode(&nonce));
        write_whole(&path, line.as_bytes())?;
        Ok(nonce)
    }

    /// Whether this profile has signed in a game before: it signs in it no more once its folder is
    /// gone, or it could sign a second record for a place.
    ///
    /// # Errors
    /// [`StoreError`] if it cannot be read.
    pub fn has_begun(&self, game: &Hash) -> Result<bool, StoreError> {
        let begun = read_if_there(&self.folder().join("begun"))?;
        let game = data_encoding::HEXLOWER.encode(game);
        Ok(begun.lines().any(|line| line == game))
    }

    /// Notes that this profile signs in a game from now on, and that its wish to join is used up.
    ///
    /// # Errors
    /// [`StoreError`] if it cannot be written.
    pub(super) fn note_begun(&self, game: &Hash) -> Result<(), StoreError> {
        let line = format!("{}\n", data_encoding::HEXLOWER.encode(game));
        let (mut begun, _) = Growing::open(self.folder().join("begun"), LOG_BYTES_MAX)?;
        begun.append(line.as_bytes())?;
        write_whole(&self.folder().join("joining"), b"")
    }

    /// The people met at tables.
    ///
    /// # Errors
    /// [`StoreError`] if the file is there and cannot be read.
    pub fn people(&self) -> Result<Vec<Person>, StoreError> {
        let path = self.folder().join("people.json");
        match fs::read(&path) {
            Ok(bytes) => serde_json::from_slice(&bytes).map_err(|error| StoreError::Damaged {
                reason: format!("{error}; remove the file to start with an empty list"),
                path,
            }),
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => Ok(Vec::new()),
            Err(error) => Err(at(&path)(error)),
        }
    }

    /// Remembers people, and gives those whose name, or one that looks like it, was known with
    /// another key.
    ///
    /// # Errors
    /// [`StoreError`] if the list cannot be read or written.
    pub fn meet(&self, met: &[Person]) -> Result<Vec<Person>, StoreError> {
        let mut people = self.people()?;
        let mut changed = Vec::new();
        for person in met {
            let namesake =
                |known: &Person| known.name.looks_like(&person.name) && known.key != person.key;
            if people.iter().any(namesake) && !people.iter().any(|known| known.key == person.key) {
                changed.push(person.clone());
            }
            people.retain(|known| known.key != person.key);
            people.push(person.clone());
        }
        let text = serde_json::to_vec_pretty(&people).unwrap_or_default();
        write_whole(&self.folder().join("people.json"), &text)?;
        Ok(changed)
    }

    /// Writes the proof of a fault beside the replays and tells where it is.
    ///
    /// # Errors
    /// [`StoreError`] if it cannot be written.
    pub fn keep_evidence(&self, name: &str, evidence: &[u8]) -> Result<PathBuf, StoreError> {
        let path = self.home.replays().join(name);
        write_whole(&path, evidence)?;
        Ok(path)
    }

    /// Where the secret of a game is kept.
    pub(super) fn secret_path(&self, game: &str) -> PathBuf {
        self.folder().join("secrets").join(game)
    }

    fn folder(&self) -> PathBuf {
        self.home.profiles().join(&self.name)
    }
}

/// The text of a file; empty if there is none.
fn read_if_there(path: &std::path::Path) -> Result<String, StoreError> {
    match fs::read_to_string(path) {
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => Ok(String::new()),
        read => read.map_err(at(path)),
    }
}

fn read_player(folder: &std::path::Path) -> Result<Option<Name>, StoreError> {
    let path = folder.join("name");
    match fs::read_to_string(&path) {
        Ok(text) => Ok(text.trim_end_matches('\n').parse().ok()),
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => Ok(None),
        Err(error) => Err(at(&path)(error)),
    }
}

fn default_name(number: u32) -> String {
    match number {
        1 => DEFAULT.into(),
        number => format!("{DEFAULT}-{number}"),
    }
}

fn check_name(name: &str) -> Result<(), StoreError> {
    let allowed = |c: char| c.is_ascii_alphanumeric() || c == '-' || c == '_';
    if (1..=32).contains(&name.len()) && name.chars().all(allowed) {
        Ok(())
    } else {
        Err(StoreError::ProfileName(name.into()))
    }
}

/// Reads the key, or draws one at the first use.
fn load_identity(path: &std::path::Path) -> Result<Identity, StoreError> {
    let secret = load_secret(path)?;
    Ok(Identity::from_secret(&secret))
}

/// Reads 32 secret bytes (hexadecimal, mode 0600), or draws and stores them.
pub(super) fn load_secret(path: &std::path::Path) -> Result<Secret, StoreError> {
    let hex = &data_encoding::HEXLOWER;
    match fs::read(path) {
        Ok(text) => {
            let bytes = hex.decode(text.trim_ascii_end()).ok();
            let secret = bytes.and_then(|bytes| bytes.try_into().ok()).map(Secret::new);
            secret.ok_or_else(|| StoreError::Damaged {
                path: path.to_owned(),
                reason: "it is not a key as fairdeal writes it; restore it from a backup, or \
                         move it away to begin with a new one"
                    .into(),
            })
        }
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => {
            let mut secret = [0; 32];
            getrandom::fill(&mut secret).map_err(|error| at(path)(std::io::Error::other(error)))?;
            write_whole(path, format!("{}\n", hex.encode(&secret)).as_bytes())?;
            Ok(Secret::new(secret))
        }
        Err(error) => Err(at(path)(error)),
    }
}
