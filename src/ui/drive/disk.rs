//! What the disk knows, for the home screen.

use crate::{
    store::{GameDir, Home, Profile, Role},
    ui::{
        app::{Begin, home::Facts},
        shelf,
    },
};

/// Looks at the disk; what cannot be read is as if it were not there.
pub(super) fn facts(home: &Home, own: Option<&Profile>, named: Option<&str>) -> Facts {
    let name = own.and_then(|own| own.player().ok().flatten());
    let login = std::env::var("USER").or_else(|_| std::env::var("USERNAME")).unwrap_or_default();
    let proposed = if login.is_empty() { "player".into() } else { login };
    let running = GameDir::running(&home.games()).unwrap_or_default();
    let games = running
        .into_iter()
        .rev()
        .filter(|(_, meta)| named.is_none_or(|named| named == meta.profile))
        .map(|(_, meta)| {
            let role = match meta.role {
                Role::Host => "a table you host",
                Role::Guest => "a table you joined",
                Role::Alone => "alone against bots",
            };
            let id: String = meta.table.chars().take(8).collect();
            let line = format!("{id}  {role}, profile {}", meta.profile);
            (line, Begin::Resume(meta.table, meta.profile))
        })
        .collect();
    let spare = own.filter(|own| own.is_spare() && named.is_none());
    let spare = spare.map(|own| own.name().to_string());
    let replays = shelf::kept(home).unwrap_or_default();
    Facts { name, spare, proposed, games, replays }
}
