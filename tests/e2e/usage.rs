//! Wrong usage, unreachable hosts, Ctrl-C: what is said, and the exit code.

use fairdeal::net::Invite;
use tempfile::TempDir;

use super::{
    player::Noticed,
    program::{Program, run},
    table::{GUEST, HOST, Table},
};

#[test]
fn wrong_arguments_end_with_code_2_and_advice() {
    let home = TempDir::new().expect("a folder for the test");
    let damaged = "deal1040g20g30ydamaged00000000000000000000000000000000000";
    let cases: [(&[&str], &str); 9] = [
        (&["join", damaged], "copy it again"),
        (&["join", "no invite at all of any kind"], "it starts with deal1"),
        (&["doctor", damaged], "copy it again"),
        (&["doctor", "no invite"], "one starts with deal1"),
        (&["host", "--players", "6"], "2 to 5"),
        (&["host", "--players", "2", "--bots", "2"], "no seat is left"),
        (&["play", "--bot", "nobody"], "random"),
        (&["verify"], "FILE"),
        (&["dael"], "unrecognized"),
    ];
    for (words, advice) in cases {
        let done = run(home.path(), words);
        assert_eq!(done.code, Some(2), "{words:?}: {done:?}");
        assert!(done.err.contains(advice), "{words:?}: {done:?}");
        assert_eq!(done.out, "", "{words:?}: data only on standard output");
    }
}

#[test]
fn without_a_terminal_learn_tells_the_rules_and_how_to_see_the_lessons() {
    let home = TempDir::new().expect("a folder for the test");
    let done = run(home.path(), &["learn"]);
    assert_eq!(done.code, Some(0), "{done:?}");
    assert!(done.out.contains("only the upper, large one counts"), "{done:?}");
    assert!(done.out.contains("in a terminal"), "{done:?}");
}

#[test]
fn a_host_that_cannot_be_reached_is_tried_again_and_the_reason_told() {
    let folder = TempDir::new().expect("a folder for the test");
    let words = ["host", "--local", "--port", "0", "--players", "2", "--name", "Ana"];
    let mut host = Program::start(&folder.path().join("ana"), &words);
    let join = |line: &str| line.strip_prefix("fairdeal join ").map(str::to_owned);
    let invite = host.wait_for("the invite", join);
    host.kill();
    let words = ["join", &invite, "--local", "--name", "Ben"];
    let mut guest = Program::start(&folder.path().join("ben"), &words);
    guest.wait_for("a reason", |line| line.contains("is the table still open?").then_some(()));
    assert!(guest.runs(), "{}", guest.heard());
    guest.interrupt();
    assert_eq!(guest.end(), Some(130), "{}", guest.heard());
}

#[test]
fn a_host_of_another_table_says_so() {
    let folder = TempDir::new().expect("a folder for the test");
    let words = ["host", "--new", "--local", "--port", "0", "--players", "2", "--name", "Ana"];
    let join = |line: &str| line.strip_prefix("fairdeal join ").map(str::to_owned);
    let mut first = Program::start(&folder.path().join("ana"), &words);
    let old = first.wait_for("the invite", join);
    first.kill();
    let invite: Invite = old.parse().expect("an invite");
    let port = invite.addresses()[0].port().to_string();
    let words = ["host", "--new", "--local", "--port", &port, "--players", "2", "--name", "Ana"];
    let mut second = Program::start(&folder.path().join("ana"), &words);
    second.wait_for("the invite", join);
    let done = run(&folder.path().join("ben"), &["join", &old, "--local", "--name", "Ben"]);
    assert_eq!(done.code, Some(5), "{done:?}");
    assert!(done.err.contains("new invite"), "{done:?}");
}

#[test]
fn ctrl_c_in_the_lobby_ends_with_code_130() {
    let folder = TempDir::new().expect("a folder for the test");
    let words = ["host", "--local", "--port", "0", "--players", "2", "--name", "Ana"];
    let mut host = Program::start(folder.path(), &words);
    host.wait_for_words("1 of 2 seats taken");
    host.interrupt();
    assert_eq!(host.end(), Some(130), "{}", host.heard());
}

#[test]
fn after_ctrl_c_in_a_game_the_same_command_goes_on_with_it() {
    let mut table = Table::open();
    for (after, who) in [(3, HOST), (6, GUEST)] {
        table.play_until(|table, _, noticed| {
            *noticed == Noticed::Decided && table.decisions >= after
        });
        let program = table.players[who].program();
        program.interrupt();
        program.wait_for_words("fairdeal resume");
        assert_eq!(program.end(), Some(130), "{}", table.heard());
        table.players[who].start_again();
    }
    table.play_to_end();
}

#[test]
fn an_input_that_ends_leaves_the_game_to_be_gone_on_with() {
    let home = TempDir::new().expect("a folder for the test");
    let done = run(home.path(), &["play", "--players", "3", "--name", "Ana"]);
    assert_eq!(done.code, Some(0), "{done:?}");
    assert!(done.out.contains("fairdeal resume"), "{done:?}");
    let again = run(home.path(), &["resume"]);
    assert_eq!(again.code, Some(0), "{again:?}");
    assert!(again.out.contains("Keep this hand") || again.out.contains("gone on"), "{again:?}");
}
