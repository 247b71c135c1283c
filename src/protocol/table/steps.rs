//! What a phase gives once every seat has filled it.

use super::{Deal, Fact, Phase, Table, checks::parse_turn};
use crate::{
    game::{
        Action, BySeat, Card, Ending, Finished, Game, Hand, Illegal, Round, Scout, Seat, Side,
        Stage, deck,
    },
    protocol::{
        crypto::hash::Hash,
        deal::{Context, open::OpenDeal, sealed::SealedDeal, wire::Shares},
        lobby::DealKind,
        log::record::Body,
    },
};

impl Table {
    /// Draws the conclusion from the records of a full phase and opens the next one.
    pub(super) fn complete_phase(&mut self) -> Vec<Fact> {
        let records = std::mem::take(&mut self.filled);
        let mut facts = Vec::new();
        let broken_off =
            if self.put_out(&records, &mut facts) { self.broken_off(&mut facts) } else { None };
        let own = records.iter().filter(|record| !record.is_verdict());
        let bodies: Vec<(Seat, &Body)> =
            own.filter_map(|signed| Some((signed.seat()?, &signed.record().body))).collect();
        self.phase = match broken_off {
            Some(phase) => phase,
            None => self.next_phase(&bodies, &mut facts),
        };
        self.note_phase(&records);
        self.base = self.head;
        self.state = self.game.digest();
        facts
    }

    fn next_phase(&mut self, records: &[(Seat, &Body)], facts: &mut Vec<Fact>) -> Phase {
        let bodies: Vec<&Body> = records.iter().map(|(_, body)| *body).collect();
        match self.phase {
            Phase::Sit => {
                facts.push(Fact::Seated);
                self.begin_deal()
            }
            Phase::Choice => {
                self.choice_base = self.base;
                let choices =
                    records.iter().filter_map(|(seat, body)| Some((*seat, committed(body)?)));
                self.choices = choices.collect();
                Phase::ChoiceOpen
            }
            Phase::ChoiceOpen => self.open_choices(records, facts),
            Phase::Turn(seat) => match bodies.first() {
                Some(body) => self.take_turn(seat, body, facts),
                None => self.next_turn(facts),
            },
            Phase::RoundEnd => self.end_round(&bodies, facts),
            Phase::Audit => {
                if bodies.len() == usize::from(self.deal.context().dealt_in().count()) {
                    facts.push(Fact::Audited { deal: self.deals });
                }
                self.after_deal()
            }
            Phase::Result => {
                facts.push(Fact::Complete);
                Phase::Complete
            }
            phase => self.advance_deal(phase, &bodies, facts),
        }
    }

    fn begin_deal(&mut self) -> Phase {
        self.deals += 1;
        self.begin_attempt(1)
    }

    /// Deals to the live seats, for the first time or once more.
    pub(super) fn begin_attempt(&mut self, attempt: u32) -> Phase {
        self.attempt = attempt;
        let number = (self.deals, attempt);
        let context = Context::among(&self.game_id, self.players, self.live(), number, &self.head);
        self.deal = match self.roster.terms.deal {
            DealKind::Open => Deal::Open(OpenDeal::new(context)),
            DealKind::Sealed => Deal::Sealed(Box::new(SealedDeal::new(context))),
        };
        self.dealt = None;
        self.dealt_rounds = 0;
        Phase::Commit
    }

    /// The phases from the first commitment to the cards.
    fn advance_deal(&mut self, phase: Phase, bodies: &[&Body], facts: &mut Vec<Fact>) -> Phase {
        let (players, dealt_in) = (self.players, self.deal.context().dealt_in());
        let first = players.first_from(Seat::FIRST, dealt_in).unwrap_or(Seat::FIRST);
        let round = self.dealt_rounds + 1;
        let next = match (phase, &mut self.deal) {
            (Phase::Commit, Deal::Open(deal)) => {
                deal.take_commitments(bodies.iter().copied().filter_map(committed).collect());
                Ok(Phase::Reveal)
            }
            (Phase::Reveal, Deal::Open(deal)) => {
                let seeds: Vec<Hash> = bodies.iter().copied().filter_map(committed).collect();
                self.dealt = Some(deal.reveal(&seeds));
                return self.deal_round(facts);
            }
            (Phase::Commit, Deal::Sealed(deal)) => {
                let all = bodies.iter().filter_map(|body| match body {
                    Body::Seal(commitment) => Some(commitment.clone()),
                    _ => None,
                });
                match deal.take_commitments(all.collect()) {
                    Ok(()) => Ok(Phase::Shuffle(first)),
                    Err(_) => return self.put_twins_out(bodies, facts),
                }
            }
            (Phase::Shuffle(seat), Deal::Sealed(deal)) => {
                let taken = match bodies.first() {
                    Some(Body::Shuffle(shuffle)) => deal.take_shuffle(seat, shuffle),
                    _ => Ok(()),
                };
                let next = dealt_in.iter().find(|next| *next > seat);
                taken.map(|()| next.map_or(Phase::Ready, Phase::Shuffle))
            }
            (Phase::Ready, Deal::Sealed(_)) => Ok(Phase::Shares),
            (Phase::Shares, Deal::Sealed(deal)) => {
                let all: Vec<Shares> = bodies
                    .iter()
                    .filter_map(|body| match body {
                        Body::Shares(shares) => Some(shares.clone()),
                        _ => None,
                    })
                    .collect();
                let known = self.seeds.get(&self.deals);
                let taken = deal.take_shares(round, &all).and_then(|()| {
                    self.dealt = known.map(|seeds| deal.reveal(seeds)).transpose()?;
                    Ok(())
                });
                if taken.is_ok() {
                    return self.deal_round(facts);
                }
                taken.map(|()| Phase::Choice)
            }
            (phase, _) => Ok(phase),
        };
        // Each record was checked when it was admitted.
        next.unwrap_or(phase)
    }

    /// Gives out the next round of the deal.
    fn deal_round(&mut self, facts: &mut Vec<Fact>) -> Phase {
        let drawn = match &self.deal {
            Deal::Open(_) => self.dealt.as_ref().map(|dealt| dealt.start),
            Deal::Sealed(deal) => deal.start(),
        };
        let start = self.game.next_start().or(drawn).unwrap_or(Seat::FIRST);
        let size = deck::hand_size(self.players);
        let dealt_in = self.deal.context().dealt_in();
        let sealed = BySeat::from_fn(self.players, |seat| {
            if dealt_in.contains(seat) { Hand::sealed(size) } else { Hand::EMPTY }
        });
        let round = usize::from(self.dealt_rounds);
        let known = self.dealt.as_ref().and_then(|dealt| dealt.rounds.get(round));
        let seen = known.map(|hands| hands.map(|_, hand| Hand::seen(hand)));
        self.dealt_rounds += 1;
        self.origins = self.dealt_origins();
        advance(&mut self.game, |game| game.deal(start, sealed));
        advance(&mut self.full, |full| full.deal(start, seen.unwrap_or(sealed)));
        facts.push(Fact::Dealt { round: self.game.round_number(), start });
        Phase::Choice
    }

    fn open_choices(&mut self, records: &[(Seat, &Body)], facts: &mut Vec<Fact>) -> Phase {
        for (seat, body) in records.iter().copied() {
            let Body::ChoiceOpen { flip, .. } = body else { continue };
            let action = if *flip { Action::Flip } else { Action::Keep };
            advance(&mut self.game, |game| game.apply(seat, action, &[]));
            advance(&mut self.full, |full| full.apply(seat, action, &[]));
            facts.push(Fact::Acted { seat, action, shown: Vec::new() });
        }
        self.next_turn(facts)
    }

    fn take_turn(&mut self, seat: Seat, body: &Body, facts: &mut Vec<Fact>) -> Phase {
        match body {
            Body::Action(text) => {
                let Ok(action) = parse_turn(text) else { return self.phase };
                let shown = self.shown_by(seat, action);
                self.apply_turn(seat, action, shown, facts);
                if let Some(stalled) = stalled_turn(&self.full, &self.game) {
                    advance(&mut self.game, |game| game.stall(stalled));
                }
            }
            Body::SealedAction(turn) => {
                let Ok((action, origins)) = self.read_sealed_turn(seat, turn) else {
                    return self.phase;
                };
                let opened = action.span().zip(turn.opening.as_ref());
                let shown =
                    opened.map(|(span, opening)| self.opened(seat, &origins, span, opening));
                let shown = shown.and_then(Result::ok).unwrap_or_default();
                let action = self.with_known_side(seat, action, turn);
                self.apply_turn(seat, action, shown, facts);
                self.move_origins(seat, origins, action);
            }
            Body::Stuck(_) => {
                advance(&mut self.game, |game| game.stall(seat));
                advance(&mut self.full, |full| full.stall(seat));
            }
            _ => return self.phase,
        }
        self.next_turn(facts)
    }

    fn apply_turn(&mut self, seat: Seat, action: Action, shown: Vec<Card>, facts: &mut Vec<Fact>) {
        advance(&mut self.full, |full| full.apply(seat, action, &shown));
        advance(&mut self.game, |game| game.apply(seat, hide_side(action), &shown));
        facts.push(Fact::Acted { seat, action, shown });
    }

    /// The cards that `action` of `seat` shows, as they lie in its hand.
    fn shown_by(&self, seat: Seat, action: Action) -> Vec<Card> {
        if action.span().is_none() {
            return Vec::new();
        }
        let after = self.full.apply(seat, action, &[]).ok();
        let round = after.as_ref().and_then(Game::round);
        round.and_then(Round::active).map(|set| set.cards().collect()).unwrap_or_default()
    }

    pub(super) fn next_turn(&mut self, facts: &mut Vec<Fact>) -> Phase {
        match self.game.stage() {
            Stage::Turn(seat) => Phase::Turn(seat),
            _ => {
                if let Some(&Finished { ending, points }) =
                    self.game.finished(self.game.round_number())
                {
                    facts.push(Fact::RoundOver { round: self.game.round_number(), ending, points });
                }
                Phase::RoundEnd
            }
        }
    }

    fn end_round(&mut self, bodies: &[&Body], facts: &mut Vec<Fact>) -> Phase {
        facts.push(Fact::RoundSigned { round: self.game.round_number() });
        self.take_back(bodies, facts);
        let sealed = matches!(self.deal, Deal::Sealed(_));
        if self.dealt_rounds < self.deal.context().rounds() {
            if self.game.is_abandoned() {
                return Phase::Result;
            }
            return if sealed { Phase::Shares } else { self.deal_round(facts) };
        }
        if sealed { Phase::Audit } else { self.after_deal() }
    }

    fn after_deal(&mut self) -> Phase {
        if self.game.stage() == Stage::Over { Phase::Result } else { self.begin_deal() }
    }
}

/// The hash that a commitment or a reveal carries.
fn committed(body: &Body) -> Option<Hash> {
    match body {
        Body::Commit(hash) | Body::Reveal(hash) | Body::Choice(hash) => Some(*hash),
        _ => None,
    }
}

/// The action as those see it who do not know which way up a scouted card was put.
pub fn hide_side(action: Action) -> Action {
    let hide = |scout: Scout| Scout { side: Side::Hidden, ..scout };
    match action {
        Action::Scout(scout) => Action::Scout(hide(scout)),
        Action::ScoutAndShow(scout, span) => Action::ScoutAndShow(hide(scout), span),
        other => other,
    }
}

/// Two players: the seat to act where `knowing` has ended the round because it can neither show nor
/// scout, and `other`, which does not know that hand, has not.
pub fn stalled_turn(knowing: &Game, other: &Game) -> Option<Seat> {
    let over = |game: &Game| game.round().and_then(Round::over);
    if over(knowing) == Some(Ending::Stalled) && over(other).is_none() {
        other.round().and_then(Round::turn)
    } else {
        None
    }
}

/// Replaces the state by what `step` makes of it. A refused step leaves it as it was: records
/// are checked before they are appended, so none is.
pub(super) fn advance(state: &mut Game, step: impl FnOnce(&Game) -> Result<Game, Illegal>) {
    let next = step(state);
    debug_assert!(next.is_ok(), "an admitted record was refused: {next:?}");
    if let Ok(next) = next {
        *state = next;
    }
}
