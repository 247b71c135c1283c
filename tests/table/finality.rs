//! The table's word is final: nothing that has gone round is taken back, nobody honest is made to
//! look guilty, and who went out pays. Each attack is made by changed programs against the sessions
//! that players run.

use fairdeal::{
    bot::Bot,
    game::{Seat, Seats},
    protocol::{
        crypto::hash::Secret,
        lobby::DealKind,
        log::record::{Body, Kind, Record, Unchecked},
        message::{Note, NoteBody, Talk},
        session::{Link, News, Output, Session, Start},
        table::{Fact, Phase, Table},
        vote::{Motion, Paper, Reason, Says, Why, Without, unchecked},
    },
    sim::{Cast, Cut, Lockstep, Network, Options, Plan, Stop, Topology, run_planned},
};

fn seat(index: usize) -> Seat {
    Seat::new(index as u8).expect("a seat")
}

pub fn record(bytes: &[u8]) -> Record {
    Unchecked::decode(bytes).expect("a record").record().clone()
}

pub fn motion(number: u64, without: &[(usize, Why)]) -> Motion {
    let of = |(program, why): &(usize, Why)| Without { program: *program as u8, why: why.clone() };
    Motion { number, without: without.iter().map(of).collect() }
}

pub fn vote(cast: Cast, base: [u8; 32], program: usize, says: Says) -> Talk {
    let identity = cast.identity(program as u8);
    Talk::Vote(Paper { base, program: program as u8, says }.sign(&identity))
}

fn pair(one: &[u8], other: &[u8]) -> Vec<Vec<u8>> {
    let mut both = vec![one.to_vec(), other.to_vec()];
    both.sort();
    both
}

/// The owner of an old place signs a second record there, and another program says that it holds
/// that one and puts the motion to go on without the owner. It is proof against the owner; no log
/// is cut.
#[test]
fn an_old_place_is_not_opened_again() {
    for seats in [3, 4, 5] {
        let cast = Cast::new(seats, DealKind::Open, 3);
        let mut table = Lockstep::new(cast, Bot::Greedy);
        assert!(table.run_until(|table| {
            table.game().round_number() == 2 && matches!(table.phase(), Phase::Turn(_))
        }));
        table.deliver();
        let (owner, liar) = (usize::from(seats) - 1, usize::from(seats) - 2);
        let of_owner = |bytes: &&Vec<u8>| {
            let record = record(bytes);
            usize::from(record.seat) == owner && record.body.kind() == Kind::Choice
        };
        let first = table.sessions[0].log().iter().find(of_owner).expect("a choice").clone();
        let second = Record { body: Body::Choice([9; 32]), ..record(&first) };
        let (base, second) = (second.base, second.sign(&cast.identity(owner as u8)));
        let before: Vec<Vec<Vec<u8>>> =
            table.sessions.iter().map(|session| session.log().to_vec()).collect();
        let fault = Why::Fault(pair(&first, &second));
        for number in 1..20 {
            let have = Says::Have { number: 0, owner: owner as u8, thing: [number as u8; 32] };
            let sign = Says::Sign(motion(number, &[(owner, fault.clone())]));
            for honest in 0..liar {
                table.tell(owner, honest, Talk::Fresh(second.clone()));
                table.tell(liar, honest, vote(cast, base, liar, have.clone()));
                table.tell(liar, honest, vote(cast, base, liar, sign.clone()));
            }
            table.tick(3_000 * number);
        }
        for (honest, before) in before.iter().enumerate().take(liar) {
            let log = table.sessions[honest].log();
            assert!(log.starts_with(before), "{seats} seats");
            assert_eq!(table.undone(honest), 0);
            let accused: Vec<usize> = table.faults(honest).iter().map(|fault| fault.0).collect();
            assert_eq!(accused, [owner], "the owner, and nobody else");
        }
    }
}

/// A second record inside a motion is proof like any: who hears the motion holds it against its
/// owner.
#[test]
fn a_proof_inside_a_motion_is_held_against_its_owner() {
    let cast = Cast::new(4, DealKind::Open, 8);
    let mut table = Lockstep::new(cast, Bot::Greedy);
    assert!(table.run_until(|table| table.phase() == Phase::ChoiceOpen));
    table.deliver();
    let owner = 3;
    let commits = |bytes: &&Vec<u8>| {
        let record = record(bytes);
        usize::from(record.seat) == owner && record.body.kind() == Kind::Choice
    };
    let first = table.sessions[0].log().iter().find(commits).expect("a choice").clone();
    let second = Record { body: Body::Choice([9; 32]), ..record(&first) };
    let second = second.sign(&cast.identity(owner as u8));
    let fault = Why::Fault(pair(&first, &second));
    let base = *table.sessions[0].table().base();
    table.tell(2, 0, vote(cast, base, 2, Says::Sign(motion(1, &[(owner, fault)]))));
    table.settle();
    for honest in 0..3 {
        let accused: Vec<usize> = table.faults(honest).iter().map(|fault| fault.0).collect();
        assert_eq!(accused, [owner], "seat {}", honest + 1);
    }
}

/// After READY the last shuffler shows another shuffle of the same deal. A seat whose log has come
/// to that one, by whatever way, is not ready for it and opens no card of it.
#[test]
fn a_key_of_a_deal_serves_one_deck() {
    let cast = Cast::new(3, DealKind::Sealed, 4);
    let mut table = Lockstep::new(cast, Bot::Greedy);
    assert!(table.run_until(|table| table.phase() == Phase::Shares));
    table.deliver();
    let log = table.sessions[0].log().to_vec();
    let last = log.iter().rposition(|bytes| record(bytes).body.kind() == Kind::Shuffle);
    let (before, after) = log.split_at(last.expect("a shuffle"));
    let start = |seat: u8, log: Vec<Vec<u8>>| Start { log, ..cast.start(seat) };
    let again = Start { entropy: Secret::new([7; 32]), ..start(2, before.to_vec()) };
    let other = outputs(&mut Session::new(again).expect("a session")).into_iter().find(|bytes| {
        Unchecked::decode(bytes).is_ok_and(|it| it.record().body.kind() == Kind::Shuffle)
    });
    let other = other.expect("another shuffle");
    assert_ne!(other, after[0]);
    let bases = after.iter().map(|bytes| record(bytes).base).collect();
    let undone = Note {
        game: *table.sessions[0].table().game_id(),
        seat: 0,
        boot: 1,
        counter: 1,
        body: NoteBody::Undone(bases),
    };
    let mut journal = table.journals[0].clone();
    journal.push(undone.sign(&cast.identity(0)));
    let log = [before, &[other]].concat();
    let kinds = |journal: Vec<Vec<u8>>| {
        let mut session = Session::new(Start { journal, ..start(0, log.clone()) }).expect("a seat");
        assert_eq!(session.table().phase(), Phase::Ready);
        let signed = outputs(&mut session);
        let kind = |bytes: &Vec<u8>| Some(Unchecked::decode(bytes).ok()?.record().body.kind());
        signed.iter().filter_map(kind).collect::<Vec<Kind>>()
    };
    assert_eq!(kinds(Vec::new()), [Kind::Ready], "who has not been ready yet may be");
    assert_eq!(kinds(journal), [], "who was ready for one deck is not for another");
}

/// What a session writes into its journal when time passes.
fn outputs(session: &mut Session) -> Vec<Vec<u8>> {
    session.tick(5_000);
    let mut journal = Vec::new();
    while let Some(output) = session.poll() {
        if let Output::Journal(bytes) = output {
            journal.push(bytes);
        }
    }
    journal
}

/// A flood of attempts and of words about them, from one of five, does not make anybody forget what
/// it has signed.
#[test]
fn a_flood_makes_nobody_sign_both_ways() {
    let cast = Cast::new(5, DealKind::Open, 6);
    let mut table = Lockstep::new(cast, Bot::Greedy);
    let (owner, liar) = (4, 3);
    assert!(table.run_until(|table| table.phase() == Phase::Turn(seat(owner))));
    table.deliver();
    table.cut = (0..4).map(|other| (other, owner)).collect();
    let base = *table.sessions[0].table().base();
    let mut now = 61_000;
    table.tick(now);
    for honest in 0..3 {
        table.with(honest, |session| session.claim(seat(owner), now)).expect("it is awaited");
    }
    // The liar wants the same, so that all others sign.
    for honest in 0..3 {
        let game = *table.sessions[0].table().game_id();
        let body = NoteBody::Ask { base, without: 1 << owner };
        let note = Note { game, seat: liar as u8, boot: 1 << 40, counter: 1, body };
        table.tell(liar, honest, Talk::Note(note.sign(&cast.identity(liar as u8))));
    }
    for round in 0..60u64 {
        now += 2_000;
        for honest in 0..3 {
            for number in 0..20 {
                let number = 1 + (round * 7 + number) % 50 + u64::from(number % 5 == 0) * 1_000;
                let (with, have) =
                    ((honest + 1) % 3, Says::Have { number, owner: 4, thing: [7; 32] });
                let other = Says::Sign(motion(number, &[(with, Why::Silent)]));
                let same = Says::Sign(motion(number, &[(owner, Why::Silent)]));
                for says in [have, other, same] {
                    table.tell(liar, honest, vote(cast, base, liar, says));
                }
            }
        }
        table.tick(now);
    }
    let votes: Vec<Paper> = table
        .said
        .iter()
        .filter_map(|(_, talk)| match talk {
            Talk::Vote(bytes) => unchecked(bytes),
            _ => None,
        })
        .filter(|paper| paper.program < 3)
        .collect();
    assert!(votes.iter().any(|paper| matches!(paper.says, Says::Sign(_))), "they do vote");
    for (index, one) in votes.iter().enumerate() {
        assert!(votes[..index].iter().all(|other| !one.excludes(other)), "{one:?}");
    }
    for honest in 0..3 {
        assert!(table.faults(honest).iter().all(|fault| fault.0 == liar));
    }
}

/// Who has left and come back is not put out as gone: no flood of notes, no old copy of its
/// goodbye, and no start of somebody else brings it back.
#[test]
fn a_goodbye_does_not_outlive_a_return() {
    let cast = Cast::new(3, DealKind::Open, 2);
    let mut table = Lockstep::new(cast, Bot::Greedy);
    let leaver = 2;
    assert!(table.run_until(|table| table.phase() == Phase::Turn(seat(0))));
    table.deliver();
    table.with(leaver, Session::leave);
    let goodbye = table.said.iter().rev().find_map(|(from, talk)| match talk {
        Talk::Note(bytes) if *from == leaver => Some(bytes.clone()),
        _ => None,
    });
    let goodbye = goodbye.expect("a note");
    table.deliver();
    // It comes back while seat 2 hears nothing of it.
    table.cut = vec![(1, 2), (0, 1)];
    let log = table.sessions[leaver].log().to_vec();
    table.restart(leaver, log, 1_000);
    table.deliver();
    table.tick(3_000);
    // Seat 1, which has heard it, starts again; the link to seat 2 is mended, where only the old
    // goodbye is known; seat 3 is silent from now on.
    let log = table.sessions[0].log().to_vec();
    table.restart(0, log, 1_001);
    table.cut = vec![(1, 2), (0, 2)];
    for counter in 1..=300 {
        let game = *table.sessions[0].table().game_id();
        let body = NoteBody::Ask { base: [counter as u8; 32], without: 0 };
        let note = Note { game, seat: 1, boot: 2_000, counter, body };
        table.tell(1, 0, Talk::Note(note.sign(&cast.identity(1))));
    }
    for second in 4..40 {
        table.tell(1, 0, Talk::Note(goodbye.clone()));
        table.tick(1_000 * second);
        table.settle();
    }
    for honest in [0, 1] {
        let live = table.sessions[honest].table().live();
        assert!(live.contains(seat(leaver)), "seat {}", honest + 1);
    }
}

/// Of two, who loses cannot make a file in which the winner left before the end out of the goodbye
/// that the winner said after it.
#[test]
fn a_goodbye_after_the_end_ends_nothing_before_it() {
    let cast = Cast::new(2, DealKind::Open, 9);
    let mut table = Lockstep::new(cast, Bot::Greedy);
    table.settle();
    assert_eq!(table.sessions[0].table().phase(), Phase::Complete);
    table.with(0, Session::leave);
    let last = table.said.last().expect("the note").1.clone();
    let Talk::Note(goodbye) = last else { panic!("{last:?}") };
    let left = motion(1, &[(0, Why::Left(goodbye))]);
    let log = table.sessions[1].log();
    let (mut prefix, _) = Table::found(&log[0]).expect("a roster");
    for bytes in &log[1..] {
        assert!(prefix.check_motion(&left).is_err(), "at {:?}", prefix.phase());
        let entry = prefix.admit(bytes).expect("a record");
        prefix.append(entry).expect("in its place");
    }
}

/// The whole log of a game in which one seat falls silent.
pub fn log_of_game_cut(seats: u8, seed: u64, deal: DealKind, cut: Cut) -> Vec<Vec<u8>> {
    let network = Network { topology: Topology::Mesh, loss: 0, doubled: 0, delay_ms_max: 20 };
    let options =
        Options { seats, seed, network, deal, bot: Bot::Greedy, time_ms_max: 3_600_000, bots: 0 };
    let plan = Plan { cuts: [Some(cut), None, None, None], ..Plan::default() };
    let outcome = run_planned(options, plan).unwrap_or_else(|failure| panic!("{failure}"));
    let (log, _) = outcome.disks[0].clone().read().expect("a log");
    log
}

/// The log of a game of four in which seat 4 fell silent, up to the verdict about it.
fn log_to_verdict() -> (Vec<Vec<u8>>, Vec<u8>) {
    let cut = Cut { seat: 3, at: Stop { kind: Kind::Turn, rounds: 1 }, ms: None };
    let log = log_of_game_cut(4, 12, DealKind::Open, cut);
    let verdict = |bytes: &Vec<u8>| Unchecked::decode(bytes).is_ok_and(|it| it.is_verdict());
    let at = log.iter().position(verdict).expect("a verdict");
    (log[..at].to_vec(), log[at].clone())
}

/// A verdict in a file is as strict as the table was: everyone it asks has signed just this motion.
#[test]
fn a_verdict_needs_everyone_it_asks() {
    let (log, bytes) = log_to_verdict();
    let (mut table, _) = Table::found(&log[0]).expect("a roster");
    for bytes in &log[1..] {
        let entry = table.admit(bytes).expect("a record");
        table.append(entry).expect("in its place");
    }
    let right = record(&bytes);
    let Body::Verdict(verdict) = right.body else { panic!("a verdict") };
    let owner = seat(right.seat.into());
    assert_eq!(table.verdict(owner, verdict.clone()), bytes);
    assert!(table.admit(&bytes).is_ok());
    let cast = Cast::new(4, DealKind::Open, 12);
    let sign = |program: u8, motion: &Motion| {
        let says = Says::Sign(motion.clone());
        let bytes = Paper { base: right.base, program, says }.sign(&cast.identity(program));
        (program, bytes[bytes.len() - 64..].to_vec())
    };
    let mut wrong = Vec::new();
    for index in 0..verdict.votes.len() {
        let mut without = verdict.clone();
        without.votes.remove(index);
        wrong.push(("a vote is missing", without));
        let mut twice = verdict.clone();
        twice.votes[index] = verdict.votes[(index + 1) % verdict.votes.len()].clone();
        wrong.push(("a vote twice", twice));
        let mut other = verdict.clone();
        let later = Motion { number: verdict.motion.number + 1, ..verdict.motion.clone() };
        other.votes[index] = sign(other.votes[index].0, &later);
        wrong.push(("a vote of another attempt", other));
        let mut bit = verdict.clone();
        bit.votes[index].1[5] ^= 1;
        wrong.push(("a false signature", bit));
    }
    let mut turned = verdict.clone();
    turned.votes.reverse();
    wrong.push(("not in order", turned));
    let mut owner_too = verdict.clone();
    owner_too.votes.push(sign(3, &verdict.motion));
    wrong.push(("the owner signs", owner_too));
    let signed = |motion: Motion, by: &[u8]| {
        let votes = by.iter().map(|program| sign(*program, &motion)).collect();
        fairdeal::protocol::vote::Verdict { motion, votes }
    };
    let silent = |programs: &[usize]| {
        let without: Vec<(usize, Why)> = programs.iter().map(|it| (*it, Why::Silent)).collect();
        motion(1, &without)
    };
    wrong.push(("too few are asked", signed(silent(&[2, 3]), &[0, 1])));
    wrong.push(("another program", signed(silent(&[2]), &[0, 1, 3])));
    let left = motion(1, &[(2, Why::Silent), (3, Why::Left(vec![1; 200]))]);
    wrong.push(("a goodbye that is none", signed(left, &[0, 1])));
    let fault = motion(1, &[(2, Why::Silent), (3, Why::Fault(vec![log[4].clone()]))]);
    wrong.push(("proof of nothing", signed(fault, &[0, 1])));
    for (what, verdict) in wrong {
        assert!(table.admit(&table.verdict(owner, verdict)).is_err(), "{what}");
    }
}

/// A host with a bot leaves: both its seats go out together, and the others play on.
#[test]
fn a_host_that_leaves_takes_its_bots_with_it() {
    let cast = Cast { bots: 1, ..Cast::new(5, DealKind::Open, 7) };
    let mut table = Lockstep::new(cast, Bot::Greedy);
    assert!(table.run_until(|table| table.phase() == Phase::Turn(seat(0))));
    table.deliver();
    table.with(0, Session::leave);
    table.deliver();
    table.cut = (1..4).map(|other| (0, other)).collect();
    for second in 1..20 {
        table.tick(2_000 * second);
    }
    for other in 1..4 {
        let table = table.sessions[other].table();
        assert_eq!(table.phase(), Phase::Complete, "seat {}", other + 1);
        assert_eq!(table.live(), [1, 2, 3].map(seat).into_iter().collect::<Seats>());
    }
    let out = table.told[1].iter().filter_map(|news| match news {
        News::Fact(Fact::Out { seat, reason, .. }) => Some((seat.index(), *reason)),
        _ => None,
    });
    assert_eq!(out.collect::<Vec<_>>(), [(0, Reason::Left), (4, Reason::Left)]);
}

/// A copy of a host's folder is started: neither the host nor its bot signs on the word of the
/// other, for one folder holds both.
#[test]
fn a_copied_folder_signs_nothing_on_its_own_word() {
    let cast = Cast { bots: 1, ..Cast::new(4, DealKind::Open, 5) };
    let mut table = Lockstep::new(cast, Bot::Greedy);
    assert!(table.run_until(|table| table.phase() == Phase::Choice));
    table.deliver();
    let log = table.sessions[0].log().to_vec();
    table.cut = vec![(0, 1), (0, 2)];
    for seat in [0, 3] {
        table.journals[seat].clear();
        table.restart(seat, log.clone(), 1_000);
    }
    for second in 1..30 {
        table.tick(1_000 * second);
    }
    for seat in [0, 3] {
        assert!(!table.sessions[seat].asks(), "it waits for another program");
    }
    table.cut.clear();
    for second in 30..40 {
        table.tick(1_000 * second);
    }
    assert!(table.sessions[0].table().phase() != Phase::Choice, "then they play on");
    assert!((0..4).all(|seat| table.faults(seat).is_empty()));
}

/// Two copies of one seat run: the second says that it starts, the first that it runs. Both stop
/// before either has signed against the other.
#[test]
fn two_copies_that_run_both_stop() {
    let cast = Cast::new(3, DealKind::Open, 1);
    let mut table = Lockstep::new(cast, Bot::Greedy);
    assert!(table.run_until(|table| table.phase() == Phase::Choice));
    table.deliver();
    let log = table.sessions[1].log().to_vec();
    let journal = table.journals[1].clone();
    let start = Start { log, journal, boot: 9_000, again: true, ..cast.start(1) };
    let mut copy = Session::new(start).expect("a copy");
    copy.link_up(Link(0));
    copy.tick(0);
    // The copy is next to seat 1, which tells everyone what it says.
    let (mut told, mut now) = (Vec::new(), 0);
    for _ in 0..20 {
        now += 500;
        let heard = table.said.len();
        while let Some(output) = copy.poll() {
            match output {
                Output::Send(_, talk) => table.tell(2, 0, talk),
                Output::Tell(news) => told.push(news),
                _ => {}
            }
        }
        table.tick(now);
        let said: Vec<Talk> =
            table.said[heard..].iter().filter(|it| it.0 == 0).map(|it| it.1.clone()).collect();
        said.into_iter().for_each(|talk| copy.receive(Link(0), talk, now));
        copy.tick(now);
    }
    assert!(told.contains(&News::RunningTwice), "the copy: {told:?}");
    assert!(table.told[1].contains(&News::RunningTwice), "the one that ran");
    assert!((0..3).all(|seat| table.faults(seat).is_empty()));
}

/// Two seats commit to one key of the deal, which only both together can. They go out for it, and
/// the deal begins again without them.
#[test]
fn two_seats_with_one_deal_key_go_out() {
    let cast = Cast::new(5, DealKind::Sealed, 21);
    let sessions = (0..5).map(|seat| {
        let secret = Secret::new(cast.secret(seat.min(3)));
        Session::new(Start { secret, ..cast.start(seat) }).expect("a session")
    });
    let mut table = Lockstep::of(cast, Bot::Greedy, sessions.collect());
    table.settle();
    for honest in 0..3 {
        let table = table.sessions[honest].table();
        assert_eq!(table.phase(), Phase::Complete, "seat {}", honest + 1);
        assert_eq!(table.live(), [0, 1, 2].map(seat).into_iter().collect::<Seats>());
        assert!(!table.may_return(seat(3)) && !table.may_return(seat(4)));
    }
}

/// One of three sees its cards and gives the others no shares. The game ends there, for it takes
/// three; and it pays for the hand that it saw.
#[test]
fn who_sees_a_hand_and_backs_out_pays_for_it() {
    let cut = Cut { seat: 2, at: Stop { kind: Kind::Shares, rounds: 0 }, ms: None };
    let log = log_of_game_cut(3, 31, DealKind::Sealed, cut);
    let Body::Result { points, winners } = record(log.last().expect("a result")).body else {
        panic!("no result");
    };
    assert_eq!((points, winners), (vec![0, 0, -12], vec![]), "a hand of three players is 12 cards");
}
