//! A seeded world of seats in virtual time: what every property of the protocol is tested in.

mod cast;
mod disk;
mod faults;
pub mod fuzz;
mod lies;
mod lockstep;
mod network;
mod outcome;
mod peer;
mod plan;
mod trace;
mod trouble;
mod watch;
mod world;

pub use cast::Cast;
pub use disk::Disk;
pub use faults::{Faults, liar, swarm, two_faced};
pub use lockstep::{Change, Cheat, Lockstep};
pub use network::{Network, Topology};
pub use outcome::{Accusation, Failure, Options, Outcome};
pub use plan::{BadWrite, BadWriteHow, Cut, Plan, Stop, Twice, parted};
pub use world::run_planned;
