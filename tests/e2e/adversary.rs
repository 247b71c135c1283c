//! A third player with a changed program at a table of two honest processes: it speaks the protocol
//! over real sockets and lies in one record. Both name it, keep the proof, and end the game without
//! it as the rules say where two of three are left.

use std::{
    path::PathBuf,
    time::{Duration, Instant},
};

use fairdeal::{
    bot::Bot,
    game::{Action, Seat},
    net::{Dial, Invite, Net, NetConfig, NetEvent, key_hash, start},
    protocol::{
        codec,
        crypto::{
            hash::{Hash, Secret, hash},
            identity::{Identity, PublicKey},
        },
        deal::wire::OpenCard,
        lobby::Join,
        log::record::{Body, Unchecked},
        message::{Lobby, Message, Talk},
        session::{Link, Output, Session, Start},
        whereabouts::Whereabouts,
    },
    run::greeting,
};
use rand::{SeedableRng, rngs::SmallRng};
use tempfile::TempDir;
use tokio::sync::mpsc;

use super::program::{Program, run};

/// What the changed program makes of a record on its way to a seat; true if it changed it. The same
/// record to the same seat must always become the same.
type Lie = fn(to: usize, body: &mut Body) -> bool;

const SECRET: [u8; 32] = [7; 32];

/// The third player.
struct Eve {
    net: Net,
    events: mpsc::Receiver<NetEvent>,
    up: Vec<PublicKey>,
    identity: Identity,
    session: Session,
    lie: Lie,
    rng: SmallRng,
}

impl Eve {
    /// Joins the table and sits.
    async fn sit(invite: &str, lie: Lie) -> Eve {
        let invite: Invite = invite.parse().expect("the host's invite");
        let identity = Identity::from_secret(&SECRET);
        let name: fairdeal::protocol::name::Name = "Eve".parse().expect("a name");
        let started = start(NetConfig {
            secret: identity.secret(),
            port: 0,
            loopback: true,
            outside: Vec::new(),
            second_port: false,
            mdns: false,
            greeting: greeting(&name, None, None),
        });
        let (net, mut events) = started.await.expect("sockets");
        let who = invite.host_key().map_or(Dial::Hash(invite.host()), Dial::Key);
        net.dial(who, invite.addresses().to_vec());
        let join = Join { key: identity.public(), name, nonce: [1; 32], kept_by: None };
        let secret = invite.secret().to_vec();
        let table = hash("table", &[&invite.host(), &secret]);
        let ways = net.listening().iter().map(ToString::to_string).collect();
        let whereabouts = Whereabouts { table, number: 1, ways }.sign(&identity);
        let ask = Message::Lobby(Lobby::Ask { secret, join, whereabouts });
        let mut up = Vec::new();
        let roster = loop {
            match events.recv().await.expect("the network") {
                NetEvent::Up { peer, .. } => {
                    up.push(peer);
                    if key_hash(&peer) == invite.host() {
                        net.send(peer, codec::encode(&ask)).expect("it is up");
                    }
                }
                NetEvent::Frame { bytes, .. } => match codec::decode(&bytes) {
                    Ok(Message::Lobby(Lobby::Roster(roster))) => break roster,
                    Ok(Message::Lobby(Lobby::Refused(reason))) => panic!("{reason}"),
                    _ => {}
                },
                _ => {}
            }
        };
        let session = Session::new(Start {
            identity: Identity::from_secret(&SECRET),
            secret: Secret::new([2; 32]),
            log: vec![roster],
            journal: Vec::new(),
            entropy: Secret::new([3; 32]),
            boot: 1,
            again: false,
        });
        let session = session.expect("a seat");
        Eve { net, events, up, identity, session, lie, rng: SmallRng::seed_from_u64(5) }
    }

    /// Plays and lies until nobody listens any more.
    async fn play(mut self) {
        let begun = tokio::time::Instant::now();
        std::mem::take(&mut self.up).iter().for_each(|peer| self.link_up(peer));
        loop {
            self.carry_out();
            let now = begun.elapsed().as_millis() as u64;
            match tokio::time::timeout(Duration::from_millis(200), self.events.recv()).await {
                Ok(Some(NetEvent::Up { peer, .. })) => self.link_up(&peer),
                Ok(Some(NetEvent::Down { peer })) if self.seat_of(&peer) == Some(Seat::FIRST) => {
                    return;
                }
                Ok(Some(NetEvent::Frame { peer, bytes })) => {
                    let talk = codec::decode(&bytes);
                    if let (Some(seat), Ok(Message::Table(_, talk))) = (self.seat_of(&peer), talk) {
                        self.session.receive(Link(seat.index() as u32), talk, now);
                    }
                }
                Ok(Some(_)) => {}
                Ok(None) => return,
                Err(_) => self.session.tick(now),
            }
        }
    }

    fn seat_of(&self, peer: &PublicKey) -> Option<Seat> {
        let table = self.session.table();
        let mut seats = table.players().seats();
        seats.find(|seat| table.player(*seat).is_some_and(|join| join.key == *peer))
    }

    fn link_up(&mut self, peer: &PublicKey) {
        if let Some(seat) = self.seat_of(peer) {
            self.net.welcome(*peer);
            self.session.link_up(Link(seat.index() as u32));
        }
    }

    /// Waits until all that was said to those who are up is taken: what is asked last is answered.
    async fn is_heard(&mut self) {
        let game = *self.session.table().game_id();
        for peer in self.up.clone() {
            let ask = codec::encode(&Message::Table(game, Talk::Get(0)));
            self.net.send(peer, ask).expect("short enough");
            let answered = |event: NetEvent| match event {
                NetEvent::Frame { peer: from, bytes } if from == peer => {
                    let said = codec::decode(&bytes);
                    matches!(said, Ok(Message::Table(_, Talk::Records { .. })))
                }
                _ => false,
            };
            while !answered(self.events.recv().await.expect("the network goes on")) {}
        }
    }

    /// What the session asks for, but lying.
    fn carry_out(&mut self) {
        loop {
            while let Some(output) = self.session.poll() {
                let Output::Send(Link(to), talk) = output else { continue };
                let talk = self.lied(to as usize, talk);
                let message = Message::Table(*self.session.table().game_id(), talk);
                let seat = Seat::new(to as u8).expect("a seat");
                let key = self.session.table().player(seat).expect("a player").key;
                // One that is down does not hear it.
                let _ = self.net.send(key, codec::encode(&message));
            }
            let Some(view) = self.session.view().filter(|_| self.session.asks()) else { return };
            let _ = match Bot::Greedy.choose(&view, &mut self.rng) {
                Action::Keep => self.session.choose(false),
                Action::Flip => self.session.choose(true),
                action => self.session.act(action),
            };
        }
    }

    fn lied(&self, to: usize, talk: Talk) -> Talk {
        let Talk::Fresh(bytes) = &talk else { return talk };
        let Ok(unchecked) = Unchecked::decode(bytes) else { return talk };
        let mut record = unchecked.record().clone();
        let own = usize::from(record.seat) == self.session.seat().index();
        if !own || !(self.lie)(to, &mut record.body) {
            return talk;
        }
        Talk::Fresh(record.sign(&self.identity))
    }
}

/// Two honest processes and the liar: each names seat 3 for something about `why`, keeps proof that
/// `verify` accepts, and has the same finished file, which is right.
fn named(deal: &str, lie: Lie, why: &str) {
    let folder = TempDir::new().expect("a folder for the test");
    let bot = ["--local", "--bot", "greedy", "--no-tui", "--no-bell"];
    let host = ["host", "--port", "0", "--players", "3", "--name", "Ana", "--deal", deal];
    let mut ana = Program::start(&folder.path().join("ana"), &[&host[..], &bot].concat());
    let join = |line: &str| line.strip_prefix("fairdeal join ").map(str::to_owned);
    let invite = ana.wait_for("the invite", join);
    let guest = ["join", &invite, "--name", "Ben"];
    let mut ben = Program::start(&folder.path().join("ben"), &[&guest[..], &bot].concat());
    // Eve is the third to sit.
    ana.wait_for_words("2 of 3 seats taken");
    let eve = std::thread::spawn(move || {
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build();
        runtime.expect("a runtime").block_on(async { Eve::sit(&invite, lie).await.play().await });
    });
    let proof = |line: &str| {
        let rest = line.strip_prefix("The proof is in ")?;
        rest.split_once("; ").map(|(path, _)| PathBuf::from(path))
    };
    let replay = |line: &str| line.strip_prefix("replay ").map(PathBuf::from);
    let mut files: Vec<Vec<u8>> = Vec::new();
    for honest in [&mut ana, &mut ben] {
        let fault = honest.wait_for_words("FAULT: Eve (seat 3)");
        // The right record may come as well, by way of the log: then there are two for one place.
        let two = fault.contains("two different records for one place");
        assert!(fault.contains(why) || two, "{fault:?} is not about {why:?}");
        let proof = honest.wait_for("the proof", proof);
        let done = run(folder.path(), &["verify".as_ref(), proof.as_os_str()]);
        assert!(done.out.contains("Eve"), "{done:?}");
        let path = honest.wait_for("the replay", replay);
        assert_eq!(honest.end(), Some(0), "{}", honest.heard());
        let done = run(folder.path(), &["verify".as_ref(), path.as_os_str()]);
        assert_eq!(done.code, Some(0), "{done:?}");
        // A right result that comes later still stands: late beats absent.
        let out = done.out.contains("Eve is out: everyone else who was there signed that");
        assert!(out || why == "result", "{}", done.out);
        files.push(std::fs::read(&path).expect("the replay can be read"));
    }
    assert!(files[0] == files[1], "the files differ");
    eve.join().expect("the liar ends");
}

/// A seat that never signs the table: who waits for it is told within seconds, by lines too.
#[test]
fn a_seat_that_never_signs_is_named_to_who_waits() {
    let folder = TempDir::new().expect("a folder for the test");
    let bot = ["--local", "--bot", "greedy", "--no-tui", "--no-bell"];
    let host = ["host", "--port", "0", "--players", "2", "--name", "Ana"];
    let mut ana = Program::start(folder.path(), &[&host[..], &bot].concat());
    let join = |line: &str| line.strip_prefix("fairdeal join ").map(str::to_owned);
    let invite = ana.wait_for("the invite", join);
    let runtime = tokio::runtime::Runtime::new().expect("a runtime");
    let eve = runtime.block_on(Eve::sit(&invite, |_, _| false));
    ana.wait_for_words("2 of 2 seats taken");
    let begun = Instant::now();
    ana.wait_for_words("Waiting for Eve to sign the table.");
    assert!(begun.elapsed() < Duration::from_secs(4), "{:?}", begun.elapsed());
    drop(eve);
}

/// A seat that tells false addresses of the others: they meet again after both were killed.
#[test]
fn a_seat_that_tells_false_addresses_keeps_nobody_apart() {
    let folder = TempDir::new().expect("a folder for the test");
    let homes = ["ana", "ben"].map(|name| folder.path().join(name));
    let bot = ["--local", "--bot", "greedy", "--no-tui", "--no-bell"];
    let host = ["host", "--port", "0", "--players", "3", "--name", "Ana"];
    let mut ana = Program::start(&homes[0], &[&host[..], &bot].concat());
    let join = |line: &str| line.strip_prefix("fairdeal join ").map(str::to_owned);
    let invite = ana.wait_for("the invite", join);
    let guest = ["join", &invite, "--name", "Ben"];
    let mut ben = Program::start(&homes[1], &[&guest[..], &bot].concat());
    ana.wait_for_words("2 of 3 seats taken");
    let runtime = tokio::runtime::Runtime::new().expect("a runtime");
    let mut eve = runtime.block_on(Eve::sit(&invite, |_, _| false));
    // Eve never signs, so the game stands here while the lies go out.
    for honest in [&mut ana, &mut ben] {
        honest.wait_for_words("Waiting for Eve");
    }
    let keys: Vec<_> = eve.session.table().roster().joins.iter().map(|join| join.key).collect();
    let table = eve.session.table().roster().terms.id;
    for number in 0..200 {
        let ways = vec![format!("203.0.113.66:{}", number + 1)];
        let said = Whereabouts { table, number: u64::MAX - 200 + number, ways };
        let lies = keys[..2].iter().map(|key| (*key, said.clone().sign(&eve.identity))).collect();
        let lies = codec::encode(&Message::Lobby(Lobby::Addresses(lies)));
        for peer in &eve.up {
            eve.net.send(*peer, lies.clone()).expect("short enough");
        }
    }
    runtime.block_on(eve.is_heard());
    ana.kill();
    ben.kill();
    for home in &homes {
        let games = std::fs::read_dir(home.join("games")).expect("a folder");
        for game in games {
            let meta = game.expect("an entry").path().join("game.json");
            let meta = std::fs::read_to_string(meta).expect("what is known of a game");
            assert!(!meta.contains("203.0.113.66"), "{meta}");
        }
    }
    let lines = ["resume", "--no-tui", "--no-bell"];
    let mut ana = Program::start(&homes[0], &lines);
    let mut ben = Program::start(&homes[1], &lines);
    ana.wait_for_words("Ben is connected");
    ben.wait_for_words("Ana is connected");
}

fn turn(hash: &mut Hash) -> bool {
    hash[0] ^= 1;
    true
}

#[test]
fn a_key_without_its_proof() {
    let lie: Lie = |_, body| match body {
        Body::Seal(own) => own.proof.pop().is_some(),
        _ => false,
    };
    named("sealed", lie, "");
}

#[test]
fn two_commitments() {
    let lie: Lie = |to, body| match body {
        Body::Seal(own) if to == 0 => own.leaves.first_mut().is_some_and(turn),
        _ => false,
    };
    named("sealed", lie, "two different records for one place");
}

#[test]
fn a_shuffle_that_is_none() {
    let lie: Lie = |_, body| match body {
        Body::Shuffle(own) => own.proof.get_mut(40).is_some_and(turn_byte),
        _ => false,
    };
    named("sealed", lie, "shuffle");
}

fn turn_byte(byte: &mut u8) -> bool {
    *byte ^= 1;
    true
}

#[test]
fn another_final_deck() {
    let lie: Lie = |_, body| match body {
        Body::Ready(ready) => turn(&mut ready.deck),
        _ => false,
    };
    named("sealed", lie, "");
}

#[test]
fn a_share_too_few() {
    let lie: Lie = |_, body| match body {
        Body::Shares(own) => own.shares.pop().is_some(),
        _ => false,
    };
    named("sealed", lie, "");
}

#[test]
fn another_choice_than_committed_to() {
    let lie: Lie = |_, body| match body {
        Body::ChoiceOpen { flip, .. } => {
            *flip = !*flip;
            true
        }
        _ => false,
    };
    named("sealed", lie, "choice");
}

#[test]
fn a_card_with_another_salt() {
    let lie: Lie = |_, body| match body {
        Body::SealedAction(own) => own.opening.iter_mut().any(|opening| {
            opening.cards.iter_mut().any(|card| match card {
                OpenCard::Dealt { salt, .. } | OpenCard::Scouted { salt, .. } => turn(salt),
            })
        }),
        _ => false,
    };
    named("sealed", lie, "");
}

#[test]
fn an_action_against_the_rules() {
    let lie: Lie = |_, body| match body {
        Body::Action(text) => {
            *text = "show 1-12".into();
            true
        }
        _ => false,
    };
    named("open", lie, "show 1-12");
}

#[test]
fn false_points() {
    let lie: Lie = |_, body| match body {
        Body::RoundEnd(points) => {
            points[2] += 1;
            true
        }
        _ => false,
    };
    named("open", lie, "points");
}

#[test]
fn a_seed_that_is_not_the_committed_one() {
    let lie: Lie = |_, body| match body {
        Body::Reveal(seed) => turn(seed),
        _ => false,
    };
    named("open", lie, "seed");
}

#[test]
fn a_false_result() {
    let lie: Lie = |_, body| match body {
        Body::Result { points, .. } => {
            points[2] += 100;
            true
        }
        _ => false,
    };
    named("open", lie, "result");
}
