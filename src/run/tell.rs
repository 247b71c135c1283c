//! What passes between a table and whoever sits in front of it.

use std::{collections::BTreeMap, path::PathBuf, time::Duration};

use crate::{
    game::{Action, Game, Players, Seat},
    net::{Address, DialFault, Path, Punched, Target},
    protocol::{
        chat::Line,
        crypto::{hash::Hash, identity::PublicKey},
        lobby::{Join, Roster, Terms},
        name::Name,
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
    /// There are more ways to the table than before: this is the invite now.
    Invite(String),
    /// How long the answers of those take who are connected.
    Rtts(BTreeMap<PublicKey, Duration>),
    /// Somebody who has a seat says something.
    Said(Name, Line),
    /// Something to know.
    Remark(Remark),
}

/// Something to know on the way to a table.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Remark {
    /// The host uses the relay of last time again.
    SameRelay(Address),
    /// A relay does not serve this program, and why.
    RelayFailed(Address, DialFault),
    /// The host is looked for so.
    Seeking(Target),
    /// The host was not reached, and why.
    Unreached(DialFault),
    /// The host, of this name, has answered on this path; perhaps through a hole punched.
    Met(Name, Path, Option<Punched>),
    /// The host is not connected any more, and looked for again.
    HostGone,
    /// A hole to the host could not be punched: the relay carries on.
    HostStaysRelayed,
    /// Somebody asked for a seat, connected by this path.
    Came(Name, Option<Path>),
    /// Somebody is connected by another path than before.
    Moved(Name, Path),
    /// A hole to somebody could not be punched: the relay carries on.
    StaysRelayed(Name),
    /// Somebody's answers take this long, which was not known before.
    Answers(Name, Duration),
    /// Something else, in words.
    Note(String),
}

impl LobbyNews {
    /// Something to know, in words.
    pub(super) fn note(words: String) -> LobbyNews {
        LobbyNews::Remark(Remark::Note(words))
    }
}

/// What is said while seats are being taken: by the host, or, of a line, by anybody seated.
#[derive(Debug, Clone, PartialEq, Eq)]
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
    /// Say this to the others.
    Say(Line),
}
