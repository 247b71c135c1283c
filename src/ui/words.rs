//! What the table says besides the story, in words.

use super::story::Story;
use crate::{
    game::Seat,
    protocol::session::News,
    run::{Presence, Snapshot},
    store::Person,
};

/// The proof of a fault has been written to a file.
pub fn evidence(path: &std::path::Path) -> String {
    format!("The proof is in {}; `fairdeal verify` checks it.", path.display())
}

/// The name asked to be compared because its key is not the one remembered.
pub fn changed_key(person: &Person) -> String {
    format!(
        "ATTENTION: the {} you met before had another key. Compare the key words aloud.",
        person.name
    )
}

/// News that are no fact of the game; `None` for those that nobody needs to know.
pub fn news(story: &Story, news: &News) -> Option<String> {
    Some(match news {
        News::Fault { seat, reason, .. } => {
            format!("FAULT of seat {seat}, {}: {reason}. Its records prove it.", story.name(*seat))
        }
        News::RunningTwice => "This seat is being played by another copy of fairdeal. This one \
                               has stopped signing; close one of them."
            .into(),
        News::Ready => "The others have told how far the game is.".into(),
        News::Forked(_) => {
            "A neighbour's log differs from ours; the place where it does is sought.".into()
        }
        News::Undone(records) => {
            format!("The others have settled it otherwise: {records} records are undone.")
        }
        News::BadNeighbour(_) | News::Fact(_) => return None,
    })
}

/// What has changed in how the seats can be reached.
pub fn presence(story: &Story, was: &Snapshot, is: &Snapshot) -> Vec<String> {
    let mut lines = Vec::new();
    for seat in is.view.players().seats() {
        let now = is.presence.get(seat.index());
        if was.presence.get(seat.index()) == now {
            continue;
        }
        match now {
            Some(path @ Presence::Connected(_)) => {
                let words = path.words(&is.roster);
                lines.push(format!("{} is connected, {words}.", story.name(seat)));
            }
            Some(Presence::Away) => {
                lines.push(format!("{} is not connected; trying again.", story.name(seat)));
            }
            _ => {}
        }
    }
    lines
}

/// Names as a list: `Ana`, `Ana and Ben`.
pub fn names(story: &Story, seats: &[Seat]) -> String {
    let names: Vec<String> = seats.iter().map(|seat| story.name(*seat)).collect();
    names.join(" and ")
}
