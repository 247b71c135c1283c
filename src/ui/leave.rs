//! What leaving does, said before it is done and after.

use super::text::count;
use crate::{game::Seat, protocol::table::Phase, run::Snapshot};

/// From where somebody is about to leave.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Leaving {
    /// A game against bots of this program.
    Alone,
    /// A game with others.
    Company {
        /// Whether it ends for everyone if this player leaves for good.
        ends: bool,
        /// Bots of this program at the table.
        bots: usize,
    },
    /// A game whose result is signed but not yet with everyone.
    Over,
    /// A lobby of one's own, with so many guests.
    Host(usize),
    /// Somebody's lobby.
    Guest,
    /// The way to a table, or a table that is only watched.
    Way,
}

impl Leaving {
    /// From a table that stands like this.
    pub fn table(now: &Snapshot) -> Leaving {
        if now.phase == Phase::Complete {
            return Leaving::Over;
        }
        if now.is_alone() {
            return Leaving::Alone;
        }
        // The bots that a program runs leave with it.
        let keeper = now.seat.index() as u8;
        let bot =
            |seat: &Seat| now.roster.join(*seat).is_some_and(|join| join.kept_by == Some(keeper));
        let bots: Vec<Seat> = now.view.present().iter().filter(bot).collect();
        let mut game = now.view;
        for seat in bots.iter().chain([&now.seat]) {
            game = game.out(*seat).unwrap_or(game);
        }
        Leaving::Company { ends: game.is_abandoned(), bots: bots.len() }
    }

    /// Whether one can leave for good, too.
    pub fn for_good(self) -> bool {
        matches!(self, Leaving::Company { .. })
    }

    /// What is asked, a line for each answer.
    pub fn question(self) -> Vec<String> {
        let line = |text: &str| text.to_string();
        match self {
            Leaving::Alone => vec![line(
                "The game is saved: continue it from the home screen, or with `fairdeal resume`.",
            )],
            Leaving::Company { ends, bots } => {
                let bots = match bots {
                    0 => String::new(),
                    1 => " Your bot leaves with you.".into(),
                    bots => format!(" Your {} leave with you.", count(bots, "bot")),
                };
                let good = match ends {
                    true => "w  leave for good: this ENDS the game for everyone.",
                    false => "w  leave for good: the others play on without you.",
                };
                vec![
                    format!("y  leave for now: the game is saved and the others wait.{bots}"),
                    line(good),
                ]
            }
            Leaving::Over => vec![line(
                "The result is signed. Players who do not have the whole game yet may need you a \
                 moment longer; `fairdeal resume` lets them have it later.",
            )],
            Leaving::Host(0) => vec![line("Nobody has joined yet. Leaving closes your table.")],
            Leaving::Host(guests) => vec![format!(
                "Leaving closes your table for {}. There is nothing to save: no game has begun.",
                count(guests, "guest")
            )],
            Leaving::Guest => vec![line(
                "You give up your seat. The same invite brings you back until the game begins.",
            )],
            Leaving::Way => vec![line("You are at no table yet: nothing is lost.")],
        }
    }

    /// What is said when it is done: for now, or for good.
    pub fn done(self, good: bool) -> &'static str {
        match self {
            Leaving::Company { ends: true, .. } if good => {
                "You left for good. That ends the game for everyone."
            }
            Leaving::Company { .. } if good => "You left for good. The game goes on without you.",
            Leaving::Company { .. } => {
                "The game is saved and the others wait: `fairdeal resume` brings you back."
            }
            Leaving::Alone => "The game is saved: `fairdeal resume` continues it.",
            Leaving::Over => "The game is over and saved: `fairdeal resume` finishes its file.",
            Leaving::Host(_) => "Your table is closed; no game had begun.",
            Leaving::Guest => {
                "You gave up your seat. The same invite brings you back until the game begins."
            }
            Leaving::Way => "You left before you reached a table.",
        }
    }
}
