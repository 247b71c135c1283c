//! Hostile bytes: what must hold whatever they are. One function for each door they come in by.
//!
//! Each takes any bytes and panics if a promise is broken: the fuzz targets, the corpus as a plain
//! test and a seeded generator all call these. Where random bytes would end at the first
//! signature, an input can also be read as [`Choices`] that change a right record and sign it anew.

mod choices;
mod games;
mod session;

pub use choices::Choices;
pub use games::{Played, file, games};
pub use session::{Tally, session};

use crate::{
    game::{
        Action, Card,
        notation::{check, parse, trace},
    },
    protocol::{
        codec,
        log::{
            evidence,
            record::{Body, Record, Unchecked},
            verify::{Wrong, read_open, verify},
        },
        message::{Greeting, Message, Note, Talk},
        table::{Refusal, Table},
    },
};

/// A frame from a neighbour: it has one encoding, or is none.
pub fn frame(bytes: &[u8]) {
    if let Ok(message) = codec::decode::<Message>(bytes) {
        assert_eq!(codec::encode(&message), bytes, "a message has one encoding");
        if let Message::Table(_, Talk::Note(note)) = message {
            let keys = &games()[0].cast;
            let note = Note::open(&note, |seat| Some(keys.identity(seat).public()));
            assert!(note.is_none_or(|note| !codec::encode(&note).is_empty()));
        }
    }
    if let Ok(greeting) = codec::decode::<Greeting>(bytes) {
        assert_eq!(codec::encode(&greeting), bytes, "a greeting has one encoding");
    }
}

/// A record for a table in the middle of a game. The first three bytes choose game, table and what
/// the rest is: a record, one without its signature, or a seat and a body.
pub fn record(bytes: &[u8]) {
    let mut choices = Choices::new(bytes);
    let Some(game) = choices.pick(games()) else { return };
    let Some(table) = choices.pick(&game.tables) else { return };
    let kind = choices.byte() % 4;
    let record = match kind {
        0 => choices.rest().to_vec(),
        1 => signed_text(game, choices.rest()),
        2 => {
            let seat = choices.byte() % game.cast.seats;
            let Ok(body) = codec::decode::<Body>(choices.rest()) else { return };
            game.sign_at(table, seat, body)
        }
        _ => {
            let Some(own) = game.log.get(choices.below(game.log.len())) else { return };
            let Some(record) = changed(game, own, &mut choices) else { return };
            let seat = record.seat % game.cast.seats;
            game.sign_at(table, seat, record.body)
        }
    };
    if let Ok(unchecked) = Unchecked::decode(&record) {
        let text = codec::encode(unchecked.record());
        assert!(record.starts_with(&text), "a record has one encoding");
    }
    offer(game, table, &record, kind >= 2);
}

/// Offers a record to a table: what is taken goes on, and what is wrong is proven to be.
fn offer(game: &Played, table: &Table, bytes: &[u8], fits: bool) {
    match table.admit(bytes) {
        Ok(record) => {
            let mut after = table.clone();
            let next = table.expected().first().copied();
            let in_turn =
                next.is_some_and(|seat| seat.index() == usize::from(record.record().seat));
            let taken = after.append(record);
            assert_eq!(taken.is_ok(), in_turn, "{taken:?}");
            if in_turn {
                assert_eq!(after.length(), table.length() + 1);
            } else {
                assert_eq!(after.head(), table.head(), "a refused record changes nothing");
            }
        }
        Err(Refusal::Wrong { record, reason }) if table.length() < 24 => {
            assert!(!reason.is_empty() && reason.len() < 256 * 1024);
            let file = evidence::encode(game.before(table), &[record.bytes()]);
            let proven = evidence::check(&file);
            let seat = proven.map(|evidence| evidence.seat.index());
            assert_eq!(seat, Ok(usize::from(record.record().seat)));
        }
        Err(Refusal::Elsewhere(_) | Refusal::Signature(_)) => {
            assert!(!fits, "it was signed by its seat, for this place");
        }
        Err(_) => {}
    }
}

/// `text` and the signature of the seat it names.
fn signed_text(game: &Played, text: &[u8]) -> Vec<u8> {
    let seat = codec::decode::<Record>(text).map_or(0, |record| record.seat);
    let signature = game.identity(seat).sign("record", text);
    [text, &signature].concat()
}

/// A record with bytes changed that still is one.
fn changed(game: &Played, bytes: &[u8], choices: &mut Choices) -> Option<Record> {
    let mut record = Unchecked::decode(bytes).ok()?.record().clone();
    if choices.byte().is_multiple_of(4) {
        record.body = choices.pick(&game.bodies())?.clone();
    }
    let mut text = codec::encode(&record);
    if !choices.byte().is_multiple_of(8) {
        choices.mutate(&mut text);
    }
    codec::decode(&text).ok()
}

/// A log file. One that does not begin with an `f` chooses a game and a record of it, which is
/// changed and signed anew.
pub fn replay(bytes: &[u8]) {
    if bytes.first().is_none_or(|first| *first == b'f') {
        return replay_file(bytes);
    }
    let mut choices = Choices::new(bytes.get(1..).unwrap_or_default());
    let Some(game) = choices.pick(games()) else { return };
    let mut log = game.log.clone();
    let at = choices.below(log.len());
    let Some(own) = log.get(at) else { return };
    let Some(record) = changed(game, own, &mut choices) else { return };
    let keep = choices.byte().is_multiple_of(2);
    log[at] = record.sign(&game.identity(record.seat));
    log.truncate(if keep { log.len() } else { at + 1 });
    replay_file(&file(&log));
}

fn replay_file(bytes: &[u8]) {
    let report = verify(bytes);
    let mut records = 0;
    let open = read_open(bytes, |_, _, _, _| records += 1);
    match (report, open) {
        (Ok(report), Ok(table)) => {
            assert_eq!((report.records, report.table.head()), (records, table.head()));
            assert_eq!(report.table.state(), table.state(), "known cards change no digest");
        }
        (Err(wrong), Err(other)) => {
            assert_eq!(wrong, other);
            assert!(!matches!(wrong, Wrong::Record { record: 0, .. }));
        }
        (report, open) => panic!("read in two ways: {report:?} and {open:?}"),
    }
}

/// An evidence file. One that does not begin with an `f` chooses a game, where its log is cut, and
/// one or two records: as they were signed, which must prove nothing, or changed.
pub fn evidence(bytes: &[u8]) {
    if bytes.first().is_none_or(|first| *first == b'f') {
        if let Ok(evidence) = evidence::check(bytes) {
            assert!(evidence.table.player(evidence.seat).is_some());
        }
        return;
    }
    let mut choices = Choices::new(bytes.get(1..).unwrap_or_default());
    let Some(game) = choices.pick(games()) else { return };
    let cut = choices.below(game.log.len().min(64)).max(1);
    let (mut signed, mut honest) = (Vec::new(), true);
    for _ in 0..=choices.below(2) {
        let Some(own) = game.log.get(choices.below(game.log.len())) else { return };
        if choices.byte().is_multiple_of(3) {
            signed.push(own.clone());
            continue;
        }
        let Some(record) = changed(game, own, &mut choices) else { return };
        signed.push(record.sign(&game.identity(record.seat)));
        honest &= game.log.contains(signed.last().unwrap_or(own));
    }
    let signed: Vec<&[u8]> = signed.iter().map(Vec::as_slice).collect();
    let file = evidence::encode(&game.log[..cut], &signed);
    assert!(!honest || evidence::check(&file).is_err(), "records as played accuse a seat");
}

/// A game in the text notation: printing and parsing are inverse, and what is right stays right.
pub fn notation(bytes: &[u8]) {
    let text = String::from_utf8_lossy(bytes);
    let checked = check(&text, |line, game| {
        assert!(trace(line, game).is_none_or(|json| json.starts_with('{')));
    });
    match parse(&text) {
        Ok(statements) => {
            let print = |statement| format!("{statement}\n");
            let printed: String = statements.iter().map(print).collect();
            let again = parse(&printed);
            assert_eq!(again.as_ref(), Ok(&statements), "{printed}");
            let right = check(&printed, |_, _| {}).is_ok();
            assert_eq!(right, checked.is_ok(), "{printed}");
        }
        Err(_) => assert!(checked.is_err(), "only notation can be right"),
    }
    if let Ok(action) = text.parse::<Action>() {
        assert_eq!(action.to_string().parse(), Ok(action));
    }
    if let Ok(card) = text.parse::<Card>() {
        assert_eq!(card.to_string().parse(), Ok(card));
    }
}

/// What follows `fairdeal join`.
#[cfg(feature = "net")]
pub fn invite(bytes: &[u8]) {
    use crate::net::{Address, Invite, Target};

    let text = String::from_utf8_lossy(bytes);
    if let Ok(invite) = text.parse::<Invite>() {
        let printed = invite.to_string();
        assert_eq!(printed.parse().as_ref(), Ok(&invite), "{printed}");
        assert_eq!(printed.parse(), Ok(Target::Invite(invite)), "{printed}");
    }
    if let Ok(address) = text.parse::<Address>() {
        assert_eq!(address.to_string().parse(), Ok(address));
    }
    match text.parse::<Target>() {
        Ok(Target::Words(words)) => {
            assert_eq!(words.parse(), Ok(Target::Words(words.clone())));
        }
        Ok(_) => {}
        Err(error) => assert!(!error.to_string().is_empty()),
    }
}
