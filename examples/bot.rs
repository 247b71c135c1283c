//! A bot of one's own against one of the library: `cargo run --example bot`.
//!
//! A bot decides from a [`PlayerView`] and nothing else. This one shows the longest set it has,
//! and scouts where it has none. A bot that the program offers as well is a file in `src/bot` and a
//! line of the list in `src/bot/mod.rs`.

use std::error::Error;

use fairdeal::{
    bot::Bot,
    game::{Action, BySeat, Game, Hand, PlayerView, Players, Seat, Stage, deck},
};
use rand::{Rng, SeedableRng, rngs::SmallRng, seq::SliceRandom};

/// The longest show there is, else the first thing that may be done.
fn longest(view: &PlayerView) -> Action {
    if view.round().is_choosing() {
        return Action::Keep;
    }
    let mut actions = Vec::new();
    view.round().for_each_action(|action| actions.push(action));
    let shown = |action: &&Action| match action {
        Action::Show(span) => span.len(),
        _ => 0,
    };
    actions.iter().max_by_key(shown).copied().unwrap_or(Action::Keep)
}

/// Hands for a round. A table of several programs deals so that none of them knows the others'.
fn deal(players: Players, rng: &mut SmallRng) -> BySeat<Hand> {
    let mut cards = deck::deck(players).to_vec();
    cards.shuffle(rng);
    for card in &mut cards {
        if rng.next_u32().is_multiple_of(2) {
            *card = card.turned();
        }
    }
    let size = usize::from(deck::hand_size(players));
    BySeat::from_fn(players, |seat| Hand::seen(&cards[seat.index() * size..][..size]))
}

fn main() -> Result<(), Box<dyn Error>> {
    let (own, mut rng) = (Seat::FIRST, SmallRng::seed_from_u64(7));
    let mut game = Game::new(Players::THREE);
    loop {
        let seat = match game.stage() {
            Stage::Deal { .. } | Stage::RoundOver => {
                let start = game.next_start().unwrap_or(own);
                game = game.deal(start, deal(Players::THREE, &mut rng))?;
                continue;
            }
            Stage::Choice => {
                let choosing = game.running()?.to_choose().first();
                choosing.ok_or("nobody is to choose")?
            }
            Stage::Turn(seat) => seat,
            Stage::Over => break,
        };
        let view = PlayerView::new(&game, seat).ok_or("a seat sees its own hand")?;
        let action = match seat == own {
            true => longest(&view),
            false => Bot::Greedy.choose(&view, &mut rng),
        };
        game = game.apply(seat, action, &[])?;
    }
    for (seat, points) in game.totals().iter() {
        let who = if seat == own { "the longest show" } else { "greedy" };
        println!("seat {seat}, {who}: {points} points");
    }
    Ok(())
}
