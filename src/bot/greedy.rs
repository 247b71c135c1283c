//! The action after which points and hand look best; it does not think ahead.

use crate::game::{Action, Card, PlayerView, Scout, Set, Side, Span};

use super::below;

/// What a card left in the hand weighs. A point won weighs as much.
const CARD: i32 = 2;
/// What each show weighs that emptying the hand would still take.
const SHOW: i32 = 3;
/// What each card of the own set on the table weighs: it is harder to beat.
const TABLE: i32 = 1;
/// What it weighs to give up the scout-and-show of the round.
const SCOUT_AND_SHOW: i32 = 4;
/// What an empty hand weighs.
const EMPTIED: i32 = 100;

/// The way up in which the hand is better.
pub(super) fn choice(view: &PlayerView, _: usize, _: &mut impl rand::Rng) -> Action {
    let kept = hand(view);
    let flipped: Vec<Card> = kept.iter().map(|card| card.turned()).collect();
    if cost(&flipped) < cost(&kept) { Action::Flip } else { Action::Keep }
}

/// One of the actions of the highest worth, drawn where there are several.
pub(super) fn action(view: &PlayerView, _: usize, rng: &mut impl rand::Rng) -> Action {
    let (hand, mut best, mut most) = (hand(view), Vec::new(), i32::MIN);
    view.round().for_each_action(|action| {
        let worth = worth(view, &hand, action);
        if worth > most {
            best.clear();
            most = worth;
        }
        if worth == most {
            best.push(action);
        }
    });
    let drawn = below(rng, best.len());
    best.get(drawn).copied().unwrap_or(Action::Keep)
}

/// What the position after an action is worth to the seat, as far as it can see.
pub(super) fn worth(view: &PlayerView, hand: &[Card], action: Action) -> i32 {
    let mut hand = hand.to_vec();
    let table = view.round().active();
    let lying = table.map_or(0, Set::len);
    match action {
        Action::Keep | Action::Flip => 0,
        Action::Show(span) => show(&mut hand, lying, span),
        Action::Scout(scout) => {
            take(&mut hand, table, scout);
            -CARD - cost(&hand)
        }
        Action::ScoutAndShow(scout, span) => {
            take(&mut hand, table, scout);
            show(&mut hand, lying.saturating_sub(1), span) - CARD - SCOUT_AND_SHOW
        }
    }
}

fn show(hand: &mut Vec<Card>, captured: usize, span: Span) -> i32 {
    hand.drain(span.first()..=span.last().min(hand.len().saturating_sub(1)));
    let emptied = if hand.is_empty() { EMPTIED } else { 0 };
    CARD * captured as i32 + TABLE * span.len() as i32 + emptied - cost(hand)
}

fn take(hand: &mut Vec<Card>, table: Option<&Set>, scout: Scout) {
    if let Some(card) = table.and_then(|set| set.end(scout.end)) {
        let card = if scout.side == Side::Flipped { card.turned() } else { card };
        hand.insert(usize::from(scout.place).min(hand.len()), card);
    }
}

/// What a hand weighs: its cards, and the fewest sets its row can be cut into.
fn cost(hand: &[Card]) -> i32 {
    let mut sets = vec![0; hand.len() + 1];
    for end in 1..=hand.len() {
        sets[end] = (0..end)
            .rev()
            .take_while(|&start| Set::new(&hand[start..end]).is_ok())
            .map(|start| sets[start] + 1)
            .min()
            .unwrap_or(end as i32);
    }
    CARD * hand.len() as i32 + SHOW * sets[hand.len()]
}

/// The cards of the seat's own hand.
pub(super) fn hand(view: &PlayerView) -> Vec<Card> {
    view.hand().iter().filter_map(|slot| slot.seen()).collect()
}
