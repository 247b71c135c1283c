//! What `fairdeal doctor` says behind each kind of router.

use crate::lab::{Lab, RELAY};

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
    alone.ends();
    // A machine that has no address.
    let cut = lab.start("inet", &["doctor"]);
    cut.until("this machine is on no network");
}
