//! The points of a round, and the end of a game, to be looked at.

use crate::{
    game::{BySeat, Ending, Seat},
    ui::story::Story,
};

/// How a seat's points of a round come about.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Reckoning {
    /// The seat.
    pub seat: Seat,
    /// Its name.
    pub name: String,
    /// Cards captured.
    pub captured: u8,
    /// Scout tokens.
    pub tokens: u16,
    /// Cards left in the hand.
    pub hand: usize,
    /// Whether the hand costs nothing: it owned the set of a stalled round.
    pub free: bool,
    /// The points of the round.
    pub points: i32,
    /// The points of all rounds so far.
    pub total: i32,
}

/// A page of points.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Page {
    /// A round is over.
    Round {
        /// The round, from 1.
        round: u8,
        /// How it ended, in words.
        how: String,
        /// By seat.
        rows: Vec<Reckoning>,
    },
    /// The game is over.
    Game {
        /// Who won, in words.
        won: String,
        /// By seat, the most points first.
        rows: Vec<Standing>,
    },
}

/// What a seat has after the game.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Standing {
    /// Its name.
    pub name: String,
    /// The points of each round.
    pub rounds: Vec<i32>,
    /// The points of all rounds.
    pub total: i32,
}

/// The page of a round that the story has just told the end of.
pub fn round_page(story: &Story, round: u8, ending: Ending, points: &BySeat<i32>) -> Page {
    let game = story.game();
    let totals = game.totals();
    let played = game.round();
    let owner = played.and_then(|played| played.owner());
    let rows = points
        .iter()
        .map(|(seat, points)| Reckoning {
            seat,
            name: story.name(seat),
            captured: played.map_or(0, |played| played.captured(seat)),
            tokens: played.map_or(0, |played| played.tokens(seat)),
            hand: played.map_or(0, |played| played.hand(seat).len()),
            free: ending == Ending::Stalled
                && owner == Some(seat)
                && played.is_some_and(|played| played.present().contains(seat)),
            points: *points,
            total: totals[seat],
        })
        .collect();
    let owner = owner.map(|seat| story.name(seat)).unwrap_or_default();
    let how = match ending {
        Ending::Emptied => format!("{owner} has no cards left."),
        Ending::Stalled => {
            format!("Nobody could beat {owner}'s set: {owner}'s hand does not count.")
        }
    };
    Page::Round { round, how, rows }
}

/// The page of the game's end.
pub fn game_page(story: &Story) -> Page {
    let game = story.game();
    let winners: Vec<String> = game.winners().iter().map(|seat| story.name(seat)).collect();
    let won = match winners.as_slice() {
        [] => "The game ended early; the points stand as they were.".into(),
        [one] => format!("{one} wins."),
        many => format!("A tie: {} share the win.", many.join(" and ")),
    };
    let totals = game.totals();
    let points_of = |seat| {
        let rounds = (1..=game.round_number()).filter_map(|round| game.points_of(round));
        rounds.map(|points| points[seat]).collect()
    };
    let standing = |(seat, total): (Seat, &i32)| Standing {
        name: story.name(seat),
        rounds: points_of(seat),
        total: *total,
    };
    let mut rows: Vec<Standing> = totals.iter().map(standing).collect();
    rows.sort_by_key(|row| std::cmp::Reverse(row.total));
    Page::Game { won, rows }
}
