//! The line that leads to a table.

use std::path::Path;

use super::{greet::table_id, peers::parse_key};
use crate::{
    net::{ADDRESSES, Address, Invite, Net, RELAYS, key_hash},
    store::{GameDir, Profile, StoreError},
};

/// The line to paste, for a table whose host has this network.
pub(super) fn invite_text(net: &Net, secret: &[u8]) -> String {
    let invite = Invite::new(key_hash(&net.key()), secret, &net.listening());
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

/// The id of the table that an invite leads to, as the disk has it.
pub fn table_of(invite: &Invite) -> String {
    data_encoding::HEXLOWER.encode(&table_id(&invite.host(), invite.secret()))
}

/// Takes the ways that a newer line to the table of an unfinished game names.
///
/// # Errors
/// [`StoreError`] if the game cannot be read or written.
pub fn take_line(profile: &Profile, folder: &Path, invite: &Invite) -> Result<(), StoreError> {
    let mut game = GameDir::open(profile, folder)?;
    let mut meta = game.meta().clone();
    let newer = |texts: &mut Vec<String>, addresses: &[Address], most: usize| {
        let named: Vec<String> = addresses.iter().map(Address::to_string).collect();
        texts.retain(|text| !named.contains(text));
        texts.extend(named);
        texts.drain(..texts.len().saturating_sub(most));
    };
    let is_host = |key: &str| parse_key(key).is_some_and(|key| key_hash(&key) == invite.host());
    if let Some((_, texts)) = meta.addresses.iter_mut().find(|(key, _)| is_host(key)) {
        newer(texts, invite.addresses(), ADDRESSES);
    }
    newer(&mut meta.relays, invite.relays(), RELAYS);
    meta.invite = invite.to_string();
    if meta == *game.meta() { Ok(()) } else { game.set_meta(meta) }
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
