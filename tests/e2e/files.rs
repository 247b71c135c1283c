//! What `verify` and its neighbours say of files that are not as they should be.

use std::{fs, path::PathBuf, process::Stdio};

use tempfile::TempDir;

use super::program::{Done, command, run};

/// A game and damaged copies of it.
struct Files {
    folder: TempDir,
    game: Vec<u8>,
    /// Where each record's length stands in the game, in bytes.
    offsets: Vec<usize>,
}

impl Files {
    fn new() -> Files {
        let folder = TempDir::new().expect("a folder for the test");
        let out = folder.path().join("demo");
        let words = ["demo", "--players", "2", "--bot", "random", "--deal", "open", "--out"];
        let mut words: Vec<&str> = words.to_vec();
        words.push(out.to_str().expect("a plain path"));
        assert_eq!(run(folder.path(), &words).code, Some(0));
        let game = fs::read(out.join("seat-1.fairdeal")).expect("a game");
        let mut offsets = Vec::new();
        let mut at = b"fairdeal 1\r\n".len();
        while let Some(length) = game.get(at..at + 4) {
            offsets.push(at);
            at += 4 + u32::from_le_bytes(length.try_into().expect("four bytes")) as usize;
        }
        assert_eq!(at, game.len(), "records of a length each");
        Files { folder, game, offsets }
    }

    fn file(&self, name: &str, bytes: &[u8]) -> String {
        let path = self.path(name);
        fs::write(&path, bytes).expect("a file is written");
        path.to_str().expect("a plain path").into()
    }

    fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    fn verify(&self, files: &[&str]) -> Done {
        let words: Vec<&str> = ["verify"].iter().chain(files).copied().collect();
        let done = run(self.folder.path(), &words);
        assert!(!done.err.contains("panicked"), "{done:?}");
        done
    }
}

#[test]
fn verify_tells_a_good_file_from_an_unfinished_a_damaged_and_a_foreign_one() {
    let files = Files::new();
    let offset = files.offsets[20];
    let good = files.file("good", &files.game);
    let unfinished = files.file("unfinished", &files.game[..offset]);
    let torn = files.file("torn", &files.game[..offset + 40]);
    let mut bytes = files.game.clone();
    bytes[offset + 50] ^= 1;
    let flipped = files.file("flipped", &bytes);
    let foreign = files.file("foreign", b"%PDF-1.7 and much more of it");
    let empty = files.file("empty", b"");
    let missing = files.path("missing").to_str().expect("a plain path").to_owned();
    let folder = files.folder.path().to_str().expect("a plain path").to_owned();

    assert_eq!(files.verify(&[&good]).code, Some(0));
    let done = files.verify(&[&unfinished]);
    assert_eq!(done.code, Some(3), "{done:?}");
    assert!(done.out.contains("unfinished") && done.out.contains("Next is"), "{done:?}");
    let place = format!("record 21 at byte {offset}");
    for wrong in [&torn, &flipped] {
        let done = files.verify(&[wrong]);
        assert_eq!(done.code, Some(1), "{done:?}");
        assert!(done.out.contains(&place), "{done:?}");
    }
    for unreadable in [&foreign, &empty, &missing, &folder] {
        let done = files.verify(&[unreadable]);
        assert_eq!(done.code, Some(4), "{done:?}");
    }
    let done = files.verify(&[&missing]);
    assert!(done.err.contains("missing"), "{done:?}");

    // Every command that reads a game says the same of it.
    let cases = [(&good, 0), (&unfinished, 3), (&torn, 1), (&flipped, 1), (&foreign, 4)];
    for (file, code) in cases.into_iter().chain([(&empty, 4), (&missing, 4), (&folder, 4)]) {
        for words in ["replay --text", "export", "export --format json", "export --format html"] {
            let words: Vec<&str> = words.split(' ').chain([file.as_str()]).collect();
            let done = run(&files.path("home"), &words);
            assert_eq!(done.code, Some(code), "{words:?}: {}", done.err);
        }
    }

    // Of several files the highest code counts, wherever it stands.
    assert_eq!(files.verify(&[&good, &unfinished, &torn]).code, Some(3));
    assert_eq!(files.verify(&[&missing, &good, &torn]).code, Some(4));
    assert_eq!(files.verify(&[&torn, &good]).code, Some(1));
}

#[test]
fn verify_json_is_one_object_a_file() {
    let files = Files::new();
    let offset = files.offsets[7];
    let good = files.file("good", &files.game);
    let unfinished = files.file("unfinished", &files.game[..offset]);
    let torn = files.file("torn", &files.game[..offset + 3]);
    let foreign = files.file("foreign", b"nothing of ours");
    let done = files.verify(&["--json", &good, &unfinished, &torn, &foreign]);
    assert_eq!(done.code, Some(4), "{done:?}");
    let lines: Vec<serde_json::Value> =
        done.out.lines().map(|line| serde_json::from_str(line).expect("JSON")).collect();
    let verdicts: Vec<_> = lines.iter().map(|line| line["verdict"].as_str()).collect();
    let wrong = Some("wrong");
    assert_eq!(verdicts, [Some("complete"), Some("unfinished"), wrong, wrong]);
    assert_eq!(lines[0]["records"], files.offsets.len());
    assert_eq!(lines[0]["seats"].as_array().map(Vec::len), Some(2));
    assert_eq!((&lines[2]["record"], &lines[2]["offset"]), (&8.into(), &offset.into()));
}

#[test]
fn the_list_of_finished_games_tells_day_players_points_and_what_is_wrong() {
    let home = TempDir::new().expect("a folder for the test");
    let folder = home.path().join("replays");
    fs::create_dir(&folder).expect("a folder");
    let golden = concat!(env!("CARGO_MANIFEST_DIR"), "/replays/open-3.fairdeal");
    let game = fs::read(golden).expect("a game");
    fs::write(folder.join("2026-01-02-a.fairdeal"), &game).expect("written");
    let listed = run(home.path(), &["replays"]);
    assert_eq!(listed.code, Some(0), "{listed:?}");
    let verified = run(home.path(), &["verify", golden]).out;
    let result = verified.lines().find_map(|line| line.trim().strip_prefix("Result: "));
    let points = result.and_then(|line| line.split(';').next()).expect("the points");
    assert!(listed.out.contains("  2026-01-02  verified: "), "{listed:?}");
    assert!(points.split(", ").all(|one| listed.out.contains(one)), "{points}: {listed:?}");

    let mut broken = game.clone();
    broken[game.len() / 2] ^= 1;
    fs::write(folder.join("broken.fairdeal"), &broken).expect("written");
    let listed = run(home.path(), &["replays"]);
    assert_eq!(listed.code, Some(1), "{listed:?}");
    assert!(listed.out.contains("WRONG: record "), "{listed:?}");
    fs::write(folder.join("foreign.fairdeal"), b"no game").expect("written");
    assert_eq!(run(home.path(), &["replays"]).code, Some(4));
}

#[test]
fn a_reader_that_has_seen_enough_is_no_panic() {
    let files = Files::new();
    let good = files.file("good", &files.game);
    let missing = files.path("missing").to_str().expect("a plain path").to_owned();
    let commands: [&[&str]; 9] = [
        &["replay", &good],
        &["verify", &good],
        &["verify", "--json", &good],
        &["export", &good],
        &["export", "--format", "json", &good],
        &["completions", "bash"],
        &["replays"],
        &["id"],
        &[],
    ];
    for words in commands {
        let mut program = command(&files.path("home"), words);
        let child = program.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn();
        let mut child = child.expect("the program starts");
        drop(child.stdout.take());
        let done = child.wait_with_output().expect("it ends");
        let err = String::from_utf8_lossy(&done.stderr);
        assert_eq!(done.status.code(), Some(0), "{words:?}: {err}");
        assert_eq!(err, "", "{words:?}");
    }
    // Complaints may have no reader either.
    for words in [["verify", &missing], ["replay", &missing], ["referee", &missing]] {
        let mut program = command(&files.path("home"), &words);
        let child = program.stdout(Stdio::null()).stderr(Stdio::piped()).spawn();
        let mut child = child.expect("the program starts");
        drop(child.stderr.take());
        let code = child.wait().expect("it ends").code();
        assert_eq!(code, Some(4), "{words:?}");
    }
}
