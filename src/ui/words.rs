//! What the table says besides the story, in words.

use std::time::Duration;

use super::{story::Story, text};
use crate::{
    game::Seat,
    protocol::{
        lobby::{Join, Terms},
        session::News,
        table::Phase,
    },
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
        Again::Ours => format!("{key}: rematch with the same people."),
        Again::Awaited(host) if wished => {
            format!("The rematch begins as soon as {host} opens the next table.")
        }
        Again::Awaited(host) => {
            format!("{host} can host a rematch; {key} joins it.")
        }
        Again::Open(host) => format!("{host} is hosting a rematch: {key} joins it."),
        Again::Gone(host) => {
            format!("{host} (who would host the rematch) has left. You can host one yourself.")
        }
    }
}

/// A table of this network in words.
pub fn found(table: &Found) -> String {
    let Found { host, hosts, .. } = table;
    let state = match (hosts.begun, hosts.open) {
        (true, _) => "playing",
        (false, true) => "waiting",
        (false, false) => "invited players only",
    };
    format!("{host} · {} of {} seated · {state}", hosts.taken, hosts.players)
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
            format!(
                "FAULT: {} (seat {seat}) {reason}; the signed records prove it.",
                story.name(*seat)
            )
        }
        News::RunningTwice => "This seat is being played by another copy of fairdeal. This one \
                               has stopped signing; close one of them."
            .into(),
        News::Ready if now.is_alone() => return None,
        News::Ready => "Caught up with the others.".into(),
        News::Forked(_) => {
            "Another player's record of the game differs from yours; looking for where.".into()
        }
        News::Undone(records) => {
            format!(
                "The others agreed differently; your last {} taken back.",
                if *records == 1 { "move was".into() } else { format!("{records} moves were") }
            )
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
                count => format!("; {}", self::watching(*count)),
            };
            let names = names.join(", ");
            format!("{} of {players} seats taken: {names}{watched}", joins.len())
        }
        LobbyNews::Invite(invite) => {
            format!("Your address changed: send the new invite.\n{}", join(invite))
        }
        LobbyNews::Said(name, line) => format!("{name}: {line}"),
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

/// How many watch: `2 spectators`.
pub fn watching(count: u8) -> String {
    match count {
        0 => "No spectators now.".into(),
        count => text::count(count.into(), "spectator"),
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
        return format!("You propose to play on without {whom}; the others have not agreed yet.");
    }
    if !overdue.is_empty() {
        let (whom, time) = (names(story, &overdue), minutes(now.waited));
        return format!("{whom} silent for {time}. Press ! to propose playing on, or wait.");
    }
    let names = whom(story, now, &seats);
    match now.phase {
        _ if seats.is_empty() => nobody(story, now),
        // None of whom can be gone on without: of two players, or beside a host's bots.
        _ if now.waited >= KEPT => {
            format!("Still waiting for {names}. If you leave (q), the game is saved.")
        }
        Phase::Turn(_) => format!("Waiting for {names}."),
        Phase::Choice | Phase::ChoiceOpen => format!("Waiting for {names} to keep or flip."),
        Phase::Sit => format!("Waiting for {names} to sign the table."),
        Phase::Audit => format!("Checking the round; waiting for {names}."),
        _ => format!("Dealing; waiting for {names}."),
    }
}

/// Names as a list, each with why nothing comes of it where that is known.
fn whom(story: &Story, now: &Snapshot, seats: &[Seat]) -> String {
    let one = |seat: &Seat| match is_away(now, *seat) {
        true => format!("{} (not connected, trying again)", story.name(*seat)),
        false => story.name(*seat),
    };
    list(seats.iter().map(one).collect())
}

/// Whether a seat that takes part cannot be reached; a bot cannot where its program cannot.
pub fn is_away(now: &Snapshot, seat: Seat) -> bool {
    let keeper = now.roster.join(seat).and_then(|join| join.kept_by);
    let program = keeper.map_or(seat.index(), usize::from);
    now.view.present().contains(seat) && now.presence.get(program) == Some(&Presence::Away)
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
        true => format!("{} proposes to play on without you!", story.name(by)),
        false => format!("{} proposes to play on without {}.", story.name(by), story.name(seat)),
    })
    .collect()
}

/// Why nobody can be played on without now.
pub fn why_not_without(story: &Story, now: &Snapshot) -> String {
    let others: Vec<Seat> = now.awaited.iter().copied().filter(|seat| *seat != now.seat).collect();
    let (whom, own) = (names(story, &others), now.seat.index() as u8);
    let votes = |seat: &Seat| {
        let kept = now.roster.join(*seat).is_some_and(|join| join.kept_by.is_some());
        *seat != now.seat && !kept && !others.contains(seat)
    };
    let bot = |seat: &Seat| now.roster.join(*seat).is_some_and(|join| join.kept_by == Some(own));
    let limit = Duration::from_secs(patience(now));
    if others.is_empty() {
        "nobody keeps you waiting".into()
    } else if others.iter().all(bot) {
        format!("{whom} is a bot of yours: it plays by itself")
    } else if now.view.players().are_two() {
        format!("two players cannot play on without each other. {WAIT_OR_LEAVE}")
    } else if !now.view.present().iter().any(|seat| votes(&seat)) {
        format!(
            "beside you only your own bots are left, and they cannot vote {whom} out. \
             {WAIT_OR_LEAVE}"
        )
    } else {
        let left = minutes(limit.saturating_sub(now.waited));
        format!("{whom} has {left} left before you can propose to play on")
    }
}

/// What is left where the table cannot go on without somebody.
const WAIT_OR_LEAVE: &str = "Wait, or leave (q): the game is saved";

/// After how many seconds without a decision the others may propose to play on.
fn patience(now: &Snapshot) -> u64 {
    let terms = &now.roster.terms;
    u64::from(if terms.clock_s > 0 { terms.clock_s } else { terms.patience_s })
}

/// How it stands with the time of a seat that a decision is awaited from. A clock runs down; where
/// there is none, nothing is said until the seat has been silent for as long as the table waits.
pub fn clock(now: &Snapshot, seat: Seat) -> Option<String> {
    let decides = matches!(now.phase, Phase::Choice | Phase::Turn(_));
    if !decides || !now.awaited.contains(&seat) {
        return None;
    }
    let left = patience(now).saturating_sub(now.waited.as_secs());
    match (left, now.roster.terms.clock_s) {
        (0, 0) if seat != now.seat => Some(format!("silent {}", minutes(now.waited))),
        (_, 0) => None,
        (0, _) => Some("time is up".into()),
        (left, _) => Some(format!("{} left", minutes(Duration::from_secs(left)))),
    }
}

/// How the table's clock works, where it has one.
pub fn clock_terms(terms: &Terms, players: u8) -> Option<String> {
    let clock = terms.clock_s;
    match (clock, players) {
        (0, _) => None,
        (_, 2) => Some(format!(
            "Clock: {clock} s a turn. With two players it only shows: nothing happens when it is \
             up."
        )),
        _ => Some(format!(
            "Clock: {clock} s a turn; after that the others may vote to play on without a player."
        )),
    }
}

/// From when on it is said that the game is kept for later.
const KEPT: Duration = Duration::from_secs(60);

/// `1:05`
fn minutes(time: Duration) -> String {
    format!("{}:{:02}", time.as_secs() / 60, time.as_secs() % 60)
}

/// Names as a list: `Ana`, `Ana and Ben`, `Ana, Ben and Cy`, `4 players`.
pub fn names(story: &Story, seats: &[Seat]) -> String {
    list(seats.iter().map(|seat| story.name(*seat)).collect())
}

fn list(names: Vec<String>) -> String {
    match names.as_slice() {
        [] => String::new(),
        [one] => one.clone(),
        [first @ .., last] if names.len() <= 3 => format!("{} and {last}", first.join(", ")),
        many => text::count(many.len(), "player"),
    }
}
