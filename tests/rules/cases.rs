//! The cases of an independent engine: traces, moves, perft, and parse and print over them all.

use std::fmt::Write;

use fairdeal::game::notation::{check, parse, trace};

use crate::support::{cases, checked, read};

#[test]
fn every_game_has_the_trace_of_the_other_engine() {
    let games = cases("games", "scout");
    assert_eq!(games.len(), 24);
    for path in games {
        let mut found = String::new();
        let text = read(&path);
        check(&text, |line, game| writeln!(found, "{}", trace(line, game).unwrap()).unwrap())
            .unwrap_or_else(|refusal| panic!("{}: {refusal}", path.display()));
        for (found, expected) in found.lines().zip(read(&path.with_extension("trace")).lines()) {
            assert_eq!(found, expected, "{}", path.display());
        }
        assert!(found == read(&path.with_extension("trace")), "{}", path.display());
    }
}

#[test]
fn every_position_has_the_moves_of_the_other_engine() {
    let positions = cases("positions", "scout");
    assert_eq!(positions.len(), 48);
    for path in positions {
        let checker = checked(&read(&path));
        let round = checker.game().unwrap().round().unwrap();
        let (mut found, mut count) = (String::new(), 0);
        round.for_each_action(|action| {
            writeln!(found, "{action}").unwrap();
            assert_eq!(round.nth_action(count), Some(action), "{}", path.display());
            let apply = round.apply(round.to_act().unwrap(), action, &[]);
            assert!(apply.is_ok(), "{}: {action}", path.display());
            count += 1;
        });
        assert_eq!(found, read(&path.with_extension("moves")), "{}", path.display());
        assert_eq!(round.count_actions(), count, "{}", path.display());
        assert_eq!(round.nth_action(count), None);
    }
}

#[test]
fn perft_counts_as_the_other_engine() {
    let file = &cases("", "tsv").into_iter().find(|path| path.ends_with("perft.tsv")).unwrap();
    let mut rows = 0;
    for row in read(file).lines().skip(1) {
        let (name, counts) = row.split_once('\t').unwrap();
        let position = cases("positions", "scout");
        let path = position.iter().find(|path| path.file_stem().is_some_and(|stem| stem == name));
        let checker = checked(&read(path.unwrap()));
        let round = checker.game().unwrap().round().unwrap();
        for (depth, count) in (1..).zip(counts.split('\t').filter(|count| !count.is_empty())) {
            assert_eq!(round.perft(depth).unwrap().to_string(), count, "{name} at depth {depth}");
        }
        rows += 1;
    }
    assert_eq!(rows, 48);
}

#[test]
fn printing_what_was_parsed_gives_the_text() {
    for path in cases("games", "scout").into_iter().chain(cases("positions", "scout")) {
        let text = read(&path);
        let statements = parse(&text).unwrap();
        let printed: String = statements.iter().map(|line| format!("{line}\n")).collect();
        assert_eq!(printed, text, "{}", path.display());
        assert_eq!(parse(&printed).unwrap(), statements);
    }
}
