//! What a game's file proves, in words for people and as JSON for programs.

use serde_json::{Value, json};

use super::text;
use crate::{
    game::{BySeat, Seat},
    protocol::{
        lobby::{DealKind, Join},
        log::{
            evidence::{Evidence, NoEvidence},
            file::FileError,
            verify::{Report, RoundReport, Wrong},
        },
        table::Fact,
        vote::Reason,
    },
    run::key_words,
};

/// One line that says how a game stands.
pub fn line(checked: &Result<Report, Wrong>) -> String {
    match checked {
        Ok(report) if report.complete() => {
            format!("verified: {} records, complete", report.records)
        }
        Ok(report) => format!("right as far as it goes: {} records, unfinished", report.records),
        Err(wrong) => format!("wrong: {wrong}"),
    }
}

/// What a file of evidence proves.
pub fn evidence(file: &str, checked: &Result<Evidence, NoEvidence>) -> String {
    match checked {
        Ok(Evidence { table, seat, reason }) => {
            let player = table.player(*seat).map(player).unwrap_or_default();
            format!("{file}: proof of a fault\n  seat {seat}, {player}: {reason}\n")
        }
        Err(error) => format!("{file}: WRONG, it proves nothing\n  {error}\n"),
    }
}

/// The same as JSON.
pub fn evidence_json(file: &str, checked: &Result<Evidence, NoEvidence>) -> Value {
    match checked {
        Ok(Evidence { table, seat, reason }) => json!({
            "file": file, "verdict": "evidence", "seat": seat.number(),
            "player": table.player(*seat).map(player).unwrap_or_default(), "reason": reason,
        }),
        Err(error) => json!({ "file": file, "verdict": "wrong", "reason": error.to_string() }),
    }
}

/// What a game's file proves, line by line.
pub fn words(file: &str, checked: &Result<Report, Wrong>) -> String {
    let report = match checked {
        Ok(report) => report,
        Err(wrong) => return format!("{}: WRONG\n  {wrong}\n", file),
    };
    let mut lines = Vec::new();
    let state = if report.complete() { "right and complete" } else { "right, but unfinished" };
    lines.push(format!("{}: {state}", file));
    for (index, join) in report.table.roster().joins.iter().enumerate() {
        lines.push(format!("  seat {}  {}{}", index + 1, player(join), kept(report, join)));
    }
    let count = report.records;
    let out = report.absences.iter().any(|(_, fact)| matches!(fact, Fact::Out { .. }));
    let verdicts = if out { ", or a verdict that everyone else who was there signed," } else { "" };
    lines.push(format!(
        "  {count} records, each signed by its seat's key{verdicts} and chained to the one \
         before it;"
    ));
    lines.push("  each carries the digest of the public state, and the state follows.".into());
    lines.push(deal_line(report));
    lines.push("  Every keep, flip, show and scout was legal.".into());
    for round in &report.rounds {
        lines.push(round_line(report, round));
    }
    lines.extend(
        report.absences.iter().filter_map(|(record, fact)| absence_line(report, *record, fact)),
    );
    lines.push(end_line(report));
    lines.join("\n") + "\n"
}

/// The same as JSON.
pub fn json(file: &str, checked: &Result<Report, Wrong>) -> Value {
    let hex = &data_encoding::HEXLOWER;
    let report = match checked {
        Ok(report) => report,
        Err(wrong) => {
            let (record, offset) = match wrong {
                Wrong::Record { record, offset, .. } => (Some(*record), Some(*offset)),
                Wrong::File(
                    FileError::Length { record, offset, .. } | FileError::Torn { record, offset },
                ) => (Some(*record), Some(*offset)),
                _ => (None, None),
            };
            return json!({
                "file": file, "verdict": "wrong", "reason": wrong.to_string(),
                "record": record, "offset": offset,
            });
        }
    };
    let table = &report.table;
    let seats: Vec<_> = table
        .roster()
        .joins
        .iter()
        .map(|join| {
            json!({
                "name": join.name.as_str(), "key": join.key.to_string(),
                "words": key_words(&join.key), "kept_by": join.kept_by.map(|seat| seat + 1),
            })
        })
        .collect();
    let rounds: Vec<_> = report
        .rounds
        .iter()
        .map(|round| {
            let (ending, points) = round.end.unzip();
            json!({
                "round": round.round, "start": round.start.number(), "turns": round.turns,
                "end": ending.map(|ending| ending.to_string()),
                "points": points.map(|points| points.as_slice().to_vec()),
            })
        })
        .collect();
    let absences: Vec<_> = report
        .absences
        .iter()
        .map(|(record, fact)| match fact {
            Fact::Out { seat, reason, pays } => json!({
                "record": record, "seat": seat.number(), "out": reason.name(), "pays": pays,
            }),
            Fact::Back { seat } => json!({ "record": record, "seat": seat.number(), "back": true }),
            _ => json!(null),
        })
        .collect();
    let winners: Vec<u8> = table.game().winners().iter().map(|seat| seat.number()).collect();
    json!({
        "file": file,
        "verdict": if report.complete() { "complete" } else { "unfinished" },
        "game": hex.encode(table.game_id()), "head": hex.encode(table.head()),
        "absences": absences,
        "records": report.records, "deal": table.roster().terms.deal.name(), "seats": seats,
        "rounds": rounds,
        "proofs": {
            "shuffles": report.proofs.shuffles, "shares": report.proofs.shares,
            "cards": report.proofs.cards, "deals_audited": report.proofs.audited,
        },
        "totals": table.game().totals().as_slice(),
        "winners": if report.complete() { winners } else { Vec::new() },
    })
}

/// Name and key words.
fn player(join: &Join) -> String {
    format!("{} ({})", join.name, key_words(&join.key))
}

fn kept(report: &Report, join: &Join) -> String {
    let keeper = join.kept_by.and_then(Seat::new);
    let keeper = keeper.and_then(|seat| report.table.player(seat));
    keeper.map(|keeper| format!(", run by {}'s program", keeper.name)).unwrap_or_default()
}

fn deal_line(report: &Report) -> String {
    let (deals, proofs) = (report.table.deal_number(), report.proofs);
    let count = |number: u32, noun: &str| text::count(number as usize, noun);
    if deals == 0 {
        return "  No cards were dealt.".into();
    }
    let deals = count(deals, "deal");
    if report.table.roster().terms.deal == DealKind::Open {
        return format!(
            "  {deals}, open: every seat committed to its seed before any was shown, each seed \
             fits its\n  commitment, and the cards are those the seeds give. (Open means that \
             each program could\n  compute all hands.)"
        );
    }
    let audit = if proofs.audited == 0 {
        "No deal has been recomputed from the seeds yet: what is not shown so far is only\n  that \
         the seats used the seeds they committed to."
            .into()
    } else {
        format!(
            "{} recomputed from the seeds that every seat revealed after play:\n  keys, decks, \
             coins and salts are byte for byte those that were signed.",
            count(proofs.audited, "deal")
        )
    };
    format!(
        "  {deals}, sealed: {}, each with its proof (Bayer-Groth) that no card was added,\n  \
         changed or lost; {} of shares and {} shown, each proven to be made with its\n  \
         seat's key. {audit}",
        count(proofs.shuffles, "shuffle"),
        count(proofs.shares, "record"),
        count(proofs.cards, "card"),
    )
}

fn round_line(report: &Report, round: &RoundReport) -> String {
    let start = name(report, round.start);
    let turns = round.turns;
    match &round.end {
        Some((ending, points)) => format!(
            "  round {}, started by {start}: {turns} turns, {}, {}",
            round.round,
            ending,
            by_name(report, points)
        ),
        None => format!("  round {}, started by {start}: {turns} turns so far", round.round),
    }
}

/// Who went out by a verdict of the others, and who came back.
fn absence_line(report: &Report, record: u32, fact: &Fact) -> Option<String> {
    match fact {
        Fact::Out { seat, reason, pays } => {
            let why = match reason {
                Reason::Silent => "nothing came from it",
                Reason::Left => "it said that it leaves",
                Reason::Fault => "it was caught in a fault",
            };
            let cost = match pays {
                0 => String::new(),
                pays => format!("; it pays {pays} points"),
            };
            let name = name(report, *seat);
            Some(format!(
                "  record {record}: {name} is out: everyone else who was there signed that \
                 {why}{cost}."
            ))
        }
        Fact::Back { seat } => {
            Some(format!("  record {record}: {} is back in the game.", name(report, *seat)))
        }
        _ => None,
    }
}

fn by_name(report: &Report, points: &BySeat<i32>) -> String {
    let one = |(seat, points): (Seat, &i32)| format!("{} {points}", name(report, seat));
    points.iter().map(one).collect::<Vec<_>>().join(", ")
}

fn name(report: &Report, seat: Seat) -> String {
    report.table.player(seat).map(|join| join.name.to_string()).unwrap_or_default()
}

/// Whether the game ended by a goodbye that one program alone has signed as the end: a log that
/// goes on from there would be as good.
fn by_goodbye(report: &Report) -> bool {
    let last = report.absences.last();
    let left = matches!(last, Some((_, Fact::Out { reason: Reason::Left, .. })));
    left && report.table.live_programs().iter().count() == 1
}

fn end_line(report: &Report) -> String {
    let totals = by_name(report, &report.table.game().totals());
    if report.complete() {
        if report.table.game().is_abandoned() {
            let longer = match by_goodbye(report) {
                true => {
                    "\n  It ended by a goodbye; a longer record of this game would overrule it."
                }
                false => "",
            };
            return format!(
                "  Result: {totals}; the game ended early, for too few seats were left. Signed by \
                 every seat that was.{longer}"
            );
        }
        let winners: Vec<String> =
            report.table.game().winners().iter().map(|seat| name(report, seat)).collect();
        let shared = if winners.len() > 1 { "won together by" } else { "won by" };
        return format!(
            "  Result: {totals}; {shared} {}; signed by every seat{}.",
            winners.join(" and "),
            if report.absences.is_empty() { "" } else { " that was there at the end" }
        );
    }
    let filled = report.table.length() - report.table.length_whole();
    let waits: Vec<String> = report
        .table
        .expected()
        .into_iter()
        .skip(filled as usize)
        .map(|seat| name(report, seat))
        .collect();
    let kind = report.table.phase().kind().map_or("nothing", |kind| kind.name());
    format!("  So far: {totals}. Next is the {kind} of {}.", waits.join(" and "))
}
