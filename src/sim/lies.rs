//! What seats that lie tell some of their neighbours.

use super::{plan::second, world::World};
use crate::protocol::{
    message::Talk,
    vote::{Motion, Paper, Says, unchecked},
};

impl World {
    /// What a seat that votes both ways tells every other neighbour: it has what it has signed to
    /// go on without, and it signs what it has said to have.
    fn other_vote(&mut self, from: usize, to: usize, talk: &Talk) -> Option<Talk> {
        if self.plan.both_ways != Some(from as u8) || !(from + to).is_multiple_of(2) {
            return None;
        }
        let Talk::Vote(bytes) = talk else { return None };
        let paper = unchecked(bytes)?;
        if usize::from(paper.program) != from {
            return None;
        }
        let says = match &paper.says {
            Says::Sign(Motion { number, without }) => {
                let owner = without.first()?.program;
                Says::Have { number: *number, owner, thing: [7; 32] }
            }
            Says::Have { number, .. } => {
                Says::Sign(self.motions.get(&(paper.base, *number))?.clone())
            }
            Says::Holds(_) => Says::Holds([9; 32]),
        };
        self.trace.tally("votes turned round");
        let identity = self.options.cast().identity(from as u8);
        Some(Talk::Vote(Paper { says, ..paper }.sign(&identity)))
    }

    /// What a seat that signs twice tells every other neighbour.
    pub(super) fn as_told(&mut self, from: usize, to: usize, talk: Talk) -> Talk {
        if let Some(other) = self.other_vote(from, to, &talk) {
            return other;
        }
        let Some(twice) = self.plan.twice.filter(|twice| usize::from(twice.seat) == from) else {
            return talk;
        };
        let table = self.peers[from].session.table();
        let other = (from + to).is_multiple_of(2) && table.length() >= twice.from;
        let cast = self.options.cast();
        let second = other.then(|| second(&twice, &cast.identity(from as u8), &talk)).flatten();
        let second = second.filter(|second| self.may_stand(to, second));
        if second.is_some() {
            self.trace.tally("second records told");
        }
        second.unwrap_or(talk)
    }

    /// Whether a second record is right where the neighbour stands, so that it may be taken.
    fn may_stand(&self, to: usize, talk: &Talk) -> bool {
        let Talk::Fresh(bytes) = talk else { return false };
        self.peers[to].session.table().admit(bytes).is_ok()
    }
}
