//! Looks ahead: guesses the hidden hands over and over, tries its best ideas on each guess and
//! plays the round to its end.
//!
//! Information-set Monte Carlo at the root: every idea is tried on the same determinizations.
//! Sequential halving spends the playouts: after each stage the better half goes on.

use crate::game::{Action, Actions, PlayerView, Round, Seat};

use super::greedy;
use super::guess::guess;
use super::playout::playout;

/// How many shows, scouts, and scout-and-shows are tried, those of the most worth right after.
const IDEAS: [usize; 3] = [8, 10, 6];

struct Idea {
    action: Action,
    /// The lead over the other seats, summed up over the playouts so far.
    lead: i64,
}

/// Keep or flip, whichever does better.
pub(super) fn choice(view: &PlayerView, playouts: usize, rng: &mut impl rand::Rng) -> Action {
    best(view, &[Action::Keep, Action::Flip], playouts, rng)
}

/// The action that does best.
pub(super) fn action(view: &PlayerView, playouts: usize, rng: &mut impl rand::Rng) -> Action {
    let hand = greedy::hand(view);
    let mut sorts = [const { Vec::new() }; 3];
    view.round().for_each_action(|action| {
        let sort = match (action.scout(), action.span()) {
            (None, _) => 0,
            (Some(_), None) => 1,
            (Some(_), Some(_)) => 2,
        };
        sorts[sort].push((greedy::worth(view, &hand, action), action));
    });
    let mut ideas = Vec::new();
    for (sort, most) in sorts.iter_mut().zip(IDEAS) {
        sort.sort_by_key(|&(worth, _)| std::cmp::Reverse(worth));
        ideas.extend(sort.iter().take(most).map(|&(_, action)| action));
    }
    best(view, &ideas, playouts, rng)
}

fn best(
    view: &PlayerView,
    actions: &[Action],
    playouts: usize,
    rng: &mut impl rand::Rng,
) -> Action {
    let mut ideas: Vec<Idea> = actions.iter().map(|&action| Idea { action, lead: 0 }).collect();
    let stages = ideas.len().max(2).next_power_of_two().ilog2() as usize;
    let mut list = Actions::new();
    while ideas.len() > 1 {
        let guesses = (playouts / stages / ideas.len()).max(1);
        for _ in 0..guesses {
            let Some(round) = guess(view, rng) else { break };
            let seed = rng.next_u64();
            for idea in &mut ideas {
                let mut round = round;
                if round.play(view.seat(), idea.action, &[]).is_ok() {
                    playout(&mut round, &mut list, seed);
                    idea.lead += lead(&round, view.seat());
                }
            }
        }
        ideas.sort_by_key(|idea| std::cmp::Reverse(idea.lead));
        ideas.truncate(ideas.len().div_ceil(2));
    }
    ideas.first().map_or(Action::Keep, |idea| idea.action)
}

/// By how much the points of the seat are above those of each other seat, summed up.
fn lead(round: &Round, seat: Seat) -> i64 {
    let points = round.points();
    points.iter().map(|(_, &other)| i64::from(points[seat] - other)).sum()
}
