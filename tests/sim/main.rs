//! Whole tables in the seeded world, and what is promised of them.

mod disk;
mod forgery;
mod same;
mod swarm;
mod twice;

/// What a count of runs without a failure says.
fn bound(runs: u64) -> String {
    format!("none of {runs} failed: fewer than {:.2} % do (3/N)", 300.0 / runs as f64)
}
