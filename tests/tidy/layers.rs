//! Folders are layers, and an import only points down.

use super::{
    none, says,
    source::{Source, all},
};

/// What each folder of `src/` may import, besides itself. `cli` may import all.
const LAYERS: [(&str, &[&str]); 9] = [
    ("planted", &[]),
    ("game", &["planted"]),
    ("protocol", &["game", "planted"]),
    ("store", &["bot", "protocol", "game", "planted"]),
    ("net", &["protocol"]),
    ("bot", &["game"]),
    ("run", &["net", "store", "protocol", "bot", "game"]),
    ("ui", &["run", "store", "protocol", "bot", "game"]),
    ("sim", &["bot", "net", "protocol", "game"]),
];

/// The crates that only one layer may name.
const OWNED: [(&str, &str); 5] = [
    ("libp2p", "net"),
    ("libp2p_stream", "net"),
    ("clap", "cli"),
    ("ratatui", "ui"),
    ("crossterm", "ui"),
];

/// Complains of imports that point up, and of folders without a layer.
fn check(sources: &[Source]) -> Vec<String> {
    let mut complaints = Vec::new();
    for source in sources {
        let module = module_of(&source.path);
        let Some(own) = module.first().cloned() else { continue };
        let layer = LAYERS.iter().find(|(name, _)| *name == own);
        if layer.is_none() && own != "cli" {
            complaints.push(format!("{}: the folder {own} has no layer", source.path));
        }
        for (at, path) in paths(source, &module) {
            let Some(root) = path.first().filter(|root| **root != own) else { continue };
            if layer.is_some_and(|(_, below)| !below.contains(&root.as_str())) {
                let what = format!("{own} may not import {}", path.join("::"));
                complaints.push(source.complaint(at, &what));
            }
        }
        for (at, word) in source.words.iter().enumerate() {
            let owner = OWNED.iter().find(|(name, _)| *name == word.text);
            let named = source.has(at + 1, &["::"]) && !source.has(at.saturating_sub(1), &["::"]);
            if owner.is_some_and(|(_, layer)| named && *layer != own) {
                complaints.push(source.complaint(at, &format!("{own} may not use {}", word.text)));
            }
        }
    }
    complaints
}

/// The module of a file, without `crate`: `src/game/notation/check.rs` is `game::notation::check`.
fn module_of(path: &str) -> Vec<String> {
    let path = path.trim_start_matches("src/").trim_end_matches(".rs").trim_end_matches("/mod");
    let top = ["lib", "main"].contains(&path);
    path.split('/').filter(|_| !top).map(str::to_owned).collect()
}

/// Every path that begins with `crate` or `super`, from the crate's root, and where it stands.
fn paths(source: &Source, module: &[String]) -> Vec<(usize, Vec<String>)> {
    let mut found = Vec::new();
    let mut inline: Vec<(String, usize)> = Vec::new();
    let mut at = 0;
    while at < source.words.len() {
        inline.retain(|(_, end)| at < *end);
        let text = source.words[at].text.as_str();
        let after = source.has(at.saturating_sub(1), &["::"]) && at > 0;
        if text == "mod" && source.has(at + 2, &["{"]) {
            inline.push((source.words[at + 1].text.clone(), source.item_end(at)));
        } else if ["crate", "super"].contains(&text) && source.has(at + 1, &["::"]) && !after {
            let here = module.iter().cloned().chain(inline.iter().map(|(name, _)| name.clone()));
            at = expand(source, at, &here.collect::<Vec<_>>(), &mut found);
            continue;
        }
        at += 1;
    }
    found
}

/// Reads a path or a tree of paths from `at` on top of `prefix`; the index behind it.
fn expand(
    source: &Source,
    mut at: usize,
    prefix: &[String],
    found: &mut Vec<(usize, Vec<String>)>,
) -> usize {
    let start = at;
    let mut path = prefix.to_vec();
    loop {
        match source.words.get(at).map_or("", |word| word.text.as_str()) {
            "crate" => path.clear(),
            "super" => drop(path.pop()),
            "self" => {}
            "{" => {
                at += 1;
                while !source.has(at, &["}"]) && at < source.words.len() {
                    at = expand(source, at, &path, found);
                    at += usize::from(source.has(at, &[","]));
                }
                return at + 1;
            }
            name => path.push(name.to_owned()),
        }
        at += 1;
        if !source.has(at, &["::"]) || source.has(at + 1, &["<"]) {
            break;
        }
        at += 1;
    }
    // `name as other` is one path.
    at += if source.has(at, &["as"]) { 2 } else { 0 };
    found.push((start, path));
    at
}

#[test]
fn imports_point_down() {
    none(check(&all(&["src"])));
}

#[test]
fn an_import_that_points_up_is_found() {
    let sample = |path: &str, text: &str| check(&[Source::new(path, text)]);
    let up = "game may not import protocol::log";
    says(&sample("src/game/card.rs", "use crate::protocol::log;"), &[up]);
    says(&sample("src/game/card.rs", "use super::super::protocol::log;"), &[up]);
    says(&sample("src/game/mod.rs", "use super::{game::Card, protocol::log};"), &[up]);
    says(&sample("src/game/card.rs", "mod a { use super::super::super::protocol::log; }"), &[up]);
    says(&sample("src/game/card.rs", "fn a() { crate::protocol::log::<u8>() }"), &[up]);
    let grouped = "use crate::{game::{Card, Hand as Row}, net::{Net, Path}, protocol::log};";
    says(&sample("src/protocol/x.rs", grouped), &["net::Net", "net::Path"]);
    says(&sample("src/protocol/x.rs", "use libp2p::Swarm;"), &["may not use libp2p"]);
    says(&sample("src/extra/x.rs", ""), &["no layer"]);
    says(
        &sample("src/protocol/x.rs", "use super::log; use crate::game::Card; // crate::net::a"),
        &[],
    );
    says(&sample("src/cli/x.rs", "use crate::{net::Net, run::Host};"), &[]);
}
