//! Points of a round, totals of a game, and who has won.

use super::round::{Ending, Round};
use super::seat::{BySeat, Seats};
use crate::planted::{Bug, planted};

impl Round {
    /// The points each seat has, were the round to end as it stands: one for each captured card
    /// and each token, minus one for each card left. The owner of the active set of a stalled
    /// round loses nothing for the hand, if it is present.
    pub fn points(&self) -> BySeat<i32> {
        let spared = self
            .owner
            .filter(|_| !planted(Bug::NobodySpared))
            .filter(|&owner| self.over == Some(Ending::Stalled) && self.present.contains(owner));
        self.hands.map(|seat, hand| {
            let lost = if spared == Some(seat) { 0 } else { hand.len() as i32 };
            i32::from(self.captured[seat]) + i32::from(self.tokens[seat]) - lost
        })
    }
}

/// The seats with the most points: several where they tie.
pub fn winners(totals: &BySeat<i32>) -> Seats {
    let most = totals.iter().map(|(_, points)| points).max();
    totals.iter().filter(|(_, points)| Some(*points) == most).map(|(seat, _)| seat).collect()
}
