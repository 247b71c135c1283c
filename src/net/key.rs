//! Who a peer is.

use libp2p::PeerId;
use libp2p::identity::{Keypair, PublicKey, ed25519};

use crate::protocol::crypto::hash::hash;

/// The first 16 bytes of a key's hash: what an invite holds of the host's key.
pub type KeyHash = [u8; 16];

/// The ed25519 public key of a peer: its seat's key, and its libp2p identity.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct PeerKey {
    bytes: [u8; 32],
    id: PeerId,
}

impl PeerKey {
    /// The peer with this public key; `None` if the bytes are no ed25519 key.
    pub fn new(bytes: [u8; 32]) -> Option<PeerKey> {
        let key = ed25519::PublicKey::try_from_bytes(&bytes).ok()?;
        Some(PeerKey { bytes, id: PublicKey::from(key).to_peer_id() })
    }

    /// The public key.
    pub fn bytes(&self) -> [u8; 32] {
        self.bytes
    }

    /// The hash by which an invite names this peer.
    pub fn hash(&self) -> KeyHash {
        let [a, b, c, d, e, f, g, h, i, j, k, l, m, n, o, p, ..] = hash("keyhash", &[&self.bytes]);
        [a, b, c, d, e, f, g, h, i, j, k, l, m, n, o, p]
    }

    /// The peer whose keys these are.
    pub(super) fn of(pair: &Keypair) -> Option<PeerKey> {
        let key = pair.public().try_into_ed25519().ok()?;
        PeerKey::new(key.to_bytes())
    }

    /// The peer behind a libp2p identity, which holds an ed25519 key in full.
    pub(super) fn from_id(id: PeerId) -> Option<PeerKey> {
        let key = PublicKey::try_decode_protobuf(id.as_ref().digest()).ok()?;
        PeerKey::new(key.try_into_ed25519().ok()?.to_bytes())
    }

    /// The libp2p identity.
    pub(super) fn id(&self) -> PeerId {
        self.id
    }
}

impl std::fmt::Debug for PeerKey {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "PeerKey({})", super::words::key_words(self))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_key_and_its_identity_are_one() {
        let pair = Keypair::generate_ed25519();
        let key = PeerKey::of(&pair).expect("an ed25519 key");
        assert_eq!(key.id(), pair.public().to_peer_id());
        assert_eq!(PeerKey::from_id(key.id()), Some(key));
        assert_eq!(PeerKey::new(key.bytes()), Some(key));
        assert_eq!(PeerKey::from_id(PeerId::random()), None);
    }
}
