//! Hands the others may hold: one determinization of what a seat does not know.

use crate::game::{BySeat, Hand, PlayerView, Round, Slot};

use super::below;

/// The round with every hidden card drawn at random from those it can be, and turned at random;
/// what the view knows stays as it is. Each way to deal the unseen cards is as likely.
pub fn guess(view: &PlayerView, rng: &mut impl rand::Rng) -> Option<Round> {
    let mut unseen: Vec<_> = view.unseen().collect();
    let round = view.round();
    let hands = BySeat::from_fn(round.players(), |seat| {
        let slots = round.hand(seat).iter().map(|slot| {
            let card = match slot {
                Slot::Seen(_) => return slot,
                Slot::Turned(card) => card,
                Slot::Sealed if unseen.is_empty() => return slot,
                Slot::Sealed => unseen.swap_remove(below(rng, unseen.len())),
            };
            Slot::Seen(if below(rng, 2) == 0 { card } else { card.turned() })
        });
        slots.collect::<Hand>()
    });
    view.possible(hands)
}
