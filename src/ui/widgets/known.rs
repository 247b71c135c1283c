//! What everyone has seen of the others' hands: the cards scouted in the open, at their places.

use unicode_width::UnicodeWidthStr;

use super::{cut, wrap};
use crate::{
    game::{Hand, Round, Seat, Slot},
    ui::look::Look,
};

/// Columns of a name before a hand.
const NAME: usize = 10;

/// The hands of the others that have known cards in them, each in a line or more of this width:
/// `Ben  ### 1|2 ##`. Which of the two numbers is up, only its owner knows.
pub fn lines(
    round: &Round,
    own: Seat,
    name: impl Fn(Seat) -> String,
    width: usize,
    look: Look,
) -> Vec<String> {
    let mut lines = Vec::new();
    for seat in round.present().iter().filter(|seat| *seat != own) {
        let hand = round.hand(seat);
        // A hand that is open as a whole is one that a player has opened at the end of a round.
        if hand.is_seen() || hand.iter().all(|slot| slot == Slot::Sealed) {
            continue;
        }
        let name = cut(&look.text(&name(seat)), NAME, look);
        let pad = " ".repeat(NAME.saturating_sub(name.width()) + 1);
        let room = width.saturating_sub(NAME + 1);
        let text = match hand_text(hand, look, false) {
            text if text.width() <= room => text,
            _ => hand_text(hand, look, true),
        };
        let indent = " ".repeat(NAME + 1);
        for (row, line) in wrap(&text, room).into_iter().enumerate() {
            lines.push(if row == 0 {
                format!("{name}{pad}{line}")
            } else {
                format!("{indent}{line}")
            });
        }
    }
    lines
}

/// A hand with its known cards between the backs of the others, or between how many they are.
fn hand_text(hand: &Hand, look: Look, counts: bool) -> String {
    let back = look.back();
    let backs = |unknown: usize| match counts {
        true => format!("{unknown}{back}"),
        false => back.repeat(unknown),
    };
    let (mut parts, mut unknown) = (Vec::new(), 0);
    for slot in hand.iter() {
        let known = match slot {
            Slot::Sealed => None,
            Slot::Turned(card) | Slot::Seen(card) => Some(format!("{}|{}", card.up(), card.down())),
        };
        match known {
            None => unknown += 1,
            Some(card) => {
                if unknown > 0 {
                    parts.push(backs(std::mem::take(&mut unknown)));
                }
                parts.push(card);
            }
        }
    }
    if unknown > 0 {
        parts.push(backs(unknown));
    }
    parts.join(" ")
}
