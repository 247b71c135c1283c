//! A game as a task: from the lobby to its end, telling the screens what happens.

use tokio::{
    sync::mpsc,
    task::{AbortHandle, JoinHandle},
};

use crate::{
    protocol::{crypto::identity::Identity, name::Name},
    run::{
        Again, Cause, Company, Ended, Failure, FromPlayer, Guest, Host, LobbyNews, LobbyOrder,
        Next, TableRun, Target, ToPlayer, Watch, alone, look, resume_of,
    },
    store::{Home, Profile},
    ui::app::{Begin, Event},
};

/// A game under way; dropped, it ends at once, which loses nothing that was signed.
pub(super) struct Task {
    orders: mpsc::UnboundedSender<FromPlayer>,
    lobby: mpsc::UnboundedSender<LobbyOrder>,
    game: AbortHandle,
    handle: JoinHandle<()>,
}

impl Task {
    pub(super) fn order(&self, order: FromPlayer) {
        // A game that has ended takes no orders.
        let _ = self.orders.send(order);
    }

    pub(super) fn lobby(&self, order: LobbyOrder) {
        // A lobby that has ended takes no orders.
        let _ = self.lobby.send(order);
    }

    /// Ends it, and waits until its profile is free again.
    pub(super) async fn end(mut self) {
        self.game.abort();
        // It has been told to end: how it did does not matter.
        let _ = (&mut self.handle).await;
    }
}

impl Drop for Task {
    fn drop(&mut self) {
        self.handle.abort();
    }
}

type Post = mpsc::UnboundedSender<Event>;

/// What the task needs of the screens.
struct Line {
    post: Post,
    orders: mpsc::UnboundedReceiver<FromPlayer>,
    lobby: mpsc::UnboundedReceiver<LobbyOrder>,
}

/// Begins a game.
pub(super) fn begin(own: Profile, name: Name, begin: Begin, post: &Post) -> Task {
    start(post, |mut line: Line| async move {
        let table = match begin {
            Begin::Alone(players, bot) => alone(own, name, players, bot)?,
            Begin::Host(options) => {
                let mut table = Host::open(own, name, options).await?;
                let mut notes = Vec::new();
                let post = line.post.clone();
                let waits = |news| {
                    if let LobbyNews::Note(text) = &news {
                        tell(&post, Event::Waits(format!("{text} …")));
                    }
                    notes.push(news);
                };
                table.reach_relays(waits).await;
                host(table, notes, &mut line).await?
            }
            Begin::Join(target, bot, local) => {
                guest(Guest::open(own, name, bot, target, local).await?, &mut line).await?
            }
            Begin::Watch(target, local) => return watch(own, name, target, local, &mut line).await,
            Begin::Resume(..) => {
                return Err(Failure::new(Cause::Bug, "this game is gone on with otherwise"));
            }
        };
        sit(table, line).await
    })
}

/// Goes on with an unfinished game.
pub(super) fn resume(
    home: &Home,
    table: &str,
    profile: &str,
    post: &Post,
) -> Result<Task, Failure> {
    let found = resume_of(home, Some(profile), |meta| meta.table == table)?;
    let busy = "that game is being played by another fairdeal here";
    let (own, folder) = found.ok_or_else(|| Failure::new(Cause::File, busy))?;
    Ok(start(post, |line: Line| async move {
        let table = TableRun::resume(own, folder).await?;
        sit(table, line).await
    }))
}

/// Runs a game, and tells the screens how it ended, also where it broke.
fn start<G>(post: &Post, game: impl FnOnce(Line) -> G) -> Task
where
    G: Future<Output = Result<Ended, Failure>> + Send + 'static,
{
    let (orders, for_table) = mpsc::unbounded_channel();
    let (lobby, for_lobby) = mpsc::unbounded_channel();
    let line = Line { post: post.clone(), orders: for_table, lobby: for_lobby };
    let post = post.clone();
    let inner = tokio::spawn(game(line));
    let game = inner.abort_handle();
    let ends_with_this = OnDrop(game.clone());
    let handle = tokio::spawn(async move {
        let _ends_with_this = ends_with_this;
        match inner.await {
            Ok(Ok(ended)) => tell(&post, Event::Ended(ended)),
            Ok(Err(why)) => tell(&post, Event::Failed(why)),
            Err(broken) if broken.is_panic() => tell(&post, Event::Broken),
            Err(_) => {}
        }
    });
    Task { orders, lobby, game, handle }
}

/// Looks for the tables of this network until it is dropped.
pub(super) struct Looking {
    _ends_with_this: OnDrop,
}

impl Looking {
    pub(super) fn start(own: Identity, name: Name, post: Post) -> Looking {
        let looking = tokio::spawn(async move {
            let found = |tables| tell(&post, Event::Tables(tables));
            // Without a network there are no tables on it; a pasted line says more.
            if let Err(error) = look(&own, &name, found).await {
                tracing::warn!(%error, "no tables are looked for");
            }
        });
        Looking { _ends_with_this: OnDrop(looking.abort_handle()) }
    }
}

/// Ends the game when the task that waits for it is dropped.
struct OnDrop(AbortHandle);

impl Drop for OnDrop {
    fn drop(&mut self) {
        self.0.abort();
    }
}

async fn host(host: Host, notes: Vec<LobbyNews>, line: &mut Line) -> Result<TableRun, Failure> {
    tell(&line.post, Event::Opened(format!("fairdeal join {}", host.invite()), host.words()));
    notes.into_iter().for_each(|news| tell(&line.post, Event::Lobby(news)));
    let post = line.post.clone();
    let filling = host.fill(Some(&mut line.lobby), move |news| tell(&post, Event::Lobby(news)));
    Ok(filling.await?)
}

async fn guest(guest: Guest, line: &mut Line) -> Result<TableRun, Failure> {
    let post = line.post.clone();
    Ok(guest.sit(move |news| tell(&post, Event::Lobby(news))).await?)
}

/// Watches a table to its end, or until any order: there is one only, to leave.
async fn watch(
    own: Profile,
    name: Name,
    target: Target,
    local: bool,
    line: &mut Line,
) -> Result<Ended, Failure> {
    let watch = Watch::open(own, name, target, local).await?;
    let post = line.post.clone();
    tokio::select! {
        followed = watch.follow(move |seen| tell(&post, Event::Seen(seen))) => followed?,
        _ = line.orders.recv() => {}
    }
    Ok(Ended::Watched)
}

/// At one table after another until the player leaves.
async fn sit(mut table: TableRun, mut line: Line) -> Result<Ended, Failure> {
    loop {
        let (ended, company) = play(table, &mut line).await?;
        let Some(company) = company else { return Ok(ended) };
        tell(&line.post, Event::Ended(ended));
        table = match again(company, &mut line).await? {
            Some(next) => next,
            None => return Ok(Ended::Left),
        };
    }
}

/// After a game: the next table of the same people, if the player wants that.
async fn again(mut company: Company, line: &mut Line) -> Result<Option<TableRun>, Failure> {
    let (mut state, mut wished) = (company.state(), false);
    tell(&line.post, Event::Told(ToPlayer::Again(state.clone())));
    while !wished || matches!(state, Again::Awaited(_) | Again::Gone(_)) {
        tokio::select! {
            changed = company.changed() => {
                state = changed;
                tell(&line.post, Event::Told(ToPlayer::Again(state.clone())));
            }
            order = line.orders.recv() => match order {
                Some(FromPlayer::Again) => wished = true,
                Some(FromPlayer::Leave | FromPlayer::Withdraw) | None => {
                    company.leave().await;
                    return Ok(None);
                }
                Some(_) => {}
            }
        }
    }
    Ok(match company.again()? {
        Some(Next::Table(table)) => Some(*table),
        Some(Next::Host(next)) => Some(host(next, Vec::new(), line).await?),
        Some(Next::Guest(next)) => Some(guest(next, line).await?),
        None => None,
    })
}

/// At the table until the game ends.
async fn play(mut table: TableRun, line: &mut Line) -> Result<(Ended, Option<Company>), Failure> {
    let watching = table.meta().bot.is_some();
    let Some((to_table, mut from_table)) = table.player_ends() else {
        return Err(Failure::new(Cause::Bug, "this table has a player already"));
    };
    let past = table.past().to_vec();
    tell(&line.post, Event::Seated(Box::new(table.snapshot()), past, watching));
    let playing = table.play();
    tokio::pin!(playing);
    let ended = loop {
        tokio::select! {
            biased;
            Some(told) = from_table.recv() => tell(&line.post, Event::Told(told)),
            ended = &mut playing => break ended?,
            order = line.orders.recv() => {
                // The table ends by itself if it takes no orders any more.
                let _ = to_table.send(order.unwrap_or(FromPlayer::Leave));
            }
        }
    };
    while let Ok(told) = from_table.try_recv() {
        tell(&line.post, Event::Told(told));
    }
    Ok(ended)
}

fn tell(post: &Post, event: Event) {
    // The screens have gone; the game is ended with them.
    let _ = post.send(event);
}
