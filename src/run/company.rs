//! After a game: its players again, as far as their programs are still connected.

use super::{Connection, Guest, Host, HostOptions, RunError, TableRun, alone::alone};
use crate::{
    bot::Bot,
    game::{Players, Seat},
    net::{Invite, NetEvent, Target, key_hash},
    protocol::{
        codec,
        crypto::identity::PublicKey,
        lobby::Roster,
        message::{Lobby, Message},
        name::Name,
    },
    store::{Meta, Profile, Role},
};

/// The players of a finished game.
pub struct Company {
    profile: Profile,
    meta: Meta,
    roster: Roster,
    seat: Seat,
    connection: Option<Connection>,
    next: Option<Invite>,
}

/// How it stands with the next table of the same people.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Again {
    /// This program opens it.
    Ours,
    /// This host has not opened it yet.
    Awaited(Name),
    /// This host has opened it.
    Open(Name),
    /// This host's program has left.
    Gone(Name),
}

/// The next table, on the way to its game.
pub enum Next {
    /// Against bots: it has begun.
    Table(Box<TableRun>),
    /// This program hosts it.
    Host(Box<Host>),
    /// Another one does.
    Guest(Box<Guest>),
}

impl Company {
    /// The players of a game that `seat` has played here; the host may have opened the next table.
    pub(super) fn new(
        profile: Profile,
        meta: Meta,
        (roster, seat): (Roster, Seat),
        connection: Option<Connection>,
        next: Option<Invite>,
    ) -> Company {
        Company { profile, meta, roster, seat, connection, next }
    }

    /// How it stands with the next table.
    pub fn state(&self) -> Again {
        let host = self.roster.joins.first();
        let Some(host) = host.filter(|_| self.meta.role == Role::Guest) else { return Again::Ours };
        let up = self.connection.as_ref().is_some_and(|net| net.up.contains_key(&host.key));
        match (&self.next, up) {
            (Some(_), _) => Again::Open(host.name.clone()),
            (None, true) => Again::Awaited(host.name.clone()),
            (None, false) => Again::Gone(host.name.clone()),
        }
    }

    /// Waits until it stands otherwise.
    pub async fn changed(&mut self) -> Again {
        let before = self.state();
        while self.state() == before {
            let event = match &mut self.connection {
                Some(connection) => connection.next().await,
                None => std::future::pending().await,
            };
            match event {
                Some(NetEvent::Frame { peer, bytes }) => {
                    let host = self.roster.joins.first().map(|join| join.key);
                    if Some(peer) == host
                        && let Ok(Message::Lobby(Lobby::Next(text))) = codec::decode(&bytes)
                    {
                        self.next = next_table(&peer, &text).or(self.next.take());
                    }
                }
                Some(_) => {}
                None => self.connection = None,
            }
        }
        self.state()
    }

    /// Goes to the next table: opens it, or joins the one the host has opened. `None` where that
    /// has not been opened.
    ///
    /// # Errors
    /// [`RunError`] if the table cannot be opened.
    pub fn again(self) -> Result<Option<Next>, RunError> {
        let Company { profile, meta, roster, seat, connection, next } = self;
        let own = roster.join(seat).map(|join| join.name.clone());
        let players = Players::new(roster.joins.len() as u8);
        let (Some(name), Some(players)) = (own, players) else { return Ok(None) };
        let bots = meta.bots.unwrap_or(Bot::OPPONENT);
        let role = meta.role;
        Ok(Some(match (role, connection, next) {
            (Role::Alone, ..) => Next::Table(Box::new(alone(profile, name, players, bots)?)),
            (Role::Host, Some(connection), _) => {
                let others = roster.joins.iter().skip(1).filter(|join| join.kept_by.is_none());
                let people: Vec<PublicKey> = others.map(|join| join.key).collect();
                let options = options(&meta, &roster, players, bots);
                let host = Host::again(profile, name, options, connection, people)?;
                Next::Host(Box::new(host))
            }
            (Role::Guest, Some(connection), Some(invite)) => {
                let target = Target::Invite(invite);
                let guest = Guest::again(profile, name, meta.bot, target, meta.local, connection);
                Next::Guest(Box::new(guest))
            }
            _ => return Ok(None),
        }))
    }

    /// Leaves.
    pub async fn leave(self) {
        if let Some(connection) = self.connection {
            connection.net.shutdown().await;
        }
    }
}

/// The terms of the game that was, for the next.
fn options(meta: &Meta, roster: &Roster, players: Players, bots_play: Bot) -> HostOptions {
    HostOptions {
        players,
        bots: roster.joins.iter().filter(|join| join.kept_by.is_some()).count() as u8,
        bots_play,
        own_bot: meta.bot,
        deal: roster.terms.deal,
        clock_s: roster.terms.clock_s,
        patience_s: roster.terms.patience_s,
        port: meta.port,
        lan: meta.lan,
        local: meta.local,
        watch: !meta.no_watch,
        relays: Some(Vec::new()),
    }
}

/// The next table of this host, as it says itself.
pub(super) fn next_table(host: &PublicKey, text: &str) -> Option<Invite> {
    text.parse().ok().filter(|invite: &Invite| invite.host() == key_hash(host))
}
