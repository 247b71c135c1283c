//! What Enter will do, in words, before it is pressed.

use crate::{
    game::{Action, Card, End, Game, Illegal, Scout, Seat, Set, Side},
    ui::{keymap::letter, story::Story, text::count},
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
    let round = game.round();
    let table = round.and_then(|round| round.active()).copied();
    let owner = round.and_then(|round| round.owner());
    let scout = action.scout().zip(table);
    let rest = match scout {
        Some((scout, set)) => set.without(scout.end),
        None => table,
    };
    let ends = next.round().is_some_and(|round| round.over().is_some());
    let shown = action.span().and_then(|_| next.round().and_then(|round| round.active()));
    // What matters most comes first.
    let words = [
        ends.then(|| "ENDS THE ROUND".into()),
        shown.map(|shown| show_words(story, seat, shown, owner.zip(rest))),
        scout.map(|(scout, set)| {
            scout_words(story, seat, owner, &set, scout, game.players().are_two())
        }),
    ];
    Said::Will(words.into_iter().flatten().collect::<Vec<_>>().join(" · "))
}

/// What a show would do.
fn show_words(story: &Story, seat: Seat, shown: &Set, beaten: Option<(Seat, Set)>) -> String {
    let cards: Vec<String> = shown.cards().map(|card| card.up().to_string()).collect();
    let cards = cards.join(" ");
    match beaten {
        Some((owner, set)) => {
            let whose = if owner == seat { "your own".into() } else { story.whose(owner) };
            format!("shows {cards} · beats {whose} {} · captures {}", set.sort(), set.len())
        }
        None => format!("shows {cards} (a {})", shown.sort()),
    }
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
        (_, End::Left) => "left end",
        (_, End::Right) => "right end",
    };
    let chip = match owner {
        _ if paid => "you pay a chip".into(),
        Some(owner) if owner == seat => "you get a chip".into(),
        Some(owner) => format!("{} gets a chip", story.name(owner)),
        None => String::new(),
    };
    let at = letter(usize::from(scout.place));
    format!("takes {} ({end}) to {at} · {chip}", card.up())
}

/// What Enter does while the card of a Scout & Show is being placed.
pub(super) fn placed(game: &Game, scout: Scout) -> String {
    let set = game.round().and_then(|round| round.active());
    let card = set.and_then(|set| set.end(scout.end)).map(|card| lying(card, scout).up());
    let card = card.map(|card| card.to_string()).unwrap_or_default();
    format!("puts the {card} at {}; then choose what to show", letter(usize::from(scout.place)))
}

/// What there is to show after a scout, of so many sets.
pub(super) fn to_show(sets: usize) -> Said {
    match sets {
        0 => Said::Cannot(
            "with the card there, nothing you hold beats what is left. Esc: place it elsewhere"
                .into(),
        ),
        1 => Said::Hint("Choose what to show: one set would do (Tab chooses it).".into()),
        sets => Said::Hint(format!(
            "Choose what to show: {} would do (Tab goes through them).",
            count(sets, "set")
        )),
    }
}

/// What the player may do on the turn: show one of so many sets, or scout.
pub(super) fn may(sets: usize, scout: bool) -> String {
    match (sets, scout) {
        (0, true) => "Your turn. Nothing you hold beats the table: scout with s.".into(),
        (0, false) => "Your turn.".into(),
        (1, true) => "Your turn. You can show one set (Tab chooses it), or scout with s.".into(),
        (1, false) => "Your turn. You can show one set: Tab chooses it.".into(),
        (sets, true) => {
            format!("Your turn. You can show {} (Tab), or scout with s.", count(sets, "set"))
        }
        (sets, false) => {
            format!("Your turn. You can show {}: letters, or Tab.", count(sets, "set"))
        }
    }
}

/// The card as it will stand in the hand.
pub fn lying(card: Card, scout: Scout) -> Card {
    if scout.side == Side::Flipped { card.turned() } else { card }
}

/// Why not, in the rules' words, with names for seat numbers.
pub fn reason(illegal: &Illegal, story: &Story, own: Seat) -> String {
    match illegal {
        Illegal::NotYourTurn { turn } => format!("it is {} turn", story.whose(*turn)),
        Illegal::StillChoosing(seat) if *seat == own => "first keep or flip your hand".into(),
        Illegal::StillChoosing(seat) => {
            format!("{} has not kept or flipped the hand yet", story.name(*seat))
        }
        Illegal::ScoutAndShowSpent(seat) if *seat == own => {
            "you have already used Scout & Show this round".into()
        }
        Illegal::NoToken(seat) if *seat == own => "you have no chip left to pay for a scout".into(),
        other => other.to_string(),
    }
}
