//! The newest that each seat has said in notes: that it leaves, wants to come back, takes the game
//! as closed, or wants to go on without others.
//!
//! Starts of a program have rising numbers, and so do the notes of one start. What is the newest of
//! a seat is kept as long as the game runs: no flood of later notes makes an old one good again.

use std::collections::BTreeMap;

use crate::{
    game::Seat,
    protocol::message::{Note, NoteBody},
};

/// The sorts of note that stand.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Sort {
    Leave,
    Return,
    Closed,
    Ask,
    Started,
}

/// A note that stands.
#[derive(Debug, Clone)]
pub(super) struct Stands {
    pub(super) boot: u64,
    pub(super) counter: u64,
    pub(super) body: NoteBody,
    pub(super) bytes: Vec<u8>,
}

/// The newest notes by seat and sort.
#[derive(Debug, Default)]
pub(super) struct Standing(BTreeMap<(Seat, Sort), Stands>);

fn sort(body: &NoteBody) -> Option<Sort> {
    Some(match body {
        NoteBody::Leave { .. } => Sort::Leave,
        NoteBody::Return { .. } => Sort::Return,
        NoteBody::Closed(_) => Sort::Closed,
        NoteBody::Ask { .. } => Sort::Ask,
        NoteBody::Started => Sort::Started,
        NoteBody::Held { .. } | NoteBody::Twin { .. } | NoteBody::Undone(_) | NoteBody::Chat(_) => {
            return None;
        }
    })
}

impl Standing {
    /// Takes a note of a sort that stands. True if it is newer than what is known of its sort.
    pub(super) fn hear(&mut self, seat: Seat, note: &Note, bytes: &[u8]) -> bool {
        let Some(sort) = sort(&note.body) else { return false };
        let number = |stands: &Stands| (stands.boot, stands.counter);
        let known = self.0.get(&(seat, sort)).map(number);
        let newer = known < Some((note.boot, note.counter));
        if newer {
            let (boot, counter, body) = (note.boot, note.counter, note.body.clone());
            let stands = Stands { boot, counter, body, bytes: bytes.to_vec() };
            self.0.insert((seat, sort), stands);
        }
        newer
    }

    /// The newest note of a sort.
    pub(super) fn of(&self, seat: Seat, sort: Sort) -> Option<&Stands> {
        self.0.get(&(seat, sort))
    }

    /// The note by which a seat leaves, unless something newer is known of it: a later start, or
    /// the wish to come back.
    pub(super) fn leave_of(&self, seat: Seat) -> Option<&Stands> {
        let leave = self.of(seat, Sort::Leave)?;
        let returns = self
            .of(seat, Sort::Return)
            .is_some_and(|note| (note.boot, note.counter) > (leave.boot, leave.counter));
        let mut later = self.0.range((seat, Sort::Leave)..=(seat, Sort::Started));
        let started = later.any(|(_, note)| note.boot > leave.boot);
        (!returns && !started).then_some(leave)
    }

    /// All of them, for who may have missed one.
    pub(super) fn all(&self) -> impl Iterator<Item = &Stands> {
        self.0.values()
    }
}
