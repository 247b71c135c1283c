//! One neighbour cannot exhaust a seat: what floods of each kind cost it in memory, in messages and
//! in bytes sent. The flood is of a seat of the table, which can sign; nobody else is listened to.

use allocation_counter::measure;
use fairdeal::{
    bot::Bot,
    protocol::{
        codec,
        limits::{
            BATCH_BYTES_MAX, GET_MS, LINKS_MAX, NOTES_A_SEAT, RECORD_BYTES_MAX, RETRY_MS,
            SERVED_BYTES_MAX, VOTES_A_LINK,
        },
        lobby::DealKind,
        log::record::{Body, Kind, Record, Unchecked},
        message::{Note, NoteBody, Status, Talk},
        session::{Link, News, Output, Session, Start},
        table::Phase,
        vote::{Motion, Paper, Says, Why, Without},
    },
    sim::{
        Cast, Lockstep,
        fuzz::{Played, games},
    },
};

/// The seat and the link that flood.
const FLOOD: u8 = 2;

/// What a session may keep of a flood, in bytes.
const KEPT: i64 = 64 * 1024;

/// Seat 1 of a game at the first table of a phase of this kind, with its neighbours.
fn seated(game: &Played, kind: Kind) -> Session {
    let table = game.tables.iter().find(|table| table.phase().kind() == Some(kind));
    let log = game.before(table.expect("each game has such a phase")).to_vec();
    let mut session = Session::new(Start { log, ..game.cast.start(0) }).expect("a session");
    (1..=2).for_each(|link| session.link_up(Link(link)));
    session.tick(0);
    while session.poll().is_some() {}
    session
}

/// What came out of a session.
#[derive(Debug, Default)]
struct Out {
    sent: usize,
    bytes: usize,
    told: Vec<News>,
}

fn drain(session: &mut Session) -> Out {
    let mut out = Out::default();
    while let Some(output) = session.poll() {
        match output {
            Output::Send(_, talk) => {
                out.sent += 1;
                out.bytes += codec::encode(&talk).len();
            }
            Output::Tell(news) => out.told.push(news),
            Output::Append(_) | Output::Cut { .. } | Output::Journal(_) => {}
        }
    }
    out
}

/// Floods a session at one moment and counts what comes out and what stays.
fn flood(session: &mut Session, now: u64, talks: impl Iterator<Item = Talk>) -> Out {
    let (mut out, mut came) = (Out::default(), (0, 0));
    let info = measure(|| {
        for talk in talks {
            came = (came.0 + 1, came.1 + codec::encode(&talk).len());
            session.receive(Link(FLOOD.into()), talk, now);
            let mut one = drain(session);
            out.sent += one.sent;
            out.bytes += one.bytes;
            out.told.append(&mut one.told);
        }
    });
    let kept = info.bytes_current - (out.told.capacity() * size_of::<News>()) as i64;
    let (count, bytes) = came;
    println!("{count} messages, {bytes} bytes in; {} and {} out; {kept} kept", out.sent, out.bytes);
    assert!(kept <= KEPT, "{kept} bytes are kept");
    out
}

fn signed(game: &Played, base: [u8; 32], state: [u8; 32], body: Body) -> Vec<u8> {
    Record { base, state, seat: FLOOD, body }.sign(&game.identity(FLOOD))
}

/// A hash that is another one each time.
fn numbered(number: u32) -> [u8; 32] {
    let mut hash = [9; 32];
    hash[..4].copy_from_slice(&number.to_le_bytes());
    hash
}

#[test]
fn records_on_unknown_heads_are_forgotten_and_asked_about_once() {
    let game = &games()[0];
    let mut session = seated(game, Kind::Choice);
    let record = |number| signed(game, numbered(number), [0; 32], Body::Sit);
    let out = flood(&mut session, 0, (0..2_000).map(|number| Talk::Fresh(record(number))));
    assert_eq!((out.sent, out.told.len()), (1, 0), "one question, and not about each");
    let out = flood(&mut session, GET_MS, (0..500).map(|number| Talk::Fresh(record(number))));
    assert_eq!(out.sent, 1);
}

#[test]
fn garbage_is_told_of_and_costs_nothing_else() {
    let game = &games()[0];
    let mut session = seated(game, Kind::Choice);
    let garbage = (0..1_000u32).flat_map(|number| {
        let bytes = numbered(number).repeat(8);
        [Talk::Fresh(bytes.clone()), Talk::Note(bytes)]
    });
    let out = flood(&mut session, 0, garbage);
    assert_eq!((out.sent, out.told.len()), (0, 2_000));
    assert!(out.told.iter().all(|news| *news == News::BadNeighbour(Link(FLOOD.into()))));
}

/// A status that claims to hold nothing was answered with all that is held, each time.
#[test]
fn statuses_are_not_answered_with_more_than_a_neighbour_is_served() {
    let game = &games()[1];
    let mut session = seated(game, Kind::Commit);
    let head = *session.table().head();
    let status = Status { length: session.table().length(), head, held: 0, votes: [0; 32] };
    let out = flood(&mut session, 0, (0..3_000).map(|_| Talk::Status(status.clone())));
    assert!(out.bytes > SERVED_BYTES_MAX / 2, "the flood is answered at all: {out:?}");
    assert!(out.bytes <= SERVED_BYTES_MAX + 5 * RECORD_BYTES_MAX, "{} bytes", out.bytes);
    let out = flood(&mut session, 1_000, (0..10).map(|_| Talk::Status(status.clone())));
    assert!(out.sent >= 10, "the next second has its own");
}

#[test]
fn statuses_of_other_logs_are_answered_one_for_one() {
    let mut session = seated(&games()[0], Kind::Choice);
    let (length, head) = (session.table().length(), *session.table().head());
    let statuses = (0..3_000u32).map(|number| {
        let head = if number % 2 == 0 { numbered(number) } else { head };
        Talk::Status(Status {
            length: length + number % 3 - 1,
            head,
            held: number as u8,
            votes: [0; 32],
        })
    });
    let out = flood(&mut session, 0, statuses);
    assert!(out.sent <= 3_000 && out.bytes <= SERVED_BYTES_MAX, "{out:?}");
}

#[test]
fn asking_for_the_log_again_and_again_is_served_up_to_the_limit() {
    let game = &games()[0];
    let mut session = seated(game, Kind::Result);
    for second in 0..3 {
        let out = flood(&mut session, second * 1_000, (0..2_000).map(|_| Talk::Get(0)));
        assert!(out.bytes <= SERVED_BYTES_MAX + BATCH_BYTES_MAX, "{} bytes", out.bytes);
    }
    let ends = (0..1_000).map(|_| Talk::Get(u32::MAX));
    assert!(flood(&mut session, 9_000, ends).bytes < 1_000 * 100);
}

/// Each was forwarded, and each that asked was answered with a record of up to 16 kB, to everyone.
#[test]
fn notes_of_one_seat_are_forwarded_and_answered_up_to_the_limit() {
    let game = &games()[0];
    let mut session = seated(game, Kind::Choice);
    let note = |counter, boot, body| {
        let game_id = *session_game(game);
        let note = Note { game: game_id, seat: FLOOD, boot, counter, body };
        Talk::Note(note.sign(&game.identity(FLOOD)))
    };
    let same = (0..1_000).map(|counter| note(counter, 1, NoteBody::Started));
    let out = flood(&mut session, 0, same);
    assert_eq!(out.sent, NOTES_A_SEAT + 2, "to the other neighbour, and one answer to both");
    let boots = (0..1_000).map(|counter| note(counter, 2 + counter, NoteBody::Started));
    let out = flood(&mut session, 2_000, boots);
    assert_eq!(out.sent, 3 * NOTES_A_SEAT);
    let held = |counter: u64| {
        let record = Some(vec![7; RECORD_BYTES_MAX]);
        note(
            counter,
            1,
            NoteBody::Held { asker: 1, asker_boot: counter, record, votes: Vec::new() },
        )
    };
    let out = flood(&mut session, 4_000, (0..200).map(held));
    assert_eq!(out.sent, NOTES_A_SEAT);
    // Another seat's notes pass meanwhile.
    let other =
        Note { game: *session_game(game), seat: 1, boot: 7, counter: 1, body: NoteBody::Started };
    let talk = Talk::Note(other.sign(&game.identity(1)));
    assert_eq!(flood(&mut session, 4_000, [talk].into_iter()).sent, 3);
}

/// A vote of a program, in the name of its keeper.
fn vote(game: &Played, base: [u8; 32], says: Says) -> Talk {
    Talk::Vote(Paper { base, program: FLOOD, says }.sign(&game.identity(FLOOD)))
}

/// The wish to go on without a seat that is only silent.
fn motion(number: u64, program: u8) -> Says {
    Says::Sign(Motion { number, without: vec![Without { program, why: Why::Silent }] })
}

/// Votes of one seat, each of a new attempt: forwarded, looked at and kept up to the limits.
#[test]
fn votes_of_one_seat_are_looked_at_up_to_the_limit() {
    let game = &games()[0];
    let mut session = seated(game, Kind::Choice);
    let base = *session.table().base();
    let signs = (1..2_000).map(|number| vote(game, base, motion(number, 1)));
    let out = flood(&mut session, 0, signs);
    assert_eq!(out.sent, VOTES_A_LINK, "each to the other neighbour");
    let holds = (1..2_000u32).map(|number| vote(game, base, Says::Holds(numbered(number))));
    let out = flood(&mut session, RETRY_MS, holds);
    assert!(out.sent <= VOTES_A_LINK, "{}", out.sent);
    // A motion against itself, or one that asks too few, is not even forwarded.
    let wrong = (1..2_000).map(|number| {
        let both = [0, 1].map(|program| Without { program, why: Why::Silent });
        let alone = Motion { number, without: both.to_vec() };
        vote(game, base, if number % 2 == 0 { motion(number, FLOOD) } else { Says::Sign(alone) })
    });
    assert_eq!(flood(&mut session, 2 * RETRY_MS, wrong).sent, 0);
}

/// A vote about a place that is final is answered by nothing and costs no look at its signature.
#[test]
fn votes_about_what_is_final_are_not_even_looked_at() {
    let game = &games()[0];
    let mut session = seated(game, Kind::Result);
    let old = game.tables.iter().find(|table| table.phase().kind() == Some(Kind::Choice));
    let base = *old.expect("a choice").base();
    let votes = (1..10_000).map(|number| vote(game, base, motion(number, 1)));
    let out = flood(&mut session, 0, votes);
    assert_eq!((out.sent, out.told.len()), (0, 0));
}

fn session_game(game: &Played) -> &[u8; 32] {
    game.tables[0].game_id()
}

#[test]
fn records_nobody_asked_for_are_not_read() {
    let game = &games()[0];
    let mut session = seated(game, Kind::Choice);
    let records = vec![signed(game, numbered(1), [0; 32], Body::Sit); 200];
    let talk = Talk::Records { from: 0, length: u32::MAX, records };
    let out = flood(&mut session, 0, (0..200).map(|_| talk.clone()));
    assert_eq!((out.sent, out.told.len()), (0, 0));
}

/// A wrong record costs its check and its evidence, a copy of the log, once; after that nothing
/// new of its seat is looked at.
#[test]
fn wrong_records_are_checked_once() {
    let game = &games()[0];
    let mut session = seated(game, Kind::Result);
    let (base, state) = (*session.table().base(), *session.table().state());
    let wrong = |number| Talk::Fresh(signed(game, base, state, Body::RoundEnd(vec![number])));
    let out = flood(&mut session, 0, [wrong(0)].into_iter());
    assert_eq!(out.sent, 3, "the proof to the other neighbour, the wish to go on without to both");
    assert!(
        matches!(&out.told[..], [News::Fault { seat, .. }] if seat.index() == usize::from(FLOOD))
    );
    let more: Vec<Talk> = (1..1_000).map(wrong).collect();
    let info = measure(|| {
        for talk in more {
            session.receive(Link(FLOOD.into()), talk, 0);
            assert_eq!(session.poll(), None);
        }
    });
    println!("{} bytes taken a record", info.bytes_total / 1_000);
    assert!(info.bytes_total < 1_000 * 2 * 1024, "{} bytes", info.bytes_total);
}

/// A wrong shuffle is the dearest thing to check. Who was caught with one does not have more of
/// them checked than a few in a stretch of time.
#[test]
fn wrong_shuffles_of_a_caught_seat_are_checked_a_few_at_a_time() {
    let game = &games()[1];
    let first = game.tables.iter().find(|table| table.phase().kind() == Some(Kind::Shuffle));
    let before = game.before(first.expect("a shuffle")).len();
    let log = game.log[..=before].to_vec();
    let right = Unchecked::decode(&game.log[log.len()]).expect("a record").record().clone();
    let wrong = |number: u8| {
        let Body::Shuffle(mut shuffle) = right.body.clone() else { panic!("a shuffle") };
        let scalar = shuffle.proof.len() - 32;
        shuffle.proof[scalar] ^= number;
        Record { body: Body::Shuffle(shuffle), ..right.clone() }.sign(&game.identity(1))
    };
    let mut session = Session::new(Start { log, ..game.cast.start(0) }).expect("a session");
    session.link_up(Link(1));
    session.tick(0);
    while session.poll().is_some() {}
    let look = |session: &mut Session, numbers: std::ops::Range<u8>| {
        let talks: Vec<Talk> = numbers.map(|number| Talk::Fresh(wrong(number))).collect();
        let took = measure(|| talks.into_iter().for_each(|it| session.receive(Link(1), it, 0)));
        took.bytes_total
    };
    let first = look(&mut session, 1..2);
    assert_eq!(drain(&mut session).told.len(), 1, "it is caught");
    let more = look(&mut session, 2..202);
    println!("{first} bytes taken, then {more}");
    assert!(more < 10 * first, "of 200 more");
}

#[test]
fn links_that_come_and_go_leave_nothing_behind() {
    let mut session = seated(&games()[0], Kind::Choice);
    let (length, head) = (session.table().length(), *session.table().head());
    let late = vote(&games()[0], *session.table().base(), motion(1, 1));
    let info = measure(|| {
        for number in 3..20_000 {
            session.link_up(Link(number));
            let status = Status { length, head, held: 255, votes: [0; 32] };
            session.receive(Link(number), Talk::Status(status), 0);
            session.receive(Link(number), late.clone(), 0);
            session.link_down(Link(number));
            session.receive(Link(number), late.clone(), 0);
            while session.poll().is_some() {}
        }
    });
    println!("{} bytes kept of 20,000 links", info.bytes_current);
    assert!(info.bytes_current < 16 * 1024, "{} bytes", info.bytes_current);
    (3..1_000).for_each(|number| session.link_up(Link(number)));
    while session.poll().is_some() {}
    session.tick(10_000);
    assert_eq!(drain(&mut session).sent, LINKS_MAX, "one status each");
}

#[test]
fn the_game_goes_on_through_a_flood_and_ends_alike() {
    let cast = Cast::new(3, DealKind::Open, 13);
    let mut world = Lockstep::new(cast, Bot::Random);
    let (game_id, mut number) = (*world.sessions[0].table().game_id(), 0u32);
    while world.sessions[0].table().phase() != Phase::Complete {
        let length = world.sessions[0].table().length();
        if !world.run_until(|table| table.length() > length) {
            world.tick(u64::from(number));
        }
        assert!(number < 100_000, "the game stands still");
        for seat in 0..2 {
            for _ in 0..4 {
                number += 1;
                let talk = junk(&cast, game_id, number);
                world.sessions[seat].receive(Link(FLOOD.into()), talk, u64::from(number));
            }
        }
    }
    world.tick(u64::from(number) + 10_000);
    for seat in 0..3 {
        assert_eq!(world.sessions[seat].log(), world.sessions[0].log(), "seat {seat}");
        assert!(world.faults(seat).is_empty(), "nobody did anything wrong");
    }
    println!("{number} messages of junk, {} of all seats", world.said.len());
}

/// What a flooding seat says that is no fault of its own.
fn junk(cast: &Cast, game: [u8; 32], number: u32) -> Talk {
    let identity = cast.identity(FLOOD);
    let base = numbered(number);
    match number % 8 {
        0 => Talk::Get(0),
        1 => Talk::Status(Status { length: number, head: base, held: 0, votes: [0; 32] }),
        2 => Talk::Fresh(base.repeat(20)),
        3 => {
            let record = Record { base, state: base, seat: FLOOD, body: Body::Sit };
            Talk::Fresh(record.sign(&identity))
        }
        4 => Talk::Records { from: 0, length: number, records: vec![base.to_vec(); 50] },
        5 => {
            let (boot, counter) = (number.into(), number.into());
            let body = NoteBody::Closed(base);
            let note = Note { game, seat: FLOOD, boot, counter, body };
            Talk::Note(note.sign(&identity))
        }
        6 => Talk::Fault(vec![base.to_vec(), base.repeat(20)]),
        _ => Talk::Note(base.repeat(20)),
    }
}

/// The numbers the documents quote.
#[test]
fn the_largest_records_fit_their_limit_with_room() {
    let length = |bytes: &Vec<u8>| Unchecked::decode(bytes).map(|_| bytes.len()).unwrap_or(0);
    for game in games() {
        let largest = game.log.iter().map(length).max().unwrap_or(0);
        println!("{} seats, {:?}: {largest} bytes", game.cast.seats, game.cast.deal);
        assert!(largest > 0 && 2 * largest <= RECORD_BYTES_MAX);
    }
}
