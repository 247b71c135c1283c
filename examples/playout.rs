//! Plays random rounds on one thread and prints how fast: `playout POLICY PLAYERS SECONDS`.
//!
//! Policy U lists every legal action and picks one uniformly. Policy T lists the legal shows;
//! without one it scouts, without a table it shows, else a fair coin decides between a show of
//! the list and a scout drawn by end, place and side; it never scouts and shows at once. The
//! deal, keep or flip by coin, and the points are inside the clock.

use std::hint::select_unpredictable;
use std::process::ExitCode;
use std::time::{Duration, Instant};

use fairdeal::game::{
    Action, Actions, BySeat, Card, End, Hand, Illegal, Players, Round, Scout, Seat, Seats, Side,
    deck,
};

fn main() -> ExitCode {
    let args: Vec<String> = std::env::args().skip(1).collect();
    let parsed = match args.as_slice() {
        [policy, players, seconds] => match (policy.as_str(), players.parse(), seconds.parse()) {
            ("U" | "T", Ok(players), Ok(seconds)) => Some((policy, players, seconds)),
            _ => None,
        },
        _ => None,
    };
    let Some((policy, Some(players), seconds)) =
        parsed.map(|(policy, players, seconds)| (policy, Players::new(players), seconds))
    else {
        eprintln!("usage: playout U|T 2..5 SECONDS");
        return ExitCode::from(2);
    };
    let time = Duration::from_secs(seconds);
    let measured = match policy.as_str() {
        "U" => measure(uniform, players, time),
        _ => measure(tossing, players, time),
    };
    match measured {
        Ok((rounds, steps, points, time)) => {
            // The points are worked out for each round; nobody prints them.
            std::hint::black_box(points);
            let per_second = |count: u64| count as f64 / time.as_secs_f64();
            println!(
                "fairdeal policy={} n={} games/s={:.0} rounds/s={:.0} steps/s={:.0} \
                 steps/round={:.2} rounds={rounds}",
                args[0],
                players.count(),
                per_second(rounds) / f64::from(deck::rounds(players)),
                per_second(rounds),
                per_second(steps),
                steps as f64 / rounds as f64,
            );
            ExitCode::SUCCESS
        }
        Err(reason) => {
            eprintln!("a listed action was refused: {reason}");
            ExitCode::FAILURE
        }
    }
}

/// The lists a policy fills, kept from turn to turn.
#[derive(Default)]
struct Lists {
    actions: Actions,
    shows: Actions,
}

/// Rounds, steps, points of all seats, time.
fn measure(
    policy: impl Fn(&Round, &mut Lists, &mut Rng) -> Action,
    players: Players,
    time: Duration,
) -> Result<(u64, u64, i64, Duration), Illegal> {
    let (mut rounds, mut steps, mut points) = (0, 0, 0);
    let (mut rng, mut lists) = (Rng(0x5eed), Lists::default());
    let start = Instant::now();
    while start.elapsed() < time {
        for _ in 0..64 {
            let mut round = deal(players, &mut rng)?;
            for seat in players.seats() {
                let action = if rng.below(2) == 0 { Action::Keep } else { Action::Flip };
                round.play(seat, action, &[])?;
            }
            while let Some(turn) = round.turn() {
                round.play(turn, policy(&round, &mut lists, &mut rng), &[])?;
                steps += 1;
            }
            points += round.points().iter().map(|(_, &points)| i64::from(points)).sum::<i64>();
            rounds += 1;
        }
    }
    Ok((rounds, steps, points, start.elapsed()))
}

fn deal(players: Players, rng: &mut Rng) -> Result<Round, Illegal> {
    let mut cards = [Card::ONE_TWO; 45];
    let mut turned = rng.next();
    let mut put = |place: usize, card: Card, drawn: u64| {
        let other = below(place + 1, drawn);
        cards[place] = cards[other];
        cards[other] = select_unpredictable(turned & 1 == 1, card.turned(), card);
        turned >>= 1;
    };
    let (pairs, last) = deck::deck(players).as_chunks::<2>();
    for (&[one, two], place) in pairs.iter().zip((0..).step_by(2)) {
        let drawn = rng.next();
        put(place, one, drawn);
        put(place + 1, two, drawn << 32);
    }
    for &card in last {
        put(2 * pairs.len(), card, rng.next());
    }
    let size = usize::from(deck::hand_size(players));
    let hand = |seat: Seat| Hand::seen(&cards[seat.index() * size..][..size]);
    let start = players.seats().nth(rng.below(usize::from(players.count())));
    let hands = BySeat::from_fn(players, hand);
    Round::new(players, start.expect("below the count"), hands, Seats::NONE)
}

fn uniform(round: &Round, lists: &mut Lists, rng: &mut Rng) -> Action {
    round.list_actions(&mut lists.actions);
    lists.actions.nth(rng.below(lists.actions.len())).unwrap_or(Action::Keep)
}

fn tossing(round: &Round, lists: &mut Lists, rng: &mut Rng) -> Action {
    round.list_shows(&mut lists.shows);
    // One draw does for a turn: its lowest bits are the coins, its upper half picks.
    let (shows, drawn) = (&lists.shows, rng.next());
    let show = !round.can_scout() | (!shows.is_empty() & (drawn & 1 == 1));
    if show {
        return shows.nth(below(shows.len(), drawn)).unwrap_or(Action::Keep);
    }
    let two_ends = round.active().is_some_and(|set| set.len() > 1);
    let end = if two_ends & (drawn & 2 == 2) { End::Right } else { End::Left };
    let places = round.turn().map_or(0, |turn| round.hand(turn).len() + 1);
    let place = below(places, drawn) as u8;
    let side = if drawn & 4 == 4 { Side::Flipped } else { Side::AsItLay };
    Action::Scout(Scout { end, place, side })
}

/// SplitMix64.
struct Rng(u64);

impl Rng {
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut mixed = self.0;
        mixed = (mixed ^ mixed >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        mixed = (mixed ^ mixed >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
        mixed ^ mixed >> 31
    }

    /// A number below `bound`.
    fn below(&mut self, bound: usize) -> usize {
        below(bound, self.next())
    }
}

/// A number below `bound`, by multiplication, from the upper half of what was drawn; its bias is
/// below 1 in 2²⁰.
fn below(bound: usize, drawn: u64) -> usize {
    (((drawn >> 32) * bound as u64) >> 32) as usize
}
