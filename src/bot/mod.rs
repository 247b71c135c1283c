//! Players that decide from a view and nothing else.

mod expert;
mod greedy;
mod guess;
mod playout;
mod random;

use std::fmt;
use std::str::FromStr;

use crate::game::{Action, PlayerView};

pub use guess::guess;

/// A way to play.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Bot {
    /// Any legal action, each as likely.
    Random,
    /// The action with the best hand and points right after it.
    Greedy,
    /// The action that does best on average over many hands the others may hold, each played to
    /// the end of the round: determinized Monte Carlo with sequential halving.
    Expert,
}

/// How many rounds the expert plays to the end for one decision.
pub const PLAYOUTS: usize = 6_000;

/// There is no bot of this name.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("there is no bot `{0}`: the bots are `random`, `greedy` and `expert`")]
pub struct NoBot(String);

impl Bot {
    /// Every bot.
    pub const ALL: [Bot; 3] = [Bot::Random, Bot::Greedy, Bot::Expert];

    /// What the bot does on its turn, or keep or flip while hands are turned. Equal views and
    /// equal random numbers give equal actions. A view that has nothing to decide gives keep.
    pub fn choose(self, view: &PlayerView, rng: &mut impl rand::Rng) -> Action {
        self.choose_within(PLAYOUTS, view, rng)
    }

    /// As [`Bot::choose`], where a bot that looks ahead plays at most about so many rounds to
    /// the end.
    pub fn choose_within(
        self,
        playouts: usize,
        view: &PlayerView,
        rng: &mut impl rand::Rng,
    ) -> Action {
        let round = view.round();
        if round.is_choosing() {
            return match self {
                Bot::Random => random::choice(rng),
                Bot::Greedy => greedy::choice(view),
                Bot::Expert => expert::choice(view, playouts, rng),
            };
        }
        if round.turn() != Some(view.seat()) {
            return Action::Keep;
        }
        match self {
            Bot::Random => random::action(round, rng),
            Bot::Greedy => greedy::action(view, rng),
            Bot::Expert => expert::action(view, playouts, rng),
        }
    }
}

impl fmt::Display for Bot {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Bot::Random => "random",
            Bot::Greedy => "greedy",
            Bot::Expert => "expert",
        })
    }
}

impl FromStr for Bot {
    type Err = NoBot;

    fn from_str(name: &str) -> Result<Bot, NoBot> {
        let bot = Bot::ALL.into_iter().find(|bot| bot.to_string() == name);
        bot.ok_or_else(|| NoBot(name.into()))
    }
}

/// A number below `bound`, at least 1; the bias is below one in four thousand million.
fn below(rng: &mut impl rand::Rng, bound: usize) -> usize {
    ((u128::from(rng.next_u64()) * bound as u128) >> 64) as usize
}
