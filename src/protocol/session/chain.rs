//! The log of a session: records held until their phase is full, and tails that are undone.

use super::{Link, News, Output, Session};
use crate::{
    game::{BySeat, Game, Hand, Seat, Stage},
    planted::{Bug, planted},
    protocol::{
        crypto::hash::Hash,
        limits::UNDONE_MAX,
        log::record::{Body, Signed},
        message::{NoteBody, Talk},
        table::{Fact, Phase, Table, hide_side},
    },
};

impl Session {
    /// Takes an admitted entry at the open place of `seat`: it is held, unless a contest is going
    /// on there that this seat has voted in, or the place is settled. True if it is held.
    pub(super) fn take_here(
        &mut self,
        seat: Seat,
        record: Signed,
        from: Option<Link>,
        now: u64,
    ) -> bool {
        let place = (*self.table.base(), seat);
        if let Some(dispute) = self.disputes.get_mut(&place) {
            let taken = if record.is_verdict() {
                !dispute.contest.has_voted() && dispute.contest.record().is_none()
            } else {
                dispute.see(record.bytes())
            };
            if !taken || dispute.settled.is_some() {
                return false;
            }
        }
        self.say_to_all(&Talk::Fresh(record.bytes().to_vec()), from);
        self.hold(record, now);
        true
    }

    /// Holds an entry of the open phase; the last one moves the phase into the log.
    pub(super) fn hold(&mut self, record: Signed, now: u64) {
        let Some(seat) = record.seat() else {
            return;
        };
        self.held.insert(seat, record);
        if !self.awaited().is_empty() {
            return;
        }
        let base = *self.table.base();
        let mut appended = Vec::new();
        let mut bodies = Vec::new();
        let mut facts = Vec::new();
        for (_, record) in std::mem::take(&mut self.held) {
            let bytes = record.bytes().to_vec();
            bodies.push(record.record().body.clone());
            match self.table.append(record) {
                Ok(more) => facts.extend(more),
                Err(refusal) => debug_assert!(false, "a held record is refused: {refusal}"),
            }
            self.places.entry(base).or_default().push(self.log.len() as u32);
            self.log.push(bytes.clone());
            appended.push(bytes);
        }
        self.phase_at = now;
        self.outputs.push_back(Output::Append(appended));
        if self.table.phase() == Phase::Complete {
            let links: Vec<Link> = self.links.keys().copied().collect();
            links.into_iter().for_each(|link| self.send_status(link));
        }
        for fact in facts {
            self.learn(&fact, &base, &bodies);
            self.outputs.push_back(Output::Tell(News::Fact(fact)));
        }
    }

    /// Brings this seat's view of the game up to date with a fact.
    fn learn(&mut self, fact: &Fact, base: &Hash, bodies: &[Body]) {
        let next = match fact {
            Fact::Dealt { start, .. } => {
                let own = self.dealt_hand();
                let present = self.view.present();
                let size = crate::game::deck::hand_size(self.table.players());
                let hands = BySeat::from_fn(self.table.players(), |seat| {
                    if seat == self.seat {
                        own
                    } else if present.contains(seat) {
                        Hand::sealed(size)
                    } else {
                        Hand::EMPTY
                    }
                });
                self.view.deal(*start, hands)
            }
            Fact::Acted { seat, action, shown } if *seat == self.seat => {
                let action = self.with_own_side(*action, base, bodies);
                self.view.apply(*seat, action, shown)
            }
            Fact::Acted { seat, action, shown } => {
                self.view.apply(*seat, hide_side(*action), shown)
            }
            Fact::Out { seat, pays, .. } if self.view.stage() != Stage::Over => {
                self.view.out_paying(*seat, *pays)
            }
            Fact::Back { seat } => self.view.back(*seat),
            _ => return self.learn_stalled(),
        };
        debug_assert!(next.is_ok(), "the view refuses {fact:?}: {next:?}");
        if let Ok(next) = next {
            self.view = next;
        }
        self.learn_stalled();
    }

    /// Cuts the log where the phase on `base` begins. The tail goes to the driver, and the bases
    /// this seat signed at in it into the journal: the log will not go there again.
    pub(super) fn cut(&mut self, base: &Hash, now: u64) {
        let first = self.places.get(base).and_then(|indices| indices.first()).copied();
        let Some(first) = first.map(|first| first as usize).filter(|first| *first > 0) else {
            return;
        };
        let tail = self.log.get(first..).unwrap_or_default().to_vec();
        let kept = self.log.get(..first).unwrap_or_default().to_vec();
        let gone: Vec<Hash> = self
            .places
            .iter()
            .filter(|(other, at)| *other != base && at.iter().all(|at| *at as usize >= first))
            .map(|(other, _)| *other)
            .chain([*self.table.base()])
            .collect();
        for bases in gone.chunks(UNDONE_MAX) {
            let note = self.note(NoteBody::Undone(bases.to_vec()));
            self.outputs.push_back(Output::Journal(note));
        }
        self.disputes.retain(|(other, _), _| !gone.contains(other));
        self.undone.extend(gone);
        self.outputs.push_back(Output::Tell(News::Undone(tail.len() as u32)));
        if !planted(Bug::KeepsUndone) {
            self.outputs.push_back(Output::Cut { kept: first as u32, tail });
        }
        self.replay(&kept, now);
    }

    /// Reads the log anew; everything but the log follows from it.
    fn replay(&mut self, log: &[Vec<u8>], now: u64) {
        let Some((table, roster)) = log.first().and_then(|first| Table::found(first).ok()) else {
            return;
        };
        let outputs = std::mem::take(&mut self.outputs);
        self.view = Game::new(table.players());
        self.places = [(*table.game_id(), vec![0])].into();
        self.log = vec![roster.bytes().to_vec()];
        self.table = table;
        self.held.clear();
        for bytes in log.iter().skip(1) {
            match self.table.admit(bytes) {
                Ok(record) => self.hold(record, now),
                Err(refusal) => debug_assert!(false, "the own log is refused: {refusal}"),
            }
        }
        self.outputs = outputs;
    }
}
