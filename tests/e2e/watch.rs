//! Watching: from the lobby to the end, by the program and by a bare peer that keeps what it gets.

use std::{
    fs,
    path::Path,
    sync::mpsc::{Receiver, channel},
};

use fairdeal::{
    net::{self, Dial, Invite, NetConfig, NetEvent},
    protocol::{
        codec,
        crypto::{hash::Secret, identity::PublicKey},
        log::verify::read_open,
        message::{Lobby, Message, Talk},
        table::{Phase, Table as Log},
    },
    run::greeting,
};
use tempfile::TempDir;

use super::{
    player::Noticed,
    program::{PATIENCE, Program, run},
    search::{first_leak, secrets_of},
    table::{GUEST, HOST, Table},
};

/// Starts one who watches by lines.
fn watch(home: &Path, invite: &str) -> Program {
    Program::start(home, &["watch", invite, "--local", "--name", "Wat", "--no-tui"])
}

/// A peer that watches, and says more than it should.
struct Bare {
    invite: Invite,
    log: Option<Log>,
}

impl Bare {
    /// Watches on a thread of its own: what it was told, in the order it came.
    fn start(invite: &str) -> Receiver<Message> {
        let (send, told) = channel();
        let mut bare = Bare { invite: invite.parse().expect("an invite"), log: None };
        std::thread::spawn(move || {
            let runtime = tokio::runtime::Runtime::new().expect("a runtime");
            runtime.block_on(bare.listen(|message| drop(send.send(message))));
        });
        told
    }

    async fn listen(&mut self, mut tell: impl FnMut(Message)) {
        let started = net::start(NetConfig {
            secret: [77; 32].into(),
            port: 0,
            loopback: true,
            outside: Vec::new(),
            second_port: false,
            mdns: false,
            greeting: greeting(&"Ear".parse().expect("a name"), None, None),
        });
        let (net, mut events) = started.await.expect("a network");
        let dial = || net.dial(Dial::Hash(self.invite.host()), self.invite.addresses().to_vec());
        dial();
        let say = |peer: PublicKey, message: &Message| {
            net.send(peer, codec::encode(message)).expect("short enough");
        };
        while self.log.as_ref().is_none_or(|log| log.phase() != Phase::Complete) {
            match events.recv().await.expect("the network goes on") {
                NetEvent::Up { peer, .. } => {
                    let secret = self.invite.secret().to_vec();
                    say(peer, &Message::Lobby(Lobby::Watch { secret }));
                }
                // On a busy machine a peer may be silent for too long: it is watched anew then.
                NetEvent::Down { .. } => dial(),
                NetEvent::DialFailed { .. } => break,
                NetEvent::Frame { peer, bytes } => {
                    let message = codec::decode(&bytes).expect("a message");
                    read(&mut self.log, &message);
                    tell(message);
                    if let Some(log) = &self.log {
                        let game = *log.game_id();
                        say(peer, &Message::Table(game, Talk::Fresh(bytes)));
                        say(peer, &Message::Table(game, Talk::Get(log.length())));
                    }
                }
                _ => {}
            }
        }
        net.shutdown().await;
    }
}

/// Goes on with the log, or begins anew with the roster.
fn read(log: &mut Option<Log>, message: &Message) {
    match (message, log) {
        (Message::Lobby(Lobby::Roster(record)), log) => {
            *log = Some(Log::found(record).expect("a roster").0);
        }
        (Message::Table(_, Talk::Records { records, .. }), Some(log)) => {
            for bytes in records {
                let record = log.admit(bytes).expect("a record");
                log.append(record).expect("the next record");
            }
        }
        _ => {}
    }
}

/// The secret that a player's program has drawn for the game it plays.
fn game_secret(home: &Path) -> Secret {
    let mut folder = fs::read_dir(home.join("profiles/main/secrets")).expect("secrets");
    let game = folder.next().expect("a game").expect("an entry");
    let hex = fs::read(game.path()).expect("a secret");
    let bytes = data_encoding::HEXLOWER.decode(hex.trim_ascii_end()).expect("hexadecimal");
    Secret::new(bytes.try_into().expect("32 bytes"))
}

#[test]
fn two_watch_a_sealed_game_to_its_end_and_get_no_card_before_it_is_shown() {
    let folder = TempDir::new().expect("a folder for the test");
    let [ana, ben, wat] = ["ana", "ben", "wat"].map(|name| folder.path().join(name));
    let mut watchers = None;
    let mut table = Table::open_with(folder, &[&ana, &ben], &[], |invite| {
        let mut watcher = watch(&wat, invite);
        watcher.wait_for_words("1 of 2 seats taken: Ana; 1 spectator");
        watchers = Some((watcher, Bare::start(invite)));
    });
    let (mut watcher, told) = watchers.expect("they were started");
    let mut secrets = Vec::new();
    table.play_until(|_, _, noticed| {
        if *noticed == Noticed::Decided {
            secrets = vec![game_secret(&ana), game_secret(&ben)];
        }
        !secrets.is_empty()
    });
    let log = table.play_to_end();
    watcher.wait_for_words("The game is over: ");
    assert_eq!(watcher.end(), Some(0), "{}", watcher.heard());
    assert!(table.players.iter_mut().all(|player| player.heard().contains("2 spectators")));

    // Nothing was written, and what both got is the whole game.
    for folder in ["games", "replays"] {
        assert_eq!(fs::read_dir(wat.join(folder)).expect("a folder").count(), 0, "{folder}");
    }
    let (mut said, mut records) = (Vec::new(), 0);
    while let Ok(message) = told.recv_timeout(PATIENCE) {
        match &message {
            Message::Lobby(Lobby::Roster(_)) => records = 1,
            Message::Table(_, Talk::Records { records: more, .. }) => records += more.len(),
            _ => {}
        }
        said.push(match message {
            Message::Table(_, talk) => (HOST, talk),
            lobby => (HOST, Talk::Note(codec::encode(&lobby))),
        });
    }
    assert_eq!(records, read_open(&log, |_, _, _, _| {}).expect("a game").length() as usize);
    let (secrets, releases) = secrets_of(&secrets, &log);
    assert!(secrets.len() > 100, "{}", secrets.len());
    assert_eq!(first_leak(&secrets, &releases, &said), None);
    // The search would have found one.
    let hidden = secrets.keys().next().expect("a secret").to_vec();
    said.insert(0, (HOST, Talk::Note(hidden)));
    assert!(first_leak(&secrets, &releases, &said).is_some());
}

#[test]
fn a_host_that_wants_nobody_to_watch_says_so_and_the_game_goes_on() {
    let folder = TempDir::new().expect("a folder for the test");
    let [ana, ben, wat] = ["ana", "ben", "wat"].map(|name| folder.path().join(name));
    let mut table = Table::open_with(folder, &[&ana, &ben], &["--no-watch"], |invite| {
        let done = run(&wat, &["watch", invite, "--local", "--name", "Wat", "--no-tui"]);
        assert_eq!(done.code, Some(5), "{done:?}");
        assert!(done.err.contains("this table is not to be watched"), "{done:?}");
    });
    table.play_to_end();
    assert!(!table.players[GUEST].heard().contains("spectator"));
}

#[test]
fn a_table_that_is_over_says_so_at_once() {
    let folder = TempDir::new().expect("a folder for the test");
    let [ana, ben, cy] = ["ana", "ben", "cy"].map(|name| folder.path().join(name));
    let mut invite = String::new();
    let mut table = Table::open_with(folder, &[&ana, &ben], &[], |text| invite = text.to_owned());
    table.play_to_end();
    // Who has played there is told where the game is.
    for command in ["join", "watch"] {
        let done = run(&ben, &[command, &invite, "--local", "--no-tui"]);
        assert_eq!(done.code, Some(5), "{done:?}");
        assert!(done.err.contains("that table is over; `fairdeal replay /"), "{done:?}");
        assert!(done.err.contains("-seat2.fairdeal` shows its game"), "{done:?}");
    }
    // Its host is at another table now, where it was before.
    let port = invite.parse::<Invite>().expect("an invite").addresses()[0].port().to_string();
    let mut host = Program::start(
        &ana,
        &["host", "--new", "--local", "--port", &port, "--players", "2", "--no-tui"],
    );
    host.wait_for_words("fairdeal join deal1");
    for command in ["join", "watch"] {
        let done = run(&cy, &[command, &invite, "--local", "--no-tui"]);
        assert_eq!(done.code, Some(5), "{done:?}");
        assert!(done.err.contains("that game has ended; ask for a new invite"), "{done:?}");
    }
}
