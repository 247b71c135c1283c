//! Plays a round of known hands to its end, quickly and not badly.

use rand::{Rng, SeedableRng, rngs::SmallRng};

use crate::game::{Action, Actions, Card, End, Hand, PAIRS, Round, Scout, Seat, Side, Span};

/// The most actions of a playout; hardly any round is as long.
const ACTIONS_MAX: usize = 250;
/// One in so many shows is held back for a scout.
const HELD_BACK: u64 = 12;
/// The fewest cards a scout-and-show shows, unless fewer are left after it.
const WORTH_IT: usize = 3;

/// Plays on until the round is over: each seat shows its best set, else scouts the card that
/// fits best.
pub(super) fn playout(round: &mut Round, list: &mut Actions, seed: u64) {
    let mut coins = SmallRng::seed_from_u64(seed);
    for seat in round.to_choose().iter() {
        let action = choice(round.hand(seat));
        if round.play(seat, action, &[]).is_err() {
            return;
        }
    }
    for _ in 0..ACTIONS_MAX {
        let Some(turn) = round.turn() else { return };
        let action = action(round, turn, list, &mut coins);
        if round.play(turn, action, &[]).is_err() {
            return;
        }
    }
}

/// The way up in which the hand has fewer sets.
fn choice(hand: &Hand) -> Action {
    let (up, down) = (Row::new(hand), Row::new(&hand.turned()));
    if down.sets(0, 0) < up.sets(0, 0) { Action::Flip } else { Action::Keep }
}

fn action(round: &Round, turn: Seat, list: &mut Actions, coins: &mut SmallRng) -> Action {
    let row = Row::new(round.hand(turn));
    round.list_shows(list);
    let hold_back = coins.next_u64().is_multiple_of(HELD_BACK) && round.can_scout();
    if !list.is_empty() && !hold_back {
        return best_show(&row, list);
    }
    if list.is_empty() && round.active().is_some() && round.may_scout_and_show(turn) {
        round.list_actions(list);
        if let Some(action) = best_scout_and_show(row.len, list) {
            return action;
        }
    }
    best_scout(round, &row)
}

/// The show of the most cards and the fewest sets left.
fn best_show(row: &Row, list: &Actions) -> Action {
    let shows = list.iter().filter_map(Action::span);
    let worth = |span: Span| span.len() as i32 - row.sets(span.first(), span.last() + 1) as i32;
    shows.max_by_key(|&span| worth(span)).map_or(Action::Keep, Action::Show)
}

/// The one that shows the most cards, if it is worth it.
fn best_scout_and_show(cards: usize, list: &Actions) -> Option<Action> {
    let both = list.iter().filter(|action| action.scout().is_some() && action.span().is_some());
    let shown = |action: &Action| action.span().map_or(0, Span::len);
    let best = both.max_by_key(shown)?;
    let (shown, left) = (shown(&best), (cards + 1).saturating_sub(shown(&best)));
    (shown >= WORTH_IT || left < shown).then_some(best)
}

/// The scout of the card that fits best beside those it is put between.
fn best_scout(round: &Round, row: &Row) -> Action {
    let Some(set) = round.active() else { return Action::Keep };
    let (mut best, mut most) = (Action::Keep, i32::MIN);
    for end in [End::Left, End::Right] {
        let Some(card) = set.end(end) else { continue };
        for place in 0..=row.len {
            for (side, up) in [(Side::AsItLay, card.up()), (Side::Flipped, card.down())] {
                let fit = row.fit(place, up);
                if fit > most {
                    most = fit;
                    best = Action::Scout(Scout { end, place: place as u8, side });
                }
            }
        }
    }
    best
}

/// The numbers up of a hand, with two numbers that fit nothing on either side.
struct Row {
    ups: [u8; PAIRS + 4],
    len: usize,
}

/// Fits nothing: no number is 1 away from it.
const NOTHING: u8 = 100;

/// The step from one number to the next, or none.
fn step(left: u8, right: u8) -> Option<i8> {
    let step = right.wrapping_sub(left) as i8;
    (-1..=1).contains(&step).then_some(step)
}

impl Row {
    fn new(hand: &Hand) -> Row {
        let mut row = Row { ups: [NOTHING; PAIRS + 4], len: hand.len() };
        let ups = row.ups.iter_mut().skip(2);
        let cards = hand.iter().map(|slot| slot.seen().map_or(NOTHING, Card::up));
        ups.zip(cards).for_each(|(place, up)| *place = up);
        row
    }

    /// The fewest sets the row can be cut into without the places `from` to `to`, the last one
    /// left out. Each part of a set is a set: taking the longest from the left is best.
    fn sets(&self, from: usize, to: usize) -> usize {
        let (mut sets, mut last, mut goes_on) = (0, NOTHING, None);
        let ups = self.ups.get(2..2 + self.len).unwrap_or(&[]);
        let parts = [ups.get(..from).unwrap_or(&[]), ups.get(to..).unwrap_or(&[])];
        for &up in parts.into_iter().flatten() {
            let next = step(last, up).filter(|_| last != NOTHING);
            // A set of one card goes on with any step, a longer one with its own.
            goes_on = match (goes_on, next) {
                (Some(Some(own)), Some(next)) if own != next => None,
                (Some(_), Some(next)) => Some(Some(next)),
                _ => None,
            };
            if goes_on.is_none() {
                sets += 1;
                goes_on = Some(None);
            }
            last = up;
        }
        sets
    }

    /// How well a number fits in at a place: what it joins less what it parts.
    fn fit(&self, place: usize, up: u8) -> i32 {
        let Some(&[before, left, right, after]) = self.ups.get(place..place + 4) else { return 0 };
        let (into, out, across) = (step(left, up), step(up, right), step(left, right));
        let joined = |step: Option<i8>, further: Option<i8>| match step {
            None => 0,
            Some(_) if step == further => 3,
            Some(_) => 2,
        };
        let parted = match across.filter(|_| left != NOTHING) {
            Some(_) if into != across || out != across => 2,
            _ => 0,
        };
        let through = if into.is_some() && into == out { 1 } else { 0 };
        let left = joined(into, step(before, left));
        left + joined(out, step(right, after)) + through - parted
    }
}
