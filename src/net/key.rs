//! A player's key as libp2p has it.

use libp2p::PeerId;
use libp2p::identity::{self, Keypair, ed25519};

use crate::protocol::crypto::hash::hash;
use crate::protocol::crypto::identity::PublicKey;

/// The first 16 bytes of a key's hash: what an invite holds of the host's key.
pub type KeyHash = [u8; 16];

/// The hash by which an invite names a player.
pub fn key_hash(key: &PublicKey) -> KeyHash {
    let [a, b, c, d, e, f, g, h, i, j, k, l, m, n, o, p, ..] = hash("keyhash", &[key.as_bytes()]);
    [a, b, c, d, e, f, g, h, i, j, k, l, m, n, o, p]
}

/// The public half of a pair of keys.
pub(super) fn own_key(pair: &Keypair) -> Option<PublicKey> {
    PublicKey::try_from(pair.public().try_into_ed25519().ok()?.to_bytes()).ok()
}

/// The key behind a libp2p identity, which holds an ed25519 key in full; `None` if it holds
/// another kind, or a weak one.
pub(super) fn key_of(id: PeerId) -> Option<PublicKey> {
    let key = identity::PublicKey::try_decode_protobuf(id.as_ref().digest()).ok()?;
    PublicKey::try_from(key.try_into_ed25519().ok()?.to_bytes()).ok()
}

/// The libp2p identity of a player. Every [`PublicKey`] is a key of libp2p's too; were one not,
/// it would be nobody's identity.
pub(super) fn peer_id(key: &PublicKey) -> PeerId {
    ed25519::PublicKey::try_from_bytes(key.as_bytes())
        .map_or_else(|_| PeerId::random(), |key| identity::PublicKey::from(key).to_peer_id())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_key_and_its_identity_are_one() {
        let pair = Keypair::generate_ed25519();
        let key = own_key(&pair).expect("an ed25519 key");
        assert_eq!(peer_id(&key), pair.public().to_peer_id());
        assert_eq!(key_of(peer_id(&key)), Some(key));
        assert_eq!(key_of(PeerId::random()), None);
    }
}
