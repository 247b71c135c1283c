//! What players say to each other, and whose lines are not shown.

use std::collections::{BTreeSet, VecDeque};

use super::story::Story;
use crate::{
    game::Seat,
    protocol::{chat::Line, limits::CHAT_LINES_MAX},
};

/// What was said at a table, the newest last.
#[derive(Debug, Clone, Default)]
pub struct Chat {
    said: VecDeque<(Seat, Line)>,
    muted: BTreeSet<Seat>,
}

impl Chat {
    /// A seat says something: the line as it is shown, if it is.
    pub fn heard(&mut self, story: &Story, seat: Seat, line: Line) -> Option<String> {
        if self.muted.contains(&seat) {
            return None;
        }
        let shown = shown(story, seat, &line);
        self.said.push_back((seat, line));
        self.said.drain(..self.said.len().saturating_sub(CHAT_LINES_MAX));
        Some(shown)
    }

    /// What was said by those who are not muted, the newest first.
    pub fn newest<'a>(&'a self, story: &'a Story) -> impl Iterator<Item = String> + 'a {
        let said = self.said.iter().rev().filter(|(seat, _)| !self.muted.contains(seat));
        said.map(|(seat, line)| shown(story, *seat, line))
    }

    /// Shows the lines of a seat no more, or again; what is to be said of it.
    pub fn mute(&mut self, story: &Story, own: Seat, whom: Option<Seat>) -> String {
        match whom {
            Some(seat) if seat == own => "You cannot mute yourself.".into(),
            Some(seat) if self.muted.remove(&seat) => {
                format!("What {} says is shown again.", story.name(seat))
            }
            Some(seat) => {
                self.muted.insert(seat);
                let name = story.name(seat);
                format!("What {name} says is not shown any more; `mute {name}` again shows it.")
            }
            None => "Mute whom? A name or a seat number.".into(),
        }
    }
}

fn shown(story: &Story, seat: Seat, line: &Line) -> String {
    format!("{}: {line}", story.name(seat))
}
