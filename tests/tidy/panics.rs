//! A panic is our bug, never their bytes: nothing outside tests may ask for one.

use super::{
    none,
    reach::tests_only,
    says,
    source::{Source, all},
};

/// The places that may, each because it cannot happen at run time.
const ALLOWED: [(&str, &str, &str); 2] = [
    ("src/game/card.rs", "panic!", "evaluated by the compiler"),
    ("src/net/invite.rs", ".expect(", "the alphabet is a constant, and a test reads it"),
];

const WORDS: [(&[&str], &str); 6] = [
    (&[".", "unwrap", "("], ".unwrap("),
    (&[".", "expect", "("], ".expect("),
    (&["panic", "!"], "panic!"),
    (&["unreachable", "!"], "unreachable!"),
    (&["todo", "!"], "todo!"),
    (&["unimplemented", "!"], "unimplemented!"),
];

/// Complains of what panics, outside tests and the simulator.
fn check(sources: &[Source]) -> Vec<String> {
    let mut complaints = Vec::new();
    let tests = tests_only(sources);
    let ours = |path: &str| {
        path.starts_with("src/") && !path.starts_with("src/sim/") && !tests.contains(path)
    };
    for source in sources.iter().filter(|source| ours(&source.path)) {
        for (words, name) in WORDS {
            let found = (0..source.words.len())
                .filter(|at| source.has(*at, words) && !source.words[*at].test);
            let allowed =
                ALLOWED.iter().any(|(path, word, _)| (*path, *word) == (&source.path, name));
            let excess = found.skip(usize::from(allowed));
            complaints.extend(excess.map(|at| source.complaint(at, &format!("{name} may panic"))));
        }
    }
    complaints
}

#[test]
fn nothing_asks_for_a_panic() {
    none(check(&all(&["src"])));
}

#[test]
fn every_exception_is_still_needed() {
    let sources = all(&["src"]);
    for (path, name, why) in ALLOWED {
        let source = sources.iter().find(|source| source.path == path).expect(path);
        let words = WORDS.iter().find(|(_, word)| *word == name).expect(name).0;
        let found = |at| source.has(at, words) && !source.words[at].test;
        assert!((0..source.words.len()).any(found), "{path} has no {name} any more ({why})");
    }
}

#[test]
fn what_may_panic_is_found() {
    let sample = |path: &str, text: &str| check(&[Source::new(path, text)]);
    let macros =
        ["panic", "unreachable", "todo", "unimplemented"].map(|name| format!("{name}!();"));
    let text = format!("fn a() {{ b.unwrap(); c.expect(\"d\"); {} }}", macros.concat());
    let names = WORDS.map(|(_, name)| name);
    says(&sample("src/net/x.rs", &text), &names);
    let text =
        "#[cfg(test)] mod tests { fn a() { b.unwrap() } } // c.unwrap()\nfn d() { e.unwrap_or(1) }";
    says(&sample("src/net/x.rs", text), &[]);
    let sources = [
        Source::new("src/a.rs", "#[cfg(test)] mod b;"),
        Source::new("src/a/b.rs", "mod c; fn d() { panic!() }"),
        Source::new("src/a/b/c.rs", "fn d() { panic!() }"),
    ];
    says(&check(&sources), &[]);
    says(&sample("src/sim/x.rs", "fn a() { panic!() }"), &[]);
    says(&sample("src/game/card.rs", "fn a() { panic!(); panic!() }"), &["panic! may panic"]);
}
