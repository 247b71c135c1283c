//! What the files beside the sources say of each other.

use std::{fs, process::Command};

use super::{none, says, source::root};

fn read(name: &str) -> String {
    fs::read_to_string(root().join(name)).unwrap_or_default()
}

/// Complains of games that their README does not list.
fn unlisted(games: &[String], readme: &str) -> Vec<String> {
    let lost = games.iter().filter(|game| !readme.contains(game.as_str()));
    lost.map(|game| format!("replays/{game}: not listed in replays/README.md")).collect()
}

/// The Rust version that a manifest asks for.
fn msrv(manifest: &str) -> Option<&str> {
    let line = manifest.lines().find_map(|line| line.strip_prefix("rust-version = "))?;
    Some(line.trim_matches('"'))
}

/// Complains of every Rust version in a text that is not ours.
fn versions(text: &str, ours: &str) -> Vec<String> {
    let said = text.split("Rust 1.").skip(1).map(|rest| {
        let number: String = rest.chars().take_while(|c| c.is_ascii_digit() || *c == '.').collect();
        format!("1.{}", number.trim_end_matches('.'))
    });
    let other = said.filter(|said| said != ours);
    other.map(|said| format!("README.md says Rust {said}, Cargo.toml {ours}")).collect()
}

/// Complains of packages, as `cargo metadata` tells them, that ask for a newer Rust than ours.
fn too_new(metadata: &serde_json::Value, ours: &str) -> Vec<String> {
    let number = |version: &str| -> Vec<u32> {
        let mut parts: Vec<u32> = version.split('.').filter_map(|part| part.parse().ok()).collect();
        parts.resize(3, 0);
        parts
    };
    let packages = metadata["packages"].as_array().cloned().unwrap_or_default();
    let newer = packages.iter().filter_map(|package| {
        let asked = package["rust_version"].as_str()?;
        let name = package["name"].as_str()?;
        (number(asked) > number(ours)).then(|| format!("{name} asks for Rust {asked}"))
    });
    newer.collect()
}

/// Complains of what code built with `flags` may use of an x86-64 processor that not every one has.
/// `lahfsahf` is what only the first ones lacked; some compilers do not tell it.
fn beyond_baseline(flags: &[&str]) -> Vec<String> {
    let flags = flags.iter().flat_map(|flag| ["-C", flag]);
    let asked = ["--print", "cfg", "--target", "x86_64-unknown-linux-gnu"];
    let output = Command::new("rustc").args(asked).args(flags).output().expect("rustc runs");
    let told = String::from_utf8(output.stdout).expect("text");
    assert!(told.contains("target_feature"), "{}", String::from_utf8_lossy(&output.stderr));
    let features = told.lines().filter_map(|line| line.strip_prefix("target_feature="));
    let all = ["fxsr", "sse", "sse2", "lahfsahf"];
    let more = features.filter(|feature| !all.contains(&feature.trim_matches('"')));
    more.map(|feature| format!("the build asks for {feature}")).collect()
}

#[test]
fn every_golden_game_is_listed() {
    let entries = fs::read_dir(root().join("replays")).into_iter().flatten().flatten();
    let names = entries.filter_map(|entry| entry.file_name().into_string().ok());
    let games: Vec<String> = names.filter(|name| name != "README.md").collect();
    none(unlisted(&games, &read("replays/README.md")));
    let (a, b) = ("a.fairdeal".to_owned(), "b.fairdeal".to_owned());
    says(&unlisted(&[a, b], "| `a.fairdeal` |"), &["b.fairdeal"]);
}

#[test]
fn the_changelog_has_room_for_what_comes_next() {
    assert!(read("CHANGELOG.md").contains("\n## [Unreleased]\n"));
}

#[test]
fn one_rust_version_is_told() {
    let manifest = read("Cargo.toml");
    let ours = msrv(&manifest).expect("a rust-version");
    none(versions(&read("README.md"), ours));
    says(&versions("Needs Rust 1.89. Rust 1.90.1 too.", "1.89"), &["Rust 1.90.1"]);
}

#[test]
fn no_dependency_needs_a_newer_rust() {
    let words = ["metadata", "--locked", "--offline", "--format-version", "1"];
    let output = Command::new(env!("CARGO")).current_dir(root()).args(words).output();
    let output = output.expect("cargo runs");
    if !output.status.success() {
        let reason = String::from_utf8_lossy(&output.stderr);
        println!("skipped: the sources of all platforms are not here: {reason}");
        return;
    }
    let metadata = serde_json::from_slice(&output.stdout).expect("JSON");
    none(too_new(&metadata, msrv(&read("Cargo.toml")).expect("a rust-version")));
    let sample = serde_json::json!({ "packages": [
        { "name": "a", "rust_version": "1.89.0" },
        { "name": "b", "rust_version": "1.90" },
        { "name": "c", "rust_version": null },
    ] });
    says(&too_new(&sample, "1.89"), &["b asks for Rust 1.90"]);
}

#[test]
fn the_program_runs_on_every_processor_of_its_kind() {
    let config = read(".cargo/config.toml");
    let flags: Vec<&str> = config.split('"').filter(|word| word.starts_with("target-")).collect();
    none(beyond_baseline(&flags));
    let sample = ["target-cpu=x86-64-v2", "target-feature=-sse3"];
    says(&beyond_baseline(&sample), &["cmpxchg16b", "popcnt"]);
}
