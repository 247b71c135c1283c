//! The network as a table uses it: which peer is which seat, and where each was last reached.

use std::{
    collections::{BTreeMap, BTreeSet},
    time::{Duration, SystemTime},
};

use tokio::sync::mpsc;

use super::{
    LobbyNews, Presence, Remark,
    door::{Door, Entry},
    watchers::Watchers,
    ways::{Moved, Ways},
};
use crate::{
    game::{Players, Seat},
    net::{ADDRESSES, Address, Net, NetEvent, Path, RELAYS, Transport, key_hash},
    protocol::{
        codec,
        crypto::{
            hash::Hash,
            identity::{Identity, PublicKey},
        },
        lobby::{Join, Roster},
        message::{Greeting, Lobby, Message},
        session::Link,
    },
    store::Meta,
};

/// A started network with its events.
pub struct Connection {
    pub(super) net: Net,
    pub(super) events: mpsc::Receiver<NetEvent>,
    pub(super) up: BTreeMap<PublicKey, (Path, Option<Greeting>)>,
    pub(super) addresses: BTreeMap<PublicKey, Vec<Address>>,
    pub(super) relays: Vec<Address>,
    pub(super) watchers: Watchers,
    /// The door of the table that is hosted here.
    door: Option<Door>,
    /// Where players say that they can be reached.
    ways: Ways,
    /// Whose round trip has been told since they came or moved.
    timed: BTreeSet<PublicKey>,
}

impl Connection {
    /// Wraps a network that has just been started.
    pub fn new((net, events): (Net, mpsc::Receiver<NetEvent>)) -> Connection {
        let (up, addresses) = (BTreeMap::new(), BTreeMap::new());
        let watchers = Watchers::default();
        Connection {
            net,
            events,
            up,
            addresses,
            relays: Vec::new(),
            watchers,
            door: None,
            ways: Ways::default(),
            timed: BTreeSet::new(),
        }
    }

    /// Uses these relays, as far as there is room beside those in use.
    pub(super) fn use_relays(&mut self, relays: impl IntoIterator<Item = Address>) {
        for relay in relays {
            if self.relays.len() < RELAYS && !self.relays.contains(&relay) {
                self.relays.push(relay);
                self.net.relay(relay);
            }
        }
    }

    /// The relays in use, as text.
    pub(super) fn relay_texts(&self) -> Vec<String> {
        self.relays.iter().map(Address::to_string).collect()
    }

    /// The network.
    pub fn net(&self) -> &Net {
        &self.net
    }

    /// Waits for the next event; keeps track of who is up.
    pub async fn next(&mut self) -> Option<NetEvent> {
        let event = self.events.recv().await?;
        match &event {
            NetEvent::Up { peer, greeting, path, .. }
            | NetEvent::Moved { peer, greeting, path } => {
                self.up.insert(*peer, (*path, codec::decode(greeting).ok()));
                self.timed.remove(peer);
            }
            NetEvent::Greeting { peer, bytes } => {
                if let Some(up) = self.up.get_mut(peer) {
                    up.1 = codec::decode(bytes).ok();
                }
            }
            NetEvent::Down { peer } => {
                self.up.remove(peer);
                self.watchers.gone(peer);
            }
            _ => {}
        }
        Some(event)
    }

    /// Sends a message to a peer; to one that is down it is lost.
    pub(super) fn send(&self, key: &PublicKey, message: &Message) {
        if let Err(error) = self.net.send(*key, codec::encode(message)) {
            tracing::error!(%error, "a message was not sent");
        }
    }

    /// Dials a player at these addresses too, for as long as the game lives.
    pub(super) fn know(&mut self, key: PublicKey, addresses: Vec<Address>) {
        self.net.know(key, addresses.clone(), true);
        let known = self.addresses.entry(key).or_default();
        known.retain(|address| !addresses.contains(address));
        known.extend(addresses);
        known.drain(..known.len().saturating_sub(ADDRESSES));
    }

    /// Takes what a peer tells of where players can be reached; whether anything is new.
    pub(super) fn learn_ways(&mut self, roster: &Roster, told: Vec<(PublicKey, Vec<u8>)>) -> bool {
        let own = self.net.key();
        let moved = self.ways.learn(roster, &own, told);
        let new = !moved.is_empty();
        for Moved { key, addresses, relays } in moved {
            self.use_relays(relays);
            self.know(key, addresses);
        }
        new
    }

    /// Takes what a guest says of itself before there is a roster.
    pub(super) fn learn_guest(&mut self, table: &Hash, key: PublicKey, said: &[u8]) {
        if let Some(moved) = self.ways.take(table, key, said) {
            self.addresses.insert(key, moved.addresses);
        }
    }

    /// Where this program can be reached, as it says itself.
    pub(super) fn own_ways(&mut self, own: &Identity, table: Hash) -> Vec<u8> {
        let since = SystemTime::now().duration_since(SystemTime::UNIX_EPOCH);
        let now = since.map_or(0, |since| since.as_millis() as u64);
        let (addresses, relays) = (self.net.listening(), self.net.relays());
        self.ways.own(own, table, (&addresses, &relays), now)
    }

    /// Takes what the disk knows of where the players of an unfinished game can be reached.
    pub(super) fn recall(&mut self, roster: &Roster, meta: &Meta) {
        self.use_relays(meta.relays.iter().filter_map(|relay| relay.parse().ok()));
        for (key, addresses) in &meta.addresses {
            let addresses = addresses.iter().filter_map(|text| text.parse().ok()).collect();
            if let Some(key) = parse_key(key) {
                self.know(key, addresses);
            }
        }
        let hex = |(key, said): &(String, String)| {
            let said = data_encoding::HEXLOWER.decode(said.as_bytes()).ok()?;
            Some((parse_key(key)?, said))
        };
        self.learn_ways(roster, meta.whereabouts.iter().filter_map(hex).collect());
    }

    /// What this process tells others of where players can be reached, itself included.
    pub(super) fn ways_message(&mut self, own: &Identity, table: Hash) -> Message {
        let said = self.own_ways(own, table);
        let others = self.ways.all().map(|(key, said)| (*key, said.clone()));
        let mut all: Vec<(PublicKey, Vec<u8>)> = others.collect();
        all.push((own.public(), said));
        Message::Lobby(Lobby::Addresses(all))
    }

    /// What others have said of where they can be reached, to be kept: key and words, hexadecimal.
    pub(super) fn ways_texts(&self) -> Vec<(String, String)> {
        let hex = &data_encoding::HEXLOWER;
        self.ways.all().map(|(key, said)| (key.to_string(), hex.encode(said))).collect()
    }

    /// How long the answers of those who are up take, where that was measured.
    pub(super) fn rtts_up(&self) -> BTreeMap<PublicKey, Duration> {
        self.up.keys().filter_map(|key| Some((*key, self.net.rtt(key)?))).collect()
    }

    /// Tells how long answers take, and of whom that is new.
    pub(super) fn tell_rtts(&mut self, joins: &[Join], tell: &mut impl FnMut(LobbyNews)) {
        let rtts = self.rtts_up();
        for join in joins {
            if let Some(rtt) = rtts.get(&join.key)
                && self.timed.insert(join.key)
            {
                tell(LobbyNews::Remark(Remark::Answers(join.name.clone(), *rtt)));
            }
        }
        tell(LobbyNews::Rtts(rtts));
    }

    /// Opens the door of the table that is hosted here: with the invite, or, if it is `open`, from
    /// this network without it.
    pub(super) fn open_door(&mut self, table: Hash, open: bool) {
        self.door = Some(Door { host: key_hash(&self.net.key()), table, open });
    }

    /// How somebody gets in who has this secret, or none.
    pub(super) fn entry(&self, key: &PublicKey, secret: &[u8]) -> Option<Entry> {
        let path = self.up.get(key).map(|(path, _)| path);
        self.door.as_ref()?.entry(secret, path)
    }

    /// Somebody belongs to the table: keeps a place for them in any flood.
    pub(super) fn welcome(&self, key: &PublicKey) {
        self.net.welcome(*key);
    }

    /// Somebody wants to watch: lets them, or tells them why not. True if they may.
    pub(super) fn watch(&mut self, key: &PublicKey, secret: &[u8]) -> bool {
        let admitted = self.watchers.admit(*key, self.entry(key, secret));
        match admitted {
            Ok(()) => self.welcome(key),
            Err(reason) => self.send(key, &Message::Lobby(Lobby::Refused(reason.into()))),
        }
        admitted.is_ok()
    }

    /// Somebody looks: is borne for a while, if they could come in.
    pub(super) fn looked(&self, key: &PublicKey, secret: &[u8]) {
        if self.entry(key, secret).is_some() {
            self.net.bear(*key);
        }
    }

    /// One who watches asks for the log from a record on; one who asks without end is shut out.
    pub(super) fn watcher_asks(&mut self, key: &PublicKey, from: u32, second: u64) {
        if !self.watchers.asks(key, from, second) {
            self.watchers.gone(key);
            self.net.refuse(*key);
        }
    }

    /// How many watch the table of these players: here, and as its host says.
    pub(super) fn watching(&self, joins: &[Join]) -> u8 {
        let told = joins.iter().filter_map(|join| self.up.get(&join.key)?.1.as_ref());
        let told = told.filter_map(|greeting| greeting.hosts.as_ref()).map(|hosts| hosts.watching);
        told.fold(self.watchers.count(), u8::saturating_add)
    }

    /// How long each seat's answers take, by seat, where that was measured.
    pub(super) fn rtts(&self, roster: &Roster, players: Players) -> Vec<Option<Duration>> {
        let one = |seat| self.net.rtt(&roster.join(seat)?.key);
        players.seats().map(one).collect()
    }

    /// How each seat can be reached from here.
    pub(super) fn presence(
        &self,
        roster: &Roster,
        players: Players,
        here: impl Fn(Seat) -> bool,
    ) -> Vec<Presence> {
        let one = |seat| {
            let up = roster.join(seat).and_then(|join| self.up.get(&join.key));
            match up {
                _ if here(seat) => Presence::Here,
                Some((path, _)) => Presence::Connected(*path),
                None => Presence::Away,
            }
        };
        players.seats().map(one).collect()
    }
}

/// A flood in words.
pub fn flood_words(addresses: usize) -> String {
    let from = match addresses {
        0 => "through a relay".into(),
        1 => "from 1 address".into(),
        many => format!("from {many} addresses"),
    };
    format!("Strangers flood this program {from}. Friends with the invite get in all the same.")
}

/// That there is one transport only, in words.
pub fn without_words(transport: Transport, reason: &str) -> String {
    match transport {
        Transport::Quic => format!("This system gives us no UDP ({reason}): TCP does it alone."),
        Transport::Tcp => format!("This system gives us no TCP ({reason}): QUIC does it alone."),
    }
}

/// The link to a seat.
pub(super) fn link_of(seat: Seat) -> Link {
    Link(seat.index() as u32)
}

/// The seat that a link leads to.
pub(super) fn seat_of(link: Link) -> Option<Seat> {
    Seat::new(u8::try_from(link.0).ok()?)
}

/// A key as the disk has it, hexadecimal.
pub(super) fn parse_key(hex: &str) -> Option<PublicKey> {
    let bytes = data_encoding::HEXLOWER.decode(hex.as_bytes()).ok()?;
    PublicKey::try_from(<[u8; 32]>::try_from(bytes).ok()?).ok()
}
