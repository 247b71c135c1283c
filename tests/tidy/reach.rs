//! A file that no `mod` leads to is compiled by nobody.

use std::collections::BTreeSet;

use super::{
    none, says,
    source::{Source, all},
};

/// Complains of files that no root reaches. Roots are what Cargo builds by itself.
fn check(sources: &[Source]) -> Vec<String> {
    let mut reached = BTreeSet::new();
    let mut open: Vec<&str> =
        sources.iter().map(|source| source.path.as_str()).filter(|path| is_root(path)).collect();
    while let Some(path) = open.pop() {
        let source = sources.iter().find(|source| source.path == path);
        if let Some(source) = source.filter(|source| reached.insert(source.path.as_str())) {
            let wanted = modules(source, false);
            let found = sources.iter().map(|source| source.path.as_str());
            open.extend(found.filter(|path| wanted.iter().any(|wanted| wanted == path)));
        }
    }
    let lost = sources.iter().filter(|source| !reached.contains(source.path.as_str()));
    lost.map(|source| format!("{}: no `mod` leads to it", source.path)).collect()
}

fn is_root(path: &str) -> bool {
    let parts: Vec<&str> = path.split('/').collect();
    matches!(
        parts[..],
        ["src", "lib.rs" | "main.rs"]
            | ["src", "bin", _]
            | ["tests" | "examples" | "benches", _]
            | ["tests" | "examples" | "benches", _, "main.rs"]
    )
}

/// The files that only tests see: those that a `mod` behind `#[cfg(test)]` names, and theirs.
pub fn tests_only(sources: &[Source]) -> BTreeSet<String> {
    let mut found: BTreeSet<String> =
        sources.iter().flat_map(|source| modules(source, true)).collect();
    loop {
        let inside = sources.iter().filter(|source| found.contains(&source.path));
        let more: Vec<String> = inside.flat_map(|source| modules(source, false)).collect();
        let before = found.len();
        found.extend(more);
        if found.len() == before {
            return found;
        }
    }
}

/// The files that the `mod`s of a source may name, or only those behind `#[cfg(test)]`.
fn modules(source: &Source, tests_only: bool) -> Vec<String> {
    let (folder, file) = source.path.rsplit_once('/').unwrap_or(("", &source.path));
    let stem = file.trim_end_matches(".rs");
    let below = match stem {
        "mod" | "lib" | "main" => folder.to_owned(),
        _ if is_root(&source.path) => folder.to_owned(),
        _ => format!("{folder}/{stem}"),
    };
    let mut wanted = Vec::new();
    for at in 0..source.words.len() {
        let words = &source.words;
        if !source.has(at, &["mod"]) || !source.has(at + 2, &[";"]) {
            continue;
        }
        if tests_only && !words[at].test {
            continue;
        }
        let name = &words[at + 1].text;
        wanted.extend([format!("{below}/{name}.rs"), format!("{below}/{name}/mod.rs")]);
        if at >= 6 && source.has(at - 6, &["#", "[", "path", "="]) {
            wanted.push(format!("{folder}/{}", words[at - 2].text.trim_matches('"')));
        }
    }
    wanted
}

#[test]
fn every_file_is_compiled() {
    none(check(&all(&["src", "tests", "examples", "benches"])));
}

#[test]
fn a_file_that_nobody_names_is_found() {
    let sources = [
        Source::new("src/lib.rs", "pub mod a; #[cfg(test)] mod b; // mod lost;"),
        Source::new("src/a/mod.rs", "mod c;"),
        Source::new("src/a/c.rs", "mod d;"),
        Source::new("src/a/c/d.rs", ""),
        Source::new("src/b.rs", ""),
        Source::new("src/lost.rs", "mod with;"),
        Source::new("src/lost/with.rs", ""),
        Source::new("tests/e.rs", "#[path = \"e/f.rs\"] mod f;"),
        Source::new("tests/e/f.rs", ""),
        Source::new("tests/e/g.rs", ""),
    ];
    says(&check(&sources), &["src/lost.rs", "src/lost/with.rs", "tests/e/g.rs"]);
}
