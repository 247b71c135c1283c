//! The notation as text: what is accepted, what is not, and that nothing makes it panic.

use fairdeal::game::notation::{check, parse};
use fairdeal::game::{Action, Card};

use crate::support::{Dice, cases, read};

#[test]
fn spaces_comments_and_blank_lines_are_free() {
    let text = "\u{feff}scout 1  # the format\r\n\r\n  # so\r\n players   3 \r\n\
                seat 1  Ana #1  \r\nseat 2 Ben\r\nseat 3 Cy\r\n#end\r\n";
    let printed: Vec<_> = parse(text).unwrap().iter().map(ToString::to_string).collect();
    assert_eq!(printed, ["scout 1", "players 3", "seat 1 Ana #1", "seat 2 Ben", "seat 3 Cy"]);
    assert!(check(text, |_, _| {}).is_ok());
}

#[test]
fn a_record_has_the_names_of_its_seats() {
    let text = "scout 1\nplayers 2\nseat 1 Ana Lee\n";
    assert_eq!(check(text, |_, _| {}).unwrap().names(), ["Ana Lee"]);
    let text = format!("{text}seat 2 #1\n");
    assert_eq!(check(&text, |_, _| {}).unwrap().names(), ["Ana Lee", "#1"]);
}

#[test]
fn one_way_to_write_an_action() {
    let fine = [
        "keep",
        "flip",
        "show 4",
        "show 3-5",
        "scout left 4",
        "scout right 1 flip",
        "scout left 4 ?",
        "scout left 4 flip + show 2-5",
        "scout right 45 ? + show 45",
    ];
    for text in fine {
        assert_eq!(text.parse::<Action>().unwrap().to_string(), text);
    }
    let wrong = [
        "",
        "show",
        "show 0",
        "show 04",
        "show +4",
        "show 4-4",
        "show 5-4",
        "show 4-",
        "show 4 5",
        "show\t4",
        "scout",
        "scout up 4",
        "scout left",
        "scout left 0",
        "scout left 4 turn",
        "scout left 4 +",
        "scout left 4 + show",
        "scout left 4 + flip 2",
        "keep 1",
        "scout left 4 flip flip",
        "scout left 4 + show 2 3",
        "show 999",
        "KEEP",
        "Show 4",
    ];
    for text in wrong {
        assert!(text.parse::<Action>().is_err(), "{text}");
    }
}

#[test]
fn one_way_to_write_a_card() {
    for text in ["7/3", "10/2", "1/10"] {
        assert_eq!(text.parse::<Card>().unwrap().to_string(), text);
    }
    for text in ["", "7", "7/", "/3", "7/7", "0/3", "11/3", "07/3", "+7/3", "7/3/1", "7 /3"] {
        assert!(text.parse::<Card>().is_err(), "{text}");
    }
    let cards = (0..90).filter_map(|code| Card::from_pair(code / 2, code % 2 == 1));
    let mut count = 0;
    for (code, card) in (0..).zip(cards) {
        assert_eq!((card.pair() * 2 + u8::from(card.up() > card.down())), code);
        assert_eq!(card.to_string().parse(), Ok(card));
        assert_eq!(card.turned().turned(), card);
        count += 1;
    }
    assert_eq!((count, Card::from_pair(45, false)), (90, None));
}

#[test]
fn one_way_to_write_a_line() {
    let wrong = [
        "scout 01",
        "players 03",
        "players +3",
        "players 3 4",
        "seat 1",
        "seat 1  ",
        "seat 0 Ana",
        "seat 01 Ana",
        "seat 1 A\tna",
        "round 1",
        "round 1 start",
        "round 1 start 2 3",
        "round 01 start 2",
        "deal 1",
        "deal",
        "deal 1 7/3\t2/9",
        "1",
        "6 keep",
        "01 keep",
        "1 Out",
        "end",
        "end emptied +5",
        "end emptied -0",
        "end emptied 05",
        "end abandoned 1",
        "result",
        "result 1 2",
        "result 1 2 winner",
        "result 1 2 winner 2 1",
        "result 1 2 winner 1 1",
        "result abandoned 1 -",
        "end emptied 99999999999",
        "1 show 1 =",
        "3 out 0",
        "3 out 46",
        "3 out 011",
        "3 out +1",
        "3 out -1",
        "3 out 256",
        "3 out 1 2",
        "3 out of",
        "3 back 1",
        "1 keep = 7/3",
        "?",
    ];
    for line in wrong {
        assert!(parse(line).is_err(), "{line}");
    }
}

#[test]
fn a_hand_and_what_is_paid_are_at_most_the_deck() {
    let deal = |cards| format!("deal 1{}", " ?".repeat(cards));
    assert_eq!(parse(&deal(45)).unwrap()[0].to_string(), deal(45));
    for cards in [46, 47, 300] {
        let refusal = parse(&deal(cards)).unwrap_err().reason.to_string();
        assert_eq!(refusal, "no hand has more cards than the deck");
    }
    for line in ["3 out", "3 out 1", "3 out 45", "3 back"] {
        assert_eq!(parse(line).unwrap()[0].to_string(), line);
    }
    let spaced = parse("3  out  12 \n 3 out \n3   back ").unwrap();
    let printed: Vec<_> = spaced.iter().map(ToString::to_string).collect();
    assert_eq!(printed, ["3 out 12", "3 out", "3 back"]);
    assert_eq!(parse("3 out 0").unwrap_err().reason.to_string(), "this line is written `3 out 11`");
}

#[test]
fn a_line_begins_with_one_of_eight_words() {
    let begins =
        "a line begins with scout, players, seat, round, deal, a seat number, end or result";
    for line in ["hello", "Scout 1", "-1 keep", "+1 keep", "ready"] {
        assert_eq!(parse(line).unwrap_err().reason.to_string(), begins, "{line}");
    }
    let seat = "a seat is a number from 1 to 5, without a sign or leading zeros";
    assert_eq!(parse("6 keep").unwrap_err().reason.to_string(), seat);
}

/// Changes of a byte, a word or a line of real games; what is still a record prints and parses.
#[test]
fn nothing_makes_the_checker_panic() {
    let mut dice = Dice(99);
    let words = [
        "", "0", "-1", "1", "46", "255", "256", "show", "scout", "left", "+", "=", "?", "7/3",
        "10/9", "end", "result", "round", "deal", "\t", "é", "#", "1-2", "out", "back",
    ];
    for path in cases("positions", "scout") {
        let text = read(&path);
        for _ in 0..40 {
            let mut lines: Vec<String> = text.lines().map(String::from).collect();
            for _ in 0..=dice.below(3) {
                let at = dice.below(lines.len());
                match dice.below(4) {
                    0 => drop(lines.remove(at)),
                    1 => lines.insert(at, text.lines().nth(at).unwrap_or("").into()),
                    2 => {
                        let mut parts: Vec<&str> = lines[at].split(' ').collect();
                        let part = dice.below(parts.len());
                        parts[part] = words[dice.below(words.len())];
                        lines[at] = parts.join(" ");
                    }
                    _ => {
                        let mut bytes = lines[at].clone().into_bytes();
                        let byte = dice.below(bytes.len().max(1));
                        if let Some(byte) = bytes.get_mut(byte) {
                            *byte = dice.next() as u8;
                        }
                        lines[at] = String::from_utf8_lossy(&bytes).into_owned();
                    }
                }
            }
            let text = lines.join("\n");
            let _ = check(&text, |_, _| {});
            if let Ok(statements) = parse(&text) {
                let print = |line: &_| format!("{line}\n");
                let printed: String = statements.iter().map(print).collect();
                assert_eq!(parse(&printed).unwrap(), statements);
            }
        }
    }
    for _ in 0..2000 {
        let bytes: Vec<u8> = (0..dice.below(60)).map(|_| dice.next() as u8 & 0x7f).collect();
        let _ = check(&String::from_utf8_lossy(&bytes), |_, _| {});
    }
}
