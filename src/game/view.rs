//! What one player knows of the game: all that a bot may decide from.

use super::card::Card;
use super::deck;
use super::game::Game;
use super::hand::{Hand, Slot};
use super::round::Round;
use super::seat::{BySeat, Seat};

/// A game as one seat knows it: its own hand seen, the dealt cards of the others sealed, the
/// scouted ones turned.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct PlayerView<'a> {
    seat: Seat,
    round: &'a Round,
    game: &'a Game,
}

impl<'a> PlayerView<'a> {
    /// The view of a seat on a state built up from what it knows; `None` before the first deal,
    /// or where the seat's own hand has cards the state does not know as they lie.
    pub fn new(game: &'a Game, seat: Seat) -> Option<PlayerView<'a>> {
        let round = game.round().filter(|round| round.hand(seat).is_seen())?;
        game.players().has(seat).then_some(PlayerView { seat, round, game })
    }

    /// Whose view it is.
    pub fn seat(&self) -> Seat {
        self.seat
    }

    /// The seat's own hand.
    pub fn hand(&self) -> &'a Hand {
        self.round.hand(self.seat)
    }

    /// The running round as the seat knows it.
    pub fn round(&self) -> &'a Round {
        self.round
    }

    /// The number of the round, from 1.
    pub fn round_number(&self) -> u8 {
        self.game.round_number()
    }

    /// The points of the rounds before.
    pub fn totals(&self) -> BySeat<i32> {
        self.game.totals()
    }

    /// The cards that may be behind the sealed slots, each with its low number up. With two
    /// players, and where seats are out, they are more than the slots.
    pub fn unseen(&self) -> impl Iterator<Item = Card> {
        let (known, dealt) = (self.round.known, self.game.dealt);
        let cards = deck::deck(self.round.players).iter().copied();
        cards.filter(move |&card| !known.contains(card) && !dealt.contains(card))
    }

    /// The round as it would be were the hands these, every card seen; `None` where the seat
    /// knows better.
    pub fn possible(&self, hands: BySeat<Hand>) -> Option<Round> {
        let mut round = Round { hands, ..*self.round };
        if hands.players() != round.players {
            return None;
        }
        for (seat, known) in self.round.hands.iter() {
            if hands[seat].len() != known.len() {
                return None;
            }
            for (card, known) in hands[seat].cards()?.zip(known.iter()) {
                let fits = match known {
                    Slot::Seen(known) => card == known,
                    Slot::Turned(known) => card.low_up() == known,
                    Slot::Sealed => {
                        let in_play = deck::in_play(round.players).contains(card);
                        in_play && !self.game.dealt.contains(card) && round.known.insert(card)
                    }
                };
                if !fits {
                    return None;
                }
            }
        }
        Some(round)
    }
}
