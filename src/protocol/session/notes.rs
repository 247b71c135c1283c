//! What a seat says beside the log: it leaves, wants to come back, takes the game as closed. And
//! the proofs of faults, which go round whole.

use super::{Link, News, NotNow, Output, Session, standing::Sort};
use crate::{
    game::Seat,
    protocol::{
        crypto::hash::Hash,
        log::{evidence, record::Unchecked},
        message::{NoteBody, Talk},
        table::Phase,
    },
};

impl Session {
    /// Says that this seat, with the bots it keeps, leaves: the others need not wait for it.
    pub fn leave(&mut self) {
        let table = &self.chain.table;
        let signed = self
            .chain
            .held()
            .iter()
            .filter(|(seat, held)| table.program(**seat) == self.seat && !held.is_verdict());
        let signed = signed.fold(0, |bits, (seat, _)| bits | 1 << seat.index());
        let base = *table.base();
        self.say_note(NoteBody::Leave { base, signed });
    }

    /// Asks to be dealt in again, if this seat is out and may come back.
    ///
    /// # Errors
    /// [`NotNow::NoVote`] if it is not out, or for a fault.
    pub fn come_back(&mut self) -> Result<(), NotNow> {
        let table = &self.chain.table;
        if !table.may_return(self.seat) {
            return Err(NotNow::NoVote);
        }
        let outs = table.outs_of(self.seat);
        let note = self.standing.of(self.seat, Sort::Return);
        let said = note.and_then(|note| table.returns(&note.bytes)) == Some(self.seat);
        if !said {
            self.say_note(NoteBody::Return { outs });
        }
        Ok(())
    }

    /// Takes the game as closed here: there is no way to go on.
    pub fn close(&mut self) {
        let head = *self.chain.table.head();
        let complete = self.chain.table.phase() == Phase::Complete;
        if !complete && !self.closed().contains(&self.seat) {
            self.say_note(NoteBody::Closed(head));
        }
    }

    /// The seats that take the game as closed where the log ends now.
    pub fn closed(&self) -> Vec<Seat> {
        let table = &self.chain.table;
        let closed = NoteBody::Closed(*table.head());
        let here = |seat: &Seat| {
            self.standing.of(*seat, Sort::Closed).is_some_and(|note| note.body == closed)
        };
        table.players().seats().filter(here).collect()
    }

    /// The notes of seats that come back, by seat.
    pub(super) fn returning(&self) -> Vec<Vec<u8>> {
        let table = &self.chain.table;
        let back = |seat: Seat| {
            let note = &self.standing.of(seat, Sort::Return)?.bytes;
            (table.returns(note) == Some(seat)).then(|| note.clone())
        };
        table.players().seats().filter_map(back).collect()
    }

    /// Tells a neighbour again what stands: notes are lost like everything else, and so are proofs
    /// against those whom the table waits for.
    pub(super) fn send_standing(&mut self, link: Link) {
        let table = &self.chain.table;
        if table.phase() == Phase::Complete {
            return;
        }
        let started = |note: &&super::standing::Stands| note.body != NoteBody::Started;
        let notes = self.standing.all().filter(started).map(|it| Talk::Note(it.bytes.clone()));
        let owners = table.owners();
        let proofs = owners.iter().filter_map(|program| self.proof_of(program));
        let all: Vec<Talk> = notes.chain(proofs.map(Talk::Fault)).collect();
        self.outputs.extend(all.into_iter().map(|talk| Output::Send(link, talk)));
    }

    /// The proof that a program is at fault, as it holds at the open base.
    pub(super) fn proof_of(&self, program: Seat) -> Option<Vec<Vec<u8>>> {
        let logged = |wrong: &Unchecked| self.chain.logged_of(&wrong.record().base, wrong.seat()?);
        self.faults.proof(&self.chain.table, program, logged)
    }

    /// What a seat signed that proves it at fault: it is kept, told to everyone and shown to the
    /// player, once.
    pub(super) fn receive_fault(&mut self, proof: Vec<Vec<u8>>, from: Option<Link>) {
        let signed: Vec<&[u8]> = proof.iter().map(Vec::as_slice).collect();
        let known = |bytes: &[u8]| {
            let seat = Unchecked::decode(bytes).ok().and_then(|record| record.seat());
            seat.is_some_and(|seat| self.faults.has(seat))
        };
        if signed.first().is_some_and(|first| known(first)) {
            return;
        }
        let Some((seat, reason)) = self.chain.table.fault_in(&signed) else {
            return self.pair(&proof, from);
        };
        if seat == self.seat {
            return;
        }
        let prefix = if signed.len() == 1 { self.chain.log() } else { &self.chain.log()[..1] };
        let evidence = evidence::encode(prefix, &signed);
        if self.faults.add(seat, reason.clone(), proof.clone()) {
            self.say_to_all(&Talk::Fault(proof.clone()), from);
            self.outputs.push_back(Output::Tell(News::Fault { seat, reason, evidence }));
            self.note_double(seat, &proof);
        }
    }

    /// A record that is wrong elsewhere, where this seat has another one for its place: the two
    /// prove a fault here.
    fn pair(&mut self, proof: &[Vec<u8>], from: Option<Link>) {
        let [wrong] = proof else { return };
        let Ok(record) = Unchecked::decode(wrong) else { return };
        let Some(seat) = record.seat() else { return };
        let base = record.record().base;
        let held = self.chain.held().get(&seat).filter(|held| held.record().base == base);
        let held = held.filter(|held| !held.is_verdict()).map(|held| held.bytes());
        let Some(known) = held.or_else(|| self.chain.logged_of(&base, seat)) else { return };
        if known != wrong {
            let mut pair = vec![known.to_vec(), wrong.clone()];
            pair.sort();
            self.receive_fault(pair, from);
        }
    }

    /// Two records at a place that is not final: which of them others hold matters.
    pub(super) fn note_double(&mut self, seat: Seat, proof: &[Vec<u8>]) {
        let base = |bytes: &Vec<u8>| Some(Unchecked::decode(bytes).ok()?.record().base);
        let [one, other] = proof else { return };
        let Some(base) = base(one).filter(|one| base(other) == Some(*one)) else { return };
        let program = self.chain.table.program(seat);
        if let Some(bench) = Session::bench(&mut self.benches, &self.chain, self.seat, &base) {
            bench.court.note_double(program);
        }
        proof.iter().for_each(|bytes| self.keep_either(bytes));
    }

    /// A proof of two records may have come before the log came to their place.
    pub(super) fn note_doubles(&mut self, open: &[Hash]) {
        for (seat, base, proof) in self.faults.doubles() {
            let program = self.chain.table.program(seat);
            let bench = self.benches.get(&base);
            let noted = bench.is_some_and(|bench| bench.court.doubles().contains(program));
            if open.contains(&base) && !noted {
                self.note_double(seat, &proof);
            }
        }
    }

    /// Opens a base of the log again: the tail goes to the driver, and the bases this seat signed
    /// at in it into the journal, for the log will not go there again.
    pub(super) fn reopen(&mut self, base: &Hash) {
        let entries = self.chain.logged_at(base).to_vec();
        if base == self.chain.table.base() {
            return;
        }
        let Some(tail) = self.chain.cut(base, self.now) else { return };
        for bases in tail.bases.chunks(crate::protocol::limits::UNDONE_MAX) {
            let note = self.note(NoteBody::Undone(bases.to_vec()));
            self.outputs.push_back(Output::Journal(note));
        }
        self.benches.retain(|other, _| !tail.bases.contains(other));
        self.journal.undo(tail.bases);
        self.outputs.push_back(Output::Tell(News::Undone(tail.records.len() as u32)));
        if !crate::planted::planted(crate::planted::Bug::KeepsUndone) {
            self.outputs.push_back(Output::Cut { kept: tail.kept, tail: tail.records });
        }
        for bytes in entries {
            if let Ok(entry) = self.chain.table.admit(&bytes) {
                self.chain.hold(entry);
            }
        }
        if let Some(bench) = self.benches.get_mut(base) {
            bench.court.reopen();
        }
    }

    pub(super) fn say_to_all(&mut self, talk: &Talk, from: Option<Link>) {
        for link in self.links.all().into_iter().filter(|link| Some(*link) != from) {
            self.outputs.push_back(Output::Send(link, talk.clone()));
        }
    }
}
