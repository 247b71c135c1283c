//! Finding the host of a table: dialling it, looking on the local network, and telling how that
//! goes.

use std::{collections::BTreeMap, path::PathBuf, time::Duration};

use tokio::time::{Instant, Interval, interval_at};

use super::{
    Connection, GuestError, LobbyNews, Presence, Remark, RunError,
    greet::{greeting, table_id},
    peers::without_words,
};
use crate::{
    net::{self, Address, Dial, NetConfig, NetEvent, Path, Punched, Target, key_hash, table_words},
    protocol::{
        codec,
        crypto::{hash::Hash, identity::PublicKey},
        message::{Greeting, Message},
        name::Name,
        text::clean,
    },
    store::{Profile, finished_at},
};

/// How long a host that was not reached is left alone before it is dialled again.
const REDIAL: Duration = Duration::from_secs(2);

/// How many with the table's words are dialled again: one, unless somebody made keys for them.
const SEEN: usize = 4;

/// Somebody who looks for a table.
pub(super) struct Seek {
    pub(super) connection: Connection,
    pub(super) target: Target,
    host: Option<(PublicKey, Hash)>,
    /// Who was seen on this network with the table's words, and where; the newest last.
    seen: Vec<(PublicKey, Vec<Address>)>,
    /// The table's secret where the host is connected already and was not asked yet.
    met: Option<Vec<u8>>,
    redial: Interval,
    /// The trouble that was told last.
    told: Option<Remark>,
    /// The file of the table's game, where it has been played here.
    finished: Option<PathBuf>,
}

/// What came of it.
pub(super) enum Sought {
    /// The host answers, for the first time or again. Ask it for what you want, with this secret.
    Met { secret: Vec<u8> },
    /// The host says this.
    Said(Message),
    /// Time has passed, and the host is there.
    Later,
}

impl Seek {
    /// Starts the network.
    pub(super) async fn open(
        profile: &Profile,
        name: &Name,
        target: Target,
        local: bool,
    ) -> Result<Seek, RunError> {
        let started = net::start(NetConfig {
            secret: profile.identity().secret(),
            port: if local { 0 } else { net::PORT },
            loopback: local,
            outside: Vec::new(),
            second_port: false,
            mdns: matches!(target, Target::Words(_)),
            greeting: greeting(name, None, None),
        })
        .await?;
        let mut connection = Connection::new(started);
        if let Target::Invite(invite) = &target {
            connection.use_relays(invite.relays().iter().copied());
        }
        let redial = interval_at(Instant::now() + REDIAL, REDIAL);
        let finished = match &target {
            Target::Invite(invite) => {
                finished_at(profile.home(), &table_id(&invite.host(), invite.secret()))
            }
            _ => None,
        };
        let (host, seen, met, told) = (None, Vec::new(), None, None);
        Ok(Seek { connection, target, host, seen, met, redial, told, finished })
    }

    /// Looks for another table over connections that are there.
    pub(super) fn again(connection: Connection, target: Target) -> Seek {
        let redial = interval_at(Instant::now() + REDIAL, REDIAL);
        let (host, seen, met, told, finished) = (None, Vec::new(), None, None, None);
        Seek { connection, target, host, seen, met, redial, told, finished }
    }

    /// Dials the table, and tells so. Fails if this home has the table's finished game.
    pub(super) fn begin(&mut self, tell: &mut impl FnMut(LobbyNews)) -> Result<(), GuestError> {
        if let Some(path) = self.finished.take() {
            return Err(GuestError::Finished(path));
        }
        if !self.is_met() {
            self.dial();
            tell(LobbyNews::Remark(Remark::Seeking(self.target.clone())));
        }
        Ok(())
    }

    /// Whether the host of the invite is connected already.
    fn is_met(&mut self) -> bool {
        let Target::Invite(invite) = &self.target else { return false };
        let is_host = |key: &&PublicKey| key_hash(key) == invite.host();
        let Some(key) = self.connection.up.keys().find(is_host).copied() else { return false };
        self.host = Some((key, table_id(&invite.host(), invite.secret())));
        self.met = Some(invite.secret().to_vec());
        true
    }

    /// The host that has answered, and its table.
    pub(super) fn host(&self) -> Option<(PublicKey, Hash)> {
        self.host
    }

    /// The paths to everybody this program is connected to.
    pub(super) fn presence(&self) -> BTreeMap<PublicKey, Presence> {
        let up = self.connection.up.iter();
        up.map(|(key, (path, _))| (*key, Presence::Connected(*path))).collect()
    }

    /// Says something to the host.
    pub(super) fn say(&self, message: &Message) {
        if let Some((host, _)) = self.host {
            self.connection.send(&host, message);
        }
    }

    /// Waits until the host answers or says something; dials it again where it is not there.
    pub(super) async fn next(
        &mut self,
        tell: &mut impl FnMut(LobbyNews),
    ) -> Result<Sought, GuestError> {
        if let Some(secret) = self.met.take() {
            return Ok(Sought::Met { secret });
        }
        loop {
            let event = tokio::select! {
                event = self.connection.next() => event.ok_or(GuestError::Stopped)?,
                _ = self.redial.tick() => {
                    if self.host.is_some() {
                        return Ok(Sought::Later);
                    }
                    self.dial();
                    self.not_found(tell);
                    continue;
                }
            };
            match event {
                NetEvent::Up { peer, greeting, path, punched } => {
                    if let Some(met) = self.greeted(&peer, &greeting, (path, punched), tell)? {
                        return Ok(met);
                    }
                }
                NetEvent::Moved { peer, greeting, path } => {
                    if let Some(met) = self.greeted(&peer, &greeting, (path, None), tell)? {
                        return Ok(met);
                    }
                }
                NetEvent::Frame { peer, bytes } if self.is_host(&peer) => {
                    if let Ok(message) = codec::decode(&bytes) {
                        return Ok(Sought::Said(message));
                    }
                }
                event => self.note(event, tell),
            }
        }
    }

    /// Tells what happens on the way, the same trouble once.
    fn note(&mut self, event: NetEvent, tell: &mut impl FnMut(LobbyNews)) {
        let trouble = match event {
            NetEvent::StaysRelayed { peer, .. } if self.is_host(&peer) => {
                return tell(LobbyNews::Remark(Remark::HostStaysRelayed));
            }
            NetEvent::Down { peer } if self.is_host(&peer) => {
                self.host = None;
                return tell(LobbyNews::Remark(Remark::HostGone));
            }
            NetEvent::Found { peer, addresses } => return self.see(peer, addresses),
            NetEvent::Relay { address, ready: Err(reason) } => Remark::RelayFailed(address, reason),
            NetEvent::DialFailed { reason, .. } => Remark::Unreached(reason),
            NetEvent::Without { transport, reason } => {
                return tell(LobbyNews::note(without_words(transport, &reason)));
            }
            _ => return,
        };
        if self.told.as_ref() != Some(&trouble) && self.host.is_none() {
            tell(LobbyNews::Remark(trouble.clone()));
            self.told = Some(trouble);
        }
    }

    /// Says that a table is not to be found on this network, once.
    fn not_found(&mut self, tell: &mut impl FnMut(LobbyNews)) {
        let Target::Words(words) = &self.target else { return };
        let text = format!(
            "no word from {words} on this network yet, looking on; the host's line leads there \
             from anywhere"
        );
        let remark = Remark::Note(text);
        if self.told.as_ref() != Some(&remark) {
            tell(LobbyNews::Remark(remark.clone()));
            self.told = Some(remark);
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
            Target::Words(_) => {
                for (peer, addresses) in &self.seen {
                    net.dial(Dial::Key(*peer), addresses.clone());
                }
            }
        }
    }

    /// Somebody is on this network: dials it if the table's words are its own.
    fn see(&mut self, peer: PublicKey, addresses: Vec<Address>) {
        let Target::Words(words) = &self.target else { return };
        if *words != table_words(&peer) {
            return;
        }
        self.connection.net().dial(Dial::Key(peer), addresses.clone());
        self.seen.retain(|(seen, _)| *seen != peer);
        if self.seen.len() >= SEEN {
            self.seen.remove(0);
        }
        self.seen.push((peer, addresses));
    }

    fn is_host(&self, peer: &PublicKey) -> bool {
        self.host.is_some_and(|(host, _)| host == *peer)
    }

    /// A peer answered on this path: tells so if it is the host that is sought.
    fn greeted(
        &mut self,
        peer: &PublicKey,
        bytes: &[u8],
        (path, punched): (Path, Option<Punched>),
        tell: &mut impl FnMut(LobbyNews),
    ) -> Result<Option<Sought>, GuestError> {
        let greeting: Option<Greeting> = codec::decode(bytes).ok();
        let Some(greeting) = greeting else { return Ok(None) };
        let secret = match &self.target {
            Target::Invite(invite) if key_hash(peer) == invite.host() => {
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
        self.host = Some((*peer, table));
        tell(LobbyNews::Remark(Remark::Met(greeting.name, path, punched)));
        Ok(Some(Sought::Met { secret }))
    }
}

/// A neighbour's words without what would disturb a terminal.
pub(super) fn printable(text: &str) -> String {
    clean(text).chars().take(200).collect()
}
