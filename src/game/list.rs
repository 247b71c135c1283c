//! A list of actions, four bytes each: long ones are written in blocks.

use super::action::{Action, Scout, Side, Span};
use super::set::End;

/// What the seat to act may do, in the order of the notation. A list that is filled again keeps
/// its memory.
#[derive(Clone, Default)]
pub struct Actions {
    /// The packed actions, and behind them room for a block.
    entries: Vec<u32>,
    len: usize,
}

/// The most actions written at once: the shows of a hand are fewer.
pub(super) const BLOCK: usize = 512;

/// The shows of a hand, packed; each place has at most one for each length.
pub(super) type Spans = [u32; BLOCK];

/// How many entries are copied at a stroke.
const STROKE: usize = 8;

/// The packed form: first place of the show, its cards but one, place of the scout, and what it
/// is, a byte each from the lowest.
pub(super) const KEEP: u32 = 0;
pub(super) const FLIP: u32 = 1 << 24;
pub(super) const SHOW: u32 = 2 << 24;
const SCOUT: u32 = 4 << 24;
const SHOW_TOO: u32 = 8 << 24;
const RIGHT: u32 = 16 << 24;
const FLIPPED: u32 = 32 << 24;

/// What makes a packed span longer by one place.
pub(super) const LONGER: u32 = 1 << 8;

/// What moves a packed span one place to the right.
pub(super) const SHIFT: u32 = 1;

/// A scout in its packed form, its side known.
pub(super) const fn scout(end: End, place: u8, flipped: bool) -> u32 {
    let end = if matches!(end, End::Right) { RIGHT } else { 0 };
    let side = if flipped { FLIPPED } else { 0 };
    SCOUT | end | side | (place as u32) << 16
}

/// What makes a packed scout and a packed span, added up, a scout-and-show.
pub(super) const fn scout_and_show(scout: u32) -> u32 {
    scout | SHOW_TOO
}

/// The action of this packed form.
#[inline]
pub(super) fn unpack(entry: u32) -> Action {
    let [first, more, place, _] = entry.to_le_bytes();
    let span = Span::of(first, first + more);
    if entry & SCOUT != 0 {
        let end = if entry & RIGHT != 0 { End::Right } else { End::Left };
        let side = if entry & FLIPPED != 0 { Side::Flipped } else { Side::AsItLay };
        let scout = Scout { end, place, side };
        return match entry & SHOW_TOO {
            0 => Action::Scout(scout),
            _ => Action::ScoutAndShow(scout, span),
        };
    }
    match entry & (SHOW | FLIP) {
        0 => Action::Keep,
        FLIP => Action::Flip,
        _ => Action::Show(span),
    }
}

impl Actions {
    /// No action.
    pub const fn new() -> Actions {
        Actions { entries: Vec::new(), len: 0 }
    }

    /// How many actions.
    pub const fn len(&self) -> usize {
        self.len
    }

    /// Whether there is none.
    pub const fn is_empty(&self) -> bool {
        self.len == 0
    }

    /// The action of index `k`, from 0.
    #[inline]
    pub fn nth(&self, k: usize) -> Option<Action> {
        self.packed().get(k).copied().map(unpack)
    }

    /// The actions in order.
    pub fn iter(&self) -> impl ExactSizeIterator<Item = Action> {
        self.packed().iter().copied().map(unpack)
    }

    pub(super) fn clear(&mut self) {
        self.len = 0;
    }

    pub(super) fn push(&mut self, entry: u32) {
        if let Some(slot) = self.room().first_mut() {
            *slot = entry;
            self.len += 1;
        }
    }

    /// Adds what `write` has written into the block; it gives the number. In line, so that the
    /// number stays in a register.
    #[inline(always)]
    pub(super) fn write(&mut self, write: impl FnOnce(&mut [u32; BLOCK]) -> usize) {
        if let Some(block) = self.room().first_chunk_mut() {
            self.len += write(block);
        }
    }

    /// Adds `base` plus each of the spans `from` to `to`, the last one left out.
    #[inline]
    pub(super) fn copy(&mut self, base: u32, spans: &Spans, from: usize, to: usize) {
        let count = to.saturating_sub(from);
        let (source, _) = spans.get(from..).unwrap_or(&[]).as_chunks::<STROKE>();
        let (target, _) = self.room().as_chunks_mut::<STROKE>();
        for (target, source) in target.iter_mut().zip(source).take(count.div_ceil(STROKE)) {
            *target = source.map(|span| base + span);
        }
        self.len += count;
    }

    fn packed(&self) -> &[u32] {
        self.entries.get(..self.len).unwrap_or(&self.entries)
    }

    /// What is behind the list: at least a block.
    #[inline]
    fn room(&mut self) -> &mut [u32] {
        if self.entries.len() < self.len + BLOCK {
            self.grow();
        }
        self.entries.get_mut(self.len..).unwrap_or_default()
    }

    #[cold]
    fn grow(&mut self) {
        self.entries.resize(2 * (self.len + BLOCK), 0);
    }
}
