//! Turns of a table whose cards are sealed: which card came from where, and what opens it.

use super::{Deal, Table, checks::parse_turn};
use crate::{
    game::{Action, Card, Scout, Seat, Set, Side, Span},
    planted::{Bug, planted},
    protocol::{
        crypto::{commit::side_commitment, hash::Hash, keys::DealSecrets},
        deal::{
            sealed::SealedDeal,
            wire::{OpenCard, Opening, SealedTurn},
        },
    },
};

/// Where a card of a hand came from.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Origin {
    /// It was dealt from this position of the deck.
    Dealt(u8),
    /// It was scouted.
    Scouted {
        /// The card as it lay on the table.
        lay: Card,
        /// The base of the record that scouted it.
        base: Hash,
        /// The commitment to the side it was taken up with.
        side: Hash,
    },
}

/// The side a scouted card was taken up with, found by its owner's secrets or seed.
pub(crate) fn side_of(
    secrets: &DealSecrets,
    t1: &Hash,
    base: &Hash,
    committed: &Hash,
) -> Option<bool> {
    let salt = secrets.side_salt(base);
    let given = |turned| side_commitment(t1, secrets.seat(), base, turned, &salt);
    [false, true].into_iter().find(|turned| given(*turned) == *committed)
}

impl Table {
    /// The deal, if it is sealed.
    pub(crate) fn sealed(&self) -> Option<&SealedDeal> {
        match &self.deal {
            Deal::Sealed(deal) => Some(deal),
            Deal::Open(_) => None,
        }
    }

    /// Where the cards of a hand come from after the scout of a turn on the open base, if it
    /// scouts.
    pub(crate) fn origins_after_scout(
        &self,
        seat: Seat,
        scout: Option<Scout>,
        side: Option<Hash>,
    ) -> Result<Vec<Origin>, String> {
        let mut origins = self.origins(seat).to_vec();
        match (scout, side) {
            (None, None) => {}
            (Some(scout), Some(side)) => {
                let active = self.game.round().and_then(|round| round.active());
                let lay = active.and_then(|set| set.end(scout.end));
                let lay = lay.ok_or("there is no card to scout")?;
                let place = usize::from(scout.place);
                if place > origins.len() {
                    return Err(format!("the hand has no place {}", place + 1));
                }
                origins.insert(place, Origin::Scouted { lay, base: self.base, side });
            }
            _ => return Err("a scout and the commitment to its side belong together".into()),
        }
        Ok(origins)
    }

    /// What the cards at `span` of a hand with these origins need to be opened.
    pub(crate) fn open_cards(
        &self,
        secrets: &DealSecrets,
        origins: &[Origin],
        span: Span,
        hedge: &Hash,
    ) -> Option<Opening> {
        let deal = self.sealed()?;
        let shown = origins.get(span.first()..=span.last())?;
        let positions: Vec<u8> = shown.iter().filter_map(Origin::position).collect();
        let number = u64::from(self.length);
        let (dealt, proof) = deal.open(secrets, &positions, number, &self.base, hedge).ok()?;
        let mut dealt = dealt.into_iter();
        let cards = shown.iter().map(|origin| match origin {
            Origin::Dealt(_) => dealt.next(),
            Origin::Scouted { base, side, .. } => {
                let turned = side_of(secrets, deal.t1(), base, side)?;
                Some(OpenCard::Scouted { turned, salt: secrets.side_salt(base) })
            }
        });
        Some(Opening { cards: cards.collect::<Option<_>>()?, proof })
    }

    pub(super) fn check_sealed_turn(&self, seat: Seat, turn: &SealedTurn) -> Result<(), String> {
        let (action, origins) = self.read_sealed_turn(seat, turn)?;
        let shown = match (action.span(), &turn.opening) {
            (None, None) => Vec::new(),
            (Some(span), Some(opening)) => {
                self.prove_opening(seat, &origins, span, opening)?;
                self.opened(seat, &origins, span, opening)?
            }
            _ => return Err("a show and the opening of its cards belong together".into()),
        };
        let applied = self.game.apply(seat, action, &shown);
        applied.map(|_| ()).map_err(|illegal| format!("{}: {illegal}", turn.action))
    }

    /// The action of a turn, and where the hand's cards come from once it has scouted.
    pub(super) fn read_sealed_turn(
        &self,
        seat: Seat,
        turn: &SealedTurn,
    ) -> Result<(Action, Vec<Origin>), String> {
        let action = parse_turn(&turn.action)?;
        if action.scout().is_some_and(|scout| scout.side != Side::Hidden) {
            return Err(format!("{}: the side of a scouted card is not told", turn.action));
        }
        let origins = self.origins_after_scout(seat, action.scout(), turn.side)?;
        Ok((action, origins))
    }

    /// Checks the proof of an opening.
    fn prove_opening(
        &self,
        seat: Seat,
        origins: &[Origin],
        span: Span,
        opening: &Opening,
    ) -> Result<(), String> {
        let deal = self.sealed().ok_or("the deal is not sealed")?;
        let dealt = self.dealt_of(origins, span, opening)?;
        if planted(Bug::AnyOpening) {
            return Ok(());
        }
        let at = (u64::from(self.length), &self.base);
        let proven = deal.prove_opening(seat, &dealt, &opening.proof, at);
        proven.map_err(|error| error.to_string())
    }

    /// The dealt cards of an opening with their positions.
    fn dealt_of(
        &self,
        origins: &[Origin],
        span: Span,
        opening: &Opening,
    ) -> Result<Vec<(u8, Hash, Hash)>, String> {
        let shown = origins.get(span.first()..=span.last()).ok_or("the hand is shorter")?;
        let at: Vec<Option<u8>> = shown.iter().map(Origin::position).collect();
        opening.dealt(&at).ok_or_else(|| "the opening does not fit the cards shown".into())
    }

    /// The cards that an opening shows, as they lie in the hand. Its proof is not checked here.
    pub(super) fn opened(
        &self,
        seat: Seat,
        origins: &[Origin],
        span: Span,
        opening: &Opening,
    ) -> Result<Vec<Card>, String> {
        let deal = self.sealed().ok_or("the deal is not sealed")?;
        let dealt = self.dealt_of(origins, span, opening)?;
        let flipped = self.game.round().and_then(|round| round.choice(seat)).unwrap_or(false);
        let cards = deal.read_opening(seat, self.dealt_rounds, &dealt);
        let mut cards = cards.map_err(|error| error.to_string())?.into_iter();
        let shown = origins.get(span.first()..=span.last()).ok_or("the hand is shorter")?;
        let one = |(origin, open): (&Origin, &OpenCard)| match (origin, open) {
            (Origin::Dealt(_), OpenCard::Dealt { .. }) => {
                let card = cards.next();
                card.map(|card| if flipped { card.turned() } else { card })
                    .ok_or_else(|| "a card is missing".to_string())
            }
            (Origin::Scouted { lay, base, side }, OpenCard::Scouted { turned, salt }) => {
                let number = seat.index() as u8;
                if side_commitment(deal.t1(), number, base, *turned, salt) != *side {
                    return Err("turned a scouted card after it was taken up".into());
                }
                Ok(if *turned { lay.turned() } else { *lay })
            }
            _ => Err("the opening does not fit the cards shown".into()),
        };
        shown.iter().zip(&opening.cards).map(one).collect()
    }

    /// Checks that the seat to act, whose whole hand is opened, can neither show nor scout.
    pub(super) fn check_stuck(&self, seat: Seat, opening: &Opening) -> Result<(), String> {
        let origins = self.origins(seat);
        let whole = u8::try_from(origins.len()).ok().and_then(|len| len.checked_sub(1));
        let whole = whole.and_then(|last| Span::new(0, last)).ok_or("the hand is empty")?;
        self.prove_opening(seat, origins, whole, opening)?;
        let hand = self.opened(seat, origins, whole, opening)?;
        let round = self.game.round().filter(|round| round.may_be_stalled());
        let active = round.and_then(|round| round.active());
        let active = active.ok_or("the round cannot be stalled now")?;
        let beats = |cards: &[Card]| Set::new(cards).is_ok_and(|set| set.beats(active));
        for first in 0..hand.len() {
            for last in first..hand.len() {
                if hand.get(first..=last).is_some_and(beats) {
                    let places = (first + 1, last + 1);
                    return Err(format!("can show {}-{} and said it cannot", places.0, places.1));
                }
            }
        }
        Ok(())
    }

    /// The action with the side of its scouted card, where the seeds of the deal are known.
    pub(super) fn with_known_side(&self, seat: Seat, action: Action, turn: &SealedTurn) -> Action {
        let turned = self.sealed().zip(turn.side).and_then(|(deal, side)| {
            let among = deal.context().dealt_in().iter().position(|dealt_in| dealt_in == seat)?;
            let seed = self.seeds.get(&self.deals)?.get(among)?;
            let number = seat.index() as u8;
            let secrets = DealSecrets::derive(seed, deal.context().t0(), number);
            side_of(&secrets, deal.t1(), &self.base, &side)
        });
        match turned {
            Some(turned) => with_side(action, turned),
            None => action,
        }
    }

    /// Takes the cards of a turn out of the hand's origins.
    pub(super) fn move_origins(&mut self, seat: Seat, mut origins: Vec<Origin>, action: Action) {
        if let Some(span) = action.span()
            && span.last() < origins.len()
        {
            origins.drain(span.first()..=span.last());
        }
        if let Some(own) = self.origins.get_mut(seat.index()) {
            *own = origins;
        }
    }

    /// The origins of hands that have just been dealt.
    pub(super) fn dealt_origins(&self) -> Vec<Vec<Origin>> {
        let context = self.deal.context();
        let of = |seat| context.positions(seat, self.dealt_rounds).into_iter().map(Origin::Dealt);
        self.players.seats().map(|seat| of(seat).collect()).collect()
    }
}

impl Origin {
    fn position(&self) -> Option<u8> {
        match self {
            Origin::Dealt(position) => Some(*position),
            Origin::Scouted { .. } => None,
        }
    }
}

/// The action with the side its scouted card was taken up with.
pub(crate) fn with_side(action: Action, turned: bool) -> Action {
    let side = if turned { Side::Flipped } else { Side::AsItLay };
    match action {
        Action::Scout(scout) => Action::Scout(Scout { side, ..scout }),
        Action::ScoutAndShow(scout, span) => Action::ScoutAndShow(Scout { side, ..scout }, span),
        other => other,
    }
}
