//! What a program says of itself and its table to each peer, before anything else.

use crate::{
    game::Seat,
    net::{Invite, KeyHash},
    protocol::{
        codec,
        crypto::hash::{Hash, hash},
        lobby::{LOG_VERSION, Roster},
        message::{Greeting, Hosting, Lobby, Message},
        name::Name,
    },
    store::{Meta, Role},
};

/// The id of the table that a host's invite with this secret leads to.
pub(super) fn table_id(host: &KeyHash, secret: &[u8]) -> Hash {
    hash("table", &[host, secret])
}

/// What is said to peers before anything else, as bytes.
pub fn greeting(name: &Name, table: Option<Hash>, hosts: Option<Hosting>) -> Vec<u8> {
    codec::encode(&Greeting { version: LOG_VERSION, name: name.clone(), table, hosts })
}

/// What is said to the host of a table by one who only looks, with the invite's secret or none.
pub(super) fn looking(secret: &[u8]) -> Message {
    Message::Lobby(Lobby::Look { secret: secret.to_vec() })
}

/// The same as bytes, for the invite of a host.
pub fn look_word(invite: &Invite) -> Vec<u8> {
    codec::encode(&looking(invite.secret()))
}

/// What a table that has begun says to peers, while so many watch it here.
pub(super) fn table_greeting(roster: &Roster, seat: Seat, meta: &Meta, watching: u8) -> Vec<u8> {
    let players = roster.joins.len() as u8;
    let hosts = (meta.role == Role::Host).then_some(Hosting {
        players,
        taken: players,
        begun: true,
        open: meta.lan,
        watching,
    });
    let name = roster.join(seat).map(|join| join.name.clone());
    name.map(|name| greeting(&name, Some(roster.terms.id), hosts)).unwrap_or_default()
}
