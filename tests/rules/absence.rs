//! Seats that go out and come back, and games that end early.

use fairdeal::game::{BySeat, Ending, Game, Hand, Illegal, Stage, deck};

use crate::support::{action, checked, deal, game, players, refusal, seat, seats};

/// A game with this deal as round 1, started by seat 1, with every hand kept.
fn kept(count: u8, begins: &[&str]) -> Game {
    let game = Game::new(players(count)).deal(seat(1), deal(count, begins)).unwrap();
    players(count).seats().fold(game, |game, seat| game.apply(seat, action("keep"), &[]).unwrap())
}

/// Plays lines such as `1 show 2-3`, `2 out` and `2 back`.
fn play(game: Game, lines: &[&str]) -> Game {
    lines.iter().fold(game, |game, line| {
        let (number, text) = line.split_once(' ').unwrap();
        let seat = seat(number.parse().unwrap());
        match text {
            "out" => game.out(seat),
            "back" => game.back(seat),
            text => game.apply(seat, action(text), &[]),
        }
        .unwrap_or_else(|reason| panic!("{line}: {reason}"))
    })
}

#[test]
fn an_absent_seat_is_skipped() {
    let game = play(kept(4, &["5/6 5/7"]), &["1 show 1-2", "2 out"]);
    assert_eq!(game.stage(), Stage::Turn(seat(3)));
    assert_eq!(game.apply(seat(2), action("scout left 1"), &[]), Err(Illegal::Out(seat(2))));
    assert_eq!(game.out(seat(2)), Err(Illegal::Out(seat(2))));
    let game = play(game, &["3 scout left 1", "4 scout left 1"]);
    assert_eq!(game.round().unwrap().over(), Some(Ending::Stalled), "seats 3 and 4 scouted");
    assert_eq!(game.points_of(1).unwrap().as_slice(), [2, -11, -12, -12]);
}

#[test]
fn going_out_can_complete_stalled() {
    let game = play(kept(4, &["5/6 5/7"]), &["1 show 1-2", "2 scout left 1", "3 scout left 1"]);
    assert_eq!(game.stage(), Stage::Turn(seat(4)));
    let game = play(game, &["4 out"]);
    assert_eq!(game.stage(), Stage::RoundOver);
    assert_eq!(game.points_of(1).unwrap().as_slice(), [2, -12, -12, -11]);
}

#[test]
fn an_absent_owner_earns_tokens_and_pays_for_its_hand() {
    let game = play(kept(4, &["5/6 5/7"]), &["1 show 1-2", "1 out", "2 scout left 1"]);
    assert_eq!(game.round().unwrap().tokens(seat(1)), 1);
    let game = play(game, &["3 scout left 1"]);
    assert_eq!(game.stage(), Stage::Turn(seat(4)), "the table is empty: seat 4 has to show");
    let listed = game.round().unwrap();
    listed.for_each_action(|action| assert!(action.scout().is_none()));
    let game = play(game, &["4 show 1", "2 scout left 1", "3 show 1"]);
    let game = play(game, &["4 scout left 1", "2 show 1"]);
    assert_eq!(game.round().unwrap().owner(), Some(seat(2)));
    let stalled = play(kept(4, &["5/6 5/7 5/8"]), &["1 show 1-3", "1 out"]);
    let stalled = play(stalled, &["2 scout left 1", "3 scout left 1", "4 scout left 1"]);
    assert_eq!(stalled.points_of(1).unwrap().as_slice(), [3 - 8, -12, -12, -12]);
}

#[test]
fn a_seat_that_was_to_start_is_replaced_by_the_next() {
    let game = Game::new(players(4)).deal(seat(1), deal(4, &[])).unwrap();
    let game = play(game, &["2 keep", "3 flip", "1 out"]);
    assert_eq!(game.stage(), Stage::Choice);
    let game = play(game, &["4 keep"]);
    assert_eq!(game.stage(), Stage::Turn(seat(2)));
    let chosen = Game::new(players(4)).deal(seat(1), deal(4, &[])).unwrap();
    let chosen = play(chosen, &["2 keep", "3 flip", "4 keep", "1 out"]);
    assert_eq!(chosen.stage(), Stage::Turn(seat(2)), "nobody is left to choose");
}

/// A round that is over at once: three or four scouts of the first set.
fn over(game: Game, lines: &[&str]) -> Game {
    let game = play(game, lines);
    assert_eq!(game.stage(), Stage::RoundOver);
    game
}

#[test]
fn an_absent_seat_is_not_dealt_and_the_start_passes_on() {
    let lines = ["1 show 1-2", "2 out", "3 scout left 1", "4 scout left 1"];
    let game = over(kept(4, &["5/6 5/7"]), &lines);
    assert_eq!(game.next_start(), Some(seat(3)));
    let all = deal(4, &[]);
    assert_eq!(game.deal(seat(2), all), Err(Illegal::StartedBy(seat(3))));
    assert_eq!(game.deal(seat(3), all), Err(Illegal::DealtOut(seat(2))));
    let hands = all.map(|at, hand| if at == seat(2) { Hand::EMPTY } else { *hand });
    let dealt = game.deal(seat(3), hands).unwrap();
    assert_eq!(dealt.back(seat(2)), Err(Illegal::BackInRound));
    let back = play(game, &["2 back"]);
    assert_eq!(back.next_start(), Some(seat(2)));
    assert!(back.deal(seat(2), all).is_ok());
    assert_eq!(back.back(seat(2)), Err(Illegal::NotOut(seat(2))));
}

#[test]
fn an_undealt_seat_gets_no_points() {
    let lines = ["1 show 1-2", "2 out", "3 scout left 1", "4 scout left 1"];
    let game = over(kept(4, &["5/6 5/7"]), &lines);
    let hands = deal(4, &["1/2", "3/4", "5/6 5/7"]);
    let hands = hands.map(|at, hand| if at == seat(2) { Hand::EMPTY } else { *hand });
    let game = game.deal(seat(3), hands).unwrap();
    let lines = ["1 keep", "3 keep", "4 keep", "3 show 1-2", "4 scout left 1", "1 scout left 1"];
    let game = over(game, &lines);
    assert_eq!(game.points_of(2).unwrap().as_slice(), [-12, 0, 2, -12]);
    assert_eq!(game.totals().as_slice(), [-10, -11, -10, -24]);
}

#[test]
fn a_game_with_too_few_seats_ends_there() {
    let lines = ["1 show 1-2", "2 scout left 1", "3 scout left 1"];
    let first = over(kept(3, &["5/6 5/7"]), &lines);
    assert_eq!(first.totals().as_slice(), [2, -13, -13]);
    let second = first.deal(seat(2), deal(3, &["5/6", "5/7 5/8"])).unwrap();
    let second = play(second, &["1 keep", "2 keep", "3 keep", "2 show 1-2", "3 scout left 1"]);
    let abandoned = play(second, &["1 out"]);
    assert_eq!(abandoned.stage(), Stage::Over);
    assert!(abandoned.is_abandoned());
    assert_eq!(abandoned.totals().as_slice(), [2, -13, -13], "the running round does not count");
    assert_eq!(abandoned.points_of(2), None);
    assert!(abandoned.winners().is_empty());
    assert_eq!(abandoned.apply(seat(1), action("scout left 1"), &[]), Err(Illegal::GameOver));
    assert_eq!(abandoned.back(seat(1)), Err(Illegal::GameOver));
    assert_eq!(abandoned.out(seat(2)), Err(Illegal::GameOver));
    assert!(play(kept(2, &[]), &["2 out"]).is_abandoned());
    assert!(!play(kept(5, &[]), &["2 out", "4 out"]).is_abandoned());
    assert!(play(kept(5, &[]), &["2 out", "4 out", "1 out"]).is_abandoned());
}

const FIVE: &str = "\
scout 1
players 4
seat 1 Ana
seat 2 Ben
seat 3 Cy
seat 4 Dee
round 1 start 1
deal 1 5/6 5/7 ? ? ? ? ? ? ? ? ?
deal 2 ? ? ? ? ? ? ? ? ? ? ?
deal 3 ? ? ? ? ? ? ? ? ? ? ?
deal 4 ? ? ? ? ? ? ? ? ? ? ?
1 keep
2 keep
3 out
4 keep
1 show 1-2
2 scout left 1 ?
4 scout left 1 ?
end stalled 2 -12 -11 -12
3 back
";

#[test]
fn the_notation_tells_who_is_out() {
    let text = format!("{FIVE}3 out\nround 2 start 2\n");
    let hand = " ?".repeat(11);
    let dealt = format!("{text}deal 1{hand}\ndeal 2{hand}\ndeal 4{hand}\n");
    assert_eq!(game(&dealt).stage(), Stage::Choice);
    assert_eq!(game(&dealt).present(), seats(&[1, 2, 4]));
    let out = refusal(&format!("{text}deal 1{hand}\ndeal 2{hand}\ndeal 3{hand}\n"));
    assert_eq!(out.reason.to_string(), "here stands `deal 4` and the hand of round 2");
    assert_eq!(refusal(&format!("{text}3 back\n")).line, 23, "a deal is not broken off");
    let ended = format!("{dealt}1 keep\n4 out\nend abandoned\nresult abandoned 2 -12 -11 -12\n");
    let game = game(&ended);
    assert!(game.is_abandoned());
    let wrong = ended.replace("abandoned 2", "abandoned 3");
    let is = "it is `result abandoned 2 -12 -11 -12`";
    assert_eq!(refusal(&wrong).reason.to_string(), is);
    let early = refusal(&format!("{dealt}end abandoned\n"));
    assert_eq!(early.reason.to_string(), "the game goes on: enough seats are left");
    checked(&ended.replace("end abandoned\n", ""));
}

/// What is to pay counts against the round in which the seat went out, and against no other.
#[test]
fn a_seat_pays_for_going_out_once() {
    let text = FIVE.replace("3 out", "3 out 11");
    let paid = text.replace("-12 -11 -12", "-12 -22 -12");
    let is = "it is `end stalled 2 -12 -22 -12`";
    assert_eq!(refusal(&text).reason.to_string(), is);
    let before = game(&paid[..paid.find("4 scout").unwrap()]);
    assert_eq!(players(4).seats().map(|seat| before.due(seat)).collect::<Vec<_>>(), [0, 0, 11, 0]);
    let after = game(&paid);
    assert_eq!(after.due(seat(3)), 0);
    assert_eq!(after.totals().as_slice(), [2, -12, -22, -12]);
    let twice = after.out_paying(seat(3), 2).unwrap();
    assert_eq!(twice.due(seat(3)), 2, "for the next round");
    assert_eq!(after.out_paying(seat(5), 2), Err(Illegal::NoSeat(seat(5))));
}

#[test]
fn absent_hands_are_held_to_the_deck_too() {
    let sealed = Hand::sealed(deck::hand_size(players(5)));
    let hands = BySeat::from_fn(players(5), |_| sealed);
    assert!(Game::new(players(5)).deal(seat(5), hands).is_ok());
    let game = Game::new(players(5)).out(seat(5)).unwrap();
    assert_eq!(game.deal(seat(5), hands), Err(Illegal::Out(seat(5))));
    assert_eq!(game.deal(seat(1), hands), Err(Illegal::DealtOut(seat(5))));
}
