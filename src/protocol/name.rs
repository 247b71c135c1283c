//! The name a player goes by at a table.

use std::fmt;

use serde::{Deserialize, Serialize};
use unicode_width::UnicodeWidthStr;

use super::{
    limits::{NAME_BYTES_MAX, NAME_COLUMNS_MAX},
    text::{clean, skeleton},
};

/// A name of 1 to 24 terminal columns, trimmed, without control, bidirectional and invisible
/// characters and without towers of combining marks.
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
    /// A character that would disturb a terminal, that nobody sees, or too many on one letter.
    #[error(
        "a name may not contain control, text-direction or invisible characters, nor many accents \
         on one letter"
    )]
    Hidden,
}

impl Name {
    /// The name as text.
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// Whether one may be taken for the other.
    pub fn looks_like(&self, other: &Name) -> bool {
        self == other || skeleton(&self.0) == skeleton(&other.0)
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
        if text.trim_matches(' ') != text {
            return Err(NameError::Untrimmed);
        }
        if clean(&text) != text {
            return Err(NameError::Hidden);
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
        assert_eq!(parse("Ana "), Err(NameError::Untrimmed));
        for bad in ["a\nb", "a\x1b[2J", "a\u{7f}", "a\u{9b}", "a\u{202e}b", "a\u{2066}b"] {
            assert_eq!(parse(bad), Err(NameError::Hidden), "{bad:?}");
        }
        let wide = "\u{1f469}\u{200d}\u{1f467}".repeat(12);
        assert_eq!(parse(&wide.repeat(2)), Err(NameError::Long));
    }

    /// Names that somebody came with to be taken for Ana, or for nobody.
    #[test]
    fn names_that_hide_something_are_refused_and_twins_are_known() {
        let parse = |text: &str| text.parse::<Name>();
        for bad in ["A\u{200b}na", "A\u{ad}na", "A\u{34f}na", "\u{3164}", "\u{200b}"] {
            assert_eq!(parse(bad), Err(NameError::Hidden), "{bad:?}");
        }
        let tower = format!("A{}na", "\u{301}".repeat(90));
        assert_eq!(parse(&tower), Err(NameError::Hidden));
        let ana = parse("Ana").expect("a name");
        for twin in ["\u{410}na", "\u{ff21}na"] {
            assert!(parse(twin).expect("a name").looks_like(&ana), "{twin:?}");
        }
        let with = parse("\u{26a1}\u{fe0f}Ana").expect("a name");
        assert!(with.looks_like(&parse("\u{26a1}Ana").expect("a name")));
        assert!(!parse("Anna").expect("a name").looks_like(&ana));
    }
}
