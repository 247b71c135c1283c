//! Golden games: each file in `replays/` gives the points and the head its README tells.

use std::{collections::BTreeSet, fs, path::Path};

use fairdeal::{
    game::{Action, Game},
    protocol::{
        lobby::DealKind,
        log::{
            file::Frames,
            record::{Body, Unchecked},
            verify::{RoundReport, read, read_open, verify},
        },
    },
};

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

/// What the records of a log say, without the rules: shuffles, shares, cards opened; turns and
/// points of each round.
#[derive(Debug, Default, PartialEq)]
struct Said {
    shuffles: u32,
    shares: u32,
    cards: u32,
    rounds: Vec<(u32, Vec<i32>)>,
}

fn said(file: &[u8], players: usize) -> Said {
    let (mut said, mut turns, mut signed) = (Said::default(), 0, 0);
    for frame in Frames::new(file).expect("a log") {
        let record = Unchecked::decode(frame.expect("whole records").1).expect("a record");
        match &record.record().body {
            Body::Shuffle(_) => said.shuffles += 1,
            Body::Shares(_) => said.shares += 1,
            Body::Action(_) => turns += 1,
            Body::SealedAction(turn) => {
                turns += 1;
                let action: Action = turn.action.parse().expect("an action");
                said.cards += action.span().map_or(0, |span| span.len() as u32);
            }
            Body::Stuck(hand) => said.cards += hand.cards.len() as u32,
            Body::RoundEnd(points) => {
                signed += 1;
                if signed % players == 0 {
                    said.rounds.push((std::mem::take(&mut turns), points.clone()));
                }
            }
            _ => {}
        }
    }
    said
}

/// Of two players one deal serves both rounds, with shares for each; else each round has its own.
#[test]
fn a_report_tells_what_the_records_say() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("replays");
    for (name, is_sealed, players) in (2..=5u8).flat_map(|players| {
        [("open", false), ("sealed", true)].map(|(name, sealed)| (name, sealed, players))
    }) {
        let file = format!("{name}-{players}.fairdeal");
        let bytes = fs::read(folder.join(&file)).expect(&file);
        let (report, said) = (verify(&bytes).expect(&file), said(&bytes, players.into()));
        let (count, deals) = (u32::from(players), if players == 2 { 1 } else { players.into() });
        let proofs = match is_sealed {
            true => (count * deals, count * count, deals),
            false => (0, 0, 0),
        };
        let found = report.proofs;
        assert_eq!((found.shuffles, found.shares, found.audited), proofs, "{file}");
        assert_eq!((said.shuffles, said.shares), (proofs.0, proofs.1), "{file}");
        assert_eq!(found.cards, said.cards, "{file}");
        assert_eq!(report.absences, [], "{file}");
        let end = |round: &RoundReport| round.end.map(|(_, points)| points.as_slice().to_vec());
        let told: Vec<(u32, Option<Vec<i32>>)> =
            report.rounds.iter().map(|round| (round.turns, end(round))).collect();
        let rounds = said.rounds.into_iter().map(|(turns, points)| (turns, Some(points)));
        assert_eq!(told, rounds.collect::<Vec<_>>(), "{file}");
        assert!(report.rounds.iter().zip(1..).all(|(told, round)| told.round == round), "{file}");
        assert_eq!(report.rounds.len(), usize::from(players), "{file}");
        let after = |seat| report.table.players().after(seat);
        let starts = report.rounds.windows(2).all(|two| after(two[0].start) == two[1].start);
        assert!(starts, "{file}: each round is started by the next seat");
    }
}

/// The seeds that come at the end of a sealed deal tell every card from its start.
#[test]
fn a_whole_log_opens_every_hand() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("replays");
    for name in ["open-3", "sealed-2", "sealed-3", "sealed-5"] {
        let bytes = fs::read(folder.join(format!("{name}.fairdeal"))).expect(name);
        let all_seen = |game: &Game| {
            let Some(round) = game.round() else { return false };
            game.players().seats().all(|seat| round.hand(seat).is_seen())
        };
        let (mut records, mut open, mut dealt) = (0, 0, 0);
        let table = read_open(&bytes, |table, _, _, _| {
            records += 1;
            dealt += u32::from(table.game_open().round().is_some());
            open += u32::from(all_seen(table.game_open()));
        });
        let table = table.expect(name);
        assert_eq!((records, open), (table.length(), dealt), "{name}");
        assert!(dealt > 0, "{name}");
        let mut hidden = 0;
        read(&bytes, |table, _, _, _| hidden += u32::from(!all_seen(table.game_open())))
            .expect(name);
        assert_eq!(hidden > records - dealt, name.starts_with("sealed"), "{name}");
    }
}
