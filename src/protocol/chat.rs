//! What players say to each other beside the game.

use std::fmt;

use serde::{Deserialize, Serialize};
use unicode_width::UnicodeWidthStr;

use super::{limits::CHAT_BYTES_MAX, text::clean};

/// A line of 1 to [`CHAT_BYTES_MAX`] bytes, trimmed, without control, bidirectional and invisible
/// characters and without towers of combining marks.
///
/// ```
/// use fairdeal::protocol::chat::Line;
/// let line: Line = " well \u{1b}[2Jplayed\n".parse().unwrap();
/// assert_eq!(line.as_str(), "well [2Jplayed");
/// ```
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct Line(String);

/// Why a text is no line.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum LineError {
    /// Nothing, or nothing visible.
    #[error("there is nothing to say in that")]
    Empty,
    /// Longer than a line may be.
    #[error("a line may have at most {CHAT_BYTES_MAX} bytes; say it in two")]
    Long,
    /// From somebody else: a character that would disturb a terminal, or that nobody sees.
    #[error("a line may not contain control, text-direction or invisible characters")]
    Disturbs,
}

impl Line {
    /// The line as text.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl std::str::FromStr for Line {
    type Err = LineError;
    /// What somebody types here: what would disturb a terminal is left out.
    fn from_str(text: &str) -> Result<Self, LineError> {
        clean(text).try_into()
    }
}

impl TryFrom<String> for Line {
    type Error = LineError;
    /// What comes from elsewhere has been cleaned already, or is refused.
    fn try_from(text: String) -> Result<Self, LineError> {
        match text.width() {
            0 => Err(LineError::Empty),
            _ if text.len() > CHAT_BYTES_MAX => Err(LineError::Long),
            _ if clean(&text) != text => Err(LineError::Disturbs),
            _ => Ok(Line(text)),
        }
    }
}

impl From<Line> for String {
    fn from(line: Line) -> String {
        line.0
    }
}

impl fmt::Display for Line {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(&self.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_typed_is_cleaned_and_what_comes_from_elsewhere_must_be_clean() {
        let typed = |text: &str| text.parse::<Line>().map(String::from);
        let came = |text: &str| Line::try_from(text.to_owned());
        let marks = format!("a{}b", "\u{301}".repeat(200));
        for (text, clean) in [
            ("  hello  ", "hello"),
            ("a\x1b[2Jb\x07\r\n", "a[2Jb"),
            ("a\u{9b}31mb", "a31mb"),
            ("a\u{202e}b\u{2066}c", "abc"),
            (marks.as_str(), "a\u{301}\u{301}\u{301}\u{301}b"),
        ] {
            assert_eq!(typed(text).as_deref(), Ok(clean));
            assert_eq!(came(text), Err(LineError::Disturbs), "{text:?}");
            assert!(came(clean).is_ok());
        }
        for text in ["", "  ", "\x1b", "\u{200b}", "\u{301}"] {
            assert_eq!(typed(text), Err(LineError::Empty), "{text:?}");
        }
        assert!(typed(&"x".repeat(CHAT_BYTES_MAX)).is_ok());
        assert_eq!(typed(&"x".repeat(CHAT_BYTES_MAX + 1)), Err(LineError::Long));
        assert_eq!(typed(&"猫".repeat(CHAT_BYTES_MAX / 3 + 1)), Err(LineError::Long));
        let emoji = "👩‍👩‍👧‍👦 मित्रों ❤️";
        assert_eq!(typed(emoji).as_deref(), Ok(emoji));
    }
}
