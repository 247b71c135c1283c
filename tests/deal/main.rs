//! The deal as a whole: attacks on it, what it hides, how fair it is.

mod attacks;
mod evidence;
mod fairness;
mod open_cases;
mod search;
mod secrets;
