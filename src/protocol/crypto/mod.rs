//! Hashing, identities, commitments, and the sealed deal: keys, shuffles and their proofs, shares.
//!
//! Pure functions: randomness is an argument, bytes from peers are parsed into types that cannot
//! be wrong, and every check that fails says which one.
//!
//! What is secret is multiplied in constant time; variable time is kept for public data. Two
//! things are outside that: the permutation indexes small tables, and a draw below a bound may
//! take one word more. Both concern somebody who runs code on the same machine, not a peer.

pub mod bayer_groth;
pub mod commit;
pub mod deck;
pub mod dleq;
pub mod error;
pub mod group;
pub mod hash;
pub mod identity;
pub mod keys;
pub mod share;
pub mod shuffle;
pub mod sigma;
pub mod stream;
pub mod transcript;
mod witness;
