//! A whole table in one process, sealed deal and all: `cargo run --release --example table`.
//!
//! Every seat is a session of its own with its own key. Here they hand each other their records
//! directly; the program hands them over a network.

use std::error::Error;

use fairdeal::{
    bot::Bot,
    protocol::{
        lobby::DealKind,
        log::{
            file::{MAGIC, frame},
            verify::verify,
        },
        table::Phase,
    },
    sim::{Cast, Lockstep},
};

fn main() -> Result<(), Box<dyn Error>> {
    let cast = Cast { seats: 3, deal: DealKind::Sealed, seed: 1 };
    let mut table = Lockstep::new(cast, Bot::Greedy);
    if !table.run_until(|table| table.phase() == Phase::Complete) {
        return Err("the game has stopped before its end".into());
    }
    // The other seats hear the last records, too: all have one log then, the game's file.
    table.settle();
    let logs = table.sessions.iter().map(|session| {
        let records = session.log().iter().flat_map(|record| frame(record));
        MAGIC.iter().copied().chain(records).collect::<Vec<u8>>()
    });
    for (seat, log) in logs.enumerate() {
        let report = verify(&log)?;
        println!(
            "seat {}: {} bytes, {} records, complete: {}, points {:?}",
            seat + 1,
            log.len(),
            report.records,
            report.complete(),
            report.table.game().totals(),
        );
    }
    Ok(())
}
