//! Counting the lines of play from a state: a fingerprint of the rules.

use super::round::Round;
use super::seat::Seat;

/// The seat whose hidden cards stand in the way of listing what it may do.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
#[error("seat {0} is to act and has hidden cards")]
pub struct HiddenHand(pub Seat);

impl Round {
    /// The number of action sequences of length `depth` from here. A round that is over counts
    /// as one at any depth.
    pub fn perft(&self, depth: u32) -> Result<u64, HiddenHand> {
        let Some(seat) = self.to_act().filter(|_| depth > 0) else {
            return Ok(1);
        };
        self.check_seen(seat)?;
        if depth == 1 {
            return Ok(self.count_actions() as u64);
        }
        let mut total = Ok(0);
        self.for_each_action(|action| {
            if let (Ok(sum), Ok(next)) = (total, self.apply(seat, action, &[])) {
                total = next.perft(depth - 1).map(|count| sum + count);
            }
        });
        total
    }

    /// Checks that the hand of a seat is known, so that what it may do can be listed.
    pub fn check_seen(&self, seat: Seat) -> Result<(), HiddenHand> {
        if self.hand(seat).is_seen() { Ok(()) } else { Err(HiddenHand(seat)) }
    }
}
