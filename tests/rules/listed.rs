//! What the seat to act may do, held against the sentences of the rules, read one by one.
//!
//! Nothing of the engine's own way to sets is used: each span of a hand is asked whether it is a
//! group or a run, and each card put at each place.

use std::path::Path;

use fairdeal::game::notation::check;
use fairdeal::game::{Action, Actions, Card, End, Game, Players, Round, Scout, Side, Span, deck};

use crate::support::{Dice, players, read, seat, shuffled};

/// How strong these cards are as a set: how many, whether a group, the smallest number; `None` if
/// they are no set. A single card has no kind.
fn strength(cards: &[Card]) -> Option<(usize, bool, u8)> {
    let ups: Vec<u8> = cards.iter().map(|card| card.up()).collect();
    let all = |step: fn(u8, u8) -> bool| ups.windows(2).all(|two| step(two[0], two[1]));
    let group = all(|left, right| left == right);
    let run = all(|left, right| left + 1 == right) || all(|left, right| left == right + 1);
    let low = *ups.iter().min()?;
    (group || run).then_some((ups.len(), group && ups.len() > 1, low))
}

/// The shows of a hand that beat these cards, by first and last place.
fn shows(hand: &[Card], table: &[Card]) -> Vec<Span> {
    let mut spans = Vec::new();
    for first in 0..hand.len() {
        for last in first..hand.len() {
            let shown = strength(&hand[first..=last]);
            if shown.is_some() && shown > strength(table) {
                spans.extend(Span::new(first as u8, last as u8));
            }
        }
    }
    spans
}

/// Every scout of these cards into a hand, with the new hand and what is left on the table.
fn scouts(hand: &[Card], table: &[Card]) -> Vec<(Scout, Vec<Card>, Vec<Card>)> {
    let mut found = Vec::new();
    let ends = [(End::Left, table.split_first()), (End::Right, table.split_last())];
    for (end, taken) in ends.into_iter().take(table.len()) {
        let Some((&card, rest)) = taken else { continue };
        for place in 0..=hand.len() {
            for (side, card) in [(Side::AsItLay, card), (Side::Flipped, card.turned())] {
                let mut new = hand.to_vec();
                new.insert(place, card);
                found.push((Scout { end, place: place as u8, side }, new, rest.to_vec()));
            }
        }
    }
    found
}

/// All that the seat to act may do, in the order of the notation.
fn actions(round: &Round) -> Vec<Action> {
    let turn = round.turn().expect("a seat is to act");
    let hand: Vec<Card> = round.hand(turn).cards().expect("all are seen").collect();
    let table: Vec<Card> = round.active().map_or(Vec::new(), |set| set.cards().collect());
    let mut all: Vec<Action> = shows(&hand, &table).into_iter().map(Action::Show).collect();
    let two = round.players() == players(2);
    let scouts = scouts(&hand, &table);
    if !two || round.tokens(turn) > 0 {
        all.extend(scouts.iter().map(|(scout, ..)| Action::Scout(*scout)));
    }
    if !two && round.may_scout_and_show(turn) {
        for (scout, hand, rest) in &scouts {
            let shows = shows(hand, rest).into_iter();
            all.extend(shows.map(|span| Action::ScoutAndShow(*scout, span)));
        }
    }
    all
}

/// Every way to ask gives these actions, and no other show is taken.
fn assert_listed(round: &Round, list: &mut Actions) {
    let expected = actions(round);
    round.list_actions(list);
    assert_eq!(list.iter().collect::<Vec<_>>(), expected, "{round:?}");
    assert_eq!((list.len(), list.is_empty()), (expected.len(), expected.is_empty()));
    assert_eq!(round.count_actions(), expected.len());
    let mut visited = Vec::new();
    round.for_each_action(|action| visited.push(action));
    assert_eq!(visited, expected);
    let last = expected.len() - 1;
    for (at, found) in [(0, expected.first()), (last, expected.last()), (last + 1, None)] {
        assert_eq!((list.nth(at), round.nth_action(at)), (found.copied(), found.copied()));
    }
    let is_show = |action: &&Action| matches!(action, Action::Show(_));
    let shows: Vec<Action> = expected.iter().filter(is_show).copied().collect();
    round.list_shows(list);
    assert_eq!(list.iter().collect::<Vec<_>>(), shows);
    let mut visited = Vec::new();
    round.for_each_show(|span| visited.push(Action::Show(span)));
    assert_eq!(visited, shows);
    assert_eq!(round.can_show(), !shows.is_empty());
    let turn = round.turn().expect("a seat is to act");
    let len = round.hand(turn).len() as u8;
    for (first, last) in (0..len).flat_map(|first| (first..len).map(move |last| (first, last))) {
        let show = Action::Show(Span::new(first, last).expect("in order"));
        let taken = round.apply(turn, show, &[]).is_ok();
        assert_eq!(taken, shows.contains(&show), "{show}: {round:?}");
    }
    assert_eq!(round.can_scout(), expected.iter().any(|action| matches!(action, Action::Scout(_))));
}

/// A round of random actions; gives the most cards that a hand had. In a `long` one
/// seat 1 scouts where it can and the round goes on, and the others show single cards.
fn random_round(players: Players, long: bool, dice: &mut Dice, list: &mut Actions) -> usize {
    let hands = shuffled(players, &mut deck::deck(players).to_vec(), dice);
    let mut round = Round::new(players, seat(1), hands, Default::default()).unwrap();
    let mut most = 0;
    for turn in 0..150 {
        let Some(actor) = round.to_act() else { break };
        if round.turn().is_some() && turn % 4 == 0 {
            assert_listed(&round, list);
        }
        round.list_actions(list);
        let goes_on = |action: &Action| round.apply(actor, *action, &[]).unwrap().over().is_none();
        let scout = |action: &Action| matches!(action, Action::Scout(_)) && goes_on(action);
        let single = |action: &Action| action.span().is_some_and(|span| span.len() == 1);
        let liked =
            |action: &Action| long && if actor == seat(1) { scout(action) } else { single(action) };
        let liked: Vec<Action> = list.iter().filter(liked).collect();
        let action = match liked.as_slice() {
            [] => list.nth(dice.below(list.len())).unwrap(),
            liked => liked[dice.below(liked.len())],
        };
        round = round.apply(actor, action, &[]).unwrap();
        most = most.max(round.hand(actor).len());
    }
    round.list_actions(list);
    assert_eq!(list.is_empty(), round.over().is_some());
    most
}

#[test]
fn what_is_listed_is_what_the_rules_allow() {
    let (mut dice, mut list) = (Dice(7), Actions::new());
    for (count, longest) in [(2, 12), (3, 18), (4, 18), (5, 13)] {
        let mut most = 0;
        for long in [false, false, true, true] {
            most = most.max(random_round(players(count), long, &mut dice, &mut list));
        }
        assert!(most >= longest, "{count} players: the longest hand has {most}");
    }
}

/// The longest hand that is known of, with 28 cards.
#[test]
fn what_is_listed_for_a_long_hand_is_what_the_rules_allow() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data/long.scout");
    let (mut list, mut most) = (Actions::new(), 0);
    let look = |_, game: &Game| {
        let Ok(round) = game.running() else { return };
        let Some(turn) = round.turn() else { return };
        let cards = round.hand(turn).len();
        if cards > 20 {
            assert_listed(round, &mut list);
        }
        most = most.max(cards);
    };
    check(&read(&path), look).unwrap();
    assert!(most >= 27, "{most}");
}

#[test]
fn a_hand_is_kept_or_flipped_and_nothing_else_before_the_first_turn() {
    let players = players(4);
    let hands = shuffled(players, &mut deck::deck(players).to_vec(), &mut Dice(3));
    let round = Round::new(players, seat(1), hands, Default::default()).unwrap();
    let mut list = Actions::new();
    round.list_actions(&mut list);
    assert_eq!(list.iter().collect::<Vec<_>>(), [Action::Keep, Action::Flip]);
    assert!((round.count_actions(), round.can_scout()) == (2, false));
    round.list_shows(&mut list);
    assert!(list.is_empty());
    round.for_each_show(|span| panic!("{span} before the first turn"));
}
