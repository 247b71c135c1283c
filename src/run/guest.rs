//! Joining a table: find it, ask for a seat, wait for the roster.

use std::{collections::BTreeMap, time::Duration};

use super::{
    Connection, LobbyNews, Presence, RunError, Seats, TableRun,
    host::{greeting, table_id},
    peers::{path_words, public},
};
use crate::{
    net::{self, Address, Dial, NetConfig, NetEvent, PeerKey, Target, table_words},
    protocol::{
        codec,
        crypto::{
            hash::Hash,
            identity::{Identity, PublicKey},
        },
        lobby::Join,
        message::{Greeting, Hosting, Lobby, Message},
        name::Name,
        table::Table,
    },
    store::{GameDir, Meta, Profile, Role},
};

/// How long a host that was not reached is left alone before it is dialled again.
const REDIAL: Duration = Duration::from_secs(2);

/// Why a table was not joined.
#[derive(Debug, thiserror::Error)]
pub enum GuestError {
    /// This process cannot play.
    #[error(transparent)]
    Run(#[from] RunError),
    /// The host said no.
    #[error("the host has no seat for you: {0}")]
    Refused(String),
    /// The host is there, that table is not.
    #[error("that table is over: ask the host for a new invite")]
    Over,
    /// The roster is not what was agreed.
    #[error("the host's roster is not right: {0}; ask for a new invite")]
    Roster(String),
    /// The network has stopped.
    #[error("the network has stopped")]
    Stopped,
}

/// Somebody who looks for a seat.
pub struct Guest {
    profile: Profile,
    name: Name,
    bot: Option<String>,
    local: bool,
    connection: Connection,
    target: Target,
    asked: Option<(PublicKey, Hash)>,
}

impl Guest {
    /// Starts the network and dials the table, or looks for it on the local network.
    ///
    /// # Errors
    /// [`RunError`] if the network does not start.
    pub async fn open(
        profile: Profile,
        name: Name,
        bot: Option<String>,
        target: Target,
        local: bool,
    ) -> Result<Guest, RunError> {
        let started = net::start(NetConfig {
            secret: profile.identity().secret(),
            port: if local { 0 } else { net::PORT },
            loopback: local,
            outside: Vec::new(),
            second_port: false,
            mdns: matches!(target, Target::Words(_)),
            greeting: greeting(&name, None, None),
        })
        .await?;
        let mut connection = Connection::new(started);
        if let Target::Invite(invite) = &target {
            connection.use_relays(invite.relays().iter().copied());
        }
        Ok(Guest { profile, name, bot, local, connection, target, asked: None })
    }

    /// Goes to another table of a host who is still connected.
    pub(super) fn again(
        profile: Profile,
        name: Name,
        bot: Option<String>,
        target: Target,
        local: bool,
        connection: Connection,
    ) -> Guest {
        Guest { profile, name, bot, local, connection, target, asked: None }
    }

    /// Waits for a seat and the start of the game.
    ///
    /// # Errors
    /// [`GuestError`] if the host refuses or the table is over.
    pub async fn sit(mut self, mut tell: impl FnMut(LobbyNews)) -> Result<TableRun, GuestError> {
        if !self.ask_connected() {
            self.dial();
            tell(LobbyNews::Note(self.looking()));
        }
        let mut redial = tokio::time::interval_at(tokio::time::Instant::now() + REDIAL, REDIAL);
        let mut told = String::new();
        loop {
            let event = tokio::select! {
                event = self.connection.next() => event.ok_or(GuestError::Stopped)?,
                _ = redial.tick() => {
                    if self.asked.is_none() {
                        self.dial();
                    }
                    continue;
                }
            };
            match event {
                NetEvent::Up { peer, greeting, path }
                | NetEvent::Moved { peer, greeting, path } => {
                    if let Some(name) = self.greeted(&peer, &greeting)? {
                        let words = path_words(&path);
                        tell(LobbyNews::Note(format!("at the table of {name}, {words}")));
                    }
                }
                NetEvent::StaysRelayed { peer } if self.is_host(&peer) => {
                    let text = "no direct path to the host: the relay carries on";
                    tell(LobbyNews::Note(text.into()));
                }
                NetEvent::Relay { address, ready: Err(reason) } => {
                    let reason = format!("the relay {address}: {reason}");
                    if reason != told && self.asked.is_none() {
                        tell(LobbyNews::Note(reason.clone()));
                        told = reason;
                    }
                }
                NetEvent::Found { peer, addresses } => {
                    self.connection.net().dial(Dial::Key(peer), addresses);
                }
                NetEvent::Down { peer } if self.is_host(&peer) => {
                    self.asked = None;
                    tell(LobbyNews::Note("the host is gone; looking for it again".into()));
                }
                NetEvent::DialFailed { reason, .. } => {
                    let reason = reason.to_string();
                    if reason != told && self.asked.is_none() {
                        tell(LobbyNews::Note(reason.clone()));
                        told = reason;
                    }
                }
                NetEvent::Frame { peer, bytes } if self.is_host(&peer) => {
                    match codec::decode(&bytes) {
                        Ok(Message::Lobby(Lobby::Seats { players, joins, terms })) => {
                            let presence = self.presence();
                            tell(LobbyNews::Seats { joins, players, terms, presence });
                        }
                        Ok(Message::Lobby(Lobby::Refused(reason))) => {
                            return Err(GuestError::Refused(printable(&reason)));
                        }
                        Ok(Message::Lobby(Lobby::Roster(record))) => return self.seated(&record),
                        _ => {}
                    }
                }
                _ => {}
            }
        }
    }

    fn dial(&self) {
        let net = self.connection.net();
        match &self.target {
            Target::Invite(invite) => {
                let who = invite.host_key().map_or(Dial::Hash(invite.host()), Dial::Key);
                net.dial(who, invite.addresses().to_vec());
            }
            Target::Address(who, address) => net.dial(*who, vec![*address]),
            Target::Words(_) => {}
        }
    }

    /// How those can be reached that this program is connected to, and itself.
    fn presence(&self) -> BTreeMap<PublicKey, Presence> {
        let up = self.connection.up.iter();
        let mut presence: BTreeMap<_, _> =
            up.map(|(key, (path, _))| (*key, Presence::Connected(*path))).collect();
        presence.insert(self.profile.identity().public(), Presence::Here);
        presence
    }

    /// What is done to find the host, in words.
    fn looking(&self) -> String {
        let list = |addresses: &[Address]| {
            addresses.iter().map(Address::to_string).collect::<Vec<_>>().join(", ")
        };
        match &self.target {
            Target::Words(words) => format!("looking for {words} on this network"),
            Target::Address(_, address) => format!("asking {address}"),
            Target::Invite(invite) if invite.relays().is_empty() => {
                format!("asking {}", list(invite.addresses()))
            }
            Target::Invite(invite) => format!(
                "asking {} directly, and through the relay {}",
                list(invite.addresses()),
                list(invite.relays())
            ),
        }
    }

    fn is_host(&self, peer: &PeerKey) -> bool {
        self.asked.is_some_and(|(host, _)| public(peer) == Some(host))
    }

    /// A peer answered: if it is the host that is sought, asks it for a seat and gives its name.
    fn greeted(&mut self, peer: &PeerKey, bytes: &[u8]) -> Result<Option<Name>, GuestError> {
        let greeting: Option<Greeting> = codec::decode(bytes).ok();
        let Some((greeting, key)) = greeting.zip(public(peer)) else { return Ok(None) };
        let secret = match &self.target {
            Target::Invite(invite) if peer.hash() == invite.host() => {
                if greeting.table != Some(table_id(&invite.host(), invite.secret())) {
                    return Err(GuestError::Over);
                }
                invite.secret().to_vec()
            }
            Target::Address(..) if greeting.hosts.is_some() => Vec::new(),
            Target::Words(words) if *words == table_words(peer) => Vec::new(),
            _ => return Ok(None),
        };
        let Some(table) = greeting.table else { return Err(GuestError::Over) };
        self.ask(key, table, secret);
        Ok(Some(greeting.name))
    }

    /// Asks for a seat where the host of the invite is connected already.
    fn ask_connected(&mut self) -> bool {
        let Target::Invite(invite) = &self.target else { return false };
        let (host, secret) = (invite.host(), invite.secret().to_vec());
        let is_host = |key: &&PublicKey| {
            PeerKey::new(*key.as_bytes()).is_some_and(|peer| peer.hash() == host)
        };
        let Some(key) = self.connection.up.keys().find(is_host).copied() else { return false };
        self.ask(key, table_id(&host, &secret), secret);
        true
    }

    fn ask(&mut self, key: PublicKey, table: Hash, secret: Vec<u8>) {
        self.asked = Some((key, table));
        let own = self.profile.identity();
        let join = Join {
            key: own.public(),
            name: self.name.clone(),
            nonce: own.derive("nonce", &[&table]),
            kept_by: None,
        };
        let addresses = self.connection.net().listening().iter().map(Address::to_string).collect();
        self.connection.send(&key, &Message::Lobby(Lobby::Ask { secret, join, addresses }));
    }

    /// The roster is here: checks it and makes the game's folder.
    fn seated(self, record: &[u8]) -> Result<TableRun, GuestError> {
        let wrong = |reason: &str| GuestError::Roster(reason.into());
        let (table, _) =
            Table::found(record).map_err(|error| GuestError::Roster(error.to_string()))?;
        let roster = table.roster();
        let Some((host, id)) = self.asked else { return Err(GuestError::Stopped) };
        let own = self.profile.identity();
        let seat = roster.seat_of(&own.public()).and_then(|seat| roster.join(seat));
        let join = seat.ok_or_else(|| wrong("you are not on it"))?;
        if roster.joins.first().map(|join| join.key) != Some(host) || roster.terms.id != id {
            return Err(wrong("it is for another table"));
        }
        if join.name != self.name || join.nonce != own.derive("nonce", &[&id]) {
            return Err(wrong("it changes what you asked for"));
        }
        let net = self.connection.net();
        let invite = match &self.target {
            Target::Invite(invite) => invite.to_string(),
            _ => String::new(),
        };
        let meta = Meta {
            table: data_encoding::HEXLOWER.encode(&id),
            role: Role::Guest,
            profile: self.profile.name().into(),
            invite,
            port: net.listening().first().map_or(0, Address::port),
            local: self.local,
            lan: false,
            bot: self.bot.clone(),
            bots: None,
            addresses: self.host_addresses(&host),
            relays: self.connection.relay_texts(),
        };
        let mut game = GameDir::create(&self.profile, meta, record).map_err(RunError::from)?;
        let seats = Seats::open(&mut game, own, false)?;
        Ok(TableRun::new(self.profile, game, seats, Some(self.connection)))
    }

    /// Where the host was reached, to come back to it.
    fn host_addresses(&self, host: &PublicKey) -> Vec<(String, Vec<String>)> {
        let reached = self.connection.up.get(host).and_then(|(path, _)| path.remote());
        let reached = reached.map(|address| address.to_string());
        let invited = match &self.target {
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
    while let Some(event) = connection.next().await {
        if let NetEvent::Found { peer, addresses } = event {
            connection.net().dial(Dial::Key(peer), addresses);
        }
        let tables = connection.up.iter().filter_map(|(key, (_, greeting))| {
            let (greeting, peer) = greeting.as_ref().zip(PeerKey::new(*key.as_bytes()))?;
            let (host, hosts) = (greeting.name.clone(), greeting.hosts.clone()?);
            Some(Found { words: table_words(&peer), host, hosts })
        });
        let found: Vec<Found> = tables.collect();
        if found != told {
            tell(found.clone());
            told = found;
        }
    }
    Ok(())
}

/// A neighbour's words without what would disturb a terminal.
pub(super) fn printable(text: &str) -> String {
    text.chars().filter(|c| !c.is_control()).take(200).collect()
}
