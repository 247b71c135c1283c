//! What the host says while seats are being taken.

use rand::{SeedableRng, rngs::SmallRng, seq::SliceRandom};

use super::{Host, bot_join};
use crate::{
    game::Players,
    protocol::crypto::identity::PublicKey,
    run::{LobbyOrder, RunError, random, seats::bot_identity},
};

impl Host {
    /// Carries out what the host says; true if the game is to begin.
    pub(super) fn on_order(&mut self, order: &LobbyOrder) -> Result<bool, RunError> {
        match order {
            LobbyOrder::AddBot if !self.is_full() => {
                let bots = self.joins.iter().filter(|join| join.kept_by.is_some()).count();
                let (keeper, bot) = (self.profile.identity(), self.options.bots_play);
                self.joins.extend(bot_join(keeper, &self.terms.id, bot, bots as u8)?);
            }
            LobbyOrder::Remove(key) => self.remove(key),
            LobbyOrder::Move(key, down) => self.move_seat(key, *down),
            LobbyOrder::Shuffle => {
                let mut rng = SmallRng::seed_from_u64(u64::from_le_bytes(random()?));
                self.joins.get_mut(1..).unwrap_or_default().shuffle(&mut rng);
            }
            LobbyOrder::Players(players) => {
                if usize::from(players.count()) >= self.joins.len() {
                    self.options.players = *players;
                }
            }
            LobbyOrder::Start => return Ok(Players::new(self.joins.len() as u8).is_some()),
            // Lines are passed on before this.
            LobbyOrder::AddBot | LobbyOrder::Say(_) => {}
        }
        Ok(false)
    }

    /// Takes a seat back: a guest's for good; of the bots always the last one, since their keys
    /// are numbered.
    fn remove(&mut self, key: &PublicKey) {
        let Some(at) = self.joins.iter().position(|join| join.key == *key) else { return };
        if at == 0 {
            return;
        }
        if self.joins[at].kept_by.is_some() {
            let bots = self.joins.iter().filter(|join| join.kept_by.is_some()).count();
            let own = self.profile.identity();
            let last = bot_identity(own, &self.terms.id, bots as u8 - 1).public();
            self.joins.retain(|join| join.key != last);
        } else {
            self.joins.remove(at);
            self.removed.insert(*key);
            self.refuse(key, "the host has taken your seat back");
        }
    }

    /// Swaps a seat with its neighbour. The host signs the roster and keeps the first seat. The
    /// turn goes round, so every order is still possible.
    fn move_seat(&mut self, key: &PublicKey, down: bool) {
        let at = self.joins.iter().position(|join| join.key == *key).unwrap_or_default();
        let other = if down { at + 1 } else { at.saturating_sub(1) };
        if at > 0 && other > 0 && other < self.joins.len() {
            self.joins.swap(at, other);
        }
    }
}
