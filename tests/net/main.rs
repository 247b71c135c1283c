//! Nodes in one process, over loopback, on ports the system chooses. Each node has a runtime of
//! its own, so that dropping it is a killed process.
#![cfg(feature = "net")]

mod faults;
mod flood;
mod frames;
mod meeting;
mod node;
mod raw;
