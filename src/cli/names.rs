//! What the command line calls a bot and a deal: their own names, and what each is.

use clap::{ValueEnum, builder::PossibleValue};

use crate::{bot::Bot, protocol::lobby::DealKind};

impl ValueEnum for Bot {
    fn value_variants<'a>() -> &'a [Bot] {
        &Bot::ALL
    }

    fn to_possible_value(&self) -> Option<PossibleValue> {
        Some(PossibleValue::new(self.name()).help(self.about()))
    }
}

impl ValueEnum for DealKind {
    fn value_variants<'a>() -> &'a [DealKind] {
        &DealKind::ALL
    }

    fn to_possible_value(&self) -> Option<PossibleValue> {
        Some(PossibleValue::new(self.name()).help(self.about()))
    }
}
