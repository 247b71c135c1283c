//! What goes on to a neighbour that missed it.

use fairdeal::{
    bot::Bot,
    protocol::{
        lobby::DealKind,
        message::Talk,
        session::{Link, Output, Session, Start},
        table::Phase,
        vote::{Says, Why},
    },
    sim::{Cast, Lockstep},
};

use super::finality::{motion, record, vote};

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
    let talks = |session: &mut Session, to: usize| {
        let outputs = std::iter::from_fn(|| session.poll());
        let said = outputs.filter_map(|output| match output {
            Output::Send(Link(link), talk) => (link as usize == to).then_some(talk),
            _ => None,
        });
        said.collect::<Vec<Talk>>()
    };
    let said = vote(cast, base, voter, Says::Sign(motion(1, &[(owner, Why::Silent)])));
    sessions[0].link_up(Link(voter as u32));
    sessions[0].receive(Link(voter as u32), said.clone(), 10);
    talks(&mut sessions[0], misses);
    let [one, other] = &mut sessions;
    one.link_up(Link(misses as u32));
    other.link_up(Link(knows as u32));
    let mut heard = false;
    for round in 1..8 {
        for talk in talks(one, misses) {
            heard |= talk == said;
            other.receive(Link(knows as u32), talk, round * 1_000);
        }
        for talk in talks(other, knows) {
            one.receive(Link(misses as u32), talk, round * 1_000);
        }
        one.tick(round * 1_000);
        other.tick(round * 1_000);
    }
    assert!(heard, "it was told the vote");
    assert_eq!(one.log(), other.log());
}
