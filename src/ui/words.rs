//! What the table says besides the story, in words.

use std::time::Duration;

use super::{story::Story, text};
use crate::{
    game::Seat,
    protocol::{lobby::Join, session::News, table::Phase},
    run::{Address, Again, Found, LobbyNews, Path, Presence, Remark, Snapshot, Target},
    store::{Checked, Meta, Person, Role, Totals, UnfinishedGame},
};

/// The proof of a fault has been written to a file.
pub fn evidence(path: &std::path::Path) -> String {
    format!("The proof is in {}; `fairdeal verify` checks it.", path.display())
}

/// How it stands with the next table, and what can be done: `key` asks for it.
pub fn again(state: &Again, wished: bool, key: &str) -> String {
    match state {
        Again::Ours => format!("{key} plays again with the same people."),
        Again::Awaited(host) if wished => {
            format!("You play again as soon as {host} opens the next table.")
        }
        Again::Awaited(host) => {
            format!("{host} can open the next table for the same people; {key} joins it then.")
        }
        Again::Open(host) => format!("{host} has opened another table: {key} joins it."),
        Again::Gone(host) => {
            format!("{host}, who opens the next table, has left; or open one yourself.")
        }
    }
}

/// A table of this network in words.
pub fn found(table: &Found) -> String {
    let Found { host, hosts, .. } = table;
    let state = match (hosts.begun, hosts.open) {
        (true, _) => "playing",
        (false, true) => "open",
        (false, false) => "by invitation",
    };
    format!("{host}, {} of {} seats, {state}", hosts.taken, hosts.players)
}

/// That the table is reached by another line now.
pub fn other_ways(line: &str) -> String {
    format!("Your address has changed. Who cannot come back pastes this: {line}")
}

/// The name asked to be compared because its key is not the one remembered.
pub fn changed_key(person: &Person) -> String {
    format!(
        "ATTENTION: the {} you met before had another key. Compare the key words aloud.",
        person.name
    )
}

/// News that are no fact of the game; `None` for those that nobody needs to know.
pub fn news(story: &Story, now: &Snapshot, news: &News) -> Option<String> {
    Some(match news {
        News::Fault { seat, reason, .. } => {
            format!("FAULT of seat {seat}, {}: {reason}. Its records prove it.", story.name(*seat))
        }
        News::RunningTwice => "This seat is being played by another copy of fairdeal. This one \
                               has stopped signing; close one of them."
            .into(),
        News::Ready if now.is_alone() => return None,
        News::Ready => "The others have told how far the game is.".into(),
        News::Forked(_) => {
            "A neighbour's log differs from ours; the place where it does is sought.".into()
        }
        News::Undone(records) => {
            format!("The others have settled it otherwise: {records} records are undone.")
        }
        News::BadNeighbour(_) | News::Fact(_) | News::Chat { .. } => return None,
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
                let words = reached(path, &is.roster.joins);
                lines.push(format!("{} is connected, {words}.", story.name(seat)));
            }
            Some(Presence::Away) => {
                lines.push(format!("{} is not connected; trying again.", story.name(seat)));
            }
            _ => {}
        }
    }
    let known = |now: &Snapshot, seat: Seat| now.rtts.get(seat.index()).copied().flatten();
    for seat in is.view.players().seats() {
        if let (None, Some(rtt)) = (known(was, seat), known(is, seat)) {
            lines.push(format!("{} answers in {}.", story.name(seat), self::rtt(rtt)));
        }
    }
    if was.watching != is.watching {
        lines.push(watching(is.watching));
    }
    lines
}

/// How a seat can be reached: "direct over QUIC", or "through Ben's relay" where a player's program
/// is the relay.
pub fn reached(presence: &Presence, joins: &[Join]) -> String {
    match presence {
        Presence::Here => "here".into(),
        Presence::Away => "not connected".into(),
        Presence::Connected(path) => {
            let relay = match path {
                Path::Relayed { relay, .. } => *relay,
                Path::Direct { .. } => None,
            };
            let owner = relay.and_then(|key| joins.iter().find(|join| join.key == key));
            match owner {
                Some(join) => format!("through {}'s relay", join.name),
                None => path.to_string(),
            }
        }
    }
}

/// How long an answer takes: `12 ms`.
pub fn rtt(rtt: Duration) -> String {
    match rtt.as_millis() {
        0 => "<1 ms".into(),
        many => format!("{many} ms"),
    }
}

/// How a seat can be reached, with how long an answer takes: `direct over QUIC, 12 ms`.
pub fn path(words: &str, time: Option<Duration>) -> String {
    match time {
        Some(time) => format!("{words}, {}", rtt(time)),
        None => words.into(),
    }
}

/// A path to somebody who has just come.
fn new_path(path: &Path) -> String {
    match path {
        Path::Relayed { .. } => format!("behind a router: {path}, trying a direct path"),
        Path::Direct { .. } => path.to_string(),
    }
}

/// Something to know on the way to a table.
pub fn remark(remark: &Remark) -> String {
    match remark {
        Remark::SameRelay(relay) => {
            format!("With the relay {relay}, as last time; --no-relay leaves it out.")
        }
        Remark::RelayFailed(relay, reason) => format!("the relay {relay}: {reason}"),
        Remark::Seeking(target) => seeking(target),
        Remark::Unreached(reason) => reason.to_string(),
        Remark::Met(host, path, None) => format!("at the table of {host}, {}", new_path(path)),
        Remark::Met(host, path, Some(hole)) => {
            format!("at the table of {host}, {path}, met through the relay {}", hole.relay)
        }
        Remark::HostGone => "the host is gone; looking for it again".into(),
        Remark::HostStaysRelayed => "no direct path to the host: the relay carries on".into(),
        Remark::Came(name, Some(path)) | Remark::Moved(name, path) => {
            format!("{name}: {}", new_path(path))
        }
        Remark::Came(name, None) => format!("{name} asks for a seat"),
        Remark::StaysRelayed(name) => format!("{name}: no direct path, the relay carries on"),
        Remark::Note(words) => words.clone(),
        Remark::Answers(name, time) => format!("{name} answers in {}", rtt(*time)),
    }
}

/// How the host is looked for.
fn seeking(target: &Target) -> String {
    let list = |addresses: &[Address]| {
        addresses.iter().map(Address::to_string).collect::<Vec<_>>().join(", ")
    };
    match target {
        Target::Words(words) => format!("looking for {words} on this network"),
        Target::Address(_, address) => format!("asking {address}"),
        Target::Invite(invite) if invite.relays().is_empty() => {
            format!("asking {}", list(invite.addresses()))
        }
        Target::Invite(invite) => format!(
            "asking {} directly, and through the relay {}",
            list(invite.addresses()),
            list(invite.relays())
        ),
    }
}

/// What happens in a lobby, by lines; `None` for what a line is not worth.
pub fn lobby(news: &LobbyNews) -> Option<String> {
    Some(match news {
        LobbyNews::Seats { joins, players, watching, .. } => {
            let names: Vec<&str> = joins.iter().map(|join| join.name.as_str()).collect();
            let watched = match watching {
                0 => String::new(),
                count => format!("; {count} watching"),
            };
            let names = names.join(", ");
            format!("{} of {players} seats taken: {names}{watched}", joins.len())
        }
        LobbyNews::Invite(invite) => {
            format!("there are other ways here now; send this:\n{}", join(invite))
        }
        LobbyNews::Rtts(_) => return None,
        LobbyNews::Remark(told) => remark(told),
    })
}

/// The line that friends paste to join a table.
pub fn join(invite: &str) -> String {
    format!("fairdeal join {invite}")
}

/// An unfinished game in a list, behind its id.
pub fn unfinished(game: &UnfinishedGame) -> String {
    let Meta { role, profile, .. } = &game.meta;
    let role = match role {
        Role::Host => "a table you host",
        Role::Guest => "a table you joined",
        Role::Alone => "alone against bots",
    };
    format!("{role}, profile {profile}")
}

/// The game that is asked for is in use.
pub const IN_USE: &str = "that game is being played by another fairdeal here";

/// What a file proves, in a word, and who has how many points, or what is wrong with it.
pub fn checked(checked: &Checked) -> (&'static str, String) {
    match checked {
        Checked::Verified(totals) => ("verified", points(totals)),
        Checked::Unfinished(totals) => ("unfinished", points(totals)),
        Checked::Wrong(reason) => ("WRONG", reason.clone()),
        Checked::Unreadable(reason) => ("unreadable", reason.clone()),
    }
}

/// Who has how many points, the most first.
fn points(totals: &Totals) -> String {
    let names = text::names(&totals.roster);
    let mut seats: Vec<_> = totals.totals.iter().collect();
    seats.sort_by_key(|(_, points)| std::cmp::Reverse(**points));
    let one = |(seat, points): (Seat, &i32)| {
        let name = names.get(seat.index()).map_or("", String::as_str);
        format!("{name} {points}")
    };
    seats.into_iter().map(one).collect::<Vec<_>>().join(", ")
}

/// How many watch: `2 watching`.
pub fn watching(count: u8) -> String {
    match count {
        0 => "Nobody watches any more.".into(),
        count => format!("{count} watching"),
    }
}

/// Whom the table waits for, and what can be done about it.
pub fn waiting(story: &Story, now: &Snapshot) -> String {
    let others = |seats: &[Seat]| -> Vec<Seat> {
        seats.iter().copied().filter(|seat| *seat != now.seat).collect()
    };
    let asked = now.claimed.iter().filter(|(_, by)| by.contains(&now.seat));
    let asked: Vec<Seat> = asked.map(|(seat, _)| *seat).collect();
    let (seats, asked) = (others(&now.awaited), others(&asked));
    let overdue: Vec<Seat> =
        now.overdue.iter().copied().filter(|seat| !asked.contains(seat)).collect();
    if !asked.is_empty() {
        let whom = names(story, &asked);
        return format!("You ask to go on without {whom}; the others have not agreed yet.");
    }
    if !overdue.is_empty() {
        let (whom, time) = (names(story, &overdue), minutes(now.waited));
        return format!("Nothing from {whom} for {time}: ! asks to go on without, or wait.");
    }
    let names = whom(story, now, &seats);
    match now.phase {
        _ if seats.is_empty() => nobody(story, now),
        // None of whom can be gone on without: of two players, or beside a host's bots.
        _ if now.waited >= KEPT => {
            format!("Still waiting for {names}. If you leave (q), the game is kept.")
        }
        Phase::Turn(_) => format!("Waiting for {names}."),
        Phase::Choice | Phase::ChoiceOpen => format!("{names} still to keep or flip."),
        Phase::Sit => format!("Waiting for {names} to sign the table."),
        Phase::Audit => format!("The round is checked; waiting for {names}."),
        _ => format!("The cards are dealt; waiting for {names}."),
    }
}

/// Names as a list, each with why nothing comes of it where that is known.
fn whom(story: &Story, now: &Snapshot, seats: &[Seat]) -> String {
    let one = |seat: &Seat| match is_away(now, *seat) {
        true => format!("{} (not connected, trying again)", story.name(*seat)),
        false => story.name(*seat),
    };
    seats.iter().map(one).collect::<Vec<_>>().join(" and ")
}

fn is_away(now: &Snapshot, seat: Seat) -> bool {
    now.presence.get(seat.index()) == Some(&Presence::Away)
}

/// Where the table waits for no other seat: a seat that has come back waits for the others' word.
fn nobody(story: &Story, now: &Snapshot) -> String {
    let away = away(now);
    match away.is_empty() {
        true => "One moment…".into(),
        false => format!("Waiting to hear from {}.", whom(story, now, &away)),
    }
}

/// The seats to which there is no connection.
pub fn away(now: &Snapshot) -> Vec<Seat> {
    now.view.players().seats().filter(|seat| is_away(now, *seat)).collect()
}

/// Whom the table waits for and why, where that is more than that they have to decide.
pub fn stuck(story: &Story, now: &Snapshot) -> Option<String> {
    let decides = matches!(now.phase, Phase::Choice | Phase::Turn(_));
    let away = now.awaited.iter().any(|seat| is_away(now, *seat));
    let own = now.awaited.as_slice() == [now.seat];
    let over = now.phase == Phase::Complete || now.asks;
    (!over && (!decides || away || own)).then(|| waiting(story, now))
}

/// Who asks to go on without whom, where that is new.
pub fn claims(story: &Story, was: &Snapshot, is: &Snapshot) -> Vec<String> {
    let known = |seat: Seat, by: Seat| {
        was.claimed.iter().any(|(owner, claimers)| *owner == seat && claimers.contains(&by))
    };
    let all = is.claimed.iter().flat_map(|(seat, by)| by.iter().map(|by| (*seat, *by)));
    let new = all.filter(|(seat, by)| *by != is.seat && !known(*seat, *by));
    new.map(|(seat, by)| match seat == is.seat {
        true => format!("{} asks to go on without you!", story.name(by)),
        false => format!("{} asks to go on without {}.", story.name(by), story.name(seat)),
    })
    .collect()
}

/// The clock of a seat that a decision is awaited from: what is left of its time, or, where the
/// table has no clock, how long it takes.
pub fn clock(now: &Snapshot, seat: Seat) -> Option<String> {
    let decides = matches!(now.phase, Phase::Choice | Phase::Turn(_));
    if !decides || !now.awaited.contains(&seat) {
        return None;
    }
    let clock = u64::from(now.roster.terms.clock_s);
    match clock.checked_sub(now.waited.as_secs()) {
        None | Some(0) if clock > 0 => Some("time is up".into()),
        Some(left) if clock > 0 => Some(minutes(Duration::from_secs(left))),
        _ => (now.waited >= LONG).then(|| minutes(now.waited)),
    }
}

/// From when on it is said how long a seat takes.
const LONG: Duration = Duration::from_secs(10);

/// From when on it is said that the game is kept for later.
const KEPT: Duration = Duration::from_secs(60);

/// `1:05`
fn minutes(time: Duration) -> String {
    format!("{}:{:02}", time.as_secs() / 60, time.as_secs() % 60)
}

/// Names as a list: `Ana`, `Ana and Ben`.
pub fn names(story: &Story, seats: &[Seat]) -> String {
    let names: Vec<String> = seats.iter().map(|seat| story.name(*seat)).collect();
    names.join(" and ")
}
