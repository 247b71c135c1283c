//! Learning by doing: lessons at the table screen, each a fixed position with something to try.

use std::time::Duration;

use super::{
    lessons::LESSONS,
    pick::Pick,
    said::Said,
    score,
    table::{Draft, TablePage, Told},
};
use crate::{
    game::{Action, Game, Seat, Stage, notation::check},
    protocol::{
        crypto::identity::Identity,
        lobby::{DealKind, Join, LOG_VERSION, Roster, Terms},
        table::Phase,
    },
    run::{FromPlayer, Presence, Snapshot},
    ui::{
        app::Effect,
        keymap::{Command, Mode},
    },
};

/// A rule to be met by doing it.
#[derive(Debug)]
pub struct Lesson {
    /// The rule, in a few words.
    pub title: &'static str,
    /// The deal, in the notation; the player is seat 1.
    pub deal: &'static str,
    /// What has happened since, piece by piece.
    pub moves: &'static [&'static str],
    /// What to try.
    pub words: &'static str,
    /// What is wanted.
    pub goal: Goal,
    /// What is said when that is done.
    pub done: &'static str,
    /// What is said when something else was done that the rules allow.
    pub other: &'static str,
}

/// What a lesson wants; actions are in the notation.
#[derive(Debug)]
pub enum Goal {
    /// One of these actions.
    Do(&'static [&'static str]),
    /// Any scout, without a show.
    Scout,
    /// This show chosen, not yet done.
    Choose(&'static str),
    /// This key.
    Press(Command),
}

/// A lesson at its table.
#[derive(Debug, Clone)]
pub struct Learn {
    /// Which lesson, from 0.
    pub at: usize,
    /// The table.
    pub table: TablePage,
    /// Whether what was wanted is done.
    pub done: bool,
}

impl Goal {
    /// Whether an action is what is wanted.
    pub fn is(&self, action: Action) -> bool {
        match self {
            Goal::Do(wanted) => wanted.contains(&action.to_string().as_str()),
            Goal::Scout => matches!(action, Action::Scout(_)),
            Goal::Choose(_) | Goal::Press(_) => false,
        }
    }
}

impl Lesson {
    /// The game at the beginning of the lesson; `None` never, as a test holds.
    pub fn game(&self) -> Option<Game> {
        check(&format!("{}{}", self.deal, self.moves.concat()), |_, _| {}).ok()?.game().copied()
    }
}

impl Learn {
    /// The lesson of that number, from 0; `None` after the last.
    pub fn new(at: usize) -> Option<Learn> {
        let lesson = LESSONS.get(at)?;
        let now = seated(lesson.game()?)?;
        let mut learn = Learn { at, table: TablePage::new(now, &[], false), done: false };
        learn.tell(&[lesson.words]);
        Some(learn)
    }

    /// What the keys do now.
    pub fn mode(&self) -> Mode {
        if self.done { Mode::Score } else { self.table.mode() }
    }

    /// The line above the footer.
    pub fn said(&self) -> Said {
        match (self.done, self.at + 1 < LESSONS.len()) {
            (false, _) => self.table.said(),
            (true, true) => Said::Will("the next lesson".into()),
            (true, false) => Said::Will("leaves: you have had every lesson".into()),
        }
    }

    /// A key; false if the last lesson is over.
    pub fn command(&mut self, command: Command, per_row: usize) -> bool {
        if self.done {
            let to = match command {
                Command::Enter => self.at + 1,
                Command::Back => self.at,
                _ => return true,
            };
            let next = Learn::new(to);
            let more = next.is_some();
            *self = next.unwrap_or_else(|| self.clone());
            return more;
        }
        let Some(lesson) = LESSONS.get(self.at) else { return false };
        let effects = self.table.command(command, per_row);
        let action = effects.iter().find_map(|effect| match effect {
            Effect::Order(FromPlayer::Act(action)) => Some(*action),
            Effect::Order(FromPlayer::Choose(true)) => Some(Action::Flip),
            Effect::Order(FromPlayer::Choose(false)) => Some(Action::Keep),
            _ => None,
        });
        let chosen = self.table.action().map(|action| action.to_string());
        match (&lesson.goal, action) {
            (goal, Some(action)) if goal.is(action) => self.finish(lesson, Some(action)),
            (_, Some(_)) => {
                // It has not been done: the player is asked again.
                self.table.sent = false;
                self.tell_other(matches!(action, Some(Action::Scout(_))));
            }
            (Goal::Choose(wanted), None) if chosen.as_deref() == Some(wanted) => {
                self.finish(lesson, None);
            }
            (Goal::Choose(_), None) if chosen.is_some() => {
                // Another letter is another try, not the end of a range.
                let tried = self.table.chosen().map(Pick::of).unwrap_or_default();
                self.table.draft = Draft::Show(tried);
                self.tell_other(false);
            }
            (Goal::Press(wanted), None) if *wanted == command => self.finish(lesson, None),
            _ => {}
        }
        true
    }

    /// What was wanted is done; the game goes on by the action, if it was one.
    fn finish(&mut self, lesson: &Lesson, action: Option<Action>) {
        let table = &mut self.table;
        let after =
            action.and_then(|action| table.now.view.apply(table.now.seat, action, &[]).ok());
        if let Some(now) = after.and_then(seated) {
            table.story = table.story.clone().at(now.view);
            if let Some(finished) = now.view.finished(1) {
                let page = score::round_page(&table.story, 1, finished.ending, &finished.points);
                table.pages.push_back(page);
            }
            table.now = now;
        }
        table.sent = false;
        self.done = true;
        self.tell(&[lesson.done]);
    }

    /// Says that it was something else that was wanted, and of a scout that it was one.
    pub fn tell_other(&mut self, scouted: bool) {
        if let Some(lesson) = LESSONS.get(self.at) {
            let allowed = if scouted { "Scouting is allowed" } else { "Allowed" };
            self.tell(&[lesson.words, &lesson.other.replacen("Allowed", allowed, 1)]);
        }
    }

    /// The lesson's number and name, and these words.
    fn tell(&mut self, words: &[&str]) {
        let lesson = LESSONS.get(self.at).map_or("", |lesson| lesson.title);
        let title = format!("Lesson {} of {}: {lesson}", self.at + 1, LESSONS.len());
        let lines = words.iter().map(|words| (*words).to_string());
        let told = |text| Told { text, fresh: true };
        self.table.log = std::iter::once(title).chain(lines).map(told).collect();
    }
}

/// The table as the first seat sees it; `None` never, as a test holds.
fn seated(view: Game) -> Option<Snapshot> {
    let seat = Seat::new(0)?;
    let players = view.players();
    let join = |(seat, name): (Seat, &&str)| {
        let key = Identity::from_secret(&[seat.number(); 32]).public();
        Some(Join { key, name: name.parse().ok()?, nonce: [0; 32], kept_by: None })
    };
    let joins: Option<Vec<Join>> = players.seats().zip(&["Ana", "Ben", "Cy"]).map(join).collect();
    let (version, deal) = (LOG_VERSION, DealKind::Open);
    let terms = Terms { id: [0; 32], version, deal, clock_s: 0, patience_s: 0 };
    let (phase, awaited) = match view.stage() {
        Stage::Choice => (Phase::Choice, view.round()?.to_choose().iter().collect()),
        Stage::Turn(turn) => (Phase::Turn(turn), vec![turn]),
        _ => (Phase::Complete, Vec::new()),
    };
    Some(Snapshot {
        seat,
        game_id: [0; 32],
        roster: Roster { terms, number: 1, joins: joins? },
        phase,
        asks: awaited.contains(&seat),
        awaited,
        waited: Duration::ZERO,
        overdue: Vec::new(),
        claimed: Vec::new(),
        view,
        presence: players.seats().map(|_| Presence::Here).collect(),
        rtts: players.seats().map(|_| None).collect(),
        watching: 0,
    })
}
