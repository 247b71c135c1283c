//! The state after a line as one line of JSON.

use std::fmt::{self, Display, Write};

use crate::game::{Game, Round, Seat, Set, Slot};

/// The running or just finished round as one line of JSON without its line end; `None` before
/// the first deal. A hidden card is `"?"`, one whose side is not known `"3/7?"`.
pub fn trace(line: usize, game: &Game) -> Option<String> {
    let mut json = String::new();
    write(&mut json, line, game, game.round()?).ok()?;
    Some(json)
}

fn write(json: &mut String, line: usize, game: &Game, round: &Round) -> fmt::Result {
    let seats = || game.players().seats();
    write!(json, "{{\"line\":{line},\"round\":{},\"turn\":", game.round_number())?;
    seat_or_null(json, round.turn())?;
    json.push_str(",\"hands\":");
    list(json, seats(), |json, seat| {
        list(json, round.hand(seat).iter(), |json, slot| match slot {
            Slot::Sealed => write!(json, "\"?\""),
            Slot::Turned(card) => write!(json, "\"{card}?\""),
            Slot::Seen(card) => write!(json, "\"{card}\""),
        })
    })?;
    json.push_str(",\"active\":");
    let active = round.active().into_iter().flat_map(Set::cards);
    list(json, active, |json, card| write!(json, "\"{card}\""))?;
    json.push_str(",\"owner\":");
    seat_or_null(json, round.owner())?;
    json.push_str(",\"captured\":");
    list(json, seats().map(|seat| round.captured(seat)), plain)?;
    json.push_str(",\"tokens\":");
    list(json, seats().map(|seat| round.tokens(seat)), plain)?;
    json.push_str(",\"chips\":");
    list(json, seats().map(|seat| round.may_scout_and_show(seat)), plain)?;
    match round.over() {
        Some(ending) => write!(json, ",\"over\":\"{ending}\"}}"),
        None => write!(json, ",\"over\":null}}"),
    }
}

fn plain(json: &mut String, item: impl Display) -> fmt::Result {
    write!(json, "{item}")
}

fn seat_or_null(json: &mut String, seat: Option<Seat>) -> fmt::Result {
    match seat {
        Some(seat) => plain(json, seat),
        None => plain(json, "null"),
    }
}

fn list<T>(
    json: &mut String,
    items: impl Iterator<Item = T>,
    mut write: impl FnMut(&mut String, T) -> fmt::Result,
) -> fmt::Result {
    json.push('[');
    for (index, item) in items.enumerate() {
        if index > 0 {
            json.push(',');
        }
        write(json, item)?;
    }
    json.push(']');
    Ok(())
}
