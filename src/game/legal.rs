//! What the seat to act may do: listed, counted, or the k-th of it.
//!
//! Where sets of n + 1 cards start follows for all places of a row at once from where those of n
//! cards do. A scouted card changes those sets alone that reach it; all others are listed once
//! and copied, those right of it one place further.

use super::action::{Action, Span};
use super::card::PAIRS;
use super::hand::{Hand, below};
use super::list::{self, Actions, BLOCK, Spans};
use super::round::Round;
use super::row::{Marks, Row};
use super::seat::Seat;
use super::set::{End, Strength};

/// Takes legal actions in the order of the notation.
trait Sink {
    /// One of them.
    fn one(&mut self, entry: u32);

    /// `base` plus each of the spans `from` to `to`, the last one left out.
    fn copied(&mut self, base: u32, spans: &Spans, from: usize, to: usize);

    /// `base` plus each of these shows that start among these places.
    fn shows(&mut self, base: u32, shows: &Shows, among: u64);
}

impl Round {
    /// The seat whose actions are listed: the one to act, or the first that has to keep or flip.
    pub fn to_act(&self) -> Option<Seat> {
        if self.over().is_some() {
            return None;
        }
        self.to_choose().first().or(Some(self.turn))
    }

    /// Calls `visit` with every legal action of the seat to act, in the order of the notation:
    /// shows by first and last place; scouts by end, place and side; scout-and-shows by their
    /// scout and then their show. Hidden cards of that seat are never part of a listed show.
    pub fn for_each_action(&self, visit: impl FnMut(Action)) {
        self.walk(&mut Visit::new(visit));
    }

    /// Calls `visit` with every legal show of the seat to act that is not part of a
    /// scout-and-show, by first and last place.
    pub fn for_each_show(&self, mut visit: impl FnMut(Span)) {
        let Some(turn) = self.turn() else { return };
        let show = |action: Action| action.span().into_iter().for_each(&mut visit);
        Visit::new(show).shows(list::SHOW, &self.shows(turn), u64::MAX);
    }

    /// Puts every legal action of the seat to act into `list`, in the order of the notation.
    pub fn list_actions(&self, list: &mut Actions) {
        list.clear();
        self.walk(list);
    }

    /// Puts every legal show of the seat to act that is not part of a scout-and-show into `list`,
    /// by first and last place.
    #[inline]
    pub fn list_shows(&self, list: &mut Actions) {
        list.clear();
        if let Some(turn) = self.turn() {
            list.shows(list::SHOW, &self.shows(turn), u64::MAX);
        }
    }

    /// How many legal actions the seat to act has.
    pub fn count_actions(&self) -> usize {
        let mut count = Count(0);
        self.walk(&mut count);
        count.0
    }

    /// The legal action of index `k`, from 0, in the order of the notation.
    pub fn nth_action(&self, k: usize) -> Option<Action> {
        let (mut index, mut found) = (0, None);
        self.for_each_action(|action| {
            if index == k {
                found = Some(action);
            }
            index += 1;
        });
        found
    }

    /// Whether the seat to act may scout.
    #[inline]
    pub fn can_scout(&self) -> bool {
        let paid = |turn: Seat| !self.players().are_two() || self.tokens(turn) > 0;
        self.active().is_some() && self.turn().is_some_and(paid)
    }

    /// Whether the seat to act has a show among its known cards.
    pub fn can_show(&self) -> bool {
        !self.shows(self.turn).is_empty()
    }

    fn can_scout_and_show(&self) -> bool {
        self.active().is_some() && self.turn().is_some_and(|turn| self.may_scout_and_show(turn))
    }

    fn walk(&self, sink: &mut impl Sink) {
        if self.over().is_some() {
            return;
        }
        if self.is_choosing() {
            sink.one(list::KEEP);
            sink.one(list::FLIP);
            return;
        }
        let hand = self.hand(self.turn);
        sink.shows(list::SHOW, &self.shows(self.turn), u64::MAX);
        if self.can_scout() {
            let ends = self.active().map_or(0, |set| set.len());
            for scouts in SCOUTS.iter().take(ends) {
                sink.copied(0, scouts, 0, 2 * (hand.len() + 1));
            }
        }
        if self.can_scout_and_show() {
            self.walk_scout_and_shows(hand, sink);
        }
    }

    /// The shows a card put in can change are those of the places whose sets reach it; the
    /// others are listed once an end.
    fn walk_scout_and_shows(&self, hand: &Hand, sink: &mut impl Sink) {
        let Some(set) = self.active() else { return };
        for end in [End::Left, End::Right] {
            let Some(card) = set.end(end) else { continue };
            let table = set.without(end).map_or(Strength::NONE, |rest| rest.strength());
            let row = Row::new(hand, table);
            let kept = Kept::new(&Shows::new(&row));
            for place in 0..=row.len {
                let first = row.first_reaching(place);
                let (left, right) = (kept.before(first), kept.before(place));
                let changed = below(place + 1) & !below(first);
                for (up, flipped) in [(card.up(), false), (card.down(), true)] {
                    let base = list::scout_and_show(list::scout(end, place as u8, flipped));
                    let shows = Shows::new(&row.with(place, up));
                    sink.copied(base, &kept.spans, 0, left);
                    sink.shows(base, &shows, changed);
                    sink.copied(base + list::SHIFT, &kept.spans, right, kept.count);
                }
            }
        }
    }

    #[inline(always)]
    fn shows(&self, seat: Seat) -> Shows {
        Shows::new(&Row::new(self.hand(seat), self.strength()))
    }
}

impl Sink for Actions {
    fn one(&mut self, entry: u32) {
        self.push(entry);
    }

    #[inline]
    fn copied(&mut self, base: u32, spans: &Spans, from: usize, to: usize) {
        if from < to {
            self.copy(base, spans, from, to);
        }
    }

    #[inline]
    fn shows(&mut self, base: u32, shows: &Shows, among: u64) {
        self.write(|block| shows.write(base, among, block));
    }
}

struct Count(usize);

impl Sink for Count {
    fn one(&mut self, _: u32) {
        self.0 += 1;
    }

    fn copied(&mut self, _: u32, _: &Spans, from: usize, to: usize) {
        self.0 += to.saturating_sub(from);
    }

    fn shows(&mut self, _: u32, shows: &Shows, among: u64) {
        self.0 += shows.count(among);
    }
}

struct Visit<F> {
    visit: F,
    /// Room for the shows of a hand.
    block: Spans,
}

impl<F: FnMut(Action)> Visit<F> {
    fn new(visit: F) -> Visit<F> {
        Visit { visit, block: [0; BLOCK] }
    }
}

impl<F: FnMut(Action)> Sink for Visit<F> {
    fn one(&mut self, entry: u32) {
        (self.visit)(list::unpack(entry));
    }

    fn copied(&mut self, base: u32, spans: &Spans, from: usize, to: usize) {
        let spans = spans.get(from..to).unwrap_or(&[]);
        spans.iter().for_each(|span| self.one(base + span));
    }

    fn shows(&mut self, base: u32, shows: &Shows, among: u64) {
        let count = shows.write(base, among, &mut self.block);
        let shows = self.block.iter().take(count);
        shows.for_each(|&show| (self.visit)(list::unpack(show)));
    }
}

/// The scouts from the left and from the right end into the largest hand, by place and side:
/// those into a smaller one are the first of them.
static SCOUTS: [Spans; 2] = [scouts(End::Left), scouts(End::Right)];

const fn scouts(end: End) -> Spans {
    let mut scouts = [0; BLOCK];
    let mut index = 0;
    while index < 2 * (PAIRS + 1) {
        scouts[index] = list::scout(end, index as u8 / 2, index % 2 == 1);
        index += 1;
    }
    scouts
}

/// The shows of the hand as it is, and how many start before each place.
struct Kept {
    spans: Spans,
    count: usize,
    before: [u16; 64],
}

impl Kept {
    fn new(shows: &Shows) -> Kept {
        let mut kept = Kept { spans: [0; BLOCK], count: 0, before: [0; 64] };
        kept.count = shows.write(0, u64::MAX, &mut kept.spans);
        for (&span, count) in kept.spans.iter().take(kept.count).zip(1..) {
            let [first, ..] = span.to_le_bytes();
            kept.before[usize::from(first + 1) % 64] = count;
        }
        let mut most = 0;
        for before in &mut kept.before {
            most = most.max(*before);
            *before = most;
        }
        kept
    }

    /// How many start before this place.
    fn before(&self, place: usize) -> usize {
        usize::from(self.before[place % 64])
    }
}

/// The sets of a hand that beat a table, by the place they start at.
struct Shows {
    /// How many cards lie on the table.
    len: usize,
    /// Where a set of as many cards starts that beats the table.
    equal: u64,
    /// Where a set of one card more starts.
    longer: u64,
    /// The steps of the sets of two cards more.
    more: Marks,
}

impl Shows {
    #[inline]
    fn new(row: &Row) -> Shows {
        let Row { table, mut marks, .. } = *row;
        let len = table.len();
        let (equal, longer) = match len {
            0 => (0, marks.seen),
            1 => {
                let longer = marks.starts();
                marks.lengthen();
                (marks.seen & marks.high, longer)
            }
            _ => {
                (2..len).for_each(|_| marks.lengthen());
                let (rise, fall) = (marks.rise & marks.high, marks.fall & marks.high >> (len - 1));
                let group = marks.same & marks.high;
                let equal = if table.is_group() { group } else { marks.same | rise | fall };
                marks.lengthen();
                let longer = marks.starts();
                marks.lengthen();
                (equal, longer)
            }
        };
        Shows { len, equal, longer, more: marks }
    }

    fn is_empty(&self) -> bool {
        self.equal | self.longer == 0
    }

    fn count(&self, among: u64) -> usize {
        let mut count = (self.equal & among).count_ones() + (self.longer & among).count_ones();
        let mut more = self.more;
        while more.starts() & among != 0 {
            count += (more.starts() & among).count_ones();
            more.lengthen();
        }
        count as usize
    }

    /// Writes `base` plus each show that starts among these places into the block, by first and
    /// last place, and gives their number. Which of the places start a set is as good as random:
    /// writing a show and having the next one overwrite it costs less than a wrong guess of the
    /// processor.
    #[inline(always)]
    fn write(&self, base: u32, among: u64, block: &mut Spans) -> usize {
        let mut count = 0;
        // The shortest show; on an empty table it has no card, and the next one overwrites it.
        let shortest = (base + list::LONGER * self.len as u32).wrapping_sub(list::LONGER);
        let (more, mut most) = (self.more.starts() & among, self.more);
        most.lengthen();
        let mut starts = (self.equal | self.longer) & among;
        while starts != 0 {
            let start = starts.trailing_zeros();
            starts &= starts - 1;
            let mut show = shortest + start;
            let mut put = |marks: u64| {
                block[count % BLOCK] = show;
                show = show.wrapping_add(list::LONGER);
                count += (marks >> start & 1) as usize;
            };
            put(self.equal);
            put(self.longer);
            if more == 0 {
                continue;
            }
            put(more);
            let mut steps = most;
            while steps.starts() >> start & 1 == 1 {
                put(u64::MAX);
                steps.lengthen();
            }
        }
        count
    }
}
