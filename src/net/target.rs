//! What follows `fairdeal join`.

use std::str::FromStr;

use libp2p::Multiaddr;
use libp2p::multiaddr::Protocol;

use super::address::{Address, NotAnAddress};
use super::invite::{Invite, InviteError};
use super::key::{KeyHash, key_of};
use super::words::read_table_words;
use crate::protocol::crypto::identity::PublicKey;

/// Whom to dial.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Dial {
    /// The peer with this key hash, as an invite names it; checked once its key is proven.
    Hash(KeyHash),
    /// The peer with this key.
    Key(PublicKey),
    /// Whoever answers.
    Anyone,
}

/// Where someone wants to join.
///
/// ```
/// use fairdeal::net::Target;
///
/// assert!(matches!("192.168.1.5".parse()?, Target::Address(..)));
/// assert_eq!("Deal Lamp".parse::<Target>()?, Target::Words("deal-lamp".into()));
/// assert!("neither of the two".parse::<Target>().is_err());
/// # Ok::<(), fairdeal::net::TargetError>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Target {
    /// The table of an invite.
    Invite(Invite),
    /// Whoever hosts at an address; a multiaddress may say whose key it must be.
    Address(Dial, Address),
    /// A table of this network, by its two words (`amber-fox`).
    Words(String),
}

/// Why a text leads to no table.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum TargetError {
    /// It starts as an invite does.
    #[error(transparent)]
    Invite(#[from] InviteError),
    /// It starts as an address does.
    #[error(transparent)]
    Address(#[from] NotAnAddress),
    /// It is neither.
    #[error(
        "that is not an invite, a table name or an address. Paste the invite (it starts with \
         deal1), or give the table's two words (amber-fox) or the host's address (192.168.1.5)"
    )]
    Nothing,
}

impl FromStr for Target {
    type Err = TargetError;

    /// An invite, `ip`, `ip:port`, a multiaddress, or two words of the list.
    fn from_str(text: &str) -> Result<Target, TargetError> {
        if let Some(words) = read_table_words(text) {
            return Ok(Target::Words(words));
        }
        if Invite::looks_like(text) {
            return Ok(Target::Invite(text.parse()?));
        }
        let text = text.trim();
        if text.starts_with('/') {
            return multiaddr(text).ok_or(NotAnAddress.into());
        }
        match text.parse() {
            Ok(address) => Ok(Target::Address(Dial::Anyone, address)),
            Err(error) if text.starts_with(|c: char| c == '[' || c.is_ascii_digit()) => {
                Err(error.into())
            }
            Err(_) => Err(TargetError::Nothing),
        }
    }
}

/// `/ip4/…/tcp/…` or `/ip4/…/udp/…/quic-v1`, with or without `/p2p/…`.
fn multiaddr(text: &str) -> Option<Target> {
    let address: Multiaddr = text.parse().ok()?;
    let who = match address.iter().last()? {
        Protocol::P2p(id) => Dial::Key(key_of(id)?),
        _ => Dial::Anyone,
    };
    Some(Target::Address(who, Address::from_multiaddr(&address)?.0))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_kind_is_told_apart() {
        let invite = Invite::new([3; 16], &[9; 8], &[]).expect("an invite");
        let pasted = format!("fairdeal join {invite}\n");
        assert_eq!(pasted.parse(), Ok(Target::Invite(invite)));
        let there: Address = "192.168.1.5".parse().expect("an address");
        for text in ["192.168.1.5", " 192.168.1.5:7268 ", "/ip4/192.168.1.5/udp/7268/quic-v1"] {
            assert_eq!(text.parse(), Ok(Target::Address(Dial::Anyone, there)), "{text}");
        }
        assert_eq!("Fox - Amber".parse::<Target>(), Err(TargetError::Nothing));
        assert_eq!("Lamp Deal".parse(), Ok(Target::Words("lamp-deal".into())));
        // "deal" is a word too, and "deal lamp" without its space starts as an invite does.
        assert_eq!("deal lamp".parse(), Ok(Target::Words("deal-lamp".into())));
    }

    #[test]
    fn a_multiaddress_may_name_the_key() {
        let pair = libp2p::identity::Keypair::generate_ed25519();
        let text = format!("/ip4/192.168.1.5/tcp/7268/p2p/{}", pair.public().to_peer_id());
        let key = crate::net::key::own_key(&pair).expect("a key");
        let there = "192.168.1.5".parse().expect("an address");
        assert_eq!(text.parse(), Ok(Target::Address(Dial::Key(key), there)));
    }

    #[test]
    fn refusals_say_what_it_looked_like() {
        let damaged = TargetError::Invite(InviteError::Damaged);
        assert_eq!("deal1abc".parse::<Target>(), Err(damaged));
        assert_eq!("192.168.1".parse::<Target>(), Err(NotAnAddress.into()));
        assert_eq!("/ip4/1.2.3.4/udp/5".parse::<Target>(), Err(NotAnAddress.into()));
        assert_eq!("example.org:7268".parse::<Target>(), Err(TargetError::Nothing));
        assert_eq!("".parse::<Target>(), Err(TargetError::Nothing));
    }
}
