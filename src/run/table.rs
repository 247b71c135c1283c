//! The table as a task: one loop over network, player and time.

mod clock;
mod ending;
mod meeting;
mod watched;

use std::{path::PathBuf, time::Duration};

use tokio::{
    sync::mpsc,
    time::{Instant, sleep, sleep_until},
};

use self::{
    clock::{Clock, asleep_words},
    meeting::Upkeep,
};
use super::{
    Company, Connection, FromPlayer, RunError, Seats, Snapshot, ToPlayer,
    company::next_table,
    greet::table_greeting,
    peers::{flood_words, link_of, seat_of, without_words},
};
use crate::{
    game::Seat,
    net::{self, Invite, NetConfig, NetEvent},
    protocol::{
        codec,
        crypto::{hash::Hash, identity::PublicKey},
        message::{Lobby, Message, Talk},
        session::{Link, News, Output},
        table::{Fact, Phase},
    },
    store::{GameDir, Meta, Profile, Role, StoreError, replay_name},
};

/// How long a player's goodbye has to reach the others.
const FAREWELL: Duration = Duration::from_millis(500);

/// How long a disk that failed is left alone before the write is tried again.
const DISK_RETRY: Duration = Duration::from_secs(1);

/// A table this process plays at.
pub struct TableRun {
    profile: Profile,
    game: GameDir,
    seats: Seats,
    connection: Option<Connection>,
    clock: Clock,
    orders: mpsc::UnboundedReceiver<FromPlayer>,
    player: mpsc::UnboundedSender<ToPlayer>,
    ends: Option<(mpsc::UnboundedSender<FromPlayer>, mpsc::UnboundedReceiver<ToPlayer>)>,
    left: bool,
    withdrawn: bool,
    news: bool,
    complete_at: Option<Instant>,
    /// The table that the host has opened after this one.
    next: Option<Invite>,
    /// How many the others have been told watch here.
    told_watching: u8,
    upkeep: Upkeep,
}

/// How a table was left.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Ended {
    /// The game is complete; this is its file.
    Complete(PathBuf),
    /// The player left; the game can be gone on with.
    Left,
    /// Somebody who watched has seen the end, or enough.
    Watched,
}

impl TableRun {
    /// A table that is about to be played.
    pub fn new(
        profile: Profile,
        game: GameDir,
        seats: Seats,
        connection: Option<Connection>,
    ) -> TableRun {
        let (to_table, orders) = mpsc::unbounded_channel();
        let (player, from_table) = mpsc::unbounded_channel();
        TableRun {
            profile,
            game,
            seats,
            connection,
            clock: Clock::start(),
            orders,
            player,
            ends: Some((to_table, from_table)),
            left: false,
            withdrawn: false,
            news: true,
            complete_at: None,
            next: None,
            told_watching: 0,
            upkeep: Upkeep::default(),
        }
    }

    /// A table from the disk, with the network it needs.
    ///
    /// # Errors
    /// [`RunError`] if the game cannot be read or the network does not start.
    pub async fn resume(profile: Profile, folder: PathBuf) -> Result<TableRun, RunError> {
        let mut game = GameDir::open(&profile, &folder)?;
        let seats = Seats::open(&mut game, profile.identity(), true)?;
        let meta = game.meta().clone();
        let mut connection = None;
        if meta.role != Role::Alone {
            let roster = seats.own().table().roster();
            let started = net::start(NetConfig {
                secret: profile.identity().secret(),
                port: meta.port,
                loopback: meta.local,
                outside: Vec::new(),
                second_port: false,
                mdns: !meta.local,
                greeting: table_greeting(roster, seats.own().seat(), &meta, 0),
            })
            .await?;
            let mut joined = Connection::new(started);
            joined.recall(roster, &meta);
            connection = Some(joined);
        }
        let mut table = TableRun::new(profile, game, seats, connection);
        let line = table.renew_line();
        line.into_iter().for_each(|line| table.tell(ToPlayer::Invite(line)));
        Ok(table)
    }

    /// The two ends of the player's line to the table; once.
    pub fn player_ends(
        &mut self,
    ) -> Option<(mpsc::UnboundedSender<FromPlayer>, mpsc::UnboundedReceiver<ToPlayer>)> {
        self.ends.take()
    }

    /// What the disk knows of the game.
    pub fn meta(&self) -> &Meta {
        self.game.meta()
    }

    /// What has happened at the table before this process came to it.
    pub fn past(&self) -> &[Fact] {
        self.seats.own().past()
    }

    /// How the table stands.
    pub fn snapshot(&self) -> Snapshot {
        let own = self.seats.own();
        let roster = own.table().roster().clone();
        let players = own.table().players();
        let here = |seat: Seat| self.seats.plays(seat);
        let presence = match &self.connection {
            Some(connection) => connection.presence(&roster, players, here),
            None => players.seats().map(|_| super::Presence::Here).collect(),
        };
        let rtts = self.connection.as_ref().map(|connection| connection.rtts(&roster, players));
        Snapshot {
            seat: own.seat(),
            game_id: *own.table().game_id(),
            roster,
            phase: own.table().phase(),
            awaited: own.awaited(),
            asks: own.asks(),
            waited: Duration::from_millis(own.waited(self.now())),
            overdue: own.overdue(self.now()),
            claimed: own.claimed(),
            view: *own.view_game(),
            presence,
            rtts: rtts.unwrap_or_else(|| vec![None; usize::from(players.count())]),
            watching: self.watching(),
        }
    }

    /// Plays until the game is complete and everyone has it, or the player leaves. After a
    /// complete game its players may play again.
    ///
    /// # Errors
    /// [`RunError`] if the finished game cannot be moved to the replays.
    pub async fn play(mut self) -> Result<(Ended, Option<Company>), RunError> {
        self.begin();
        loop {
            self.settle().await;
            if self.withdrawn && self.connection.as_ref().is_some_and(|net| !net.up.is_empty()) {
                sleep(FAREWELL).await;
            }
            if self.left || self.withdrawn {
                self.shut().await;
                return Ok((Ended::Left, None));
            }
            self.keep_up();
            if self.is_done() {
                let (replay, company) = self.finish()?;
                return Ok((Ended::Complete(replay), Some(company)));
            }
            let wake = self.clock.waits(Duration::from_millis(self.seats.wake_at()));
            tokio::select! {
                event = next_event(&mut self.connection) => {
                    self.wake_up();
                    self.on_network(event);
                }
                order = self.orders.recv() => {
                    self.wake_up();
                    self.on_order(order);
                }
                () = sleep_until(wake) => {
                    self.wake_up();
                    let now = self.now();
                    self.seats.all_mut().for_each(|local| local.session.tick(now));
                    // The clock that the player sees.
                    self.news |= self.seats.own().table().phase() != Phase::Complete;
                }
            }
        }
    }

    fn now(&self) -> u64 {
        self.clock.now().as_millis() as u64
    }

    /// Says so if this program has slept.
    fn wake_up(&mut self) {
        let slept = self.clock.wakes();
        let words = |slept| ToPlayer::Note(asleep_words(slept));
        slept.into_iter().for_each(|slept| self.tell(words(slept)));
    }

    /// Greets the peers that were up before the table was.
    fn begin(&mut self) {
        let own = self.seats.own();
        let (roster, seat) = (own.table().roster().clone(), own.seat());
        self.remember_people(&roster, seat);
        self.let_watch();
        let Some(connection) = &self.connection else { return };
        // Also those of whom no address is known: they are no strangers when they come.
        for join in roster.joins.iter().filter(|join| join.kept_by.is_none()) {
            let addresses = connection.addresses.get(&join.key).cloned().unwrap_or_default();
            connection.net.know(join.key, addresses, true);
        }
        let up: Vec<PublicKey> = connection.up.keys().copied().collect();
        up.iter().for_each(|key| self.peer_up(key));
    }

    /// Carries out all that the sessions ask for and lets bots decide, until nothing is left.
    async fn settle(&mut self) {
        loop {
            let mut done = true;
            for index in 0..self.seats.count() {
                while let Some(output) = self.seats.at(index).session.poll() {
                    done = false;
                    self.carry_out(index, output).await;
                    if self.left {
                        return;
                    }
                }
                let now = self.now();
                let local = self.seats.at(index);
                done &= !local.decide(now) && !local.session.has_outputs();
            }
            if done {
                break;
            }
        }
        self.serve_watchers();
        if std::mem::take(&mut self.news) {
            self.tell(ToPlayer::State(Box::new(self.snapshot())));
        }
    }

    async fn carry_out(&mut self, index: usize, output: Output) {
        let seat = self.seats.at(index).seat;
        match output {
            Output::Journal(record) => {
                self.on_disk(|game| game.journal(seat, &record)).await;
            }
            Output::Append(records) if index == 0 => {
                self.on_disk(|game| game.append(&records)).await;
                self.news = true;
            }
            Output::Cut { kept, tail } if index == 0 => {
                self.on_disk(|game| game.undo(kept, &tail)).await;
                self.news = true;
            }
            Output::Append(_) | Output::Cut { .. } => {}
            Output::Send(link, talk) => self.send(seat, link, talk),
            Output::Tell(news) if index == 0 => {
                self.news = true;
                let proof = match &news {
                    News::Fault { seat, evidence, .. } => self.keep_evidence(*seat, evidence),
                    _ => None,
                };
                self.tell(ToPlayer::News(news));
                proof.into_iter().for_each(|path| self.tell(ToPlayer::Evidence(path)));
            }
            Output::Tell(_) => {}
        }
    }

    /// Writes the proof of a fault beside the replays.
    fn keep_evidence(&self, seat: Seat, evidence: &[u8]) -> Option<PathBuf> {
        let id = data_encoding::HEXLOWER.encode(&self.seats.own().table().game_id()[..4]);
        let name = format!("{id}-seat{seat}.evidence");
        let written = self.profile.keep_evidence(&name, evidence);
        written.map_err(|error| tracing::error!(%error, "evidence was not written")).ok()
    }

    /// Writes, again and again until it is written or the player leaves.
    async fn on_disk(&mut self, write: impl Fn(&mut GameDir) -> Result<(), StoreError>) {
        let mut told = false;
        while let Err(error) = write(&mut self.game) {
            tracing::error!(%error, "the disk fails");
            if !told {
                self.tell(ToPlayer::Disk(error.to_string()));
                told = true;
            }
            tokio::select! {
                () = sleep(DISK_RETRY) => {}
                order = self.orders.recv() => {
                    if matches!(order, Some(FromPlayer::Leave | FromPlayer::Withdraw) | None) {
                        self.left = true;
                        return;
                    }
                    self.tell(ToPlayer::NotTaken("the disk fails; the game waits".into()));
                }
            }
        }
    }

    fn send(&mut self, from: Seat, link: Link, talk: Talk) {
        let now = self.now();
        if let Some(index) = self.seats.place_of(link) {
            self.seats.at(index).session.receive(link_of(from), talk, now);
            return;
        }
        let table = self.seats.own().table();
        let key = seat_of(link).and_then(|seat| table.player(seat)).map(|join| join.key);
        if let (Some(connection), Some(key)) = (&self.connection, key) {
            connection.send(&key, &Message::Table(*table.game_id(), talk));
        }
    }

    fn on_order(&mut self, order: Option<FromPlayer>) {
        let now = self.now();
        let own = self.seats.own_mut();
        let taken = match order {
            None | Some(FromPlayer::Leave) => {
                self.left = true;
                return;
            }
            Some(FromPlayer::Withdraw) => {
                own.leave();
                self.withdrawn = true;
                return;
            }
            Some(FromPlayer::Say(line)) => {
                if let Err(error) = own.chat(line, now) {
                    self.tell(ToPlayer::NotSaid(error.to_string()));
                }
                return;
            }
            Some(FromPlayer::GoOnWithout(seat)) => own.claim(seat, now),
            Some(FromPlayer::Choose(flip)) => own.choose(flip),
            Some(FromPlayer::Act(action)) => own.act(action),
        };
        self.news = true;
        if let Err(error) = taken {
            self.tell(ToPlayer::NotTaken(error.to_string()));
        }
    }

    fn on_network(&mut self, event: Option<NetEvent>) {
        match event {
            Some(NetEvent::Up { peer, .. }) => self.peer_up(&peer),
            Some(NetEvent::Moved { peer, .. }) => {
                if let Some(seat) = self.seat_of(&peer) {
                    self.seats.own_mut().link_down(link_of(seat));
                    self.peer_up(&peer);
                }
            }
            Some(NetEvent::Listening(_) | NetEvent::Relay { ready: Ok(()), .. }) => {
                self.upkeep.tell = true;
            }
            Some(NetEvent::Greeting { .. }) => self.news = true,
            Some(NetEvent::Down { peer }) => {
                if let Some(seat) = self.seat_of(&peer) {
                    self.news = true;
                    self.seats.own_mut().link_down(link_of(seat));
                }
            }
            Some(NetEvent::Frame { peer, bytes }) => self.on_frame(&peer, &bytes),
            Some(NetEvent::Flooded { addresses }) => {
                self.tell(ToPlayer::Note(flood_words(addresses)));
            }
            Some(NetEvent::Without { transport, reason }) => {
                self.tell(ToPlayer::Note(without_words(transport, &reason)));
            }
            Some(_) => {}
            None => self.connection = None,
        }
    }

    fn seat_of(&self, key: &PublicKey) -> Option<Seat> {
        self.seats.own().table().roster().seat_of(key)
    }

    /// A peer is up: if it has a seat and is at this table, the sessions talk.
    fn peer_up(&mut self, key: &PublicKey) {
        let table = self.seats.own().table();
        let Some(seat) = table.roster().seat_of(key) else { return };
        let table_id = table.roster().terms.id;
        let Some(connection) = &mut self.connection else { return };
        let ways = connection.ways_message(self.profile.identity(), table_id);
        connection.send(key, &ways);
        self.seats.own_mut().link_up(link_of(seat));
        self.news = true;
    }

    fn on_frame(&mut self, key: &PublicKey, bytes: &[u8]) {
        let now = self.now();
        let seat = self.seat_of(key);
        let game_id: Hash = *self.seats.own().table().game_id();
        let Ok(message) = codec::decode(bytes) else {
            tracing::warn!(?key, "a frame could not be decoded");
            return;
        };
        match (message, seat) {
            (Message::Table(game, talk), Some(seat)) if game == game_id => {
                self.seats.own_mut().receive(link_of(seat), talk, now);
            }
            (Message::Lobby(Lobby::Addresses(told)), Some(_)) => self.learn_ways(told),
            (Message::Lobby(Lobby::Next(text)), Some(Seat::FIRST)) => {
                self.next = next_table(key, &text).or(self.next.take());
            }
            (Message::Lobby(Lobby::Watch { secret }), None) => self.lets_watch(key, &secret),
            (Message::Lobby(Lobby::Look { secret }), None) => {
                self.connection.iter().for_each(|connection| connection.looked(key, &secret));
            }
            (Message::Table(game, Talk::Get(from)), None) if game == game_id => {
                self.watcher_asks(key, from);
            }
            (Message::Lobby(Lobby::Ask { .. }), seat) => self.answer_late(key, seat.is_some()),
            _ => {}
        }
    }

    fn tell(&self, what: ToPlayer) {
        // Nobody listens when the player's side has ended; the table goes on to its end.
        let _ = self.player.send(what);
    }

    async fn shut(mut self) {
        self.write_ways();
        if let Some(connection) = self.connection {
            connection.net.shutdown().await;
        }
    }

    fn finish(self) -> Result<(PathBuf, Company), RunError> {
        let own = self.seats.own();
        let (roster, seat) = (own.table().roster().clone(), own.seat());
        let name = replay_name(&roster, seat, time::OffsetDateTime::now_utc());
        let replay = self.profile.home().replays().join(name);
        let meta = self.game.meta().clone();
        self.game.finish(&replay)?;
        let Self { profile, connection, next, .. } = self;
        Ok((replay, Company::new(profile, meta, (roster, seat), connection, next)))
    }
}

/// The next event of the network; never, where there is none.
async fn next_event(connection: &mut Option<Connection>) -> Option<NetEvent> {
    match connection {
        Some(connection) => connection.next().await,
        None => std::future::pending().await,
    }
}
