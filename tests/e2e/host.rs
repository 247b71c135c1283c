//! A host with a changed program: what a guest of it sits down to, and what it refuses to sign.

use std::sync::atomic::{AtomicU8, Ordering};

use fairdeal::{
    net::{Invite, NetConfig, NetEvent, key_hash, start},
    protocol::{
        codec,
        crypto::{hash::hash, identity::Identity},
        lobby::{DealKind, Join, LOG_VERSION, Roster, Terms},
        message::{Hosting, Lobby, Message},
        name::Name,
    },
    run::greeting,
};
use tempfile::TempDir;

use super::program::Program;

/// What the host answers to who asks for a seat, given the right roster.
type Answer = fn(Roster, &Identity) -> Vec<Lobby>;

/// The right roster, signed.
fn founded(roster: &Roster, host: &Identity) -> Lobby {
    Lobby::Roster(roster.sign(host))
}

/// The list of seats as it is shown.
fn shown(roster: &Roster) -> Lobby {
    let Roster { terms, joins, .. } = roster.clone();
    Lobby::Seats { terms, players: joins.len() as u8, joins, watching: 0 }
}

/// Opens a table of two, and answers so; `host` is told the line that leads there.
async fn host(answer: Answer, line: std::sync::mpsc::Sender<String>) {
    static KEYS: AtomicU8 = AtomicU8::new(1);
    let identity = Identity::from_secret(&[KEYS.fetch_add(1, Ordering::Relaxed); 32]);
    let secret = [5; 8];
    let id = hash("table", &[&key_hash(&identity.public()), &secret]);
    let name: Name = "Ana".parse().expect("a name");
    let hosts = Hosting { players: 2, taken: 1, begun: false, open: false, watching: 0 };
    let started = start(NetConfig {
        secret: identity.secret(),
        port: 0,
        loopback: true,
        outside: Vec::new(),
        second_port: false,
        mdns: false,
        greeting: greeting(&name, Some(id), Some(hosts)),
    });
    let (net, mut events) = started.await.expect("sockets");
    let invite = Invite::new(key_hash(&identity.public()), &secret, &net.listening());
    line.send(invite.expect("an address").to_string()).expect("the test listens");
    while let Some(event) = events.recv().await {
        let NetEvent::Frame { peer, bytes } = event else { continue };
        let Ok(Message::Lobby(Lobby::Ask { join, .. })) = codec::decode(&bytes) else { continue };
        let terms =
            Terms { id, version: LOG_VERSION, deal: DealKind::Sealed, clock_s: 0, patience_s: 60 };
        let own =
            Join { key: identity.public(), name: name.clone(), nonce: [1; 32], kept_by: None };
        let roster = Roster { terms, number: 1, joins: vec![own, join] };
        for said in answer(roster, &identity) {
            net.send(peer, codec::encode(&Message::Lobby(said))).expect("it is up");
        }
    }
}

/// A guest of such a host.
fn guest(folder: &TempDir, answer: Answer) -> (Program, tokio::runtime::Runtime) {
    let runtime = tokio::runtime::Runtime::new().expect("a runtime");
    let (tell, told) = std::sync::mpsc::channel();
    runtime.spawn(host(answer, tell));
    let line = told.recv().expect("the host's line");
    let args = ["join", &line, "--name", "Ben", "--local", "--no-tui", "--no-bell"];
    (Program::start(folder.path(), &args), runtime)
}

/// The guest says this and ends, and keeps no game.
fn refused(answer: Answer, words: &str) {
    let folder = TempDir::new().expect("a folder for the test");
    let (mut ben, _host) = guest(&folder, answer);
    ben.wait_for_words(words);
    assert_ne!(ben.end(), Some(0), "{}", ben.heard());
    let games = std::fs::read_dir(folder.path().join("games"));
    assert!(
        games.is_ok_and(|mut games| games.next().is_none())
            || !folder.path().join("games").exists()
    );
}

/// Where the list of seats is lost on the way, as it may be where a connection moves from a relay
/// to a direct path, the roster shows it, and the guest sits down.
#[test]
fn a_roster_without_the_list_before_it_seats_the_guest() {
    let folder = TempDir::new().expect("a folder for the test");
    let (mut ben, _host) = guest(&folder, |roster, own| vec![founded(&roster, own)]);
    ben.wait_for_words("2 of 2 seats taken: Ana, Ben");
    ben.wait_for_words("Waiting for Ana to sign the table.");
}

#[test]
fn other_terms_than_were_shown() {
    refused(
        |roster, own| {
            let mut other = roster.clone();
            other.terms.deal = DealKind::Open;
            vec![shown(&roster), founded(&other, own)]
        },
        "its terms are not those that were shown",
    );
}

#[test]
fn a_seat_kept_by_the_host() {
    refused(
        |mut roster, own| {
            let list = shown(&roster);
            roster.joins[1].kept_by = Some(0);
            vec![list, founded(&roster, own)]
        },
        "it changes what you asked for",
    );
}

#[test]
fn another_nonce_than_asked_with() {
    refused(
        |mut roster, own| {
            roster.joins[1].nonce[0] ^= 1;
            vec![founded(&roster, own)]
        },
        "it changes what you asked for",
    );
}

#[test]
fn another_table() {
    refused(
        |mut roster, own| {
            roster.terms.id[0] ^= 1;
            vec![founded(&roster, own)]
        },
        "it is for another table",
    );
}
