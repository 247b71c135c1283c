//! Before the game: who is here, and what the host may do about it.

use std::{collections::BTreeMap, time::Duration};

use super::{Effect, home::neighbour};
use crate::{
    game::Players,
    protocol::{
        chat::LineError,
        crypto::identity::PublicKey,
        limits::CHAT_LINES_MAX,
        lobby::{Join, Terms},
    },
    run::{LobbyNews, LobbyOrder, Presence},
    ui::{keymap::Command, words},
};

/// A lobby, of a host or a guest.
#[derive(Debug, Clone, Default)]
pub struct LobbyPage {
    /// Whether this player hosts.
    pub host: bool,
    /// Whether this player only watches.
    pub watches: bool,
    /// The line to paste, with the command before it; empty for a guest.
    pub invite: String,
    /// The table's two words, where it can be found on the local network.
    pub words: Option<String>,
    /// Who has a seat.
    pub joins: Vec<Join>,
    /// How many seats there are.
    pub players: u8,
    /// What is played, once it is known.
    pub terms: Option<Terms>,
    /// How each can be reached.
    pub presence: BTreeMap<PublicKey, Presence>,
    /// How long the answers of each take, where that is known.
    pub rtts: BTreeMap<PublicKey, Duration>,
    /// How many watch.
    pub watching: u8,
    /// What happened last.
    pub notes: Vec<String>,
    /// What those who have a seat say, the newest last.
    pub said: Vec<String>,
    /// The marked seat.
    pub at: usize,
    /// Whether the invite is shown as a picture.
    pub picture: bool,
}

impl LobbyPage {
    /// Something happened.
    pub fn news(&mut self, news: LobbyNews) {
        match news {
            LobbyNews::Seats { joins, players, terms, presence, watching } => {
                for join in &joins {
                    if !self.joins.iter().any(|seated| seated.key == join.key) {
                        self.notes.push(format!("{} sits down.", join.name));
                    }
                }
                for join in &self.joins {
                    if !joins.iter().any(|seated| seated.key == join.key) {
                        self.notes.push(format!("{} is gone.", join.name));
                    }
                }
                let order = |seated: &[Join]| -> Vec<PublicKey> {
                    let both = |key: &PublicKey| {
                        [&joins, &self.joins].iter().all(|all| all.iter().any(|j| j.key == *key))
                    };
                    seated.iter().map(|join| join.key).filter(both).collect()
                };
                if order(&joins) != order(&self.joins) {
                    self.notes.push("The host reordered the seats.".into());
                }
                self.at = self.at.min(joins.len().saturating_sub(1));
                (self.joins, self.players, self.presence) = (joins, players, presence);
                self.terms = Some(terms);
                self.watching = watching;
            }
            LobbyNews::Invite(invite) => {
                self.invite = words::join(&invite);
                self.notes.push("Your address changed: send the new invite.".into());
            }
            LobbyNews::Said(name, line) => {
                let said = format!("{name}: {line}");
                self.said.push(said.clone());
                self.said.drain(..self.said.len().saturating_sub(CHAT_LINES_MAX));
                self.notes.push(said);
            }
            LobbyNews::Rtts(rtts) => self.rtts = rtts,
            LobbyNews::Remark(remark) => self.notes.push(words::remark(&remark)),
        }
        let surplus = self.notes.len().saturating_sub(NOTES_MAX);
        self.notes.drain(..surplus);
    }

    /// Whether the game would begin with fewer players than there are seats.
    pub fn has_room(&self) -> bool {
        self.host && !self.picture && (2..usize::from(self.players)).contains(&self.joins.len())
    }

    /// A line typed to the others.
    ///
    /// # Errors
    /// Why it cannot be said.
    pub fn say(&self, text: &str) -> Result<Effect, String> {
        let text = text.trim();
        if text.starts_with("/mute") {
            return Err("you can mute somebody when the game has begun".into());
        }
        let line = text.parse().map_err(|error: LineError| error.to_string())?;
        Ok(Effect::Lobby(LobbyOrder::Say(line)))
    }

    /// A key of the host.
    pub fn command(&mut self, command: Command) -> Vec<Effect> {
        if self.picture {
            self.picture = false;
            return Vec::new();
        }
        let order = match command {
            Command::Up => {
                self.at = self.at.saturating_sub(1);
                return Vec::new();
            }
            Command::Down => {
                self.at = (self.at + 1).min(self.joins.len().saturating_sub(1));
                return Vec::new();
            }
            Command::Copy => {
                self.notes.push("The invite is copied, if this terminal allows it.".into());
                return vec![Effect::Copy(self.invite.clone())];
            }
            Command::Picture => {
                self.picture = true;
                return Vec::new();
            }
            Command::AddBot => LobbyOrder::AddBot,
            Command::Shuffle => LobbyOrder::Shuffle,
            Command::MoveUp | Command::MoveDown => {
                let down = command == Command::MoveDown;
                let to = if down { self.at + 1 } else { self.at.saturating_sub(1) };
                match self.joins.get(self.at) {
                    Some(join) if self.at > 0 && to > 0 && to < self.joins.len() => {
                        self.at = to;
                        LobbyOrder::Move(join.key, down)
                    }
                    _ => {
                        let words = "The host always has seat 1.";
                        self.notes.push(words.into());
                        return Vec::new();
                    }
                }
            }
            Command::Left | Command::Right => {
                let Some(players) = Players::new(self.players) else { return Vec::new() };
                LobbyOrder::Players(neighbour(players, command == Command::Right))
            }
            Command::Remove => match self.joins.get(self.at) {
                Some(join) if self.at > 0 => LobbyOrder::Remove(join.key),
                _ => {
                    self.notes.push("This is your own seat; leave with q.".into());
                    return Vec::new();
                }
            },
            Command::Enter if self.joins.len() < 2 => {
                self.notes.push("You need at least two players; b adds a bot.".into());
                return Vec::new();
            }
            Command::Enter => LobbyOrder::Start,
            _ => return Vec::new(),
        };
        vec![Effect::Lobby(order)]
    }
}

/// How many notes are kept.
const NOTES_MAX: usize = 50;
