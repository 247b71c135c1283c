//! Joining a table: find it, ask for a seat, wait for the roster.

use std::{collections::BTreeMap, path::PathBuf, time::Duration};

use tokio::{sync::mpsc, time::Instant};

use super::{
    Connection, LobbyNews, Presence, RunError, Seats, TableRun,
    greet::{greeting, looking},
    seek::{Seek, Sought, printable},
};
use crate::{
    bot::Bot,
    net::{self, Address, Dial, NetConfig, NetEvent, Target, table_words},
    protocol::{
        chat::Line,
        crypto::identity::{Identity, PublicKey},
        lobby::{Join, Terms},
        message::{Hosting, Lobby, Message},
        name::Name,
        table::Table,
    },
    store::{GameDir, Meta, Profile, Role, unfinished},
};

/// Why a table was not joined.
#[derive(Debug, thiserror::Error)]
pub enum GuestError {
    /// This process cannot play.
    #[error(transparent)]
    Run(#[from] RunError),
    /// The host said no.
    #[error("the host has no seat for you: {0}")]
    Refused(String),
    /// The host lets nobody watch, or not this one.
    #[error("the host does not let you watch: {0}")]
    Unwatched(String),
    /// The log that the host sends is not right.
    #[error("the host's records are not right: {0}; what was shown until then is")]
    Log(String),
    /// The host is there, that table is not.
    #[error("that game has ended; ask for a new invite")]
    Over,
    /// This home has the game that was played there.
    #[error("that table is over; `fairdeal replay {}` shows its game", .0.display())]
    Finished(PathBuf),
    /// The roster is not what was agreed.
    #[error("the host's roster is not right: {0}; ask for a new invite")]
    Roster(String),
    /// The network has stopped.
    #[error("the network has stopped")]
    Stopped,
}

/// How long a host has for its answer before it is asked again.
const ANSWER: Duration = Duration::from_secs(2);

/// Somebody who looks for a seat.
pub struct Guest {
    profile: Profile,
    name: Name,
    bot: Option<Bot>,
    local: bool,
    seek: Seek,
    /// What was asked for, and the terms that were shown last.
    asked: Option<Join>,
    shown: Option<Terms>,
}

impl Guest {
    /// Starts the network and dials the table, or looks for it on the local network.
    ///
    /// # Errors
    /// [`RunError`] if the network does not start.
    pub async fn open(
        profile: Profile,
        name: Name,
        bot: Option<Bot>,
        target: Target,
        local: bool,
    ) -> Result<Guest, RunError> {
        let seek = Seek::open(&profile, &name, target, local).await?;
        Ok(Guest { profile, name, bot, local, seek, asked: None, shown: None })
    }

    /// Goes to another table of a host who is still connected.
    pub(super) fn again(
        profile: Profile,
        name: Name,
        bot: Option<Bot>,
        target: Target,
        local: bool,
        connection: Connection,
    ) -> Guest {
        let seek = Seek::again(connection, target);
        Guest { profile, name, bot, local, seek, asked: None, shown: None }
    }

    /// Waits for a seat and the start of the game, and says what it is told to say.
    ///
    /// # Errors
    /// [`GuestError`] if the host refuses or the table is over.
    pub async fn sit(
        mut self,
        mut says: mpsc::UnboundedReceiver<Line>,
        mut tell: impl FnMut(LobbyNews),
    ) -> Result<TableRun, GuestError> {
        self.seek.begin(&mut tell)?;
        let mut seated = Vec::new();
        let mut asked = None;
        loop {
            let sought = tokio::select! {
                sought = self.seek.next(&mut tell) => sought?,
                Some(line) = says.recv() => {
                    self.seek.say(&Message::Lobby(Lobby::Say(line)));
                    continue;
                }
            };
            match sought {
                Sought::Met { secret } => {
                    self.ask(secret.clone())?;
                    asked = Some((secret, Instant::now()));
                }
                Sought::Said(Message::Lobby(Lobby::Seats { players, joins, terms, watching })) => {
                    asked = None;
                    let presence = self.presence();
                    seated.clone_from(&joins);
                    self.shown = Some(terms.clone());
                    tell(LobbyNews::Seats { joins, players, terms, presence, watching });
                }
                Sought::Said(Message::Lobby(Lobby::Refused(reason))) => {
                    return Err(GuestError::Refused(self.refused(&reason)));
                }
                Sought::Said(Message::Lobby(Lobby::Roster(record))) => {
                    return self.seated(&record, tell);
                }
                Sought::Later => {
                    self.seek.connection.tell_rtts(&seated, &mut tell);
                    if let Some((secret, at)) = &asked
                        && at.elapsed() >= ANSWER
                    {
                        tell(LobbyNews::note("the host has not answered; asking again".into()));
                        self.ask(secret.clone())?;
                        asked = Some((secret.clone(), Instant::now()));
                    }
                }
                Sought::Said(Message::Lobby(Lobby::Said(key, line))) => {
                    let who = seated.iter().find(|join: &&Join| join.key == key);
                    if let Some(join) = who {
                        tell(LobbyNews::Said(join.name.clone(), line));
                    }
                }
                Sought::Said(_) => {}
            }
        }
    }

    /// How those can be reached that this program is connected to, and itself.
    fn presence(&self) -> BTreeMap<PublicKey, Presence> {
        let mut presence = self.seek.presence();
        presence.insert(self.profile.identity().public(), Presence::Here);
        presence
    }

    /// Asks the host that was found for a seat.
    fn ask(&mut self, secret: Vec<u8>) -> Result<(), GuestError> {
        let Some((_, table)) = self.seek.host() else { return Ok(()) };
        let own = self.profile.identity();
        let nonce = self.profile.join_nonce(&table).map_err(RunError::from)?;
        let join = Join { key: own.public(), name: self.name.clone(), nonce, kept_by: None };
        self.asked = Some(join.clone());
        let whereabouts = self.seek.connection.own_ways(own, table);
        self.seek.say(&Message::Lobby(Lobby::Ask { secret, join, whereabouts }));
        Ok(())
    }

    /// Why there is no seat: the host's words, and whether another profile here has one.
    fn refused(&self, reason: &str) -> String {
        let reason = printable(reason);
        let table = self.seek.host().map(|(_, table)| data_encoding::HEXLOWER.encode(&table));
        let running = unfinished(self.profile.home(), None).unwrap_or_default();
        let sits = running.into_iter().find(|game| Some(&game.meta.table) == table.as_ref());
        match sits.map(|game| game.meta).filter(|meta| meta.profile != self.profile.name()) {
            Some(Meta { profile, .. }) => {
                format!("{reason}; profile {profile} sits at that table: add --profile {profile}")
            }
            None => reason,
        }
    }

    /// The roster is here: checks it and makes the game's folder, or goes on with the game that is
    /// in it.
    fn seated(
        mut self,
        record: &[u8],
        mut tell: impl FnMut(LobbyNews),
    ) -> Result<TableRun, GuestError> {
        let wrong = |reason: &str| GuestError::Roster(reason.into());
        let (table, _) =
            Table::found(record).map_err(|error| GuestError::Roster(error.to_string()))?;
        let roster = table.roster();
        let Some((host, id)) = self.seek.host() else { return Err(GuestError::Stopped) };
        let own = self.profile.identity();
        let table_text = data_encoding::HEXLOWER.encode(&id);
        if let Some(mut game) = GameDir::find(&self.profile, &table_text).map_err(RunError::from)? {
            if game.log_records().first().map(Vec::as_slice) != Some(record) {
                return Err(wrong("it is not the one of the game that you have begun there"));
            }
            tell(LobbyNews::note("Coming back to the game.".into()));
            let seats = Seats::open(&mut game, own, true)?;
            self.seek.connection.recall(roster, game.meta());
            return Ok(TableRun::new(self.profile, game, seats, Some(self.seek.connection)));
        }
        let Some(asked) = &self.asked else { return Err(wrong("you have not asked for a seat")) };
        if self.shown.is_none() {
            // The list of seats was lost where the connection moved to another path.
            let (joins, presence) = (roster.joins.clone(), self.presence());
            let (players, terms) = (roster.joins.len() as u8, roster.terms.clone());
            tell(LobbyNews::Seats { joins, players, terms, presence, watching: 0 });
        }
        let shown = self.shown.as_ref().unwrap_or(&roster.terms);
        if shown.id != id {
            return Err(wrong("it is for another table"));
        }
        roster.agrees(&host, shown, asked).map_err(wrong)?;
        let net = self.seek.connection.net();
        let invite = match &self.seek.target {
            Target::Invite(invite) => invite.to_string(),
            _ => String::new(),
        };
        let meta = Meta {
            table: table_text,
            role: Role::Guest,
            profile: self.profile.name().into(),
            invite,
            port: net.listening().first().map_or(0, Address::port),
            local: self.local,
            lan: false,
            no_watch: false,
            bot: self.bot,
            bots: None,
            addresses: self.host_addresses(&host),
            whereabouts: Vec::new(),
            relays: self.seek.connection.relay_texts(),
        };
        let mut game = GameDir::create(&self.profile, meta, record).map_err(RunError::from)?;
        let seats = Seats::open(&mut game, own, false)?;
        Ok(TableRun::new(self.profile, game, seats, Some(self.seek.connection)))
    }

    /// Where the host was reached, to come back to it.
    fn host_addresses(&self, host: &PublicKey) -> Vec<(String, Vec<String>)> {
        let reached = self.seek.connection.up.get(host).and_then(|(path, _)| path.remote());
        let reached = reached.map(|address| address.to_string());
        let invited = match &self.seek.target {
            Target::Invite(invite) => invite.addresses().iter().map(Address::to_string).collect(),
            Target::Address(_, address) => vec![address.to_string()],
            Target::Words(_) => Vec::new(),
        };
        let mut all: Vec<String> = invited;
        all.extend(reached);
        all.sort();
        all.dedup();
        vec![(host.to_string(), all)]
    }
}

/// A table on this network.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Found {
    /// The words that lead there.
    pub words: String,
    /// Its host's name.
    pub host: Name,
    /// What its host says of it.
    pub hosts: Hosting,
}

/// Looks for tables on the local network and tells all it has found at each change, until it is
/// dropped.
///
/// # Errors
/// [`RunError`] if the network does not start.
pub async fn look(
    own: &Identity,
    name: &Name,
    mut tell: impl FnMut(Vec<Found>),
) -> Result<(), RunError> {
    let started = net::start(NetConfig {
        secret: own.secret(),
        port: 0,
        loopback: false,
        outside: Vec::new(),
        second_port: false,
        mdns: true,
        greeting: greeting(name, None, None),
    })
    .await?;
    let mut connection = Connection::new(started);
    let mut told = Vec::new();
    let mut again = tokio::time::interval(LOOKS);
    loop {
        tokio::select! {
            event = connection.next() => match event {
                Some(NetEvent::Found { peer, addresses }) => {
                    connection.net().dial(Dial::Key(peer), addresses);
                }
                Some(NetEvent::Up { peer, .. }) => {
                    connection.send(&peer, &looking(&[]));
                }
                Some(_) => {}
                None => return Ok(()),
            },
            _ = again.tick() => {
                connection.up.keys().for_each(|key| connection.send(key, &looking(&[])));
            }
        }
        let tables = connection.up.iter().filter_map(|(key, (_, greeting))| {
            let greeting = greeting.as_ref()?;
            let (host, hosts) = (greeting.name.clone(), greeting.hosts.clone()?);
            Some(Found { words: table_words(key), host, hosts })
        });
        let found: Vec<Found> = tables.collect();
        if found != told {
            tell(found.clone());
            told = found;
        }
    }
}

/// How often it is said anew that somebody looks.
const LOOKS: Duration = Duration::from_secs(20);
