//! The house rules that a machine can check, each with a sample that breaks it.
//!
//! The sources are cut into words by a small lexer ([`source`]) that drops comments and knows what
//! is a string; that is all these rules need of the language. A rule takes sources and gives
//! complaints; the samples show that it can.

#[path = "tidy/layers.rs"]
mod layers;
#[path = "tidy/panics.rs"]
mod panics;
#[path = "tidy/project.rs"]
mod project;
#[path = "tidy/reach.rs"]
mod reach;
#[path = "tidy/sizes.rs"]
mod sizes;
#[path = "tidy/source.rs"]
mod source;
#[path = "tidy/words.rs"]
mod words;

/// Fails with all complaints, a line each.
fn none(complaints: Vec<String>) {
    assert!(complaints.is_empty(), "\n{}", complaints.join("\n"));
}

/// Whether there are as many complaints as `parts`, each containing its part.
fn says(complaints: &[String], parts: &[&str]) {
    let said = complaints.iter().zip(parts).all(|(said, part)| said.contains(part));
    assert!(said && complaints.len() == parts.len(), "{complaints:?} instead of {parts:?}");
}
