//! The terminal: the prompt that plays by lines, and the screens; and a game as a web page.
//!
//! `app` is the state of the screens and its pure update, `screens` and `widgets` draw it,
//! `drive` brings keys and the table to it and carries out what it asks for.

#[cfg(feature = "tui")]
pub mod app;
#[cfg(feature = "net")]
pub mod chat;
#[cfg(feature = "net")]
pub mod checkup;
#[cfg(feature = "tui")]
pub mod drive;
pub mod html;
#[cfg(feature = "tui")]
pub mod keymap;
#[cfg(feature = "net")]
pub mod leave;
#[cfg(feature = "net")]
pub mod lines;
#[cfg(feature = "tui")]
pub mod look;
#[cfg(feature = "net")]
pub mod proof;
#[cfg(feature = "tui")]
pub mod screens;
pub mod story;
#[cfg(feature = "tui")]
pub mod terminal;
pub mod text;
#[cfg(feature = "tui")]
pub mod widgets;
#[cfg(feature = "net")]
pub mod words;
