//! Seats, and one thing a seat.

use std::fmt;
use std::ops::{Index, IndexMut};

/// The most seats a table has.
pub const SEATS: usize = 5;

/// A place at the table, 0 to 4 inside, 1 to 5 for people.
///
/// ```
/// use fairdeal::game::Seat;
///
/// let seat = Seat::from_number(2).expect("there is a second seat");
/// assert_eq!((seat.index(), seat.to_string().as_str()), (1, "2"));
/// assert_eq!(Seat::from_number(6), None);
/// ```
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Seat(u8);

/// How many play: 2 to 5. It fixes the deck, the hands and the rounds for the whole game.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Players(u8);

/// One `T` for each seat of a table, by seat and without a heap.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct BySeat<T> {
    players: Players,
    items: [T; SEATS],
}

/// Some of the seats.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default)]
pub struct Seats(u8);

impl Seat {
    /// The first seat: the host's.
    pub const FIRST: Seat = Seat(0);

    /// The seat of index 0 to 4.
    pub const fn new(index: u8) -> Option<Seat> {
        if (index as usize) < SEATS { Some(Seat(index)) } else { None }
    }

    /// The seat people call `number`, 1 to 5.
    pub const fn from_number(number: u8) -> Option<Seat> {
        Seat::new(number.wrapping_sub(1))
    }

    /// The place in turn order, from 0.
    pub const fn index(self) -> usize {
        self.0 as usize
    }

    /// The place in turn order, from 1.
    pub const fn number(self) -> u8 {
        self.0 + 1
    }
}

impl fmt::Display for Seat {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.number())
    }
}

impl Players {
    /// The usual table.
    pub const THREE: Players = Players(3);

    /// A table of `count` players; `None` unless 2 to 5.
    pub const fn new(count: u8) -> Option<Players> {
        if count >= 2 && count <= 5 { Some(Players(count)) } else { None }
    }

    /// How many they are.
    pub const fn count(self) -> u8 {
        self.0
    }

    /// The seats in turn order.
    pub fn seats(self) -> impl DoubleEndedIterator<Item = Seat> + ExactSizeIterator {
        (0..self.0).map(Seat)
    }

    /// Whether the table has this seat.
    pub const fn has(self, seat: Seat) -> bool {
        seat.0 < self.0
    }

    /// The seat after this one in turn order.
    pub const fn after(self, seat: Seat) -> Seat {
        if seat.0 + 1 < self.0 { Seat(seat.0 + 1) } else { Seat(0) }
    }

    /// The first seat of `among` from `seat` on, itself included; `None` if there is none.
    pub fn first_from(self, seat: Seat, among: Seats) -> Option<Seat> {
        let later = Seats(among.0 >> seat.0 << seat.0);
        let first = if later.is_empty() { among } else { later }.first();
        first.filter(|&first| self.has(first))
    }

    /// Whether these are two, for whom the rules differ.
    pub const fn are_two(self) -> bool {
        self.0 == 2
    }
}

impl<T: Default> BySeat<T> {
    /// What `make` gives for each seat.
    pub fn from_fn(players: Players, mut make: impl FnMut(Seat) -> T) -> BySeat<T> {
        let mut all = BySeat { players, items: std::array::from_fn(|_| T::default()) };
        for seat in players.seats() {
            all[seat] = make(seat);
        }
        all
    }

    /// What `change` makes of each seat's item.
    pub fn map<U: Default>(&self, mut change: impl FnMut(Seat, &T) -> U) -> BySeat<U> {
        BySeat::from_fn(self.players, |seat| change(seat, &self[seat]))
    }
}

impl<T> BySeat<T> {
    /// The table it is for.
    pub fn players(&self) -> Players {
        self.players
    }

    /// Each seat with its item, in turn order.
    pub fn iter(&self) -> impl DoubleEndedIterator<Item = (Seat, &T)> + ExactSizeIterator {
        self.as_slice().iter().enumerate().map(|(index, item)| (Seat(index as u8), item))
    }

    /// The items in turn order.
    pub fn as_slice(&self) -> &[T] {
        self.items.get(..usize::from(self.players.0)).unwrap_or(&self.items)
    }

    /// The items of all five places, unused ones at their default.
    pub(super) fn all(&self) -> &[T; SEATS] {
        &self.items
    }
}

impl<T> Index<Seat> for BySeat<T> {
    type Output = T;

    fn index(&self, seat: Seat) -> &T {
        &self.items[seat.index()]
    }
}

impl<T> IndexMut<Seat> for BySeat<T> {
    fn index_mut(&mut self, seat: Seat) -> &mut T {
        &mut self.items[seat.index()]
    }
}

impl<T: fmt::Debug> fmt::Debug for BySeat<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_list().entries(self.as_slice()).finish()
    }
}

impl Seats {
    /// No seat.
    pub const NONE: Seats = Seats(0);

    /// Every seat of the table.
    pub const fn all(players: Players) -> Seats {
        Seats((1 << players.0) - 1)
    }

    /// Whether the seat is among them.
    pub const fn contains(self, seat: Seat) -> bool {
        self.0 >> seat.0 & 1 == 1
    }

    /// These and that seat.
    #[must_use]
    pub const fn with(self, seat: Seat) -> Seats {
        Seats(self.0 | 1 << seat.0)
    }

    /// These without that seat.
    #[must_use]
    pub const fn without(self, seat: Seat) -> Seats {
        Seats(self.0 & !(1 << seat.0))
    }

    /// Those of these that are not among `others`.
    #[must_use]
    pub const fn minus(self, others: Seats) -> Seats {
        Seats(self.0 & !others.0)
    }

    /// Those of these that are among `others` too.
    #[must_use]
    pub const fn among(self, others: Seats) -> Seats {
        Seats(self.0 & others.0)
    }

    /// How many they are.
    pub const fn count(self) -> u8 {
        self.0.count_ones() as u8
    }

    /// Whether there are none.
    pub const fn is_empty(self) -> bool {
        self.0 == 0
    }

    /// The first of them in the order of the seats.
    pub const fn first(self) -> Option<Seat> {
        if self.is_empty() { None } else { Some(Seat(self.0.trailing_zeros() as u8)) }
    }

    /// The seats in turn order.
    pub fn iter(self) -> impl Iterator<Item = Seat> {
        (0..SEATS as u8).map(Seat).filter(move |&seat| self.contains(seat))
    }

    /// The seats whose bits are set; bits of no seat are left out.
    pub const fn from_bits(bits: u8) -> Seats {
        Seats(bits & ((1 << SEATS) - 1))
    }

    /// The seats as bits: bit i is the seat of index i.
    pub const fn bits(self) -> u8 {
        self.0
    }
}

impl FromIterator<Seat> for Seats {
    fn from_iter<I: IntoIterator<Item = Seat>>(seats: I) -> Seats {
        seats.into_iter().fold(Seats::NONE, Seats::with)
    }
}
