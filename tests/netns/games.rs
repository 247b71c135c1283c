//! A game a topology.

use std::path::PathBuf;
use std::thread::sleep;
use std::time::Duration;

use crate::lab::{Lab, RELAY};
use crate::program::{Gate, Program};

/// Long enough that a game lasts while a line is cut.
const MOMENT: Duration = Duration::from_millis(150);

/// Opens a table for this many on p1; a bot plays there.
pub fn host(lab: &Lab, players: &str, more: &[&str]) -> (Program, String) {
    let args = ["host", "--new", "--players", players, "--bot", "greedy", "--name", "Ana"];
    let program = lab.start("p1", &[&args, more].concat());
    let line = program.until("fairdeal join deal1");
    (program, line.replace("fairdeal join ", ""))
}

/// Joins with a bot.
pub fn join(lab: &Lab, node: &str, name: &str, invite: &str) -> Program {
    lab.start(node, &["join", invite, "--bot", "greedy", "--name", name])
}

/// Joins with somebody who moves when the gate is open.
pub fn join_slowly(lab: &Lab, node: &str, name: &str, invite: &str, gate: &Gate) -> Program {
    let mut program = lab.start(node, &["join", invite, "--name", name]);
    program.played(MOMENT, gate);
    program
}

/// Waits for the end of the game; all have the same file.
pub fn same_end(lab: &Lab, programs: &mut [(&str, &mut Program)]) {
    let mut files = Vec::new();
    for (node, program) in programs {
        program.ends();
        let path = PathBuf::from(program.until("replay /").replace("replay ", ""));
        assert!(path.starts_with(lab.home(node)), "{path:?}");
        files.push(std::fs::read(path).expect("a replay"));
    }
    assert!(files.iter().all(|file| *file == files[0]), "the replays differ");
}

/// Waits until a guest is at the table by way of this relay, and then directly. Gives both times:
/// one, where the hole is punched before anything is said.
fn met(guest: &Program, relay: &str, direct: &str) -> (Duration, Duration) {
    let way = guest.until("at the table of Ana");
    assert!(way.contains(&format!("through the relay {relay}")), "{}", guest.all());
    (guest.when("at the table of Ana"), guest.when(direct))
}

/// Says what was measured, where someone wants to know.
pub fn measured(what: &str, time: Duration) {
    println!("measured: {what}: {:.3} s", time.as_secs_f64());
}

#[test]
fn on_one_network_two_words_are_enough() {
    let Some(lab) = Lab::up(&["cone", "lan1"]) else { return };
    let (mut host, _) = host(&lab, "2", &[]);
    let words = host.until("on this network also").replace(')', "");
    let words = words.rsplit(' ').next().expect("words").to_owned();
    // One answer may be lost: multicast is not repeated before the list is closed.
    let listed = (0..3).any(|_| {
        let mut list = lab.start("p2", &["join", "--name", "Ben"]);
        list.waits();
        list.has_said(&words) && list.has_said("Ana · 1 of 2 seated · waiting")
    });
    assert!(listed, "{}", host.all());
    let mut guest = join(&lab, "p2", "Ben", &words);
    measured("join by words to seated", guest.when("2 of 2 seats taken"));
    same_end(&lab, &mut [("p1", &mut host), ("p2", &mut guest)]);
}

#[test]
fn two_homes_meet_at_a_relay_punch_a_hole_and_need_it_no_more() {
    let Some(lab) = Lab::up(&["cone", "cone"]) else { return };
    let mut relay = lab.relay();
    let (mut host, invite) = host(&lab, "2", &["--relay", RELAY]);
    let gate = Gate::default();
    let mut guest = join_slowly(&lab, "p2", "Ben", &invite, &gate);
    let (relayed, direct) = met(&guest, RELAY, "direct over");
    measured("join to seated through a relay", relayed);
    measured("hole punched after", direct.saturating_sub(relayed));
    guest.until("Keep this hand");
    relay.kill();
    gate.open();
    same_end(&lab, &mut [("p1", &mut host), ("p2", &mut guest)]);
    assert!(!guest.has_said("not connected"), "{}", guest.all());
}

#[test]
fn two_homes_meet_by_ipv6() {
    let Some(lab) = Lab::up_with(&["cone", "cone"], &[("V6", "1")]) else { return };
    let _relay = lab.relay();
    let (mut host, invite) = host(&lab, "2", &["--relay", "[2001:db8::10]:7268"]);
    let gate = Gate::default();
    let mut guest = join_slowly(&lab, "p2", "Ben", &invite, &gate);
    met(&guest, "[2001:db8::10]:7268", "direct over");
    gate.open();
    same_end(&lab, &mut [("p1", &mut host), ("p2", &mut guest)]);
}

#[test]
fn a_watcher_behind_a_router_follows_through_the_relay() {
    let Some(lab) = Lab::up(&["sym", "sym", "sym"]) else { return };
    let _relay = lab.relay();
    let (mut host, invite) = host(&lab, "2", &["--relay", RELAY]);
    let mut watcher = lab.start("p3", &["watch", &invite, "--name", "Wat"]);
    watcher.until("at the table of Ana, behind a router: through the relay");
    let mut guest = join(&lab, "p2", "Ben", &invite);
    same_end(&lab, &mut [("p1", &mut host), ("p2", &mut guest)]);
    watcher.ends();
    assert!(watcher.has_said("The game is over") && host.has_said("1 spectator"));
}

#[test]
fn without_udp_the_hole_is_punched_over_tcp() {
    let Some(lab) = Lab::up(&["noudp", "noudp"]) else { return };
    let _relay = lab.relay();
    let (mut host, invite) = host(&lab, "2", &["--relay", RELAY]);
    let gate = Gate::default();
    let mut guest = join_slowly(&lab, "p2", "Ben", &invite, &gate);
    let (relayed, direct) = met(&guest, RELAY, "direct over TCP");
    measured("hole punched over TCP after", direct.saturating_sub(relayed));
    gate.open();
    same_end(&lab, &mut [("p1", &mut host), ("p2", &mut guest)]);
}

#[test]
fn where_no_hole_can_be_punched_the_relay_carries_on_and_may_restart() {
    let Some(lab) = Lab::up(&["sym", "sym"]) else { return };
    let mut relay = lab.relay();
    let (mut host, invite) = host(&lab, "2", &["--relay", RELAY]);
    let gate = Gate::default();
    let mut guest = join_slowly(&lab, "p2", "Ben", &invite, &gate);
    guest.until("Keep this hand");
    relay.kill();
    let place = guest.place();
    let (place, _) = guest.until_after(place, "Ana is not connected");
    let _relay = lab.relay();
    guest.until_after(place, "Ana is connected, through the relay");
    gate.open();
    same_end(&lab, &mut [("p1", &mut host), ("p2", &mut guest)]);
    assert!(!guest.has_said("direct over") && !host.has_said("direct over"));
}

#[test]
fn a_router_that_restarts_is_met_anew() {
    let Some(lab) = Lab::up(&["cone", "cone"]) else { return };
    let _relay = lab.relay();
    let (mut host, invite) = host(&lab, "2", &["--relay", RELAY]);
    let gate = Gate::default();
    let mut guest = join_slowly(&lab, "p2", "Ben", &invite, &gate);
    guest.until("direct over");
    guest.until("Keep this hand");
    let place = guest.place();
    lab.does("rebind 1");
    let (place, _) = guest.until_after(place, "Ana is not connected");
    guest.until_after(place, "Ana is connected");
    gate.open();
    same_end(&lab, &mut [("p1", &mut host), ("p2", &mut guest)]);
}

#[test]
fn a_host_with_a_public_address_brings_its_guests_together() {
    let Some(lab) = Lab::up(&["open", "cone", "cone"]) else { return };
    let (mut host, invite) = host(&lab, "3", &[]);
    let gate = Gate::default();
    let mut ben = join_slowly(&lab, "p2", "Ben", &invite, &gate);
    let mut cy = join(&lab, "p3", "Cy", &invite);
    measured("join to seated directly", ben.when("at the table of Ana, direct over"));
    ben.until("Cy is connected, direct over");
    gate.open();
    // Cut off for longer than anybody is believed to be silent.
    ben.until("Ben shows");
    lab.does("wan 2 down");
    host.until("Ben is not connected");
    sleep(Duration::from_secs(8));
    lab.does("wan 2 up");
    same_end(&lab, &mut [("p1", &mut host), ("p2", &mut ben), ("p3", &mut cy)]);
}

#[test]
fn a_slow_line_that_loses_packets_is_played_over() {
    // Two lines of 75 ms each way are 300 ms there and back.
    let lines = [("DELAY", "75"), ("LOSS", "2.5")];
    let Some(lab) = Lab::up_with(&["cone", "cone"], &lines) else { return };
    let _relay = lab.relay();
    let (mut host, invite) = host(&lab, "2", &["--relay", RELAY]);
    let mut guest = join(&lab, "p2", "Ben", &invite);
    let (relayed, direct) = met(&guest, RELAY, "direct over");
    measured("slow line: join to seated", relayed);
    measured("slow line: hole punched after", direct.saturating_sub(relayed));
    measured("slow line: whole game", guest.when("The game is over"));
    same_end(&lab, &mut [("p1", &mut host), ("p2", &mut guest)]);
}
