//! The seats that were caught in a fault, with the proof. Nothing flushes it.

use std::collections::BTreeMap;

use crate::{
    game::{Seat, Seats},
    protocol::{crypto::hash::Hash, log::record::Unchecked, table::Table},
};

/// The seats at fault.
#[derive(Debug, Default)]
pub(super) struct Faults {
    /// What each seat signed that proves it.
    by_seat: BTreeMap<Seat, Vec<Vec<u8>>>,
    /// What each seat did, in words.
    pub(super) reasons: BTreeMap<Seat, String>,
}

impl Faults {
    /// Notes a fault. False if one of that seat was known.
    pub(super) fn add(&mut self, seat: Seat, reason: String, proof: Vec<Vec<u8>>) -> bool {
        if self.by_seat.contains_key(&seat) {
            return false;
        }
        self.reasons.insert(seat, reason);
        self.by_seat.insert(seat, proof);
        true
    }

    /// Whether a seat is at fault.
    pub(super) fn has(&self, seat: Seat) -> bool {
        self.by_seat.contains_key(&seat)
    }

    /// Whether a program has a seat at fault.
    pub(super) fn has_program(&self, table: &Table, program: Seat) -> bool {
        self.by_seat.keys().any(|seat| table.program(*seat) == program)
    }

    /// The live programs that have a seat at fault.
    pub(super) fn programs(&self, table: &Table) -> Seats {
        table.live_programs().iter().filter(|it| self.has_program(table, *it)).collect()
    }

    /// The seats that signed two records for one place, with its base and the two.
    pub(super) fn doubles(&self) -> Vec<(Seat, Hash, Vec<Vec<u8>>)> {
        let base = |bytes: &Vec<u8>| Some(Unchecked::decode(bytes).ok()?.record().base);
        let double = |(seat, proof): (&Seat, &Vec<Vec<u8>>)| match proof.as_slice() {
            [one, other] => {
                let base = base(one).filter(|one| base(other) == Some(*one))?;
                Some((*seat, base, proof.clone()))
            }
            _ => None,
        };
        self.by_seat.iter().filter_map(double).collect()
    }

    /// A proof that a program is at fault, as it holds at the open base. A record that was wrong at
    /// an earlier one proves it together with the right one that the log has there.
    pub(super) fn proof<'a>(
        &self,
        table: &Table,
        program: Seat,
        logged: impl Fn(&Unchecked) -> Option<&'a [u8]>,
    ) -> Option<Vec<Vec<u8>>> {
        let mine = self.by_seat.iter().filter(|(seat, _)| table.program(**seat) == program);
        mine.map(|(_, proof)| proof).find_map(|proof| {
            let holds = |proof: &[Vec<u8>]| {
                let signed: Vec<&[u8]> = proof.iter().map(Vec::as_slice).collect();
                table.fault_in(&signed).is_some()
            };
            if holds(proof) {
                return Some(proof.clone());
            }
            let wrong = Unchecked::decode(proof.first()?).ok()?;
            let mut pair = vec![wrong.bytes().to_vec(), logged(&wrong)?.to_vec()];
            pair.sort();
            holds(&pair).then_some(pair)
        })
    }
}
