//! This seat's part in the deal: what it commits to, shuffles, shares, opens and reads.
//!
//! The secrets of a deal follow from the game's secret. They are derived where they are needed
//! and zeroised at once; nothing else in a session holds them.

use super::Session;
use crate::{
    game::{Action, BySeat, Ending, Hand, Round, Scout, Side, Span, Stage},
    protocol::{
        crypto::{
            commit::{seed, side_commitment},
            hash::{Hash, hash},
            keys::DealSecrets,
        },
        deal::{sealed::SealedDeal, wire::SealedTurn},
        log::record::{Body, Ready},
        table::{Deal, Fact, Phase, hide_side, side_of, stalled_turn, with_side},
    },
};

impl Session {
    /// What a phase of the deal asks of this seat.
    pub(super) fn deal_duty(&self) -> Option<Body> {
        let hedge = self.hedge();
        let deal = match self.chain.table.deal() {
            Deal::Open(deal) => {
                let seed = seed(&self.secret, deal.context().t0());
                return match self.chain.table.phase() {
                    Phase::Commit => Some(Body::Commit(deal.commitment(self.seat, &seed))),
                    Phase::Reveal => Some(Body::Reveal(seed)),
                    _ => None,
                };
            }
            Deal::Sealed(deal) => deal,
        };
        let secrets = self.secrets();
        let round = self.chain.table.round_of_deal() + 1;
        match self.chain.table.phase() {
            Phase::Commit => Some(Body::Seal(deal.commitment(self.seat, &secrets, &hedge))),
            Phase::Shuffle(_) => deal.shuffle(&secrets, &hedge).ok().map(Body::Shuffle),
            Phase::Ready => {
                let (deal, deck) = (*deal.context().t0(), *deal.final_stage().ok()?);
                let ready = Ready { deal, deck };
                self.journal.may_use(&ready).then_some(Body::Ready(ready))
            }
            // A share opens cards of the one deck that this seat was ready for.
            Phase::Shares if !self.is_ready_for(deal) => None,
            Phase::Shares => deal.shares(self.seat, round, &secrets, &hedge).ok().map(Body::Shares),
            Phase::Audit => Some(Body::Reveal(*secrets.seed())),
            Phase::Turn(_) => {
                let origins = self.chain.table.origins(self.seat);
                let last = u8::try_from(origins.len()).ok()?.checked_sub(1)?;
                let whole = Span::new(0, last)?;
                self.chain.table.open_cards(&secrets, origins, whole, &hedge).map(Body::Stuck)
            }
            _ => None,
        }
    }

    fn is_ready_for(&self, deal: &SealedDeal) -> bool {
        let deck = deal.final_stage();
        deck.is_ok_and(|deck| self.journal.is_ready(deal.context().t0(), deck))
    }

    /// The record body of a turn.
    pub(super) fn turn(&self, action: Action) -> Option<Body> {
        let Deal::Sealed(deal) = self.chain.table.deal() else {
            return Some(Body::Action(action.to_string()));
        };
        let secrets = self.secrets();
        let base = self.chain.table.base();
        let side = action.scout().map(|Scout { side, .. }| {
            let (turned, salt) = (side == Side::Flipped, secrets.side_salt(base));
            side_commitment(deal.t1(), secrets.seat(), base, turned, &salt)
        });
        let origins = self.chain.table.origins_after_scout(self.seat, action.scout(), side).ok()?;
        let hedge = self.hedge();
        let opening = match action.span() {
            Some(span) => Some(self.chain.table.open_cards(&secrets, &origins, span, &hedge)?),
            None => None,
        };
        let action = hide_side(action).to_string();
        Some(Body::SealedAction(SealedTurn { action, side, opening }))
    }

    /// The own hand of a round that has just been dealt.
    pub(super) fn dealt_hand(&self) -> Hand {
        match self.chain.table.deal() {
            Deal::Open(_) => {
                let round = self.chain.table.game_open().round();
                round.map_or(Hand::EMPTY, |round| *round.hand(self.seat))
            }
            Deal::Sealed(deal) => {
                let hand = deal.own_hand(&self.secrets(), self.chain.table.round_of_deal());
                debug_assert!(hand.is_ok(), "the own hand cannot be read: {hand:?}");
                hand.map(|cards| Hand::seen(&cards)).unwrap_or(Hand::EMPTY)
            }
        }
    }

    /// An own action with the side of its scouted card, which the log does not tell.
    pub(super) fn with_own_side(&self, action: Action, base: &Hash, bodies: &[Body]) -> Action {
        let hidden = action.scout().is_some_and(|scout| scout.side == Side::Hidden);
        let Deal::Sealed(deal) = self.chain.table.deal() else { return action };
        let Some(Body::SealedAction(SealedTurn { side: Some(side), .. })) = bodies.first() else {
            return action;
        };
        match side_of(&self.secrets(), deal.t1(), base, side) {
            Some(turned) if hidden => with_side(action, turned),
            _ => action,
        }
    }

    /// Brings this seat's view of the game up to date with a fact.
    pub(super) fn learn(&mut self, fact: &Fact, base: &Hash, bodies: &[Body]) {
        let next = match fact {
            Fact::Dealt { start, .. } => {
                let own = self.dealt_hand();
                let present = self.chain.view.present();
                let size = crate::game::deck::hand_size(self.chain.table.players());
                let hands = BySeat::from_fn(self.chain.table.players(), |seat| {
                    if seat == self.seat {
                        own
                    } else if present.contains(seat) {
                        Hand::sealed(size)
                    } else {
                        Hand::EMPTY
                    }
                });
                self.chain.view.deal(*start, hands)
            }
            Fact::Acted { seat, action, shown } if *seat == self.seat => {
                let action = self.with_own_side(*action, base, bodies);
                self.chain.view.apply(*seat, action, shown)
            }
            Fact::Acted { seat, action, shown } => {
                self.chain.view.apply(*seat, hide_side(*action), shown)
            }
            Fact::Out { seat, pays, .. } if self.chain.view.stage() != Stage::Over => {
                self.chain.view.out_paying(*seat, *pays)
            }
            Fact::Back { seat } => self.chain.view.back(*seat),
            _ => return self.learn_stalled(),
        };
        debug_assert!(next.is_ok(), "the view refuses {fact:?}: {next:?}");
        if let Ok(next) = next {
            self.chain.view = next;
        }
        self.learn_stalled();
    }

    /// Ends the round in this seat's view where the table has ended it as stalled.
    pub(super) fn learn_stalled(&mut self) {
        if let Some(stalled) = stalled_turn(self.chain.table.game_open(), &self.chain.view)
            && let Ok(over) = self.chain.view.stall(stalled)
        {
            self.chain.view = over;
        }
    }

    /// Whether this seat, to act in a game of two, can neither show nor scout.
    pub(super) fn is_stuck(&self) -> bool {
        let over = self.chain.view.round().and_then(Round::over);
        self.chain.table.phase() == Phase::Turn(self.seat) && over == Some(Ending::Stalled)
    }

    fn secrets(&self) -> DealSecrets {
        let t0 = self.chain.table.deal().context().t0();
        let seed = zeroize::Zeroizing::new(seed(&self.secret, t0));
        DealSecrets::derive(&seed, t0, self.seat.index() as u8)
    }

    /// 32 random bytes for the proofs of the record at the open place.
    fn hedge(&self) -> Hash {
        hash("hedge", &[&self.entropy[..], self.chain.table.base()])
    }
}
