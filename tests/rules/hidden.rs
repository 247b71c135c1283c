//! Records with hidden cards: checked as far as they can be, the rest taken as possible.

use fairdeal::game::notation::{parse, trace};
use fairdeal::game::{Ending, HiddenHand, Illegal, Round, Slot, Stage};

use crate::support::{cases, checked, game, kept, play, read, refusal, seat};

const THREE: &str = "\
scout 1
players 3
seat 1 Ana
seat 2 Ben
seat 3 Cy
round 1 start 1
deal 1 4/7 5/9 6/9 3/9 4/9 3/8 1/9 2/8 2/9 8/9 7/9 7/8
deal 2 ? ? ? ? ? ? ? ? ? ? ? ?
deal 3 ? ? ? ? ? ? ? ? ? ? ? 1/2
1 keep
2 flip
3 flip
";

const TWO: &str = "\
scout 1
players 2
seat 1 Ana
seat 2 Ben
round 1 start 1
deal 1 ? ? ? ? ? ? ? ? ? ? ?
deal 2 ? ? ? ? ? ? ? ? ? ? ?
1 keep
2 keep
1 show 1-3 = 7/1 7/2 7/3
2 scout left 1 ?
2 show 2-4 = 8/1 8/2 8/3
";

/// The reason a last line after `text` is refused for.
fn refused(text: &str, line: &str) -> String {
    let refusal = refusal(&format!("{text}{line}\n"));
    assert_eq!(refusal.text, line);
    refusal.reason.to_string()
}

#[test]
fn a_show_of_hidden_cards_names_them() {
    let shown = format!("{THREE}1 show 1-3\n2 show 1-3 = 5/6 6/7 7/5\n");
    let reason = "5/6 stands here a second time";
    assert_eq!(refused(&format!("{THREE}1 show 1-3\n"), "2 show 1-3 = 5/6 6/5 7/5"), {
        "6/5 stands here a second time"
    });
    assert_eq!(refused(&shown, "3 show 1-3 = 6/8 5/6 4/5"), reason);
    let shown = format!("{THREE}1 show 1\n");
    assert_eq!(refused(&shown, "2 show 3"), "the cards at 3 are hidden: a show has to name them");
    assert_eq!(refused(&shown, "2 show 3 = 7/4"), "7/4 stands here a second time");
    assert_eq!(refused(&shown, "2 show 3 = 10/4"), "10/4 is not in the deck for 3 players");
    assert_eq!(refused(&shown, "2 show 3 = 5/4 5/3"), "2 cards are named for a show of 1");
    assert_eq!(refused(&shown, "2 show 3 = 2/5"), { "a single 2 does not beat a single 4" });
    let form = "this line is written `1 show 3-4 = 7/3 6/2`";
    assert_eq!(refused(&shown, "2 scout left 1 = 4/7"), form);
}

#[test]
fn a_seen_card_may_be_named_and_must_be_itself() {
    checked(&format!("{THREE}1 show 1-2 = 4/7 5/9\n"));
    let other = "the card at place 2 is 5/9, not 5/8";
    assert_eq!(refused(THREE, "1 show 1-2 = 4/7 5/8"), other);
}

#[test]
fn a_card_scouted_on_a_hidden_side_is_shown_on_either() {
    let scouted = format!("{THREE}1 show 1\n2 scout left 1 ?\n3 show 12\n1 show 2\n");
    let slot = game(&scouted).round().unwrap().hand(seat(2)).slot(0).unwrap();
    assert_eq!(slot, Slot::Turned("4/7".parse().unwrap()));
    checked(&format!("{scouted}2 show 1 = 7/4\n"));
    assert_eq!(refused(&scouted, "2 show 1 = 4/7"), { "a single 4 does not beat a single 6" });
    let other = "the card at place 1 is 4/7, not 7/5";
    assert_eq!(refused(&scouted, "2 show 1 = 7/5"), other);
    assert_eq!(refused(&scouted, "2 show 1"), {
        "the cards at 1 are hidden: a show has to name them"
    });
    checked(&format!("{scouted}2 scout left 1 ? + show 1 = 6/9\n"));
}

#[test]
fn flipping_a_partly_hidden_hand_turns_what_is_seen() {
    let game = game(THREE);
    let slot = game.round().unwrap().hand(seat(3)).slot(11);
    assert_eq!(slot, Some(Slot::Seen("2/1".parse().unwrap())));
}

#[test]
fn nothing_is_listed_for_a_hidden_hand() {
    let round = *game(&format!("{THREE}1 show 1\n")).round().unwrap();
    assert_eq!(round.perft(1), Err(HiddenHand(seat(2))));
    let round = *game(THREE).round().unwrap();
    assert!(round.perft(1).is_ok());
    assert_eq!(round.perft(2), Err(HiddenHand(seat(2))));
}

#[test]
fn hidden_records_print_as_they_were() {
    let text = format!("{THREE}1 show 1\n2 scout left 1 ? + show 1 = 6/5\n");
    let printed: String = parse(&text).unwrap().iter().map(|line| format!("{line}\n")).collect();
    assert_eq!(printed, text);
    let json = trace(1, &game(&format!("{THREE}1 show 1\n2 scout left 2 ?\n"))).unwrap();
    assert!(json.contains(r#"["?","4/7?","?","#), "{json}");
}

/// Whether one of two players without a token can show, only its own hand tells: the record says.
#[test]
fn a_hidden_round_of_two_ends_as_the_record_says() {
    let spent = "\
1 scout left 1 ?
1 scout left 1 ?
1 scout left 1 ?
1 show 4 = 5/1
2 scout left 1 ?
2 show 3 = 6/1
";
    let text = format!("{TWO}{spent}1 show 4-7 = 10/1 10/2 10/3 10/4\n2 scout left 1 ?\n");
    let round = *game(&text).round().unwrap();
    assert_eq!((round.tokens(seat(1)), round.tokens(seat(2))), (0, 0));
    assert!(round.may_be_stalled());
    // Seat 1 took 4 and owns 3 on the table; its hand of 6 is spared.
    let (one, two) = (round.captured(seat(1)), round.captured(seat(2)));
    let left = round.hand(seat(2)).len();
    let end = format!("end stalled {} {}\n", one, i32::from(two) - left as i32);
    let over = game(&format!("{text}{end}"));
    assert_eq!(over.round().unwrap().over(), Some(Ending::Stalled));
    assert_eq!(over.stage(), Stage::RoundOver);
    let next = game(&format!("{text}round 2 start 2\n"));
    assert_eq!(next.points_of(1), over.points_of(1));
    checked(&format!("{text}2 show 4-7 = 9/1 9/2 9/3 9/4\n"));
    assert_eq!(refused(TWO, "end stalled 0 0"), "the round is not over");
}

/// The seat to act alone can say that it can do nothing, and only where nobody knows better.
#[test]
fn who_may_say_that_a_round_of_two_is_stalled() {
    let says = |round: &Round, number| round.stall(seat(number));
    let text = read(&cases("games", "scout")[0]);
    let over = *game(&text[..text.find("round 2").unwrap()]).round().unwrap();
    assert_eq!(over.over(), Some(Ending::Stalled));
    let owner = over.owner().unwrap().number();
    assert_eq!(says(&over, 3 - owner), Ok(over), "its own state has ended already");
    assert_eq!(says(&over, owner), Err(Illegal::RoundOver));
    let free = *game(TWO).round().unwrap();
    assert!(!free.may_be_stalled());
    assert_eq!(says(&free, 1), Err(Illegal::NotStalled(seat(1))), "it has tokens");
    assert_eq!(says(&free, 2), Err(Illegal::NotYourTurn { turn: seat(1) }));
    let three = *game(THREE).round().unwrap();
    assert_eq!(says(&three, 1), Err(Illegal::NotStalled(seat(1))), "they are three");
    let lines = ["1 show 1-2", "2 scout left 1", "3 scout left 1"];
    let three = play(kept(3, &["5/6 5/7"]), &lines);
    assert_eq!(three.over(), Some(Ending::Stalled));
    (1..=3).for_each(|number| assert_eq!(says(&three, number), Err(Illegal::RoundOver)));
    let begins = ["1/2 2/3 3/4 4/5 5/6 1/3 2/4 3/5 4/6 5/7 6/8", "9/1 9/2 9/3 9/4 9/5"];
    let emptied = play(kept(2, &begins), &["1 show 1-5", "2 show 1-5", "1 show 1-6"]);
    assert_eq!(emptied.over(), Some(Ending::Emptied));
    (1..=2).for_each(|number| assert_eq!(says(&emptied, number), Err(Illegal::RoundOver)));
}

#[test]
fn a_hidden_second_round_of_two_has_no_card_of_the_first() {
    let text = format!("{TWO}1 show 1 = 1/2\n");
    assert!(refusal(&text).reason.to_string().contains("does not beat"));
    let stalled = "\
1 scout left 1 ?
1 scout left 1 ?
1 scout left 1 ?
1 show 4-5 = 5/1 5/2
2 show 2-3 = 6/1 6/2
end stalled -9 6
round 2 start 2
deal 1 ? ? ? ? ? ? ? ? ? ? ?
deal 2 ? ? ? ? ? ? ? ? ? ? ?
1 keep
2 keep
";
    let text = format!("{TWO}{stalled}");
    let before = "7/3 was dealt in round 1: round 2 is dealt from the cards set aside";
    assert_eq!(refused(&text, "2 show 1 = 7/3"), before);
    checked(&format!("{text}2 show 1 = 7/4\n"));
}
