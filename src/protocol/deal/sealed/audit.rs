//! The deal once seats have revealed their seeds: checked against what they signed, and dealt again
//! with every card known.

use super::{DealError, SealedDeal};
use crate::{
    game::{BySeat, Seat},
    protocol::{
        crypto::{hash::Hash, keys::DealSecrets, shuffle::is_shuffle_of},
        deal::Dealt,
    },
};

impl SealedDeal {
    /// The audit of one seat: everything it signed in this deal follows from its seed.
    ///
    /// # Errors
    /// [`DealError::Opened`] if it is not the seed committed to, [`DealError::Audit`] if the seed
    /// gives something else than the seat signed.
    pub fn check_seed(&self, seat: Seat, seed: &Hash) -> Result<(), DealError> {
        let secrets = DealSecrets::derive(seed, self.context.t0(), seat.index() as u8);
        let signed = self.committed(seat)?;
        let given = self.commitment_of(seat, &secrets);
        if given.seed != signed.seed {
            return Err(DealError::Opened("the seed"));
        }
        let audit = |same: bool, what| if same { Ok(()) } else { Err(DealError::Audit(what)) };
        audit(given.key == signed.key, "key")?;
        audit(given.coins == signed.coins, "coin")?;
        audit(given.leaves == signed.leaves, "salt")?;
        let (context, input) = self.at_stage(self.rank(seat)?)?;
        let (_, output) = self.stages.get(self.rank(seat)? + 1).ok_or(DealError::Early)?;
        audit(is_shuffle_of(output, &secrets, &context, input), "deck")
    }

    /// All hands of the deal, from the seeds of all seats dealt in, by seat.
    ///
    /// # Errors
    /// [`DealError`] if a seed is not of this deal.
    pub fn reveal(&self, seeds: &[Hash]) -> Result<Dealt, DealError> {
        let derive = |(seat, seed): (Seat, &Hash)| {
            let number = seat.index() as u8;
            (seat, DealSecrets::derive(seed, self.context.t0(), number))
        };
        let secrets: Vec<(Seat, DealSecrets)> =
            self.context.dealt_in().iter().zip(seeds).map(derive).collect();
        let mut rounds = Vec::new();
        for round in 1..=self.rounds_open() {
            let mut hands = BySeat::from_fn(self.context.players(), |_| Vec::new());
            for (seat, own) in &secrets {
                hands[*seat] = self.own_hand(own, round)?;
            }
            rounds.push(hands);
        }
        Ok(Dealt { start: self.start().ok_or(DealError::Early)?, rounds })
    }
}
