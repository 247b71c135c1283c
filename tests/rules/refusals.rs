//! What a record is refused for: the line, the text and the reason in the game's own words.

use fairdeal::game::notation::Reason;

use crate::support::{cases, checked, read, refusal};

const HEAD: &str = "\
scout 1
players 3
seat 1 Ana
seat 2 Ben
seat 3 Cy
round 1 start 1
deal 1 4/7 5/9 6/9 3/9 4/9 3/8 1/9 2/8 2/9 8/9 7/9 7/8
deal 2 5/7 3/5 3/6 8/4 8/5 8/6 1/2 1/3 1/4 1/5 1/6 1/7
deal 3 9/1 ";
const REST: &str = "1/8 2/3 2/4 2/5 2/6 2/7 3/4 3/7 4/5 4/6 5/6 6/7";
const KEEP: &str = "1 keep\n2 keep\n3 keep\n";

/// The head of a game of three, then these lines. Hands: 1 has 4 5 6 3 4 3 1 2 2 8 7 7 up, 2 has
/// 5 3 3 8 8 8 1 1 1 1 1 1, 3 has 1 2 2 2 2 2 3 3 4 4 5 6.
fn record(lines: &str) -> String {
    format!("{}{REST}\n{KEEP}{lines}", HEAD.strip_suffix("9/1 ").unwrap())
}

/// Asserts that the last of these lines is the first refused, and why.
fn refused(lines: &str, reason: &str) {
    let text = record(lines);
    let refusal = refusal(&text);
    assert_eq!(refusal.reason.to_string(), reason, "{lines}");
    assert_eq!(refusal.line, text.lines().count(), "{lines}");
    assert_eq!(Some(refusal.text.as_str()), text.lines().last());
    assert_eq!(refusal.to_string(), format!("line {}: `{}`: {reason}", refusal.line, refusal.text));
    let before: Vec<_> = text.lines().take(refusal.line - 1).collect();
    checked(&before.join("\n"));
}

#[test]
fn sets_that_are_none() {
    refused("1 show 3-4", "6 3 is not a set: the numbers in a run must be consecutive");
    refused("1 show 4-6", "3 4 3 is not a set: a run must go one way");
    refused("1 show 7-9", "1 2 2 is not a set: it is partly a group, partly a run");
    refused("1 show 12-13", "there is no card at place 13: the hand has 12");
}

#[test]
fn ten_and_one_are_no_neighbours() {
    let text = "scout 1\nplayers 5\nseat 1 A\nseat 2 B\nseat 3 C\nseat 4 D\nseat 5 E\n\
                round 1 start 1\ndeal 1 9/2 10/2 1/2 ? ? ? ? ? ?\n\
                deal 2 ? ? ? ? ? ? ? ? ?\ndeal 3 ? ? ? ? ? ? ? ? ?\n\
                deal 4 ? ? ? ? ? ? ? ? ?\ndeal 5 ? ? ? ? ? ? ? ? ?\n\
                1 keep\n2 keep\n3 keep\n4 keep\n5 keep\n1 show 2-3\n";
    let refusal = refusal(text);
    assert_eq!((refusal.line, refusal.text.as_str()), (19, "1 show 2-3"));
    assert_eq!(refusal.reason.to_string(), "10 1 is not a set: a run does not go on from 10 to 1");
}

#[test]
fn sets_that_do_not_beat() {
    refused("1 show 1-3\n2 show 2-3", "a group of 2 does not beat a run of 3");
    refused("1 show 11-12\n2 show 2-3", "a group of 2 (3s) does not beat a group of 2 (7s)");
    refused(
        "1 show 3\n2 scout left 1\n3 show 1\n1 show 6",
        "a single 1 does not beat a single 1: a tie is not enough",
    );
    refused("1 show 11-12\n2 scout left 1\n3 show 12", "a single 6 does not beat a single 7");
}

#[test]
fn scouts_that_are_none() {
    refused("1 scout left 1", "there is nothing to scout: the table is empty");
    refused(
        "1 show 1\n2 scout left 1\n3 scout left 1",
        "there is nothing to scout: the table is empty",
    );
    refused(
        "1 show 1\n2 scout right 1",
        "the active set has one card: it is scouted from the left",
    );
    refused(
        "1 show 1\n2 scout left 14",
        "a scouted card cannot go to place 14: the new hand has 13 cards",
    );
}

#[test]
fn scout_and_shows_that_are_none() {
    refused(
        "1 show 1\n2 scout left 1 + show 1\n3 show 3-4\n1 show 10-11\n2 scout left 1 + show 4-6",
        "seat 2 has already used Scout & Show this round",
    );
    refused("1 show 1-3\n2 scout left 1 + show 1", "a single card does not beat a run of 2");
}

#[test]
fn turns_out_of_order() {
    refused("2 show 1", "it is the turn of seat 1");
    refused("4 show 1", "there is no seat 4 at this table");
    refused("1 keep", "a hand is kept or flipped once, before the first turn");
    refused("round 2 start 2", "round 1 is not over");
    refused("end stalled 0 0 0", "the round is not over");
    refused("result 0 0 0 winner 1 2 3", "the game is not over: round 1 of 3 is next or running");
    refused("deal 1 1/2", "round 1 is not over");
    refused("scout 1", "this line stands once, above");
    refused("seat 1 Ana", "this line stands once, above");
    refused(
        "1 wins",
        "an action is `keep`, `flip`, `show 3-5`, `scout left 4`, \
        `scout left 4 flip` or `scout left 4 + show 2-5`",
    );
}

/// Replaces one line of a game of the cases; the line number and the reason.
fn changed(game: usize, old: &str, new: &str) -> (usize, String) {
    let text = read(&cases("games", "scout")[game]);
    let at = text.lines().position(|line| line == old).expect(old);
    let refusal = refusal(&text.replacen(old, new, 1));
    assert_eq!(refusal.line, at + 1);
    assert_eq!(refusal.text, new);
    (refusal.line, refusal.reason.to_string())
}

#[test]
fn a_wrong_end_is_told_the_right_one() {
    assert_eq!(changed(0, "end stalled 7 0", "end stalled 7 1").1, "it is `end stalled 7 0`");
    assert_eq!(changed(0, "end stalled 7 0", "end emptied 7 0").1, "it is `end stalled 7 0`");
    assert_eq!(changed(0, "end stalled 7 0", "end abandoned").1, "it is `end stalled 7 0`");
    assert_eq!(changed(0, "end stalled 7 0", "end stalled 7").1, "it is `end stalled 7 0`");
    let twice = changed(0, "round 2 start 2", "end stalled 7 0");
    assert_eq!(twice.1, "this line stands once, above");
}

#[test]
fn a_wrong_result_is_told_the_right_one() {
    let is = "it is `result 11 -4 winner 1`";
    assert_eq!(changed(0, "result 11 -4 winner 1", "result 10 -4 winner 1").1, is);
    assert_eq!(changed(0, "result 11 -4 winner 1", "result 11 -4 winner 2").1, is);
    assert_eq!(changed(0, "result 11 -4 winner 1", "result 11 -4 winner 1 2").1, is);
    assert_eq!(changed(0, "result 11 -4 winner 1", "result abandoned 11 -4").1, is);
    let after = read(&cases("games", "scout")[0]) + "1 show 1\n";
    assert_eq!(refusal(&after).reason, Reason::AfterResult);
}

#[test]
fn the_starting_seat_and_the_rounds_go_on() {
    let start = changed(0, "round 2 start 2", "round 2 start 1").1;
    assert_eq!(start, "this round is started by seat 2");
    assert_eq!(changed(0, "round 2 start 2", "round 1 start 2").1, "the next round is round 2");
}

#[test]
fn a_seat_of_another_table_starts_no_round() {
    let text = "scout 1\nplayers 3\nseat 1 Ana\nseat 2 Ben\nseat 3 Cy\nround 1 start 4\n";
    let refusal = refusal(text);
    assert_eq!(refusal.line, 6);
    assert_eq!(refusal.reason.to_string(), "there is no seat 4 at this table");
}

#[test]
fn nothing_is_played_before_a_deal_and_after_a_round() {
    let head = "scout 1\nplayers 3\nseat 1 Ana\nseat 2 Ben\nseat 3 Cy\n";
    assert_eq!(refusal(&format!("{head}1 keep\n")).reason.to_string(), "round 1 is not dealt yet");
    assert_eq!(changed(0, "round 2 start 2", "1 show 1").1, "the round is over");
    assert_eq!(changed(0, "result 11 -4 winner 1", "1 show 1").1, "the game is over");
}

/// The deal of three, with the hand of seat 3 as given.
fn dealt(hand: &str) -> String {
    let text = format!("{}{hand}\n", HEAD.strip_suffix("9/1 ").unwrap());
    let refusal = refusal(&text);
    assert_eq!((refusal.line, refusal.text), (9, format!("deal 3 {hand}")));
    refusal.reason.to_string()
}

#[test]
fn wrong_deals() {
    assert_eq!(dealt(&REST.replace("6/7", "10/7")), "10/7 is not in the deck for 3 players");
    assert_eq!(dealt(&REST.replace("6/7", "7/4")), "7/4 stands here a second time");
    assert_eq!(dealt(&REST.replace("6/7", "3/2")), "3/2 stands here a second time");
    let few = "seat 3 is dealt 11 cards: with 3 players a hand has 12";
    assert_eq!(dealt(&REST.replace(" 6/7", "")), few);
    let four = read(&cases("games", "scout")[2]);
    let hand = "\ndeal 2 9/10 ? ? ? ? ? ? ? ? ? ?";
    let text = four.lines().take(8).collect::<Vec<_>>().join("\n") + hand;
    assert_eq!(refusal(&text).reason.to_string(), "9/10 is not in the deck for 4 players");
}

#[test]
fn the_head_stands_in_order() {
    let reason = |text: &str| (refusal(text).line, refusal(text).reason.to_string());
    assert_eq!(reason(""), (1, "here stands `scout 1`".into()));
    assert_eq!(reason("players 3"), (1, "here stands `scout 1`".into()));
    let version = "this is no record of version 1, the only one there is so far";
    assert_eq!(reason("scout 2"), (1, version.into()));
    let players = "the game is for 2 to 5 players";
    assert_eq!(reason("scout 1\nplayers 6"), (2, players.into()));
    assert_eq!(reason("scout 1\nplayers 1"), (2, players.into()));
    let seat = "here stands `seat 1` and a name";
    assert_eq!(reason("scout 1\n\n# so\nplayers 2\nseat 2 Ben"), (5, seat.into()));
    let choice = record("").replace("1 keep\n2 keep", "2 keep\n1 keep");
    let order = "hands are kept or flipped in the order of the seats: seat 1 is next";
    assert_eq!(reason(&choice), (10, order.into()));
    let early = record("").replace("3 keep\n", "1 show 1\n");
    assert_eq!(reason(&early), (12, "seat 3 has yet to keep or flip its hand".into()));
}
