//! How things look: colours and line characters, each with a plain stand-in.

use ratatui::style::{Color, Modifier, Style};

use crate::protocol::text::disturbs;

/// What the terminal can show.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Look {
    /// Only ASCII characters.
    pub ascii: bool,
    /// Colours; without them every sign is still there.
    pub colour: bool,
}

/// The lines of a box: corners from the upper left clockwise, then horizontal and vertical.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Lines(pub [&'static str; 6]);

impl Look {
    fn with(self, style: Style, colour: Color) -> Style {
        if self.colour { style.fg(colour) } else { style }
    }

    /// What is to be noticed.
    pub fn strong(self) -> Style {
        Style::new().add_modifier(Modifier::BOLD)
    }

    /// What is there if looked for.
    pub fn weak(self) -> Style {
        Style::new().add_modifier(Modifier::DIM)
    }

    /// Keys and marks.
    pub fn key(self) -> Style {
        self.with(self.strong(), Color::Yellow)
    }

    /// What can be done.
    pub fn can(self) -> Style {
        self.with(self.strong(), Color::Green)
    }

    /// What cannot.
    pub fn cannot(self) -> Style {
        self.with(Style::new(), Color::Red)
    }

    /// Titles.
    pub fn title(self) -> Style {
        self.with(self.strong(), Color::Cyan)
    }

    /// What is chosen.
    pub fn chosen(self) -> Style {
        self.with(self.strong(), Color::Yellow)
    }

    /// Groups.
    pub fn group(self) -> Style {
        self.with(Style::new(), Color::Magenta)
    }

    /// Runs.
    pub fn run(self) -> Style {
        self.with(Style::new(), Color::Cyan)
    }

    /// The box of a card; of one that is chosen.
    pub fn card(self, chosen: bool) -> Lines {
        match (self.ascii, chosen) {
            (false, false) => Lines(["╭", "╮", "╯", "╰", "─", "│"]),
            (false, true) => Lines(["┏", "┓", "┛", "┗", "━", "┃"]),
            (true, false) => Lines(["+", "+", "+", "+", "-", "|"]),
            (true, true) => Lines(["#", "#", "#", "#", "#", "#"]),
        }
    }

    /// What runs (or groups) are underlined with: begin, middle, end.
    pub fn under(self, group: bool) -> [&'static str; 3] {
        match (self.ascii, group) {
            (false, false) => ["┗", "━", "┛"],
            (false, true) => ["╚", "═", "╝"],
            (true, false) => ["\\", "_", "/"],
            (true, true) => ["[", "=", "]"],
        }
    }

    /// The back of a card that nobody else knows.
    pub fn back(self) -> &'static str {
        if self.ascii { "#" } else { "\u{2592}" }
    }

    /// The name of a seat, of five, in a text.
    pub fn name(self, seat: usize) -> Style {
        const COLOURS: [Color; 5] =
            [Color::Cyan, Color::Green, Color::Magenta, Color::Yellow, Color::Blue];
        self.with(self.strong(), COLOURS.get(seat).copied().unwrap_or(Color::Reset))
    }

    /// What stands before a line of the log that is new since the player's last decision.
    pub fn fresh(self) -> &'static str {
        if self.ascii { "*" } else { "\u{2022}" }
    }

    /// A horizontal rule.
    pub fn rule(self) -> &'static str {
        if self.ascii { "-" } else { "─" }
    }

    /// The mark of whom the table waits for, and of what is marked in a list.
    pub fn mark(self) -> &'static str {
        if self.ascii { ">" } else { "▶" }
    }

    /// More above, more below.
    pub fn more(self) -> (&'static str, &'static str) {
        if self.ascii { ("^", "v") } else { ("▲", "▼") }
    }

    /// A text for this terminal: no control or direction characters, and in ASCII only that.
    pub fn text(self, text: &str) -> String {
        let shown = text.chars().filter(|c| !disturbs(*c));
        if !self.ascii {
            return shown.collect();
        }
        shown
            .map(|c| match c {
                '\u{2190}' => '<',
                '\u{2192}' => '>',
                '\u{2191}' => '^',
                '\u{2193}' => 'v',
                '\u{2026}' => '~',
                '·' => '-',
                c if c.is_ascii() => c,
                _ => '?',
            })
            .collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_that_disturbs_a_terminal_is_drawn() {
        let look = Look { ascii: false, colour: false };
        assert_eq!(look.text("a\u{1b}[2J\u{202e}b\nc\u{9b}"), "a[2Jbc");
        let plain = Look { ascii: true, colour: false };
        assert_eq!(plain.text("猫 \u{2192} é"), "? > ?");
    }
}
