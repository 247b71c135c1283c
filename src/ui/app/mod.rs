//! The state of the screens, and what each event makes of it; no terminal, no clock, no network.

pub mod home;
pub mod input;
mod keys;
pub mod learn;
pub mod lessons;
pub mod lobby;
pub mod pick;
pub mod replay;
pub mod said;
pub mod score;
pub mod table;
mod told;
mod works;

use std::{collections::BTreeMap, path::PathBuf, time::Duration};

use ratatui::crossterm::event::KeyEvent;

use self::{
    home::{Facts, HomePage, Item},
    input::Input,
    learn::Learn,
    lobby::LobbyPage,
    replay::Replay,
    table::TablePage,
};
use super::{
    keymap::{Command, Mode},
    leave::Leaving,
    look::Look,
    screens, words,
};
use crate::{
    protocol::name::Name,
    run::{
        Begin, Ended, Failure, Found, FromPlayer, LobbyNews, LobbyOrder, Seated, Seen,
        SittingEvent, ToPlayer,
    },
    store::Checked,
};

/// What comes to the screens.
#[derive(Debug)]
pub enum Event {
    /// A key was pressed.
    Key(KeyEvent),
    /// A text was pasted.
    Paste(String),
    /// The terminal has another size: columns and rows.
    Size(u16, u16),
    /// The disk has been looked at.
    Facts(Facts),
    /// Something happened in a sitting.
    Sitting(SittingEvent),
    /// The sitting has ended: how its last game did.
    Ended(Ended),
    /// It did not come to a table, or it broke.
    Failed(Failure),
    /// A bug of ours ended the game; the panic has been told on the terminal that was given back.
    Broken,
    /// A recorded game that was asked for.
    Replay(Box<Replay>),
    /// A finished game has been checked.
    Checked(PathBuf, Checked),
    /// The tables that are to be found on this network now.
    Tables(Vec<Found>),
    /// The time that [`App::pause`] gave has passed.
    Tick,
}

impl From<SittingEvent> for Event {
    fn from(event: SittingEvent) -> Event {
        Event::Sitting(event)
    }
}

/// What the screens ask for.
#[derive(Debug, Clone)]
pub enum Effect {
    /// Sit down.
    Begin(Begin),
    /// Remember the player's name.
    Name(Name),
    /// Say this to the table.
    Order(FromPlayer),
    /// Say this to the lobby.
    Lobby(LobbyOrder),
    /// Play again with the same people.
    Again,
    /// Give up the seat in a lobby.
    LeaveLobby,
    /// This is to be said of the table that is being left.
    Parting(&'static str),
    /// Put this on the clipboard.
    Copy(String),
    /// Ring.
    Bell,
    /// The window's title.
    Title(String),
    /// Read this game.
    Read(PathBuf),
    /// Check these finished games, one after another.
    Check(Vec<PathBuf>),
    /// Look at the disk again.
    Look,
    /// Stop until continued.
    Suspend,
    /// Leave the program; whether by Ctrl-C.
    Exit(bool),
}

/// What is on the screen.
#[derive(Debug, Clone)]
pub enum Page {
    /// The home screen.
    Home,
    /// A list of games to go on with or to read.
    List(Item, usize),
    /// A recorded game.
    Replay(Box<Replay>),
    /// Something is under way, in words.
    Wait(String),
    /// Before a game.
    Lobby(Box<LobbyPage>),
    /// In a game.
    Table(Box<TablePage>),
    /// In a lesson.
    Learn(Box<Learn>),
}

/// What lies over it.
#[derive(Debug, Clone)]
pub enum Over {
    /// Rules and keys, from this line.
    Help(usize),
    /// "Leave?"
    Leave,
    /// "Begin with free seats?"
    Begin,
    /// The player's name is asked for, and what follows.
    Name(Input, Option<String>, Box<Begin>),
    /// The line of a host is asked for.
    Join(Input, Option<String>),
    /// The number of a turn is asked for.
    Jump(Input, Option<String>),
    /// A line to the others.
    Talk(Input, Option<String>),
    /// Something to know.
    Note(String),
}

/// How long a move of another player is looked at before the next one comes; any key goes on.
const PACE: Duration = Duration::from_millis(600);

/// The screens.
#[derive(Debug, Clone)]
pub struct App {
    /// What the terminal can show.
    pub look: Look,
    /// Columns and rows.
    pub size: (u16, u16),
    /// What the disk knows.
    pub facts: Facts,
    /// What checking the finished games has shown; `None` while one is being checked.
    pub checked: BTreeMap<PathBuf, Option<Checked>>,
    /// The home screen.
    pub home: HomePage,
    /// The tables of this network, while one is looked for.
    pub tables: Vec<Found>,
    /// Which of them is marked.
    pub table_at: usize,
    /// What is on the screen.
    pub page: Page,
    /// What lies over it.
    pub over: Option<Over>,
    /// Whether the program was started for one game: it ends with it.
    pub once: bool,
    /// Whether a left table is to end the program.
    pub leaving: bool,
    /// Whether a hint about the keyboard has been given.
    pub hinted: bool,
}

impl App {
    /// The screens of a program that has just started.
    pub fn new(look: Look, size: (u16, u16), facts: Facts) -> App {
        App {
            look,
            size,
            facts,
            checked: BTreeMap::new(),
            home: HomePage::default(),
            tables: Vec::new(),
            table_at: 0,
            page: Page::Home,
            over: None,
            once: false,
            leaving: false,
            hinted: false,
        }
    }

    /// Whether the terminal is too small to play on.
    pub fn is_cramped(&self) -> bool {
        self.size.0 < screens::COLUMNS_MIN || self.size.1 < screens::ROWS_MIN
    }

    /// What keys mean now.
    pub fn mode(&self) -> Mode {
        match (&self.over, &self.page) {
            (Some(Over::Help(_) | Over::Note(_)), _) => Mode::Reading,
            (Some(Over::Leave), _) => Mode::Leave,
            (Some(Over::Begin), _) => Mode::Begin,
            (Some(Over::Name(..) | Over::Join(..) | Over::Jump(..) | Over::Talk(..)), _) => {
                Mode::Typing
            }
            (None, Page::Home) => Mode::Home,
            (None, Page::List(..)) => Mode::List,
            (None, Page::Replay(_)) => Mode::Replay,
            (None, Page::Lobby(lobby)) if lobby.host => Mode::Lobby,
            (None, Page::Lobby(_) | Page::Wait(_)) => Mode::Guest,
            (None, Page::Table(table)) => table.mode(),
            (None, Page::Learn(learn)) => learn.mode(),
        }
    }

    /// After how long the screens go on by themselves, where they do.
    pub fn pause(&self) -> Option<Duration> {
        match (&self.over, &self.page) {
            (_, Page::Table(table)) if table.paused => Some(PACE),
            (None, Page::Replay(replay)) => replay.pause(),
            _ => None,
        }
    }

    /// The table in front of the player, of a game or a lesson.
    pub fn table(&self) -> Option<&TablePage> {
        match &self.page {
            Page::Table(table) => Some(table),
            Page::Learn(learn) => Some(&learn.table),
            _ => None,
        }
    }

    /// Asks which table to join.
    pub fn join(&mut self) -> Vec<Effect> {
        (self.tables, self.table_at) = (Vec::new(), 0);
        self.over = Some(Over::Join(Input::default(), None));
        Vec::new()
    }

    /// Whether the tables of this network are to be looked for.
    pub fn looks_around(&self) -> bool {
        matches!(self.over, Some(Over::Join(..)))
    }

    /// The first lesson.
    pub fn learn(&mut self) -> Vec<Effect> {
        match Learn::new(0) {
            Some(learn) => self.page = Page::Learn(Box::new(learn)),
            None => return self.go_home(),
        }
        Vec::new()
    }

    /// Sits down, after the name is known.
    pub fn begin(&mut self, begin: Begin) -> Vec<Effect> {
        if self.facts.name.is_none() && !matches!(begin, Begin::Resume(_)) {
            let text = self.facts.proposed.clone();
            self.over = Some(Over::Name(Input { text }, None, Box::new(begin)));
            return Vec::new();
        }
        self.page = Page::Wait(
            match begin {
                Begin::Alone { .. } => "Shuffling …",
                Begin::Host(_) => "Opening a table …",
                Begin::Join { .. } | Begin::Watch { .. } => "Looking for the table …",
                Begin::Resume(_) => "Going on with the game …",
            }
            .into(),
        );
        vec![Effect::Begin(begin)]
    }

    /// What leaving would do now; `None` where there is nothing to leave but the program.
    pub fn leaving_now(&self) -> Option<Leaving> {
        match &self.page {
            Page::Table(table) => (!table.over).then(|| Leaving::table(&table.now)),
            Page::Lobby(lobby) if lobby.host => {
                let people = lobby.joins.iter().filter(|join| join.kept_by.is_none()).count();
                Some(Leaving::Host(people.saturating_sub(1)))
            }
            Page::Lobby(lobby) if !lobby.watches => Some(Leaving::Guest),
            Page::Lobby(_) | Page::Wait(_) => Some(Leaving::Way),
            _ => None,
        }
    }

    /// Whether a key that does this is worth showing now: whether it does something.
    pub fn works(&self, command: Command) -> bool {
        if self.over.is_some() {
            return command != Command::Withdraw
                || self.leaving_now().is_some_and(Leaving::for_good);
        }
        match (&self.page, command) {
            (Page::Table(table), Command::Talk) => !table.over && !table.now.is_alone(),
            (Page::Lobby(lobby), Command::Talk) => lobby.talks(),
            (_, Command::Talk) => false,
            (Page::Lobby(lobby), command) => lobby.works(command),
            (Page::Table(table), command) => table.works(command),
            (Page::Learn(learn), command) => learn.done || learn.table.works(command),
            _ => true,
        }
    }

    /// Something happened in the sitting.
    fn sitting(&mut self, event: SittingEvent) -> Vec<Effect> {
        match (event, &mut self.page) {
            (SittingEvent::Opened { invite, words }, _) => {
                let invite = words::join(&invite);
                self.page = Page::Lobby(Box::new(LobbyPage {
                    host: true,
                    invite,
                    words,
                    ..LobbyPage::default()
                }));
            }
            (SittingEvent::Opening(LobbyNews::Remark(remark)), Page::Wait(page)) => {
                *page = format!("{} …", words::remark(&remark));
            }
            (SittingEvent::Lobby(news), _) => self.lobby(news, false),
            (SittingEvent::Seen(seen), _) => self.seen(seen),
            (SittingEvent::Seated(seated), _) => {
                let Seated { now, past, bot, .. } = *seated;
                self.page = Page::Table(Box::new(TablePage::new(now, &past, bot)));
                self.over =
                    self.over.take().filter(|over| matches!(over, Over::Help(_) | Over::Talk(..)));
            }
            (SittingEvent::Told(ToPlayer::NotSaid(why)), _)
                if matches!(self.over, Some(Over::Talk(..))) =>
            {
                self.over = Some(Over::Talk(Input::default(), Some(why)));
            }
            (SittingEvent::Told(told), Page::Table(table)) => return table.told(told),
            (SittingEvent::Complete(_), Page::Table(table)) => {
                let effects = table.skip();
                table.over = true;
                return effects;
            }
            (SittingEvent::Again(again), Page::Table(table)) => table.again = Some(again),
            _ => {}
        }
        Vec::new()
    }

    fn lobby(&mut self, news: LobbyNews, watches: bool) {
        if !matches!(self.page, Page::Lobby(_)) {
            self.page = Page::Lobby(Box::new(LobbyPage { watches, ..LobbyPage::default() }));
        }
        if let Page::Lobby(lobby) = &mut self.page {
            lobby.news(news);
        }
    }

    /// Something happened at a table that is watched.
    fn seen(&mut self, seen: Seen) {
        match (seen, &mut self.page) {
            (Seen::Begun(roster), _) => {
                self.page =
                    Replay::live(&roster).map_or(Page::Home, |live| Page::Replay(Box::new(live)));
            }
            (Seen::Fact(fact), Page::Replay(live)) => live.fact(&fact),
            (Seen::Lobby(LobbyNews::Remark(remark)), Page::Replay(live)) => {
                live.title = words::remark(&remark);
            }
            (Seen::Lobby(news), Page::Wait(_) | Page::Lobby(_)) => self.lobby(news, true),
            _ => {}
        }
    }

    fn go_home(&mut self) -> Vec<Effect> {
        self.over = None;
        if self.once || self.leaving {
            return vec![Effect::Exit(false)];
        }
        self.page = Page::Home;
        vec![Effect::Title("fairdeal".into()), Effect::Look]
    }
}

/// What an event makes of the screens, and what it asks for.
pub fn update(app: &mut App, event: impl Into<Event>) -> Vec<Effect> {
    match event.into() {
        Event::Key(key) => {
            let mut effects = match &mut app.page {
                Page::Table(table) => table.skip(),
                _ => Vec::new(),
            };
            effects.extend(keys::on_key(app, key));
            effects
        }
        Event::Paste(text) => keys::on_paste(app, &text),
        Event::Size(columns, rows) => {
            app.size = (columns, rows);
            Vec::new()
        }
        Event::Facts(facts) => {
            app.facts = facts;
            app.home.at = app.home.at.min(HomePage::items(&app.facts).len() - 1);
            Vec::new()
        }
        Event::Sitting(event) => app.sitting(event),
        Event::Ended(Ended::Watched) => Vec::new(),
        Event::Ended(Ended::Left | Ended::Complete(_)) => app.go_home(),
        Event::Failed(failure) => {
            let effects = app.go_home();
            app.over = Some(Over::Note(failure.words));
            effects
        }
        Event::Broken => vec![Effect::Exit(false)],
        Event::Replay(replay) => {
            app.page = Page::Replay(replay);
            Vec::new()
        }
        Event::Checked(path, checked) => {
            app.checked.insert(path, Some(checked));
            Vec::new()
        }
        Event::Tables(tables) => {
            app.table_at = app.table_at.min(tables.len().saturating_sub(1));
            app.tables = tables;
            Vec::new()
        }
        Event::Tick => match &mut app.page {
            Page::Replay(replay) => {
                replay.tick();
                Vec::new()
            }
            Page::Table(table) => table.next_move(),
            _ => Vec::new(),
        },
    }
}
