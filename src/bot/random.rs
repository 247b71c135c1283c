//! Any legal action, each as likely.

use crate::game::{Action, Round};

use super::below;

pub(super) fn choice(rng: &mut impl rand::Rng) -> Action {
    if below(rng, 2) == 0 { Action::Keep } else { Action::Flip }
}

pub(super) fn action(round: &Round, rng: &mut impl rand::Rng) -> Action {
    let drawn = below(rng, round.count_actions());
    round.nth_action(drawn).unwrap_or(Action::Keep)
}
