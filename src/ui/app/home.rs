//! The home screen: what can be done.

use crate::{
    bot::Bot,
    game::Players,
    protocol::{lobby::DealKind, name::Name},
    store::{FinishedGame, UnfinishedGame},
};

/// What the disk knows, for the home screen.
#[derive(Debug, Clone, Default)]
pub struct Facts {
    /// The player's name, if it has been given.
    pub name: Option<Name>,
    /// The profile, where it is not the usual one because another fairdeal uses that.
    pub spare: Option<String>,
    /// The name to propose.
    pub proposed: String,
    /// Unfinished games, the newest first.
    pub games: Vec<UnfinishedGame>,
    /// Finished games, the newest first.
    pub replays: Vec<FinishedGame>,
}

/// What can be chosen.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Item {
    /// Alone against bots.
    Play,
    /// Open a table.
    Host,
    /// Join one.
    Join,
    /// Go on with an unfinished game.
    Resume,
    /// Finished games.
    Replays,
    /// The rules, by doing.
    Learn,
    /// Rules and keys.
    Help,
    /// Leave.
    Quit,
}

/// The home screen.
#[derive(Debug, Clone)]
pub struct HomePage {
    /// Which item is marked.
    pub at: usize,
    /// How many play.
    pub players: Players,
    /// The bot of the other seats.
    pub bot: Bot,
    /// How a hosted table deals.
    pub deal: DealKind,
}

impl Default for HomePage {
    fn default() -> HomePage {
        HomePage { at: 0, players: Players::THREE, bot: Bot::OPPONENT, deal: DealKind::Sealed }
    }
}

impl HomePage {
    /// The items, those that lead nowhere left out.
    pub fn items(facts: &Facts) -> Vec<Item> {
        let mut items = vec![Item::Play, Item::Host, Item::Join];
        if !facts.games.is_empty() {
            items.push(Item::Resume);
        }
        if !facts.replays.is_empty() {
            items.push(Item::Replays);
        }
        items.extend([Item::Learn, Item::Help, Item::Quit]);
        items
    }

    /// The marked item.
    pub fn item(&self, facts: &Facts) -> Item {
        HomePage::items(facts).get(self.at).copied().unwrap_or(Item::Play)
    }

    /// More or fewer players.
    pub fn more(&mut self, more: bool) {
        self.players = neighbour(self.players, more);
    }

    /// The next bot, or the other deal.
    pub fn other(&mut self, facts: &Facts) {
        if self.item(facts) == Item::Host {
            self.deal = match self.deal {
                DealKind::Sealed => DealKind::Open,
                DealKind::Open => DealKind::Sealed,
            };
        } else {
            self.bot = self.bot.next();
        }
    }
}

/// One player more or fewer, where there is such a table.
pub fn neighbour(players: Players, more: bool) -> Players {
    let count = if more { players.count() + 1 } else { players.count() - 1 };
    Players::new(count).unwrap_or(players)
}
