//! Whether a signed record is right against the records before it.

use super::{Deal, Phase, Table};
use crate::{
    game::{Action, Seat, Side},
    planted::{Bug, planted},
    protocol::{
        crypto::hash::{Hash, hash},
        log::record::{Body, Record},
    },
};

/// The commitment of a seat to keep (false) or flip (true): `H("choice", base, seat, bit, salt)`.
pub fn choice_commitment(base: &Hash, seat: Seat, flip: bool, salt: &Hash) -> Hash {
    hash("choice", &[base, &[seat.index() as u8], &[u8::from(flip)], salt])
}

/// The turn that a text in the notation says.
pub(super) fn parse_turn(text: &str) -> Result<Action, String> {
    let action: Action = text.parse().map_err(|error| format!("{text:?}: {error}"))?;
    if matches!(action, Action::Keep | Action::Flip) || action.to_string() != text {
        return Err(format!("{text:?} is not a turn in the notation"));
    }
    Ok(action)
}

impl Table {
    /// What is wrong with `record` of `seat`, which stands on the open base.
    pub(super) fn check(&self, seat: Seat, record: &Record) -> Result<(), String> {
        let kind = record.body.kind();
        let asked = self.phase.kind();
        if asked != Some(kind) || !self.expected().contains(&seat) {
            let asked = asked.map_or("nothing", |kind| kind.name());
            return Err(format!("signed a {} where the table asks for a {asked}", kind.name()));
        }
        if record.state != self.state && !planted(Bug::AnyState) {
            return Err("signed another state of the game than the records give".into());
        }
        self.check_body(seat, &record.body)
    }

    fn check_body(&self, seat: Seat, body: &Body) -> Result<(), String> {
        let sealed = matches!(self.deal, Deal::Sealed(_));
        if body.is_sealed().is_some_and(|only| only != sealed) && self.deals > 0 {
            return Err(format!("signed a {} of another sort of deal", body.kind().name()));
        }
        match body {
            Body::ChoiceOpen { flip, salt } => {
                let opened = choice_commitment(&self.choice_base, seat, *flip, salt);
                if self.choice_of(seat) == Some(&opened) || planted(Bug::AnyChoice) {
                    Ok(())
                } else {
                    Err("opened another choice than it committed to".into())
                }
            }
            Body::Action(text) => {
                let action = parse_turn(text)?;
                if action.scout().is_some_and(|scout| scout.side == Side::Hidden) {
                    return Err(format!("{text}: the side of a scouted card is missing"));
                }
                let applied = self.full.apply(seat, action, &[]);
                applied.map(|_| ()).map_err(|illegal| format!("{text}: {illegal}"))
            }
            Body::SealedAction(turn) => self.check_sealed_turn(seat, turn),
            Body::Stuck(opening) => self.check_stuck(seat, opening),
            Body::RoundEnd(points) | Body::RoundEndBack { points, .. } => {
                if let Body::RoundEndBack { returns, .. } = body {
                    self.check_returns(returns)?;
                }
                let right = self.round_points();
                if right.as_ref() == Some(points) {
                    Ok(())
                } else {
                    Err(format!("signed the points {points:?}, the round gives {right:?}"))
                }
            }
            Body::Result { points, winners } => {
                let (totals, best) = self.result();
                if *points == totals && *winners == best {
                    Ok(())
                } else {
                    Err(format!("signed the result {points:?}, the rounds give {totals:?}"))
                }
            }
            _ => self.check_deal(seat, body),
        }
    }

    /// The records of a deal before and after play.
    fn check_deal(&self, seat: Seat, body: &Body) -> Result<(), String> {
        let checked = match (&self.deal, body) {
            (Deal::Open(deal), Body::Reveal(seed)) => {
                return if deal.opens(seat, seed) || planted(Bug::AnySeed) {
                    Ok(())
                } else {
                    Err("revealed a seed that is not the one it committed to".into())
                };
            }
            (Deal::Sealed(deal), Body::Seal(body)) => deal.check_commitment(seat, body),
            (Deal::Sealed(deal), Body::Shuffle(body)) => deal.check_shuffle(seat, body),
            (Deal::Sealed(deal), Body::Ready(ready)) if ready.deal != *deal.context().t0() => {
                return Err("is ready for another deal".into());
            }
            (Deal::Sealed(deal), Body::Ready(ready)) => deal.check_ready(&ready.deck),
            (Deal::Sealed(deal), Body::Shares(body)) => {
                deal.check_shares(seat, self.dealt_rounds + 1, body)
            }
            (Deal::Sealed(deal), Body::Reveal(seed)) => deal.check_seed(seat, seed),
            _ => Ok(()),
        };
        checked.map_err(|error| error.to_string())
    }

    /// The points of the round that is over, by seat.
    pub fn round_points(&self) -> Option<Vec<i32>> {
        let points = self.game.points_of(self.game.round_number())?;
        Some(points.as_slice().to_vec())
    }

    /// The totals by seat and the seats (from 0) that have the most; none of a game that ended
    /// early.
    pub fn result(&self) -> (Vec<i32>, Vec<u8>) {
        let winners = self.game.winners();
        (
            self.game.totals().as_slice().to_vec(),
            winners.iter().map(|seat| seat.index() as u8).collect(),
        )
    }

    /// Whether the phase asks the player for a decision, not the program.
    pub fn asks_player(&self) -> bool {
        matches!(self.phase, Phase::Choice | Phase::Turn(_))
    }
}
