//! A game as steps: one a fact, each with where everything is after it.

use std::collections::HashMap;

use serde::Serialize;

use crate::{
    game::{Action, BySeat, Ending, Game, Hand, Players, Round, Seat, Slot},
    protocol::{
        log::verify::{Proofs, Wrong, read_open},
        table::{Fact, Table},
    },
    ui::story::Story,
};

/// A step of a game: one fact, and where everything is after it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Step {
    /// The round, from 1; 0 before the first deal.
    pub round: u8,
    /// Turns taken in the round.
    pub turn: u32,
    /// What kind of fact it is.
    pub fact: &'static str,
    /// The fact in words; the page has them in its log.
    #[serde(skip)]
    pub words: String,
    /// The seats to act, from 0.
    pub turn_of: Vec<usize>,
    /// Whether they are to keep or turn their hands.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub choosing: bool,
    /// The cards of the active set, two characters each.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub active: String,
    /// The active set in words.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub kind: String,
    /// The seat whose set it is, from 0.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub owner: Option<usize>,
    /// The hands with every card that the log reveals, by their number in [`Steps::hands`].
    #[serde(skip_serializing_if = "Option::is_none")]
    pub hands: Option<Vec<usize>>,
    /// The hands as the table could see them.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub seen: Option<Vec<usize>>,
    /// Cards captured by each seat.
    pub captured: Vec<u8>,
    /// Tokens of each seat.
    pub tokens: Vec<u16>,
    /// Whether each seat still has its scout-and-show; none for two players.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub may: Option<Vec<bool>>,
    /// The seats that are out.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub away: Vec<usize>,
    /// The seat that has just scouted and the place of the card, both from 0; none if the card
    /// was shown at once.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub fresh: Option<(usize, usize)>,
    /// The points of all rounds that are over.
    pub totals: Vec<i32>,
    /// The round whose points are to be shown, from 0.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub counted: Option<usize>,
}

/// A round of a game, for jumping to it and for its points.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Played {
    /// The round, from 1.
    pub round: u8,
    /// Turns taken.
    pub turns: u32,
    /// The step it was over at, from 0.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub over: Option<usize>,
    /// How it ended, in words.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub ending: String,
    /// How each seat's points come about.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub rows: Vec<Row>,
}

/// The points of one seat in one round.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Row {
    captured: u8,
    tokens: u16,
    hand: usize,
    free: bool,
    points: i32,
    total: i32,
}

/// A game step by step.
#[derive(Debug, Clone, Default)]
pub struct Steps {
    /// One step a fact.
    pub steps: Vec<Step>,
    /// The rounds dealt.
    pub rounds: Vec<Played>,
    /// Every hand there was, once: two characters a card.
    pub hands: Vec<String>,
    /// What was proven of sealed deals.
    pub proofs: Proofs,
    numbers: HashMap<String, usize>,
}

/// Follows the facts of a log.
struct Walk {
    story: Story,
    players: Players,
    open: Game,
    totals: BySeat<i32>,
    steps: Steps,
}

/// The steps of a log, and the table after its last record.
///
/// # Errors
/// [`Wrong`]: the first thing wrong with the log.
pub fn steps(file: &[u8]) -> Result<(Steps, Table), Wrong> {
    let mut walk: Option<Walk> = None;
    let table = read_open(file, |table, record, _, facts| {
        let walk = walk.get_or_insert_with(|| Walk::new(table));
        walk.steps.proofs.count(record, facts);
        facts.iter().for_each(|fact| walk.take(table, fact));
    })?;
    Ok((walk.map(|walk| walk.steps).unwrap_or_default(), table))
}

impl Walk {
    fn new(table: &Table) -> Walk {
        let players = table.players();
        Walk {
            story: Story::new(table.roster(), players),
            players,
            open: Game::new(players),
            totals: BySeat::from_fn(players, |_| 0),
            steps: Steps::default(),
        }
    }

    /// Notes a fact; `table` is as it is after the record, which may have given several.
    fn take(&mut self, table: &Table, fact: &Fact) {
        let words = self.story.tell(fact).into_iter().next();
        let words = words.unwrap_or_else(|| signed_line(fact));
        match fact {
            Fact::Acted { seat, action, shown } => {
                let next = self.open.apply(*seat, *action, shown);
                self.open = next.unwrap_or(*table.game_open());
            }
            Fact::Dealt { .. } | Fact::RoundOver { .. } => self.open = *table.game_open(),
            _ => {}
        }
        self.note_round(fact);
        let step = self.step(fact, words);
        self.steps.steps.push(step);
    }

    fn note_round(&mut self, fact: &Fact) {
        let at = self.steps.steps.len();
        let rounds = &mut self.steps.rounds;
        match fact {
            Fact::Dealt { round, .. } => {
                let (round, ending, rows) = (*round, String::new(), Vec::new());
                rounds.push(Played { round, turns: 0, over: None, ending, rows });
            }
            Fact::Acted { action, .. } if !action.is_choice() => {
                if let Some(round) = rounds.last_mut() {
                    round.turns += 1;
                }
            }
            Fact::RoundOver { ending, points, .. } => {
                for (seat, points) in points.iter() {
                    self.totals[seat] += points;
                }
                if let (Some(played), Some(round)) = (rounds.last_mut(), self.open.round()) {
                    played.over = Some(at);
                    played.ending = ending_words(*ending).into();
                    played.rows = rows(round, *ending, points, &self.totals);
                }
            }
            _ => {}
        }
    }

    fn step(&mut self, fact: &Fact, words: String) -> Step {
        let (open, public) = (self.open, *self.story.game());
        let (round, seats) = (open.round(), || self.players.seats());
        let hands = round.map(|round| seats().map(|seat| *round.hand(seat)).collect::<Vec<_>>());
        let seen = public.round().map(|round| seats().map(|seat| *round.hand(seat)).collect());
        let active = round.and_then(Round::active);
        let choosing = round.is_some_and(Round::is_choosing);
        let turn_of = round.map_or(Vec::new(), |round| match round.turn() {
            Some(seat) => vec![seat.index()],
            None if choosing => round.to_choose().iter().map(Seat::index).collect(),
            None => Vec::new(),
        });
        let three = round.filter(|_| !self.players.are_two());
        let away = round.map_or(Vec::new(), |round| {
            seats().filter(|seat| !round.present().contains(*seat)).map(Seat::index).collect()
        });
        Step {
            round: open.round_number(),
            turn: self.steps.rounds.last().map_or(0, |round| round.turns),
            fact: name_of(fact),
            words,
            turn_of,
            choosing,
            active: active
                .map(|set| set.cards().map(|card| code(Slot::Seen(card))))
                .map(Iterator::collect)
                .unwrap_or_default(),
            kind: active.map(|set| set.sort()).unwrap_or_default(),
            owner: active.and(round.and_then(Round::owner)).map(Seat::index),
            captured: round
                .map_or(Vec::new(), |round| seats().map(|seat| round.captured(seat)).collect()),
            tokens: round
                .map_or(Vec::new(), |round| seats().map(|seat| round.tokens(seat)).collect()),
            may: three.map(|round| seats().map(|seat| round.may_scout_and_show(seat)).collect()),
            away,
            fresh: match fact {
                Fact::Acted { seat, action, .. } => {
                    scouted_place(*action).map(|place| (seat.index(), place))
                }
                _ => None,
            },
            totals: self.totals.as_slice().to_vec(),
            counted: match fact {
                Fact::RoundOver { .. } | Fact::RoundSigned { .. } | Fact::Audited { .. } => {
                    self.steps.rounds.len().checked_sub(1)
                }
                _ => None,
            },
            hands: hands.map(|hands| self.steps.intern(hands)),
            seen: seen.map(|hands| self.steps.intern(hands)),
        }
    }
}

impl Steps {
    /// The numbers of these hands among all there were.
    fn intern(&mut self, hands: Vec<Hand>) -> Vec<usize> {
        let mut number = |hand: &Hand| {
            let codes: String = hand.iter().map(code).collect();
            *self.numbers.entry(codes).or_insert_with_key(|codes| {
                self.hands.push(codes.clone());
                self.hands.len() - 1
            })
        };
        hands.iter().map(&mut number).collect()
    }
}

fn rows(round: &Round, ending: Ending, points: &BySeat<i32>, totals: &BySeat<i32>) -> Vec<Row> {
    let row = |(seat, points): (Seat, &i32)| Row {
        captured: round.captured(seat),
        tokens: round.tokens(seat),
        hand: round.hand(seat).len(),
        free: ending == Ending::Stalled
            && round.owner() == Some(seat)
            && round.present().contains(seat),
        points: *points,
        total: totals[seat],
    };
    points.iter().map(row).collect()
}

/// A card in two characters: digits as it lies, the number up first and 0 for ten; letters from
/// A for one where its side is not known; `??` where nothing is.
pub(super) fn code(slot: Slot) -> String {
    let digit = |number: u8| char::from(b'0' + number % 10);
    let letter = |number: u8| char::from(b'@' + number);
    match slot {
        Slot::Seen(card) => [digit(card.up()), digit(card.down())].iter().collect(),
        Slot::Turned(card) => [letter(card.up()), letter(card.down())].iter().collect(),
        Slot::Sealed => "??".into(),
    }
}

fn name_of(fact: &Fact) -> &'static str {
    match fact {
        Fact::Seated => "seated",
        Fact::Dealt { .. } => "dealt",
        Fact::Acted { action, .. } if action.is_choice() => "choice",
        Fact::Acted { .. } => "turn",
        Fact::RoundOver { .. } => "over",
        Fact::RoundSigned { .. } => "signed",
        Fact::Audited { .. } => "audited",
        Fact::Out { .. } => "out",
        Fact::Back { .. } => "back",
        Fact::DealtAnew { .. } => "anew",
        Fact::Complete => "complete",
    }
}

/// Where a card just scouted stands in the hand after the action, unless it was shown at once.
pub(super) fn scouted_place(action: Action) -> Option<usize> {
    let place = usize::from(action.scout()?.place);
    match action.span() {
        Some(span) if place > span.last() => Some(place - span.len()),
        Some(span) if place >= span.first() => None,
        _ => Some(place),
    }
}

/// The words for what the story passes over.
fn signed_line(fact: &Fact) -> String {
    match fact {
        Fact::RoundSigned { round } => {
            format!("Every seat has signed the points of round {round}.")
        }
        _ => String::new(),
    }
}

fn ending_words(ending: Ending) -> &'static str {
    match ending {
        Ending::Emptied => "a hand is empty",
        Ending::Stalled => "nobody beat the active set",
    }
}
