//! Every key and what it does: the one source of the footer, the help screen and the README.

mod commands;
mod hint;
mod mode;

use ratatui::crossterm::event::{KeyCode, KeyEvent, KeyModifiers};

pub use commands::Command;
pub use hint::hint;
pub use mode::Mode;

/// The letters of a hand's places, those left by the commands: 45, as many as there are cards.
pub const LETTERS: &str = "abcdefgimnoprtuvwyzABCDEFGHIJKLMNOPQRSTUVWXYZ";

/// A row of the key table.
pub struct Binding {
    /// What it does.
    pub command: Command,
    /// Where.
    pub modes: &'static [Mode],
    /// The keys.
    pub keys: &'static [KeyCode],
    /// The keys as they are written.
    pub written: &'static str,
    /// What it does, in the footer's few words.
    pub short: &'static str,
    /// What it does, in full; empty where another row tells it.
    pub long: &'static str,
}

const fn row(
    command: Command,
    modes: &'static [Mode],
    keys: &'static [KeyCode],
    written: &'static str,
    short: &'static str,
    long: &'static str,
) -> Binding {
    Binding { command, modes, keys, written, short, long }
}

use Command as C;
use KeyCode::Char;
use Mode::{
    Begin, Choice, End, Guest, Hand, Home, Leave, List, Lobby, Reading, Replay, Score, Scout,
    ScoutShow, Typing,
};

const ALL_BUT_TYPING: &[Mode] =
    &[Home, List, Reading, Replay, Lobby, Guest, Choice, Hand, Scout, ScoutShow, Score, End];
const LOG: &[Mode] = &[Hand, Scout, ScoutShow];
const CARDS: &[Mode] = &[Hand, ScoutShow];
const TALK: &[Mode] = &[Lobby, Guest, Choice, Hand, Scout, ScoutShow, Score, End];

/// The key table. The footer shows a mode's rows in this order, as many as fit.
pub const KEYS: &[Binding] = &[
    row(C::Yes, &[Leave], &[Char('y'), KeyCode::Enter], "y", "leave", ""),
    row(C::Yes, &[Begin], &[Char('y')], "y", "begin", ""),
    row(
        C::Withdraw,
        &[Leave],
        &[Char('w')],
        "w",
        "leave for good",
        "when leaving: for good; the box says what that does to the game",
    ),
    row(
        C::GoOn,
        &[Hand, Scout, ScoutShow, Choice],
        &[Char('!')],
        "!",
        "play on without",
        "propose to play on without a player who is silent",
    ),
    row(C::Enter, CARDS, &[KeyCode::Enter], "Enter", "show", "show the chosen cards"),
    row(C::Enter, &[Scout], &[KeyCode::Enter], "Enter", "take", "do what the line above says"),
    row(C::Enter, &[Choice], &[KeyCode::Enter], "Enter", "keep or flip", ""),
    row(C::Enter, &[Home, List], &[KeyCode::Enter], "Enter", "choose", ""),
    row(C::Enter, &[Typing], &[KeyCode::Enter], "Enter", "OK", ""),
    row(
        C::Enter,
        &[Lobby],
        &[KeyCode::Enter],
        "Enter",
        "begin",
        "in the lobby: begin the game with those who are here",
    ),
    row(
        C::Copy,
        &[Lobby],
        &[Char('c')],
        "c",
        "copy the invite",
        "in the lobby: copy the invite that friends paste",
    ),
    row(
        C::Picture,
        &[Lobby],
        &[Char('p')],
        "p",
        "QR code",
        "in the lobby: the invite as a QR code",
    ),
    row(C::Enter, &[Score, Reading], &[KeyCode::Enter, Char(' ')], "Enter", "continue", ""),
    row(C::Enter, &[End], &[KeyCode::Enter], "Enter", "leave the table", ""),
    row(
        C::Again,
        &[End],
        &[Char('r')],
        "r",
        "rematch",
        "after a game: a rematch with the same people, at the table that the host opens",
    ),
    row(C::Scout, &[Hand], &[Char('s')], "s", "scout", "scout: take a card from the table"),
    row(
        C::Turn,
        &[Scout],
        &[Char(' '), KeyCode::Up, KeyCode::Down, Char('j'), Char('k')],
        "Space",
        "flip",
        "while scouting: flip the card",
    ),
    row(
        C::Next,
        &[Scout],
        &[KeyCode::Tab, Char('s')],
        "Tab",
        "other end",
        "while scouting: the card at the other end",
    ),
    row(
        C::ScoutShow,
        &[Hand, Scout],
        &[Char('x')],
        "x",
        "Scout & Show",
        "Scout & Show, once a round: scout, then choose what to show",
    ),
    row(
        C::Next,
        CARDS,
        &[KeyCode::Tab],
        "Tab",
        "next set",
        "choose the next set that can be shown (Shift-Tab the one before)",
    ),
    row(C::Before, CARDS, &[KeyCode::BackTab], "Shift-Tab", "", ""),
    row(
        C::Left,
        &[Hand, Scout, ScoutShow, Home, Lobby],
        &[KeyCode::Left, Char('h')],
        "\u{2190} \u{2192}",
        "move",
        "move along the hand (also h l); on the home screen and in the lobby: fewer, more",
    ),
    row(
        C::Right,
        &[Hand, Scout, ScoutShow, Home, Lobby],
        &[KeyCode::Right, Char('l')],
        "\u{2192}",
        "",
        "",
    ),
    row(
        C::Up,
        &[Home, List, Reading, Lobby, Choice, Hand, ScoutShow],
        &[KeyCode::Up, Char('k')],
        "\u{2191} \u{2193}",
        "",
        "move up and down in lists and in a hand of several rows (also k j)",
    ),
    row(
        C::Down,
        &[Home, List, Reading, Lobby, Choice, Hand, ScoutShow],
        &[KeyCode::Down, Char('j')],
        "\u{2193}",
        "",
        "",
    ),
    row(
        C::Hold,
        CARDS,
        &[Char(' ')],
        "Space",
        "hold",
        "extend the selection (or Shift with the arrows)",
    ),
    row(
        C::Turn,
        &[Choice],
        &[Char(' '), KeyCode::Tab, Char('f')],
        "Space",
        "flip",
        "before the first turn: flip the hand, or back",
    ),
    row(
        C::Next,
        &[Home],
        &[KeyCode::Tab],
        "Tab",
        "another bot or deal",
        "on the home screen: another bot, another kind of deal",
    ),
    row(C::AddBot, &[Lobby], &[Char('b')], "b", "add a bot", "in the lobby: add a bot"),
    row(
        C::Remove,
        &[Lobby],
        &[Char('x'), KeyCode::Delete],
        "x",
        "remove",
        "in the lobby: remove the marked player",
    ),
    row(
        C::MoveUp,
        &[Lobby],
        &[Char('K')],
        "K J",
        "move",
        "in the lobby: move the marked seat up, down",
    ),
    row(C::MoveDown, &[Lobby], &[Char('J')], "", "", ""),
    row(
        C::Shuffle,
        &[Lobby],
        &[Char('s')],
        "s",
        "shuffle",
        "in the lobby: shuffle the seats; yours stays first",
    ),
    row(
        C::Back,
        &[Scout, ScoutShow, Hand],
        &[KeyCode::Esc],
        "Esc",
        "undo",
        "undo, until you confirm with Enter; never leaves",
    ),
    row(
        C::Right,
        &[Replay],
        &[KeyCode::Right, Char('l'), KeyCode::Down, Char('j'), KeyCode::Enter],
        "\u{2190} \u{2192}",
        "step",
        "in a replay: a step back, a step on (also h l)",
    ),
    row(C::Left, &[Replay], &[KeyCode::Left, Char('h'), KeyCode::Up, Char('k')], "", "", ""),
    row(
        C::RoundOn,
        &[Replay],
        &[Char('n'), KeyCode::PageDown],
        "n p",
        "round",
        "in a replay: the next round, the one before (also PgDn PgUp)",
    ),
    row(C::RoundBack, &[Replay], &[Char('p'), KeyCode::PageUp], "", "", ""),
    row(C::Jump, &[Replay], &[Char('g')], "g", "turn", "in a replay: to a turn by its number"),
    row(
        C::Play,
        &[Replay],
        &[Char(' ')],
        "Space",
        "play",
        "in a replay: play by itself, or stop; + faster, - slower",
    ),
    row(C::Faster, &[Replay], &[Char('+'), Char('=')], "+ -", "speed", ""),
    row(C::Slower, &[Replay], &[Char('-')], "", "", ""),
    row(
        C::Seat(1),
        &[Replay],
        &[Char('1')],
        "1-5",
        "one hand",
        "in a replay: that player's hand alone; a all hands, 0 what the table saw",
    ),
    row(C::Seat(2), &[Replay], &[Char('2')], "", "", ""),
    row(C::Seat(3), &[Replay], &[Char('3')], "", "", ""),
    row(C::Seat(4), &[Replay], &[Char('4')], "", "", ""),
    row(C::Seat(5), &[Replay], &[Char('5')], "", "", ""),
    row(C::ShowAll, &[Replay], &[Char('a')], "a", "all", ""),
    row(C::HideAll, &[Replay], &[Char('0')], "0", "none", ""),
    row(
        C::First,
        &[Replay],
        &[KeyCode::Home],
        "Home End",
        "ends",
        "in a replay: to the first step, to the last",
    ),
    row(C::Last, &[Replay], &[KeyCode::End], "", "", ""),
    row(C::Back, &[Replay], &[KeyCode::Esc], "Esc", "back", ""),
    row(C::Back, &[Leave, Begin], &[KeyCode::Esc], "Esc", "stay", ""),
    row(C::Back, &[Typing, List, Reading, Score], &[KeyCode::Esc], "Esc", "back", ""),
    row(
        C::Talk,
        TALK,
        &[Char('/')],
        "/",
        "chat",
        "chat; in it /mute Ben hides Ben's messages, and again shows them",
    ),
    row(
        C::Older,
        LOG,
        &[KeyCode::PageUp],
        "PgUp",
        "log",
        "older lines of the log; PgDn newer ones",
    ),
    row(C::Newer, LOG, &[KeyCode::PageDown], "PgDn", "", ""),
    row(C::Help, ALL_BUT_TYPING, &[Char('?'), KeyCode::F(1)], "?", "help", "the rules and keys"),
    row(
        C::Leave,
        ALL_BUT_TYPING,
        &[Char('q')],
        "q",
        "leave",
        "leave; asks while a game runs, and the game is kept",
    ),
];

/// What a key does in a mode.
pub fn command(mode: Mode, key: KeyEvent) -> Option<Command> {
    let control = key.modifiers.intersects(KeyModifiers::CONTROL | KeyModifiers::ALT);
    if control {
        return None;
    }
    if key.modifiers.contains(KeyModifiers::SHIFT) && CARDS.contains(&mode) {
        match key.code {
            KeyCode::Left => return Some(Command::GrowLeft),
            KeyCode::Right => return Some(Command::GrowRight),
            _ => {}
        }
    }
    let bound = KEYS.iter().find(|row| row.modes.contains(&mode) && row.keys.contains(&key.code));
    if let Some(row) = bound {
        return Some(row.command);
    }
    match (mode, key.code) {
        (Hand | Scout | ScoutShow, Char(letter)) => {
            let place = LETTERS.chars().position(|known| known == letter)?;
            u8::try_from(place).ok().map(Command::Place)
        }
        _ => None,
    }
}

/// The letter of a place, from 0.
pub fn letter(place: usize) -> char {
    LETTERS.chars().nth(place).unwrap_or('?')
}

/// The keys of a mode that work now, with their few words.
pub fn footer(mode: Mode, works: impl Fn(Command) -> bool) -> Vec<(&'static str, &'static str)> {
    let rows = KEYS.iter().filter(|row| row.modes.contains(&mode) && !row.short.is_empty());
    let now = rows.filter(|row| works(row.command));
    let mut keys: Vec<_> = now.map(|row| (row.written, row.short)).collect();
    let letters = match mode {
        Hand | ScoutShow => ("a b", "cards"),
        Scout => ("a", "place"),
        _ => return keys,
    };
    if works(Command::Place(0)) {
        // After what Enter and the letters of commands do, before what arrows do.
        let at = keys.iter().position(|(written, _)| written.starts_with('\u{2190}'));
        keys.insert(at.unwrap_or(keys.len()), letters);
    }
    keys
}

/// All keys with what they do, for the help screen and the README.
pub fn table() -> Vec<(&'static str, &'static str)> {
    let mut keys = vec![
        ("a b c \u{2026}", "a card by its letter; a second letter makes it a range"),
        ("Ctrl-C", "asks; a second time leaves at once, the game is kept"),
        ("Ctrl-Z", "suspends; `fg` comes back"),
    ];
    keys.extend(KEYS.iter().filter(|row| !row.long.is_empty()).map(|row| (row.written, row.long)));
    keys
}

/// The key table of the README.
pub fn markdown() -> String {
    let rows = table().into_iter().map(|(keys, what)| format!("| {keys} | {what} |\n"));
    format!("| key | does |\n| --- | --- |\n{}", rows.collect::<String>())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::PAIRS;

    #[test]
    fn every_place_of_the_longest_hand_has_a_letter_that_no_command_takes() {
        assert_eq!(LETTERS.chars().count(), PAIRS);
        for (place, letter) in LETTERS.chars().enumerate() {
            for mode in [Hand, Scout, ScoutShow] {
                let pressed = command(mode, KeyEvent::from(Char(letter)));
                assert_eq!(pressed, Some(Command::Place(place as u8)), "{letter} in {mode:?}");
            }
        }
    }

    #[test]
    fn no_key_does_two_things_in_one_mode() {
        for (at, row) in KEYS.iter().enumerate() {
            for other in &KEYS[at + 1..] {
                let shared = row.keys.iter().any(|key| other.keys.contains(key));
                let both = row.modes.iter().any(|mode| other.modes.contains(mode));
                assert!(!(shared && both), "{} and {}", row.written, other.written);
            }
        }
    }
}
