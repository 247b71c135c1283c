//! What may stand in a text that somebody else reads, a name or a line: the one rule for both.

use unicode_width::UnicodeWidthChar;

use super::limits::MARKS_MAX;

/// Control characters, line and paragraph separators, and what turns the writing direction
/// (Unicode Standard Annex 9, section 2).
pub fn disturbs(c: char) -> bool {
    c.is_control()
        || matches!(c, '\u{200e}' | '\u{200f}' | '\u{061c}' | '\u{2028}'..='\u{202e}')
        || matches!(c, '\u{2066}'..='\u{2069}' | '\u{feff}' | '\u{fff9}'..='\u{fffb}')
}

/// What nobody sees, or sees as a space that is none: fillers, blanks, what fonts ignore (Unicode's
/// Default_Ignorable_Code_Point), and characters whose look is nobody's agreement.
fn is_invisible(c: char) -> bool {
    matches!(c, '\u{ad}' | '\u{34f}' | '\u{115f}' | '\u{1160}' | '\u{17b4}' | '\u{17b5}')
        || matches!(c, '\u{180b}'..='\u{180f}' | '\u{200b}'..='\u{200f}' | '\u{2060}'..='\u{206f}')
        || matches!(c, '\u{2800}' | '\u{3164}' | '\u{ffa0}' | '\u{fe00}'..='\u{fe0f}')
        || matches!(c, '\u{fff0}'..='\u{fff8}' | '\u{1bca0}'..='\u{1bca3}')
        || matches!(c, '\u{1d173}'..='\u{1d17a}' | '\u{e0000}'..='\u{e0fff}')
        || matches!(c, '\u{e000}'..='\u{f8ff}' | '\u{f0000}'..='\u{10ffff}')
        || (c.is_whitespace() && c != ' ')
}

/// What joins two characters of a script, or an emoji, into one picture.
fn is_joiner(c: char) -> bool {
    matches!(c, '\u{200c}' | '\u{200d}')
}

/// What says how the character before it is drawn: as text, or as a picture.
fn is_selector(c: char) -> bool {
    matches!(c, '\u{fe0e}' | '\u{fe0f}')
}

/// The text without what may not stand there, and without spaces at its ends. A text that is
/// already so stays as it is.
pub fn clean(text: &str) -> String {
    let mut text = text.to_owned();
    loop {
        // What is left out may leave something without what it belongs to.
        let cleaner = without(&text);
        if cleaner == text {
            return text;
        }
        text = cleaner;
    }
}

fn without(text: &str) -> String {
    let all: Vec<char> = text.chars().filter(|c| !disturbs(*c)).collect();
    let wide = |c: Option<&char>| c.is_some_and(|c| !c.is_ascii() && !is_invisible(*c));
    let mut kept: Vec<char> = Vec::new();
    let mut marks = 0;
    for (at, c) in all.iter().enumerate() {
        // A selector stands between a joiner and what it joins.
        let before = kept.iter().rev().find(|c| !is_selector(**c));
        let shown = match *c {
            c if is_joiner(c) => wide(before) && wide(all.get(at + 1)),
            c if is_selector(c) => wide(kept.last()),
            c => !is_invisible(c),
        };
        let narrow = c.width().unwrap_or(0) == 0;
        marks = if narrow { marks + usize::from(shown) } else { 0 };
        if shown && marks <= MARKS_MAX {
            kept.push(*c);
        }
    }
    kept.into_iter().collect::<String>().trim().to_owned()
}

/// What a text looks like (Unicode Technical Standard 39, section 4): two that may be taken for one
/// another have the same.
pub fn skeleton(text: &str) -> String {
    let seen: String = text.chars().filter(|c| !is_joiner(*c) && !is_selector(*c)).collect();
    unicode_security::skeleton(&seen).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_nobody_sees_is_left_out() {
        for (text, seen) in [
            ("A\u{200b}na", "Ana"),
            ("A\u{ad}na", "Ana"),
            ("A\u{34f}na", "Ana"),
            ("A\u{200d}na", "Ana"),
            ("A\u{fe0f}na", "Ana"),
            ("Ana\u{e0041}\u{e0042}", "Ana"),
            ("\u{3164}", ""),
            ("\u{2800}\u{ffa0}\u{115f}", ""),
            ("A\u{a0}na\u{3000}", "Ana"),
            ("\u{e000}A", "A"),
            ("猫\u{200d}", "猫"),
            ("猫\u{200d}\u{fe0f}", "猫\u{fe0f}"),
            ("a\u{202e}b\u{1b}c", "abc"),
        ] {
            assert_eq!(clean(text), seen, "{text:?}");
            assert_eq!(clean(seen), seen);
        }
        let tower = format!("A{}na", "\u{301}".repeat(90));
        assert_eq!(clean(&tower), format!("A{}na", "\u{301}".repeat(MARKS_MAX)));
    }

    #[test]
    fn scripts_and_emoji_are_whole() {
        for text in ["👩‍👩‍👧‍👦", "मित्रों", "❤️ ⚡️", "می‌خواهم", "Zoë", "Ana Maria", "🏳️‍🌈"]
        {
            assert_eq!(clean(text), text, "{text:?}");
        }
    }

    #[test]
    fn what_looks_alike_is_alike() {
        for twin in ["\u{410}na", "\u{ff21}na", "An\u{430}", "𝐀na"] {
            assert_eq!(skeleton(twin), skeleton("Ana"), "{twin}");
        }
        assert_eq!(skeleton("⚡️Ana"), skeleton("⚡Ana"));
        assert_eq!(skeleton("Zoe\u{308}"), skeleton("Zoë"));
        for other in ["ana", "Anna", "Ben", "Zoë"] {
            assert_ne!(skeleton(other), skeleton("Ana"), "{other}");
        }
    }
}
