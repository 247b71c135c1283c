//! The hashes of a deal: commitments, what they are bound to, and the coins that follow.
//!
//! Seats, rounds, positions and counts are one byte each. Every function names its domain; the
//! framing is that of [`hash`].

use std::num::NonZeroU8;

use super::deck::Deck;
use super::group::Point;
use super::hash::{Hash, hash};
use super::stream::Stream;

/// A deal's seed: `H("seedgen", os_random, T0)`, from 32 bytes of OS randomness kept for the game.
pub fn seed(os_random: &[u8; 32], t0: &Hash) -> Hash {
    hash("seedgen", &[os_random, t0])
}

/// `C_j = H("seed", T0, j, seed_j)`.
pub fn seed_commitment(t0: &Hash, seat: u8, seed: &Hash) -> Hash {
    hash("seed", &[t0, &[seat], seed])
}

/// `K_{j,r} = H("coinc", T0, j, r, coin_{j,r})`.
pub fn coin_commitment(t0: &Hash, seat: u8, round: u8, coin: &Hash) -> Hash {
    hash("coinc", &[t0, &[seat], &[round], coin])
}

/// `leaf_{j,i} = H("leaf", T0, j, i, salt_{j,i})`.
pub fn leaf(t0: &Hash, seat: u8, position: u8, salt: &Hash) -> Hash {
    hash("leaf", &[t0, &[seat], &[position], salt])
}

/// `T1 = H("T1", T0, all COMMIT bodies by seat)`, each body a part of its own.
pub fn commitments(t0: &Hash, bodies: &[&[u8]]) -> Hash {
    let mut parts: Vec<&[u8]> = vec![t0];
    parts.extend(bodies);
    hash("T1", &parts)
}

/// `S_0 = H("S0", T1, PK)`: where the shuffles start from.
pub fn first_stage(t1: &Hash, joint: &Point) -> Hash {
    hash("S0", &[t1, joint.bytes()])
}

/// `S_j = H("S", S_{j−1}, j, deckʲ, proof_j)`: what the next shuffle is bound to.
pub fn next_stage(stage: &Hash, seat: u8, deck: &Deck, proof: &[u8]) -> Hash {
    hash("S", &[stage, &[seat], deck.bytes(), proof])
}

/// `R_r = H("coins", T1, r, all coins by seat)`.
pub fn coins(t1: &Hash, round: u8, coins: &[Hash]) -> Hash {
    let round = [round];
    let mut parts: Vec<&[u8]> = vec![t1, &round];
    parts.extend(coins.iter().map(|coin| coin.as_slice()));
    hash("coins", &parts)
}

/// Whether the card at `position` lies turned: the low bit of the first byte of
/// `H("orient", T1, R_r, owner, position, salt)`.
pub fn turned(t1: &Hash, coins: &Hash, owner: u8, position: u8, salt: &Hash) -> bool {
    hash("orient", &[t1, coins, &[owner], &[position], salt])[0] & 1 == 1
}

/// Who starts round 1, as an index among the seats dealt in: the first draw below `seats` from
/// the [`Stream`] keyed by `H("start", T1, R_1)`.
pub fn starter(t1: &Hash, coins: &Hash, seats: NonZeroU8) -> u8 {
    Stream::new(&hash("start", &[t1, coins])).below(seats)
}

/// The commitment to the side a scouted card was taken up with:
/// `H("sidec", T1, seat, head, side, salt)`, where `head` is the log's when it was scouted.
pub fn side_commitment(t1: &Hash, seat: u8, head: &Hash, turned: bool, salt: &Hash) -> Hash {
    hash("sidec", &[t1, &[seat], head, &[u8::from(turned)], salt])
}
