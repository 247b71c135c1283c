//! At the table: what the table says, and what is said to it beside the game.

use super::{
    Effect,
    pick::Pick,
    score,
    table::{Draft, TablePage, Told},
};
use crate::{
    game::{Action, Game, Round, Stage},
    protocol::{
        chat::LineError,
        session::News,
        table::{Fact, Phase, hide_side},
    },
    run::{FromPlayer, Snapshot, ToPlayer},
    ui::words,
};

/// Most moves that are shown one after another: whoever comes back to a table sees the end at once.
const MOVES_MAX: usize = 8;

/// Most lines of the log that are kept.
const LOG_MAX: usize = 500;

impl TablePage {
    /// A line typed to the others, or `/mute Ben`: what is to be said, if anything.
    ///
    /// # Errors
    /// Why it cannot be said.
    pub fn say(&mut self, text: &str) -> Result<Option<FromPlayer>, String> {
        let text = text.trim();
        let (word, whom) = text.split_once(' ').unwrap_or((text, ""));
        if word == "/mute" {
            let whom = self.story.seat_called(whom.trim());
            let told = self.chat.mute(&self.story, self.now.seat, whom);
            self.write(told);
            return Ok(None);
        }
        let line = text.parse().map_err(|error: LineError| error.to_string())?;
        Ok(Some(FromPlayer::Say(line)))
    }

    /// The table says something. Moves of others are shown one after another: what comes while one
    /// is looked at waits.
    pub fn told(&mut self, told: ToPlayer) -> Vec<Effect> {
        if self.paused && (self.is_move(&told) || !self.held.is_empty()) {
            self.held.push_back(told);
            let moves = self.held.iter().filter(|told| self.is_move(told)).count();
            return if moves > MOVES_MAX { self.skip() } else { Vec::new() };
        }
        self.paused |= self.is_move(&told);
        self.take(told)
    }

    /// A move has been looked at long enough: the next one, with what belongs to it.
    pub fn next_move(&mut self) -> Vec<Effect> {
        let mut effects = Vec::new();
        self.paused = false;
        while let Some(told) = self.held.pop_front() {
            self.paused = self.is_move(&told);
            effects.extend(self.take(told));
            if self.paused && self.held.iter().any(|told| self.is_move(told)) {
                return effects;
            }
        }
        effects
    }

    /// Shows at once what waits.
    pub fn skip(&mut self) -> Vec<Effect> {
        self.paused = false;
        let held = std::mem::take(&mut self.held);
        held.into_iter().flat_map(|told| self.take(told)).collect()
    }

    /// Whether this is a move that another player makes at the table.
    fn is_move(&self, told: &ToPlayer) -> bool {
        matches!(told, ToPlayer::News(News::Fact(Fact::Acted { seat, action, .. }))
            if *seat != self.now.seat && !matches!(action, Action::Keep | Action::Flip))
    }

    fn take(&mut self, told: ToPlayer) -> Vec<Effect> {
        match told {
            ToPlayer::News(News::Fact(fact)) => self.fact(&fact),
            ToPlayer::News(News::Chat { seat, line }) => {
                if let Some(line) = self.chat.heard(&self.story, seat, line) {
                    self.write(line);
                }
            }
            ToPlayer::News(news) => {
                if let Some(line) = words::news(&self.story, &self.now, &news) {
                    self.write(line);
                }
            }
            ToPlayer::NotTaken(reason) => {
                self.sent = false;
                self.note = Some(reason);
            }
            ToPlayer::NotSaid(reason) => self.write(reason),
            ToPlayer::ChangedKey(person) => self.write(words::changed_key(&person)),
            ToPlayer::Evidence(path) => self.write(words::evidence(&path)),
            ToPlayer::Invite(line) => self.write(words::other_ways(&line)),
            ToPlayer::Note(text) => self.write(text),
            ToPlayer::Disk(error) => self.write(format!("The disk: {error}")),
            ToPlayer::State(now) => return self.state(*now),
        }
        Vec::new()
    }

    fn fact(&mut self, fact: &Fact) {
        for line in self.story.tell(fact) {
            self.write(line);
        }
        match fact {
            Fact::Acted { seat, action, shown } if *seat != self.now.seat => {
                // How the table stands after this move, until the table tells the rest.
                let after = self.now.view.apply(*seat, hide_side(*action), shown);
                if let Ok(view) = after {
                    self.now.view = view;
                    if let Stage::Turn(turn) = view.stage() {
                        (self.now.awaited, self.now.asks) = (vec![turn], false);
                    }
                }
            }
            Fact::RoundOver { round, ending, points } => {
                self.pages.push_back(score::round_page(&self.story, *round, *ending, points));
            }
            Fact::Complete => self.pages.push_back(score::game_page(&self.story)),
            _ => {}
        }
    }

    pub(super) fn write(&mut self, text: String) {
        self.log.push(Told { text, fresh: true });
        self.log.drain(..self.log.len().saturating_sub(LOG_MAX));
        if self.back > 0 {
            // Who looks at older lines goes on looking at them.
            self.back = (self.back + 1).min(self.log.len() - 1);
        }
    }

    fn state(&mut self, now: Snapshot) -> Vec<Effect> {
        let claims = words::claims(&self.story, &self.now, &now);
        for line in words::presence(&self.story, &self.now, &now).into_iter().chain(claims) {
            self.write(line);
        }
        let asked = (self.now.asks && !self.sent, self.now.phase);
        let round_of =
            |game: &Game| game.round().map(|round| (*round.hand(now.seat), game.round_number()));
        if round_of(&self.now.view) != round_of(&now.view) {
            self.draft = Draft::Show(Pick::default());
            self.flip &= now.phase == Phase::Choice;
        } else if self.round().and_then(Round::active) != now.view.round().and_then(Round::active)
            && !matches!(self.draft, Draft::Show(_))
        {
            self.draft = Draft::Show(Pick::default());
        }
        // Others may have had their turns already: the game has moved, so the decision was taken.
        if !now.asks || now.phase != self.now.phase || now.view != self.now.view {
            self.sent = false;
            self.note = None;
        }
        self.now = now;
        let asks = self.now.asks && !self.sent && !self.watching;
        let plays = matches!(self.now.phase, Phase::Choice | Phase::Turn(_));
        if asks && plays && asked != (true, self.now.phase) {
            return vec![Effect::Bell, Effect::Title("fairdeal: your turn".into())];
        }
        if asked.0 && !asks { vec![Effect::Title("fairdeal".into())] } else { Vec::new() }
    }
}
