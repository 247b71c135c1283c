//! Golden games: each file in `replays/` gives the points and the head its README tells.

use std::{collections::BTreeSet, fs, path::Path};

use fairdeal::protocol::{lobby::DealKind, log::verify::verify};

/// A row of the table in `replays/README.md`: file, deal, players, rounds, points, head.
fn rows(readme: &str) -> Vec<Vec<String>> {
    let cells = |line: &str| {
        let cells = line.trim_matches('|').split('|');
        cells.map(|cell| cell.trim().trim_matches('`').to_owned()).collect()
    };
    readme.lines().filter(|line| line.starts_with("| `")).map(cells).collect()
}

#[test]
fn golden_games_stay_valid() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("replays");
    let readme = fs::read_to_string(folder.join("README.md")).expect("a README");
    let mut listed = BTreeSet::new();
    for row in rows(&readme) {
        let [file, deal, players, points, head] = row.as_slice() else { panic!("{row:?}") };
        let bytes = fs::read(folder.join(file)).unwrap_or_else(|error| panic!("{file}: {error}"));
        let report = verify(&bytes).unwrap_or_else(|wrong| panic!("{file}: {wrong}"));
        assert!(report.complete(), "{file} is complete");
        let table = &report.table;
        let kind = match table.roster().terms.deal {
            DealKind::Open => "open",
            DealKind::Sealed => "sealed",
        };
        assert_eq!(kind, deal, "{file}");
        assert_eq!(table.players().count().to_string(), *players, "{file}");
        let totals: Vec<String> =
            table.game().totals().iter().map(|(_, points)| points.to_string()).collect();
        assert_eq!(totals.join(" "), *points, "{file}");
        assert_eq!(data_encoding::HEXLOWER.encode(table.head()), *head, "{file}");
        listed.insert(file.clone());
    }
    let found = fs::read_dir(&folder).expect("a folder").map(|entry| entry.expect("a file"));
    let found = found.filter_map(|entry| entry.file_name().into_string().ok());
    let games: BTreeSet<String> = found.filter(|name| name.ends_with(".fairdeal")).collect();
    assert_eq!(games, listed, "the README lists what is there");
    assert!(!games.is_empty());
}
