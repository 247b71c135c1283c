//! The open deal: everyone commits to a seed, all reveal, one deck order follows from all.

use std::num::NonZeroU8;

use super::{Context, Dealt, place};
use crate::{
    game::{BySeat, Players, Seat, Seats, deck},
    protocol::crypto::{
        commit::seed_commitment,
        hash::{Hash, hash},
        stream::Stream,
    },
};

/// An open deal in progress.
#[derive(Debug, Clone)]
pub struct OpenDeal {
    context: Context,
    commitments: Vec<Hash>,
}

impl OpenDeal {
    /// A deal to which nobody has committed yet.
    pub fn new(context: Context) -> OpenDeal {
        OpenDeal { context, commitments: Vec::new() }
    }

    /// What the deal is bound to.
    pub fn context(&self) -> &Context {
        &self.context
    }

    /// The commitment of `seat` to `seed`.
    pub fn commitment(&self, seat: Seat, seed: &Hash) -> Hash {
        seed_commitment(self.context.t0(), seat.index() as u8, seed)
    }

    /// Takes the commitments of all seats dealt in, by seat.
    pub fn take_commitments(&mut self, commitments: Vec<Hash>) {
        self.commitments = commitments;
    }

    /// Whether `seed` is the one `seat` committed to.
    pub fn opens(&self, seat: Seat, seed: &Hash) -> bool {
        let committed = self.context.rank(seat).and_then(|rank| self.commitments.get(rank));
        committed == Some(&self.commitment(seat, seed))
    }

    /// The deal that the seeds of all seats dealt in, by seat, give: `Z = H("open", T0, seeds)`.
    pub fn reveal(&self, seeds: &[Hash]) -> Dealt {
        let mut parts: Vec<&[u8]> = vec![self.context.t0()];
        parts.extend(seeds.iter().map(|seed| &seed[..]));
        deal_among(&hash("open", &parts), self.context.players(), self.context.dealt_in())
    }
}

/// The deal that `z` gives: deck order by Fisher-Yates, then a byte a position for its
/// orientation, then the starting seat.
pub fn deal_from(z: &Hash, players: Players) -> Dealt {
    deal_among(z, players, Seats::all(players))
}

/// The same where only some seats are dealt in: the others' cards stay where they are.
fn deal_among(z: &Hash, players: Players, dealt_in: Seats) -> Dealt {
    let mut stream = Stream::new(z);
    let deck = deck::deck(players);
    let order = stream.permutation(deck.len() as u8);
    let mut cards: Vec<_> =
        order.iter().filter_map(|index| deck.get(usize::from(*index)).copied()).collect();
    for card in &mut cards {
        if stream.byte() & 1 == 1 {
            *card = card.turned();
        }
    }
    let count = NonZeroU8::new(dealt_in.count()).unwrap_or(NonZeroU8::MIN);
    let start = dealt_in.iter().nth(stream.below(count).into());
    let rounds = if players.are_two() { 2 } else { 1 };
    let hands = |round| {
        BySeat::from_fn(players, |seat| {
            let mine = cards.iter().enumerate();
            let dealt = |at: usize| place(players, at) == (seat.index(), round);
            mine.filter(|(at, _)| dealt_in.contains(seat) && dealt(*at))
                .map(|(_, card)| *card)
                .collect()
        })
    };
    Dealt { start: start.unwrap_or(Seat::FIRST), rounds: (1..=rounds).map(hands).collect() }
}
