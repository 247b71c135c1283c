//! The screens: what keys do, what is drawn, and that the terminal is given back.

#![cfg(feature = "tui")]

mod around;
mod drawn;
mod footer;
mod learn;
mod leave;
mod live;
mod lobby;
mod readme;
mod replay;
mod said;
mod support;
mod talk;
#[cfg(unix)]
mod terminal;
mod update;
