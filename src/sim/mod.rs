//! A seeded world of seats in virtual time: what every property of the protocol is tested in.

mod cast;
pub mod fuzz;
mod lockstep;
mod network;
mod plan;
mod world;

pub use cast::Cast;
pub use lockstep::{Change, Cheat, Lockstep};
pub use network::{Network, Topology};
pub use plan::{Cut, Plan, Stop, Twice, parted};
pub use world::{Failure, Options, Outcome, run, run_planned};
