//! Strangers in numbers, while a friend joins and a player comes back.

use std::net::TcpStream;
use std::process::Command;
use std::thread::sleep;
use std::time::{Duration, Instant};

use fairdeal::net::{Dial, Invite, NetConfig, NetEvent, start};

use crate::games::{host, join, join_slowly, measured, same_end};
use crate::lab::{Lab, RELAY};
use crate::program::{Gate, Program};

/// How many sockets without a byte, and how many peers that only say Hello.
const MANY: u8 = 64;

/// Names the target of the strangers to the process that sends them.
const TARGET: &str = "FAIRDEAL_STRANGERS";

/// A process for the tests below, in a namespace of theirs: the strangers, who do not go by
/// themselves. Without a target there is nobody to bother.
#[test]
fn strangers() {
    let Ok(target) = std::env::var(TARGET) else { return };
    let runtime = tokio::runtime::Runtime::new().expect("a runtime");
    runtime.block_on(async {
        let (who, addresses) = match target.parse::<Invite>() {
            Ok(invite) => (Dial::Hash(invite.host()), invite.addresses().to_vec()),
            Err(_) => (Dial::Anyone, vec![target.parse().expect("an address")]),
        };
        let at = (addresses[0].ip(), addresses[0].port());
        for number in 0..MANY {
            tokio::task::spawn_blocking(move || {
                loop {
                    let held = TcpStream::connect_timeout(&at.into(), Duration::from_secs(5));
                    let mut one = [0];
                    // Until it is closed there; then another one.
                    let _ = held.map(|mut held| std::io::Read::read(&mut held, &mut one));
                    sleep(Duration::from_millis(200));
                }
            });
            let addresses = addresses.clone();
            tokio::spawn(async move {
                let config = NetConfig {
                    secret: [number + 1; 32].into(),
                    port: 0,
                    loopback: false,
                    outside: vec![],
                    second_port: false,
                    mdns: false,
                    greeting: b"hello".to_vec(),
                };
                let (net, mut events) = start(config).await.expect("it listens");
                net.dial(who, addresses.clone());
                while let Some(event) = events.recv().await {
                    if matches!(event, NetEvent::Down { .. } | NetEvent::DialFailed { .. }) {
                        tokio::time::sleep(Duration::from_millis(500)).await;
                        net.dial(who, addresses.clone());
                    }
                }
            });
        }
        std::future::pending::<()>().await;
    });
}

/// Sends the strangers from a node.
fn send_strangers(lab: &Lab, node: &str, target: &str) -> Program {
    let this = std::env::current_exe().expect("this program");
    let mut command: Command = lab.command(node, &this.to_string_lossy());
    command.args(["--exact", "flood::strangers", "--nocapture"]).env(TARGET, target);
    Program::start("strangers", command)
}

#[test]
fn a_friend_joins_and_a_player_comes_back_through_a_flood() {
    let Some(lab) = Lab::up(&["open", "sym", "open", "cone"]) else { return };
    let (mut host, invite) = host(&lab, "3", &[]);
    let gate = Gate::default();
    let mut ben = join_slowly(&lab, "p2", "Ben", &invite, &gate);
    ben.until("at the table of Ana");
    let quiet = host.memory();
    let _strangers = send_strangers(&lab, "p3", &invite);
    host.until("Strangers flood this program from 1 address");
    let mut cy = join(&lab, "p4", "Cy", &invite);
    let joined = cy.when("3 of 3 seats taken");
    measured("flooded: join to seated", joined);
    assert!(joined < Duration::from_secs(3), "{joined:?}");
    ben.until("Keep this hand");
    let place = host.place();
    lab.does("wan 2 down");
    let (place, _) = host.until_after(place, "Ben is not connected");
    sleep(Duration::from_secs(2));
    lab.does("wan 2 up");
    let begun = Instant::now();
    host.until_after(place, "Ben is connected");
    measured("flooded: a player back after an outage", begun.elapsed());
    assert!(begun.elapsed() < Duration::from_secs(10), "{:?}", begun.elapsed());
    gate.open();
    same_end_of(&lab, &mut host, &mut ben, &mut cy, quiet);
}

/// The game ends, and the host has not grown by much.
fn same_end_of(lab: &Lab, host: &mut Program, ben: &mut Program, cy: &mut Program, quiet: u64) {
    ben.until("The game is over");
    let most = host.memory();
    println!("measured: flooded: RSS {} KiB over {quiet} KiB", most.saturating_sub(quiet));
    assert!(most.saturating_sub(quiet) <= 64 * 1024, "{quiet} KiB, then {most} KiB");
    assert_eq!(host.all().matches("Strangers flood").count(), 1, "{}", host.all());
    same_end(lab, &mut [("p1", host), ("p2", ben), ("p4", cy)]);
}

/// The same at a relay, which two players need all the time.
#[test]
fn a_flooded_relay_still_brings_two_homes_together() {
    let Some(lab) = Lab::up(&["sym", "sym", "open"]) else { return };
    let relay = lab.relay();
    let _strangers = send_strangers(&lab, "p3", RELAY);
    relay.until("Strangers flood this program from 1 address");
    let (mut host, invite) = host(&lab, "2", &["--relay", RELAY]);
    let mut guest = join(&lab, "p2", "Ben", &invite);
    let met = guest.when("at the table of Ana");
    measured("flooded relay: join to the table", met);
    same_end(&lab, &mut [("p1", &mut host), ("p2", &mut guest)]);
}
