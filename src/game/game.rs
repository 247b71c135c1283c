//! A whole game: rounds, totals, seats that go out and come back.

use super::card::CardSet;
use super::deck;
use super::hand::{Hand, Slot};
use super::illegal::Illegal;
use super::round::{Ending, Round};
use super::score;
use super::seat::{BySeat, Players, SEATS, Seat, Seats};
use super::{Action, Card};

/// What the game waits for.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Stage {
    /// The first deal.
    Deal {
        /// Which round, from 1.
        round: u8,
    },
    /// Seats that keep or flip their hand.
    Choice,
    /// The turn of a seat.
    Turn(Seat),
    /// The deal of the next round; the one just over is counted and can still be looked at.
    RoundOver,
    /// Nothing: all rounds are played, or too few seats are left.
    Over,
}

/// A round that counts.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Finished {
    /// How it ended.
    pub ending: Ending,
    /// What each seat got.
    pub points: BySeat<i32>,
}

/// A game as somebody knows it, who may know some of the cards and all of the rest.
///
/// ```
/// use fairdeal::game::{Action, BySeat, Game, Hand, Players, Seat, Stage, deck};
///
/// // A public game: nobody's cards are known.
/// let hands = BySeat::from_fn(Players::THREE, |_| Hand::sealed(deck::hand_size(Players::THREE)));
/// let mut game = Game::new(Players::THREE).deal(Seat::FIRST, hands)?;
/// for seat in Players::THREE.seats() {
///     game = game.apply(seat, Action::Keep, &[])?;
/// }
/// assert_eq!(game.stage(), Stage::Turn(Seat::FIRST));
///
/// // A show tells its cards; they have to be a set, and to beat the one on the table.
/// let shown = ["4/1".parse()?, "5/2".parse()?];
/// let game = game.apply(Seat::FIRST, "show 3-4".parse()?, &shown)?;
/// assert_eq!(game.running()?.active().map(|set| set.len()), Some(2));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Game {
    pub(super) players: Players,
    pub(super) out: Seats,
    pub(super) abandoned: bool,
    pub(super) finished: [Option<Finished>; SEATS],
    /// What seats pay in the next round that counts.
    pub(super) due: BySeat<u8>,
    /// Of two players, in round 2: the cards known to have been dealt in round 1.
    pub(super) dealt: CardSet,
    pub(super) round: Option<Round>,
    /// The rounds dealt so far.
    pub(super) number: u8,
}

impl Game {
    /// A game before its first deal.
    pub fn new(players: Players) -> Game {
        Game {
            players,
            out: Seats::NONE,
            abandoned: false,
            finished: [None; SEATS],
            due: BySeat::from_fn(players, |_| 0),
            dealt: CardSet::EMPTY,
            round: None,
            number: 0,
        }
    }

    /// The game with the next round dealt: the seat that starts it, and each present seat's hand.
    ///
    /// Any present seat may start the first round dealt; each later one is started by the next
    /// present seat.
    pub fn deal(&self, start: Seat, hands: BySeat<Hand>) -> Result<Game, Illegal> {
        let number = self.next_round()?;
        self.check_start(start)?;
        for (_, hand) in hands.iter() {
            self.check_set_aside(hand)?;
        }
        let round = Round::new(self.players, start, hands, self.out)?;
        Ok(Game { round: Some(round), number, dealt: self.dealt_before(), ..*self })
    }

    /// The game after this action of this seat; see [`Round::apply`]. Keep and flip come in any
    /// order of the seats. The action that ends a round counts it.
    pub fn apply(&self, seat: Seat, action: Action, shown: &[Card]) -> Result<Game, Illegal> {
        let round = self.running()?.apply(seat, action, shown)?;
        match shown.iter().find(|&&card| self.dealt.contains(card)) {
            Some(&card) => Err(Illegal::DealtBefore(card)),
            None => Ok(self.with_round(round)),
        }
    }

    /// The game with its round ended as stalled on the word of a seat; see [`Round::stall`].
    pub fn stall(&self, seat: Seat) -> Result<Game, Illegal> {
        let round = self.round.ok_or(Illegal::NotDealt(1))?;
        if self.abandoned {
            return Err(Illegal::GameOver);
        }
        Ok(self.with_round(round.stall(seat)?))
    }

    /// The game after a seat has gone out: skipped in the running round, not dealt in later ones.
    /// Where fewer than three of three to five seats are left, or one of two, the game ends and
    /// the running round does not count.
    pub fn out(&self, seat: Seat) -> Result<Game, Illegal> {
        if !self.players.has(seat) {
            return Err(Illegal::NoSeat(seat));
        }
        if self.stage() == Stage::Over {
            return Err(Illegal::GameOver);
        }
        if self.out.contains(seat) {
            return Err(Illegal::Out(seat));
        }
        let game = Game { out: self.out.with(seat), ..*self };
        let fewest = if self.players.are_two() { 2 } else { 3 };
        if game.present().count() < fewest {
            return Ok(Game { abandoned: true, ..game });
        }
        match self.running() {
            Ok(round) => Ok(game.with_round(round.out(seat))),
            Err(_) => Ok(game),
        }
    }

    /// The game after a seat has gone out that pays this many points for it, in the running round
    /// or the next one dealt; see [`Game::out`]. Where the game has ended early by another seat
    /// that went out with it, it pays all the same.
    pub fn out_paying(&self, seat: Seat, pays: u8) -> Result<Game, Illegal> {
        let mut game = *self;
        if game.players.has(seat) {
            game.due[seat] = game.due[seat].saturating_add(pays);
        }
        let here = game.players.has(seat) && !game.out.contains(seat);
        if game.abandoned && pays > 0 && here {
            return Ok(Game { out: game.out.with(seat), ..game });
        }
        game.out(seat)
    }

    /// The game after a seat has come back, which it may between rounds.
    pub fn back(&self, seat: Seat) -> Result<Game, Illegal> {
        if !self.out.contains(seat) {
            return Err(if self.players.has(seat) {
                Illegal::NotOut(seat)
            } else {
                Illegal::NoSeat(seat)
            });
        }
        match self.next_round() {
            Ok(_) => Ok(Game { out: self.out.without(seat), ..*self }),
            Err(Illegal::RoundNotOver(_)) => Err(Illegal::BackInRound),
            Err(reason) => Err(reason),
        }
    }

    /// What the game waits for.
    pub fn stage(&self) -> Stage {
        if self.abandoned {
            return Stage::Over;
        }
        let Some(round) = &self.round else {
            return Stage::Deal { round: 1 };
        };
        match round.turn() {
            Some(turn) => Stage::Turn(turn),
            None if round.over().is_none() => Stage::Choice,
            None if self.number < deck::rounds(self.players) => Stage::RoundOver,
            None => Stage::Over,
        }
    }

    /// The table at the start of the game.
    pub fn players(&self) -> Players {
        self.players
    }

    /// The seats that are not out.
    pub fn present(&self) -> Seats {
        Seats::all(self.players).minus(self.out)
    }

    /// The running round, or the last one until the next is dealt.
    pub fn round(&self) -> Option<&Round> {
        self.round.as_ref()
    }

    /// The number of that round, from 1; 0 before the first deal.
    pub fn round_number(&self) -> u8 {
        self.number
    }

    /// The number of the round to be dealt, where the game waits for a deal.
    pub fn next_round(&self) -> Result<u8, Illegal> {
        match self.stage() {
            Stage::Deal { round } => Ok(round),
            Stage::RoundOver => Ok(self.number + 1),
            Stage::Over => Err(Illegal::GameOver),
            Stage::Choice | Stage::Turn(_) => Err(Illegal::RoundNotOver(self.number)),
        }
    }

    /// The seat that starts the round to be dealt; `None` where any may, in the first one.
    pub fn next_start(&self) -> Option<Seat> {
        let before = self.round.as_ref()?.start();
        self.players.first_from(self.players.after(before), self.present())
    }

    /// Whether the game ended early because too few seats were left.
    pub fn is_abandoned(&self) -> bool {
        self.abandoned
    }

    /// A round that counts, by its number from 1: how it ended and what each seat got.
    pub fn finished(&self, round: u8) -> Option<&Finished> {
        self.finished.get(usize::from(round.checked_sub(1)?))?.as_ref()
    }

    /// The points of a round that counts, by its number from 1.
    pub fn points_of(&self, round: u8) -> Option<BySeat<i32>> {
        self.finished(round).map(|finished| finished.points)
    }

    /// What a seat pays in the next round that counts.
    pub fn due(&self, seat: Seat) -> u8 {
        self.due[seat]
    }

    /// The points of all rounds that count, less what a seat still has to pay.
    pub fn totals(&self) -> BySeat<i32> {
        let rounds = || self.finished.iter().flatten();
        BySeat::from_fn(self.players, |seat| {
            let points: i32 = rounds().map(|round| round.points[seat]).sum();
            points - i32::from(self.due[seat])
        })
    }

    /// The seats with the most points when all rounds are played; none before, and none of a
    /// game that ended early.
    pub fn winners(&self) -> Seats {
        if self.stage() == Stage::Over && !self.abandoned {
            score::winners(&self.totals())
        } else {
            Seats::NONE
        }
    }

    /// Checks who starts the round to be dealt.
    pub(super) fn check_start(&self, start: Seat) -> Result<(), Illegal> {
        match self.next_start() {
            Some(next) if next != start => Err(Illegal::StartedBy(next)),
            _ if !self.players.has(start) => Err(Illegal::NoSeat(start)),
            _ if self.out.contains(start) => Err(Illegal::Out(start)),
            _ => Ok(()),
        }
    }

    /// Checks that a hand has no card known to have been dealt before where it may not.
    pub(super) fn check_set_aside(&self, hand: &Hand) -> Result<(), Illegal> {
        let dealt = self.dealt_before();
        let before = |card: &Card| dealt.contains(*card);
        hand.iter()
            .filter_map(Slot::card)
            .find(before)
            .map_or(Ok(()), |card| Err(Illegal::DealtBefore(card)))
    }

    /// Of two players: the cards known to have been dealt in the round before the next deal.
    fn dealt_before(&self) -> CardSet {
        let before = self.round.filter(|_| self.players.are_two());
        before.map_or(CardSet::EMPTY, |round| round.known())
    }

    /// The running round, or what the game waits for instead.
    pub fn running(&self) -> Result<&Round, Illegal> {
        match (self.stage(), &self.round) {
            (Stage::Choice | Stage::Turn(_), Some(round)) => Ok(round),
            (Stage::RoundOver, _) => Err(Illegal::RoundOver),
            (Stage::Over, _) => Err(Illegal::GameOver),
            _ => Err(Illegal::NotDealt(1)),
        }
    }

    /// The game with its running round gone on; if that is over now, it is counted.
    fn with_round(&self, round: Round) -> Game {
        let mut game = Game { round: Some(round), ..*self };
        let counted = game.finished.iter_mut().zip(1..).find(|(_, number)| *number == self.number);
        if let (Some(ending), Some((finished, _))) = (round.over(), counted) {
            let points = round.points().map(|seat, points| points - i32::from(self.due[seat]));
            *finished = Some(Finished { ending, points });
            game.due = BySeat::from_fn(self.players, |_| 0);
        }
        game
    }
}
