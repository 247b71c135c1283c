//! What neighbours say to each other. Nothing here is evidence: only records and notes are signed.

use serde::{Deserialize, Serialize};

use super::{
    chat::Line,
    codec,
    crypto::{
        hash::{Hash, hash},
        identity::{Identity, PublicKey, SIGNATURE_BYTES},
    },
    lobby::{Join, Terms},
    name::Name,
};

/// What a program says of itself before anything else.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Greeting {
    /// The log version it speaks.
    pub version: u16,
    /// The player's name.
    pub name: Name,
    /// The table it is at or wants to join, if it knows one.
    pub table: Option<Hash>,
    /// What it says of a table it hosts.
    pub hosts: Option<Hosting>,
}

/// A table as its host announces it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Hosting {
    /// How many seats there are.
    pub players: u8,
    /// How many are taken.
    pub taken: u8,
    /// Whether the game has begun.
    pub begun: bool,
    /// Whether it may be joined from its host's network without the invite's secret.
    pub open: bool,
    /// How many watch it.
    pub watching: u8,
}

/// One frame between neighbours.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub enum Message {
    /// Before the game.
    Lobby(Lobby),
    /// In the game with this id.
    Table(Hash, Talk),
}

/// What is said about a game.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub enum Talk {
    /// How far the sender's log goes, and what it holds of the open phase.
    Status(Status),
    /// Asks for the log's records from this number on (from 0).
    Get(u32),
    /// Consecutive records of the log, in answer to [`Talk::Get`].
    Records {
        /// Number of the first of them, from 0.
        from: u32,
        /// Number of records in the sender's log.
        length: u32,
        /// The records, as signed.
        records: Vec<Vec<u8>>,
    },
    /// A record the sender has just taken; the receiver forwards it.
    Fresh(Vec<u8>),
    /// A signed note; the receiver forwards it.
    Note(Vec<u8>),
    /// A signed vote about a base; the receiver forwards it.
    Vote(Vec<u8>),
    /// What a seat has signed that proves it at fault; the receiver forwards it.
    Fault(Vec<Vec<u8>>),
}

/// How far a log goes.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Status {
    /// Number of records, whole phases only.
    pub length: u32,
    /// The head after them.
    pub head: Hash,
    /// The seats whose record of the open phase is held, bit 0 for seat 0.
    pub held: u8,
    /// Hash of the votes known where nothing is final; zero where there are none.
    pub votes: Hash,
}

/// What host and guests say before there is a roster.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub enum Lobby {
    /// A guest asks for a seat.
    Ask {
        /// The table's secret from the invite, empty if the guest has none.
        secret: Vec<u8>,
        /// Who asks.
        join: Join,
        /// Where the guest can be reached: its signed [`Whereabouts`](super::whereabouts).
        whereabouts: Vec<u8>,
    },
    /// The host tells who is at the table so far.
    Seats {
        /// The table's terms.
        terms: Terms,
        /// How many seats there are.
        players: u8,
        /// Who has one, by seat.
        joins: Vec<Join>,
        /// How many watch.
        watching: u8,
    },
    /// The host has no seat for the guest.
    Refused(String),
    /// The host's signed roster.
    Roster(Vec<u8>),
    /// Where players can be reached: key, and the [`Whereabouts`](super::whereabouts) it signed.
    Addresses(Vec<(PublicKey, Vec<u8>)>),
    /// After a game: the host has opened the next table, and this is its invite.
    Next(String),
    /// Somebody wants to watch: is told the seats, then the roster, and asks for the log's records
    /// with [`Talk::Get`], which stands until there are some.
    Watch {
        /// The table's secret from the invite, empty if the watcher has none.
        secret: Vec<u8>,
    },
    /// Somebody looks at the table or at the way to it, and asks for nothing; without a word the
    /// host takes them for a stranger who holds a place.
    Look {
        /// The table's secret from the invite, empty if there is none.
        secret: Vec<u8>,
    },
    /// A guest says this to everyone in the lobby; the host passes it on.
    Say(Line),
    /// The host tells what somebody who has a seat says.
    Said(PublicKey, Line),
}

/// A signed word about a game that is not part of its log.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Note {
    /// The game.
    pub game: Hash,
    /// Who says it, from 0.
    pub seat: u8,
    /// Drawn anew at each start of the program.
    pub boot: u64,
    /// Rises with each note of this start.
    pub counter: u64,
    /// What is said.
    pub body: NoteBody,
}

/// What a note says.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub enum NoteBody {
    /// The seat has started again and wants to know what the others hold of it.
    Started,
    /// What the signer holds of a seat that has started.
    Held {
        /// The seat that started, from 0.
        asker: u8,
        /// The start it asked in.
        asker_boot: u64,
        /// The newest record of that seat which the signer holds.
        record: Option<Vec<u8>>,
        /// The votes of that seat's program that the signer holds where nothing is final.
        votes: Vec<Vec<u8>>,
    },
    /// To a start of the signer's own seat: this seat is running here already.
    Twin {
        /// That start.
        boot: u64,
    },
    /// The player wants to go on without these programs.
    Ask {
        /// Where the log ends.
        base: Hash,
        /// The programs, bit 0 for seat 0.
        without: u8,
    },
    /// The seat and the bots it keeps leave the game.
    Leave {
        /// Where the log ends.
        base: Hash,
        /// Which of its seats have signed there already, bit 0 for seat 0.
        signed: u8,
    },
    /// The seat is back and wants to be dealt in.
    Return {
        /// How often it has gone out.
        outs: u8,
    },
    /// For the own journal alone: bases of records that the others went on without. This seat
    /// signed there and its log does not go there any more.
    Undone(Vec<Hash>),
    /// The seat sees no way to go on and takes the game as closed, while the log ends here.
    Closed(Hash),
    /// The player says this to the others.
    Chat(Line),
}

impl Note {
    /// The bytes that go out: the note and its signature.
    pub fn sign(&self, identity: &Identity) -> Vec<u8> {
        let mut bytes = codec::encode(self);
        bytes.extend(identity.sign("note", &bytes));
        bytes
    }

    /// The note in `bytes` if the key that `key_of` gives for its seat has signed it.
    pub fn open(bytes: &[u8], key_of: impl Fn(u8) -> Option<PublicKey>) -> Option<Note> {
        let (text, signature) = bytes.split_last_chunk::<SIGNATURE_BYTES>()?;
        let note: Note = codec::decode(text).ok()?;
        key_of(note.seat)?.verifies("note", text, signature).then_some(note)
    }

    /// What two copies of one note have in common.
    pub fn id(bytes: &[u8]) -> Hash {
        hash("note id", &[bytes])
    }
}
