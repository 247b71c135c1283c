//! What players tell each other beside the game: where they can be reached, and the roster to one
//! who has lost it.

use super::TableRun;
use crate::{
    game::Seat,
    net::Address,
    protocol::{
        crypto::identity::PublicKey,
        lobby::Roster,
        message::{Lobby, Message},
    },
    run::ToPlayer,
    store::{Meta, Person},
};

impl TableRun {
    /// Writes down who plays, and says loudly if a known name comes with another key.
    pub(super) fn remember_people(&self, roster: &Roster, own: Seat) {
        let others = roster
            .joins
            .iter()
            .enumerate()
            .filter(|(seat, join)| *seat != own.index() && join.kept_by.is_none());
        let people: Vec<Person> =
            others.map(|(_, join)| Person { name: join.name.clone(), key: join.key }).collect();
        match self.profile.meet(&people) {
            Ok(changed) => changed.into_iter().for_each(|person| {
                self.tell(ToPlayer::ChangedKey(person));
            }),
            Err(error) => tracing::warn!(%error, "the people met were not written down"),
        }
    }

    /// Tells the players that are up where players can be reached.
    pub(super) fn tell_addresses(&self) {
        let Some(connection) = &self.connection else { return };
        let message = connection.address_message();
        let roster = self.seats.own().table().roster();
        for key in connection.up.keys().filter(|key| roster.seat_of(key).is_some()) {
            connection.send(key, &message);
        }
    }

    /// Somebody asks for a seat of a game that has begun: a player who lost the roster, or a
    /// stranger.
    pub(super) fn answer_late(&self, key: &PublicKey, seated: bool) {
        let Some(connection) = &self.connection else { return };
        let roster = self.seats.own().log().first().cloned().unwrap_or_default();
        let answer = if seated {
            Lobby::Roster(roster)
        } else {
            Lobby::Refused("the game has begun".into())
        };
        connection.send(key, &Message::Lobby(answer));
    }

    pub(super) fn learn_addresses(&mut self, told: Vec<(PublicKey, Vec<String>)>) {
        let roster = self.seats.own().table().roster().clone();
        let Some(connection) = &mut self.connection else { return };
        connection.learn_addresses(&roster, told);
        let mut addresses: Vec<(String, Vec<String>)> = connection
            .addresses
            .iter()
            .map(|(key, at)| (key.to_string(), at.iter().map(Address::to_string).collect()))
            .collect();
        for old in &self.game.meta().addresses {
            if !addresses.iter().any(|(key, _)| *key == old.0) {
                addresses.push(old.clone());
            }
        }
        let relays = connection.relay_texts();
        let known = self.game.meta();
        if addresses != known.addresses || relays != known.relays {
            let meta = Meta { addresses, relays, ..known.clone() };
            if let Err(error) = self.game.set_meta(meta) {
                tracing::warn!(%error, "addresses were not written down");
            }
        }
    }
}
