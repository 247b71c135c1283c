//! Who is let in at a host's table: from anywhere with the invite, from the host's own network
//! without it.

use std::fmt;

use super::greet::table_id;
use crate::{
    net::{KeyHash, Path, is_near},
    protocol::crypto::hash::Hash,
};

/// The door of a table.
pub(super) struct Door {
    /// Whose table it is.
    pub(super) host: KeyHash,
    /// Its id, which the invite's secret makes.
    pub(super) table: Hash,
    /// Whether those on the host's own network need no invite.
    pub(super) open: bool,
}

/// How somebody has got in; as text, in words.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Entry {
    /// With the invite.
    Invited,
    /// From this network, without it.
    Near,
}

impl Door {
    /// How somebody gets in who has this secret, or none, and is connected like this.
    pub(super) fn entry(&self, secret: &[u8], path: Option<&Path>) -> Option<Entry> {
        if secret.is_empty() {
            let near = self.open && path.is_some_and(is_near);
            return near.then_some(Entry::Near);
        }
        (table_id(&self.host, secret) == self.table).then_some(Entry::Invited)
    }
}

impl fmt::Display for Entry {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Entry::Invited => "with the invite",
            Entry::Near => "without the invite, from your own network",
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::net::Transport;

    const HOST: KeyHash = [7; 16];
    const SECRET: [u8; 8] = [1; 8];

    #[test]
    fn without_the_invite_the_way_decides() {
        let door = |open| Door { host: HOST, table: table_id(&HOST, &SECRET), open };
        let from = |text: &str| Path::Direct {
            transport: Transport::Quic,
            remote: text.parse().expect("an address"),
        };
        let (near, far) = (from("127.0.0.1:7"), from("203.0.113.7:7"));
        let relayed = Path::Relayed { relay: None, at: "127.0.0.1:7".parse().expect("one") };
        for path in [&near, &far, &relayed] {
            assert_eq!(door(false).entry(&SECRET, Some(path)), Some(Entry::Invited));
            assert_eq!(door(true).entry(&[2; 8], Some(path)), None);
            assert_eq!(door(false).entry(&[], Some(path)), None);
        }
        assert_eq!(door(true).entry(&[], Some(&near)), Some(Entry::Near));
        assert_eq!(door(true).entry(&[], Some(&far)), None);
        assert_eq!(door(true).entry(&[], Some(&relayed)), None, "whoever is behind it");
        assert_eq!(door(true).entry(&[], None), None);
    }
}
