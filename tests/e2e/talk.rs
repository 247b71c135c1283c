//! Two programs whose players talk.

use std::time::Instant;

use super::{
    player::Noticed,
    program::PATIENCE,
    table::{GUEST, HOST, Table},
};

#[test]
fn what_one_says_the_other_reads_until_it_is_muted_and_the_files_know_nothing_of_it() {
    let mut table = Table::open();
    let deadline = Instant::now() + PATIENCE;
    for who in [HOST, GUEST] {
        assert_eq!(table.players[who].notice(deadline), Noticed::Decided, "{}", table.heard());
    }
    let said = "say well \u{1b}[2Jplayed, \u{202e}friend";
    table.players[HOST].program().type_line(said);
    for who in [GUEST, HOST] {
        table.players[who].program().wait_for_words("Ana: well [2Jplayed, friend");
    }
    table.players[GUEST].program().type_line("mute Ana");
    table.players[GUEST].program().wait_for_words("What Ana says is not shown any more");
    table.players[HOST].program().type_line("say are you there?");
    table.players[GUEST].program().type_line("say I am");
    table.players[HOST].program().wait_for_words("Ben: I am");
    let heard = table.players[GUEST].heard();
    assert!(!heard.contains("are you there"), "{heard}");
    table.kill_and_start_again(&[HOST, GUEST]);
    let file = table.play_to_end();
    let found = file.windows(6).any(|window| window == b"played" || window == b"friend");
    assert!(!found, "what is said is in no log");
}
