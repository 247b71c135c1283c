//! One sitting: the way to a table, the game there, and further games with the same people.
//!
//! Lines and screens both run this. They hear of it by [`SittingEvent`]s and steer it by
//! [`SittingOrder`]s.

use std::path::PathBuf;

use tokio::sync::mpsc;

use super::{
    Again, Cause, Company, Ended, Failure, FromPlayer, Guest, Host, HostOptions, LobbyNews,
    LobbyOrder, Next, Seen, Snapshot, TableRun, ToPlayer, Watch, alone,
};
use crate::{
    bot::Bot,
    game::Players,
    net::Target,
    protocol::{name::Name, table::Fact},
    store::{Meta, Profile, UnfinishedGame},
};

/// A way to a table.
#[derive(Debug, Clone)]
pub enum Begin {
    /// A new game against bots, in this process alone.
    Alone {
        /// How many play, the player included.
        players: Players,
        /// Who plays the other seats.
        bot: Bot,
    },
    /// A table of one's own, for others to join.
    Host(HostOptions),
    /// Somebody's table.
    Join {
        /// What leads there.
        target: Target,
        /// The bot that plays the seat, if one does.
        bot: Option<Bot>,
        /// Whether to listen on this machine only.
        local: bool,
    },
    /// An unfinished game.
    Resume(UnfinishedGame),
    /// Somebody's table, to watch it.
    Watch {
        /// What leads there.
        target: Target,
        /// Whether to listen on this machine only.
        local: bool,
    },
}

/// When a table that is hosted here begins its game.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Starts {
    /// As soon as every seat is taken.
    WhenFull,
    /// When the host orders it.
    WhenOrdered,
}

/// What somebody says who sits at a table, or is on the way to one.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum SittingOrder {
    /// To the table. Leaving is understood everywhere.
    Table(FromPlayer),
    /// To the lobby of a table that is hosted here.
    Lobby(LobbyOrder),
    /// Play again with the same people, now or when the game is over.
    Again,
}

impl SittingOrder {
    fn leaves(order: Option<&SittingOrder>) -> bool {
        let leave = SittingOrder::Table(FromPlayer::Leave);
        let withdraw = SittingOrder::Table(FromPlayer::Withdraw);
        order.is_none_or(|order| *order == leave || *order == withdraw)
    }
}

/// What happens in a sitting.
#[derive(Debug)]
pub enum SittingEvent {
    /// Something happened while a table is being opened here; it is told again in the lobby.
    Opening(LobbyNews),
    /// A table is open here.
    Opened {
        /// What friends join it with.
        invite: String,
        /// The table's two words, where it can be found on the local network.
        words: Option<String>,
    },
    /// Something happened before the game.
    Lobby(LobbyNews),
    /// Something happened at a table that is watched.
    Seen(Seen),
    /// The player sits at a table.
    Seated(Box<Seated>),
    /// The table says something.
    Told(ToPlayer),
    /// The game is complete; this is its file.
    Complete(PathBuf),
    /// After the game: how it stands with the next table of the same people.
    Again(Again),
}

/// A table as the player finds it.
#[derive(Debug)]
pub struct Seated {
    /// How the table stands.
    pub now: Snapshot,
    /// What has happened there before.
    pub past: Vec<Fact>,
    /// Whether a bot plays the seat, and the player looks on.
    pub bot: bool,
    /// What the disk knows of the game, where it is an unfinished one that goes on.
    pub resumed: Option<Meta>,
}

/// Somebody who is about to sit down.
pub struct Sitting<T> {
    /// Who it is. The profile's player has a name, unless the game is an unfinished one.
    pub profile: Profile,
    /// The way to the first table.
    pub begin: Begin,
    /// When a table that is hosted here begins.
    pub starts: Starts,
    /// What the player says.
    pub orders: mpsc::UnboundedReceiver<SittingOrder>,
    /// Where to tell what happens.
    pub tell: T,
}

impl<T: Fn(SittingEvent) + Send + Sync> Sitting<T> {
    /// Plays one game after another until the player gets up. Gives how the last one ended.
    ///
    /// # Errors
    /// [`Failure`] if no table is reached, or a game cannot be continued.
    pub async fn run(self) -> Result<Ended, Failure> {
        let Sitting { profile, begin, starts, orders, tell } = self;
        let mut chair = Chair { starts, orders, tell, again: false };
        let mut resumed = matches!(begin, Begin::Resume(_));
        let mut next = match begin {
            Begin::Watch { target, local } => return chair.watch(profile, target, local).await,
            begin => chair.reach(profile, begin).await?,
        };
        let mut ended = Ended::Left;
        while let Some(table) = next {
            let (how, company) = chair.play(table, resumed).await?;
            ended = how;
            resumed = false;
            let Some(company) = company else { break };
            if let Ended::Complete(path) = &ended {
                (chair.tell)(SittingEvent::Complete(path.clone()));
            }
            next = chair.again(company).await?;
        }
        Ok(ended)
    }
}

/// Somebody in a sitting.
struct Chair<T> {
    starts: Starts,
    orders: mpsc::UnboundedReceiver<SittingOrder>,
    tell: T,
    /// Whether the player wants to play again when this game is over.
    again: bool,
}

impl<T: Fn(SittingEvent) + Send + Sync> Chair<T> {
    /// Goes to the first table; `None` if the player leaves before there is one.
    async fn reach(&mut self, own: Profile, begin: Begin) -> Result<Option<TableRun>, Failure> {
        Ok(match begin {
            Begin::Alone { players, bot } => {
                let name = name_of(&own)?;
                Some(alone(own, name, players, bot)?)
            }
            Begin::Host(options) => {
                let name = name_of(&own)?;
                let mut host = Host::open(own, name, options).await?;
                let mut notes = Vec::new();
                let waits = |news: LobbyNews| {
                    (self.tell)(SittingEvent::Opening(news.clone()));
                    notes.push(news);
                };
                host.reach_relays(waits).await;
                self.fill(host, notes).await?
            }
            Begin::Join { target, bot, local } => {
                let name = name_of(&own)?;
                let guest = Guest::open(own, name, bot, target, local).await?;
                self.sit(guest).await?
            }
            Begin::Resume(game) => Some(TableRun::resume(own, game.folder).await?),
            Begin::Watch { .. } => None,
        })
    }

    /// Opens a table for others, who are seated until the game begins.
    async fn fill(
        &mut self,
        host: Host,
        notes: Vec<LobbyNews>,
    ) -> Result<Option<TableRun>, Failure> {
        let Chair { starts, orders, tell, .. } = self;
        tell(SittingEvent::Opened { invite: host.invite(), words: host.words() });
        notes.into_iter().for_each(|news| tell(SittingEvent::Lobby(news)));
        let (to_lobby, mut for_lobby) = mpsc::unbounded_channel();
        let ordered = (*starts == Starts::WhenOrdered).then_some(&mut for_lobby);
        let filling = host.fill(ordered, |news| tell(SittingEvent::Lobby(news)));
        tokio::pin!(filling);
        loop {
            tokio::select! {
                table = &mut filling => return Ok(Some(table?)),
                order = orders.recv() => match order {
                    // A lobby that begins by itself takes no orders.
                    Some(SittingOrder::Lobby(order)) => drop(to_lobby.send(order)),
                    order if SittingOrder::leaves(order.as_ref()) => return Ok(None),
                    _ => {}
                }
            }
        }
    }

    /// Goes to a table of somebody else.
    async fn sit(&mut self, guest: Guest) -> Result<Option<TableRun>, Failure> {
        let Chair { orders, tell, .. } = self;
        let (says, to_say) = mpsc::unbounded_channel();
        let sitting = guest.sit(to_say, |news| tell(SittingEvent::Lobby(news)));
        tokio::pin!(sitting);
        loop {
            tokio::select! {
                table = &mut sitting => return Ok(Some(table?)),
                order = orders.recv() => match order {
                    Some(SittingOrder::Lobby(LobbyOrder::Say(line))) => drop(says.send(line)),
                    order if SittingOrder::leaves(order.as_ref()) => return Ok(None),
                    _ => {}
                }
            }
        }
    }

    /// Watches a table to its end, or until the player leaves.
    async fn watch(&mut self, own: Profile, target: Target, local: bool) -> Result<Ended, Failure> {
        let name = name_of(&own)?;
        let watch = Watch::open(own, name, target, local).await?;
        tokio::select! {
            followed = watch.follow(|seen| (self.tell)(SittingEvent::Seen(seen))) => followed?,
            () = left(&mut self.orders) => {}
        }
        Ok(Ended::Watched)
    }

    /// At a table until its game ends or the player leaves.
    async fn play(
        &mut self,
        mut table: TableRun,
        resumed: bool,
    ) -> Result<(Ended, Option<Company>), Failure> {
        let Some((to_table, mut from_table)) = table.player_ends() else {
            return Err(Failure::new(Cause::Bug, "this table has a player already"));
        };
        self.again = false;
        let (now, past) = (table.snapshot(), table.past().to_vec());
        let (meta, bot) = (table.meta(), table.meta().bot.is_some());
        let resumed = resumed.then(|| meta.clone());
        (self.tell)(SittingEvent::Seated(Box::new(Seated { now, past, bot, resumed })));
        let playing = table.play();
        tokio::pin!(playing);
        let ended = loop {
            tokio::select! {
                biased;
                Some(told) = from_table.recv() => (self.tell)(SittingEvent::Told(told)),
                ended = &mut playing => break ended?,
                order = self.orders.recv() => match order {
                    // The table ends by itself if it takes no orders any more.
                    Some(SittingOrder::Table(order)) => drop(to_table.send(order)),
                    None => drop(to_table.send(FromPlayer::Leave)),
                    Some(SittingOrder::Again) => self.again = true,
                    Some(SittingOrder::Lobby(_)) => {}
                }
            }
        };
        while let Ok(told) = from_table.try_recv() {
            (self.tell)(SittingEvent::Told(told));
        }
        Ok(ended)
    }

    /// After a game: the next table of the same people, if the player wants that.
    async fn again(&mut self, mut company: Company) -> Result<Option<TableRun>, Failure> {
        let mut state = company.state();
        (self.tell)(SittingEvent::Again(state.clone()));
        while !self.again || matches!(state, Again::Awaited(_) | Again::Gone(_)) {
            tokio::select! {
                changed = company.changed() => {
                    state = changed;
                    (self.tell)(SittingEvent::Again(state.clone()));
                }
                order = self.orders.recv() => match order {
                    Some(SittingOrder::Again) => self.again = true,
                    order if SittingOrder::leaves(order.as_ref()) => {
                        company.leave().await;
                        return Ok(None);
                    }
                    _ => {}
                }
            }
        }
        match company.again()? {
            Some(Next::Table(table)) => Ok(Some(*table)),
            Some(Next::Host(host)) => self.fill(*host, Vec::new()).await,
            Some(Next::Guest(guest)) => self.sit(*guest).await,
            None => Ok(None),
        }
    }
}

/// Waits until the player leaves.
async fn left(orders: &mut mpsc::UnboundedReceiver<SittingOrder>) {
    while !SittingOrder::leaves(orders.recv().await.as_ref()) {}
}

/// The name the profile's player has chosen.
fn name_of(own: &Profile) -> Result<Name, Failure> {
    let missing = || Failure::new(Cause::File, "there is no name to play under");
    own.player()?.ok_or_else(missing)
}
