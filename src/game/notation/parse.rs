//! From text to statements.

use super::{Reason, Refusal, Statement};
use crate::game::{
    Action, Card, Ending, Hand, NoAction, NoCard, PAIRS, Players, Seat, Seats, Slot,
};

/// The line is no statement of the notation.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
pub enum NoStatement {
    /// The first word begins no line of the notation.
    #[error("a line begins with scout, players, seat, round, deal, a seat number, end or result")]
    Unknown,
    /// The words after the first do not fit it.
    #[error("this line is written `{0}`")]
    Form(&'static str),
    /// The format has another version.
    #[error("this is no record of version 1, the only one there is so far")]
    Version,
    /// The number of players is none the game has.
    #[error("the game is for 2 to 5 players")]
    Players,
    /// The seat is no number from 1 to 5.
    #[error("a seat is a number from 1 to 5, without a sign or leading zeros")]
    Seat,
    /// The name has a control character, or there is none.
    #[error("a name has at least one character, and no control character or tab")]
    Name,
    /// The points are no plain whole numbers.
    #[error("points are whole numbers without a plus sign or leading zeros")]
    Points,
    /// More cards than there are.
    #[error("no hand has more cards than the deck")]
    Hand,
    /// A word is no card.
    #[error(transparent)]
    Card(#[from] NoCard),
    /// The words after a seat are no action.
    #[error(transparent)]
    Action(#[from] NoAction),
}

/// The statements of a record, without comments and blank lines; nothing is held against the
/// rules here.
pub fn parse(text: &str) -> Result<Vec<Statement>, Refusal> {
    lines(text)
        .filter_map(|(line, text)| {
            let refuse = |reason| Refusal { line, text: text.into(), reason: Reason::from(reason) };
            statement(text).map_err(refuse).transpose()
        })
        .collect()
}

/// The lines with their numbers from 1, without a byte-order mark and carriage returns.
pub(super) fn lines(text: &str) -> impl Iterator<Item = (usize, &str)> {
    let text = text.strip_prefix('\u{feff}').unwrap_or(text);
    text.lines().enumerate().map(|(index, line)| (index + 1, line))
}

/// The statement on a line; `None` if it is blank or a comment.
pub(super) fn statement(line: &str) -> Result<Option<Statement>, NoStatement> {
    let mut words = Words(line);
    let Some(first) = words.next() else {
        return Ok(None);
    };
    if first == "seat" {
        return seat_line(words).map(Some);
    }
    let end = if line.starts_with('#') { Some(0) } else { line.find(" #") };
    let mut words = Words(end.and_then(|end| line.get(..end)).unwrap_or(line));
    let Some(first) = words.next() else {
        return Ok(None);
    };
    let statement = match first {
        "scout" => match (words.next(), words.next()) {
            (Some("1"), None) => Statement::Scout,
            _ => return Err(NoStatement::Version),
        },
        "players" => match (words.next(), words.next()) {
            (Some(count), None) => Statement::Players(
                number(count).and_then(Players::new).ok_or(NoStatement::Players)?,
            ),
            _ => return Err(NoStatement::Form("players 3")),
        },
        "round" => round(words).ok_or(NoStatement::Form("round 1 start 2"))?,
        "deal" => deal(words)?,
        "end" => end_of_round(words)?,
        "result" => result(words)?,
        word if word.starts_with(|first: char| first.is_ascii_digit()) => play(seat(word)?, words)?,
        _ => return Err(NoStatement::Unknown),
    };
    Ok(Some(statement))
}

/// The words of a line, separated by spaces.
#[derive(Clone, Copy)]
struct Words<'a>(&'a str);

impl<'a> Iterator for Words<'a> {
    type Item = &'a str;

    fn next(&mut self) -> Option<&'a str> {
        let rest = self.0.trim_start_matches(' ');
        let (word, rest) = rest.split_once(' ').unwrap_or((rest, ""));
        self.0 = rest;
        (!word.is_empty()).then_some(word)
    }
}

fn seat_line(mut words: Words) -> Result<Statement, NoStatement> {
    let seat = seat(words.next().ok_or(NoStatement::Form("seat 1 Ana"))?)?;
    let name = words.0.trim_matches(' ');
    if name.is_empty() || name.contains(char::is_control) {
        return Err(NoStatement::Name);
    }
    Ok(Statement::Seat(seat, name.into()))
}

fn round(mut words: Words) -> Option<Statement> {
    let round = number(words.next()?)?;
    let start = words.next().filter(|&word| word == "start").and_then(|_| words.next())?;
    let start = seat(start).ok()?;
    words.next().is_none().then_some(Statement::Round(round, start))
}

fn deal(mut words: Words) -> Result<Statement, NoStatement> {
    let form = NoStatement::Form("deal 1 7/3 2/9 ?");
    let seat = seat(words.next().ok_or(form)?)?;
    if words.count() > PAIRS {
        return Err(NoStatement::Hand);
    }
    let slot = |word: &str| match word {
        "?" => Ok(Slot::Sealed),
        word => word.parse().map(Slot::Seen),
    };
    let hand: Hand = words.map(slot).collect::<Result<_, NoCard>>()?;
    if hand.is_empty() { Err(form) } else { Ok(Statement::Deal(seat, hand)) }
}

fn play(seat: Seat, words: Words) -> Result<Statement, NoStatement> {
    let mut after = words;
    match (after.next(), after.next(), after.next()) {
        (Some("out"), None, _) => return Ok(Statement::Out(seat, 0)),
        (Some("back"), None, _) => return Ok(Statement::Back(seat)),
        (Some("out"), pays, None) => {
            let pays = pays.and_then(number).filter(|&pays| (1..=PAIRS).contains(&pays.into()));
            return pays
                .map(|pays| Statement::Out(seat, pays))
                .ok_or(NoStatement::Form("3 out 11"));
        }
        _ => {}
    }
    let (action, shown) = match words.0.split_once(" = ") {
        Some((action, shown)) => (action, Some(Words(shown))),
        None => (words.0, None),
    };
    let action: Action = action.parse()?;
    let Some(shown) = shown else {
        return Ok(Statement::Play(seat, action, Vec::new()));
    };
    let shown = shown.map(str::parse).collect::<Result<Vec<Card>, NoCard>>()?;
    if shown.is_empty() || action.span().is_none() {
        return Err(NoStatement::Form("1 show 3-4 = 7/3 6/2"));
    }
    Ok(Statement::Play(seat, action, shown))
}

fn end_of_round(mut words: Words) -> Result<Statement, NoStatement> {
    let form = NoStatement::Form("end emptied 5 -2 7");
    let ending = match words.next() {
        Some("emptied") => Ending::Emptied,
        Some("stalled") => Ending::Stalled,
        Some("abandoned") if words.next().is_none() => return Ok(Statement::EndAbandoned),
        _ => return Err(form),
    };
    Ok(Statement::End(ending, points(words)?))
}

fn result(mut words: Words) -> Result<Statement, NoStatement> {
    let mut after = words;
    if after.next() == Some("abandoned") {
        return Ok(Statement::ResultAbandoned(points(after)?));
    }
    let totals = words.by_ref().take_while(|&word| word != "winner");
    let totals = totals.map(whole).collect::<Option<_>>().ok_or(NoStatement::Points)?;
    let mut winners = Seats::NONE;
    for word in words {
        let seat = seat(word)?;
        if winners.iter().any(|before| before >= seat) {
            return Err(NoStatement::Form("result 12 -1 20 winner 1 3"));
        }
        winners = winners.with(seat);
    }
    if winners.is_empty() {
        return Err(NoStatement::Form("result 12 -1 20 winner 3"));
    }
    Ok(Statement::Result(totals, winners))
}

fn points(words: Words) -> Result<Vec<i32>, NoStatement> {
    words.map(whole).collect::<Option<_>>().ok_or(NoStatement::Points)
}

fn seat(word: &str) -> Result<Seat, NoStatement> {
    number(word).and_then(Seat::from_number).ok_or(NoStatement::Seat)
}

/// A whole number, written in the one way it is printed.
fn whole(word: &str) -> Option<i32> {
    let digits = word.strip_prefix('-').unwrap_or(word);
    let plain = digits.bytes().all(|byte| byte.is_ascii_digit());
    let zero = digits.starts_with('0') && word != "0";
    word.parse().ok().filter(|_| plain && !zero)
}

fn number(word: &str) -> Option<u8> {
    whole(word)?.try_into().ok()
}
