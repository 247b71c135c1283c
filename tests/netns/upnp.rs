//! A home router that forwards a port when asked, by the script `igd.py` beside this file.

use fairdeal::net::Invite;

use crate::games::{host, join, same_end};
use crate::lab::Lab;
use crate::program::Program;

/// An internet whose addresses count as public with libp2p, which the usual ones for documents do
/// not. Nobody has these any more (RFC 7526).
const NET: [(&str, &str); 1] = [("NET", "192.88.99")];

/// Where p1's router is from outside.
const OUTSIDE: &str = "192.88.99.101";

/// Starts what answers in p1's router.
fn igd(lab: &Lab, outside: &str) -> Program {
    let mut router = lab.command("n1", "python3");
    router.arg(concat!(env!("CARGO_MANIFEST_DIR"), "/tests/netns/igd.py"));
    router.args(["192.168.1.1", outside, "wan"]);
    let router = Program::start("n1", router);
    router.until("ready");
    router
}

/// The first invite a host tells that has this address.
fn invite_by(host: &Program, address: &str) -> String {
    let address = address.parse().expect("an address");
    let mut place = 0;
    loop {
        let (next, line) = host.until_after(place, "fairdeal join deal1");
        let invite: Invite = line.parse().expect("an invite");
        if invite.addresses().contains(&address) {
            return invite.to_string();
        }
        place = next;
    }
}

#[test]
fn a_guest_from_outside_comes_by_the_forwarded_port_without_a_relay() {
    let Some(lab) = Lab::up_with(&["cone", "cone"], &NET) else { return };
    let router = igd(&lab, OUTSIDE);
    let mut doctor = lab.start("p1", &["doctor"]);
    doctor.until(&format!("the router forwards {OUTSIDE}:7268 (UPnP)"));
    doctor.ends();
    let (mut host, _) = host(&lab, "2", &[]);
    let invite = invite_by(&host, &format!("{OUTSIDE}:7268"));
    for protocol in ["udp", "tcp"] {
        router.until(&format!("forwards {protocol} 7268 to 192.168.1.101:7268"));
    }
    let mut guest = join(&lab, "p2", "Ben", &invite);
    guest.until("at the table of Ana, direct over");
    same_end(&lab, &mut [("p1", &mut host), ("p2", &mut guest)]);
    assert!(!guest.has_said("relay") && !host.has_said("relay"), "{}", guest.all());
}

/// A router behind another one forwards nothing that helps.
#[test]
fn a_router_without_a_public_address_is_told() {
    let Some(lab) = Lab::up_with(&["cone"], &NET) else { return };
    let _router = igd(&lab, "10.0.0.7");
    let doctor = lab.start("p1", &["doctor"]);
    doctor.until("the router has no public address itself");
}
