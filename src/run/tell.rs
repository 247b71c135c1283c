//! What passes between a table and whoever sits in front of it.

use std::{collections::BTreeMap, path::PathBuf, time::Duration};

use super::{Again, peers::public};
use crate::{
    game::{Action, Game, Players, Seat},
    net::Path,
    protocol::{
        chat::Line,
        crypto::{hash::Hash, identity::PublicKey},
        lobby::{Join, Roster, Terms},
        session::News,
        table::Phase,
    },
    store::Person,
};

/// What the player says.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum FromPlayer {
    /// Keep (false) or flip (true) the hand.
    Choose(bool),
    /// Have the turn.
    Act(Action),
    /// Do not wait for this seat any longer.
    GoOnWithout(Seat),
    /// Say this to the others.
    Say(Line),
    /// After the game: play again with the same people.
    Again,
    /// Leave the table; the game can be gone on with.
    Leave,
    /// Tell the others that they need not wait, and leave.
    Withdraw,
}

/// What the player is told.
#[derive(Debug, Clone)]
pub enum ToPlayer {
    /// Something happened at the table.
    News(News),
    /// A decision was not taken, and why.
    NotTaken(String),
    /// A line was not said to the others, and why.
    NotSaid(String),
    /// A player known by this name has another key than before.
    ChangedKey(Person),
    /// The proof of a fault has been written to this file.
    Evidence(PathBuf),
    /// There are other ways to the table that is hosted here: the line to paste has changed.
    Invite(String),
    /// Something to know, in words.
    Note(String),
    /// The disk fails; the game waits and tries again.
    Disk(String),
    /// The game is over: how it stands with the next table of the same people.
    Again(Again),
    /// How the table stands now.
    State(Box<Snapshot>),
}

/// How a seat can be reached.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Presence {
    /// This program plays it.
    Here,
    /// Connected, and how.
    Connected(Path),
    /// Not connected to this program; its records may come by way of others.
    Away,
}

impl Presence {
    /// In words: "direct over QUIC", or "through Ben" where a player's program is the relay.
    pub fn words(&self, joins: &[Join]) -> String {
        match self {
            Presence::Here => "here".into(),
            Presence::Away => "not connected".into(),
            Presence::Connected(path) => {
                let relay = match path {
                    Path::Relayed { relay: Some(relay), .. } => public(relay),
                    _ => None,
                };
                let owner = relay.and_then(|key| joins.iter().find(|join| join.key == key));
                match owner {
                    Some(join) => format!("through {}'s relay", join.name),
                    None => path.to_string(),
                }
            }
        }
    }
}

/// How long an answer takes, in words: `12 ms`.
pub fn rtt_words(rtt: Duration) -> String {
    match rtt.as_millis() {
        0 => "<1 ms".into(),
        many => format!("{many} ms"),
    }
}

/// A table as one seat sees it.
#[derive(Debug, Clone)]
pub struct Snapshot {
    /// The seat of the player.
    pub seat: Seat,
    /// The game's id.
    pub game_id: Hash,
    /// Who sits where.
    pub roster: Roster,
    /// What the table asks for.
    pub phase: Phase,
    /// The seats it waits for.
    pub awaited: Vec<Seat>,
    /// Whether it waits for a decision of this player.
    pub asks: bool,
    /// How long it has waited.
    pub waited: Duration,
    /// The seats without which the player may ask to go on.
    pub overdue: Vec<Seat>,
    /// The seats without which somebody asks to go on, with those who do.
    pub claimed: Vec<(Seat, Vec<Seat>)>,
    /// The game as this seat knows it.
    pub view: Game,
    /// How each seat can be reached, by seat.
    pub presence: Vec<Presence>,
    /// How long each seat's answers take, by seat, where that is known.
    pub rtts: Vec<Option<Duration>>,
    /// How many watch.
    pub watching: u8,
}

impl Snapshot {
    /// Whether no other program is at the table.
    pub fn is_alone(&self) -> bool {
        self.presence.iter().all(|presence| *presence == Presence::Here)
    }
}

/// What happens before there is a roster.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum LobbyNews {
    /// Who is at the table now, of how many.
    Seats {
        /// Who has a seat, by seat.
        joins: Vec<Join>,
        /// How many seats there are.
        players: u8,
        /// What is played.
        terms: Terms,
        /// How each key can be reached, where this program knows.
        presence: BTreeMap<PublicKey, Presence>,
        /// How many watch.
        watching: u8,
    },
    /// There are other ways to the table: the line to paste has changed.
    Invite(String),
    /// How long the answers of those take who are connected.
    Rtts(BTreeMap<PublicKey, Duration>),
    /// Something to know, in words.
    Note(String),
}

/// What the host says while seats are being taken.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum LobbyOrder {
    /// Give an empty seat to a bot.
    AddBot,
    /// Take the seat of this key back.
    Remove(PublicKey),
    /// Change the seat of this key with the next (true) or the one before.
    Move(PublicKey, bool),
    /// Let chance order the seats.
    Shuffle,
    /// Play with that many seats, if not more are taken.
    Players(Players),
    /// Begin with those who are here, two at least.
    Start,
}
