//! What votes about places that are final cost a seat: `cargo bench --no-default-features --bench
//! votes`. A neighbour may send as many as its line carries, so each must be cheap.

use std::time::Instant;

use fairdeal::protocol::{
    codec,
    log::record::Kind,
    message::Talk,
    session::{Link, Session, Start},
    vote::{Motion, Paper, Says, Why, Without},
};
use fairdeal::sim::fuzz::{Played, games};

/// The seat that votes.
const VOTER: u8 = 2;
const VOTES: u64 = 10_000;

fn main() {
    let game = &games()[0];
    let mut times_ms: Vec<f64> = (0..9).map(|_| run_ms(game)).collect();
    times_ms.sort_by(f64::total_cmp);
    println!("{VOTES} votes about final places: {:.1} ms (median of 9)", times_ms[4]);
}

/// Hears signed votes, each another, about the places of the first round in turn, with the table at
/// the result: milliseconds from the bytes of the network to the last answer.
fn run_ms(game: &Played) -> f64 {
    let result = game.tables.iter().find(|table| table.phase().kind() == Some(Kind::Result));
    let log = game.before(result.expect("each game has a result")).to_vec();
    let mut session = Session::new(Start { log, ..game.cast.start(0) }).expect("a session");
    (1..=2).for_each(|link| session.link_up(Link(link)));
    session.tick(0);
    while session.poll().is_some() {}
    // All records of a round are final once the next is dealt.
    let turns = game.tables.iter().filter(|table| table.game().round_number() == 1);
    let old: Vec<[u8; 32]> = turns.map(|table| *table.base()).collect();
    let votes: Vec<Vec<u8>> = (0..VOTES)
        .map(|number| {
            let without = vec![Without { program: 1, why: Why::Silent }];
            let says = Says::Sign(Motion { number: number + 1, without });
            let base = old[number as usize % old.len()];
            let paper = Paper { base, program: VOTER, says };
            codec::encode(&Talk::Vote(paper.sign(&game.identity(VOTER))))
        })
        .collect();
    let begun = Instant::now();
    for bytes in &votes {
        let talk = codec::decode(bytes).expect("a vote");
        session.receive(Link(VOTER.into()), talk, 0);
        assert!(session.poll().is_none(), "nothing is answered");
    }
    begun.elapsed().as_secs_f64() * 1_000.0
}
