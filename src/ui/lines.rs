//! Playing by lines of the notation at a prompt.

mod sitting;

pub use sitting::{Departure, sit};

use std::{
    io::Write,
    time::{Duration, Instant},
};

use tokio::sync::mpsc;

use super::{chat::Chat, leave::Leaving, story::Story, text, words};
use crate::{
    game::{Action, Seat},
    protocol::{chat::Line, session::News, table::Phase},
    run::{FromPlayer, Seated, SittingOrder, Snapshot, ToPlayer},
};

const HELP: &str = "\
  keep | flip                     keep your hand as dealt, or flip it (once a round)
  show 4 | show 3-5               show the cards at these places of your hand
  scout left 4 | scout right 1 flip
                                  take an end of the set on the table to this place of your
                                  hand, as it lies or flipped
  scout left 4 + show 2-5         Scout & Show; the places after + are those after the scout
  ?                               your hand, the table and everything you may do
  help                            this
  say TEXT                        chat with the others; it is never in the log
  mute Ana | mute 3               hide what somebody says, or show it again
  without Ana | without 3         propose to play on without a player who is silent
  again                           when the game is over: a rematch with the same people
  quit                            leave for now; `fairdeal resume` continues the game
  leave                           leave for good: nobody waits for you";

/// The player's side of a table, by lines.
struct Lines {
    orders: mpsc::UnboundedSender<SittingOrder>,
    story: Story,
    chat: Chat,
    now: Snapshot,
    watching: bool,
    bell: bool,
    asked: bool,
    awaited: Vec<Seat>,
    again: bool,
    wait: Wait,
    /// Whether the player leaves for good.
    good: bool,
}

/// A wait, and since when it lasts.
struct Wait {
    since: Instant,
    /// The phase, and the seats that are awaited and away.
    of: (Phase, Vec<Seat>, Vec<Seat>),
    told: bool,
    /// Whether it has been told who is away since the program began.
    begun: bool,
}

/// After how long a wait is told: less than a player wonders, and more than most take.
const WAIT: Duration = Duration::from_secs(2);

impl Wait {
    fn new(now: &Snapshot) -> Wait {
        let of = (now.phase, now.awaited.clone(), words::away(now));
        Wait { since: Instant::now(), of, told: false, begun: false }
    }

    /// What is to be said of a wait that has lasted, once each.
    fn news(&mut self, story: &Story, now: &Snapshot) -> Vec<String> {
        let mut lines = Vec::new();
        let next = Wait { begun: self.begun, ..Wait::new(now) };
        if next.of != self.of {
            *self = next;
        } else if self.since.elapsed() >= WAIT {
            if !std::mem::replace(&mut self.begun, true) {
                let away = self.of.2.iter().map(|seat| story.name(*seat));
                lines.extend(away.map(|name| format!("{name} is not connected; trying again.")));
            }
            if !std::mem::replace(&mut self.told, true) {
                lines.extend(words::stuck(story, now));
            }
        }
        lines
    }
}

impl Lines {
    /// A player at a table; the last of what has happened there is told. Where a bot plays the own
    /// seat, the player only looks on.
    fn new(orders: mpsc::UnboundedSender<SittingOrder>, seated: Seated, bell: bool) -> Lines {
        let Seated { now, past, bot: watching, .. } = seated;
        let mut story = Story::new(&now.roster, now.view.players());
        let told: Vec<String> = past.iter().flat_map(|fact| story.tell(fact)).collect();
        told.iter().skip(told.len().saturating_sub(PAST_LINES)).for_each(|line| say(line));
        let story = story.at(now.view);
        let (chat, asked, awaited) = (Chat::default(), false, vec![]);
        let (again, wait, good) = (false, Wait::new(&now), false);
        Lines { orders, story, chat, now, watching, bell, asked, awaited, again, wait, good }
    }

    /// What is said when the player has left.
    fn parting(&self) -> &'static str {
        Leaving::table(&self.now).done(self.good)
    }

    /// There is no more input: a player who would be asked leaves.
    fn input_ended(&self) {
        if !self.watching {
            say("End of input.");
            self.order(FromPlayer::Leave);
        }
    }

    fn order(&self, order: FromPlayer) {
        // The table may have ended meanwhile; then there is nothing to order.
        let _ = self.orders.send(SittingOrder::Table(order));
    }

    fn told(&mut self, told: ToPlayer) {
        match told {
            ToPlayer::News(News::Fact(fact)) => {
                for line in self.story.tell(&fact) {
                    say(&line);
                }
            }
            ToPlayer::News(News::Chat { seat, line }) => {
                if let Some(line) = self.chat.heard(&self.story, seat, line) {
                    say(&line);
                }
            }
            ToPlayer::News(news) => {
                if let Some(line) = words::news(&self.story, &self.now, &news) {
                    say(&line);
                }
            }
            ToPlayer::NotTaken(reason) => {
                say(&format!("Not possible: {reason}"));
                self.asked = false;
                self.prompt();
            }
            ToPlayer::NotSaid(reason) => say(&reason),
            ToPlayer::ChangedKey(person) => say(&words::changed_key(&person)),
            ToPlayer::Evidence(path) => say(&words::evidence(&path)),
            ToPlayer::Invite(line) => say(&words::other_ways(&line)),
            ToPlayer::Note(text) => say(&text),
            ToPlayer::Disk(error) => say(&format!("The disk: {error}")),
            ToPlayer::State(now) => self.state(*now),
        }
    }

    fn state(&mut self, now: Snapshot) {
        let claims = words::claims(&self.story, &self.now, &now);
        for line in words::presence(&self.story, &self.now, &now).into_iter().chain(claims) {
            say(&line);
        }
        self.wait.news(&self.story, &now).iter().for_each(|line| say(line));
        if !self.watching && now.overdue.iter().any(|seat| !self.now.overdue.contains(seat)) {
            let whom = words::names(&self.story, &now.overdue);
            say(&format!("{whom} silent for too long: `without` proposes to play on, or wait."));
        }
        // With two players a turn goes on after a scout, and is asked for again.
        if !now.asks || now.view != self.now.view {
            self.asked = false;
        }
        self.now = now;
        self.prompt();
    }

    /// Says whose turn it is, and asks if it is this player's.
    fn prompt(&mut self) {
        if self.watching {
            return;
        }
        if self.now.asks && !self.asked {
            self.asked = true;
            self.show_table();
            let bell = if self.bell { "\x07" } else { "" };
            match self.now.phase {
                Phase::Choice => say(&format!("{bell}Keep this hand, or flip it?")),
                _ => say(&format!("{bell}Your turn. (? lists what you may do)")),
            }
            ask();
        } else if !self.now.asks
            && self.awaited != self.now.awaited
            && matches!(self.now.phase, Phase::Choice | Phase::Turn(_))
        {
            let names = words::names(&self.story, &self.now.awaited);
            say(&format!("Waiting for {names}."));
        }
        self.awaited.clone_from(&self.now.awaited);
    }

    fn line(&mut self, line: &str) {
        let number = self.now.seat.number().to_string();
        let own = line.strip_prefix(&number).filter(|rest| rest.starts_with(' '));
        match own.unwrap_or(line).trim() {
            "" => {}
            "?" => {
                self.show_table();
                self.list();
            }
            "help" => say(HELP),
            "quit" | "q" | "exit" => return self.order(FromPlayer::Leave),
            "leave" => {
                self.good = true;
                return self.order(FromPlayer::Withdraw);
            }
            "again" => {
                self.again = true;
                let _ = self.orders.send(SittingOrder::Again);
                say("When this game is over, you play again with those who want to.");
            }
            text => match text.split_once(' ').unwrap_or((text, "")) {
                ("without", whom) => return self.without(whom.trim()),
                ("say", words) => match words.parse::<Line>() {
                    Ok(line) => return self.order(FromPlayer::Say(line)),
                    Err(error) => say(&error.to_string()),
                },
                ("mute", whom) => {
                    let whom = self.story.seat_called(whom.trim());
                    say(&self.chat.mute(&self.story, self.now.seat, whom));
                }
                _ => return self.decide(text),
            },
        }
        self.ask();
    }

    /// Has the turn that a line of the notation says.
    fn decide(&mut self, text: &str) {
        match text.parse::<Action>() {
            Ok(action) => {
                self.order(match action {
                    Action::Keep => FromPlayer::Choose(false),
                    Action::Flip => FromPlayer::Choose(true),
                    action => FromPlayer::Act(action),
                });
            }
            Err(error) => {
                say(&format!("{error} (`help` tells what can be said)"));
                self.ask();
            }
        }
    }

    /// The prompt, if this player is asked.
    fn ask(&self) {
        if self.now.asks {
            ask();
        }
    }

    /// `without Ana`, `without 3`, or `without` alone where one seat is silent.
    fn without(&self, whom: &str) {
        let seat = match (whom, self.now.overdue.as_slice()) {
            ("", [one]) => Some(*one),
            _ => self.story.seat_called(whom),
        };
        match seat {
            Some(seat) => self.order(FromPlayer::GoOnWithout(seat)),
            None => say("Without whom? Give a name or a seat number: `without 3`."),
        }
    }

    /// Everything this player may do, one action a line.
    fn list(&self) {
        let Some(round) = self.now.view.round() else { return };
        if !self.now.asks {
            return say("It is not your turn; nothing to choose from.");
        }
        if self.now.phase == Phase::Choice {
            return say("  keep\n  flip");
        }
        let mut actions = Vec::new();
        round.for_each_action(|action| actions.push(action.to_string()));
        let (shown, all) = (actions.len().min(LISTED_MAX), actions.len());
        for action in &actions[..shown] {
            say(&format!("  {action}"));
        }
        if shown < all {
            say(&format!("  … and {} more, in the same manner", all - shown));
        }
    }

    fn show_table(&self) {
        let game = &self.now.view;
        let Some(round) = game.round() else { return };
        let name = |seat| self.story.name(seat);
        let totals: Vec<String> =
            game.totals().iter().map(|(seat, points)| format!("{} {points}", name(seat))).collect();
        let deal = text::deal(self.now.roster.terms.deal);
        say(&format!("\n{}, {deal} · {}", text::round_of(game), totals.join(" · ")));
        for seat in game.players().seats() {
            let turn = if round.turn() == Some(seat) { '>' } else { ' ' };
            say(&format!("{turn} {:<24} {}", name(seat), text::seat(round, seat)));
        }
        say(&format!("On the table: {}", text::table(round, name)));
        for line in text::hand(round.hand(self.now.seat)) {
            say(&format!("  {line}"));
        }
    }
}

/// Lines told of what had happened to one who comes back: the last turn of everyone, and more.
const PAST_LINES: usize = 8;

/// Most actions printed by `?`.
const LISTED_MAX: usize = 400;

/// A line to standard output; a reader that has gone away is no error.
pub fn say(line: &str) {
    let mut out = std::io::stdout().lock();
    let _ = writeln!(out, "{line}").and_then(|()| out.flush());
}

fn ask() {
    let mut out = std::io::stdout().lock();
    let _ = write!(out, "> ").and_then(|()| out.flush());
}
