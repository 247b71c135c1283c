//! Before and after a game, over loopback sockets: the order of the seats, and the same people
//! again.
#![cfg(feature = "net")]

use std::time::Duration;

use fairdeal::{
    bot::Bot,
    game::Players,
    protocol::{
        chat::Line,
        lobby::{DealKind, Join},
        log::verify::verify,
    },
    run::{
        Again, Company, Ended, FromPlayer, Guest, Host, HostOptions, LobbyNews, LobbyOrder, Next,
        TableRun,
    },
    store::{Home, Profile},
};
use tempfile::TempDir;
use tokio::sync::mpsc::{UnboundedReceiver, UnboundedSender, unbounded_channel};

/// How long anything may take: the machine that runs the tests may be busy with others.
const PATIENCE: Duration = Duration::from_secs(120);

/// A folder with a home for each player.
struct Homes(TempDir);

impl Homes {
    fn new() -> Homes {
        Homes(TempDir::new().expect("a folder for the test"))
    }

    fn profile(&self, name: &str) -> Profile {
        let home = Home::at(self.0.path().join(name)).expect("a home");
        Profile::open(&home, None).expect("a profile")
    }

    async fn host(&self, players: u8) -> Host {
        let options = HostOptions {
            players: Players::new(players).expect("a number"),
            bots: 0,
            bots_play: Bot::Greedy,
            own_bot: Some(Bot::Greedy),
            deal: DealKind::Open,
            clock_s: 0,
            patience_s: 60,
            port: 0,
            lan: false,
            watch: true,
            local: true,
            relays: None,
        };
        let name = "Ana".parse().expect("a name");
        Host::open(self.profile("Ana"), name, options).await.expect("a table")
    }

    async fn guest(&self, name: &str, invite: &str) -> Guest {
        let target = invite.parse().expect("an invite");
        let bot = Some(Bot::Greedy);
        let player = name.parse().expect("a name");
        Guest::open(self.profile(name), player, bot, target, true).await.expect("a network")
    }
}

type News = UnboundedReceiver<LobbyNews>;
type Seated = tokio::task::JoinHandle<TableRun>;

fn fill(host: Host) -> (Seated, UnboundedSender<LobbyOrder>, News) {
    let (orders, mut for_host) = unbounded_channel();
    let (tell, news) = unbounded_channel();
    let seated = tokio::spawn(async move {
        let filled = host.fill(Some(&mut for_host), move |news| drop(tell.send(news)));
        filled.await.expect("a game")
    });
    (seated, orders, news)
}

fn sit(guest: Guest) -> (Seated, News) {
    let (seated, _, news) = sit_and_say(guest);
    (seated, news)
}

fn sit_and_say(guest: Guest) -> (Seated, UnboundedSender<Line>, News) {
    let (tell, news) = unbounded_channel();
    let (says, to_say) = unbounded_channel();
    let sitting =
        async move { guest.sit(to_say, move |news| drop(tell.send(news))).await.expect("a seat") };
    (tokio::spawn(sitting), says, news)
}

/// The names by seat, once they are as wanted.
async fn names(news: &mut News, wanted: impl Fn(&[&str]) -> bool) -> Vec<String> {
    let looking = async {
        while let Some(news) = news.recv().await {
            let LobbyNews::Seats { joins, .. } = news else { continue };
            let names: Vec<&str> = joins.iter().map(|join: &Join| join.name.as_str()).collect();
            if wanted(&names) {
                return names.into_iter().map(str::to_owned).collect();
            }
        }
        panic!("the lobby has ended");
    };
    tokio::time::timeout(PATIENCE, looking).await.expect("in time")
}

async fn soon<T>(what: impl Future<Output = T>) -> T {
    tokio::time::timeout(PATIENCE, what).await.expect("in time")
}

/// Plays a table to its end: the bytes of its file, and the players.
async fn play(table: TableRun) -> (Vec<u8>, Company) {
    let (ended, company) = soon(table.play()).await.expect("played");
    let Ended::Complete(path) = ended else { panic!("{ended:?}") };
    (std::fs::read(path).expect("a file"), company.expect("its players"))
}

#[tokio::test(flavor = "multi_thread")]
async fn the_host_orders_the_seats_and_everyone_sees_it_and_plays_so() {
    let homes = Homes::new();
    let host = homes.host(4).await;
    let invite = host.invite();
    let (at_host, orders, mut seen_by_host) = fill(host);
    let (at_ben, mut seen_by_ben) = sit(homes.guest("Ben", &invite).await);
    names(&mut seen_by_host, |names| names.len() == 2).await;
    let (at_cy, mut seen_by_cy) = sit(homes.guest("Cy", &invite).await);
    orders.send(LobbyOrder::AddBot).expect("a lobby");
    let keys = loop {
        let Some(LobbyNews::Seats { joins, .. }) = soon(seen_by_host.recv()).await else {
            continue;
        };
        if joins.len() == 4 {
            break joins;
        }
    };
    let key = |name: &str| keys.iter().find(|join| join.name.as_str() == name).expect(name).key;
    // Up to the host's seat and no further; then down past the last.
    let up = [(key("Cy"), false); 4];
    let down = [(key("Ben"), true); 4];
    for (key, down) in up.into_iter().chain(down).chain([(key("Ana"), true)]) {
        orders.send(LobbyOrder::Move(key, down)).expect("a lobby");
    }
    let wanted = ["Ana", "Cy", "greedy 1", "Ben"];
    for news in [&mut seen_by_host, &mut seen_by_ben, &mut seen_by_cy] {
        names(news, |names| names == wanted).await;
    }
    // A bot's key has its number: with the second one at the front the second goes all the same.
    orders.send(LobbyOrder::Players(Players::new(5).expect("five"))).expect("a lobby");
    orders.send(LobbyOrder::AddBot).expect("a lobby");
    let wider = ["Ana", "Cy", "greedy 1", "Ben", "greedy 2"];
    names(&mut seen_by_host, |names| names == wider).await;
    orders.send(LobbyOrder::Remove(key("greedy 1"))).expect("a lobby");
    names(&mut seen_by_host, |names| names == wanted).await;
    let mut orders_seen = std::collections::BTreeSet::new();
    while orders_seen.len() < 3 {
        orders.send(LobbyOrder::Shuffle).expect("a lobby");
        let another = |names: &[&str]| names.len() == 4;
        // The same order again is not told.
        let told =
            tokio::time::timeout(Duration::from_millis(200), names(&mut seen_by_host, another));
        if let Ok(names) = told.await {
            assert_eq!(names[0], "Ana");
            orders_seen.insert(names);
        }
    }
    orders.send(LobbyOrder::Start).expect("a lobby");
    let (ana, ben, cy) = (soon(at_host).await, soon(at_ben).await, soon(at_cy).await);
    let (ana, ben, cy) = (ana.expect("Ana"), ben.expect("Ben"), cy.expect("Cy"));
    assert_eq!(ana.snapshot().roster, ben.snapshot().roster);
    let files = tokio::join!(play(ana), play(ben), play(cy));
    assert!(files.0.0 == files.1.0 && files.1.0 == files.2.0, "one file");
    assert!(verify(&files.0.0).expect("right").complete());
}

/// A table of Ana and Ben, played to its end.
async fn after_a_game(homes: &Homes) -> (Company, Company) {
    let host = homes.host(2).await;
    let invite = host.invite();
    let (at_host, orders, mut news) = fill(host);
    let (at_ben, _) = sit(homes.guest("Ben", &invite).await);
    names(&mut news, |names| names.len() == 2).await;
    orders.send(LobbyOrder::Start).expect("a lobby");
    let (ana, ben) = (soon(at_host).await.expect("Ana"), soon(at_ben).await.expect("Ben"));
    let ((file, ana), (same, ben)) = tokio::join!(play(ana), play(ben));
    assert!(file == same, "one file");
    (ana, ben)
}

#[tokio::test(flavor = "multi_thread")]
async fn the_same_people_play_again_without_pasting_anything() {
    let homes = Homes::new();
    let (mut ana, mut ben) = after_a_game(&homes).await;
    for _ in 0..2 {
        assert_eq!(ana.state(), Again::Ours);
        assert_eq!(ben.state(), Again::Awaited("Ana".parse().expect("a name")));
        let Ok(Some(Next::Host(host))) = ana.again() else { panic!("the next table") };
        assert_eq!(soon(ben.changed()).await, Again::Open("Ana".parse().expect("a name")));
        let (at_host, orders, mut news) = fill(*host);
        let Ok(Some(Next::Guest(guest))) = ben.again() else { panic!("a seat at it") };
        let (at_ben, _) = sit(*guest);
        names(&mut news, |names| names == ["Ana", "Ben"]).await;
        orders.send(LobbyOrder::Start).expect("a lobby");
        let (at_host, at_ben) = (soon(at_host).await, soon(at_ben).await);
        let (first, second) = tokio::join!(play(at_host.expect("Ana")), play(at_ben.expect("Ben")));
        assert!(first.0 == second.0, "one file");
        assert!(verify(&first.0).expect("right").complete());
        (ana, ben) = (first.1, second.1);
    }
    let games = std::fs::read_dir(homes.0.path().join("Ben/replays")).expect("a folder");
    assert_eq!(games.count(), 3, "each game has a file of its own");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_guest_may_leave_and_one_whose_host_has_left_is_told() {
    let homes = Homes::new();
    let (ana, mut ben) = after_a_game(&homes).await;
    ana.leave().await;
    assert_eq!(soon(ben.changed()).await, Again::Gone("Ana".parse().expect("a name")));
    assert!(ben.again().expect("no failure").is_none(), "there is no table to go to");

    let homes = Homes::new();
    let (ana, ben) = after_a_game(&homes).await;
    ben.leave().await;
    let Ok(Some(Next::Host(host))) = ana.again() else { panic!("the next table") };
    let invite = host.invite();
    let (at_host, orders, mut news) = fill(*host);
    // The seat is free for somebody else.
    let (at_cy, _) = sit(homes.guest("Cy", &invite).await);
    names(&mut news, |names| names == ["Ana", "Cy"]).await;
    orders.send(LobbyOrder::Start).expect("a lobby");
    let (mut ana, cy) = (soon(at_host).await.expect("Ana"), soon(at_cy).await.expect("Cy"));
    let (say, _told) = ana.player_ends().expect("the player's ends");
    say.send(FromPlayer::Leave).expect("a table");
    drop(cy);
    assert_eq!(soon(ana.play()).await.expect("left").0, Ended::Left);
}

/// The next lines that are said in a lobby, with who says them.
async fn said(news: &mut News, count: usize) -> Vec<(String, String)> {
    let mut said = Vec::new();
    let reading = async {
        while said.len() < count {
            match news.recv().await.expect("a lobby") {
                LobbyNews::Said(name, line) => said.push((name.to_string(), line.to_string())),
                _ => continue,
            }
        }
    };
    soon(reading).await;
    said
}

#[tokio::test(flavor = "multi_thread")]
async fn what_is_said_in_the_lobby_is_read_by_everyone_there_at_a_pace() {
    let line = |text: &str| text.parse::<Line>().expect("a line");
    let homes = Homes::new();
    let host = homes.host(3).await;
    let invite = host.invite();
    let (_at_host, orders, mut at_ana) = fill(host);
    let (_ben, ben_says, mut at_ben) = sit_and_say(homes.guest("Ben", &invite).await);
    names(&mut at_ben, |names| names.contains(&"Ben")).await;
    let (_cy, _, mut at_cy) = sit_and_say(homes.guest("Cy", &invite).await);
    for news in [&mut at_ana, &mut at_ben, &mut at_cy] {
        names(news, |names| names.len() == 3 || names.contains(&"Cy")).await;
    }
    ben_says.send(line("hello")).expect("said");
    for news in [&mut at_ana, &mut at_ben, &mut at_cy] {
        assert_eq!(said(news, 1).await, [("Ben".to_owned(), "hello".to_owned())]);
    }
    orders.send(LobbyOrder::Say(line("hello Ben"))).expect("said");
    for news in [&mut at_ana, &mut at_ben, &mut at_cy] {
        assert_eq!(said(news, 1).await, [("Ana".to_owned(), "hello Ben".to_owned())]);
    }
    // A flood: what Ben says goes further at a pace, and Ana is heard all the same.
    for number in 0..50 {
        ben_says.send(line(&format!("flood {number}"))).expect("said");
    }
    orders.send(LobbyOrder::Say(line("the end"))).expect("said");
    let mut flood = 0;
    while !said(&mut at_cy, 1).await.contains(&("Ana".to_owned(), "the end".to_owned())) {
        flood += 1;
    }
    assert!(flood <= 10, "{flood} lines in a moment");
}
