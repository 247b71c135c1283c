//! The screens: what keys do, what is drawn, and that the terminal is given back.

#![cfg(feature = "tui")]

mod around;
mod drawn;
mod learn;
mod leave;
mod readme;
mod replay;
mod said;
mod support;
mod talk;
#[cfg(unix)]
mod terminal;
mod update;
