//! A recorded game as one web page that needs nothing but itself.
//!
//! Every state is computed here, by the rules; the page only draws them. Names are strangers'
//! text: they reach the page escaped, as text, or as JSON in a block that is not a script.

mod steps;

pub use steps::{Played, Row, Step, Steps, steps};

use data_encoding::{BASE64, HEXLOWER};
use serde::Serialize;
use sha2::{Digest, Sha256};

use super::text;
use crate::{
    game::{Seat, deck},
    protocol::{
        lobby::{DealKind, Join},
        log::verify::{Proofs, Wrong},
        table::{Phase, Table},
    },
};

const PAGE: &str = include_str!("page.html");
const STYLE: &str = include_str!("page.css");
const SCRIPT: &str = include_str!("page.js");

/// What the page's script reads.
#[derive(Serialize)]
struct Data<'a> {
    names: Vec<&'a str>,
    of: u8,
    winners: Vec<usize>,
    hands: &'a [String],
    rounds: &'a [Played],
    steps: &'a [Step],
}

/// A log as a page, and the table after its last record. `key_words` gives the words a player's
/// key is known by.
///
/// # Errors
/// [`Wrong`]: the first thing wrong with the log.
pub fn page(file: &[u8], key_words: impl Fn(&Join) -> String) -> Result<(String, Table), Wrong> {
    let (steps, table) = steps(file)?;
    let complete = table.phase() == Phase::Complete;
    let joins = &table.roster().joins;
    let names: Vec<&str> = joins.iter().map(|join| join.name.as_str()).collect();
    let winners = table.game().winners().iter().map(Seat::index).collect();
    let data = Data {
        of: deck::rounds(table.players()),
        winners: if complete { winners } else { Vec::new() },
        hands: &steps.hands,
        rounds: &steps.rounds,
        steps: &steps.steps,
        names: names.clone(),
    };
    let keys = joins.iter().map(|join| {
        format!("<li>{} ({})</li>", escape(join.name.as_str()), escape(&key_words(join)))
    });
    let (style, script) = (plain(STYLE), plain(SCRIPT));
    let heading = escape(&names.join(", "));
    let html = fill(
        &plain(PAGE),
        &[
            ("policy", &policy(&style, &script)),
            ("title", &format!("{heading} · fairdeal")),
            ("style", &style),
            ("heading", &heading),
            ("about", &escape(&about(&table))),
            ("proved", &escape(&proved(&table, &steps.proofs))),
            ("game_id", &HEXLOWER.encode(table.game_id())),
            ("keys", &keys.collect::<String>()),
            ("log", &log(&steps.steps)),
            ("stands", &escape(&stands(&table))),
            ("game", &json(&data)),
            ("script", &script),
        ],
    );
    Ok((html, table))
}

fn about(table: &Table) -> String {
    let deal = text::deal(table.roster().terms.deal);
    let complete = table.phase() == Phase::Complete;
    let state = if complete { "a complete game" } else { "an unfinished game" };
    format!("SCOUT, {} players, {deal}; {state}", table.players().count())
}

/// What `verify` finds, in a line or two. The steps were read by the same checks.
fn proved(table: &Table, proofs: &Proofs) -> String {
    let count = |number: u32, noun: &str| text::count(number as usize, noun);
    let complete = table.phase() == Phase::Complete;
    let state = if complete { "right and complete" } else { "right, but unfinished" };
    let deals = table.deal_number();
    let deal = match table.roster().terms.deal {
        _ if deals == 0 => "no cards dealt".into(),
        DealKind::Open => format!("{} recomputed from the seeds of all", count(deals, "open deal")),
        DealKind::Sealed => format!(
            "{} with {} and {} shown, each proven, {} recomputed from the seeds of all",
            count(deals, "sealed deal"),
            count(proofs.shuffles, "shuffle"),
            count(proofs.cards, "card"),
            match proofs.audited {
                0 => "none yet".into(),
                audited => audited.to_string(),
            }
        ),
    };
    format!(
        "When this page was made, fairdeal verify found the file {state}: {}, each signed by its \
         seat's key and chained to the one before it; {deal}; every action legal.",
        count(table.length(), "record")
    )
}

/// How the game stands at the end of the log.
fn stands(table: &Table) -> String {
    if table.phase() == Phase::Complete {
        return "The game is complete.".into();
    }
    let filled = (table.length() - table.length_whole()) as usize;
    let waits = table.expected().into_iter().skip(filled);
    let names: Vec<String> =
        waits.filter_map(|seat| Some(table.player(seat)?.name.to_string())).collect();
    let kind = table.phase().kind().map_or("nothing", |kind| kind.name());
    let names = names.join(" and ");
    format!("The record ends here; the game is unfinished. Next is the {kind} of {names}.")
}

/// The log as a list, which can be read without any script.
fn log(steps: &[Step]) -> String {
    let line = |step: &Step| {
        format!(
            "<li class=\"{}\"><button type=\"button\" tabindex=\"-1\">{}</button></li>\n",
            step.fact,
            escape(&step.words)
        )
    };
    steps.iter().map(line).collect()
}

/// The policy that lets nothing run or load but the page's own style and script.
fn policy(style: &str, script: &str) -> String {
    let hash = |text: &str| BASE64.encode(&Sha256::digest(text.as_bytes()));
    format!(
        "default-src 'none'; style-src 'sha256-{}'; script-src 'sha256-{}'; base-uri 'none'; \
         form-action 'none'; require-trusted-types-for 'script'; trusted-types 'none'",
        hash(style),
        hash(script)
    )
}

/// A part of the page with the line ends a browser makes of any, so that its hash is the one
/// the browser computes.
fn plain(part: &str) -> String {
    part.replace('\r', "")
}

/// The template with `{{name}}` replaced, in one pass: what is put in is not looked at again.
fn fill(template: &str, values: &[(&str, &str)]) -> String {
    let mut parts = template.split("{{");
    let mut filled = parts.next().unwrap_or_default().to_string();
    for part in parts {
        let (name, rest) = part.split_once("}}").unwrap_or((part, ""));
        let value = values.iter().find(|(key, _)| *key == name);
        filled.push_str(value.map_or("", |(_, value)| value));
        filled.push_str(rest);
    }
    filled
}

/// Text for between tags and for quoted attributes.
fn escape(text: &str) -> String {
    let mut escaped = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '&' => escaped.push_str("&amp;"),
            '<' => escaped.push_str("&lt;"),
            '>' => escaped.push_str("&gt;"),
            '"' => escaped.push_str("&quot;"),
            '\'' => escaped.push_str("&#39;"),
            c => escaped.push(c),
        }
    }
    escaped
}

/// JSON for inside a script element: nothing in it can end the element or begin a comment.
fn json(value: &impl Serialize) -> String {
    let json = serde_json::to_string(value).unwrap_or_else(|_| "null".into());
    let mut escaped = String::with_capacity(json.len());
    for c in json.chars() {
        match c {
            '<' | '>' | '&' | '\u{2028}' | '\u{2029}' => {
                escaped.push_str(&format!("\\u{:04x}", u32::from(c)));
            }
            c => escaped.push(c),
        }
    }
    escaped
}

#[cfg(test)]
mod tests;
