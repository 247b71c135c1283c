//! An honest table, for the other tests to be dishonest at.

use curve25519_dalek::constants::RISTRETTO_BASEPOINT_POINT as G;
use curve25519_dalek::ristretto::{CompressedRistretto, RistrettoPoint};
use curve25519_dalek::scalar::Scalar;
use fairdeal::protocol::crypto::bayer_groth::ShuffleProof;
use fairdeal::protocol::crypto::commit;
use fairdeal::protocol::crypto::deck::Deck;
use fairdeal::protocol::crypto::error::CryptoError;
use fairdeal::protocol::crypto::group::Point;
use fairdeal::protocol::crypto::hash::{Hash, hash};
use fairdeal::protocol::crypto::keys::{DealSecrets, joint_key};
use fairdeal::protocol::crypto::share::{Purpose, ShareContext};
use fairdeal::protocol::crypto::shuffle::{ShuffleContext, shuffle_and_prove, verify_shuffle};
use fairdeal::protocol::crypto::sigma::prove_key;

pub const HEDGE: [u8; 32] = [42; 32];

/// Seats that have shuffled in turn.
pub struct Table {
    pub t0: Hash,
    pub t1: Hash,
    pub secrets: Vec<DealSecrets>,
    pub joint: Point,
    /// S_0 .. S_n.
    pub stages: Vec<Hash>,
    /// deck⁰ .. deckⁿ.
    pub decks: Vec<Deck>,
    pub proofs: Vec<ShuffleProof>,
}

impl Table {
    /// `seats` seats with the cards 0 to `cards` − 1.
    pub fn new(seats: usize, cards: usize) -> Self {
        let mut table = Self::unshuffled(seats, cards);
        for seat in 0..seats {
            let (deck, proof) = {
                let input = &table.decks[seat];
                shuffle_and_prove(&table.secrets[seat], &table.context(seat), input, &HEDGE)
            };
            let bytes = proof.to_bytes();
            let stage = commit::next_stage(&table.stages[seat], seat as u8, &deck, &bytes);
            table.stages.push(stage);
            table.decks.push(deck);
            table.proofs.push(proof);
        }
        table
    }

    pub fn unshuffled(seats: usize, cards: usize) -> Self {
        let t0 = hash("vector", &[&[seats as u8, cards as u8]]);
        let derive = |seat| DealSecrets::derive(&commit::seed(&[seat; 32], &t0), &t0, seat);
        let secrets: Vec<DealSecrets> = (0..seats as u8).map(derive).collect();
        let keys: Vec<Point> = secrets.iter().map(|seat| seat.public().clone()).collect();
        let joint = joint_key(&keys).unwrap();
        let bodies: Vec<Vec<u8>> = secrets
            .iter()
            .map(|seat| {
                let mut body = seat.public().bytes().to_vec();
                body.extend(prove_key(seat, &HEDGE).to_bytes());
                body
            })
            .collect();
        let bodies: Vec<&[u8]> = bodies.iter().map(Vec::as_slice).collect();
        let t1 = commit::commitments(&t0, &bodies);
        let names: Vec<u8> = (0..cards as u8).collect();
        Self {
            stages: vec![commit::first_stage(&t1, &joint)],
            decks: vec![Deck::initial(&names).unwrap()],
            proofs: Vec::new(),
            t0,
            t1,
            secrets,
            joint,
        }
    }

    pub fn context(&self, seat: usize) -> ShuffleContext<'_> {
        ShuffleContext { t1: &self.t1, stage: &self.stages[seat], joint: &self.joint }
    }

    pub fn share_context(&self, purpose: Purpose) -> ShareContext<'_> {
        ShareContext { t1: &self.t1, stage: self.stages.last().unwrap(), purpose }
    }

    pub fn last_deck(&self) -> &Deck {
        self.decks.last().unwrap()
    }

    /// Verdict on the shuffle of `seat` as sent, after a change to the bytes.
    pub fn verdict(&self, seat: usize, output: &[u8], proof: &[u8]) -> Result<(), CryptoError> {
        let input = &self.decks[seat];
        let output = Deck::parse(output, input.len())?;
        let proof = ShuffleProof::parse(proof, input.len())?;
        verify_shuffle(&self.context(seat), seat as u8, input, &output, &proof)
    }
}

/// The point in a 32-byte word plus `factor` G, and again as a word.
pub fn moved(word: &[u8], factor: i8) -> [u8; 32] {
    let step = if factor < 0 { -G } else { G };
    (point(word) + step).compress().to_bytes()
}

/// The scalar in a 32-byte word plus one or minus one.
pub fn stepped(word: &[u8], step: i8) -> [u8; 32] {
    let scalar = Scalar::from_canonical_bytes(word.try_into().unwrap()).unwrap();
    let step = if step < 0 { -Scalar::ONE } else { Scalar::ONE };
    (scalar + step).to_bytes()
}

pub fn point(word: &[u8]) -> RistrettoPoint {
    CompressedRistretto(word.try_into().unwrap()).decompress().unwrap()
}
