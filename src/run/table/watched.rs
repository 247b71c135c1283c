//! A table that is watched: what its host does for those who watch, after everything else.

use std::time::Duration;

use super::{Role, TableRun, table_greeting};
use crate::protocol::{
    crypto::identity::PublicKey,
    message::{Lobby, Message},
};

/// How long a complete game waits for those who watch and have not got all of it.
pub(super) const LINGER: Duration = Duration::from_secs(3);

impl TableRun {
    /// Says what this table is, and lets others watch if it is their host's and the host wants it.
    pub(super) fn let_watch(&mut self) {
        let table = self.seats.own().table().roster().terms.id;
        let meta = self.game.meta();
        let (hosts, watched, lan) = (meta.role == Role::Host, !meta.no_watch, meta.lan);
        if let Some(connection) = self.connection.as_mut().filter(|_| hosts) {
            connection.open_door(table, lan);
            if watched {
                connection.watchers.let_in();
            }
        }
        self.say_watching();
    }

    /// How many watch.
    pub(super) fn watching(&self) -> u8 {
        let joins = &self.seats.own().table().roster().joins;
        self.connection.as_ref().map_or(0, |connection| connection.watching(joins))
    }

    /// Tells the peers how many watch here.
    fn say_watching(&mut self) {
        let Some(connection) = &self.connection else { return };
        self.told_watching = connection.watchers.count();
        let own = self.seats.own();
        let (roster, meta) = (own.table().roster(), self.game.meta());
        let text = table_greeting(roster, own.seat(), meta, self.told_watching);
        if let Err(error) = connection.net.set_greeting(text) {
            tracing::error!(%error, "the greeting was not changed");
        }
    }

    /// Somebody wants to watch, and gets the roster if they may.
    pub(super) fn lets_watch(&mut self, key: &PublicKey, secret: &[u8]) {
        let roster = self.seats.own().log().first().cloned().unwrap_or_default();
        let Some(connection) = &mut self.connection else { return };
        if connection.watch(key, secret) {
            connection.send(key, &Message::Lobby(Lobby::Roster(roster)));
        }
    }

    /// One who watches asks for the log from a record on.
    pub(super) fn watcher_asks(&mut self, key: &PublicKey, from: u32) {
        let second = self.clock.now().as_secs();
        if let Some(connection) = &mut self.connection {
            connection.watcher_asks(key, from, second);
        }
    }

    /// Sends those who watch what they have asked for. The sessions have nothing left to do, so
    /// what is sent is on disk and no seat waits for it.
    pub(super) fn serve_watchers(&mut self) {
        let second = self.clock.now().as_secs();
        let own = self.seats.own();
        let game = *own.table().game_id();
        let Some(connection) = &mut self.connection else { return };
        for (key, talk) in connection.watchers.answers(own.log(), second) {
            connection.send(&key, &Message::Table(game, talk));
        }
        if connection.watchers.count() != self.told_watching {
            self.news = true;
            self.say_watching();
        }
    }

    /// Whether all who watch have the whole log.
    pub(super) fn watchers_have_all(&self) -> bool {
        let length = self.seats.own().log().len();
        self.connection.as_ref().is_none_or(|connection| connection.watchers.have(length))
    }
}
