//! Holding a record against the rules.

use super::Statement;
use super::parse::{NoStatement, lines, statement};
use crate::game::round::check_hand;
use crate::game::{BySeat, CardSet, Ending, Game, Hand, Illegal, Players, Seat, Seats, Stage};

/// A record checked as far as it has been read.
#[derive(Clone, Default, Debug)]
pub struct Checker {
    begun: bool,
    players: Option<Players>,
    names: Vec<String>,
    game: Option<Game>,
    dealing: Option<Dealing>,
    /// The round whose `end` line has been read last.
    ended: u8,
    result: bool,
}

/// The first line that breaks the notation or the rules.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("line {line}: `{text}`: {reason}")]
pub struct Refusal {
    /// The number of the line, from 1.
    pub line: usize,
    /// The line as it stands.
    pub text: String,
    /// What is wrong with it.
    pub reason: Reason,
}

/// Why a line is refused.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum Reason {
    /// It breaks the notation.
    #[error(transparent)]
    Notation(#[from] NoStatement),
    /// It breaks the rules.
    #[error(transparent)]
    Rules(#[from] Illegal),
    /// Another line has to stand here.
    #[error("here stands {0}")]
    Expected(String),
    /// The line has stood before.
    #[error("this line stands once, above")]
    Again,
    /// Nothing comes after the result.
    #[error("nothing comes after the result")]
    AfterResult,
    /// Another round is next.
    #[error("the next round is round {0}")]
    OtherRound(u8),
    /// Hands are kept or flipped by seat.
    #[error("hands are kept or flipped in the order of the seats: seat {0} is next")]
    ChoiceOrder(Seat),
    /// The round goes on.
    #[error("the round is not over")]
    RoundNotOver,
    /// Not all rounds are played.
    #[error("the game is not over: round {0} of {1} is next or running")]
    GameNotOver(u8, u8),
    /// Enough seats are left.
    #[error("the game goes on: enough seats are left")]
    NotAbandoned,
    /// The end or the result is another one.
    #[error("it is `{0}`")]
    Is(Statement),
}

#[derive(Clone, Debug)]
struct Dealing {
    round: u8,
    start: Seat,
    hands: BySeat<Hand>,
    left: Seats,
    known: CardSet,
}

/// Checks a whole record. `visit` gets the number of the line and the state after each complete
/// deal and each action.
pub fn check(text: &str, mut visit: impl FnMut(usize, &Game)) -> Result<Checker, Refusal> {
    let mut checker = Checker::default();
    let mut last = 1;
    for (line, text) in lines(text) {
        last = line;
        let refuse = |reason| Refusal { line, text: text.into(), reason };
        let Some(statement) = statement(text).map_err(|reason| refuse(reason.into()))? else {
            continue;
        };
        if checker.read(&statement).map_err(refuse)? {
            checker.game.iter().for_each(|game| visit(line, game));
        }
    }
    if checker.begun {
        return Ok(checker);
    }
    let reason = Reason::Expected("`scout 1`".into());
    Err(Refusal { line: last, text: String::new(), reason })
}

impl Checker {
    /// Reads the next line; true if it completes a deal or is an action. A refused line leaves
    /// the state as it was.
    pub fn read(&mut self, statement: &Statement) -> Result<bool, Reason> {
        if self.result {
            return Err(Reason::AfterResult);
        }
        match self.game {
            None => self.head(statement).map(|()| false),
            Some(game) => self.body(game, statement),
        }
    }

    /// The game as far as it has been read; `None` before all seats are named.
    pub fn game(&self) -> Option<&Game> {
        self.game.as_ref()
    }

    /// The names by seat, as far as they have been read.
    pub fn names(&self) -> &[String] {
        &self.names
    }

    fn head(&mut self, statement: &Statement) -> Result<(), Reason> {
        match (self.begun, self.players, statement) {
            (false, _, Statement::Scout) => self.begun = true,
            (false, ..) => return Err(Reason::Expected("`scout 1`".into())),
            (true, _, Statement::Scout) => return Err(Reason::Again),
            (true, None, Statement::Players(players)) => self.players = Some(*players),
            (true, None, _) => return Err(Reason::Expected("`players` and their number".into())),
            (true, Some(players), Statement::Seat(seat, name))
                if seat.index() == self.names.len() =>
            {
                self.names.push(name.clone());
                if self.names.len() == usize::from(players.count()) {
                    self.game = Some(Game::new(players));
                }
            }
            (true, Some(_), Statement::Players(_)) => return Err(Reason::Again),
            (true, Some(_), _) => {
                let next = self.names.len() + 1;
                return Err(Reason::Expected(format!("`seat {next}` and a name")));
            }
        }
        Ok(())
    }

    fn body(&mut self, game: Game, statement: &Statement) -> Result<bool, Reason> {
        if let (Some(dealing), false) = (&self.dealing, matches!(statement, Statement::Deal(..))) {
            return Err(dealing.expected());
        }
        match statement {
            Statement::Scout | Statement::Players(_) => return Err(Reason::Again),
            Statement::Seat(seat, _) => {
                let table = game.players().has(*seat);
                return Err(if table { Reason::Again } else { Illegal::NoSeat(*seat).into() });
            }
            Statement::Round(round, start) => self.round(settled(game), *round, *start)?,
            Statement::Deal(seat, hand) => return self.deal(game, *seat, hand),
            Statement::Play(seat, action, shown) => {
                let waiting = game.round().map_or(Seats::NONE, |round| round.to_choose());
                let first = waiting.iter().next().filter(|_| action.is_choice());
                if let Some(first) =
                    first.filter(|&first| first != *seat && waiting.contains(*seat))
                {
                    return Err(Reason::ChoiceOrder(first));
                }
                self.game = Some(game.apply(*seat, *action, shown)?);
                return Ok(true);
            }
            Statement::Out(seat, pays) => self.game = Some(game.out_paying(*seat, *pays)?),
            Statement::Back(seat) => self.game = Some(game.back(*seat)?),
            Statement::End(ending, _) => {
                let game = if *ending == Ending::Stalled { settled(game) } else { game };
                self.end(game, statement)?;
            }
            Statement::EndAbandoned => self.end(game, statement)?,
            Statement::Result(..) | Statement::ResultAbandoned(_) => {
                self.result(settled(game), statement)?;
            }
        }
        Ok(false)
    }

    fn round(&mut self, game: Game, round: u8, start: Seat) -> Result<(), Reason> {
        let next = game.next_round()?;
        if round != next {
            return Err(Reason::OtherRound(next));
        }
        game.check_start(start)?;
        self.game = Some(game);
        self.dealing = Some(Dealing {
            round,
            start,
            hands: BySeat::from_fn(game.players(), |_| Hand::EMPTY),
            left: game.present(),
            known: CardSet::EMPTY,
        });
        Ok(())
    }

    fn deal(&mut self, game: Game, seat: Seat, hand: &Hand) -> Result<bool, Reason> {
        let Some(dealing) = &self.dealing else {
            let next = game.next_round()?;
            return Err(Reason::Expected(format!("`round {next} start` and a seat")));
        };
        let mut next = dealing.clone();
        if dealing.left.iter().next() != Some(seat) {
            return Err(dealing.expected());
        }
        game.check_set_aside(hand)?;
        check_hand(game.players(), seat, hand, &mut next.known)?;
        next.hands[seat] = *hand;
        next.left = next.left.without(seat);
        let complete = next.left.is_empty();
        if complete {
            self.game = Some(game.deal(next.start, next.hands)?);
            self.dealing = None;
        } else {
            self.dealing = Some(next);
        }
        Ok(complete)
    }

    fn end(&mut self, game: Game, statement: &Statement) -> Result<(), Reason> {
        let number = game.round_number();
        if number == 0 {
            return Err(Illegal::NotDealt(1).into());
        }
        if self.ended == number {
            return Err(Reason::Again);
        }
        let is = match game.finished(number) {
            Some(round) => Statement::End(round.ending, round.points.as_slice().to_vec()),
            None if game.is_abandoned() => Statement::EndAbandoned,
            None if *statement == Statement::EndAbandoned => return Err(Reason::NotAbandoned),
            None => return Err(Reason::RoundNotOver),
        };
        if is != *statement {
            return Err(Reason::Is(is));
        }
        self.game = Some(game);
        self.ended = number;
        Ok(())
    }

    fn result(&mut self, game: Game, statement: &Statement) -> Result<(), Reason> {
        if game.stage() != Stage::Over {
            let number = game.next_round().unwrap_or(game.round_number());
            return Err(Reason::GameNotOver(number, game.players().count()));
        }
        let totals = game.totals().as_slice().to_vec();
        let is = if game.is_abandoned() {
            Statement::ResultAbandoned(totals)
        } else {
            Statement::Result(totals, game.winners())
        };
        if is != *statement {
            return Err(Reason::Is(is));
        }
        self.game = Some(game);
        self.result = true;
        Ok(())
    }
}

impl Dealing {
    fn expected(&self) -> Reason {
        let seat = self.left.iter().next().map_or(0, Seat::number);
        Reason::Expected(format!("`deal {seat}` and the hand of round {}", self.round))
    }
}

/// The game with its round ended as stalled, where hidden cards leave that open and the record
/// goes on as if it were so.
fn settled(game: Game) -> Game {
    let turn = game.round().filter(|round| round.may_be_stalled()).and_then(|round| round.turn());
    turn.and_then(|turn| game.stall(turn).ok()).unwrap_or(game)
}
