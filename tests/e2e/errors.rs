//! A disk that gives an error once, at each call of a whole game: `strace` puts it in.

use std::{
    fs,
    path::{Path, PathBuf},
    process::{Command, Stdio},
};

use tempfile::TempDir;

use super::program::{Done, command, run};

/// A table of one program, whose other seat it keeps too.
const HOST: [&str; 10] =
    ["host", "--players", "2", "--bots", "1", "--bot", "random", "--deal", "open", "--local"];

/// Whether calls can be traced here.
fn traced() -> bool {
    let mut strace = Command::new("strace");
    strace.args(["-qq", "-e", "trace=none", "true"]).stdout(Stdio::null()).stderr(Stdio::null());
    strace.status().is_ok_and(|status| status.success())
}

/// The program with an error at a thread's call of this number; `None` if there are fewer.
fn run_with_error(home: &Path, call: &str, number: usize) -> Option<Done> {
    let log = home.with_extension("calls");
    let program = command(home, &HOST);
    let mut strace = Command::new("strace");
    strace.args(["-f", "-qq", "-e", &format!("trace=?{call}")]);
    strace.args(["-e", &format!("inject=?{call}:error=EIO:when={number}")]);
    strace.arg("-o").arg(&log).arg(program.get_program()).args(program.get_args());
    strace.envs(program.get_envs().filter_map(|(name, value)| Some((name, value?))));
    let output = strace.stdin(Stdio::null()).output().expect("strace starts");
    let text = |bytes| String::from_utf8(bytes).expect("text");
    let done =
        Done { code: output.status.code(), out: text(output.stdout), err: text(output.stderr) };
    fs::read_to_string(&log).expect("strace writes").contains("(INJECTED)").then_some(done)
}

fn entries(folder: PathBuf) -> Vec<PathBuf> {
    let entries = fs::read_dir(folder).into_iter().flatten();
    entries.map(|entry| entry.expect("an entry").path()).collect()
}

/// One game with one error, and another start of the same command: a game is complete, nothing of
/// an unfinished one is left over.
fn survives(call: &str, number: usize) -> bool {
    let folder = TempDir::new().expect("a folder for the test");
    let home = folder.path().join("home");
    let Some(done) = run_with_error(&home, call, number) else { return false };
    let all = format!("{call} {number}: {done:?}");
    match done.code {
        Some(0) => {}
        Some(4) => assert!(done.err.matches("(os error 5)").count() == 1, "{all}"),
        _ => panic!("{all}"),
    }
    let left = [home.join("games"), home.join("profiles/main/secrets")];
    if done.code != Some(0) || left.iter().any(|folder| !entries(folder.clone()).is_empty()) {
        let again = run(&home, &HOST);
        assert_eq!(again.code, Some(0), "{all}, then {again:?}");
    }
    for folder in left {
        assert_eq!(entries(folder), [] as [PathBuf; 0], "{all}");
    }
    let replays = entries(home.join("replays"));
    assert!(!replays.is_empty(), "{all}");
    let verify = [&[PathBuf::from("verify")], replays.as_slice()].concat();
    let verified = run(&home, &verify);
    assert_eq!(verified.code, Some(0), "{all}: {verified:?}");
    true
}

fn at_each(calls: &[&str], step: usize) {
    if !traced() {
        println!("skipped: strace is missing or may not trace");
        return;
    }
    for call in calls {
        let count = (1..).step_by(step).take_while(|number| survives(call, *number)).count();
        println!("{call}: {count} games, each with one failing call");
    }
}

#[test]
fn no_failing_rename_or_removal_loses_a_game() {
    at_each(&["rename", "renameat", "renameat2", "unlink", "unlinkat", "ftruncate"], 1);
}

#[test]
fn no_failing_fsync_of_a_whole_file_loses_a_game() {
    at_each(&["fsync"], 1);
}

#[test]
fn no_failing_fsync_of_a_record_loses_a_game() {
    at_each(&["fdatasync"], 7);
}
