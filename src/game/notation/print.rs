//! From statements to their canonical text.

use std::fmt;

use super::Statement;
use crate::game::{Ending, Slot};

impl fmt::Display for Statement {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Statement::Scout => f.write_str("scout 1"),
            Statement::Players(players) => write!(f, "players {}", players.count()),
            Statement::Seat(seat, name) => write!(f, "seat {seat} {name}"),
            Statement::Round(round, start) => write!(f, "round {round} start {start}"),
            Statement::Deal(seat, hand) => {
                write!(f, "deal {seat}")?;
                hand.iter().try_for_each(|slot| match slot {
                    Slot::Seen(card) => write!(f, " {card}"),
                    Slot::Sealed | Slot::Turned(_) => f.write_str(" ?"),
                })
            }
            Statement::Play(seat, action, shown) => {
                write!(f, "{seat} {action}")?;
                if !shown.is_empty() {
                    f.write_str(" =")?;
                }
                shown.iter().try_for_each(|card| write!(f, " {card}"))
            }
            Statement::Out(seat, 0) => write!(f, "{seat} out"),
            Statement::Out(seat, pays) => write!(f, "{seat} out {pays}"),
            Statement::Back(seat) => write!(f, "{seat} back"),
            Statement::End(ending, points) => {
                write!(f, "end {ending}")?;
                words(f, points)
            }
            Statement::EndAbandoned => f.write_str("end abandoned"),
            Statement::Result(totals, winners) => {
                f.write_str("result")?;
                words(f, totals)?;
                f.write_str(" winner")?;
                words(f, &winners.iter().collect::<Vec<_>>())
            }
            Statement::ResultAbandoned(totals) => {
                f.write_str("result abandoned")?;
                words(f, totals)
            }
        }
    }
}

impl fmt::Display for Ending {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Ending::Emptied => "emptied",
            Ending::Stalled => "stalled",
        })
    }
}

/// Each after a space.
fn words(f: &mut fmt::Formatter<'_>, words: &[impl fmt::Display]) -> fmt::Result {
    words.iter().try_for_each(|word| write!(f, " {word}"))
}
