//! The line that leads to a table.

use crate::net::{Address, Invite, Net};

/// The line to paste, for a table whose host has this network.
pub(super) fn invite_text(net: &Net, secret: &[u8]) -> String {
    let invite = Invite::new(net.key().hash(), secret, &net.listening());
    invite
        .map(|invite| invite.with_relays(net.key(), &net.relays()).to_string())
        .unwrap_or_default()
}

/// Whether a line has a way that the one before has not: one that has lost a way is not worth
/// sending.
pub(super) fn leads_further(line: &str, before: &str) -> bool {
    let (Ok(line), Ok(before)) = (line.parse::<Invite>(), before.parse::<Invite>()) else {
        return line != before;
    };
    let new = |has: &[Address], had: &[Address]| has.iter().any(|way| !had.contains(way));
    new(line.addresses(), before.addresses()) || new(line.relays(), before.relays())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_that_has_only_lost_ways_is_not_told() {
        let line = |addresses: &[&str]| {
            let parse = |text: &&str| text.parse().expect("an address");
            let addresses: Vec<Address> = addresses.iter().map(parse).collect();
            Invite::new([1; 16], &[2; 8], &addresses).expect("an invite").to_string()
        };
        let (one, two) = (line(&["10.0.0.1"]), line(&["10.0.0.1", "10.0.0.2"]));
        assert!(leads_further(&two, &one) && leads_further(&line(&["10.0.0.3"]), &two));
        assert!(!leads_further(&one, &two) && !leads_further(&two, &two));
        assert!(!leads_further(&line(&[]), &one), "without a network there is nothing to send");
    }
}
