//! A sitting by lines: what is printed on the way to a table, at it and after it, and what the
//! lines of standard input mean there.

use std::io::{BufRead, IsTerminal};

use tokio::sync::mpsc;

use super::{Lines, say};
use crate::{
    protocol::table::Phase,
    run::{
        Again, Begin, Ended, Failure, FromPlayer, LobbyNews, Seated, Seen, Sitting, SittingEvent,
        SittingOrder, Starts,
    },
    store::{Profile, Role},
    ui::{story::Story, words},
};

/// How a sitting ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Departure {
    /// By itself, or because the player got up.
    Done,
    /// By Ctrl-C: at a table, which was left in order.
    Left,
    /// By Ctrl-C, at once.
    Interrupted,
}

/// Sits down with this profile and plays by lines; `bell` rings when the player is asked.
///
/// # Errors
/// [`Failure`] if no table is reached, or a game cannot be continued.
pub async fn sit(profile: Profile, begin: Begin, bell: bool) -> Result<Departure, Failure> {
    let (orders, for_sitting) = mpsc::unbounded_channel();
    let (tell, mut events) = mpsc::unbounded_channel();
    let mut prompt = Prompt::new(orders, bell);
    let mut interrupt = Box::pin(tokio::signal::ctrl_c());
    // Listens from here on, before anything is said.
    tokio::select! {
        biased;
        _ = &mut interrupt => return Ok(Departure::Interrupted),
        () = std::future::ready(()) => {}
    }
    let tell = move |event| drop(tell.send(event));
    let starts = Starts::WhenFull;
    let sitting = Sitting { profile, begin, starts, orders: for_sitting, tell };
    // A task of its own: a terminal that stands still does not hold up the table.
    let mut sitting = tokio::spawn(sitting.run());
    let mut interrupted = false;
    loop {
        tokio::select! {
            biased;
            _ = &mut interrupt => {
                if interrupted || prompt.lines.is_none() {
                    return Ok(Departure::Interrupted);
                }
                interrupted = true;
                interrupt = Box::pin(tokio::signal::ctrl_c());
                prompt.order(SittingOrder::Table(FromPlayer::Leave));
            }
            event = events.recv() => match event {
                Some(event) => prompt.on_event(event, interrupted),
                None => break,
            },
            line = prompt.next_line() => prompt.on_line(line),
        }
    }
    let ended = match (&mut sitting).await {
        Ok(ended) => ended?,
        Err(broken) => match broken.try_into_panic() {
            Ok(panic) => std::panic::resume_unwind(panic),
            Err(_) => return Ok(Departure::Interrupted),
        },
    };
    if let (Ended::Left, Some(lines)) = (ended, &prompt.lines) {
        say(lines.parting());
    }
    Ok(if interrupted { Departure::Left } else { Departure::Done })
}

/// What is printed and read, in a sitting.
struct Prompt {
    orders: mpsc::UnboundedSender<SittingOrder>,
    bell: bool,
    /// Standard input; `None` before the first table, and when it has ended.
    input: Option<mpsc::UnboundedReceiver<String>>,
    /// Whether it has been opened.
    opened: bool,
    /// The table, while the player sits at one.
    lines: Option<Lines>,
    /// Whether this player only looks on: a bot plays.
    watching: bool,
    /// Whether the player is asked to play again.
    asks: bool,
    /// What was told while a table was being opened.
    opening: Vec<LobbyNews>,
    /// Whether the player wants to.
    wished: bool,
    /// Follows the game that is watched.
    story: Option<Story>,
}

impl Prompt {
    fn new(orders: mpsc::UnboundedSender<SittingOrder>, bell: bool) -> Prompt {
        Prompt {
            orders,
            bell,
            input: None,
            opened: false,
            lines: None,
            watching: false,
            asks: false,
            opening: Vec::new(),
            wished: false,
            story: None,
        }
    }

    fn order(&self, order: SittingOrder) {
        // A sitting that has ended takes no orders.
        let _ = self.orders.send(order);
    }

    /// The next line where one is read: at a table, and when the player is asked. `None` when
    /// the input has ended.
    async fn next_line(&mut self) -> Option<String> {
        let reads = self.lines.is_some() || self.asks;
        match self.input.as_mut().filter(|_| reads) {
            Some(input) => input.recv().await,
            None => std::future::pending().await,
        }
    }

    fn on_line(&mut self, line: Option<String>) {
        if line.is_none() {
            self.input = None;
        }
        match (&mut self.lines, line) {
            (Some(lines), Some(line)) => lines.line(line.trim()),
            (Some(lines), None) => lines.input_ended(),
            (None, Some(line)) if line.trim() == "again" => {
                self.wished = true;
                self.order(SittingOrder::Again);
            }
            (None, _) => self.order(SittingOrder::Table(FromPlayer::Leave)),
        }
    }

    fn on_event(&mut self, event: SittingEvent, interrupted: bool) {
        match event {
            SittingEvent::Opened { invite, words } => {
                self.asks = false;
                say(&words::join(&invite));
                if let Some(words) = words {
                    say(&format!("(on this network also: {})", words::join(&words)));
                }
            }
            SittingEvent::Opening(news) => {
                words::lobby(&news).iter().for_each(|line| say(line));
                self.opening.push(news);
            }
            SittingEvent::Lobby(news) if self.opening.contains(&news) => {}
            SittingEvent::Lobby(news) => {
                self.asks = false;
                words::lobby(&news).iter().for_each(|line| say(line));
            }
            SittingEvent::Seen(seen) => self.seen(seen),
            SittingEvent::Seated(seated) => self.seated(*seated),
            SittingEvent::Told(told) => {
                if let Some(lines) = &mut self.lines {
                    lines.told(told);
                }
            }
            SittingEvent::Complete(path) => {
                self.wished = self.lines.take().is_some_and(|lines| lines.again);
                say(&format!("replay {}", path.display()));
                if interrupted {
                    self.order(SittingOrder::Table(FromPlayer::Leave));
                }
            }
            SittingEvent::Again(_) if interrupted => {}
            SittingEvent::Again(state) => self.again(&state),
        }
    }

    fn seated(&mut self, seated: Seated) {
        if let Some(meta) = &seated.resumed {
            if meta.role == Role::Host {
                say(&words::join(&meta.invite));
            }
            match seated.now.phase {
                _ if meta.role == Role::Alone => {}
                Phase::Complete => {
                    say(
                        "The game is complete; waiting a moment for players who do not have all of \
                         it.",
                    );
                }
                _ => say("Catching up with the others…"),
            }
        }
        if !std::mem::replace(&mut self.opened, true) {
            self.input = Some(read_lines());
        }
        (self.watching, self.asks, self.wished) = (seated.bot, false, false);
        self.lines = Some(Lines::new(self.orders.clone(), seated, self.bell));
    }

    /// How it stands with the next table. A script is not waited for.
    fn again(&mut self, state: &Again) {
        let answers = self.input.is_some() && std::io::stdin().is_terminal();
        self.asks = !self.watching && answers;
        let gone = self.wished && matches!(state, Again::Gone(_));
        if !self.wished && !self.asks || gone {
            return self.order(SittingOrder::Table(FromPlayer::Leave));
        }
        if !self.wished || matches!(state, Again::Awaited(_)) {
            say(&words::again(state, self.wished, "`again`"));
        }
        if !self.wished {
            say("Enter leaves.");
        }
    }

    /// What is seen at a table that is watched.
    fn seen(&mut self, seen: Seen) {
        match seen {
            Seen::Lobby(news) => words::lobby(&news).iter().for_each(|line| say(line)),
            Seen::Begun(roster) => {
                if self.story.is_some() {
                    say("The table took something back. Once more from the beginning:");
                }
                self.story = roster.check().ok().map(|players| Story::new(&roster, players));
            }
            Seen::Fact(fact) => {
                let lines = self.story.as_mut().map(|story| story.tell(&fact));
                lines.iter().flatten().for_each(|line| say(line));
            }
        }
    }
}

/// Standard input by lines; a thread of its own, since reading it cannot be interrupted.
fn read_lines() -> mpsc::UnboundedReceiver<String> {
    let (send, receive) = mpsc::unbounded_channel();
    std::thread::spawn(move || {
        for line in std::io::stdin().lock().lines() {
            let Ok(line) = line else { return };
            if send.send(line).is_err() {
                return;
            }
        }
    });
    receive
}
