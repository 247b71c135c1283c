//! A table that survives: how a place is settled whose owner is silent or lies.

mod absence;
mod court;
mod finality;
mod model;
mod sync;
mod talk;
