//! One form of bytes for each state, and its hash.

use sha2::{Digest, Sha256};

use super::card::{Card, PAIRS};
use super::game::Game;
use super::round::{Ending, Round};
use super::seat::{SEATS, Seat};
use super::set::{LONGEST, Set};

/// The version of the canonical bytes, their first byte.
pub const STATE_VERSION: u8 = 1;

/// The domain of the hash of a state.
const DOMAIN: &str = "fairdeal/1/state";

impl Game {
    /// Every fact of the state in a fixed order and width, integers little-endian: equal states
    /// and no others have equal bytes.
    ///
    /// Version, players, seats out, abandoned, rounds dealt; what five seats are to pay; five times
    /// how a round ended and five points (4 bytes each); the cards dealt before (8 bytes); the
    /// round, all zero before the first deal. Seats are bits or indices, `0xFF` for none; endings 0
    /// none, 1 emptied, 2 stalled.
    pub fn canonical_bytes(&self) -> Vec<u8> {
        let mut bytes = vec![
            STATE_VERSION,
            self.players.count(),
            self.out.bits(),
            u8::from(self.abandoned),
            self.number,
        ];
        bytes.extend_from_slice(self.due.all());
        for finished in &self.finished {
            bytes.push(ending(finished.map(|finished| finished.ending)));
            for seat in (0..SEATS as u8).filter_map(Seat::new) {
                let points = finished.map_or(0, |finished| finished.points[seat]);
                bytes.extend_from_slice(&points.to_le_bytes());
            }
        }
        bytes.extend_from_slice(&self.dealt.bits().to_le_bytes());
        let start = bytes.len();
        if let Some(round) = &self.round {
            push_round(&mut bytes, round);
        }
        bytes.resize(start + ROUND_BYTES, 0);
        bytes
    }

    /// `SHA-256(u8|dom| ‖ dom ‖ u32le|x| ‖ x)` of the canonical bytes x, with the domain
    /// `fairdeal/1/state`.
    pub fn digest(&self) -> [u8; 32] {
        let bytes = self.canonical_bytes();
        let mut sha = Sha256::new();
        sha.update([DOMAIN.len() as u8]);
        sha.update(DOMAIN);
        sha.update((bytes.len() as u32).to_le_bytes());
        sha.update(bytes);
        sha.finalize().into()
    }
}

/// Present, start, turn, chosen, flipped, spent, scouted, over, owner; the active set; then for
/// each of five seats the hand, the captured cards and the tokens; the known cards.
const ROUND_BYTES: usize = 9 + (1 + LONGEST) + SEATS * (1 + PAIRS + 1 + 2) + 8;

fn push_round(bytes: &mut Vec<u8>, round: &Round) {
    bytes.extend_from_slice(&[
        round.present.bits(),
        round.start.index() as u8,
        round.turn.index() as u8,
        round.chosen.bits(),
        round.flipped.bits(),
        round.spent.bits(),
        round.scouted.bits(),
        ending(round.over),
        round.owner.map_or(u8::MAX, |owner| owner.index() as u8),
    ]);
    bytes.push(round.active.map_or(0, |set| set.len() as u8));
    let cards = round.active.iter().flat_map(Set::cards).map(Card::byte);
    bytes.extend(cards.chain(std::iter::repeat(0)).take(LONGEST));
    let counts = round.captured.all().iter().zip(round.tokens.all());
    for (hand, (captured, tokens)) in round.hands.all().iter().zip(counts) {
        bytes.push(hand.len() as u8);
        bytes.extend(hand.bytes().iter().take(PAIRS));
        bytes.push(*captured);
        bytes.extend_from_slice(&tokens.to_le_bytes());
    }
    bytes.extend_from_slice(&round.known.bits().to_le_bytes());
}

fn ending(ending: Option<Ending>) -> u8 {
    match ending {
        None => 0,
        Some(Ending::Emptied) => 1,
        Some(Ending::Stalled) => 2,
    }
}
