//! What Enter will do, in words, before it is pressed.

use crate::{
    game::{Action, Card, End, Game, Illegal, Scout, Seat, Set, Side},
    ui::{keymap::letter, story::Story, text},
};

/// What would happen, or why nothing can.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Said {
    /// Enter does this.
    Will(String),
    /// The rules, or the turn, are against it.
    Cannot(String),
    /// What may be done.
    Hint(String),
}

/// What an action of `seat` would do.
pub fn action(game: &Game, story: &Story, seat: Seat, action: Action) -> Said {
    let next = match game.apply(seat, action, &[]) {
        Ok(next) => next,
        Err(illegal) => return Said::Cannot(reason(&illegal, story, seat)),
    };
    let mut words = Vec::new();
    let table = game.round().and_then(|round| round.active()).copied();
    let owner = game.round().and_then(|round| round.owner());
    let of_owner = owner.map(|owner| possessive(story, seat, owner)).unwrap_or_default();
    let mut rest = table;
    if let (Some(scout), Some(set)) = (action.scout(), table) {
        words.push(scout_words(story, seat, owner, &set, scout, game.players().are_two()));
        rest = set.without(scout.end);
    }
    if action.span().is_some()
        && let Some(shown) = next.round().and_then(|round| round.active())
    {
        let cards: Vec<String> = shown.cards().map(|card| card.up().to_string()).collect();
        let cards = cards.join(" ");
        words.push(match rest {
            Some(beaten) => format!(
                "shows {cards}: beats the {} of {of_owner}, captures {}",
                text::set(&beaten),
                beaten.len()
            ),
            None => format!("shows {cards}, a {}", text::set(shown)),
        });
    }
    if next.round().is_some_and(|round| round.over().is_some()) {
        words.push("ends the round".into());
    }
    Said::Will(words.join("; "))
}

/// What a scout would do.
fn scout_words(
    story: &Story,
    seat: Seat,
    owner: Option<Seat>,
    set: &Set,
    scout: Scout,
    paid: bool,
) -> String {
    let Some(card) = set.end(scout.end) else { return String::new() };
    let card = lying(card, scout);
    let end = match (set.len(), scout.end) {
        (1, _) => "the only card",
        (_, End::Left) => "the left end",
        (_, End::Right) => "the right end",
    };
    let token = match owner {
        _ if paid => "pays a token".into(),
        Some(owner) if owner == seat => "you get a token".into(),
        Some(owner) => format!("{} gets a token", story.name(owner)),
        None => String::new(),
    };
    let at = letter(usize::from(scout.place));
    format!("takes {end}, puts it at {at} with {} up; {token}", card.up())
}

/// The card as it will stand in the hand.
pub fn lying(card: Card, scout: Scout) -> Card {
    if scout.side == Side::Flipped { card.turned() } else { card }
}

fn possessive(story: &Story, seat: Seat, owner: Seat) -> String {
    if owner == seat { "your own".into() } else { story.name(owner) }
}

/// Why not, in the rules' words, with names for seat numbers.
pub fn reason(illegal: &Illegal, story: &Story, own: Seat) -> String {
    match illegal {
        Illegal::NotYourTurn { turn } => format!("it is {}'s turn", story.name(*turn)),
        Illegal::StillChoosing(seat) if *seat == own => "first keep or flip your hand".into(),
        Illegal::StillChoosing(seat) => {
            format!("{} has yet to keep or flip the hand", story.name(*seat))
        }
        Illegal::ScoutAndShowSpent(seat) if *seat == own => {
            "you have had your scout-and-show in this round".into()
        }
        Illegal::NoToken(seat) if *seat == own => {
            "you have no token left to pay for a scout".into()
        }
        other => other.to_string(),
    }
}
