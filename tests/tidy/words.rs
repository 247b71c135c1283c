//! Words that the rules and the protocol may not use: what differs from run to run or from
//! machine to machine.

use super::{
    none, says,
    source::{Source, all, closing},
};

/// Clock, randomness, I/O, and what has no order or no exact value.
const BANNED: [(&[&str], &str); 16] = [
    (&["Instant"], "time is an argument"),
    (&["SystemTime"], "time is an argument"),
    (&["tokio"], "no I/O here"),
    (&["async"], "no I/O here"),
    (&["std", "::", "net"], "no sockets here"),
    (&["std", "::", "fs"], "no files here"),
    (&["std", "::", "io"], "no I/O here"),
    (&["std", "::", "env"], "no environment here"),
    (&["std", "::", "thread"], "no threads here"),
    (&["HashMap"], "its order differs from run to run"),
    (&["HashSet"], "its order differs from run to run"),
    (&["f32"], "floats are not exact"),
    (&["f64"], "floats are not exact"),
    (&["getrandom"], "randomness is an argument"),
    (&["rand", "::", "rng"], "randomness is an argument"),
    (&["thread_rng"], "randomness is an argument"),
];

/// Complains of banned words in `game/` and `protocol/`.
fn banned(sources: &[Source]) -> Vec<String> {
    let mut complaints = Vec::new();
    let pure = |path: &str| path.starts_with("src/game/") || path.starts_with("src/protocol/");
    for source in sources.iter().filter(|source| pure(&source.path)) {
        for at in 0..source.words.len() {
            for (words, why) in BANNED.iter().filter(|(words, _)| source.has(at, words)) {
                complaints.push(source.complaint(at, &format!("{}: {why}", words.concat())));
            }
        }
    }
    complaints
}

/// Complains of `usize` in types of `protocol/` that become bytes: its width is the machine's.
fn widths(sources: &[Source]) -> Vec<String> {
    let mut complaints = Vec::new();
    for source in sources.iter().filter(|source| source.path.starts_with("src/protocol/")) {
        for at in 0..source.words.len() {
            if !source.has(at, &["#", "[", "derive"]) {
                continue;
            }
            let mut item = closing(&source.words, at + 1) + 1;
            let becomes_bytes = source.words[at..item].iter().any(|word| word.text == "Serialize");
            while source.has(item, &["#", "["]) {
                item = closing(&source.words, item + 1) + 1;
            }
            let usizes = (item..source.item_end(item)).filter(|at| source.has(*at, &["usize"]));
            let what = "usize in a type that becomes bytes: its width is the machine's";
            let found = usizes.filter(|_| becomes_bytes);
            complaints.extend(found.map(|at| source.complaint(at, what)));
        }
    }
    complaints
}

#[test]
fn the_rules_and_the_protocol_are_pure() {
    none(banned(&all(&["src"])));
}

#[test]
fn a_banned_word_is_found() {
    let sample = |path: &str, text: &str| banned(&[Source::new(path, text)]);
    for (words, why) in BANNED {
        says(&sample("src/protocol/x.rs", &words.concat()), &[why]);
    }
    let text = "use std::collections::HashMap;\nasync fn a(at: std::time::Instant) {}";
    says(&sample("src/game/card.rs", text), &["rs:1: HashMap", "rs:2: async", "rs:2: Instant"]);
    says(&sample("src/game/card.rs", "/// HashMap\nconst A: &str = \"tokio\";"), &[]);
    says(&sample("src/run/x.rs", "use tokio::time::Instant;"), &[]);
}

#[test]
fn what_becomes_bytes_has_a_fixed_width() {
    none(widths(&all(&["src"])));
}

#[test]
fn a_usize_that_becomes_bytes_is_found() {
    let sample = |text: &str| widths(&[Source::new("src/protocol/x.rs", text)]);
    let found = ["usize in a type"];
    says(&sample("#[derive(Debug, Serialize)]\n#[serde(a)]\nstruct A { a: Vec<usize> }"), &found);
    says(&sample("#[derive(Serialize)] pub struct A(pub usize);"), &found);
    says(&sample("#[derive(Debug)] struct A { a: usize } #[derive(Serialize)] struct B(u8);"), &[]);
}
