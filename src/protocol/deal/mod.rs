//! The deal: how a table without a dealer gets a fair shuffle.
//!
//! Two ways, one of them fixed by the table's terms. [`open`]: all reveal their seeds and
//! everyone can compute every hand. [`sealed`]: the deck is encrypted to all seats together, each
//! shuffles it with a proof, and a card is read by its owner alone until it is shown.

pub mod open;
pub mod sealed;
pub mod wire;

use super::crypto::hash::{Hash, hash};
use crate::game::{BySeat, Card, Players, Seat, deck};

/// What one deal gives where every card is known: for each of its rounds the hand of each seat,
/// and who starts round 1.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Dealt {
    /// The starting seat the shuffle draws; used for round 1 of the game.
    pub start: Seat,
    /// The hands by round of the deal: one, or two where two play.
    pub rounds: Vec<BySeat<Vec<Card>>>,
}

/// What every hash of a deal is bound to, and which position of the deck goes where.
#[derive(Debug, Clone)]
pub struct Context {
    players: Players,
    t0: Hash,
}

impl Context {
    /// The deal `number` (from 1) of a game, its `attempt` (from 1) starting on `head`:
    /// `T0 = H("deal", game, number, attempt, head, seats, n, N, deck table, seat map)`.
    pub fn new(game: &Hash, players: Players, number: u32, attempt: u32, head: &Hash) -> Context {
        let deck = deck::deck(players);
        let seats: Vec<u8> = players.seats().map(|seat| seat.index() as u8).collect();
        let table: Vec<u8> = deck.iter().flat_map(|card| [card.up(), card.down()]).collect();
        let map: Vec<u8> = (0..deck.len())
            .flat_map(|position| {
                let (seat, round) = place(players, position);
                [seat as u8, round as u8]
            })
            .collect();
        let t0 = hash(
            "deal",
            &[
                game,
                &number.to_le_bytes(),
                &attempt.to_le_bytes(),
                head,
                &seats,
                &[players.count()],
                &[deck.len() as u8],
                &hash("deck", &[&table]),
                &map,
            ],
        );
        Context { players, t0 }
    }

    /// `T0`.
    pub fn t0(&self) -> &Hash {
        &self.t0
    }

    /// How many are dealt in.
    pub fn players(&self) -> Players {
        self.players
    }

    /// Number of rounds this deal is for.
    pub fn rounds(&self) -> u8 {
        if self.players.are_two() { 2 } else { 1 }
    }

    /// The deck positions that `seat` gets in a round of the deal (from 1), in the order of its
    /// hand.
    pub fn positions(&self, seat: Seat, round: u8) -> Vec<u8> {
        let mine =
            |position: &usize| place(self.players, *position) == (seat.index(), round.into());
        let deck = 0..deck::deck(self.players).len();
        deck.filter(mine).map(|position| position as u8).collect()
    }

    /// The deck positions of a round that `seat` does not get.
    pub fn positions_of_others(&self, seat: Seat, round: u8) -> Vec<u8> {
        let theirs = |position: &usize| {
            let (owner, of) = place(self.players, *position);
            owner != seat.index() && of == usize::from(round)
        };
        let deck = 0..deck::deck(self.players).len();
        deck.filter(theirs).map(|position| position as u8).collect()
    }
}

/// The seat (from 0) that gets a deck position, and in which round of the deal (from 1).
fn place(players: Players, position: usize) -> (usize, usize) {
    let n = usize::from(players.count());
    let in_round = usize::from(deck::hand_size(players)) * n;
    ((position % in_round) % n, position / in_round + 1)
}
