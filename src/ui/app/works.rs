//! Which keys do something now: the footer shows these, and no others.

use super::{
    lobby::LobbyPage,
    said::Said,
    table::{Draft, TablePage},
};
use crate::{game::Round, run::Again, ui::keymap::Command};

impl TablePage {
    /// Whether a key that does this does something now.
    pub fn works(&self, command: Command) -> bool {
        if !self.pages.is_empty() {
            return match command {
                Command::Again => {
                    !self.wished
                        && self.again.as_ref().is_some_and(|it| !matches!(it, Again::Gone(_)))
                }
                _ => true,
            };
        }
        if command == Command::GoOn {
            let asked = |seat| {
                self.now
                    .claimed
                    .iter()
                    .any(|(owner, by)| *owner == seat && by.contains(&self.now.seat))
            };
            return self.now.overdue.iter().any(|seat| !asked(*seat));
        }
        if self.is_choosing() {
            return true;
        }
        if command == Command::Older {
            return self.log.len() > 1;
        }
        let scouts = matches!(self.draft, Draft::Scout(..));
        let chosen = self.chosen().is_some();
        match command {
            Command::Back => scouts || chosen || self.scout().is_some(),
            Command::Left => scouts || self.is_asked(),
            _ if !self.is_asked() => !OWN_TURN.contains(&command),
            Command::Enter => matches!(self.said(), Said::Will(_)),
            Command::Next if scouts => {
                self.round().and_then(Round::active).is_some_and(|set| set.len() > 1)
            }
            Command::Next => !self.shows().is_empty(),
            Command::Hold => chosen,
            Command::Scout => self.why_no_scout(false).is_none(),
            Command::ScoutShow => match self.draft {
                Draft::Scout(_, then) => self.why_no_scout(!then).is_none(),
                _ => self.why_no_scout(true).is_none(),
            },
            _ => true,
        }
    }
}

/// What nothing comes of out of turn.
const OWN_TURN: [Command; 8] = [
    Command::Enter,
    Command::Next,
    Command::Hold,
    Command::Scout,
    Command::ScoutShow,
    Command::Turn,
    Command::Place(0),
    Command::Back,
];

impl LobbyPage {
    /// Whether a key that does this does something now.
    pub fn works(&self, command: Command) -> bool {
        let (taken, players) = (self.joins.len(), usize::from(self.players));
        match command {
            Command::Enter => taken >= 2,
            Command::AddBot => taken < players,
            Command::Remove => self.at > 0,
            Command::MoveUp => self.at > 0 && taken > 2,
            Command::Shuffle => taken > 2,
            _ => true,
        }
    }

    /// Whether there is somebody to talk to.
    pub fn talks(&self) -> bool {
        let people = self.joins.iter().filter(|join| join.kept_by.is_none()).count();
        !self.watches && people > 1
    }
}
