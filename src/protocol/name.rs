//! The name a player goes by at a table.

use std::fmt;

use serde::{Deserialize, Serialize};
use unicode_width::UnicodeWidthStr;

use super::limits::{NAME_BYTES_MAX, NAME_COLUMNS_MAX};

/// A name of 1 to 24 terminal columns, trimmed, without control or bidirectional characters.
///
/// ```
/// use fairdeal::protocol::name::Name;
/// assert_eq!("Ana".parse::<Name>().unwrap().as_str(), "Ana");
/// assert!(" Ana".parse::<Name>().is_err());
/// assert!("\u{202e}anA".parse::<Name>().is_err());
/// ```
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct Name(String);

/// Why a text is no name.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum NameError {
    /// Nothing, or nothing visible.
    #[error("a name needs at least one visible character")]
    Empty,
    /// Wider than a seat's space on the screen.
    #[error("a name may be at most {NAME_COLUMNS_MAX} columns wide; choose a shorter one")]
    Long,
    /// White space at an end.
    #[error("a name may not begin or end with a space")]
    Untrimmed,
    /// A character that would disturb a terminal.
    #[error("a name may not contain control or text-direction characters")]
    Control,
}

impl Name {
    /// The name as text.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl std::str::FromStr for Name {
    type Err = NameError;
    fn from_str(text: &str) -> Result<Self, NameError> {
        text.to_owned().try_into()
    }
}

impl TryFrom<String> for Name {
    type Error = NameError;
    fn try_from(text: String) -> Result<Self, NameError> {
        if text.chars().any(disturbs) {
            return Err(NameError::Control);
        }
        if text.trim() != text {
            return Err(NameError::Untrimmed);
        }
        match text.width() {
            0 => Err(NameError::Empty),
            width if width > NAME_COLUMNS_MAX || text.len() > NAME_BYTES_MAX => {
                Err(NameError::Long)
            }
            _ => Ok(Name(text)),
        }
    }
}

impl From<Name> for String {
    fn from(name: Name) -> String {
        name.0
    }
}

impl fmt::Display for Name {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(&self.0)
    }
}

/// Control characters, line and paragraph separators, and what turns the writing direction
/// (Unicode Standard Annex 9, section 2).
pub fn disturbs(c: char) -> bool {
    c.is_control()
        || matches!(c, '\u{200e}' | '\u{200f}' | '\u{061c}' | '\u{2028}'..='\u{202e}')
        || matches!(c, '\u{2066}'..='\u{2069}' | '\u{feff}' | '\u{fff9}'..='\u{fffb}')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_bounded_in_columns_and_free_of_control_characters() {
        let parse = |text: &str| text.parse::<Name>();
        assert!(parse(&"x".repeat(24)).is_ok());
        assert_eq!(parse(&"x".repeat(25)), Err(NameError::Long));
        assert!(parse(&"猫".repeat(12)).is_ok(), "twelve wide characters are 24 columns");
        assert_eq!(parse(&"猫".repeat(13)), Err(NameError::Long));
        assert_eq!(parse(""), Err(NameError::Empty));
        assert_eq!(parse("\u{200b}"), Err(NameError::Empty));
        assert_eq!(parse("Ana "), Err(NameError::Untrimmed));
        for bad in ["a\nb", "a\x1b[2J", "a\u{7f}", "a\u{9b}", "a\u{202e}b", "a\u{2066}b"] {
            assert_eq!(parse(bad), Err(NameError::Control), "{bad:?}");
        }
        assert_eq!(parse(&format!("a{}", "\u{301}".repeat(200))), Err(NameError::Long));
    }
}
