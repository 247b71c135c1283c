//! Who asks for a seat, and who gets one.

use super::Host;
use crate::{
    protocol::{
        crypto::identity::PublicKey,
        lobby::Join,
        message::{Lobby, Message},
    },
    run::{LobbyNews, Remark},
};

impl Host {
    /// A guest asks for a seat.
    pub(super) fn asked(
        &mut self,
        key: PublicKey,
        secret: &[u8],
        join: Join,
        whereabouts: &[u8],
        tell: &mut impl FnMut(LobbyNews),
    ) {
        let entry = self.connection.entry(&key, secret);
        let refused = if entry.is_none() {
            Some("this table is joined with its invite: ask the host for the line to paste")
        } else if join.key != key || join.kept_by.is_some() {
            Some("the request does not fit the key it came from")
        } else if self.removed.contains(&key) {
            Some("the host has taken your seat back")
        } else if self.is_full() && !self.joins.iter().any(|seated| seated.key == key) {
            Some("every seat is taken")
        } else {
            None
        };
        if let Some(reason) = refused {
            self.refuse(&key, reason);
            return;
        }
        match self.joins.iter_mut().find(|seated| seated.key == key) {
            Some(seated) => *seated = join,
            None => {
                let path = self.connection.up.get(&key).map(|(path, _)| *path);
                tell(LobbyNews::Remark(Remark::Came(join.name.clone(), path)));
                let how = entry.map(|entry| entry.to_string()).unwrap_or_default();
                let twin = self.joins.iter().position(|seated| seated.name.looks_like(&join.name));
                let twin = twin.map(|at| format!("; the name looks like that of seat {}", at + 1));
                let twin = twin.unwrap_or_default();
                tell(LobbyNews::note(format!("{} comes {how}{twin}", join.name)));
                self.joins.push(join);
            }
        }
        self.connection.welcome(&key);
        self.connection.learn_guest(&self.terms.id, key, whereabouts);
        // Also to one who asks again and changes nothing.
        self.tell_seats();
    }

    pub(super) fn refuse(&self, key: &PublicKey, reason: &str) {
        self.connection.send(key, &Message::Lobby(Lobby::Refused(reason.into())));
    }
}
