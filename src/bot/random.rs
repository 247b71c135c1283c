//! Any legal action, each as likely.

use crate::game::{Action, PlayerView};

use super::below;

pub(super) fn choice(_: &PlayerView, _: usize, rng: &mut impl rand::Rng) -> Action {
    if below(rng, 2) == 0 { Action::Keep } else { Action::Flip }
}

pub(super) fn action(view: &PlayerView, _: usize, rng: &mut impl rand::Rng) -> Action {
    let round = view.round();
    let drawn = below(rng, round.count_actions());
    round.nth_action(drawn).unwrap_or(Action::Keep)
}
