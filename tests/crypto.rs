//! The sealed deal's primitives: complete for honest seats, and closed to the others.

#[path = "crypto/complete.rs"]
mod complete;
#[path = "crypto/cut_and_choose.rs"]
mod cut_and_choose;
#[path = "crypto/fair.rs"]
mod fair;
#[path = "crypto/secrets.rs"]
mod secrets;
#[path = "crypto/shares.rs"]
mod shares;
#[path = "crypto/table.rs"]
mod table;
#[path = "crypto/tamper.rs"]
mod tamper;
#[path = "crypto/vectors.rs"]
mod vectors;
