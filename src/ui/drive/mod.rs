//! Brings keys, signals and the table to the screens and carries out what they ask for.

mod disk;
mod signals;
mod task;

use std::{io, path::PathBuf, time::Duration};

use ratatui::crossterm::event::{
    self, Event as Input, KeyCode, KeyEvent, KeyEventKind, KeyModifiers,
};
use tokio::sync::mpsc;

use self::{
    signals::{Signal, Signals},
    task::{Looking, Task},
};
use super::{
    app::{App, Effect, Event, Over, home::Facts, replay::Replay, update},
    look::Look,
    screens,
    terminal::Screen,
    words,
};
use crate::{
    protocol::{crypto::identity::Identity, name::Name},
    run::{Begin, Cause, Failure, FromPlayer, SittingEvent, SittingOrder},
    store::{Home, Profile, StoreError, check},
};

/// How the screens are to be.
#[derive(Debug, Clone)]
pub struct Options {
    /// What the terminal can show.
    pub look: Look,
    /// Whether to ring when it is the player's turn.
    pub bell: bool,
    /// The profile to play as, if one is named.
    pub profile: Option<String>,
    /// The name to play under, if one is given.
    pub name: Option<Name>,
}

/// How the screens were left.
#[derive(Debug, Default)]
pub struct Left {
    /// What is to be said on the terminal that was given back.
    pub words: Vec<String>,
    /// What went wrong, if something did.
    pub failed: Option<Failure>,
    /// The signal that ended it: 2 for Ctrl-C.
    pub signal: Option<u8>,
}

/// What the screens begin with.
pub enum Start {
    /// The home screen.
    Home,
    /// The question which table to join, over the home screen.
    Join,
    /// One sitting, under a profile that has been opened for it or the usual one.
    Table(Box<Begin>, Option<Box<Profile>>),
    /// A recorded game; nothing of the player's is needed for it.
    Replay(Box<Replay>),
    /// The lessons; nothing of the player's is needed for them.
    Learn,
}

struct ScreenDriver {
    app: App,
    screen: Screen,
    options: Options,
    home: Home,
    profile: Option<Profile>,
    post: mpsc::UnboundedSender<Event>,
    task: Option<Task>,
    looking: Option<Looking>,
    left: Left,
    /// What is to be said of the table that was left last.
    parting: Option<&'static str>,
}

/// Shows the screens until the player leaves: the home screen, or one thing.
///
/// # Errors
/// If the terminal cannot be had or goes away, or the profile cannot be opened.
pub async fn run(options: Options, home: Home, mut start: Start) -> Result<Left, Failure> {
    let (profile, facts) = player(&options, &home, &mut start)?;
    let shown = show(options, home, start, (profile, facts)).await;
    shown.map_err(|error| Failure::new(Cause::File, format!("the terminal: {error}")))
}

/// The player's profile and what the disk knows, where they are needed.
fn player(
    options: &Options,
    home: &Home,
    start: &mut Start,
) -> Result<(Option<Profile>, Facts), StoreError> {
    if matches!(start, Start::Replay(_) | Start::Learn) {
        return Ok((None, Facts::default()));
    }
    let opened = match start {
        Start::Table(_, profile) => profile.take(),
        _ => None,
    };
    let profile = match opened {
        Some(profile) => *profile,
        None => Profile::open(home, options.profile.as_deref())?,
    };
    if let Some(name) = &options.name {
        profile.set_player(name)?;
    }
    let facts = disk::facts(home, Some(&profile), options.profile.as_deref());
    Ok((Some(profile), facts))
}

/// Shows the screens until the player leaves them.
async fn show(
    options: Options,
    home: Home,
    start: Start,
    (profile, facts): (Option<Profile>, Facts),
) -> io::Result<Left> {
    let (post, mut events) = mpsc::unbounded_channel();
    let mut signals = Signals::listen()?;
    let screen = Screen::take()?;
    let size = ratatui::crossterm::terminal::size()?;
    let mut app = App::new(options.look, size, facts);
    app.once = !matches!(start, Start::Home | Start::Join);
    let (task, looking, left, parting) = (None, None, Left::default(), None);
    let mut driver =
        ScreenDriver { app, screen, options, home, profile, post, task, looking, left, parting };
    read_keys(driver.post.clone());
    let begun = match start {
        Start::Home => Vec::new(),
        Start::Join => driver.app.join(),
        Start::Table(begin, _) => driver.app.begin(*begin),
        Start::Replay(replay) => update(&mut driver.app, Event::Replay(replay)),
        Start::Learn => driver.app.learn(),
    };
    let mut done = driver.carry_out(begun).await?;
    while !done {
        driver.look_around();
        driver.draw()?;
        let pause = driver.app.pause();
        tokio::select! {
            () = tokio::time::sleep(pause.unwrap_or_default()), if pause.is_some() => {
                done = driver.on_event(Event::Tick).await?;
            }
            event = events.recv() => {
                let Some(event) = event else { break };
                done = driver.on_event(event).await?;
                // What has come meanwhile is shown in one drawing.
                while let (false, Ok(event)) = (done, events.try_recv()) {
                    done = driver.on_event(event).await?;
                }
            }
            signal = signals.next() => done = driver.on_signal(signal).await?,
        }
    }
    Ok(driver.leave(&mut events).await)
}

impl ScreenDriver {
    fn draw(&mut self) -> io::Result<()> {
        let app = &self.app;
        self.screen.draw(|frame| screens::draw(app, frame))
    }

    async fn on_event(&mut self, event: Event) -> io::Result<bool> {
        match &event {
            Event::Size(columns, rows) => self.screen.resize(*columns, *rows)?,
            Event::Sitting(SittingEvent::Complete(path)) => {
                self.left.words.push(format!("replay {}", path.display()));
            }
            Event::Ended(_) => self.task = None,
            Event::Broken => {
                self.task = None;
                let why =
                    "a bug in fairdeal ended the game; it is saved: `fairdeal resume` continues it";
                self.left.failed = Some(Failure::new(Cause::Bug, why));
            }
            Event::Failed(failure) => {
                self.task = None;
                if self.app.once {
                    self.left.failed = Some(failure.clone());
                }
            }
            _ => {}
        }
        let effects = update(&mut self.app, event);
        self.carry_out(effects).await
    }

    async fn on_signal(&mut self, signal: Signal) -> io::Result<bool> {
        match signal {
            Signal::Interrupt => {
                let key = KeyEvent::new(KeyCode::Char('c'), KeyModifiers::CONTROL);
                return self.on_event(Event::Key(key)).await;
            }
            Signal::End(number) => {
                self.left.signal = Some(number);
                self.say_saved();
                return Ok(true);
            }
            Signal::Stop => {
                self.screen.pause();
                signals::stop();
            }
            Signal::Continue => self.screen.again()?,
        }
        Ok(false)
    }

    /// Carries out what the screens ask for; true if the program is to end.
    async fn carry_out(&mut self, effects: Vec<Effect>) -> io::Result<bool> {
        for effect in effects {
            match effect {
                Effect::Begin(begin) => self.begin(begin),
                Effect::Name(name) => {
                    if let Some(Err(error)) = self.profile().ok().map(|own| own.set_player(&name)) {
                        tracing::warn!(%error, "the name was not written down");
                    }
                }
                Effect::Order(order) => self.order(SittingOrder::Table(order)),
                Effect::Lobby(order) => self.order(SittingOrder::Lobby(order)),
                Effect::Again => self.order(SittingOrder::Again),
                Effect::Parting(words) => self.parting = Some(words),
                Effect::LeaveLobby => {
                    if let Some(task) = self.task.take() {
                        task.end().await;
                    }
                }
                Effect::Copy(text) => self.screen.copy(&text),
                Effect::Bell if self.options.bell => self.screen.bell(),
                Effect::Title(title) if self.options.bell => self.screen.title(&title),
                Effect::Bell | Effect::Title(_) => {}
                Effect::Read(path) => match disk::replay(&path) {
                    Ok(replay) => {
                        update(&mut self.app, Event::Replay(Box::new(replay)));
                    }
                    Err(why) => self.app.over = Some(Over::Note(why)),
                },
                Effect::Check(paths) => check_all(paths, self.post.clone()),
                Effect::Look => {
                    let (home, named) = (self.home.clone(), self.options.profile.clone());
                    let facts = disk::facts(&home, self.profile().ok(), named.as_deref());
                    update(&mut self.app, Event::Facts(facts));
                }
                Effect::Suspend => signals::suspend(),
                Effect::Exit(interrupted) => {
                    if interrupted {
                        self.left.signal = Some(2);
                        self.say_saved();
                    }
                    return Ok(true);
                }
            }
        }
        Ok(false)
    }

    /// Looks for the tables of this network while the player is asked for one.
    fn look_around(&mut self) {
        if !self.app.looks_around() {
            self.looking = None;
        } else if self.looking.is_none() {
            let (post, name) = (self.post.clone(), self.app.facts.name.clone());
            let own = self.profile().map(|own| Identity::from_secret(&own.identity().secret()));
            let name = name.or_else(|| "player".parse().ok());
            self.looking = own.ok().zip(name).map(|(own, name)| Looking::start(own, name, post));
        }
    }

    /// What whoever is taken away from a table wants to know.
    fn say_saved(&mut self) {
        if let Some(leaving) = self.app.leaving_now() {
            self.parting = Some(leaving.done(false));
        }
    }

    fn order(&self, order: SittingOrder) {
        if let Some(task) = &self.task {
            task.order(order);
        }
    }

    /// The profile, opened again if a game has taken it.
    fn profile(&mut self) -> Result<&Profile, StoreError> {
        let own = match self.profile.take() {
            Some(own) => own,
            None => Profile::open(&self.home, self.options.profile.as_deref())?,
        };
        Ok(self.profile.insert(own))
    }

    fn begin(&mut self, begin: Begin) {
        self.parting = None;
        match self.take_profile(&begin) {
            Ok(own) => self.task = Some(Task::start(own, begin, &self.post)),
            Err(failure) => {
                // The inbox is as long-lived as this driver.
                let _ = self.post.send(Event::Failed(failure));
            }
        }
    }

    /// Hands over the profile for a sitting: that of the game where an unfinished one goes on. The
    /// lock on it is kept all the way.
    fn take_profile(&mut self, begin: &Begin) -> Result<Profile, Failure> {
        let named = match begin {
            Begin::Resume(game) => Some(game.meta.profile.as_str()),
            _ => self.options.profile.as_deref(),
        };
        let fits = |own: &Profile| match begin {
            Begin::Resume(_) => named == Some(own.name()),
            _ => true,
        };
        match self.profile.take().filter(fits) {
            Some(own) => Ok(own),
            None => match Profile::open(&self.home, named) {
                Err(StoreError::InUse(_)) if matches!(begin, Begin::Resume(_)) => {
                    Err(Failure::new(Cause::File, words::IN_USE))
                }
                opened => Ok(opened?),
            },
        }
    }

    /// The last words. A table that is still being played is left in order, if that is quick.
    async fn leave(mut self, events: &mut mpsc::UnboundedReceiver<Event>) -> Left {
        if let Some(task) = self.task.take()
            && self.left.signal.is_none()
        {
            task.order(SittingOrder::Table(FromPlayer::Leave));
            let ended = async {
                while let Some(event) = events.recv().await {
                    if matches!(event, Event::Ended(_) | Event::Failed(_)) {
                        return;
                    }
                }
            };
            // A network that is slow to close loses nothing.
            let _ = tokio::time::timeout(LEAVE_MAX, ended).await;
        }
        self.left.words.extend(self.parting.map(String::from));
        self.left
    }
}

/// How long leaving may take.
const LEAVE_MAX: Duration = Duration::from_secs(2);

/// Checks finished games on a thread of its own: a long list takes a while.
fn check_all(paths: Vec<PathBuf>, post: mpsc::UnboundedSender<Event>) {
    std::thread::spawn(move || {
        for path in paths {
            let checked = check(&path);
            if post.send(Event::Checked(path, checked)).is_err() {
                return;
            }
        }
    });
}

/// Reads keys on a thread of its own, since reading cannot be interrupted.
fn read_keys(post: mpsc::UnboundedSender<Event>) {
    std::thread::spawn(move || {
        loop {
            let event = match event::read() {
                Ok(Input::Key(key)) if key.kind != KeyEventKind::Release => Event::Key(key),
                Ok(Input::Paste(text)) => Event::Paste(text),
                Ok(Input::Resize(columns, rows)) => Event::Size(columns, rows),
                Ok(_) => continue,
                // The terminal has gone away: drawing finds it out, too.
                Err(_) => return,
            };
            if post.send(event).is_err() {
                return;
            }
        }
    });
}
