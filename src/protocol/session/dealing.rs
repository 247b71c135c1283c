//! This seat's part in the deal: what it commits to, shuffles, shares, opens and reads.
//!
//! The secrets of a deal follow from the game's secret. They are derived where they are needed
//! and zeroised at once; nothing else in a session holds them.

use super::Session;
use crate::{
    game::{Action, Ending, Hand, Round, Scout, Side, Span},
    protocol::{
        crypto::{
            commit::{seed, side_commitment},
            hash::{Hash, hash},
            keys::DealSecrets,
        },
        deal::wire::SealedTurn,
        log::record::Body,
        table::{Deal, Phase, hide_side, side_of, stalled_turn, with_side},
    },
};

impl Session {
    /// What a phase of the deal asks of this seat.
    pub(super) fn deal_duty(&self) -> Option<Body> {
        let hedge = self.hedge();
        let deal = match self.table.deal() {
            Deal::Open(deal) => {
                let seed = seed(&self.secret, deal.context().t0());
                return match self.table.phase() {
                    Phase::Commit => Some(Body::Commit(deal.commitment(self.seat, &seed))),
                    Phase::Reveal => Some(Body::Reveal(seed)),
                    _ => None,
                };
            }
            Deal::Sealed(deal) => deal,
        };
        let secrets = self.secrets();
        let round = self.table.round_of_deal() + 1;
        match self.table.phase() {
            Phase::Commit => Some(Body::Seal(deal.commitment(self.seat, &secrets, &hedge))),
            Phase::Shuffle(_) => deal.shuffle(&secrets, &hedge).ok().map(Body::Shuffle),
            Phase::Ready => deal.final_stage().ok().map(|stage| Body::Ready(*stage)),
            Phase::Shares => deal.shares(self.seat, round, &secrets, &hedge).ok().map(Body::Shares),
            Phase::Audit => Some(Body::Reveal(*secrets.seed())),
            Phase::Turn(_) => {
                let origins = self.table.origins(self.seat);
                let last = u8::try_from(origins.len()).ok()?.checked_sub(1)?;
                let whole = Span::new(0, last)?;
                self.table.open_cards(&secrets, origins, whole, &hedge).map(Body::Stuck)
            }
            _ => None,
        }
    }

    /// The record body of a turn.
    pub(super) fn turn(&self, action: Action) -> Option<Body> {
        let Deal::Sealed(deal) = self.table.deal() else {
            return Some(Body::Action(action.to_string()));
        };
        let secrets = self.secrets();
        let base = self.table.base();
        let side = action.scout().map(|Scout { side, .. }| {
            let (turned, salt) = (side == Side::Flipped, secrets.side_salt(base));
            side_commitment(deal.t1(), secrets.seat(), base, turned, &salt)
        });
        let origins = self.table.origins_after_scout(self.seat, action.scout(), side).ok()?;
        let hedge = self.hedge();
        let opening = match action.span() {
            Some(span) => Some(self.table.open_cards(&secrets, &origins, span, &hedge)?),
            None => None,
        };
        let action = hide_side(action).to_string();
        Some(Body::SealedAction(SealedTurn { action, side, opening }))
    }

    /// The own hand of a round that has just been dealt.
    pub(super) fn dealt_hand(&self) -> Hand {
        match self.table.deal() {
            Deal::Open(_) => {
                let round = self.table.game_open().round();
                round.map_or(Hand::EMPTY, |round| *round.hand(self.seat))
            }
            Deal::Sealed(deal) => {
                let hand = deal.own_hand(&self.secrets(), self.table.round_of_deal());
                debug_assert!(hand.is_ok(), "the own hand cannot be read: {hand:?}");
                hand.map(|cards| Hand::seen(&cards)).unwrap_or(Hand::EMPTY)
            }
        }
    }

    /// An own action with the side of its scouted card, which the log does not tell.
    pub(super) fn with_own_side(&self, action: Action, base: &Hash, bodies: &[Body]) -> Action {
        let hidden = action.scout().is_some_and(|scout| scout.side == Side::Hidden);
        let Deal::Sealed(deal) = self.table.deal() else { return action };
        let Some(Body::SealedAction(SealedTurn { side: Some(side), .. })) = bodies.first() else {
            return action;
        };
        match side_of(&self.secrets(), deal.t1(), base, side) {
            Some(turned) if hidden => with_side(action, turned),
            _ => action,
        }
    }

    /// Ends the round in this seat's view where the table has ended it as stalled.
    pub(super) fn learn_stalled(&mut self) {
        if let Some(stalled) = stalled_turn(self.table.game_open(), &self.view)
            && let Ok(over) = self.view.stall(stalled)
        {
            self.view = over;
        }
    }

    /// Whether this seat, to act in a game of two, can neither show nor scout.
    pub(super) fn is_stuck(&self) -> bool {
        let over = self.view.round().and_then(Round::over);
        self.table.phase() == Phase::Turn(self.seat) && over == Some(Ending::Stalled)
    }

    fn secrets(&self) -> DealSecrets {
        let t0 = self.table.deal().context().t0();
        let seed = zeroize::Zeroizing::new(seed(&self.secret, t0));
        DealSecrets::derive(&seed, t0, self.seat.index() as u8)
    }

    /// 32 random bytes for the proofs of the record at the open place.
    fn hedge(&self) -> Hash {
        hash("hedge", &[&self.entropy[..], self.table.base()])
    }
}
