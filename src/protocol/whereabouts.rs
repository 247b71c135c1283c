//! Where a player can be reached: only its own program can say so.

use serde::{Deserialize, Serialize};

use super::{
    codec,
    crypto::{
        hash::Hash,
        identity::{Identity, PublicKey, SIGNATURE_BYTES},
    },
    limits::{WAY_BYTES_MAX, WAYS_MAX},
};

/// Where a player can be reached, as its own program says, signed.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Whereabouts {
    /// The table at which it says so.
    pub table: Hash,
    /// Rises with each change; the highest holds.
    pub number: u64,
    /// The ways, as text the network layer understands.
    pub ways: Vec<String>,
}

impl Whereabouts {
    /// The bytes that go out: the words and their signature. Ways beyond the limits are left out.
    pub fn sign(mut self, identity: &Identity) -> Vec<u8> {
        self.ways.retain(|way| way.len() <= WAY_BYTES_MAX);
        self.ways.truncate(WAYS_MAX);
        let mut bytes = codec::encode(&self);
        bytes.extend(identity.sign("whereabouts", &bytes));
        bytes
    }

    /// The whereabouts in `bytes` if they are for this table and signed with this key.
    pub fn open(bytes: &[u8], table: &Hash, key: &PublicKey) -> Option<Whereabouts> {
        let (text, signature) = bytes.split_last_chunk::<SIGNATURE_BYTES>()?;
        let said: Whereabouts = codec::decode(text).ok()?;
        let short = said.ways.iter().all(|way| way.len() <= WAY_BYTES_MAX);
        let fits = said.table == *table && said.ways.len() <= WAYS_MAX && short;
        (fits && key.verifies("whereabouts", text, signature)).then_some(said)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_the_key_itself_says_where_it_is() {
        let (ana, eve) = (Identity::from_secret(&[1; 32]), Identity::from_secret(&[2; 32]));
        let said = Whereabouts { table: [3; 32], number: 7, ways: vec!["10.0.0.1:7268".into()] };
        let bytes = said.clone().sign(&ana);
        assert_eq!(Whereabouts::open(&bytes, &[3; 32], &ana.public()), Some(said.clone()));
        assert_eq!(Whereabouts::open(&bytes, &[4; 32], &ana.public()), None, "another table");
        let forged = said.sign(&eve);
        assert_eq!(Whereabouts::open(&forged, &[3; 32], &ana.public()), None);
        for bit in 0..bytes.len() * 8 {
            let mut bent = bytes.clone();
            bent[bit / 8] ^= 1 << (bit % 8);
            assert_eq!(Whereabouts::open(&bent, &[3; 32], &ana.public()), None, "bit {bit}");
        }
    }

    #[test]
    fn ways_are_few_and_short() {
        let ana = Identity::from_secret(&[1; 32]);
        let long = "x".repeat(WAY_BYTES_MAX + 1);
        let mut ways = vec![long.clone()];
        ways.extend((0..20).map(|port| format!("10.0.0.1:{port}")));
        let said = Whereabouts { table: [3; 32], number: 1, ways };
        let kept = Whereabouts::open(&said.sign(&ana), &[3; 32], &ana.public()).expect("it fits");
        assert_eq!((kept.ways.len(), kept.ways[0].as_str()), (WAYS_MAX, "10.0.0.1:0"));
        for ways in [vec![long], vec![String::new(); WAYS_MAX + 1]] {
            let mut bytes = codec::encode(&Whereabouts { table: [3; 32], number: 1, ways });
            bytes.extend(ana.sign("whereabouts", &bytes));
            assert_eq!(Whereabouts::open(&bytes, &[3; 32], &ana.public()), None);
        }
    }
}
