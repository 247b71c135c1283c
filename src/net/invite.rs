//! The line to paste: where a table is, whose it is, and the secret to be let in.
//!
//! `deal1` and lower-case Crockford base32 of: version, counts (secret's length less 8 in the
//! upper half, addresses with relays in the lower), key hash, secret, addresses (4 or 6, the IP,
//! the port in network order), relays (as addresses, with 14 or 16), with relays the host's whole
//! key, by which a relay knows it, checksum (the first 4 bytes of `H("invite", everything before
//! it)`). A relay's key is not needed: it carries what it cannot read.

use std::fmt;
use std::net::IpAddr;
use std::str::FromStr;
use std::sync::LazyLock;

use data_encoding::{Encoding, Specification};

use super::address::Address;
use super::key::{KeyHash, key_hash};
use super::limits::{ADDRESSES, PASTE_CHARS, RELAYS, SECRET_BYTES};
use crate::protocol::crypto::hash::hash;
use crate::protocol::crypto::identity::PublicKey;

/// What an invite starts with; the 1 is the encoding's, the version is inside.
const PREFIX: &str = "deal1";

/// The version written, and the only one read.
const VERSION: u8 = 1;

/// Bytes of the checksum: one damaged invite in four thousand million passes.
const CHECK: usize = 4;

/// Bytes of the longest invite.
const BYTES_MAX: usize = 2 + 16 + *SECRET_BYTES.end() + 19 * (ADDRESSES + RELAYS) + 32 + CHECK;

/// What a relay's kind is more than an address's.
const RELAY: u8 = 10;

/// Everything a guest needs to find a table and be let in.
#[derive(Clone, PartialEq, Eq)]
pub struct Invite {
    host: KeyHash,
    secret: Vec<u8>,
    addresses: Vec<Address>,
    /// With the host's key, by which they know it.
    relays: Option<(PublicKey, Vec<Address>)>,
}

/// Why a text is no invite, and what to do.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum InviteError {
    /// It starts like one, and a character is wrong or missing.
    #[error("this invite was damaged in copying: copy it again, from deal1 to its end")]
    Damaged,
    /// A later version wrote it.
    #[error("this invite was made by a newer fairdeal: update yours, or ask which the host has")]
    Newer,
    /// It is something else.
    #[error("this is not an invite: one starts with deal1, as `fairdeal host` prints it")]
    NotAnInvite,
}

impl Invite {
    /// An invite to the table of `host`. The secret has 8 to 16 bytes; of the addresses the first
    /// 8 are kept, public ones belong first. `None` if the secret's length is wrong.
    pub fn new(host: KeyHash, secret: &[u8], addresses: &[Address]) -> Option<Invite> {
        SECRET_BYTES.contains(&secret.len()).then(|| Invite {
            host,
            secret: secret.to_vec(),
            addresses: addresses.iter().take(ADDRESSES).copied().collect(),
            relays: None,
        })
    }

    /// The invite with relays through which the host can be reached too, of which the first
    /// `RELAYS` are kept. As it was if the key is not the host's, or without relays.
    pub fn with_relays(self, host: PublicKey, relays: &[Address]) -> Invite {
        let relays: Vec<Address> = relays.iter().take(RELAYS).copied().collect();
        let good = key_hash(&host) == self.host && !relays.is_empty();
        Invite { relays: good.then_some((host, relays)), ..self }
    }

    /// The host's key, if the invite has it.
    pub fn host_key(&self) -> Option<PublicKey> {
        self.relays.as_ref().map(|(key, _)| *key)
    }

    /// The relays through which the host could be reached when the invite was made.
    pub fn relays(&self) -> &[Address] {
        self.relays.as_ref().map_or(&[], |(_, relays)| relays)
    }

    /// The hash of the host's key.
    pub fn host(&self) -> KeyHash {
        self.host
    }

    /// The table's secret.
    pub fn secret(&self) -> &[u8] {
        &self.secret
    }

    /// Where the host was when the invite was made, public addresses first.
    pub fn addresses(&self) -> &[Address] {
        &self.addresses
    }

    /// Whether a text, its decoration removed, starts as an invite does.
    pub(super) fn looks_like(text: &str) -> bool {
        token(text).is_some_and(|token| after_prefix(&token).is_some())
    }
}

/// The bytes before the checksum.
fn encode(invite: &Invite) -> Vec<u8> {
    let secret = invite.secret.len() - SECRET_BYTES.start();
    let count = invite.addresses.len() + invite.relays().len();
    let mut bytes = vec![VERSION, (secret as u8) << 4 | count as u8];
    bytes.extend(invite.host);
    bytes.extend(&invite.secret);
    let direct = invite.addresses.iter().map(|address| (0, address));
    for (kind, address) in direct.chain(invite.relays().iter().map(|relay| (RELAY, relay))) {
        match address.ip() {
            IpAddr::V4(ip) => {
                bytes.push(kind + 4);
                bytes.extend(ip.octets());
            }
            IpAddr::V6(ip) => {
                bytes.push(kind + 6);
                bytes.extend(ip.octets());
            }
        }
        bytes.extend(address.port().to_be_bytes());
    }
    bytes.extend(invite.host_key().iter().flat_map(|key| *key.as_bytes()));
    bytes
}

/// The invite in the bytes between version and checksum; `None` if they are not one of ours.
fn decode(mut bytes: &[u8]) -> Option<Invite> {
    let [counts] = take(&mut bytes)?;
    let (secret_len, count) = (usize::from(counts >> 4) + SECRET_BYTES.start(), counts & 0x0f);
    let host = take(&mut bytes)?;
    let (secret, mut bytes) = bytes.split_at_checked(secret_len)?;
    let (mut addresses, mut relays) = (Vec::new(), Vec::new());
    for _ in 0..count {
        let [kind] = take(&mut bytes)?;
        let ip = match kind {
            4 | 14 => IpAddr::from(take::<4>(&mut bytes)?),
            6 | 16 => IpAddr::from(take::<16>(&mut bytes)?),
            _ => return None,
        };
        let list = if kind > RELAY { &mut relays } else { &mut addresses };
        list.push(Address::new(ip, u16::from_be_bytes(take(&mut bytes)?))?);
    }
    let mut invite = Invite::new(host, secret, &addresses)?;
    if !relays.is_empty() {
        invite = invite.with_relays(PublicKey::try_from(take(&mut bytes)?).ok()?, &relays);
    }
    let whole = bytes.is_empty() && invite.addresses == addresses && invite.relays() == relays;
    whole.then_some(invite)
}

/// The next `N` bytes.
fn take<const N: usize>(bytes: &mut &[u8]) -> Option<[u8; N]> {
    let (head, rest) = bytes.split_first_chunk()?;
    *bytes = rest;
    Some(*head)
}

/// The first bytes of the hash over the invite.
fn checksum(bytes: &[u8]) -> [u8; CHECK] {
    let [a, b, c, d, ..] = hash("invite", &[bytes]);
    [a, b, c, d]
}

impl fmt::Display for Invite {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut bytes = encode(self);
        bytes.extend(checksum(&bytes));
        write!(f, "{PREFIX}{}", CROCKFORD.encode(&bytes))
    }
}

impl fmt::Debug for Invite {
    /// Without the secret.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Invite").field("addresses", &self.addresses).finish_non_exhaustive()
    }
}

impl FromStr for Invite {
    type Err = InviteError;

    /// Reads an invite as it may arrive: quoted, broken over lines, in any case, with the command
    /// before it.
    fn from_str(text: &str) -> Result<Invite, InviteError> {
        let token = token(text).ok_or(InviteError::NotAnInvite)?;
        let coded = after_prefix(&token).ok_or(InviteError::NotAnInvite)?;
        if coded.len() > CROCKFORD.encode_len(BYTES_MAX) {
            return Err(InviteError::Damaged);
        }
        let bytes = CROCKFORD.decode(coded.as_bytes()).map_err(|_| InviteError::Damaged)?;
        let (body, check) = bytes.split_last_chunk().ok_or(InviteError::Damaged)?;
        if *check != checksum(body) {
            return Err(InviteError::Damaged);
        }
        match body.split_first() {
            Some((&VERSION, rest)) => decode(rest).ok_or(InviteError::Newer),
            _ => Err(InviteError::Newer),
        }
    }
}

/// Lower-case Crockford base32; reads i and l as 1, o as 0, and any case.
static CROCKFORD: LazyLock<Encoding> = LazyLock::new(|| {
    let mut specification = Specification::new();
    specification.symbols.push_str("0123456789abcdefghjkmnpqrstvwxyz");
    specification.translate.from.push_str("ABCDEFGHJKMNPQRSTVWXYZiIlLoO");
    specification.translate.to.push_str("abcdefghjkmnpqrstvwxyz111100");
    specification.encoding().expect("a constant, and a test reads it")
});

/// The invite without white space, quotes, shell marks and the command before it, in lower case;
/// `None` if the text is too long to be one.
fn token(text: &str) -> Option<String> {
    if text.len() > PASTE_CHARS {
        return None;
    }
    let decoration = |c: char| {
        c.is_whitespace() || c.is_control() || "\"'`\u{ab}\u{bb}<>$\\".contains(c) || invisible(c)
    };
    let bare: String = text.chars().filter(|c| !decoration(*c)).collect();
    let lower = bare.to_ascii_lowercase();
    let token = lower.strip_prefix("fairdeal").unwrap_or(&lower);
    let token = ["join", "watch"].iter().find_map(|verb| token.strip_prefix(verb)).unwrap_or(token);
    Some(token.trim_end_matches(['.', ',', ';', '!', ')']).to_owned())
}

/// Typographic quotes, and what mail and chat programs put between characters.
fn invisible(c: char) -> bool {
    matches!(c, '\u{2018}'..='\u{201f}' | '\u{200b}'..='\u{200f}' | '\u{2060}' | '\u{feff}')
        || c == '\u{ad}'
}

/// What follows the prefix, whose 1 may be read as Crockford's i or l.
fn after_prefix(token: &str) -> Option<&str> {
    let rest = token.strip_prefix("deal")?;
    rest.strip_prefix(['1', 'l', 'i'])
}

#[cfg(test)]
mod tests;
