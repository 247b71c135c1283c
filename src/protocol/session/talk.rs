//! What players say: heard once, at a pace, and never in the log.

use std::collections::{BTreeMap, VecDeque};

use super::{News, NotNow, Output, Session, quota::Pace};
use crate::{
    game::Seat,
    protocol::{
        chat::Line,
        limits::{CHAT_BURST, CHAT_MS, CHAT_STARTS_MAX},
        message::{Note, NoteBody},
    },
};

/// What is remembered of the lines heard of each seat.
#[derive(Debug, Default)]
pub(super) struct Heard(BTreeMap<Seat, (Pace, VecDeque<(u64, u64)>)>);

impl Heard {
    /// Whether a note of a seat is new and comes at a pace at which it is listened to. A newer line
    /// of the same start makes every older one old, so none is told twice.
    fn take(&mut self, seat: Seat, boot: u64, counter: u64, now: u64) -> bool {
        let (pace, starts) = self.0.entry(seat).or_default();
        let known = starts.iter_mut().find(|(known, _)| *known == boot);
        if known.as_ref().is_some_and(|(_, newest)| *newest >= counter)
            || !pace.take(now, CHAT_MS, CHAT_BURST)
        {
            return false;
        }
        match known {
            Some((_, newest)) => *newest = counter,
            None => starts.push_back((boot, counter)),
        }
        starts.drain(..starts.len().saturating_sub(CHAT_STARTS_MAX));
        true
    }
}

impl Session {
    /// Says a line to everyone who is connected at the moment.
    ///
    /// # Errors
    /// [`NotNow::TooFast`] if this seat has said too much just now.
    pub fn chat(&mut self, line: Line, now: u64) -> Result<(), NotNow> {
        let note = self.note(NoteBody::Chat(line.clone()));
        let (boot, counter) = self.note_number();
        if !self.talk.take(self.seat, boot, counter, now) {
            return Err(NotNow::TooFast);
        }
        self.spread(&note, None);
        self.outputs.push_back(Output::Tell(News::Chat { seat: self.seat, line }));
        Ok(())
    }

    /// Whether a line of another seat is to be told and forwarded.
    pub(super) fn hears(&mut self, note: &Note, now: u64) -> bool {
        let seat = Seat::new(note.seat);
        seat.is_some_and(|seat| self.talk.take(seat, note.boot, note.counter, now))
    }

    /// Tells the player what a seat says.
    pub(super) fn tell_chat(&mut self, seat: u8, line: Line) {
        if let Some(seat) = Seat::new(seat) {
            self.outputs.push_back(Output::Tell(News::Chat { seat, line }));
        }
    }
}
