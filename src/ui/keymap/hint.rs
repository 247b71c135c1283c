//! A key that does nothing may come from a keyboard in another state than its player thinks.

use ratatui::crossterm::event::{KeyCode::Char, KeyEvent, KeyModifiers};

use super::{Mode, command};

/// What to say to a key that does nothing here, where something may be wrong with the keyboard.
pub fn hint(mode: Mode, key: KeyEvent) -> Option<String> {
    let Char(c) = key.code else { return None };
    let small = |c: char| KeyEvent::new(Char(c), KeyModifiers::NONE);
    let lower = c.to_lowercase().next().filter(|lower| *lower != c);
    if key.modifiers.intersects(KeyModifiers::CONTROL | KeyModifiers::ALT) {
        None
    } else if !c.is_ascii() && c.is_alphabetic() {
        Some(format!("{c} is not a key here: switch the keyboard to Latin letters"))
    } else if lower.is_some_and(|lower| command(mode, small(lower)).is_some()) {
        Some("the keys here are small letters: is Caps Lock on?".into())
    } else {
        None
    }
}
