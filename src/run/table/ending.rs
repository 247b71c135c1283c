//! The end of a game: who still has to get all of it.

use std::time::Duration;

use tokio::time::Instant;

use super::{TableRun, watched};
use crate::{
    game::Seat,
    protocol::table::Phase,
    run::{ToPlayer, peers::link_of},
};

/// How long a complete game waits for players who have not got all of it.
const LINGER: Duration = Duration::from_secs(30);

/// After how long of this it is said for whom.
const TOLD: Duration = Duration::from_secs(2);

impl TableRun {
    /// Whether the game is complete and all others have it, or had time enough.
    pub(super) fn is_done(&mut self) -> bool {
        let own = self.seats.own();
        if own.table().phase() != Phase::Complete {
            return false;
        }
        let since = *self.complete_at.get_or_insert_with(Instant::now);
        let met = |seat: &Seat| {
            let kept = own.table().player(*seat).is_none_or(|join| join.kept_by.is_some());
            kept || *seat == own.seat() || own.has_met(link_of(*seat))
        };
        let missing: Vec<Seat> = own.table().live().iter().filter(|seat| !met(seat)).collect();
        let all_met = missing.is_empty();
        if since.elapsed() >= TOLD {
            self.tell_linger(&missing);
        }
        let watched = self.watchers_have_all() || since.elapsed() >= watched::LINGER;
        (all_met && watched) || since.elapsed() >= LINGER
    }

    /// Says that a complete game waits for somebody, and for whom.
    fn tell_linger(&mut self, missing: &[Seat]) {
        if missing.is_empty() || std::mem::replace(&mut self.upkeep.lingers, true) {
            return;
        }
        let roster = self.seats.own().table().roster();
        let names = missing.iter().filter_map(|seat| roster.join(*seat));
        let names: Vec<&str> = names.map(|join| join.name.as_str()).collect();
        let names = names.join(" and ");
        self.tell(ToPlayer::Note(format!(
            "Waiting for {names}, half a minute at most, to get the end of the game."
        )));
    }
}
