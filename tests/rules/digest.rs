//! The bytes that stand for a state in the log, put together a second time from their description
//! and from what has happened: a peer that had other bytes could not play on.

use fairdeal::game::Game;
use sha2::{Digest, Sha256};

use crate::support::{cards, cases, game, read};

/// A game of four in its first round: seat 2's hand is known, seat 3 has shown two cards after a
/// scout, seat 4 has scouted one of them, seat 1 is out and is to pay four points.
const FOUR: &str = "\
scout 1
players 4
seat 1 Ana
seat 2 Ben
seat 3 Cy
seat 4 Dee
round 1 start 2
deal 1 ? ? ? ? ? ? ? ? ? ? ?
deal 2 4/7 5/9 6/9 3/9 4/9 3/8 1/9 2/8 2/9 8/9 7/9
deal 3 ? ? ? ? ? ? ? ? ? ? ?
deal 4 ? ? ? ? ? ? ? ? ? ? ?
1 flip
2 keep
3 keep
4 flip
2 show 1-2
3 scout left 1 ? + show 2-3 = 6/1 6/2
4 scout right 12 flip
1 out 4
";

/// Where a card stands among all 45 in lexicographic order, from 0.
fn pair(up: u8, down: u8) -> u8 {
    let (low, high) = (up.min(down), up.max(down));
    (1..low).map(|low| 10 - low).sum::<u8>() + high - low - 1
}

/// These cards as bits, the first of the 45 the lowest, in eight bytes.
fn bits(text: &str) -> [u8; 8] {
    let pairs = cards(text).into_iter().map(|card| pair(card.up(), card.down()));
    pairs.fold(0u64, |bits, pair| bits | 1 << pair).to_le_bytes()
}

/// The place of five seats for a hand, then what the seat has captured, and its tokens.
fn seat(hand: &[u8], captured: u8, tokens: u8) -> Vec<u8> {
    let mut bytes = vec![hand.len() as u8];
    bytes.extend(hand);
    bytes.resize(1 + 45, 0);
    bytes.extend([captured, tokens, 0]);
    bytes
}

#[test]
fn a_running_round_has_the_bytes_of_its_description() {
    let sealed = [0xFF; 11];
    let own = [0x69, 0x39, 0x49, 0x38, 0x19, 0x28, 0x29, 0x89, 0x79];
    let (mut scouted, mut last) = (sealed[..10].to_vec(), sealed.to_vec());
    scouted[0] = 0xB0 + pair(4, 7);
    last.push(0x26);
    let table = [1, 0x61, 0, 0, 0, 0, 0, 0, 0, 0, 0];
    let known = "4/7 5/9 6/9 3/9 4/9 3/8 1/9 2/8 2/9 8/9 7/9 6/1 6/2";
    let expected: Vec<u8> = [
        // Version, players, out, abandoned, rounds dealt; what is to pay.
        &[1, 4, 0b0001, 0, 1][..],
        &[4, 0, 0, 0, 0],
        // No round is over, and no card was dealt before.
        &[0; 5 * (1 + 5 * 4)],
        &[0; 8],
        // Present, start, turn, chosen, flipped, spent, scouted, over, owner; the active set.
        &[0b1110, 1, 1, 0b1111, 0b1001, 0b0100, 0b1000, 0, 2],
        &table,
        &seat(&sealed, 0, 0),
        &seat(&own, 0, 1),
        &seat(&scouted, 1, 1),
        &seat(&last, 0, 0),
        &seat(&[], 0, 0),
        &bits(known),
    ]
    .concat();
    assert_eq!(game(FOUR).canonical_bytes(), expected);
    assert_digest(&game(FOUR), &expected);
}

fn assert_digest(game: &Game, bytes: &[u8]) {
    let domain = "fairdeal/1/state";
    let length = (bytes.len() as u32).to_le_bytes();
    let text = [&[domain.len() as u8], domain.as_bytes(), &length, bytes].concat();
    assert_eq!(game.digest()[..], Sha256::digest(text)[..]);
}

#[test]
fn before_the_first_deal_all_but_the_table_is_zero() {
    let mut expected = vec![0; game(FOUR).canonical_bytes().len()];
    expected[..2].copy_from_slice(&[1, 5]);
    let text = "scout 1\nplayers 5\nseat 1 A\nseat 2 B\nseat 3 C\nseat 4 D\nseat 5 E\n";
    assert_eq!(game(text).canonical_bytes(), expected);
    assert_digest(&game(text), &expected);
}

/// How the rounds of a record ended, as its lines say: 1 emptied, 2 stalled, then five points.
fn finished(text: &str) -> Vec<u8> {
    let mut bytes = Vec::new();
    for line in text.lines().filter_map(|line| line.strip_prefix("end ")) {
        let (how, points) = line.split_once(' ').unwrap();
        bytes.push(match how {
            "emptied" => 1,
            "stalled" => 2,
            other => panic!("{other}"),
        });
        let points = points.split(' ').map(|points| points.parse::<i32>().unwrap());
        bytes.extend(points.chain([0; 5]).take(5).flat_map(i32::to_le_bytes));
    }
    bytes.resize(5 * (1 + 5 * 4), 0);
    bytes
}

#[test]
fn rounds_that_are_over_and_the_cards_dealt_before_count() {
    let mut endings = [0; 3];
    for path in cases("games", "scout") {
        let text = read(&path);
        let bytes = game(&text).canonical_bytes();
        let finished = finished(&text);
        assert_eq!(bytes[10..][..finished.len()], finished, "{}", path.display());
        (0..5).for_each(|round| endings[usize::from(finished[21 * round])] += 1);
        let dealt = text.lines().filter_map(|line| line.strip_prefix("deal ")).take(2);
        let dealt: Vec<&str> = dealt.map(|line| &line[2..]).collect();
        let two = text.contains("players 2\n") && text.contains("round 2");
        let before = if two { bits(&dealt.join(" ")) } else { [0; 8] };
        assert_eq!(bytes[10 + finished.len()..][..8], before, "{}", path.display());
        assert!(bytes.len() == game(FOUR).canonical_bytes().len(), "{}", path.display());
    }
    assert!(endings[1] > 3 && endings[2] > 3, "{endings:?}");
}
