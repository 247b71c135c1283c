//! The same people once more, by lines.

use super::table::{GUEST, HOST, Table};

#[test]
fn who_says_again_plays_the_next_game_without_pasting_a_line() {
    let mut table = Table::open();
    for who in [HOST, GUEST] {
        table.players[who].program().type_line("again");
    }
    // Each program tells its file and goes on; the next game asks as the first did.
    table.play_until(|_, _, _| false);
    let first: Vec<_> = table.replays.iter_mut().filter_map(Option::take).collect();
    for who in [HOST, GUEST] {
        let heard = table.players[who].program().told();
        assert!(heard.contains("you play again with those who want to"), "{heard}");
    }
    let second = table.play_to_end();
    assert_ne!(std::fs::read(&first[HOST]).expect("a file"), second, "another game");
    let files = |at: &std::path::Path| {
        std::fs::read_dir(at.parent().expect("a folder")).expect("replays").count()
    };
    assert_eq!([files(&first[HOST]), files(&first[GUEST])], [2, 2]);
}
