//! At the table: what the player sees, has chosen and is about to do.

use std::collections::VecDeque;

use super::{
    Effect,
    pick::Pick,
    said::{self, Said},
    score::Page,
};
use crate::{
    game::{Action, End, Illegal, Players, Round, Scout, Side, Slot, Span},
    protocol::table::{Fact, Phase},
    run::{Again, FromPlayer, Snapshot, ToPlayer},
    ui::{
        chat::Chat,
        keymap::{Command, Mode},
        story::Story,
        words,
    },
};

/// Lines of the log that a key goes back.
const LOG_STEP: usize = 4;

/// What the player is about to do: nothing of it has left this program.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Draft {
    /// Cards of the hand to be shown.
    Show(Pick),
    /// A scouted card and where it goes; and whether a show follows.
    Scout(Scout, bool),
    /// A scouted card, placed, and the cards of the new hand to be shown.
    ScoutShow(Scout, Pick),
}

/// A line of the log.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Told {
    /// What happened.
    pub text: String,
    /// Whether it did since the player's last decision.
    pub fresh: bool,
}

/// A table with a player in front of it.
#[derive(Debug, Clone)]
pub struct TablePage {
    /// How it stands.
    pub now: Snapshot,
    /// Follows the facts.
    pub story: Story,
    /// What happened, the newest last.
    pub log: Vec<Told>,
    /// How many of the newest lines are passed over, to look at older ones.
    pub back: usize,
    /// What the table has said and is not shown yet: moves come one after another.
    pub held: VecDeque<ToPlayer>,
    /// Whether a move of another player is being looked at.
    pub paused: bool,
    /// What the players say.
    pub chat: Chat,
    /// What is about to be done.
    pub draft: Draft,
    /// Keep (false) or flip (true), while that is to be chosen.
    pub flip: bool,
    /// Whether a decision is under way to the table.
    pub sent: bool,
    /// Why the last key did nothing.
    pub note: Option<String>,
    /// Points to be looked at, the first in front.
    pub pages: VecDeque<Page>,
    /// Whether the game is complete and its file written.
    pub over: bool,
    /// How it stands with the next table of the same people, after the game.
    pub again: Option<Again>,
    /// Whether the player wants to sit at it.
    pub wished: bool,
    /// Whether this program's bot plays the seat.
    pub watching: bool,
}

impl TablePage {
    /// A player sits down at a table that stands like `now`, after these facts.
    pub fn new(now: Snapshot, past: &[Fact], watching: bool) -> TablePage {
        let mut story = Story::new(&now.roster, now.view.players());
        let lines = past.iter().flat_map(|fact| story.tell(fact));
        let log = lines.map(|text| Told { text, fresh: false }).collect();
        TablePage {
            story: story.at(now.view),
            now,
            log,
            back: 0,
            held: VecDeque::new(),
            paused: false,
            chat: Chat::default(),
            draft: Draft::Show(Pick::default()),
            flip: false,
            sent: false,
            note: None,
            pages: VecDeque::new(),
            over: false,
            again: None,
            wished: false,
            watching,
        }
    }

    /// What the keys do now.
    pub fn mode(&self) -> Mode {
        match (self.pages.front(), self.draft) {
            (Some(Page::Game { .. }), _) => Mode::End,
            (Some(Page::Round { .. }), _) => Mode::Score,
            _ if self.is_choosing() => Mode::Choice,
            (None, Draft::Show(_)) => Mode::Hand,
            (None, Draft::Scout(..)) => Mode::Scout,
            (None, Draft::ScoutShow(..)) => Mode::ScoutShow,
        }
    }

    /// Whether the player is asked to keep or flip.
    pub fn is_choosing(&self) -> bool {
        self.now.phase == Phase::Choice && self.now.asks && !self.sent && !self.watching
    }

    /// Whether the player is asked for a turn.
    pub fn is_asked(&self) -> bool {
        self.now.asks && !self.sent && !self.watching && matches!(self.now.phase, Phase::Turn(_))
    }

    /// How many play.
    pub fn players(&self) -> Players {
        self.now.view.players()
    }

    /// The running round, or the last one.
    pub fn round(&self) -> Option<&Round> {
        self.now.view.round()
    }

    /// The own hand as the draft has it, and the place of a scouted card in it.
    pub fn hand(&self) -> (Vec<Slot>, Option<usize>) {
        let Some(round) = self.round() else { return (Vec::new(), None) };
        let mut hand: Vec<Slot> = round.hand(self.now.seat).iter().collect();
        let Some(scout) = self.scout() else { return (hand, None) };
        let card = round.active().and_then(|set| set.end(scout.end));
        let Some(card) = card else { return (hand, None) };
        let place = usize::from(scout.place).min(hand.len());
        hand.insert(place, Slot::Seen(said::lying(card, scout)));
        (hand, Some(place))
    }

    /// Whether a letter of this place means something: a card, or where a scouted one goes.
    pub fn has_place(&self, place: u8) -> bool {
        let len = self.round().map_or(0, |round| round.hand(self.now.seat).len());
        usize::from(place) < len + usize::from(self.scout().is_some())
    }

    /// The scout of the draft.
    pub fn scout(&self) -> Option<Scout> {
        match self.draft {
            Draft::Show(_) => None,
            Draft::Scout(scout, _) | Draft::ScoutShow(scout, _) => Some(scout),
        }
    }

    /// The cards chosen in the hand that [`TablePage::hand`] gives.
    pub fn chosen(&self) -> Option<Span> {
        match self.draft {
            Draft::Show(pick) | Draft::ScoutShow(_, pick) => pick.span(),
            Draft::Scout(..) => None,
        }
    }

    /// The action the draft stands for, when it is whole.
    pub fn action(&self) -> Option<Action> {
        match self.draft {
            Draft::Show(pick) => pick.span().map(Action::Show),
            Draft::Scout(scout, false) => Some(Action::Scout(scout)),
            Draft::Scout(_, true) => None,
            Draft::ScoutShow(scout, pick) => {
                pick.span().map(|span| Action::ScoutAndShow(scout, span))
            }
        }
    }

    /// The places that the player could show now, as the draft stands.
    pub fn shows(&self) -> Vec<Span> {
        let mut spans = Vec::new();
        let Some(round) = self.round().filter(|_| self.is_asked()) else { return spans };
        match self.draft {
            Draft::Show(_) => round.for_each_show(|span| spans.push(span)),
            Draft::ScoutShow(scout, _) => round.for_each_action(|action| match action {
                Action::ScoutAndShow(with, span) if with == scout => spans.push(span),
                _ => {}
            }),
            Draft::Scout(..) => {}
        }
        spans
    }

    /// The lines above the footer.
    pub fn said(&self) -> Said {
        if let Some(note) = &self.note {
            return Said::Cannot(note.clone());
        }
        if self.watching {
            return Said::Hint("The bot plays your seat.".into());
        }
        if self.sent {
            return Said::Hint("Signed; waiting for the table.".into());
        }
        if self.is_choosing() {
            let words = if self.flip { "flips the whole hand" } else { "keeps the hand as dealt" };
            return Said::Will(words.into());
        }
        if !self.is_asked() {
            return Said::Hint(words::waiting(&self.story, &self.now));
        }
        let (game, own) = (&self.now.view, self.now.seat);
        match (self.draft, self.action()) {
            (_, Some(action)) => said::action(game, &self.story, own, action),
            (Draft::Scout(scout, true), _) => {
                match said::action(game, &self.story, own, Action::Scout(scout)) {
                    Said::Will(_) => Said::Will(said::placed(game, scout)),
                    other => other,
                }
            }
            (Draft::ScoutShow(..), _) => said::to_show(self.shows().len()),
            _ => Said::Hint(said::may(
                self.shows().len(),
                self.round().is_some_and(Round::can_scout),
            )),
        }
    }

    /// A key of the table. `per_row` is how many cards of the hand stand in one row.
    pub fn command(&mut self, command: Command, per_row: usize) -> Vec<Effect> {
        self.note = None;
        match command {
            Command::Older => {
                self.back = (self.back + LOG_STEP).min(self.log.len().saturating_sub(1));
                return Vec::new();
            }
            Command::Newer => {
                self.back = self.back.saturating_sub(LOG_STEP);
                return Vec::new();
            }
            _ => {}
        }
        match self.mode() {
            _ if command == Command::GoOn => self.go_on(),
            Mode::Choice => self.choose(command),
            Mode::Score | Mode::End => {
                if matches!(command, Command::Enter | Command::Back) {
                    self.pages.pop_front();
                }
                Vec::new()
            }
            _ => match self.draft {
                Draft::Show(pick) => self.in_hand(pick, command, per_row),
                Draft::Scout(scout, then) => self.in_scout(scout, then, command),
                Draft::ScoutShow(scout, pick) => self.in_scout_show(scout, pick, command, per_row),
            },
        }
    }

    /// Asks the others to go on without the seats that are silent.
    fn go_on(&mut self) -> Vec<Effect> {
        if self.now.overdue.is_empty() {
            self.note = Some(words::why_not_without(&self.story, &self.now));
        }
        let overdue = self.now.overdue.iter();
        overdue.map(|seat| Effect::Order(FromPlayer::GoOnWithout(*seat))).collect()
    }

    fn choose(&mut self, command: Command) -> Vec<Effect> {
        match command {
            Command::Up => self.flip = false,
            Command::Down => self.flip = true,
            Command::Turn => self.flip = !self.flip,
            Command::Enter => return self.send(FromPlayer::Choose(self.flip)),
            _ => {}
        }
        Vec::new()
    }

    fn send(&mut self, order: FromPlayer) -> Vec<Effect> {
        self.sent = true;
        self.draft = Draft::Show(Pick::default());
        self.log.iter_mut().for_each(|line| line.fresh = false);
        vec![Effect::Order(order), Effect::Title("fairdeal".into())]
    }

    /// Enter: sends the action if the rules allow it.
    fn act(&mut self) -> Vec<Effect> {
        if !self.is_asked() {
            self.note = Some("it is not your turn".into());
            return Vec::new();
        }
        let Some(action) = self.action() else { return Vec::new() };
        match said::action(&self.now.view, &self.story, self.now.seat, action) {
            Said::Will(_) => self.send(FromPlayer::Act(action)),
            Said::Cannot(why) | Said::Hint(why) => {
                self.note = Some(why);
                Vec::new()
            }
        }
    }

    fn in_hand(&mut self, pick: Pick, command: Command, per_row: usize) -> Vec<Effect> {
        match command {
            Command::Enter => return self.act(),
            Command::Back => self.draft = Draft::Show(Pick::default()),
            Command::Scout => self.begin_scout(pick, false),
            Command::ScoutShow => self.begin_scout(pick, true),
            command => self.draft = Draft::Show(self.picked(pick, command, per_row)),
        }
        Vec::new()
    }

    fn in_scout(&mut self, scout: Scout, then: bool, command: Command) -> Vec<Effect> {
        let len = self.round().map_or(0, |round| round.hand(self.now.seat).len()) as u8;
        let mut next = scout;
        match command {
            Command::Enter if then => {
                self.draft = Draft::ScoutShow(scout, Pick::default());
                return Vec::new();
            }
            Command::Enter => return self.act(),
            Command::Back => {
                self.draft = Draft::Show(Pick::default());
                return Vec::new();
            }
            Command::Left => next.place = scout.place.saturating_sub(1),
            Command::Right => next.place = (scout.place + 1).min(len),
            Command::Place(place) => next.place = place.min(len),
            Command::Turn => {
                next.side = if scout.side == Side::Flipped { Side::AsItLay } else { Side::Flipped };
            }
            Command::Next => match self.other_end(scout.end) {
                Some(end) => next.end = end,
                None => self.note = Some("there is only one card to scout".into()),
            },
            Command::ScoutShow => {
                match self.why_no_scout(!then) {
                    Some(why) => self.note = Some(why),
                    None => self.draft = Draft::Scout(scout, !then),
                }
                return Vec::new();
            }
            _ => {}
        }
        self.draft = Draft::Scout(next, then);
        Vec::new()
    }

    fn in_scout_show(
        &mut self,
        scout: Scout,
        pick: Pick,
        command: Command,
        per_row: usize,
    ) -> Vec<Effect> {
        match command {
            Command::Enter => return self.act(),
            Command::Back if pick.span().is_some() => {
                self.draft = Draft::ScoutShow(scout, Pick::default());
            }
            Command::Back => self.draft = Draft::Scout(scout, true),
            command => {
                self.draft = Draft::ScoutShow(scout, self.picked(pick, command, per_row));
            }
        }
        Vec::new()
    }

    /// The choice of cards after a key.
    fn picked(&self, pick: Pick, command: Command, per_row: usize) -> Pick {
        let len = self.hand().0.len();
        let row = per_row as i32;
        match command {
            Command::Place(place) if usize::from(place) < len => pick.letter(place),
            Command::Left => pick.moved(-1, false, len),
            Command::Right => pick.moved(1, false, len),
            Command::GrowLeft => pick.moved(-1, true, len),
            Command::GrowRight => pick.moved(1, true, len),
            Command::Up if len > per_row => pick.moved(-row, false, len),
            Command::Down if len > per_row => pick.moved(row, false, len),
            Command::Hold => pick.toggle_hold(len),
            Command::Next | Command::Before => {
                let shows = self.shows();
                let at = shows.iter().position(|span| Some(*span) == pick.span());
                let next = match (command, at) {
                    (Command::Next, Some(at)) => (at + 1) % shows.len(),
                    (Command::Next, None) => 0,
                    (_, Some(at)) if at > 0 => at - 1,
                    _ => shows.len().saturating_sub(1),
                };
                shows.get(next).map_or(pick, |span| Pick::of(*span))
            }
            _ => pick,
        }
    }

    fn other_end(&self, end: End) -> Option<End> {
        let set = self.round()?.active()?;
        let other = if end == End::Left { End::Right } else { End::Left };
        set.end(other).map(|_| other)
    }

    /// Why there is no scout (or scout-and-show) now.
    pub(super) fn why_no_scout(&self, then_show: bool) -> Option<String> {
        if !self.is_asked() {
            return Some("it is not your turn".into());
        }
        let (round, seat) = (self.round()?, self.now.seat);
        let illegal = if round.active().is_none() {
            Illegal::NothingToScout
        } else if then_show && self.players().are_two() {
            Illegal::ScoutAndShowOfTwo
        } else if then_show && !round.may_scout_and_show(seat) {
            Illegal::ScoutAndShowSpent(seat)
        } else if !round.can_scout() {
            Illegal::NoToken(seat)
        } else {
            return None;
        };
        Some(said::reason(&illegal, &self.story, seat))
    }

    fn begin_scout(&mut self, pick: Pick, then_show: bool) {
        match self.why_no_scout(then_show) {
            Some(why) => self.note = Some(why),
            None => {
                let place = pick.cursor().unwrap_or(0);
                let scout = Scout { end: End::Left, place, side: Side::AsItLay };
                self.draft = Draft::Scout(scout, then_show);
            }
        }
    }
}
