//! Nothing may grow beyond what one reads at a time.

use unicode_width::UnicodeWidthStr;

use super::{
    none, says,
    source::{Sort, Source, all},
};

const FOLDERS: [&str; 4] = ["src", "tests", "examples", "benches"];
const FILE_LINES_MAX: usize = 500;
const FUNCTION_LINES_MAX: usize = 70;
const LINE_COLUMNS_MAX: usize = 100;

fn files(sources: &[Source]) -> Vec<String> {
    let lines = |source: &Source| source.text.lines().count();
    let long = sources.iter().filter(|source| lines(source) > FILE_LINES_MAX);
    long.map(|source| format!("{}: {} lines", source.path, lines(source))).collect()
}

fn functions(sources: &[Source]) -> Vec<String> {
    let mut complaints = Vec::new();
    for source in sources {
        for (at, word) in source.words.iter().enumerate() {
            let named = source.words.get(at + 1).is_some_and(|next| next.sort == Sort::Name);
            if word.sort != Sort::Name || word.text != "fn" || !named {
                continue;
            }
            let last = &source.words[source.item_end(at) - 1];
            let lines = last.line - word.line + 1;
            if lines > FUNCTION_LINES_MAX {
                let name = &source.words[at + 1].text;
                complaints.push(source.complaint(at, &format!("{name} has {lines} lines")));
            }
        }
    }
    complaints
}

fn columns(sources: &[Source]) -> Vec<String> {
    let mut complaints = Vec::new();
    for source in sources {
        for (number, line) in source.text.lines().enumerate() {
            if line.width() > LINE_COLUMNS_MAX {
                let columns = line.width();
                complaints.push(format!("{}:{}: {columns} columns", source.path, number + 1));
            }
        }
    }
    complaints
}

#[test]
fn files_functions_and_lines_are_short() {
    let sources = all(&FOLDERS);
    none([files(&sources), functions(&sources), columns(&sources)].concat());
}

#[test]
fn what_is_too_long_is_found() {
    let sample = |text: &str| [Source::new("src/x.rs", text)];
    let body = |lines: usize| {
        format!("impl A {{\n    fn long() {{\n{}    }}\n}}\n", "a();\n".repeat(lines))
    };
    says(&functions(&sample(&body(68))), &[]);
    says(&functions(&sample(&body(69))), &["src/x.rs:2: long has 71 lines"]);
    says(&functions(&sample("trait A { fn a(); }")), &[]);
    says(&files(&sample(&"\n".repeat(500))), &[]);
    says(&files(&sample(&"\n".repeat(501))), &["501 lines"]);
    says(&columns(&sample(&format!("\n{}", "ä".repeat(100)))), &[]);
    says(&columns(&sample(&format!("\n{}", "猫".repeat(51)))), &["src/x.rs:2: 102 columns"]);
}
