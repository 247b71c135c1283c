//! Players that decide from a view and nothing else.

mod expert;
mod greedy;
mod guess;
mod playout;
mod random;

use std::fmt;
use std::str::FromStr;

use rand::Rng;
use serde::{Deserialize, Serialize};

use crate::game::{Action, PlayerView};

pub use guess::guess;

/// Makes [`Bot`] from the list below. A bot's module has `choice` (keep or flip) and `action` (a
/// turn); its name is that of its module.
macro_rules! bots {
    ($($(#[doc = $about:literal])+ $bot:ident = $module:ident,)+) => {
        /// A way to play. As text, also on the disk, it is its name.
        ///
        /// ```
        /// use fairdeal::bot::Bot;
        ///
        /// assert_eq!("greedy".parse(), Ok(Bot::Greedy));
        /// assert!("nobody".parse::<Bot>().is_err());
        /// for bot in Bot::ALL {
        ///     println!("{bot}: {}", bot.about());
        /// }
        /// ```
        #[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
        #[serde(rename_all = "lowercase")]
        pub enum Bot {
            $($(#[doc = $about])+ $bot,)+
        }

        impl Bot {
            /// Every bot.
            pub const ALL: [Bot; [$(stringify!($bot)),+].len()] = [$(Bot::$bot),+];

            /// What it is called.
            pub fn name(self) -> &'static str {
                match self { $(Bot::$bot => stringify!($module),)+ }
            }

            /// How it decides, in a sentence.
            pub fn about(self) -> &'static str {
                match self { $(Bot::$bot => concat!($($about),+).trim_ascii(),)+ }
            }

            fn choice(self, view: &PlayerView, playouts: usize, rng: &mut impl Rng) -> Action {
                match self { $(Bot::$bot => $module::choice(view, playouts, rng),)+ }
            }

            fn action(self, view: &PlayerView, playouts: usize, rng: &mut impl Rng) -> Action {
                match self { $(Bot::$bot => $module::action(view, playouts, rng),)+ }
            }
        }
    };
}

bots! {
    /// Any legal action, each as likely
    Random = random,
    /// The action after which its hand and points look best
    Greedy = greedy,
    /// Plays the round to its end over and over, and takes what does best on average
    Expert = expert,
}

/// How many rounds the expert plays to the end for one decision.
pub const PLAYOUTS: usize = 6_000;

/// There is no bot of this name.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("there is no bot `{name}`; the bots are {}", Bot::ALL.map(Bot::name).join(", "))]
pub struct NoBot {
    name: String,
}

impl Bot {
    /// Whom a player meets who has chosen no other.
    pub const OPPONENT: Bot = Bot::Expert;

    /// The bot after this one in the list, and after the last the first.
    pub fn next(self) -> Bot {
        let mut after = Bot::ALL.into_iter().cycle().skip_while(|bot| *bot != self);
        after.nth(1).unwrap_or(self)
    }

    /// What the bot does on its turn, or keep or flip while hands are turned. Equal views and
    /// equal random numbers give equal actions. A view that has nothing to decide gives keep.
    pub fn choose(self, view: &PlayerView, rng: &mut impl Rng) -> Action {
        self.choose_within(PLAYOUTS, view, rng)
    }

    /// As [`Bot::choose`], where a bot that looks ahead plays at most about so many rounds to
    /// the end.
    pub fn choose_within(self, playouts: usize, view: &PlayerView, rng: &mut impl Rng) -> Action {
        let round = view.round();
        if round.is_choosing() {
            return self.choice(view, playouts, rng);
        }
        if round.turn() != Some(view.seat()) {
            return Action::Keep;
        }
        self.action(view, playouts, rng)
    }
}

impl fmt::Display for Bot {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

impl FromStr for Bot {
    type Err = NoBot;

    fn from_str(name: &str) -> Result<Bot, NoBot> {
        let bot = Bot::ALL.into_iter().find(|bot| bot.name() == name);
        bot.ok_or_else(|| NoBot { name: name.into() })
    }
}

/// A number below `bound`, at least 1; the bias is below one in four thousand million.
fn below(rng: &mut impl Rng, bound: usize) -> usize {
    ((u128::from(rng.next_u64()) * bound as u128) >> 64) as usize
}
