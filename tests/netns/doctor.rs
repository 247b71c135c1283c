//! What `fairdeal doctor` says behind each kind of router.

use crate::games::{host, join, join_slowly, same_end};
use crate::lab::{Lab, RELAY};
use crate::program::{Gate, Program};

/// The verdict of p1, with a relay to ask.
fn verdict(kind: &str, router: &str, relay: &str) -> Option<()> {
    let lab = Lab::up(&[kind])?;
    let _relay = lab.relay();
    let doctor = lab.start("p1", &["doctor", "--json", "--relay", RELAY]);
    let said = doctor.until("findings");
    assert!(said.contains(&format!("\"router\":\"{router}\"")), "{said}");
    assert!(said.contains(relay), "{said}");
    Some(())
}

const REACHED: &str = "others can reach you through it";

#[test]
fn a_public_address() {
    verdict("open", "public", REACHED);
}

#[test]
fn a_router_that_keeps_the_port() {
    verdict("cone", "cone", REACHED);
}

#[test]
fn a_router_that_changes_the_port() {
    verdict("sym", "symmetric", REACHED);
}

#[test]
fn no_udp() {
    verdict("noudp", "no udp", REACHED);
}

/// A relay whose second port is closed shows less, and that much is said.
#[test]
fn a_relay_with_one_port() {
    for (kind, router) in [("cone", "keeps the port"), ("sym", "changes the port")] {
        let Some(lab) = Lab::up(&[kind]) else { return };
        let _relay = lab.relay();
        for protocol in ["udp", "tcp"] {
            let shut = ["-A", "INPUT", "-p", protocol, "--dport", "7269", "-j", "DROP"];
            let status = lab.command("relay", "iptables").args(shut).status().expect("iptables");
            assert!(status.success());
        }
        let doctor = lab.start("p1", &["doctor", "--json", "--relay", RELAY]);
        let said = doctor.until("findings");
        assert!(said.contains(&format!("\"router\":\"{router}\"")), "{said}");
        assert!(said.contains("open the relay's next port too"), "{said}");
    }
}

#[test]
fn no_relay_to_ask_and_no_network() {
    let Some(lab) = Lab::up(&["cone"]) else { return };
    let mut alone = lab.start("p1", &["doctor"]);
    alone.until("unknown without a relay to ask");
    alone.until("to try it, name a host's line: fairdeal doctor deal1");
    alone.ends();
    // A machine that has no address.
    let cut = lab.start("inet", &["doctor"]);
    cut.until("this machine is on no network");
}

/// Tries the way from a node to the host of an invite.
fn tried(lab: &Lab, node: &str, invite: &str) -> (Program, String) {
    let doctor = lab.start(node, &["doctor", "--json", invite]);
    let said = doctor.until("findings");
    (doctor, said)
}

/// Over what the verdict says that it was; a slow machine's first QUIC handshake may come too late.
fn transport(said: &str) -> &'static str {
    let has = |over: &&str| said.contains(&format!("\"transport\":\"{over}\""));
    ["QUIC", "TCP"].into_iter().find(has).expect("a transport")
}

/// The host sees nobody, and its table is played as if nobody had come.
#[test]
fn the_hole_is_punched_and_the_table_sees_nobody() {
    let Some(lab) = Lab::up(&["cone", "cone"]) else { return };
    let _relay = lab.relay();
    let (mut host, invite) = host(&lab, "2", &["--relay", RELAY]);
    let (mut doctor, said) = tried(&lab, "p2", &invite);
    doctor.ends();
    assert!(said.contains("\"result\":\"punched\""), "{said}");
    assert!(said.contains("\"direct after "), "{said}");
    let over = transport(&said);
    assert!(said.contains(&format!(" ms over {over}; first by the relay {RELAY}")), "{said}");
    assert_eq!(host.all().matches("seats taken").count(), 1, "{}", host.all());
    assert!(!host.has_said("direct"), "{}", host.all());
    let mut guest = join(&lab, "p2", "Ben", &invite);
    same_end(&lab, &mut [("p1", &mut host), ("p2", &mut guest)]);
}

/// While the doctor is there, longer than a stranger without a word is borne, a guest sits down,
/// and plays to the end.
#[test]
fn where_no_hole_can_be_punched_the_reason_is_told() {
    let Some(lab) = Lab::up(&["sym", "sym", "sym"]) else { return };
    let _relay = lab.relay();
    let (mut host, invite) = host(&lab, "2", &["--relay", RELAY]);
    let mut doctor = lab.start("p2", &["doctor", "--json", &invite]);
    doctor.until("Trying the way");
    let gate = Gate::default();
    let mut guest = join_slowly(&lab, "p3", "Cy", &invite, &gate);
    guest.until("Keep this hand");
    let said = doctor.until("findings");
    assert!(said.contains("\"result\":\"relayed\""), "{said}");
    assert!(said.contains("failed: no answer at 198.51.100.101:"), "{said}");
    assert!(said.contains("the router here shows each connection another port; "), "{said}");
    assert!(said.contains(&format!("the relay {RELAY} carries the game")), "{said}");
    doctor.ends();
    gate.open();
    same_end(&lab, &mut [("p1", &mut host), ("p3", &mut guest)]);
}

#[test]
fn on_one_network_and_on_one_machine_the_way_is_direct_at_once() {
    let Some(lab) = Lab::up(&["cone", "lan1"]) else { return };
    for (node, more) in [("p2", &[][..]), ("p1", &["--local"])] {
        let (_host, invite) = host(&lab, "2", more);
        let (mut doctor, said) = tried(&lab, node, &invite);
        assert!(said.contains("\"result\":\"direct\""), "{said}");
        assert!(said.contains("direct at once: after "), "{said}");
        assert!(said.contains(&format!(" ms over {}", transport(&said))), "{said}");
        doctor.ends();
    }
}

#[test]
fn a_host_that_is_gone_is_not_reached() {
    let Some(lab) = Lab::up(&["cone", "lan1", "cone"]) else { return };
    let mut relay = lab.relay();
    let (mut host, invite) = host(&lab, "2", &["--relay", RELAY]);
    host.kill();
    // A relay that has just begun keeps no place for the host.
    relay.kill();
    let _relay = lab.relay();
    for (node, reason) in [("p2", "nothing listens there"), ("p3", "the host is not there")] {
        let (mut doctor, said) = tried(&lab, node, &invite);
        assert!(said.contains("\"result\":\"unreached\""), "{said}");
        assert!(said.contains("the host was not reached: "), "{said}");
        assert!(said.contains(reason), "{said}");
        assert!(!doctor.waits());
    }
}
