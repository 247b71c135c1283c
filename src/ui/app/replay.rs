//! A recorded game to step through: every state is worked out once, moving only counts.

use std::{path::Path, time::Duration};

use crate::{
    game::{Action, Game, Players, Round, Seat, Slot, Stage},
    protocol::{
        lobby::Roster,
        log::verify::{Wrong, read, read_open},
        table::{Fact, Phase, Table},
    },
    ui::{keymap::Command, story::Story},
};

/// One fact of the game, and where everything is after it.
#[derive(Debug, Clone)]
pub struct Step {
    /// The round, from 1; 0 before the first deal.
    pub round: u8,
    /// Turns taken in the round.
    pub turn: u32,
    /// What happened, in a line.
    pub words: String,
    /// How the points of a round come about, a line a seat.
    pub reckoning: Vec<String>,
    /// The game with every card that the log reveals.
    pub open: Game,
    /// The game as everyone at the table saw it.
    pub public: Game,
    /// Who has just scouted, and where the card is in that hand.
    pub fresh: Option<(Seat, usize)>,
}

/// What reading the file has shown.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Verdict {
    /// All records are right and the game is complete; how many there are.
    Complete(u32),
    /// All are right, and the game is unfinished.
    Unfinished(u32),
    /// The first thing wrong.
    Wrong(String),
    /// It is being played, or just was; whether it is complete.
    Watched(bool),
}

/// Whose hands are shown.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Shown {
    /// This seat's alone.
    One(Seat),
    /// All, as far as the log reveals them.
    All,
    /// None: all as the table could see them.
    Hidden,
}

/// A recorded game, at one of its steps.
#[derive(Debug, Clone)]
pub struct Replay {
    /// The file's name.
    pub title: String,
    /// What reading it has shown.
    pub verdict: Verdict,
    /// Knows the names.
    pub story: Story,
    /// The steps, at least one.
    pub steps: Vec<Step>,
    /// The step that is shown, from 0.
    pub at: usize,
    /// Whose hands are shown.
    pub shown: Shown,
    /// Whether it goes on by itself.
    pub playing: bool,
    /// Which of [`SPEEDS`] it goes on at.
    pub speed: usize,
    /// Of a game that is watched: what follows its facts.
    live: Option<Walk>,
}

/// How fast a game can go on by itself: the pause after a step in milliseconds, and its name.
pub const SPEEDS: [(u64, &str); 5] = [
    (3000, "half speed"),
    (1500, "speed 1"),
    (750, "speed 2"),
    (375, "speed 4"),
    (150, "speed 10"),
];

/// Follows the facts of a log.
#[derive(Debug, Clone)]
struct Walk {
    story: Story,
    open: Game,
    turn: u32,
    steps: Vec<Step>,
}

impl Replay {
    /// What a game from this file is called.
    pub fn title(path: &Path) -> String {
        path.file_name().unwrap_or_default().to_string_lossy().into_owned()
    }

    /// A game from the bytes of its log, at its beginning. Where something is wrong with it, what
    /// comes before that can be looked at, with the hands as the table saw them.
    ///
    /// # Errors
    /// [`Wrong`] where there is nothing to look at.
    pub fn read(bytes: &[u8], title: &str) -> Result<Replay, Wrong> {
        let mut walk: Option<Walk> = None;
        let mut each = |table: &Table, facts: &[Fact]| {
            let new = || Walk::new(table.roster(), table.players());
            let walk = walk.get_or_insert_with(new);
            facts.iter().for_each(|fact| walk.take(Some(table.game_open()), fact));
        };
        let ended = match read_open(bytes, |table, _, _, facts| each(table, facts)) {
            Ok(table) => Ok(table),
            Err(_) => read(bytes, |table, _, _, facts| each(table, facts)),
        };
        let (verdict, walk) = match (ended, walk) {
            (Ok(table), Some(walk)) if table.phase() == Phase::Complete => {
                (Verdict::Complete(table.length()), walk)
            }
            (Ok(table), Some(walk)) => (Verdict::Unfinished(table.length()), walk),
            (Err(wrong), Some(walk)) => (Verdict::Wrong(wrong.to_string()), walk),
            (Err(wrong), None) => return Err(wrong),
            (Ok(_), None) => return Err(Wrong::Empty),
        };
        Ok(Replay {
            title: title.into(),
            story: walk.story.clone(),
            steps: walk.finish(&verdict),
            verdict,
            at: 0,
            shown: Shown::All,
            playing: false,
            speed: 1,
            live: None,
        })
    }

    /// A game that is watched, at its beginning: the hands stay as the table sees them. `None` if
    /// the roster cannot be played.
    pub fn live(roster: &Roster) -> Option<Replay> {
        let mut walk = Walk::new(roster, roster.check().ok()?);
        Some(Replay {
            title: "watching".into(),
            story: walk.story.clone(),
            steps: std::mem::take(&mut walk.steps),
            verdict: Verdict::Watched(false),
            at: 0,
            shown: Shown::Hidden,
            playing: false,
            speed: 1,
            live: Some(walk),
        })
    }

    /// Something happened in the game that is watched. Whoever looks at its end goes along.
    pub fn fact(&mut self, fact: &Fact) {
        let Some(walk) = &mut self.live else { return };
        let last = self.at + 1 >= self.steps.len();
        walk.take(None, fact);
        self.steps.append(&mut walk.steps);
        if last {
            self.go(usize::MAX);
        }
        if *fact == Fact::Complete {
            self.verdict = Verdict::Watched(true);
        }
    }

    /// The step that is shown.
    pub fn step(&self) -> Option<&Step> {
        self.steps.get(self.at)
    }

    /// The hand of a seat as it is shown now.
    pub fn hand(&self, seat: Seat) -> Vec<Slot> {
        let Some(step) = self.step() else { return Vec::new() };
        let game = match self.shown {
            Shown::Hidden => &step.public,
            Shown::One(one) if one != seat => &step.public,
            _ => &step.open,
        };
        game.round().map(|round| round.hand(seat).iter().collect()).unwrap_or_default()
    }

    /// Who is to act at the step that is shown.
    pub fn awaited(&self) -> Vec<Seat> {
        let Some(step) = self.step() else { return Vec::new() };
        match step.open.stage() {
            Stage::Turn(seat) => vec![seat],
            Stage::Choice => step
                .open
                .round()
                .map(|round| round.to_choose().iter().collect())
                .unwrap_or_default(),
            _ => Vec::new(),
        }
    }

    /// Turns taken in a round, in all.
    pub fn turns(&self, round: u8) -> u32 {
        let of_round = self.steps.iter().filter(|step| step.round == round);
        of_round.map(|step| step.turn).max().unwrap_or_default()
    }

    /// How long the step is shown before the next, where the game goes on by itself.
    pub fn pause(&self) -> Option<Duration> {
        let (pause, _) = SPEEDS.get(self.speed)?;
        self.playing.then(|| Duration::from_millis(*pause))
    }

    /// Time has passed: the next step, where the game goes on by itself.
    pub fn tick(&mut self) {
        if self.playing {
            self.go(self.at + 1);
            self.playing = self.at + 1 < self.steps.len();
        }
    }

    /// Shows the deal of a round; false if it has not been dealt.
    pub fn to_round(&mut self, round: u8) -> bool {
        let found = self.steps.iter().position(|step| step.round == round);
        self.at = found.unwrap_or(self.at);
        found.is_some()
    }

    /// Shows a turn of the round: the state after it; 0 is the deal.
    ///
    /// # Errors
    /// In words, where there is no such turn.
    pub fn to_turn(&mut self, text: &str) -> Result<(), String> {
        let round = self.step().map_or(0, |step| step.round);
        let turns = self.turns(round);
        let asked: Option<u32> = text.trim().parse().ok();
        let found = asked.and_then(|turn| {
            self.steps.iter().position(|step| (step.round, step.turn) == (round, turn))
        });
        match found {
            Some(at) => self.go(at),
            None => return Err(format!("the round has the turns 0 to {turns}")),
        }
        Ok(())
    }

    fn go(&mut self, at: usize) {
        self.at = at.min(self.steps.len().saturating_sub(1));
    }

    /// A key of the replay.
    pub fn command(&mut self, command: Command) {
        let (at, round) = (self.at, self.step().map_or(0, |step| step.round));
        match command {
            Command::Right => self.go(at + 1),
            Command::Left => self.go(at.saturating_sub(1)),
            Command::First => self.at = 0,
            Command::Last => self.go(usize::MAX),
            Command::RoundOn => {
                let dealt = self.to_round(round + 1);
                if !dealt {
                    self.go(usize::MAX);
                }
            }
            Command::RoundBack => {
                // First to the deal of this round, then to the one before.
                self.to_round(round);
                if self.at == at {
                    self.to_round(round.saturating_sub(1));
                }
            }
            Command::Play => {
                self.playing = !self.playing;
                if self.playing && at + 1 >= self.steps.len() {
                    self.at = 0;
                }
                return;
            }
            Command::Faster => self.speed = (self.speed + 1).min(SPEEDS.len() - 1),
            Command::Slower => self.speed = self.speed.saturating_sub(1),
            Command::Seat(number) => {
                let seat = Seat::from_number(number);
                let here = seat.filter(|seat| self.story.game().players().has(*seat));
                self.shown = here.map_or(self.shown, Shown::One);
            }
            Command::ShowAll => self.shown = Shown::All,
            Command::HideAll => self.shown = Shown::Hidden,
            _ => {}
        }
        // Whoever moves by hand wants to look.
        self.playing &= self.at == at;
    }
}

impl Walk {
    fn new(roster: &Roster, players: Players) -> Walk {
        let story = Story::new(roster, players);
        let names: Vec<String> = players.seats().map(|seat| story.name(seat)).collect();
        let mut walk = Walk { story, open: Game::new(players), turn: 0, steps: Vec::new() };
        walk.push(format!("The table: {}.", names.join(", ")), Vec::new(), None);
        walk
    }

    /// Notes a fact. `known` is the game with every card that is to be shown, as it is after the
    /// record, which may have given several facts; without it only what the table sees is.
    fn take(&mut self, known: Option<&Game>, fact: &Fact) {
        let mut lines = self.story.tell(fact).into_iter();
        match fact {
            Fact::Acted { action, .. } => self.turn += u32::from(!action.is_choice()),
            Fact::Dealt { .. } => self.turn = 0,
            _ => {}
        }
        self.open = match (known, fact) {
            (None, _) => *self.story.game(),
            (Some(known), Fact::Acted { seat, action, shown }) => {
                self.open.apply(*seat, *action, shown).unwrap_or(*known)
            }
            (Some(known), Fact::Dealt { .. } | Fact::RoundOver { .. }) => *known,
            _ => self.open,
        };
        let Some(words) = lines.next() else { return };
        let fresh = match fact {
            Fact::Acted { seat, action: Action::Scout(scout), .. } => {
                Some((*seat, usize::from(scout.place)))
            }
            _ => None,
        };
        self.push(words, lines.collect(), fresh);
    }

    fn push(&mut self, words: String, reckoning: Vec<String>, fresh: Option<(Seat, usize)>) {
        let (open, public) = (self.open, *self.story.game());
        let round = open.round_number();
        self.steps.push(Step { round, turn: self.turn, words, reckoning, open, public, fresh });
    }

    /// The steps, the last of them saying how the file ends where it does not with the result.
    fn finish(mut self, verdict: &Verdict) -> Vec<Step> {
        match verdict {
            Verdict::Complete(_) | Verdict::Watched(_) => {}
            Verdict::Unfinished(_) => {
                let words = "The record ends here; the game is unfinished.";
                self.push(words.into(), Vec::new(), None);
            }
            Verdict::Wrong(why) => {
                self.push(format!("What follows is wrong: {why}"), Vec::new(), None);
            }
        }
        self.steps
    }
}

impl Step {
    /// The round that is played or was played last.
    pub fn played(&self) -> Option<&Round> {
        self.open.round()
    }
}

impl std::fmt::Display for Verdict {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Verdict::Complete(records) => write!(f, "verified: {records} records, complete"),
            Verdict::Unfinished(records) => write!(f, "verified: {records} records, unfinished"),
            Verdict::Wrong(why) => write!(f, "WRONG: {why}"),
            Verdict::Watched(false) => f.write_str("you watch; live"),
            Verdict::Watched(true) => f.write_str("you watched; the game is over"),
        }
    }
}
