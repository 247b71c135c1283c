//! What several tests need.

use std::fs;
use std::path::{Path, PathBuf};

use fairdeal::game::notation::{Checker, Refusal, check};
use fairdeal::game::{Action, BySeat, Card, Game, Hand, Players, Round, Seat, Seats, Slot, deck};

/// Random numbers that are the same everywhere: SplitMix64.
pub struct Dice(pub u64);

impl Dice {
    pub fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut mixed = self.0;
        mixed = (mixed ^ mixed >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        mixed = (mixed ^ mixed >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
        mixed ^ mixed >> 31
    }

    pub fn below(&mut self, bound: usize) -> usize {
        (self.next() % bound as u64) as usize
    }
}

impl rand::TryRng for Dice {
    type Error = std::convert::Infallible;

    fn try_next_u32(&mut self) -> Result<u32, Self::Error> {
        Ok((self.next() >> 32) as u32)
    }

    fn try_next_u64(&mut self) -> Result<u64, Self::Error> {
        Ok(self.next())
    }

    fn try_fill_bytes(&mut self, bytes: &mut [u8]) -> Result<(), Self::Error> {
        bytes.iter_mut().for_each(|byte| *byte = self.next() as u8);
        Ok(())
    }
}

/// The files of a folder of cases with this ending, by name.
pub fn cases(folder: &str, ending: &str) -> Vec<PathBuf> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data/cases").join(folder);
    let mut files: Vec<_> = fs::read_dir(folder)
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .filter(|path| path.extension().is_some_and(|found| found == ending))
        .collect();
    files.sort();
    files
}

pub fn read(path: &Path) -> String {
    fs::read_to_string(path).unwrap()
}

pub fn checked(text: &str) -> Checker {
    check(text, |_, _| {}).unwrap_or_else(|refusal| panic!("{refusal}\n{text}"))
}

pub fn game(text: &str) -> Game {
    *checked(text).game().expect("all seats are named")
}

pub fn refusal(text: &str) -> Refusal {
    check(text, |_, _| {}).expect_err("refused")
}

pub fn players(count: u8) -> Players {
    Players::new(count).unwrap()
}

/// The seat people call `number`.
pub fn seat(number: u8) -> Seat {
    Seat::from_number(number).unwrap()
}

pub fn seats(numbers: &[u8]) -> Seats {
    numbers.iter().map(|&number| seat(number)).collect()
}

pub fn cards(text: &str) -> Vec<Card> {
    text.split(' ').map(|word| word.parse().unwrap()).collect()
}

pub fn action(text: &str) -> Action {
    text.parse().unwrap()
}

/// A hand of a full deal that begins with these cards; the rest is filled up from the deck.
///
/// `begins` are the first cards of each seat by seat.
pub fn deal(count: u8, begins: &[&str]) -> BySeat<Hand> {
    let players = players(count);
    let begins: Vec<Vec<Card>> = begins.iter().map(|text| cards(text)).collect();
    let taken = |card: &Card| begins.iter().flatten().any(|other| other.pair() == card.pair());
    let mut rest = deck::deck(players).iter().copied().filter(|card| !taken(card));
    BySeat::from_fn(players, |seat| {
        let begin = begins.get(seat.index()).cloned().unwrap_or_default();
        let missing = usize::from(deck::hand_size(players)) - begin.len();
        begin.into_iter().chain(rest.by_ref().take(missing)).map(Slot::Seen).collect()
    })
}

/// A round of such a deal, started by seat 1, with every hand kept.
pub fn kept(count: u8, begins: &[&str]) -> Round {
    let players = players(count);
    let round = Round::new(players, seat(1), deal(count, begins), Seats::NONE).unwrap();
    players.seats().fold(round, |round, seat| round.apply(seat, Action::Keep, &[]).unwrap())
}

/// Plays lines such as `1 show 2-3`.
pub fn play(round: Round, lines: &[&str]) -> Round {
    lines.iter().fold(round, |round, line| {
        let (number, text) = line.split_once(' ').unwrap();
        round
            .apply(seat(number.parse().unwrap()), action(text), &[])
            .unwrap_or_else(|reason| panic!("{line}: {reason}"))
    })
}

/// A random full deal.
pub fn shuffled(players: Players, deck: &mut [Card], dice: &mut Dice) -> BySeat<Hand> {
    for last in (1..deck.len()).rev() {
        deck.swap(last, dice.below(last + 1));
    }
    let size = usize::from(deck::hand_size(players));
    BySeat::from_fn(players, |seat| {
        let cards = &deck[seat.index() * size..][..size];
        let turn = |card: &Card| {
            if dice.below(2) == 0 { *card } else { card.turned() }
        };
        Hand::seen(&cards.iter().map(turn).collect::<Vec<_>>())
    })
}
