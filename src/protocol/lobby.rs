//! Before the game: the table's terms and who takes part.

use serde::{Deserialize, Serialize};

use super::{
    codec,
    crypto::{
        hash::{Hash, hash},
        identity::{Identity, PublicKey},
    },
    log::record::{Body, Record},
    name::Name,
};
use crate::game::{Players, Seat};

/// The version of the log this program writes and reads.
pub const LOG_VERSION: u16 = 1;

/// Digest of the state before there is a roster.
pub const NO_STATE: Hash = [0; 32];

/// How cards are dealt.
///
/// ```
/// use fairdeal::protocol::lobby::DealKind;
///
/// assert_eq!(DealKind::ALL.map(DealKind::name), ["sealed", "open"]);
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub enum DealKind {
    /// One deck order from all seeds, revealed before play.
    Open,
    /// A deck encrypted to all seats; a card is read by its owner alone until it is shown.
    Sealed,
}

impl DealKind {
    /// Every deal, the usual one first.
    pub const ALL: [DealKind; 2] = [DealKind::Sealed, DealKind::Open];

    /// What it is called.
    pub fn name(self) -> &'static str {
        match self {
            DealKind::Open => "open",
            DealKind::Sealed => "sealed",
        }
    }

    /// What it means for the players, in a sentence.
    pub fn about(self) -> &'static str {
        match self {
            DealKind::Open => {
                "All seeds are revealed before play: fair, but each program could compute all hands"
            }
            DealKind::Sealed => {
                "Cards are encrypted until they are shown: no program can read or rig them"
            }
        }
    }
}

/// The terms of a table, fixed by the host and signed by every seat.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Terms {
    /// The table's id: new for every table, told by the invite.
    pub id: Hash,
    /// Version of the log.
    pub version: u16,
    /// How cards are dealt.
    pub deal: DealKind,
    /// Seconds a seat has for a turn of its own, 0 for no clock.
    pub clock_s: u32,
    /// Seconds of silence after which the others may claim a seat.
    pub patience_s: u32,
}

/// What a player brings to the table.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Join {
    /// The key that signs the seat's records.
    pub key: PublicKey,
    /// The player's name.
    pub name: Name,
    /// 32 bytes of the player's choice, so that no two games have one id.
    pub nonce: Hash,
    /// The seat (from 0) whose program runs this one: a host's bots.
    pub kept_by: Option<u8>,
}

/// Who sits where, proposed by the host: seat 0.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Roster {
    /// The table's terms.
    pub terms: Terms,
    /// Rises with each proposal; a seat plays the highest it signed.
    pub number: u32,
    /// The players by seat.
    pub joins: Vec<Join>,
}

/// Why a roster cannot be played.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum RosterError {
    /// A log version this program does not speak.
    #[error("the table speaks log version {0}; this program speaks {LOG_VERSION}: update it")]
    Version(u16),
    /// Not two to five.
    #[error("a table has 2 to 5 seats, not {0}")]
    Players(usize),
    /// One key on two seats.
    #[error("seats {0} and {1} have the same key")]
    SameKey(Seat, Seat),
    /// A seat kept by itself, by a kept seat or by nobody at the table.
    #[error("seat {0} cannot be kept by that seat")]
    Keeper(Seat),
}

impl Roster {
    /// How many play.
    ///
    /// # Errors
    /// [`RosterError`] if the roster cannot be played.
    pub fn check(&self) -> Result<Players, RosterError> {
        if self.terms.version != LOG_VERSION {
            return Err(RosterError::Version(self.terms.version));
        }
        let count = self.joins.len();
        let players = u8::try_from(count).ok().and_then(Players::new);
        let players = players.ok_or(RosterError::Players(count))?;
        let seats = || players.seats().zip(&self.joins);
        for (seat, join) in seats() {
            if let Some((twin, _)) =
                seats().find(|(other, with)| *other > seat && with.key == join.key)
            {
                return Err(RosterError::SameKey(seat, twin));
            }
            let keeper_plays = |keeper: u8| {
                let keeper = self.joins.get(usize::from(keeper));
                keeper.is_some_and(|keeper| keeper.kept_by.is_none())
            };
            if join.kept_by.is_some_and(|keeper| !keeper_plays(keeper)) {
                return Err(RosterError::Keeper(seat));
            }
        }
        Ok(players)
    }

    /// The game's id: `H("game", terms, number, each player)`. It covers all that was agreed, so
    /// two rosters are two games.
    pub fn game_id(&self) -> Hash {
        let joins: Vec<Vec<u8>> = self.joins.iter().map(codec::encode).collect();
        let terms = codec::encode(&self.terms);
        let number = self.number.to_le_bytes();
        let mut parts: Vec<&[u8]> = vec![&terms, &number];
        parts.extend(joins.iter().map(Vec::as_slice));
        hash("game", &parts)
    }

    /// Whether this is the roster that a guest has agreed to: at the table and under the terms it
    /// was shown, with `host` in the first seat, and with its own wish to join just as it was sent.
    ///
    /// # Errors
    /// What differs.
    pub fn agrees(&self, host: &PublicKey, terms: &Terms, own: &Join) -> Result<(), &'static str> {
        if self.joins.first().map(|join| join.key) != Some(*host) || self.terms.id != terms.id {
            return Err("it is for another table");
        }
        if self.terms != *terms {
            return Err("its terms are not those that were shown");
        }
        match self.joins.iter().find(|join| join.key == own.key) {
            None => Err("you are not on it"),
            Some(join) if join != own => Err("it changes what you asked for"),
            Some(_) => Ok(()),
        }
    }

    /// The log's first record: this roster, signed by the host.
    pub fn sign(&self, host: &Identity) -> Vec<u8> {
        let body = Body::Roster(self.clone());
        Record { base: self.game_id(), state: NO_STATE, seat: 0, body }.sign(host)
    }

    /// The player of a seat.
    pub fn join(&self, seat: Seat) -> Option<&Join> {
        self.joins.get(seat.index())
    }

    /// The seat of a key.
    pub fn seat_of(&self, key: &PublicKey) -> Option<Seat> {
        let index = self.joins.iter().position(|join| join.key == *key)?;
        u8::try_from(index).ok().and_then(Seat::new)
    }
}
