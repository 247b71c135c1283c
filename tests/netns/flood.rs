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
    // They have machines of their own: here they get what the others leave.
    let mut command: Command = lab.command(node, "nice");
    command
        .args(["-n", "19", &this.to_string_lossy(), "--exact", "flood::strangers", "--nocapture"])
        .env(TARGET, target);
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

/// The median of how long a turn takes from one player's line to the other's, over a game.
fn turn_time(host: &mut Program, guest: &Program) -> Duration {
    let (mut turns, mut place) = (Vec::new(), 0);
    let mut input = host.input.take().expect("nobody plays yet");
    loop {
        let (next, line) = host.until_after(place, "");
        place = next;
        let line = line.trim_start_matches("> ").trim();
        let said = if line.starts_with("The game is over") {
            break;
        } else if line.starts_with("Keep this hand") || line.starts_with("Your turn") {
            "?"
        } else if ["keep", "show ", "scout "].iter().any(|start| line.starts_with(start)) {
            line
        } else {
            continue;
        };
        let (seen, begun) = (guest.place(), Instant::now());
        // A game that has ended meanwhile says so.
        let _ = std::io::Write::write_all(&mut input, format!("{said}\n").as_bytes());
        let does = ["show ", "scout "].iter().find(|start| said.starts_with(**start));
        if let Some(does) = does.map(|start| format!("Ana {}s", start.trim())) {
            guest.until_after(seen, &does);
            turns.push(begun.elapsed());
            // What else was listed is passed over.
            place = host.until_after(place, &does).0;
        }
    }
    turns.sort();
    turns[turns.len() / 2]
}

#[test]
fn a_turn_is_as_quick_in_a_flood() {
    let Some(lab) = Lab::up(&["open", "open", "open"]) else { return };
    let mut times = Vec::new();
    for flooded in [false, true] {
        let host = ["host", "--new", "--players", "2", "--no-lan", "--name", "Ana"];
        let mut host = lab.start("p1", &host);
        let invite = host.until("fairdeal join deal1").replace("fairdeal join ", "");
        let guest = join(&lab, "p2", "Ben", &invite);
        guest.until("at the table of Ana, direct over");
        let _strangers = flooded.then(|| send_strangers(&lab, "p3", &invite));
        if flooded {
            host.until("Strangers flood");
        }
        times.push(turn_time(&mut host, &guest));
        measured(
            if flooded { "a turn in a flood" } else { "a turn in quiet" },
            times[times.len() - 1],
        );
    }
    // Three times as long at most, or too short to be felt: the machine may be busy with others.
    let felt = Duration::from_millis(100);
    assert!(times[1] <= (times[0] * 3).max(felt), "{times:?}");
}
