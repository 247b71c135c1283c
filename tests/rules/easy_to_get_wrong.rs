//! One test for each thing public implementations of the game were found to get wrong.

use fairdeal::game::{Action, Card, Ending, Hand, Illegal, Kind, NoSet, Round, Set, Stage, deck};

use crate::support::{action, cards, cases, checked, game, kept, play, players, read, seat, seats};

fn set(text: &str) -> Result<Set, NoSet> {
    Set::new(&cards(text))
}

#[test]
fn the_last_scout_stalls_the_round_even_if_it_empties_the_table() {
    let round = play(kept(3, &["5/6 5/7"]), &["1 show 1-2", "2 scout left 1"]);
    assert_eq!(round.over(), None);
    let round = play(round, &["3 scout left 1"]);
    assert_eq!((round.over(), round.active()), (Some(Ending::Stalled), None));
    assert_eq!(round.turn(), None);
    assert_eq!(round.owner(), Some(seat(1)));
    assert_eq!(round.points().as_slice(), [2, -13, -13]);
}

#[test]
fn a_set_that_shrank_to_one_card_has_no_kind() {
    let round = play(kept(3, &["4/6 4/7", "1/2", "5/9"]), &["1 show 1-2", "2 scout left 1"]);
    assert_eq!(round.active().unwrap().kind(), Kind::Single);
    let round = play(round, &["3 show 1"]);
    assert_eq!(round.captured(seat(3)), 1, "5 beats the 4 that is left of a group");
    let run = set("3/9 4/9 5/9").unwrap();
    let left = run.without(fairdeal::game::End::Right).unwrap();
    assert_eq!((left.kind(), left.low(), left.len()), (Kind::Run, 3, 2));
    let left = left.without(fairdeal::game::End::Left).unwrap();
    assert_eq!((left.kind(), left.low()), (Kind::Single, 4));
}

#[test]
fn the_owner_of_a_stalled_round_loses_nothing_for_the_hand() {
    let round = kept(3, &["1/2", "2/3", "3/4 3/5"]);
    let round = play(round, &["1 show 1", "2 show 1", "3 show 1-2", "1 scout left 1"]);
    let round = play(round, &["2 scout left 1"]);
    assert_eq!((round.over(), round.owner()), (Some(Ending::Stalled), Some(seat(3))));
    // Seat 2 captured one and holds 12; seat 3 captured one and was scouted from twice.
    assert_eq!(round.points().as_slice(), [-12, 1 - 12, 1 + 2]);
}

#[test]
fn a_failed_scout_and_show_leaves_nothing_done() {
    let round = play(kept(3, &["4/6 5/6 6/7"]), &["1 show 1-3"]);
    let before = round;
    let refused = round.apply(seat(2), action("scout left 1 + show 1"), &[]);
    assert!(matches!(refused, Err(Illegal::DoesNotBeat { .. })));
    assert_eq!(round, before);
    assert!(round.may_scout_and_show(seat(2)));
    assert_eq!(round.tokens(seat(1)), 0);
}

#[test]
fn scout_and_show_does_not_count_towards_stalled() {
    let begins = ["4/6 5/6", "6/7 7/9 8/9", "1/2"];
    let round = play(kept(3, &begins), &["1 show 1-2", "2 scout left 1 + show 2-4"]);
    assert_eq!(round.over(), None);
    assert_eq!(
        (round.owner(), round.captured(seat(2)), round.tokens(seat(1))),
        (Some(seat(2)), 1, 1)
    );
    let round = play(round, &["3 scout left 1"]);
    assert_eq!(round.over(), None, "of seat 2's set only seat 3 has scouted");
    let round = play(round, &["1 scout left 1"]);
    assert_eq!((round.over(), round.owner()), (Some(Ending::Stalled), Some(seat(2))));
    assert_eq!(round.points()[seat(2)], 1 + 2, "one captured, two tokens, the hand spared");
    assert_eq!(round.points()[seat(1)], 1 - 11);
    assert_eq!(round.points()[seat(3)], -13);
}

#[test]
fn ten_and_one_make_no_run() {
    assert_eq!(set("10/2 1/2"), Err(NoSet::TenOne));
    assert_eq!(set("1/2 10/2"), Err(NoSet::TenOne));
    assert_eq!(set("9/2 10/2 1/2"), Err(NoSet::TenOne));
}

#[test]
fn runs_have_no_gaps_and_no_turns() {
    assert_eq!(set("1/2 5/2 9/2"), Err(NoSet::Gap(1, 5)));
    assert_eq!(set("3/2 4/2 3/5"), Err(NoSet::Turn(3, 4, 3)));
    assert_eq!(set("3/2 4/2 4/5"), Err(NoSet::Turn(3, 4, 4)));
    assert_eq!(set("4/2 4/5 5/6"), Err(NoSet::Turn(4, 4, 5)));
    assert_eq!(set("3/2 4/2 5/2 5/3"), Err(NoSet::Turn(4, 5, 5)), "where it turns");
    assert_eq!(set("4/2 4/3 4/5 5/6"), Err(NoSet::Turn(4, 4, 5)));
    assert!(set("3/2 4/2 5/2").is_ok() && set("5/2 4/2 3/2").is_ok());
}

#[test]
fn all_numbers_from_one_to_ten_are_a_run_and_no_set_is_longer() {
    let begins = ["10/1", "1/2 2/3 3/4 4/5 5/6 6/7 7/8 8/9 9/10"];
    let round = play(kept(5, &begins), &["1 show 1", "2 scout left 10 + show 1-10"]);
    assert_eq!(round.active().map(Set::len), Some(10));
    assert_eq!((round.over(), round.tokens(seat(1))), (Some(Ending::Emptied), 1));
    let round = kept(4, &["1/2 2/3 3/4 4/5 5/6 6/7 7/8 8/9 9/1 10/1 10/2"]);
    let shown = |text| round.apply(seat(1), action(text), &[]);
    assert_eq!(shown("show 1-11"), Err(Illegal::NoSet(NoSet::TooMany(11))));
    assert!(shown("show 1-10").is_ok());
}

#[test]
fn a_set_of_any_size_is_shown_from_any_place_as_it_lies() {
    let others = "2/4 2/6 2/7 2/8 2/9 2/10 3/6 3/7 3/8 3/9";
    let sets = [
        ("1/2 2/3 3/4 4/5 5/6 6/7 7/8 8/9 9/1 10/1", Kind::Run),
        ("10/1 9/1 8/9 7/8 6/7 5/6 4/5 3/4 2/3 1/2", Kind::Run),
        ("5/1 5/2 5/3 5/4 5/6 5/7 5/8 5/9 5/10", Kind::Group),
    ];
    for (text, kind) in sets {
        let most = cards(text);
        let places = |size| (0..=11 - size).map(move |before| (size, before));
        for (size, before) in (1..=most.len()).flat_map(places) {
            let words = others.split(' ').take(before).chain(text.split(' ').take(size));
            let hand = words.collect::<Vec<_>>().join(" ");
            let last = if size > 1 { format!("-{}", before + size) } else { String::new() };
            let show = format!("1 show {}{last}", before + 1);
            let round = play(kept(4, &[&hand]), &[&show]);
            let set = round.active().unwrap();
            assert!(set.cards().eq(most[..size].iter().copied()), "{set:?}");
            let kind = if size == 1 { Kind::Single } else { kind };
            let low = most[..size].iter().map(|card| card.up()).min();
            assert_eq!((set.kind(), Some(set.low())), (kind, low), "{set:?}");
            assert_eq!(round.hand(seat(1)).len(), 11 - size);
        }
    }
}

#[test]
fn three_cards_are_a_set_in_one_of_three_ways() {
    let card = |up: usize| Card::new(up as u8, up as u8 % 10 + 1).unwrap();
    for number in 0..1000 {
        let ups = [number / 100, number / 10 % 10, number % 10].map(|digit| digit + 1);
        let [a, b, c] = ups;
        let group = a == b && b == c;
        let run = a + 1 == b && b + 1 == c || a == b + 1 && b == c + 1;
        assert_eq!(Set::new(&ups.map(card)).is_ok(), group || run, "{ups:?}");
        let pair = a.abs_diff(b) < 2;
        assert_eq!(Set::new(&[card(a), card(b)]).is_ok(), pair, "{a} {b}");
    }
}

#[test]
fn sets_beat_by_count_then_kind_then_smallest_number() {
    let order = [
        "1/5",
        "2/5",
        "10/5",
        "1/5 2/5",
        "3/5 2/5",
        "9/5 10/5",
        "1/5 1/6",
        "10/5 10/6",
        "1/5 2/5 3/5",
        "4/5 3/5 2/5",
        "1/5 1/6 1/7",
    ];
    for (index, lower) in order.iter().enumerate() {
        for (other, higher) in order.iter().enumerate() {
            let beats = set(higher).unwrap().beats(&set(lower).unwrap());
            assert_eq!(beats, other > index, "{higher} against {lower}");
        }
    }
    assert!(!set("2/5 1/5").unwrap().beats(&set("1/7 2/7").unwrap()), "equal does not beat");
}

#[test]
fn each_number_of_players_has_its_deck() {
    let card = |text: &str| text.parse::<Card>().unwrap();
    for (count, cards, hand) in [(2, 44, 11), (3, 36, 12), (4, 44, 11), (5, 45, 9)] {
        let players = players(count);
        let deck = deck::deck(players);
        assert_eq!((deck.len(), deck::hand_size(players)), (cards, hand));
        assert_eq!(deck::rounds(players), count);
        assert_eq!(deck.contains(&card("9/10")), count == 5);
        assert_eq!(deck.iter().any(|card| card.down() == 10), count != 3);
        assert!(deck.iter().all(|card| card.up() < card.down()));
        assert!(deck.is_sorted());
    }
}

/// One card is scouted and another shown, round and round: 1,600 actions, over 250 tokens a seat.
#[test]
fn tokens_and_the_length_of_a_round_have_no_cap() {
    let round = play(kept(3, &[]), &["1 show 1"]);
    let round = (0..800).fold(round, |round, _| ring(round));
    assert_eq!(round.over(), None);
    assert_eq!(players(3).seats().map(|seat| round.tokens(seat)).sum::<u16>(), 800);
    assert!(players(3).seats().all(|seat| round.tokens(seat) > 250));
}

/// A scout of the single card on the table, then a show of one by the next seat.
fn ring(round: Round) -> Round {
    let scouter = round.turn().unwrap();
    let round = round.apply(scouter, action("scout left 1"), &[]).unwrap();
    let shower = round.turn().unwrap();
    round.apply(shower, action("show 1"), &[]).unwrap()
}

#[test]
fn a_hand_has_room_for_the_whole_deck() {
    assert_eq!(Hand::seen(deck::deck(players(5))).len(), 45);
}

#[test]
fn a_tie_names_every_winner() {
    let path = cases("games", "scout").into_iter().nth(18).unwrap();
    let text = read(&path);
    assert!(text.ends_with("result 39 39 14 38 winner 1 2\n"));
    let game = *checked(&text).game().unwrap();
    assert_eq!(game.winners(), seats(&[1, 2]));
    assert_eq!(game.totals().as_slice(), [39, 39, 14, 38]);
}

#[test]
fn two_players_deal_round_two_from_the_cards_set_aside() {
    let text = read(&cases("games", "scout")[0]);
    let end = text.find("round 2").unwrap();
    let game = game(&text[..end]);
    assert_eq!(game.stage(), Stage::RoundOver);
    let first = text.lines().nth(5).unwrap().replace("deal 1", "");
    let again = format!("{}round 2 start 2\ndeal 1{first}\n", &text[..end]);
    let refusal = crate::support::refusal(&again);
    let reason = "7/10 was dealt in round 1: round 2 is dealt from the cards set aside";
    assert_eq!(refusal.reason.to_string(), reason);
}

#[test]
fn flipping_turns_each_card_and_keeps_the_order() {
    let round = kept(4, &["1/2 3/4"]);
    assert_eq!(round.choice(seat(1)), Some(false));
    let hand = Hand::seen(&cards("1/2 3/4 9/5"));
    assert_eq!(hand.turned(), Hand::seen(&cards("2/1 4/3 5/9")));
    assert_eq!(round.apply(seat(1), Action::Flip, &[]), Err(Illegal::ChoiceOver));
}

#[test]
fn two_players_pay_scouts_and_go_on_until_a_show() {
    let begins = ["5/6 6/7 7/8", "1/2 1/3"];
    let round = play(kept(2, &begins), &["1 show 1-3", "2 scout left 1"]);
    assert_eq!(round.turn(), Some(seat(2)));
    assert_eq!((round.tokens(seat(1)), round.tokens(seat(2))), (3, 2));
    assert!(!round.may_scout_and_show(seat(2)));
    assert_eq!(
        round.apply(seat(2), action("scout left 1 + show 1"), &[]),
        Err(Illegal::ScoutAndShowOfTwo)
    );
    let round = play(round, &["2 scout left 1", "2 show 3-4"]);
    assert_eq!((round.turn(), round.captured(seat(2))), (Some(seat(1)), 1));
}
