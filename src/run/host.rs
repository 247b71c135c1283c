//! Opening a table: an invite, a lobby that fills, a signed roster.

mod guests;
mod orders;
mod talk;

use std::{
    collections::{BTreeMap, BTreeSet},
    time::Duration,
};

use tokio::{sync::mpsc, time::Instant};

use super::{
    Connection, LobbyNews, LobbyOrder, Presence, Remark, RunError, Seats, TableRun,
    greet::{greeting, table_id},
    line::{invite_text, leads_further},
    peers::{flood_words, without_words},
    random,
    seats::bot_identity,
};
use crate::{
    bot::Bot,
    game::{Players, Seat},
    net::{self, Address, NetConfig, NetEvent, key_hash, table_words},
    protocol::{
        codec,
        crypto::{
            hash::Hash,
            identity::{Identity, PublicKey},
        },
        lobby::{DealKind, Join, LOG_VERSION, Roster, Terms},
        message::{Hosting, Lobby, Message},
        name::Name,
        session::quota::Quota,
    },
    store::{GameDir, Meta, Profile, Role, StoreError},
};

/// How long to wait for relays before telling the invite without them.
const RELAY_WAIT: Duration = Duration::from_secs(8);

/// The terms a host sets.
#[derive(Debug, Clone)]
pub struct HostOptions {
    /// How many play.
    pub players: Players,
    /// How many seats bots of this process take.
    pub bots: u8,
    /// The bot that takes them.
    pub bots_play: Bot,
    /// The bot that plays the own seat, if one does.
    pub own_bot: Option<Bot>,
    /// How cards are dealt.
    pub deal: DealKind,
    /// Seconds for a turn, 0 for no clock.
    pub clock_s: u32,
    /// Seconds of silence after which a seat may be claimed.
    pub patience_s: u32,
    /// The port to listen on, if it is free; 0 for any.
    pub port: u16,
    /// Whether to be found on the local network, and joined from it without the invite.
    pub lan: bool,
    /// Whether to listen on this machine only.
    pub local: bool,
    /// Whether others may watch.
    pub watch: bool,
    /// Relays through which guests can come, remembered for the next time; `None` for those of last
    /// time.
    pub relays: Option<Vec<Address>>,
}

/// How often the guests' round trips are told.
const LOOK: Duration = Duration::from_secs(1);

/// A table whose seats are being taken.
pub struct Host {
    profile: Profile,
    name: Name,
    options: HostOptions,
    connection: Connection,
    terms: Terms,
    secret: [u8; 8],
    joins: Vec<Join>,
    removed: BTreeSet<PublicKey>,
    /// Who is told of this table without having asked: the people of the game before.
    called: Vec<PublicKey>,
    /// How much each has said lately.
    talk: BTreeMap<PublicKey, Quota>,
    opened: Instant,
    /// The invite that was told last.
    invited: String,
}

/// What the bots that the host keeps bring to the table.
pub(super) fn bot_joins(
    keeper: &Identity,
    table: &Hash,
    bot: Bot,
    count: u8,
) -> Result<Vec<Join>, RunError> {
    let mut joins = Vec::new();
    for index in 0..count {
        joins.extend(bot_join(keeper, table, bot, index)?);
    }
    Ok(joins)
}

fn bot_join(
    keeper: &Identity,
    table: &Hash,
    bot: Bot,
    index: u8,
) -> Result<Option<Join>, RunError> {
    let key = bot_identity(keeper, table, index).public();
    let Ok(name) = format!("{bot} {}", index + 1).parse() else { return Ok(None) };
    Ok(Some(Join { key, name, nonce: random()?, kept_by: Some(0) }))
}

impl Host {
    /// Opens a table: starts the network and seats the host and its bots.
    ///
    /// # Errors
    /// [`RunError`] if the network does not start.
    pub async fn open(
        profile: Profile,
        name: Name,
        options: HostOptions,
    ) -> Result<Host, RunError> {
        let started = net::start(NetConfig {
            secret: profile.identity().secret(),
            port: options.port,
            loopback: options.local,
            outside: Vec::new(),
            second_port: false,
            mdns: options.lan,
            greeting: greeting(&name, None, None),
        })
        .await?;
        let mut connection = Connection::new(started);
        connection.use_relays(relays(&profile, &options)?);
        Host::over(profile, name, options, connection, Vec::new())
    }

    /// Opens another table for people who are still connected, and tells them.
    ///
    /// # Errors
    /// [`RunError`] if the system has no random numbers.
    pub(super) fn again(
        profile: Profile,
        name: Name,
        options: HostOptions,
        connection: Connection,
        called: Vec<PublicKey>,
    ) -> Result<Host, RunError> {
        let host = Host::over(profile, name, options, connection, called)?;
        host.called.iter().for_each(|key| host.call(key));
        Ok(host)
    }

    /// A table over a network that has been started.
    fn over(
        profile: Profile,
        name: Name,
        options: HostOptions,
        mut connection: Connection,
        called: Vec<PublicKey>,
    ) -> Result<Host, RunError> {
        let secret = random()?;
        let terms = Terms {
            id: table_id(&key_hash(&connection.net().key()), &secret),
            version: LOG_VERSION,
            deal: options.deal,
            clock_s: options.clock_s,
            patience_s: options.patience_s,
        };
        connection.open_door(terms.id, options.lan);
        if options.watch {
            connection.watchers.let_in();
        }
        let mut host = Host {
            profile,
            name,
            options,
            connection,
            terms,
            secret,
            joins: Vec::new(),
            removed: BTreeSet::new(),
            called,
            talk: BTreeMap::new(),
            opened: Instant::now(),
            invited: String::new(),
        };
        host.seat_own()?;
        host.announce(false);
        Ok(host)
    }

    /// The line to paste, without the command before it.
    pub fn invite(&self) -> String {
        invite_text(self.connection.net(), &self.secret)
    }

    /// The table's two words, where it can be found on the local network.
    pub fn words(&self) -> Option<String> {
        self.options.lan.then(|| table_words(&self.connection.net().key()))
    }

    /// Waits until the relays have answered, so that the invite names them.
    pub async fn reach_relays(&mut self, mut tell: impl FnMut(LobbyNews)) {
        if self.options.relays.is_none() {
            for relay in &self.connection.relays {
                tell(LobbyNews::Remark(Remark::SameRelay(*relay)));
            }
        }
        for relay in &self.connection.relays {
            tell(LobbyNews::note(format!("asking the relay {relay} for a place")));
        }
        let end = tokio::time::Instant::now() + RELAY_WAIT;
        let mut waiting = self.connection.relays.len();
        while waiting > 0 {
            match tokio::time::timeout_at(end, self.connection.next()).await {
                Ok(Some(event)) => {
                    waiting -= usize::from(matches!(event, NetEvent::Relay { .. }));
                    self.on_network(event, &mut tell);
                }
                _ => return,
            }
        }
    }

    /// Seats who comes, then founds the game: when it is ordered, or, without orders, when every
    /// seat is taken.
    ///
    /// # Errors
    /// [`RunError`] if the game cannot be written to the disk.
    pub async fn fill(
        mut self,
        mut orders: Option<&mut mpsc::UnboundedReceiver<LobbyOrder>>,
        mut tell: impl FnMut(LobbyNews),
    ) -> Result<TableRun, RunError> {
        let mut told = self.seats_news();
        tell(told.clone());
        self.invited = self.invite();
        let mut look = tokio::time::interval(LOOK);
        while orders.is_some() || !self.is_full() {
            tokio::select! {
                event = self.connection.next() => match event {
                    Some(event) => self.on_network(event, &mut tell),
                    None => break,
                },
                _ = look.tick() => self.connection.tell_rtts(&self.joins, &mut tell),
                order = next_order(&mut orders) => match order {
                    LobbyOrder::Say(line) => {
                        let own = self.profile.identity().public();
                        self.said(&own, line, &mut tell);
                    }
                    order if self.on_order(&order)? => break,
                    _ => {}
                },
            }
            let news = self.seats_news();
            if news != told {
                told = news;
                tell(told.clone());
                self.announce(false);
                self.tell_seats();
            }
        }
        self.found()
    }

    /// Tells somebody of the game before that this table is open.
    fn call(&self, key: &PublicKey) {
        self.connection.send(key, &Message::Lobby(Lobby::Next(self.invite())));
    }

    fn is_full(&self) -> bool {
        self.joins.len() >= usize::from(self.options.players.count())
    }

    fn on_network(&mut self, event: NetEvent, tell: &mut impl FnMut(LobbyNews)) {
        match event {
            NetEvent::Frame { peer, bytes } => match codec::decode(&bytes) {
                Ok(Message::Lobby(Lobby::Look { secret })) => {
                    self.connection.looked(&peer, &secret);
                }
                Ok(Message::Lobby(Lobby::Ask { secret, join, whereabouts })) => {
                    self.asked(peer, &secret, join, &whereabouts, tell);
                }
                Ok(Message::Lobby(Lobby::Say(line))) => self.said(&peer, line, tell),
                Ok(Message::Lobby(Lobby::Watch { secret }))
                    if self.connection.watch(&peer, &secret) =>
                {
                    self.tell_seats();
                }
                _ => {}
            },
            NetEvent::Up { peer, .. } if self.called.contains(&peer) => self.call(&peer),
            NetEvent::Down { peer } => {
                self.joins.retain(|join| join.kept_by.is_some() || join.key != peer);
            }
            NetEvent::Moved { peer, path, .. } => {
                let seated = self.joins.iter().find(|join| join.key == peer);
                if let Some(join) = seated {
                    tell(LobbyNews::Remark(Remark::Moved(join.name.clone(), path)));
                    self.tell_seats();
                }
            }
            NetEvent::StaysRelayed { peer, .. } => {
                let seated = self.joins.iter().find(|join| join.key == peer);
                if let Some(join) = seated {
                    tell(LobbyNews::Remark(Remark::StaysRelayed(join.name.clone())));
                }
            }
            NetEvent::Relay { address, ready: Err(reason) } => {
                tell(LobbyNews::Remark(Remark::RelayFailed(address, reason)));
            }
            NetEvent::Relay { address, ready: Ok(()) } => {
                tell(LobbyNews::note(format!("the relay {address} keeps a place for you")));
            }
            NetEvent::Flooded { addresses } => tell(LobbyNews::note(flood_words(addresses))),
            NetEvent::Without { transport, reason } => {
                tell(LobbyNews::note(without_words(transport, &reason)));
            }
            _ => {}
        }
        self.tell_invite(tell);
    }

    /// Tells the invite again if it has changed since it was told.
    fn tell_invite(&mut self, tell: &mut impl FnMut(LobbyNews)) {
        let invite = self.invite();
        if !self.invited.is_empty() && leads_further(&invite, &self.invited) {
            tell(LobbyNews::Invite(invite.clone()));
            self.invited = invite;
        }
    }

    fn seat_own(&mut self) -> Result<(), RunError> {
        let own = self.profile.identity().public();
        self.joins.push(Join {
            key: own,
            name: self.name.clone(),
            nonce: random()?,
            kept_by: None,
        });
        let HostOptions { bots, bots_play, .. } = &self.options;
        let bots = bot_joins(self.profile.identity(), &self.terms.id, *bots_play, *bots)?;
        self.joins.extend(bots);
        Ok(())
    }

    fn seats_news(&self) -> LobbyNews {
        let mut presence: BTreeMap<PublicKey, Presence> = BTreeMap::new();
        for join in &self.joins {
            let up = self.connection.up.get(&join.key).map(|(path, _)| *path);
            let here = join.kept_by.is_some() || join.key == self.profile.identity().public();
            let away = if here { Presence::Here } else { Presence::Away };
            presence.insert(join.key, up.map_or(away, Presence::Connected));
        }
        LobbyNews::Seats {
            joins: self.joins.clone(),
            players: self.options.players.count(),
            terms: self.terms.clone(),
            presence,
            watching: self.connection.watchers.count(),
        }
    }

    fn tell_seats(&self) {
        let seats = Lobby::Seats {
            terms: self.terms.clone(),
            players: self.options.players.count(),
            joins: self.joins.clone(),
            watching: self.connection.watchers.count(),
        };
        let message = Message::Lobby(seats);
        let guests = self.joins.iter().filter(|join| join.kept_by.is_none()).map(|join| &join.key);
        guests
            .chain(self.connection.watchers.keys())
            .for_each(|key| self.connection.send(key, &message));
    }

    fn announce(&self, begun: bool) {
        let hosting = Hosting {
            players: self.options.players.count(),
            taken: self.joins.len() as u8,
            begun,
            open: self.options.lan,
            watching: self.connection.watchers.count(),
        };
        let greeting = greeting(&self.name, Some(self.terms.id), Some(hosting));
        if let Err(error) = self.connection.net().set_greeting(greeting) {
            tracing::error!(%error, "the greeting was not changed");
        }
    }

    /// Signs the roster, makes the game's folder, and tells the guests.
    fn found(self) -> Result<TableRun, RunError> {
        self.announce(true);
        let roster = Roster { terms: self.terms.clone(), number: 1, joins: self.joins.clone() };
        let record = roster.sign(self.profile.identity());
        let listening = self.connection.net().listening();
        let meta = Meta {
            table: data_encoding::HEXLOWER.encode(&self.terms.id),
            role: Role::Host,
            profile: self.profile.name().into(),
            invite: self.invite(),
            port: listening.first().map_or(0, Address::port),
            local: self.options.local,
            lan: self.options.lan,
            no_watch: !self.options.watch,
            bot: self.options.own_bot,
            bots: Some(self.options.bots_play),
            addresses: Vec::new(),
            whereabouts: self.connection.ways_texts(),
            relays: self.connection.relay_texts(),
        };
        let mut game = GameDir::create(&self.profile, meta, &record)?;
        let seats = Seats::open(&mut game, self.profile.identity(), false)?;
        let guests = self.joins.iter().filter(|join| {
            join.kept_by.is_none() && roster.seat_of(&join.key) != Some(Seat::FIRST)
        });
        let message = Message::Lobby(Lobby::Roster(record));
        guests
            .map(|guest| &guest.key)
            .chain(self.connection.watchers.keys())
            .for_each(|key| self.connection.send(key, &message));
        Ok(TableRun::new(self.profile, game, seats, Some(self.connection)))
    }
}

/// The relays of a host: those given, which are remembered, or else those of last time.
fn relays(profile: &Profile, options: &HostOptions) -> Result<Vec<Address>, StoreError> {
    match &options.relays {
        Some(given) if given.is_empty() => Ok(Vec::new()),
        Some(given) => profile.remember_relays(given).map(|()| given.clone()),
        None if options.local => Ok(Vec::new()),
        None => profile.relays(),
    }
}

/// What the host says next; never, where nothing can be said.
async fn next_order(orders: &mut Option<&mut mpsc::UnboundedReceiver<LobbyOrder>>) -> LobbyOrder {
    let next = match orders {
        Some(orders) => orders.recv().await,
        None => None,
    };
    match next {
        Some(order) => order,
        None => std::future::pending().await,
    }
}
