//! Changed programs at a table of honest ones: each fault is refused before any state changes,
//! names its seat, and leaves evidence that anyone can check.

use fairdeal::{
    bot::Bot,
    protocol::{
        deal::wire::OpenCard,
        lobby::DealKind,
        log::{evidence, record::Body},
        message::Talk,
        table::Phase,
    },
    sim::{Cast, Cheat, Lockstep},
};

const CHEAT: usize = 1;

fn table(deal: DealKind, seats: u8, seed: u64) -> Lockstep {
    Lockstep::new(Cast::new(seats, deal, seed), Bot::Greedy)
}

/// Plays with a cheat in seat 2 until nothing happens any more. Every honest seat must have
/// refused it with this reason, hold evidence that checks offline, and have accused nobody else.
fn caught(
    mut table: Lockstep,
    change: impl FnMut(usize, &mut Body) -> bool + 'static,
    why: &str,
) -> Lockstep {
    table.cheat = Some(Cheat { seat: CHEAT, change: Box::new(change) });
    table.settle();
    for seat in (0..table.sessions.len()).filter(|seat| *seat != CHEAT) {
        let faults = table.faults(seat);
        let [(at_fault, reason, proof)] = faults.as_slice() else {
            panic!("seat {}: {faults:?}", seat + 1);
        };
        assert_eq!(*at_fault, CHEAT, "seat {} accuses somebody else: {reason}", seat + 1);
        assert!(reason.contains(why), "{reason:?} is not about {why:?}");
        let checked = evidence::check(proof).unwrap_or_else(|error| panic!("{error}"));
        assert_eq!((checked.seat.index(), &checked.reason), (CHEAT, reason));
        // The others play on without it; a cheat in the very last record is not waited for.
        let live = table.sessions[seat].table().live();
        let out = !live.iter().any(|seat| seat.index() == CHEAT);
        assert!(
            out || table.sessions[seat].table().phase() != Phase::Complete
                || why.contains("result")
        );
    }
    table
}

/// Changes the first record that `change` applies to.
fn once(
    mut change: impl FnMut(&mut Body) -> bool + 'static,
) -> impl FnMut(usize, &mut Body) -> bool {
    // Every copy of that record must be the same, or it would be two.
    let mut first: Option<(Body, Body)> = None;
    move |_, body| {
        if let Some((from, to)) = &first {
            let same = from == body;
            if same {
                *body = to.clone();
            }
            return same;
        }
        let from = body.clone();
        let changed = change(body);
        if changed {
            first = Some((from, body.clone()));
        }
        changed
    }
}

#[test]
fn a_seed_that_was_not_committed_to() {
    let change = once(|body| match body {
        Body::Reveal(seed) => {
            seed[0] ^= 1;
            true
        }
        _ => false,
    });
    caught(table(DealKind::Open, 3, 1), change, "not the one it committed to");
}

#[test]
fn another_choice_than_was_committed_to() {
    for deal in [DealKind::Open, DealKind::Sealed] {
        let change = once(|body| match body {
            Body::ChoiceOpen { flip, .. } => {
                *flip = !*flip;
                true
            }
            _ => false,
        });
        caught(table(deal, 3, 2), change, "another choice than it committed to");
    }
}

/// The attacks of a malicious shuffler on the deck alone: its proof is for another deck.
#[test]
fn decks_that_are_no_shuffle() {
    type Attack = fn(&mut Vec<u8>);
    let attacks: [(&str, Attack); 5] = [
        ("a card twice", |deck| deck.copy_within(0..64, 64)),
        ("two cards swapped", |deck| {
            let (first, second) = deck.split_at_mut(64);
            first.swap_with_slice(&mut second[..64]);
        }),
        ("a half copied", |deck| deck.copy_within(0..32, 64)),
        ("the halves of a card swapped", |deck| {
            let (a, b) = deck.split_at_mut(32);
            a.swap_with_slice(&mut b[..32]);
        }),
        ("everything the first card", |deck| {
            for at in 1..deck.len() / 64 {
                deck.copy_within(0..64, at * 64);
            }
        }),
    ];
    for (name, attack) in attacks {
        println!("{name}");
        let change = once(move |body| match body {
            Body::Shuffle(shuffle) => {
                attack(&mut shuffle.deck);
                true
            }
            _ => false,
        });
        caught(table(DealKind::Sealed, 3, 3), change, "the shuffle proof does not hold");
    }
}

#[test]
fn a_deck_of_the_wrong_size_or_without_points() {
    for (cut, why) in [(true, "deck"), (false, "not a point")] {
        let change = once(move |body| match body {
            Body::Shuffle(shuffle) if cut => {
                shuffle.deck.truncate(shuffle.deck.len() - 64);
                true
            }
            Body::Shuffle(shuffle) => {
                shuffle.deck[..32].fill(0xff);
                true
            }
            _ => false,
        });
        caught(table(DealKind::Sealed, 3, 4), change, why);
    }
}

/// A proof from another deal of the same seat does not fit this one.
#[test]
fn a_stale_proof() {
    let mut first: Option<Vec<u8>> = None;
    let mut later: Option<Body> = None;
    let change = move |_: usize, body: &mut Body| {
        let Body::Shuffle(shuffle) = body else { return false };
        match &first {
            None => {
                first = Some(shuffle.proof.clone());
                false
            }
            Some(proof) if *proof == shuffle.proof => false,
            Some(proof) => {
                shuffle.proof.clone_from(proof);
                later.get_or_insert_with(|| Body::Shuffle(shuffle.clone()));
                true
            }
        }
    };
    caught(table(DealKind::Sealed, 3, 5), change, "the shuffle proof does not hold");
}

#[test]
fn another_final_deck() {
    let change = once(|body| match body {
        Body::Ready(ready) => {
            ready.deck[31] ^= 0x80;
            true
        }
        _ => false,
    });
    caught(table(DealKind::Sealed, 3, 6), change, "does not name the deck");
}

#[test]
fn false_shares_coins_and_keys() {
    type Attack = fn(&mut Body) -> bool;
    let attacks: [(&str, Attack); 5] = [
        ("the share proof", |body| match body {
            Body::Shares(shares) => {
                shares.shares.swap(0, 1);
                true
            }
            _ => false,
        }),
        ("shares", |body| match body {
            Body::Shares(shares) => shares.shares.pop().is_some(),
            _ => false,
        }),
        ("the coin is not the one committed to", |body| match body {
            Body::Shares(shares) => {
                shares.coin[0] ^= 1;
                true
            }
            _ => false,
        }),
        ("proof of knowledge of the key", |body| match body {
            Body::Seal(commitment) => {
                commitment.proof[40] ^= 1;
                true
            }
            _ => false,
        }),
        ("leaves", |body| match body {
            Body::Seal(commitment) => commitment.leaves.pop().is_some(),
            _ => false,
        }),
    ];
    for (why, attack) in attacks {
        let why = if why == "the share proof" { "does not hold" } else { why };
        caught(table(DealKind::Sealed, 3, 7), once(attack), why);
    }
}

/// The first opened card of a turn that shows one that was dealt, or one that was scouted.
fn opened(body: &mut Body, scouted: bool) -> Option<&mut OpenCard> {
    let Body::SealedAction(turn) = body else { return None };
    let cards = turn.opening.as_mut()?.cards.iter_mut();
    cards.into_iter().find(|card| matches!(card, OpenCard::Scouted { .. }) == scouted)
}

#[test]
fn a_card_shown_as_another() {
    let salted = once(|body| match opened(body, false) {
        Some(OpenCard::Dealt { salt, .. }) => {
            salt[5] ^= 1;
            true
        }
        _ => false,
    });
    caught(table(DealKind::Sealed, 3, 8), salted, "salt is not the one committed to");

    let negated = once(|body| match opened(body, false) {
        Some(OpenCard::Dealt { share, .. }) => {
            // Another point: a share of nobody's card.
            *share = fairdeal::protocol::crypto::group::card_points()[3].compress().to_bytes();
            true
        }
        _ => false,
    });
    caught(table(DealKind::Sealed, 3, 9), negated, "does not hold");
}

#[test]
fn a_scouted_card_turned_over_later() {
    let change = once(|body| match opened(body, true) {
        Some(OpenCard::Scouted { turned, .. }) => {
            *turned = !*turned;
            true
        }
        _ => false,
    });
    caught(table(DealKind::Sealed, 3, 10), change, "turned a scouted card after");
}

#[test]
fn an_action_against_the_rules() {
    for deal in [DealKind::Open, DealKind::Sealed] {
        let change = once(|body| match body {
            Body::Action(text) => {
                *text = "show 1-9".into();
                true
            }
            Body::SealedAction(turn) => {
                turn.action = "show 1-9".into();
                turn.opening.is_some()
            }
            _ => false,
        });
        let why = if deal == DealKind::Open { "show 1-9: " } else { "does not fit" };
        caught(table(deal, 3, 11), change, why);
    }
}

/// In an open deal every side is told, in a sealed one none: with a side that nobody knows, two
/// players could never find a round stalled.
#[test]
fn a_side_told_or_hidden_against_the_terms() {
    let hides = once(|body| match body {
        Body::Action(text) if text.starts_with("scout") && !text.contains('+') => {
            *text = format!("{} ?", text.trim_end_matches(" flip"));
            true
        }
        _ => false,
    });
    caught(table(DealKind::Open, 3, 11), hides, "the side of a scouted card is missing");
    let tells = once(|body| match body {
        Body::SealedAction(turn) if turn.action.contains(" ?") => {
            turn.action = turn.action.replace(" ?", "");
            true
        }
        _ => false,
    });
    caught(table(DealKind::Sealed, 3, 11), tells, "the side of a scouted card is not told");
}

/// A seat of two that could show says that it is stuck. Its hand is opened and shows the lie.
#[test]
fn stuck_only_who_can_show_nothing() {
    let mut table = table(DealKind::Sealed, 2, 12);
    let stuck = |body: &mut Body| match body {
        Body::SealedAction(turn) if turn.opening.is_some() => {
            *body = Body::Stuck(turn.opening.clone().expect("it has one"));
            true
        }
        _ => false,
    };
    table.cheat = Some(Cheat { seat: CHEAT, change: Box::new(once(stuck)) });
    table.settle();
    let faults = table.faults(0);
    assert_eq!(faults.len(), 1, "{faults:?}");
    assert_eq!(faults[0].0, CHEAT);
    assert!(evidence::check(&faults[0].2).is_ok());
}

#[test]
fn a_seed_that_gives_another_deck() {
    let change = once(|body| match body {
        Body::Reveal(seed) => {
            seed[9] ^= 4;
            true
        }
        _ => false,
    });
    caught(table(DealKind::Sealed, 3, 13), change, "the seed is not the one committed to");
}

#[test]
fn false_points_and_a_false_result() {
    let points = once(|body| match body {
        Body::RoundEnd(points) => {
            points[CHEAT] += 1;
            true
        }
        _ => false,
    });
    caught(table(DealKind::Sealed, 3, 14), points, "signed the points");
    let result = once(|body| match body {
        Body::Result { winners, .. } => {
            *winners = vec![if *winners == [CHEAT as u8] { 0 } else { CHEAT as u8 }];
            true
        }
        _ => false,
    });
    caught(table(DealKind::Sealed, 3, 16), result, "signed the result");
}

/// One seat tells two others two things. Both hold the proof; with two decks about, no honest
/// seat gives a share of any.
#[test]
fn two_records_for_one_place() {
    let change = |to: usize, body: &mut Body| match body {
        Body::Commit(commitment) if to == 0 => {
            commitment[0] ^= 1;
            true
        }
        _ => false,
    };
    caught(table(DealKind::Open, 4, 17), change, "two different records for one place");
}

/// Two seats that cannot hear each other are told two different turns and play on; when they meet
/// again they find the place where their logs part, and the proof.
#[test]
fn two_turns_told_to_two_who_cannot_hear_each_other() {
    let starts = |table: &Lockstep| {
        let expected = table.sessions[0].table().expected();
        matches!(expected.as_slice(), [seat] if seat.index() == CHEAT)
    };
    let change = |to: usize, body: &mut Body| {
        let Body::Action(text) = body else { return false };
        let Some((single, _)) = text.split_once('-').filter(|_| to == 0) else { return false };
        *text = single.to_owned();
        true
    };
    // A table where the cheat starts, and shows more than one card: one of them is a show too.
    let mut tables = (0..60).filter_map(|seed| {
        let mut table = table(DealKind::Open, 4, seed);
        table.run_until(|table| matches!(table.phase(), Phase::Turn(_)));
        let starts = starts(&table);
        table.cut = vec![(0, 2), (0, 3)];
        table.cheat = Some(Cheat { seat: CHEAT, change: Box::new(change) });
        table.settle();
        table.cut.clear();
        table.cheat = None;
        for round in 1..30 {
            table.tick(round * 2_500);
        }
        (starts && !table.faults(0).is_empty()).then_some(table)
    });
    let table = tables.next().expect("a seat starts one game in four");
    // Who has seen both holds the proof; who was cut off meanwhile has the log alone. All have one.
    let faults = table.faults(0);
    assert_eq!(faults.len(), 1, "{faults:?}");
    assert_eq!(evidence::check(&faults[0].2).expect("it proves").seat.index(), CHEAT);
    for seat in [0, 2, 3] {
        assert!(table.faults(seat).iter().all(|(at_fault, ..)| *at_fault == CHEAT));
        let mut pairs = table.sessions[0].log().iter().zip(table.sessions[seat].log());
        assert!(pairs.all(|(one, other)| one == other), "seat {} has another log", seat + 1);
    }
}

#[test]
fn two_decks_from_one_seat_and_no_share_leaves() {
    // The second deck has another proof of the same shuffle: right in itself, and another record.
    let mut second: Option<Body> = None;
    let cast = Cast::new(3, DealKind::Sealed, 18);
    let mut other = Lockstep::new(cast, Bot::Greedy);
    other.sessions[CHEAT] = {
        let start = fairdeal::protocol::session::Start {
            entropy: fairdeal::protocol::crypto::hash::Secret::new([9; 32]),
            ..cast.start(1)
        };
        fairdeal::protocol::session::Session::new(start).expect("it can start")
    };
    for link in [0, 2] {
        other.sessions[CHEAT].link_up(fairdeal::protocol::session::Link(link));
    }
    other.run_until(|table| table.phase() == Phase::Ready);
    for (seat, talk) in &other.said {
        if let Talk::Fresh(bytes) = talk {
            let record = fairdeal::protocol::log::record::Unchecked::decode(bytes).expect("ours");
            if *seat == CHEAT && matches!(record.record().body, Body::Shuffle(_)) {
                second.get_or_insert(record.record().body.clone());
            }
        }
    }
    let second = second.expect("it has shuffled");
    let mut table = Lockstep::new(cast, Bot::Greedy);
    table.cheat = Some(Cheat {
        seat: CHEAT,
        change: Box::new(move |to, body| match body {
            Body::Shuffle(_) if to == 2 => {
                *body = second.clone();
                true
            }
            _ => false,
        }),
    });
    table.settle();
    for seat in [0, 2] {
        let faults = table.faults(seat);
        assert!(faults.iter().all(|(at_fault, ..)| *at_fault == CHEAT), "{faults:?}");
        assert_eq!(faults.len(), 1, "seat {}", seat + 1);
        assert!(evidence::check(&faults[0].2).is_ok());
    }
    let shares = table.said.iter().filter(|(seat, talk)| {
        let Talk::Fresh(bytes) = talk else { return false };
        let record = fairdeal::protocol::log::record::Unchecked::decode(bytes).expect("ours");
        *seat != CHEAT && matches!(record.record().body, Body::Shares(_))
    });
    assert_eq!(shares.count(), 0, "no honest seat gives a share");
}

/// Evidence that does not prove what it says is refused: nobody honest can be accused.
#[test]
fn evidence_against_an_honest_seat_proves_nothing() {
    let mut table = table(DealKind::Sealed, 3, 19);
    table.settle();
    let log = table.sessions[0].log().to_vec();
    for (at, record) in log.iter().enumerate().skip(1) {
        let right = evidence::encode(&log[..at.min(4)], &[record]);
        assert!(evidence::check(&right).is_err(), "record {}", at + 1);
        let twice = evidence::encode(&log[..1], &[record, record]);
        assert!(evidence::check(&twice).is_err(), "record {}", at + 1);
        let next = evidence::encode(&log[..1], &[record, &log[at - 1]]);
        assert!(evidence::check(&next).is_err(), "record {}", at + 1);
    }
}
