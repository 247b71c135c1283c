//! The court on its own: what single programs make of votes that no honest table often has.

use fairdeal::{
    game::{Seat, Seats},
    protocol::court::{Attempt, Court, Held, What},
};

fn seats(all: &[u8]) -> Seats {
    all.iter().filter_map(|seat| Seat::new(*seat)).collect()
}

fn seat(index: u8) -> Seat {
    Seat::new(index).expect("a seat")
}

fn attempt(number: u64, without: &[u8], name: u8) -> Attempt<u8> {
    Attempt { number, without: seats(without), name }
}

const RECORD: u8 = 9;

/// Two programs sign to go on without the first, with one number and in other words. Neither
/// attempt can be completed any more, for each has signed the other: its late record is taken.
#[test]
fn two_of_one_number_in_other_words_hold_nobody_up() {
    let mut court = Court::new(seat(1), seats(&[0, 1, 2]), seats(&[0]));
    court.sign(attempt(1, &[0], 5));
    assert!(!court.may_take(seat(0), RECORD), "it may still be completed");
    court.hear_sign(seat(2), attempt(1, &[0], 6));
    assert!(court.may_take(seat(0), RECORD));
}

/// Where two both go on without each other and without a third, who has left, both attempts are
/// complete: whoever hears of both, in whatever order, takes the same one.
#[test]
fn of_two_complete_ones_that_ask_nobody_in_common_all_take_the_same() {
    let (one, other) = (attempt(1, &[0, 1], 5), attempt(1, &[0, 2], 6));
    assert!(other > one);
    for me in 0..3u8 {
        for swapped in [false, true] {
            let mut court = Court::new(seat(me), seats(&[0, 1, 2]), seats(&[0, 1, 2]));
            let mut heard = [(one, 2), (other, 1)];
            if swapped {
                heard.reverse();
            }
            court.put(seat(me), Held { what: What::Record(RECORD), level: 0 });
            let mut steps = 0;
            for (attempt, by) in heard {
                court.hear_sign(seat(by), attempt);
                while let Some(due) = court.due() {
                    court.take_attempt(&due);
                    steps += 1;
                    assert!(steps < 9, "seat {}: it takes one after the other for ever", me + 1);
                }
            }
            assert_eq!(court.taken(), Some(other), "seat {}, {swapped}", me + 1);
            for out in [0, 2] {
                let held = court.held(seat(out)).map(|held| held.what);
                assert_eq!(held, Some(What::Out(6)), "seat {}, {swapped}", me + 1);
            }
            assert_ne!(court.held(seat(1)).map(|held| held.what), Some(What::Out(5)));
        }
    }
}

/// Who is out here lets go the record that others hold otherwise, and takes theirs. Of what one of
/// them said first and where its log has gone, the log counts.
#[test]
fn who_is_out_holds_what_the_others_hold() {
    const OTHER: u8 = 8;
    let (owner, me) = (seat(2), seat(1));
    let mut court = Court::new(me, seats(&[0, 2, 3]), seats(&[2]));
    court.take(owner, OTHER);
    court.note_double(owner);
    assert!(court.let_go_as_out().is_empty(), "nobody holds the other one");
    court.hear_have(seat(0), 3, owner, OTHER);
    court.hear_have(seat(3), 0, owner, RECORD);
    assert_eq!(court.let_go_as_out(), seats(&[2]));
    assert!(court.is_disputed(owner, RECORD) && court.is_disputed(owner, OTHER));
    court.hear_gone_on(seat(0), owner, RECORD);
    assert!(!court.is_disputed(owner, RECORD) && court.may_take(owner, RECORD));
    court.take(owner, RECORD);
    assert!(court.let_go_as_out().is_empty());

    let mut live = Court::new(seat(0), seats(&[0, 2, 3]), seats(&[2]));
    live.take(owner, OTHER);
    live.note_double(owner);
    live.hear_have(seat(3), 0, owner, RECORD);
    assert!(live.let_go_as_out().is_empty(), "who is live lets it go only with the others");
    assert!(live.is_contested(owner));
}
