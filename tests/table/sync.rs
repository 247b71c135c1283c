//! What goes on to a neighbour that missed it.

use fairdeal::{
    bot::Bot,
    protocol::{
        lobby::DealKind,
        log::record::{Body, Kind, Record},
        message::Talk,
        session::{Link, Output, Session, Start},
        table::Phase,
        vote::{Says, Why},
    },
    sim::{Cast, Cut, Lockstep, Stop},
};

use super::finality::{log_of_game_cut, motion, record, vote};

/// What a session has to say to one neighbour.
fn talks(session: &mut Session, to: usize) -> Vec<Talk> {
    let outputs = std::iter::from_fn(|| session.poll());
    let said = outputs.filter_map(|output| match output {
        Output::Send(Link(link), talk) => (link as usize == to).then_some(talk),
        _ => None,
    });
    said.collect()
}

/// Two neighbours talk for so many seconds; gives what the first one said.
fn converse(sessions: &mut [Session; 2], seats: [usize; 2], seconds: u64) -> Vec<Talk> {
    let [one, other] = sessions;
    let mut all = Vec::new();
    for now in (1..seconds).map(|second| second * 1_000) {
        let said = talks(one, seats[1]);
        all.extend(said.iter().cloned());
        said.into_iter().for_each(|talk| other.receive(Link(seats[0] as u32), talk, now));
        for talk in talks(other, seats[0]) {
            one.receive(Link(seats[1] as u32), talk, now);
        }
        one.tick(now);
        other.tick(now);
    }
    all
}

/// What was said about a place below the open one goes on to a neighbour with the same log that
/// missed it: who has signed there to go on without somebody, and follows those who did not, is
/// free only when it hears that they never will.
#[test]
fn a_vote_about_a_place_below_reaches_who_missed_it() {
    let cast = Cast::new(5, DealKind::Open, 4);
    let mut table = Lockstep::new(cast, Bot::Greedy);
    assert!(
        table.run_until(|table| matches!(table.phase(), Phase::Turn(_)) && table.length() > 30)
    );
    let log = table.sessions[0].log().to_vec();
    let last = record(log.last().expect("a turn"));
    let (owner, base) = (usize::from(last.seat), last.base);
    let others: Vec<usize> = (0..5).filter(|seat| *seat != owner).collect();
    let [knows, misses, voter] = others[..3] else { panic!("five seats") };
    let mut sessions = [knows, misses].map(|own| {
        let log = log.clone();
        Session::new(Start { log, ..cast.start(own as u8) }).expect("a session")
    });
    let said = vote(cast, base, voter, Says::Sign(motion(1, &[(owner, Why::Silent)])));
    sessions[0].link_up(Link(voter as u32));
    sessions[0].receive(Link(voter as u32), said.clone(), 10);
    talks(&mut sessions[0], misses);
    sessions[0].link_up(Link(misses as u32));
    sessions[1].link_up(Link(knows as u32));
    let heard = converse(&mut sessions, [knows, misses], 8);
    assert!(heard.contains(&said), "it was told the vote");
    assert_eq!(sessions[0].log(), sessions[1].log());
}

/// Somebody who is out was told the other one of two records that a seat signed for one place, and
/// holds it or has even gone on above it: it follows those who decide, as soon as it sees their
/// log.
#[test]
fn who_is_out_follows_those_who_went_on_above_the_other_record() {
    const OUT: u8 = 3;
    const LIAR: u8 = 2;
    let cut = Cut { seat: OUT, at: Stop { kind: Kind::Turn, rounds: 1 }, ms: None };
    let log = log_of_game_cut(4, 12, DealKind::Open, cut);
    let cast = Cast::new(4, DealKind::Open, 12);
    let of_liar =
        |bytes: &&Vec<u8>| record(bytes).seat == LIAR && record(bytes).body.kind() == Kind::Choice;
    let choices: Vec<&Vec<u8>> = log.iter().filter(of_liar).skip(1).collect();
    assert!(choices.len() > 2, "later rounds");
    for (first, logged) in choices.into_iter().flat_map(|first| [(first, false), (first, true)]) {
        let base = record(first).base;
        let other = Record { body: Body::Choice([9; 32]), ..record(first) };
        let other = other.sign(&cast.identity(LIAR));
        let start = log.iter().position(|bytes| record(bytes).base == base).expect("its phase");
        let phase = log[start..].iter().take_while(|bytes| record(bytes).base == base);
        let phase = phase.map(|bytes| if bytes == first { other.clone() } else { bytes.clone() });
        let phase: Vec<Vec<u8>> = phase.collect();
        let mut own = log[..start].to_vec();
        own.extend(phase.iter().filter(|_| logged).cloned());
        let own = Start { log: own, ..cast.start(OUT) };
        let whole = Start { log: log.clone(), ..cast.start(0) };
        let mut sessions = [whole, own].map(|start| Session::new(start).expect("a session"));
        sessions[1].link_up(Link(0));
        for record in phase.iter().filter(|_| !logged) {
            sessions[1].receive(Link(0), Talk::Fresh(record.clone()), 10);
        }
        sessions[0].link_up(Link(OUT.into()));
        converse(&mut sessions, [0, OUT.into()], 60);
        assert_eq!(sessions[0].log(), &log[..], "at {start}, logged: {logged}");
        assert_eq!(sessions[1].log(), &log[..], "at {start}, logged: {logged}");
    }
}
