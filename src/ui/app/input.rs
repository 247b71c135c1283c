//! A line being typed.

use ratatui::crossterm::event::{KeyCode, KeyEvent, KeyModifiers};

/// Longest line that is taken, in characters: three times the longest invite.
const CHARS_MAX: usize = 1024;

/// A line being typed, with the cursor at its end.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Input {
    /// The text so far.
    pub text: String,
}

impl Input {
    /// A key; true if it changed the text.
    pub fn key(&mut self, key: KeyEvent) -> bool {
        let control = key.modifiers.contains(KeyModifiers::CONTROL);
        match key.code {
            KeyCode::Char('u') if control => self.text.clear(),
            KeyCode::Char(c) if !control => self.paste(c.encode_utf8(&mut [0; 4])),
            KeyCode::Backspace => {
                self.text.pop();
            }
            _ => return false,
        }
        true
    }

    /// Text comes in at once.
    pub fn paste(&mut self, text: &str) {
        let room = CHARS_MAX.saturating_sub(self.text.chars().count());
        self.text.extend(text.chars().filter(|c| !c.is_control()).take(room));
    }
}
