//! What a recorded game proves: `cargo run --example verify -- replays/sealed-3.fairdeal`.

use std::error::Error;

use fairdeal::protocol::log::verify::verify;

fn main() -> Result<(), Box<dyn Error>> {
    let path = std::env::args().nth(1).ok_or("usage: verify GAME.fairdeal")?;
    let report = verify(&std::fs::read(&path)?)?;
    println!("{path}: {} records, each signed and in its place", report.records);
    println!("{} shuffles proven, {} cards shown", report.proofs.shuffles, report.proofs.cards);
    for round in &report.rounds {
        match &round.end {
            Some((ending, points)) => {
                println!("round {}: {} turns, {ending}, {points:?}", round.round, round.turns);
            }
            None => println!("round {}: {} turns so far", round.round, round.turns),
        }
    }
    let roster = report.table.roster();
    for (seat, points) in report.table.game().totals().iter() {
        if let Some(join) = roster.join(seat) {
            println!("{} has {points} points", join.name);
        }
    }
    println!("{}", if report.complete() { "The game is complete." } else { "It is unfinished." });
    Ok(())
}
