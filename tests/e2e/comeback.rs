//! Killed and started again with the same command: the game goes on, and the files are the same.

use std::collections::VecDeque;

use super::{
    player::Noticed,
    table::{GUEST, HOST, Table},
};

/// Plays a game in which after so many decisions these are killed. The one who has just typed a
/// decision may be killed before, while or after the program has signed it.
fn killed(mut table: Table, kills: &[(usize, &[usize])]) {
    let mut kills: VecDeque<_> = kills.iter().copied().collect();
    table.play_until(|table, _, noticed| {
        if *noticed != Noticed::Decided {
            return false;
        }
        if let Some((_, whom)) = kills.front().filter(|(after, _)| table.decisions >= *after) {
            table.kill_and_start_again(whom);
            kills.pop_front();
        }
        false
    });
    assert!(kills.is_empty(), "the game was over before all were killed: {kills:?}");
    let game = table.play_to_end();
    assert!(!game.is_empty());
}

#[test]
fn the_guest_is_killed() {
    killed(Table::open(), &[(1, &[GUEST]), (4, &[GUEST]), (9, &[GUEST])]);
}

#[test]
fn the_host_is_killed() {
    killed(Table::open(), &[(1, &[HOST]), (4, &[HOST]), (9, &[HOST])]);
}

/// Each of three is killed ten times in one game, the moments drawn from a fixed seed: the one who
/// has just decided, one who waits, or two of them at once.
#[test]
fn three_are_killed_ten_times_each() {
    let mut draw: u64 = 20;
    let mut below = move |bound: usize| {
        draw = draw.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695);
        (draw >> 33) as usize % bound
    };
    let mut table = Table::open_three();
    let mut left = vec![10; 3];
    table.play_until(|table, _, noticed| {
        if *noticed == Noticed::Decided {
            let count = 1 + below(2);
            let mut whom: Vec<usize> = (0..3).filter(|who| left[*who] > 0).collect();
            while whom.len() > count {
                whom.remove(below(whom.len()));
            }
            whom.iter().for_each(|who| left[*who] -= 1);
            table.kill_and_start_again(&whom);
        }
        left == [0; 3]
    });
    assert_eq!(left, [0; 3], "the game was over before all were killed");
    table.play_to_end();
}

#[test]
fn both_are_killed_at_once() {
    killed(Table::open(), &[(2, &[HOST, GUEST]), (7, &[GUEST, HOST]), (8, &[HOST, GUEST])]);
}

/// Killed between the last signature and the move of the log to the replays: what is left to do
/// is done at the next start. The other may be gone by then, which is waited for, half a minute.
fn killed_as_the_game_ends(whom: usize) {
    let mut table = Table::open();
    table.play_until(|_, who, noticed| who == whom && *noticed == Noticed::Over);
    table.kill_and_start_again(&[whom]);
    table.play_to_end();
}

#[test]
fn the_host_is_killed_as_the_game_ends() {
    killed_as_the_game_ends(HOST);
}

#[test]
fn the_guest_is_killed_as_the_game_ends() {
    killed_as_the_game_ends(GUEST);
}

#[test]
fn two_programs_on_one_home_come_back_to_their_own_seats() {
    let mut table = Table::open_shared();
    table.play_until(|table, _, _| table.decisions == 3);
    let told = table.players[GUEST].program().told();
    assert!(told.contains("this one plays as profile main-2"), "{told}");
    // The guest comes back first, when main is free as well.
    table.kill_and_start_again(&[GUEST, HOST]);
    table.play_until(|table, _, _| table.decisions == 6);
    table.kill_and_start_again(&[HOST]);
    table.play_to_end();
    let replay = table.replays[HOST].clone().expect("a replay");
    let home = replay.parent().and_then(|replays| replays.parent()).expect("a home");
    let mut names: Vec<_> = std::fs::read_dir(home.join("profiles"))
        .expect("the profiles")
        .map(|entry| entry.expect("a profile").file_name().into_string().expect("plain"))
        .collect();
    names.sort();
    assert_eq!(names, ["main", "main-2"]);
}
