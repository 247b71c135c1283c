//! One engine, many knowers: the full state, a seat's own and the public one stay consistent.

use std::collections::HashSet;

use fairdeal::game::{BySeat, Game, Hand, Players, Slot, Stage, deck};

use crate::support::{Dice, players, seat, shuffled};

/// What the less-knowing state knows is so in the full one, and all that is public is the same.
fn assert_refines(full: &Game, less: &Game, what: &str) {
    let (a, b) = (full.round().unwrap(), less.round().unwrap());
    assert_eq!((full.stage(), full.totals()), (less.stage(), less.totals()), "{what}");
    assert_eq!((a.turn(), a.owner(), a.over()), (b.turn(), b.owner(), b.over()), "{what}");
    assert_eq!((a.active(), a.scouted()), (b.active(), b.scouted()), "{what}");
    for seat in full.players().seats() {
        assert_eq!(a.captured(seat), b.captured(seat), "{what}");
        assert_eq!(a.tokens(seat), b.tokens(seat), "{what}");
        assert_eq!(a.choice(seat), b.choice(seat), "{what}");
        assert_eq!(a.may_scout_and_show(seat), b.may_scout_and_show(seat), "{what}");
        assert_eq!(a.hand(seat).len(), b.hand(seat).len(), "{what}");
        for (known, less) in a.hand(seat).iter().zip(b.hand(seat).iter()) {
            let known = known.seen().unwrap();
            match less {
                Slot::Sealed => {}
                Slot::Turned(card) => assert_eq!(known.pair(), card.pair(), "{what}"),
                Slot::Seen(card) => assert_eq!(known, card, "{what}"),
            }
        }
    }
    assert_eq!(a.points(), b.points(), "{what}");
}

/// Games as the table, the public and each seat know them, in this order.
fn deal(players: Players, games: &mut [Game], hands: BySeat<Hand>) {
    let sealed = Hand::sealed(deck::hand_size(players));
    let start = games[0].next_start().unwrap_or(seat(2));
    games[0] = games[0].deal(start, hands).unwrap();
    games[1] = games[1].deal(start, hands.map(|_, _| sealed)).unwrap();
    for (own, game) in players.seats().zip(&mut games[2..]) {
        let hands = hands.map(|at, hand| if at == own { *hand } else { sealed });
        *game = game.deal(start, hands).unwrap();
    }
}

fn random_game(players: Players, dice: &mut Dice, digests: &mut HashSet<[u8; 32]>) -> usize {
    let mut games = vec![Game::new(players); 2 + usize::from(players.count())];
    let mut cards = deck::deck(players).to_vec();
    let mut actions = 0;
    while games[0].stage() != Stage::Over {
        if games[0].next_round().is_ok() {
            if players.are_two() && games[0].round_number() == 1 {
                cards.rotate_left(22);
                let at = |seat: usize| Hand::seen(&cards[seat * 11..][..11]);
                deal(players, &mut games, BySeat::from_fn(players, |seat| at(seat.index())));
            } else {
                let hands = shuffled(players, &mut cards, dice);
                deal(players, &mut games, hands);
            }
        }
        let round = *games[0].running().unwrap();
        let actor = round.to_act().unwrap();
        let action = round.nth_action(dice.below(round.count_actions())).unwrap();
        games[0] = games[0].apply(actor, action, &[]).unwrap();
        let shown = match (action.span(), games[0].round().unwrap().active()) {
            (Some(_), Some(set)) => set.cards().collect(),
            _ => Vec::new(),
        };
        games[1] = games[1].apply(actor, action.public(), &shown).unwrap();
        for (own, game) in players.seats().zip(&mut games[2..]) {
            let seen = if own == actor { action } else { action.public() };
            *game = game.apply(actor, seen, &shown).unwrap();
        }
        // Only the seat that can neither show nor scout knows it; it says so.
        let over = games[0].running().is_err();
        for game in &mut games[1..] {
            if let (true, Stage::Turn(turn)) = (over, game.stage()) {
                assert!(players.are_two() && game.round().unwrap().may_be_stalled());
                *game = game.stall(turn).unwrap();
            }
        }
        let (full, less) = games.split_first().unwrap();
        less.iter().for_each(|less| assert_refines(full, less, &action.to_string()));
        for game in &games {
            digests.insert(game.digest());
            assert_eq!(game.canonical_bytes().len(), full.canonical_bytes().len());
        }
        actions += 1;
    }
    actions
}

#[test]
fn all_knowers_agree_over_random_games() {
    for count in 2..=5 {
        let (mut dice, mut digests, mut actions) = (Dice(u64::from(count)), HashSet::new(), 0);
        for _ in 0..6 {
            actions += random_game(players(count), &mut dice, &mut digests);
        }
        // Keep and flip apart, hardly two states are alike, so hardly two digests are.
        assert!(digests.len() > actions, "{count} players: {} digests", digests.len());
    }
}

#[test]
fn equal_states_have_equal_bytes_and_each_fact_counts() {
    let start = Game::new(players(3));
    let mut dice = Dice(1);
    let mut cards = deck::deck(players(3)).to_vec();
    let hands = shuffled(players(3), &mut cards, &mut dice);
    let one = start.deal(seat(1), hands).unwrap();
    assert_eq!(one.canonical_bytes(), start.deal(seat(1), hands).unwrap().canonical_bytes());
    let keep =
        |game: Game, number| game.apply(seat(number), fairdeal::game::Action::Keep, &[]).unwrap();
    let states = [
        start,
        Game::new(players(4)),
        one,
        start.deal(seat(2), hands).unwrap(),
        keep(one, 1),
        keep(one, 2),
        one.apply(seat(1), fairdeal::game::Action::Flip, &[]).unwrap(),
        one.out(seat(1)).unwrap(),
        one.out(seat(2)).unwrap(),
    ];
    let digests: HashSet<_> = states.iter().map(Game::digest).collect();
    assert_eq!(digests.len(), states.len());
    assert_eq!(keep(keep(one, 1), 2).digest(), keep(keep(one, 2), 1).digest());
}
