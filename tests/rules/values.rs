//! What the plain values of a game say of themselves.

use std::collections::BTreeSet;

use fairdeal::game::{Action, Hand, Illegal, PlayerView, Slot};

use crate::support::{action, cards, cases, game, kept, play, players, read, seat, seats};

#[test]
fn an_action_tells_its_scout_and_its_show() {
    // The action, whether it keeps or flips, its scout, the places it shows.
    let parts = [
        ("keep", true, None, None),
        ("flip", true, None, None),
        ("show 3-5", false, None, Some("3-5")),
        ("scout left 4 flip", false, Some("scout left 4 flip"), None),
        ("scout right 1 + show 2", false, Some("scout right 1"), Some("2")),
    ];
    for (text, choice, scout, span) in parts {
        let action = action(text);
        assert_eq!(action.is_choice(), choice, "{text}");
        assert_eq!(action.scout().map(|scout| scout.to_string()).as_deref(), scout, "{text}");
        assert_eq!(action.span().map(|span| span.to_string()).as_deref(), span, "{text}");
    }
}

/// Which way up a scouted card was put, its owner alone knows.
#[test]
fn the_public_action_hides_the_side_of_a_scouted_card() {
    for side in ["", " flip", " ?"] {
        let scout = action(&format!("scout left 4{side}"));
        assert_eq!(scout.public(), action("scout left 4 ?"));
        let both = action(&format!("scout right 4{side} + show 2-5"));
        assert_eq!(both.public(), action("scout right 4 ? + show 2-5"));
    }
    for text in ["keep", "flip", "show 2-5"] {
        assert_eq!(action(text).public(), action(text));
    }
}

#[test]
fn a_hand_has_a_slot_for_each_card_and_no_more() {
    let hand = Hand::seen(&cards("7/3 2/9"));
    let slots: Vec<_> = (0..4).map(|place| hand.slot(place)).collect();
    let seen = |text: &str| Some(Slot::Seen(text.parse().unwrap()));
    assert_eq!(slots, [seen("7/3"), seen("2/9"), None, None]);
    assert_eq!((Hand::EMPTY.slot(0), Hand::sealed(3).slot(2)), (None, Some(Slot::Sealed)));
    assert_eq!(Hand::sealed(3).slot(3), None);
}

#[test]
fn a_round_tells_who_is_there_who_chose_and_who_scouted() {
    let round = play(kept(4, &["5/6 5/7"]), &["1 show 1-2", "2 scout left 1"]);
    assert_eq!((round.players(), round.start()), (players(4), seat(1)));
    assert_eq!((round.present(), round.scouted()), (seats(&[1, 2, 3, 4]), seats(&[2])));
    let head = "scout 1\nplayers 3\nseat 1 A\nseat 2 B\nseat 3 C\nround 1 start 2\n";
    let hands: String = (1..=3).map(|seat| format!("deal {seat}{}\n", " ?".repeat(12))).collect();
    let game = game(&format!("{head}{hands}1 keep\n2 flip\n"));
    let round = game.round().unwrap();
    assert_eq!([1, 2, 3].map(|at| round.choice(seat(at))), [Some(false), Some(true), None]);
    assert_eq!((round.start(), round.to_choose()), (seat(2), seats(&[3])));
}

#[test]
fn seats_are_counted_once() {
    let round = play(kept(2, &["5/6 5/7"]), &["1 show 1-2", "2 scout left 1", "2 scout left 1"]);
    assert_eq!(round.scouted(), seats(&[2]), "it has scouted twice");
    let two = seats(&[2, 4]);
    assert_eq!((two.with(seat(4)), two.without(seat(3))), (two, two));
    assert_eq!((two.count(), two.first(), two.is_empty()), (2, Some(seat(2)), false));
    assert_eq!(two.iter().collect::<Vec<_>>(), [seat(2), seat(4)]);
    assert_eq!((two.minus(seats(&[4, 5])), two.minus(two).first()), (seats(&[2]), None));
}

/// Nothing is known of the other hand: it has cards of the deck that are not in the own one, and in
/// round 2 of two players none that was dealt in round 1.
#[test]
fn a_view_has_the_cards_that_may_be_behind_the_others() {
    let text = read(&cases("games", "scout")[0]);
    let dealt: Vec<&str> = text.lines().filter(|line| line.starts_with("deal ")).collect();
    let pairs = |hands: &[&str]| -> BTreeSet<u8> {
        hands.iter().flat_map(|line| cards(&line[7..])).map(|card| card.pair()).collect()
    };
    // In lexicographic order 9/10, which two players play without, is the last card.
    let all: BTreeSet<u8> = (0..44).collect();
    let hidden = format!("deal 2{}\n", " ?".repeat(11));
    for (round, before) in [(1, &dealt[..0]), (2, &dealt[..2])] {
        let at = text.find(dealt[before.len() + 1]).unwrap();
        let game = game(&(text[..at].to_owned() + &hidden));
        let view = PlayerView::new(&game, seat(1)).unwrap();
        let own = dealt[before.len()];
        assert_eq!((view.seat(), view.round_number()), (seat(1), round));
        assert_eq!(*view.hand(), Hand::seen(&cards(&own[7..])));
        let unseen: BTreeSet<u8> = view.unseen().map(|card| card.pair()).collect();
        let known: BTreeSet<u8> = pairs(before).union(&pairs(&[own])).copied().collect();
        assert_eq!(unseen, all.difference(&known).copied().collect());
        assert_eq!(PlayerView::new(&game, seat(2)), None, "its own hand is hidden");
        assert_eq!(PlayerView::new(&game, seat(3)), None, "no seat of this table");
    }
}

/// Cards are named with a show only: a scouted one is known to all already.
#[test]
fn no_cards_are_named_where_none_is_shown() {
    let round = play(kept(3, &["5/6 5/7"]), &["1 show 1-2"]);
    let named = round.apply(seat(2), action("scout left 1"), &cards("5/6"));
    assert_eq!(named, Err(Illegal::NamedCount { named: 1, shown: 0 }));
    let few = round.apply(seat(2), action("scout left 1 + show 1-2"), &cards("5/6"));
    assert_eq!(few, Err(Illegal::NamedCount { named: 1, shown: 2 }));
    let turn = round.apply(seat(3), Action::Show(action("show 1").span().unwrap()), &cards("5/6"));
    assert_eq!(turn, Err(Illegal::NotYourTurn { turn: seat(2) }));
}

#[test]
fn the_turn_goes_round_the_table() {
    for count in 2..=5 {
        let after: Vec<_> = players(count).seats().map(|seat| players(count).after(seat)).collect();
        let numbers: Vec<u8> = after.into_iter().map(|seat| seat.number()).collect();
        assert_eq!(numbers, (2..=count).chain([1]).collect::<Vec<_>>());
    }
}

#[test]
fn nothing_is_one_line_of_play() {
    assert_eq!(kept(3, &[]).perft(0), Ok(1));
}
