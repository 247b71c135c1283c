//! A round: from the dealt hands to the points.

use std::hint::select_unpredictable;

use super::action::{Action, Scout, Side, Span};
use super::card::{Card, CardSet};
use super::deck;
use super::hand::{Hand, Slot};
use super::illegal::Illegal;
use super::seat::{BySeat, Players, Seat, Seats};
use super::set::{LONGEST, NoSet, Set, Strength};
use crate::planted::{Bug, planted};

/// How many tokens each of two players has at the start of a round.
const TOKENS_OF_TWO: u16 = 3;

/// How a round ended.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Ending {
    /// A player had no card left after a show.
    Emptied,
    /// Nobody beat the active set.
    Stalled,
}

/// A round as somebody knows it, who may know some of the cards and all of the rest.
///
/// The same actions applied to states that know more or less of the hands give states that
/// differ in nothing but that. One thing alone can need the hand: whether one of two players can
/// still act. Where it is not known, [`Round::stall`] says it.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Round {
    pub(super) players: Players,
    pub(super) present: Seats,
    pub(super) start: Seat,
    pub(super) turn: Seat,
    pub(super) chosen: Seats,
    pub(super) flipped: Seats,
    pub(super) spent: Seats,
    pub(super) scouted: Seats,
    pub(super) over: Option<Ending>,
    pub(super) owner: Option<Seat>,
    pub(super) active: Option<Set>,
    pub(super) hands: BySeat<Hand>,
    pub(super) captured: BySeat<u8>,
    pub(super) tokens: BySeat<u16>,
    pub(super) known: CardSet,
}

impl Round {
    /// A round just dealt, every seat yet to keep or flip; seats that are out have no hand.
    #[inline]
    pub fn new(
        players: Players,
        start: Seat,
        hands: BySeat<Hand>,
        out: Seats,
    ) -> Result<Round, Illegal> {
        let mut known = CardSet::EMPTY;
        for (seat, hand) in hands.iter() {
            if !out.contains(seat) {
                check_hand(players, seat, hand, &mut known)?;
            } else if !hand.is_empty() {
                return Err(Illegal::DealtOut(seat));
            }
        }
        let present = Seats::all(players).minus(out);
        if !players.has(start) {
            return Err(Illegal::NoSeat(start));
        }
        let turn = players.first_from(start, present).filter(|&turn| turn == start);
        let tokens = if players.are_two() { TOKENS_OF_TWO } else { 0 };
        Ok(Round {
            players,
            present,
            start,
            turn: turn.ok_or(Illegal::Out(start))?,
            chosen: Seats::NONE,
            flipped: Seats::NONE,
            spent: if players.are_two() { Seats::all(players) } else { Seats::NONE },
            scouted: Seats::NONE,
            over: None,
            owner: None,
            active: None,
            hands,
            captured: BySeat::from_fn(players, |_| 0),
            tokens: BySeat::from_fn(players, |_| tokens),
            known,
        })
    }

    /// The round after this action of this seat, or why it is against the rules.
    ///
    /// `shown` names the cards of a show, as they turned out to lie. It may be empty where the
    /// state knows the shown cards; it must fit what the state knows.
    pub fn apply(&self, seat: Seat, action: Action, shown: &[Card]) -> Result<Round, Illegal> {
        let mut next = *self;
        next.play(seat, action, shown)?;
        Ok(next)
    }

    /// As [`Round::apply`], in place; a refused action leaves the round untouched. In line: most
    /// callers have just told a show from a scout, and name no cards.
    #[inline(always)]
    pub fn play(&mut self, seat: Seat, action: Action, shown: &[Card]) -> Result<(), Illegal> {
        // The seat to act is present, and naming nothing is never too much.
        if self.turn() != Some(seat) || !shown.is_empty() {
            self.check_seat(seat, action, shown)?;
        }
        match action {
            Action::Keep | Action::Flip => self.choose(seat, action == Action::Flip)?,
            Action::Show(span) => {
                self.show(seat, span, shown)?;
                self.end_turn();
            }
            Action::Scout(scout) => {
                self.scout(seat, scout)?;
                self.scouted = self.scouted.with(seat);
                self.end_scout();
            }
            Action::ScoutAndShow(scout, span) => {
                *self = self.scout_and_show(seat, scout, span, shown)?;
            }
        }
        Ok(())
    }

    /// The round of two players ended as stalled, on the word of the seat to act that it can
    /// neither show nor scout; refused where the state knows better. A state that knows the hand
    /// has ended the round itself and stays as it is.
    pub fn stall(&self, seat: Seat) -> Result<Round, Illegal> {
        match self.over {
            Some(Ending::Stalled) if self.players.are_two() && self.turn == seat => Ok(*self),
            Some(_) => Err(Illegal::RoundOver),
            None => {
                self.check_turn(seat)?;
                if !self.may_be_stalled() {
                    return Err(Illegal::NotStalled(seat));
                }
                Ok(Round { over: Some(Ending::Stalled), ..*self })
            }
        }
    }

    /// Whether the round may be stalled for all this state knows: two players, the one to act
    /// has no token, hidden cards and no known set that beats the table.
    pub fn may_be_stalled(&self) -> bool {
        self.players.are_two()
            && self.turn().is_some_and(|turn| {
                let hidden = !self.hands[turn].is_seen();
                hidden && self.active.is_some() && self.tokens[turn] == 0 && !self.can_show()
            })
    }

    /// The round after a seat has gone out: it is skipped from now on.
    pub(super) fn out(&self, seat: Seat) -> Round {
        let mut next = Round { present: self.present.without(seat), ..*self };
        if next.over.is_none() {
            next.turn = next.players.first_from(next.turn, next.present).unwrap_or(next.turn);
            next.check_stalled();
        }
        next
    }

    /// The table.
    pub fn players(&self) -> Players {
        self.players
    }

    /// The seats that are not out.
    pub fn present(&self) -> Seats {
        self.present
    }

    /// The seat that was to start the round.
    pub fn start(&self) -> Seat {
        self.start
    }

    /// What is known of a seat's hand.
    pub fn hand(&self, seat: Seat) -> &Hand {
        &self.hands[seat]
    }

    /// The active set; `None` while the table is empty.
    pub fn active(&self) -> Option<&Set> {
        self.active.as_ref()
    }

    /// Who showed the active set, also when it has been scouted empty; `None` before any show.
    pub fn owner(&self) -> Option<Seat> {
        self.owner
    }

    /// The seat to act; `None` while seats keep or flip, and when the round is over.
    pub fn turn(&self) -> Option<Seat> {
        (self.over.is_none() && !self.is_choosing()).then_some(self.turn)
    }

    /// Whether a present seat has yet to keep or flip.
    pub fn is_choosing(&self) -> bool {
        !self.to_choose().is_empty()
    }

    /// The present seats that have yet to keep or flip.
    pub fn to_choose(&self) -> Seats {
        self.present.minus(self.chosen)
    }

    /// Whether a seat kept (false) or flipped (true) its hand; `None` if it did not choose.
    pub fn choice(&self, seat: Seat) -> Option<bool> {
        self.chosen.contains(seat).then(|| self.flipped.contains(seat))
    }

    /// How many cards a seat has captured.
    pub fn captured(&self, seat: Seat) -> u8 {
        self.captured[seat]
    }

    /// How many Scout tokens a seat holds; with two players, how many it has left to spend.
    pub fn tokens(&self, seat: Seat) -> u16 {
        self.tokens[seat]
    }

    /// Whether a seat still has its scout-and-show in this round.
    pub fn may_scout_and_show(&self, seat: Seat) -> bool {
        !self.spent.contains(seat)
    }

    /// The present seats that have scouted since the active set was shown.
    pub fn scouted(&self) -> Seats {
        self.scouted
    }

    /// How the round ended; `None` while it goes on.
    pub fn over(&self) -> Option<Ending> {
        self.over
    }

    /// The cards this state knows the whereabouts of, in hands, on the table or captured.
    pub fn known(&self) -> CardSet {
        self.known
    }

    /// The strength a show has to beat: the active set's, or that of the empty table.
    pub(super) fn strength(&self) -> Strength {
        self.active.as_ref().map_or(Strength::NONE, Set::strength)
    }

    /// Checks that it is for this seat to act, and that no cards are named where none is shown.
    fn check_seat(&self, seat: Seat, action: Action, shown: &[Card]) -> Result<(), Illegal> {
        if !self.players.has(seat) {
            return Err(Illegal::NoSeat(seat));
        }
        if self.over.is_some() {
            return Err(Illegal::RoundOver);
        }
        if !self.present.contains(seat) {
            return Err(Illegal::Out(seat));
        }
        if action.span().is_none() && !shown.is_empty() {
            return Err(Illegal::NamedCount { named: shown.len(), shown: 0 });
        }
        if action.is_choice() { Ok(()) } else { self.check_turn(seat) }
    }

    fn check_turn(&self, seat: Seat) -> Result<(), Illegal> {
        if let Some(waiting) = self.to_choose().first() {
            return Err(Illegal::StillChoosing(waiting));
        }
        if self.turn != seat { Err(Illegal::NotYourTurn { turn: self.turn }) } else { Ok(()) }
    }

    fn choose(&mut self, seat: Seat, flip: bool) -> Result<(), Illegal> {
        if !self.is_choosing() {
            return Err(Illegal::ChoiceOver);
        }
        if self.chosen.contains(seat) {
            return Err(Illegal::ChosenAlready(seat));
        }
        self.chosen = self.chosen.with(seat);
        if flip {
            self.flipped = self.flipped.with(seat);
            self.hands[seat] = self.hands[seat].turned();
        }
        Ok(())
    }

    #[inline(always)]
    fn scout(&mut self, seat: Seat, scout: Scout) -> Result<(), Illegal> {
        let set = self.active.ok_or(Illegal::NothingToScout)?;
        let card = set.end(scout.end).ok_or(Illegal::OneCardIsLeft)?;
        let (place, len) = (usize::from(scout.place), self.hands[seat].len());
        if place > len {
            return Err(Illegal::NoPlaceThere(place + 1, len + 1));
        }
        if self.players.are_two() {
            let left = self.tokens[seat].checked_sub(1).ok_or(Illegal::NoToken(seat))?;
            self.tokens[seat] = left;
        } else if let Some(owner) = self.owner.filter(|_| !planted(Bug::NoToken)) {
            self.tokens[owner] = self.tokens[owner].saturating_add(1);
        }
        let side = select_unpredictable(scout.side == Side::Flipped, card.turned(), card);
        let hidden = scout.side == Side::Hidden;
        let slot = if hidden { Slot::Turned(card) } else { Slot::Seen(side) };
        self.hands[seat].insert(place, slot);
        self.active = set.without(scout.end);
        Ok(())
    }

    /// Not in line: it has a show and a scout of its own in it, on a copy of the round.
    #[inline(never)]
    fn scout_and_show(
        &self,
        seat: Seat,
        scout: Scout,
        span: Span,
        shown: &[Card],
    ) -> Result<Round, Illegal> {
        if self.players.are_two() {
            return Err(Illegal::ScoutAndShowOfTwo);
        }
        if self.spent.contains(seat) {
            return Err(Illegal::ScoutAndShowSpent(seat));
        }
        let mut next = *self;
        next.scout(seat, scout)?;
        next.show(seat, span, shown)?;
        next.spent = next.spent.with(seat);
        next.end_turn();
        Ok(next)
    }

    #[inline(always)]
    fn show(&mut self, seat: Seat, span: Span, shown: &[Card]) -> Result<(), Illegal> {
        self.check_span(seat, span, shown)?;
        let (set, known) = match self.hands[seat].seen_at(span) {
            Some(cards) if shown.is_empty() => (Set::of(cards, span.len())?, self.known),
            _ => {
                let known = self.check_names(seat, span, shown)?;
                (Set::new(shown)?, known)
            }
        };
        if let Some(table) = self.active {
            if !set.beats(&table) {
                return Err(Illegal::DoesNotBeat { shown: set, table });
            }
            self.captured[seat] += table.len() as u8;
        }
        self.hands[seat].remove(span);
        self.known = known;
        self.active = Some(set);
        self.owner = Some(seat);
        self.scouted = Seats::NONE;
        Ok(())
    }

    /// Checks that a hand has these places, and as many of them as there are names, if any.
    fn check_span(&self, seat: Seat, span: Span, shown: &[Card]) -> Result<(), Illegal> {
        let (hand, len) = (self.hands[seat].len(), span.len());
        if span.last() >= hand {
            return Err(Illegal::NoCardThere(span.last() + 1, hand));
        }
        if !shown.is_empty() && shown.len() != len {
            return Err(Illegal::NamedCount { named: shown.len(), shown: len });
        }
        if len > LONGEST { Err(NoSet::TooMany(len).into()) } else { Ok(()) }
    }

    /// Checks that the cards of a show are named and fit what is known of them, and gives the
    /// cards known then.
    fn check_names(&self, seat: Seat, span: Span, shown: &[Card]) -> Result<CardSet, Illegal> {
        if shown.is_empty() {
            return Err(Illegal::NotNamed(span));
        }
        let mut known_then = self.known;
        let slots = self.hands[seat].iter().zip(1..).skip(span.first());
        for ((slot, place), &named) in slots.zip(shown) {
            match slot {
                Slot::Seen(known) if known != named => {
                    return Err(Illegal::NamedOther { place, known, named });
                }
                Slot::Turned(known) if known != named.low_up() => {
                    return Err(Illegal::NamedOther { place, known, named });
                }
                Slot::Sealed => take(self.players, named, &mut known_then)?,
                _ => {}
            }
        }
        Ok(known_then)
    }

    /// After a show: the round may be over, else the next seat acts.
    fn end_turn(&mut self) {
        if self.hands[self.turn].is_empty() {
            self.over = Some(Ending::Emptied);
            return;
        }
        self.pass_turn();
        self.check_stalled();
    }

    /// After a scout: two players go on with the same seat.
    fn end_scout(&mut self) {
        if !self.players.are_two() {
            self.pass_turn();
        }
        self.check_stalled();
    }

    fn pass_turn(&mut self) {
        let after = self.players.after(self.turn);
        self.turn = self.players.first_from(after, self.present).unwrap_or(after);
    }

    fn check_stalled(&mut self) {
        let Some(owner) = self.owner else { return };
        let stalled = if self.players.are_two() {
            self.active.is_some()
                && self.tokens[self.turn] == 0
                && self.hands[self.turn].is_seen()
                && !self.can_show()
        } else {
            self.present.without(owner).minus(self.scouted).is_empty()
        };
        if stalled {
            self.over = Some(Ending::Stalled);
        }
    }
}

/// Checks a hand as dealt, and that its known cards are not among those `known` elsewhere.
pub(super) fn check_hand(
    players: Players,
    seat: Seat,
    hand: &Hand,
    known: &mut CardSet,
) -> Result<(), Illegal> {
    let size = deck::hand_size(players);
    if hand.len() != usize::from(size) {
        let (dealt, players) = (hand.len(), players.count());
        return Err(Illegal::HandSize { seat, dealt, players, size });
    }
    let all = known.with(hand.seen_cards());
    if all.count() == known.count() + hand.len() && all.is_among(deck::in_play(players)) {
        *known = all;
        return Ok(());
    }
    // Some are hidden, or one is wrong: one after the other shows which.
    hand.iter().filter_map(Slot::card).try_for_each(|card| take(players, card, known))
}

/// Notes that a card of the deck, so far not known of, is known.
fn take(players: Players, card: Card, known: &mut CardSet) -> Result<(), Illegal> {
    if !deck::in_play(players).contains(card) {
        return Err(Illegal::NotInDeck(card, players.count()));
    }
    if known.insert(card) { Ok(()) } else { Err(Illegal::Twice(card)) }
}
