//! What is said in the lobby: the host passes it on, of those who have a seat and at a pace.

use super::Host;
use crate::{
    protocol::{
        chat::Line,
        crypto::identity::PublicKey,
        limits::{CHAT_BURST, CHAT_MS},
        message::{Lobby, Message},
    },
    run::LobbyNews,
};

impl Host {
    /// Somebody says something: the host reads it, and everyone who has a seat. What is said too
    /// fast, or by somebody without a seat, goes no further.
    pub(super) fn said(&mut self, key: &PublicKey, line: Line, tell: &mut impl FnMut(LobbyNews)) {
        let Some(join) = self.joins.iter().find(|join| join.key == *key) else { return };
        let window = self.opened.elapsed().as_millis() as u64 / (CHAT_MS * CHAT_BURST);
        if !self.talk.entry(*key).or_default().take(window, 1, CHAT_BURST as usize) {
            return;
        }
        tell(LobbyNews::Said(join.name.clone(), line.clone()));
        let message = Message::Lobby(Lobby::Said(*key, line));
        let own = self.profile.identity().public();
        let guests = self.joins.iter().filter(|join| join.kept_by.is_none() && join.key != own);
        guests.for_each(|guest| self.connection.send(&guest.key, &message));
    }
}
