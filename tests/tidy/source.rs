//! Sources, cut into words.

use std::{
    fs,
    path::{Path, PathBuf},
};

/// What a word is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Sort {
    /// A name, keyword or number.
    Name,
    /// The inside of a string.
    Text,
    /// `::` or one other character.
    Mark,
}

/// One word of a source.
#[derive(Debug, Clone)]
pub struct Word {
    pub sort: Sort,
    pub text: String,
    /// Its line, from 1.
    pub line: usize,
    /// Whether it belongs to an item that only tests see.
    pub test: bool,
}

/// One source file.
#[derive(Debug, Clone)]
pub struct Source {
    /// Where it is, below the project.
    pub path: String,
    pub text: String,
    pub words: Vec<Word>,
}

impl Source {
    /// A source with this text.
    pub fn new(path: &str, text: &str) -> Source {
        let mut words = cut(text);
        mark_tests(&mut words);
        Source { path: path.into(), text: text.into(), words }
    }

    /// Whether the words from `at` on are these.
    pub fn has(&self, at: usize, texts: &[&str]) -> bool {
        has(&self.words, at, texts)
    }

    /// A complaint about a word.
    pub fn complaint(&self, at: usize, what: &str) -> String {
        format!("{}:{}: {what}", self.path, self.words[at].line)
    }

    /// The index behind the item that begins at `at`: after its `;` or its closing brace.
    pub fn item_end(&self, at: usize) -> usize {
        item_end(&self.words, at)
    }
}

/// All Rust files below these folders of the project, sorted.
pub fn all(folders: &[&str]) -> Vec<Source> {
    let root = root();
    let mut paths = Vec::new();
    folders.iter().for_each(|folder| collect(&root.join(folder), &mut paths));
    paths.sort();
    let read = |path: &PathBuf| {
        let text = fs::read_to_string(path).expect("a source can be read");
        let below = path.strip_prefix(&root).expect("below the project");
        Source::new(&below.to_string_lossy(), &text)
    };
    let sources: Vec<Source> = paths.iter().map(read).collect();
    assert!(!sources.is_empty(), "no sources in {folders:?}");
    sources
}

/// The project's folder.
pub fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).to_owned()
}

fn collect(folder: &Path, paths: &mut Vec<PathBuf>) {
    let Ok(entries) = fs::read_dir(folder) else { return };
    for entry in entries {
        let path = entry.expect("an entry").path();
        if path.is_dir() {
            collect(&path, paths);
        } else if path.extension().is_some_and(|extension| extension == "rs") {
            paths.push(path);
        }
    }
}

fn has(words: &[Word], at: usize, texts: &[&str]) -> bool {
    let found = words.iter().skip(at).map(|word| word.text.as_str());
    let sort = |word: &Word| word.sort != Sort::Text;
    found.take(texts.len()).eq(texts.iter().copied())
        && words.iter().skip(at).take(texts.len()).all(sort)
}

/// Cuts a text into words; comments are dropped.
fn cut(text: &str) -> Vec<Word> {
    let chars: Vec<char> = text.chars().collect();
    let (mut words, mut at, mut line) = (Vec::new(), 0, 1);
    while at < chars.len() {
        let (end, sort) = next(&chars, at);
        if let Some(sort) = sort {
            let text = chars[at..end].iter().collect();
            words.push(Word { sort, text, line, test: false });
        }
        line += chars[at..end].iter().filter(|c| **c == '\n').count();
        at = end;
    }
    words
}

/// Where what begins at `at` ends, and what it is if it is a word.
fn next(chars: &[char], at: usize) -> (usize, Option<Sort>) {
    let peek = |by: usize| chars.get(at + by).copied().unwrap_or('\0');
    match (chars[at], peek(1)) {
        ('/', '/') => (find(chars, at, '\n'), None),
        ('/', '*') => (comment_end(chars, at), None),
        (c, _) if c.is_whitespace() => (at + 1, None),
        ('"', _) => (string_end(chars, at + 1), Some(Sort::Text)),
        ('b' | 'c', '"') => (string_end(chars, at + 2), Some(Sort::Text)),
        ('r', '"' | '#') if raw_end(chars, at + 1).is_some() => {
            (raw_end(chars, at + 1).unwrap_or(at + 1), Some(Sort::Text))
        }
        ('b' | 'c', 'r') if raw_end(chars, at + 2).is_some() => {
            (raw_end(chars, at + 2).unwrap_or(at + 2), Some(Sort::Text))
        }
        ('\'', '\\') => (find(chars, at + 3, '\'') + 1, Some(Sort::Text)),
        ('\'', _) if peek(2) == '\'' => (at + 3, Some(Sort::Text)),
        (':', ':') => (at + 2, Some(Sort::Mark)),
        (c, _) if c.is_alphanumeric() || c == '_' || c == '\'' => {
            let more = |c: &&char| c.is_alphanumeric() || **c == '_';
            (at + 1 + chars[at + 1..].iter().take_while(more).count(), Some(Sort::Name))
        }
        _ => (at + 1, Some(Sort::Mark)),
    }
}

fn find(chars: &[char], from: usize, wanted: char) -> usize {
    let rest = chars.iter().skip(from).position(|c| *c == wanted);
    rest.map_or(chars.len(), |count| from + count)
}

fn comment_end(chars: &[char], mut at: usize) -> usize {
    let mut depth = 0;
    while at < chars.len() {
        match (chars[at], chars.get(at + 1)) {
            ('/', Some('*')) => (depth, at) = (depth + 1, at + 2),
            ('*', Some('/')) => (depth, at) = (depth - 1, at + 2),
            _ => at += 1,
        }
        if depth == 0 {
            break;
        }
    }
    at
}

fn string_end(chars: &[char], mut at: usize) -> usize {
    while at < chars.len() && chars[at] != '"' {
        at += if chars[at] == '\\' { 2 } else { 1 };
    }
    at + 1
}

/// The end of a raw string whose `#` or quote stands at `at`.
fn raw_end(chars: &[char], at: usize) -> Option<usize> {
    let hashes = chars.get(at..)?.iter().take_while(|c| **c == '#').count();
    let mut from = at + hashes;
    if chars.get(from) != Some(&'"') {
        return None;
    }
    loop {
        from = find(chars, from + 1, '"');
        let closing = chars.get(from + 1..from + 1 + hashes)?;
        if closing.iter().all(|c| *c == '#') {
            return Some(from + 1 + hashes);
        }
    }
}

/// Marks the items behind `#[cfg(test)]` and `#[test]`.
fn mark_tests(words: &mut [Word]) {
    let mut at = 0;
    while at < words.len() {
        let attribute = has(words, at, &["#", "["]);
        let end = if attribute { closing(words, at + 1) + 1 } else { at + 1 };
        let inside: Vec<&str> = words[at..end].iter().map(|word| word.text.as_str()).collect();
        let only = inside.contains(&"test") && !inside.iter().any(|w| ["not", "any"].contains(w));
        if attribute && only && ["cfg", "test"].contains(&inside[2]) {
            let end = item_end(words, end);
            words[at..end].iter_mut().for_each(|word| word.test = true);
            at = end;
        } else {
            at = end;
        }
    }
}

/// The index of the bracket that closes the one at `at`.
pub fn closing(words: &[Word], at: usize) -> usize {
    let mut depth = 0;
    for (index, word) in words.iter().enumerate().skip(at) {
        match (word.sort, word.text.as_str()) {
            (Sort::Mark, "(" | "[" | "{") => depth += 1,
            (Sort::Mark, ")" | "]" | "}") => depth -= 1,
            _ => {}
        }
        if depth == 0 {
            return index;
        }
    }
    words.len() - 1
}

fn item_end(words: &[Word], mut at: usize) -> usize {
    while at < words.len() {
        match (words[at].sort, words[at].text.as_str()) {
            (Sort::Mark, ";") => return at + 1,
            (Sort::Mark, "{") => return closing(words, at) + 1,
            (Sort::Mark, "(" | "[") => at = closing(words, at) + 1,
            _ => at += 1,
        }
    }
    words.len()
}

#[test]
fn comments_and_strings_are_no_words() {
    let text =
        "a // b\n/* c /* d */ e */ 'f' \"g \\\" h\" r#\"i\" j\"# b'k' &'l m::n b\"o\" r\"p\"";
    let source = Source::new("", text);
    let names = source.words.iter().filter(|word| word.sort == Sort::Name);
    let names: Vec<&str> = names.map(|word| word.text.as_str()).collect();
    assert_eq!(names, ["a", "b", "'l", "m", "n"], "the b is that of b'k'");
    let lines = source.words.iter().map(|word| word.line).collect::<Vec<_>>();
    assert_eq!((lines[0], lines[1]), (1, 2));
}

#[test]
fn what_only_tests_see_is_marked() {
    let text = "fn a() {} #[cfg(test)] #[path = \"x\"] mod b { fn c() {} } #[cfg(not(test))] \
                fn d() {} #[test] fn e() {} #[cfg(any(test, feature = \"sim\"))] mod f;";
    let source = Source::new("", text);
    let marked = |name: &&str| source.words.iter().any(|word| word.text == *name && word.test);
    let found: Vec<&str> = ["a", "b", "c", "d", "e", "f"].into_iter().filter(marked).collect();
    assert_eq!(found, ["b", "c", "e"]);
}
