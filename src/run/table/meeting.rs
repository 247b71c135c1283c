//! What players tell each other beside the game: where they can be reached, and the roster to one
//! who has lost it.

use std::time::Duration;

use tokio::time::Instant;

use super::TableRun;
use crate::{
    game::Seat,
    net::Invite,
    protocol::{
        crypto::identity::PublicKey,
        lobby::Roster,
        message::{Lobby, Message},
    },
    run::{
        ToPlayer,
        line::{invite_text, leads_further},
    },
    store::{Meta, Person, Role},
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

    /// Does what is due beside the game: tells the players, and the disk, where players can be
    /// reached, if that is new; not more often than every few seconds, however often it changes.
    pub(super) fn keep_up(&mut self) {
        if !self.upkeep.due(Instant::now()) {
            return;
        }
        if std::mem::take(&mut self.upkeep.tell) {
            self.tell_ways();
            let line = self.renew_line();
            line.into_iter().for_each(|line| self.tell(ToPlayer::Invite(line)));
        }
        self.write_ways();
    }

    /// The line that leads to this table now, if this is its host and the line is another than
    /// before; it is kept for the next time.
    pub(super) fn renew_line(&mut self) -> Option<String> {
        let connection = self.connection.as_ref()?;
        let known = self.game.meta();
        let secret = known.invite.parse::<Invite>().ok().filter(|_| known.role == Role::Host)?;
        let invite = invite_text(&connection.net, secret.secret());
        if !leads_further(&invite, &known.invite) {
            return None;
        }
        let line = format!("fairdeal join {invite}");
        if let Err(error) = self.game.set_meta(Meta { invite, ..known.clone() }) {
            tracing::warn!(%error, "the new line was not written down");
        }
        Some(line)
    }

    /// Tells the players that are up where players can be reached.
    fn tell_ways(&mut self) {
        let roster = self.seats.own().table().roster();
        let Some(connection) = &mut self.connection else { return };
        let message = connection.ways_message(self.profile.identity(), roster.terms.id);
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

    /// Takes what a player tells of where players can be reached.
    pub(super) fn learn_ways(&mut self, told: Vec<(PublicKey, Vec<u8>)>) {
        let roster = self.seats.own().table().roster();
        let Some(connection) = &mut self.connection else { return };
        if connection.learn_ways(roster, told) {
            (self.upkeep.tell, self.upkeep.write) = (true, true);
        }
    }

    /// Writes down where the players can be reached, if there is anything new.
    pub(super) fn write_ways(&mut self) {
        let Some(connection) = self.connection.as_ref().filter(|_| self.upkeep.write) else {
            return;
        };
        self.upkeep.write = false;
        let (whereabouts, relays) = (connection.ways_texts(), connection.relay_texts());
        let known = self.game.meta();
        if whereabouts != known.whereabouts || relays != known.relays {
            let meta = Meta { whereabouts, relays, ..known.clone() };
            if let Err(error) = self.game.set_meta(meta) {
                tracing::warn!(%error, "the players' addresses were not written down");
            }
        }
    }
}

/// What is to be done beside the game.
#[derive(Default)]
pub(super) struct Upkeep {
    /// Whether the others are to be told where players can be reached.
    pub(super) tell: bool,
    /// Whether that is to be written down.
    pub(super) write: bool,
    last: Option<Instant>,
    /// Whether it has been said that a complete game waits for somebody.
    pub(super) lingers: bool,
}

/// How often that is done at most: a player who moves without end costs no more.
const UPKEEP: Duration = Duration::from_secs(3);

impl Upkeep {
    /// Whether there is something to do, and it is time; then it is done now.
    fn due(&mut self, now: Instant) -> bool {
        let rested = self.last.is_none_or(|last| now.duration_since(last) >= UPKEEP);
        let due = rested && (self.tell || self.write);
        if due {
            self.last = Some(now);
        }
        due
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn whatever_changes_is_written_every_few_seconds_only() {
        let (mut upkeep, begun) = (Upkeep::default(), Instant::now());
        assert!(!upkeep.due(begun), "nothing is new");
        upkeep.write = true;
        let times = (0..1000).filter(|n| upkeep.due(begun + Duration::from_millis(9) * *n)).count();
        assert_eq!(times, 3, "in nine seconds");
    }
}
