//! What happens at a table, told in words.

use super::text;
use crate::{
    game::{Action, BySeat, Card, End, Ending, Game, Hand, Players, Round, Scout, Seat, Set, deck},
    protocol::{
        lobby::Roster,
        table::{Fact, hide_side},
        vote::Reason,
    },
};

/// Follows the facts of a game as anyone at the table could and tells each in words.
#[derive(Debug, Clone)]
pub struct Story {
    names: Vec<String>,
    players: Players,
    game: Game,
}

impl Story {
    /// The story of a game from its beginning. Two players of one name, or of names that look
    /// alike, are told apart by their seats.
    pub fn new(roster: &Roster, players: Players) -> Story {
        Story { names: text::names(roster), players, game: Game::new(players) }
    }

    /// The story gone on with where the game stands like this.
    pub fn at(self, game: Game) -> Story {
        Story { game, ..self }
    }

    /// The game as told so far.
    pub fn game(&self) -> &Game {
        &self.game
    }

    /// The name of a seat.
    pub fn name(&self, seat: Seat) -> String {
        self.names.get(seat.index()).cloned().unwrap_or_default()
    }

    /// Whose something is: `Ben's`.
    pub fn whose(&self, seat: Seat) -> String {
        format!("{}'s", self.name(seat))
    }

    /// The seat that somebody means by its name or its number.
    pub fn seat_called(&self, whom: &str) -> Option<Seat> {
        let named = |seat: &Seat| seat.number().to_string() == whom || self.name(*seat) == whom;
        self.players.seats().find(named)
    }

    /// Tells a fact in one or more lines.
    pub fn tell(&mut self, fact: &Fact) -> Vec<String> {
        match fact {
            Fact::Seated => vec!["Everyone is in. The game begins.".into()],
            Fact::Dealt { round, start } => {
                let size = deck::hand_size(self.players);
                let present = self.game.present();
                let hands = BySeat::from_fn(self.players, |seat| {
                    if present.contains(seat) { Hand::sealed(size) } else { Hand::EMPTY }
                });
                self.step(|game| game.deal(*start, hands).ok());
                let of = deck::rounds(self.players);
                vec![format!("Round {round} of {of} is dealt. {} starts.", self.name(*start))]
            }
            Fact::Acted { seat, action, shown } => {
                let before = self.game;
                self.step(|game| game.apply(*seat, hide_side(*action), shown).ok());
                vec![self.acted(&before, *seat, *action, shown)]
            }
            Fact::RoundOver { round, ending, points } => self.round_over(*round, *ending, points),
            Fact::RoundSigned { .. } => Vec::new(),
            Fact::Audited { .. } => {
                vec!["All seeds revealed: the deal checks out.".into()]
            }
            Fact::Out { seat, reason, pays } => {
                self.step(|game| game.out_paying(*seat, *pays).ok());
                let why = match reason {
                    Reason::Silent => "did not answer",
                    Reason::Left => "left",
                    Reason::Fault => "broke the rules, and there is proof",
                };
                let cost = match pays {
                    0 => String::new(),
                    pays => format!(
                        " They pay {}: they could have seen their cards.",
                        text::count(usize::from(*pays), "point")
                    ),
                };
                vec![format!("{} {why}; the others play on without them.{cost}", self.name(*seat))]
            }
            Fact::Back { seat } => {
                self.step(|game| game.back(*seat).ok());
                vec![format!("{} is back and will be dealt in.", self.name(*seat))]
            }
            Fact::DealtAnew { .. } => vec!["Redealing.".into()],
            Fact::Complete => vec![self.result()],
        }
    }

    fn step(&mut self, next: impl FnOnce(&Game) -> Option<Game>) {
        if let Some(next) = next(&self.game) {
            self.game = next;
        }
    }

    fn acted(&self, before: &Game, seat: Seat, action: Action, shown: &[Card]) -> String {
        let name = self.name(seat);
        match action {
            Action::Keep => format!("{name} keeps the hand."),
            Action::Flip => format!("{name} flips the hand."),
            Action::Show(_) => format!("{name} shows {}.", self.show(before, shown)),
            Action::Scout(scout) => {
                let (took, chip) = self.scout(before, scout);
                format!("{name} scouts {took}; {chip}.")
            }
            Action::ScoutAndShow(scout, _) => {
                let active = before.round().and_then(Round::active);
                let beaten = match active.map_or(0, Set::len) {
                    0 | 1 => String::new(),
                    cards => format!(", captures {}", cards - 1),
                };
                let (took, chip) = self.scout(before, scout);
                let shows = text::cards(shown);
                format!("{name} scouts and shows: takes {took} ({chip}), shows {shows}{beaten}.")
            }
        }
    }

    fn show(&self, before: &Game, shown: &[Card]) -> String {
        let round = before.round();
        let beaten = round.and_then(|round| round.active().zip(round.owner()));
        let cards = text::cards(shown);
        match beaten {
            Some((set, owner)) => format!(
                "{cards}, beats {} {} and captures {}",
                self.whose(owner),
                set.sort(),
                set.len()
            ),
            None => cards,
        }
    }

    /// What a scout takes and where it goes, and who gets a chip for it.
    fn scout(&self, before: &Game, scout: Scout) -> (String, String) {
        let round = before.round();
        let set = round.and_then(|round| round.active());
        let card = set.and_then(|set| set.end(scout.end));
        let card = card.map(|card| card.to_string()).unwrap_or_default();
        let owner = round.and_then(|round| round.owner()).map(|owner| self.name(owner));
        let end = match (set.map_or(0, Set::len), scout.end) {
            (1, _) => "the only card",
            (_, End::Left) => "left end",
            (_, End::Right) => "right end",
        };
        let chip = match self.players.are_two() {
            true => "pays a chip".into(),
            false => format!("{} gets a chip", owner.unwrap_or_default()),
        };
        (format!("{card} ({end}) to place {}", scout.place + 1), chip)
    }

    fn round_over(&mut self, round: u8, ending: Ending, points: &BySeat<i32>) -> Vec<String> {
        let stuck = self.game.round().and_then(|round| round.turn());
        if let (Ending::Stalled, Some(seat)) = (ending, stuck) {
            self.step(|game| game.stall(seat).ok());
        }
        let mut lines = vec![match ending {
            Ending::Emptied => format!("Round {round} is over: a hand is empty."),
            Ending::Stalled => {
                let owner = self.game.round().and_then(|round| round.owner());
                let owner = owner.map(|seat| self.name(seat)).unwrap_or_default();
                format!(
                    "Round {round} is over: nobody could beat {owner}'s set; {owner}'s hand does \
                     not count."
                )
            }
        }];
        let totals = self.game.totals();
        if let Some(played) = self.game.round() {
            for (seat, points) in points.iter() {
                let tokens = played.tokens(seat);
                let captured = played.captured(seat);
                let hand = played.hand(seat).len();
                let free = ending == Ending::Stalled && played.owner() == Some(seat);
                let cost = if free {
                    format!("({hand} not counted)")
                } else {
                    format!("- {}", text::count(hand, "card"))
                };
                lines.push(format!(
                    "  {:<24} {captured:>2} captured + {} {cost:<10} = {points:>3}, total {}",
                    self.name(seat),
                    text::count(usize::from(tokens), "chip"),
                    totals[seat]
                ));
            }
        }
        lines
    }

    /// Who won, in words; a shared win names all.
    fn result(&self) -> String {
        let winners: Vec<String> = self.game.winners().iter().map(|seat| self.name(seat)).collect();
        let totals: Vec<String> = self
            .game
            .totals()
            .iter()
            .map(|(seat, points)| format!("{} {points}", self.name(seat)))
            .collect();
        let won = match winners.as_slice() {
            [] => "It ended early: too few players were left".into(),
            [one] => format!("{one} wins"),
            many => format!("{} win together", many.join(" and ")),
        };
        let absent = self.game.present().count() < self.players.count();
        let who = if absent { "Everyone still there" } else { "Everyone" };
        format!("The game is over: {}. {won}. {who} signed the result.", totals.join(", "))
    }
}
