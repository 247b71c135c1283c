//! The deal: how a table without a dealer gets a fair shuffle.
//!
//! Two ways, one of them fixed by the table's terms. [`open`]: all reveal their seeds and
//! everyone can compute every hand. [`sealed`]: the deck is encrypted to all seats together, each
//! shuffles it with a proof, and a card is read by its owner alone until it is shown.

pub mod open;
pub mod sealed;
pub mod wire;

use super::crypto::hash::{Hash, hash};
use crate::game::{BySeat, Card, Players, Seat, Seats, deck};

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
    dealt_in: Seats,
    t0: Hash,
}

impl Context {
    /// The deal `number` (from 1) of a game to all its seats, its `attempt` (from 1) starting on
    /// `head`.
    pub fn new(game: &Hash, players: Players, number: u32, attempt: u32, head: &Hash) -> Context {
        Context::among(game, players, Seats::all(players), (number, attempt), head)
    }

    /// The same to some of the seats:
    /// `T0 = H("deal", game, number, attempt, head, seats, n, N, deck table, seat map)`. The
    /// positions of the other seats belong to nobody.
    pub fn among(
        game: &Hash,
        players: Players,
        dealt_in: Seats,
        (number, attempt): (u32, u32),
        head: &Hash,
    ) -> Context {
        let deck = deck::deck(players);
        let seats: Vec<u8> = dealt_in.iter().map(|seat| seat.index() as u8).collect();
        let table: Vec<u8> = deck.iter().flat_map(|card| [card.up(), card.down()]).collect();
        let map: Vec<u8> = (0..deck.len())
            .flat_map(|position| {
                let (seat, round) = place(players, position);
                let seat = Seat::new(seat as u8).filter(|seat| dealt_in.contains(*seat));
                [seat.map_or(u8::MAX, |seat| seat.index() as u8), round as u8]
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
                &[dealt_in.count()],
                &[deck.len() as u8],
                &hash("deck", &[&table]),
                &map,
            ],
        );
        Context { players, dealt_in, t0 }
    }

    /// `T0`.
    pub fn t0(&self) -> &Hash {
        &self.t0
    }

    /// The table, which fixes deck, hands and rounds.
    pub fn players(&self) -> Players {
        self.players
    }

    /// The seats that are dealt in.
    pub fn dealt_in(&self) -> Seats {
        self.dealt_in
    }

    /// Where a seat stands among those dealt in, from 0; `None` if it is not.
    pub fn rank(&self, seat: Seat) -> Option<usize> {
        self.dealt_in.contains(seat).then(|| self.dealt_in.iter().take_while(|s| *s < seat).count())
    }

    /// The seat that a draw below the number of those dealt in means.
    pub fn drawn(&self, draw: u8) -> Option<Seat> {
        self.dealt_in.iter().nth(draw.into())
    }

    /// Number of rounds this deal is for.
    pub fn rounds(&self) -> u8 {
        if self.players.are_two() { 2 } else { 1 }
    }

    /// The deck positions that `seat` gets in a round of the deal (from 1), in the order of its
    /// hand; none if it is not dealt in.
    pub fn positions(&self, seat: Seat, round: u8) -> Vec<u8> {
        let dealt_in = self.dealt_in.contains(seat);
        let mine = |position: &usize| {
            dealt_in && place(self.players, *position) == (seat.index(), round.into())
        };
        let deck = 0..deck::deck(self.players).len();
        deck.filter(mine).map(|position| position as u8).collect()
    }

    /// The deck positions of a round that other seats get.
    pub fn positions_of_others(&self, seat: Seat, round: u8) -> Vec<u8> {
        let theirs = |position: &usize| {
            let (owner, of) = place(self.players, *position);
            let owner = Seat::new(owner as u8).filter(|owner| self.dealt_in.contains(*owner));
            owner.is_some_and(|owner| owner != seat) && of == usize::from(round)
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
