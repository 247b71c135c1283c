//! The log: signed records in one total order, each naming the head it stands on.

pub mod evidence;
pub mod file;
pub mod record;
pub mod verify;
