//! Who gets in, by what way, and how one gets back.

use std::time::Duration;

use crate::games::{host, join, join_slowly, same_end};
use crate::lab::Lab;
use crate::program::{Gate, Program};

/// The line that a host says first after this place, without the command.
fn line_after(host: &Program, place: usize) -> String {
    let (_, line) = host.until_after(place, "fairdeal join deal1");
    let at = line.find("deal1").expect("an invite");
    line[at..].to_owned()
}

/// Gives a node another address of the internet instead of its own.
fn moves(lab: &Lab, node: &str, from: &str, to: &str) {
    for (what, address) in [("del", from), ("add", to)] {
        let address = format!("{address}/24");
        let args = ["addr", what, address.as_str(), "dev", "eth0"];
        let status = lab.command(node, "ip").args(args).status().expect("ip");
        assert!(status.success(), "{args:?}");
    }
}

#[test]
fn from_outside_nobody_sits_or_watches_without_the_invite() {
    let Some(lab) = Lab::up(&["open", "open", "cone"]) else { return };
    let (mut host, invite) = host(&lab, "2", &[]);
    for node in ["p2", "p3"] {
        let mut stranger = lab.start(node, &["join", "198.51.100.101", "--name", "Eve"]);
        stranger.until("this table is joined with its invite");
        assert!(!stranger.waits());
        let mut watcher = lab.start(node, &["watch", "198.51.100.101", "--name", "Eve"]);
        watcher.until("this table is watched with its invite");
        assert!(!watcher.waits());
    }
    let mut guest = join(&lab, "p2", "Ben", &invite);
    host.until("Ben: direct over");
    same_end(&lab, &mut [("p1", &mut host), ("p2", &mut guest)]);
    assert!(host.has_said("Ben comes with the invite"), "{}", host.all());
}

/// By words, and by the address; each again after a kill.
#[test]
fn on_one_network_the_same_words_come_back_to_a_running_game() {
    let Some(lab) = Lab::up(&["cone", "lan1", "lan1"]) else { return };
    let (mut host, _) = host(&lab, "3", &[]);
    let words = host.until("on this network also").replace(')', "");
    let words = words.rsplit(' ').next().expect("words").to_owned();
    let gate = Gate::default();
    let mut ben = join_slowly(&lab, "p2", "Ben", &words, &gate);
    let mut cy = join_slowly(&lab, "p3", "Cy", "192.168.1.101", &gate);
    host.until("without the invite, from your own network");
    for guest in [&mut ben, &mut cy] {
        guest.until("Keep this hand");
        guest.kill();
    }
    gate.open();
    let mut ben = join_slowly(&lab, "p2", "Ben", &words, &gate);
    let mut cy = join_slowly(&lab, "p3", "Cy", "192.168.1.101", &gate);
    for guest in [&ben, &cy] {
        guest.until("Coming back to the game.");
    }
    same_end(&lab, &mut [("p1", &mut host), ("p2", &mut ben), ("p3", &mut cy)]);
}

/// On one network the host gets another address: its words lead there as before.
#[test]
fn on_one_network_the_same_words_find_a_host_that_has_moved() {
    let Some(lab) = Lab::up(&["cone", "lan1"]) else { return };
    let (mut host, _) = host(&lab, "2", &[]);
    let words = host.until("on this network also").replace(')', "");
    let words = words.rsplit(' ').next().expect("words").to_owned();
    let gate = Gate::default();
    let mut ben = join_slowly(&lab, "p2", "Ben", &words, &gate);
    ben.until("Keep this hand");
    moves(&lab, "p1", "192.168.1.101", "192.168.1.151");
    ben.kill();
    let mut ben = join_slowly(&lab, "p2", "Ben", &words, &gate);
    ben.until("Coming back to the game.");
    gate.open();
    same_end(&lab, &mut [("p1", &mut host), ("p2", &mut ben)]);
}

/// A running host gets another address: it tells the new line, which brings its guests back.
#[test]
fn a_host_that_moves_tells_a_line_that_brings_its_guests_back() {
    let Some(lab) = Lab::up(&["open", "cone", "cone"]) else { return };
    let (mut host, invite) = host(&lab, "3", &[]);
    let gate = Gate::default();
    let mut ben = join_slowly(&lab, "p2", "Ben", &invite, &gate);
    let mut cy = join_slowly(&lab, "p3", "Cy", &invite, &gate);
    for guest in [&ben, &cy] {
        guest.until("Keep this hand");
    }
    let place = host.place();
    moves(&lab, "p1", "198.51.100.101", "198.51.100.151");
    host.until_after(place, "Your address has changed");
    let line = line_after(&host, place);
    assert_ne!(line, invite);
    ben.until("Ana is not connected");
    cy.until("Ana is not connected");
    ben.kill();
    cy.kill();
    let mut ben = join_slowly(&lab, "p2", "Ben", &line, &gate);
    let mut cy = join_slowly(&lab, "p3", "Cy", &line, &gate);
    for guest in [&ben, &cy] {
        guest.until("Coming back to the game.");
    }
    gate.open();
    same_end(&lab, &mut [("p1", &mut host), ("p2", &mut ben), ("p3", &mut cy)]);
}

#[test]
fn a_host_that_comes_back_elsewhere_tells_a_line_that_brings_its_guests_back() {
    let Some(lab) = Lab::up(&["open", "cone"]) else { return };
    let (mut first, invite) = host(&lab, "2", &[]);
    let gate = Gate::default();
    let mut ben = join_slowly(&lab, "p2", "Ben", &invite, &gate);
    ben.until("Keep this hand");
    first.kill();
    ben.until("Ana is not connected");
    ben.kill();
    moves(&lab, "p1", "198.51.100.101", "198.51.100.151");
    let mut host = lab.start("p1", &["host"]);
    let line = line_after(&host, 0);
    assert_ne!(line, invite);
    let mut ben = join_slowly(&lab, "p2", "Ben", &line, &gate);
    ben.until("Coming back to the game.");
    gate.open();
    same_end(&lab, &mut [("p1", &mut host), ("p2", &mut ben)]);
}

/// Two programs to which the system gives one kind of socket only play a whole game.
#[test]
fn without_udp_or_without_tcp_the_other_does_it_alone() {
    let forbid = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/netns/forbid.py");
    for (kind, other) in [("udp", "TCP"), ("tcp", "QUIC")] {
        let Some(lab) = Lab::up(&["open", "cone"]) else { return };
        let start =
            |node: &str, args: &[&str]| lab.start_by(node, &["python3", forbid, kind], args);
        let args = ["host", "--players", "2", "--bot", "greedy", "--name", "Ana"];
        let mut host = start("p1", &args);
        let invite = line_after(&host, 0);
        host.until(&format!("{other} does it alone"));
        assert!(host.has_said("Operation not permitted"), "the reason: {}", host.all());
        let mut guest = start("p2", &["join", &invite, "--bot", "greedy", "--name", "Ben"]);
        guest.until(&format!("at the table of Ana, direct over {other}"));
        same_end(&lab, &mut [("p1", &mut host), ("p2", &mut guest)]);
    }
}

/// Neither kind of socket: the reason is the system's.
#[test]
fn without_any_socket_the_reason_is_told() {
    let forbid = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/netns/forbid.py");
    let Some(lab) = Lab::up(&["open"]) else { return };
    let by = ["python3", forbid, "udp", "/usr/bin/env", "python3", forbid, "tcp"];
    let mut host = lab.start_by("p1", &by, &["host", "--name", "Ana"]);
    let said = host.until("cannot listen on port");
    assert!(said.contains("Operation not permitted"), "{said}");
    assert!(!host.waits());
}

/// A host nobody hears of for a while: who waits is told for whom, and why.
#[test]
fn who_comes_back_alone_reads_within_seconds_who_is_away() {
    let Some(lab) = Lab::up(&["open", "cone"]) else { return };
    let (mut host, invite) = host(&lab, "2", &[]);
    let gate = Gate::default();
    let mut ben = join_slowly(&lab, "p2", "Ben", &invite, &gate);
    ben.until("Keep this hand");
    host.kill();
    ben.kill();
    let ben = lab.start("p2", &["resume"]);
    let told = ben.when("Ana is not connected; trying again.");
    assert!(told < Duration::from_secs(5), "{told:?}");
}

/// A path on which packets over 1,000 bytes vanish both ways, without a word.
#[test]
fn a_game_is_played_over_a_path_where_large_packets_vanish() {
    let Some(lab) = Lab::up(&["open", "cone"]) else { return };
    let does = |node: &str, words: &str| {
        let words: Vec<&str> = words.split(' ').collect();
        let status = lab.command(node, words[0]).args(&words[1..]).status();
        assert!(status.expect("it starts").success(), "{words:?}");
    };
    // Several segments in one piece would pass where one alone does not.
    for (node, device) in [("p1", "eth0"), ("p2", "eth0"), ("n2", "wan"), ("n2", "v-p2")] {
        does(node, &format!("ip link set {device} gso_max_segs 1"));
    }
    does("n2", "ip link set wan mtu 1000");
    does("n2", "iptables -A OUTPUT -p icmp -j DROP");
    let (mut host, invite) = host(&lab, "2", &[]);
    let mut guest = join(&lab, "p2", "Ben", &invite);
    guest.until("at the table of Ana, direct over TCP");
    same_end(&lab, &mut [("p1", &mut host), ("p2", &mut guest)]);
}
