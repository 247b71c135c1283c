//! Bytes as decisions: a fuzzer's input, or a seeded generator's, tells what a harness does next.

use crate::game::Seat;

/// Decisions still to be taken. Without bytes left every decision is 0.
#[derive(Debug, Clone)]
pub struct Choices<'a>(&'a [u8]);

/// Numbers at which a length, a seat or a counter goes wrong.
const EDGES: [u64; 10] = [0, 1, 2, 3, 127, 128, 255, 65_535, u32::MAX as u64, 1 << 40];

impl<'a> Choices<'a> {
    /// The decisions in these bytes.
    pub fn new(bytes: &'a [u8]) -> Choices<'a> {
        Choices(bytes)
    }

    /// Whether no bytes are left.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// The bytes that are left.
    pub fn rest(&self) -> &'a [u8] {
        self.0
    }

    /// The next byte.
    pub fn byte(&mut self) -> u8 {
        let Some((first, rest)) = self.0.split_first() else { return 0 };
        self.0 = rest;
        *first
    }

    /// A number below `end`; 0 if `end` is 0.
    pub fn below(&mut self, end: usize) -> usize {
        let wide = if end > 256 { usize::from(self.byte()) << 8 } else { 0 };
        (wide | usize::from(self.byte())) % end.max(1)
    }

    /// One of `all`.
    pub fn pick<'b, T>(&mut self, all: &'b [T]) -> Option<&'b T> {
        all.get(self.below(all.len()))
    }

    /// A number at an edge or near one.
    pub fn edge(&mut self) -> u64 {
        let byte = usize::from(self.byte());
        let edge = EDGES[byte % EDGES.len()];
        if byte < 200 { edge } else { edge.wrapping_sub(1) }
    }

    /// A seat of a table of `seats`.
    pub fn seat(&mut self, seats: usize) -> Seat {
        Seat::new(self.below(seats) as u8).unwrap_or(Seat::FIRST)
    }

    /// Changes `bytes` in one to four places.
    pub fn mutate(&mut self, bytes: &mut Vec<u8>) {
        let times = self.below(4) + 1;
        for _ in 0..times {
            self.mutate_once(bytes);
        }
    }

    fn mutate_once(&mut self, bytes: &mut Vec<u8>) {
        let kind = self.byte();
        let at = self.below(bytes.len());
        let count = (self.below(64) + 1).min(bytes.len().saturating_sub(at));
        match kind % 8 {
            0 | 1 => {
                let bit = self.byte() % 8;
                bytes.get_mut(at).into_iter().for_each(|byte| *byte ^= 1 << bit);
            }
            2 => {
                let value = self.byte();
                bytes.get_mut(at).into_iter().for_each(|byte| *byte = value);
            }
            3 => {
                let number = self.edge().to_le_bytes();
                bytes.iter_mut().skip(at).zip(number).for_each(|(byte, new)| *byte = new);
            }
            4 => bytes.truncate(at),
            5 => drop(bytes.drain(at..at + count)),
            6 => {
                let again: Vec<u8> = bytes.iter().skip(at).take(count).copied().collect();
                bytes.splice(at..at, again);
            }
            _ => {
                let value = self.byte();
                bytes.splice(at..at, std::iter::repeat_n(value, count));
            }
        }
    }
}
