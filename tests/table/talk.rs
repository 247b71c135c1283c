//! What players say to each other: heard once, at a pace, from whom it is, and not in the log.

use std::sync::OnceLock;

use fairdeal::{
    bot::Bot,
    game::Seat,
    protocol::{
        chat::Line,
        codec,
        lobby::DealKind,
        message::{Note, NoteBody, Talk},
        session::{Link, News, NotNow, Output, Session},
    },
    sim::{Cast, Lockstep},
};

const CAST: Cast = Cast::new(3, DealKind::Open, 11);

fn line(text: &str) -> Line {
    text.parse().expect("a line")
}

/// A session of seat 1 that is linked with the others, and nothing else.
fn session() -> Session {
    let mut session = Session::new(CAST.start(0)).expect("a session");
    (1..3).for_each(|link| session.link_up(Link(link)));
    session.tick(0);
    while session.poll().is_some() {}
    session
}

fn game() -> [u8; 32] {
    static GAME: OnceLock<[u8; 32]> = OnceLock::new();
    *GAME.get_or_init(|| *session().table().game_id())
}

/// What was told, and to whom a note went.
fn drain(session: &mut Session) -> (Vec<(usize, String)>, Vec<u32>) {
    let (mut told, mut sent) = (Vec::new(), Vec::new());
    while let Some(output) = session.poll() {
        match output {
            Output::Tell(News::Chat { seat, line }) => told.push((seat.index(), line.to_string())),
            Output::Send(Link(to), Talk::Note(_)) => sent.push(to),
            Output::Append(_) | Output::Journal(_) | Output::Cut { .. } => {
                panic!("chat is in no log: {output:?}")
            }
            _ => {}
        }
    }
    (told, sent)
}

/// A note of a seat as it goes over the wire, signed with the key of `signer`.
fn note(seat: u8, signer: u8, boot: u64, counter: u64, text: &str) -> Talk {
    let note = Note { game: game(), seat, boot, counter, body: NoteBody::Chat(line(text)) };
    Talk::Note(note.sign(&CAST.identity(signer)))
}

#[test]
fn a_line_is_told_to_everyone_once_and_the_log_stays_as_it_was() {
    let mut world = Lockstep::new(CAST, Bot::Random);
    world.settle();
    let before: Vec<_> = world.sessions.iter().map(|session| session.log().to_vec()).collect();
    world.sessions[1].chat(line("well played"), 1).expect("said");
    world.tick(1);
    let said = News::Chat { seat: Seat::new(1).expect("a seat"), line: line("well played") };
    for (seat, before) in before.iter().enumerate() {
        let heard = world.told[seat].iter().filter(|news| **news == said).count();
        assert_eq!(heard, 1, "seat {seat}");
        assert_eq!(world.sessions[seat].log(), before, "seat {seat}");
    }
}

#[test]
fn a_line_goes_on_to_those_who_are_not_linked_with_its_seat() {
    let mut session = session();
    session.receive(Link(1), note(1, 1, 7, 1, "hello"), 0);
    assert_eq!(drain(&mut session), (vec![(1, "hello".into())], vec![2]));
}

#[test]
fn what_is_not_signed_by_its_seat_or_is_of_another_game_is_refused() {
    let mut session = session();
    for talk in [note(1, 2, 7, 1, "I am Ben"), note(0, 1, 7, 1, "I am you"), note(9, 1, 7, 1, "?")]
    {
        session.receive(Link(2), talk, 0);
    }
    let other = Note { game: [9; 32], seat: 1, boot: 7, counter: 1, body: NoteBody::Started };
    let body = NoteBody::Chat(line("from elsewhere"));
    let other = Note { body, ..other }.sign(&CAST.identity(1));
    session.receive(Link(1), Talk::Note(other), 0);
    // Its own line comes back: it was told when it was said.
    session.receive(Link(1), note(0, 0, 7, 1, "an echo"), 0);
    assert_eq!(drain(&mut session), (vec![], vec![]));
}

#[test]
fn a_line_is_not_told_again_when_newer_ones_have_pushed_it_out_of_memory() {
    let mut session = session();
    let first = note(1, 1, 7, 1, "line 1");
    session.receive(Link(1), first.clone(), 0);
    for counter in 2..400 {
        let text = format!("line {counter}");
        session.receive(Link(1), note(1, 1, 7, counter, &text), counter * 1_000);
    }
    assert_eq!(drain(&mut session).0.len(), 399);
    session.receive(Link(2), first, 900_000);
    session.receive(Link(2), note(1, 1, 7, 398, "another with an old number"), 900_000);
    assert_eq!(drain(&mut session), (vec![], vec![]));
    session.receive(Link(1), note(1, 1, 8, 1, "after a restart"), 900_000);
    assert_eq!(drain(&mut session).0, [(1, "after a restart".into())]);
}

#[test]
fn a_seat_that_floods_is_heard_five_times_and_then_once_a_second() {
    let mut session = session();
    for counter in 1..=1_000 {
        session.receive(Link(1), note(1, 1, counter % 50, counter, "flood"), 0);
    }
    assert_eq!(drain(&mut session), (vec![(1, "flood".into()); 5], vec![2; 5]));
    session.receive(Link(2), note(2, 2, 1, 1, "another seat"), 0);
    assert_eq!(drain(&mut session).0, [(2, "another seat".into())]);
    for counter in 1_001..=2_000 {
        session.receive(Link(1), note(1, 1, 1, counter, "flood"), counter * 10);
    }
    // From 10.01 s to 20 s: five that were free again, and one a second.
    assert_eq!(drain(&mut session).0.len(), 5 + 9);
    // The flood leaves the notes that the table needs a way through.
    session.receive(Link(1), ask(1), 20_000);
    assert!(!drain(&mut session).1.is_empty());
}

fn ask(seat: u8) -> Talk {
    let note = Note { game: game(), seat, boot: 1, counter: 9_999, body: NoteBody::Started };
    Talk::Note(note.sign(&CAST.identity(seat)))
}

#[test]
fn the_own_seat_keeps_the_same_pace() {
    let mut session = session();
    let mut say = |now| session.chat(line("again"), now);
    for _ in 0..5 {
        assert_eq!(say(0), Ok(()));
    }
    assert_eq!(say(999), Err(NotNow::TooFast));
    assert_eq!(say(1_000), Ok(()));
    assert_eq!(drain(&mut session), (vec![(0, "again".into()); 6], [1, 2].repeat(6)));
}

/// A changed program signs what an honest one would have cleaned or cut.
#[test]
fn a_line_that_would_disturb_a_terminal_or_is_too_long_is_refused_whoever_signed_it() {
    let mut session = session();
    let honest = "x".repeat(10);
    let Talk::Note(bytes) = note(1, 1, 7, 1, &honest) else { panic!("a note") };
    let signed = |text: &str| {
        let unsigned = &bytes[..bytes.len() - 64 - codec::encode(&line(&honest)).len()];
        let mut forged = [unsigned, &codec::encode(&text.to_owned())].concat();
        let signature = CAST.identity(1).sign("note", &forged);
        forged.extend(signature);
        Talk::Note(forged)
    };
    for text in ["a\x1b[2Jb", "a\u{202e}b", "a\nb", " a", "", &"x".repeat(501), &"é".repeat(251)] {
        session.receive(Link(1), signed(text), 0);
        assert_eq!(drain(&mut session), (vec![], vec![]), "{text:?}");
    }
    let tower = format!("a{}", "\u{301}".repeat(249));
    session.receive(Link(1), signed(&tower), 0);
    assert_eq!(drain(&mut session), (vec![], vec![]));
    session.receive(Link(1), signed("fine"), 0);
    assert_eq!(drain(&mut session).0, [(1, "fine".into())], "the forging itself is right");
}
