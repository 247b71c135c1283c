//! Notes that stand: a seat leaves, wants to come back, or takes the game as closed.

use super::{Link, NotNow, Output, Session};
use crate::{
    game::Seat,
    protocol::{
        message::{Note, NoteBody, Talk},
        table::Phase,
    },
};

/// The sorts of note that stand.
const LEAVE: u8 = 0;
const RETURN: u8 = 1;
const CLOSED: u8 = 2;

impl Session {
    /// Says that this seat leaves: the others need not wait for it.
    pub fn leave(&mut self) {
        let outs = self.table.outs_of(self.seat);
        self.say(NoteBody::Leave { outs });
    }

    /// Asks to be dealt in again, if this seat is out and may come back.
    ///
    /// # Errors
    /// [`NotNow::NoVote`] if it is not out, or for a fault.
    pub fn come_back(&mut self) -> Result<(), NotNow> {
        if !self.table.may_return(self.seat) {
            return Err(NotNow::NoVote);
        }
        let outs = self.table.outs_of(self.seat);
        let note = self.standing.get(&(self.seat, RETURN));
        let said = note.and_then(|note| self.table.returns(note)) == Some(self.seat);
        if !said {
            self.say(NoteBody::Return { outs });
        }
        Ok(())
    }

    /// Takes the game as closed here: no quorum for going on is to be had.
    pub fn close(&mut self) {
        let head = *self.table.head();
        let complete = self.table.phase() == Phase::Complete;
        if !complete && !self.closed().contains(&self.seat) {
            self.say(NoteBody::Closed(head));
        }
    }

    /// The seats that take the game as closed where the log ends now.
    pub fn closed(&self) -> Vec<Seat> {
        let closed = NoteBody::Closed(*self.table.head());
        let notes = self.standing.iter().filter(|((_, sort), _)| *sort == CLOSED);
        let here = notes.filter(|(_, note)| self.body_of(note).as_ref() == Some(&closed));
        here.map(|((seat, _), _)| *seat).collect()
    }

    fn say(&mut self, body: NoteBody) {
        let note = self.note(body.clone());
        self.spread(&note, None);
        self.let_stand(self.seat.index() as u8, body, note);
    }

    /// Keeps a note of a sort that stands.
    pub(super) fn let_stand(&mut self, seat: u8, body: NoteBody, note: Vec<u8>) {
        let sort = match body {
            NoteBody::Leave { .. } => LEAVE,
            NoteBody::Return { .. } => RETURN,
            NoteBody::Closed(_) => CLOSED,
            NoteBody::Ask | NoteBody::Held { .. } | NoteBody::Undone(_) | NoteBody::Chat(_) => {
                return;
            }
        };
        if let Some(seat) = Seat::new(seat) {
            self.standing.insert((seat, sort), note);
        }
    }

    /// A seat has started anew: that it left does not stand any more.
    pub(super) fn is_here_again(&mut self, seat: u8) {
        if let Some(seat) = Seat::new(seat) {
            self.standing.remove(&(seat, LEAVE));
        }
    }

    fn body_of(&self, note: &[u8]) -> Option<NoteBody> {
        let joins = &self.table.roster().joins;
        Note::open(note, |seat| joins.get(usize::from(seat)).map(|join| join.key))
            .map(|note| note.body)
    }

    /// The note by which a seat that is not out has said that it leaves.
    pub(super) fn standing_leave(&self, seat: Seat) -> Option<Vec<u8>> {
        let note = self.standing.get(&(seat, LEAVE))?;
        let leave = NoteBody::Leave { outs: self.table.outs_of(seat) };
        (self.body_of(note) == Some(leave)).then(|| note.clone())
    }

    /// The notes of seats that come back, by seat.
    pub(super) fn returning(&self) -> Vec<Vec<u8>> {
        let notes = self.standing.iter().filter(|((_, sort), _)| *sort == RETURN);
        let back = notes.filter(|((seat, _), note)| self.table.returns(note) == Some(*seat));
        back.map(|(_, note)| note.clone()).collect()
    }

    /// Tells a neighbour again what stands: notes are lost like everything else.
    pub(super) fn send_standing(&mut self, link: Link) {
        if self.table.phase() == Phase::Complete {
            return;
        }
        for note in self.standing.values() {
            self.outputs.push_back(Output::Send(link, Talk::Note(note.clone())));
        }
    }

    /// Whether this seat has voted about the place it owes a record at: it does not sign there.
    pub(super) fn is_contested_here(&self) -> bool {
        let dispute = self.disputes.get(&(*self.table.base(), self.seat));
        dispute.is_some_and(|dispute| dispute.settled.is_some())
    }
}
