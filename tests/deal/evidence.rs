//! What proves a fault, and how little beside it does: evidence that accuses an honest seat would
//! be worse than none.

use fairdeal::{
    bot::Bot,
    protocol::{
        crypto::hash::Hash,
        deal::wire::{Commitment, Opening, SealedTurn},
        lobby::DealKind,
        log::{
            evidence::{EVIDENCE_MAGIC, NoEvidence, check, encode},
            record::{Body, Ready, Record},
        },
        table::{Phase, TWO_DECKS, TWO_RECORDS, TWO_VOTES},
        vote::{Motion, Paper, Says, Why, Without},
    },
    sim::{Cast, Lockstep},
};

const CAST: Cast = Cast::new(3, DealKind::Open, 41);

/// The log of a whole game.
fn log() -> Vec<Vec<u8>> {
    let mut table = Lockstep::new(CAST, Bot::Greedy);
    table.settle();
    table.sessions[0].log().to_vec()
}

/// A record as `signer` signs it: a commitment for the place of `seat` on `base`.
fn record(base: Hash, seat: u8, says: u8, signer: u8) -> Vec<u8> {
    let record = Record { base, state: [0; 32], seat, body: Body::Commit([says; 32]) };
    record.sign(&CAST.identity(signer))
}

/// What is proven by these two after the first record, as the seat from 0 and the reason. The lower
/// one stands first, so that two seats with one proof have one file.
fn proven(one: &[u8], other: &[u8]) -> Result<(usize, String), NoEvidence> {
    let file = encode(&[CAST.first_record()], &[one.min(other), one.max(other)]);
    let turned = encode(&[CAST.first_record()], &[one.max(other), one.min(other)]);
    assert!(check(&turned).is_err() || one == other, "in one order only");
    check(&file).map(|evidence| (evidence.seat.index(), evidence.reason))
}

#[test]
fn two_different_records_of_a_seat_for_one_place_prove_it() {
    let first = record([7; 32], 1, 1, 1);
    assert_eq!(proven(&first, &record([7; 32], 1, 2, 1)), Ok((1, TWO_RECORDS.into())));
    let nothing = [
        ("one record twice", first.clone()),
        ("another place of the seat", record([8; 32], 1, 2, 1)),
        ("another seat on the same head", record([7; 32], 2, 2, 2)),
    ];
    for (what, other) in nothing {
        assert_eq!(proven(&first, &other), Err(NoEvidence::NoFault), "{what}");
    }
    let unsigned = [
        ("signed by another seat", record([7; 32], 1, 2, 2)),
        ("a seat the table has not", record([7; 32], 3, 2, 3)),
        ("a seat that no table has", record([7; 32], 5, 2, 1)),
        ("no record", vec![0; 100]),
    ];
    for (what, other) in unsigned {
        assert_eq!(proven(&first, &other), Err(NoEvidence::NoFault), "{what}");
        assert_eq!(proven(&other, &first), Err(NoEvidence::NoFault), "{what}");
    }
}

/// The vote of program 1 to go on without one that is silent.
fn motion(number: u64, program: u8) -> Says {
    Says::Sign(Motion { number, without: vec![Without { program, why: Why::Silent }] })
}

#[test]
fn two_votes_that_exclude_each_other_prove_it() {
    let paper = Paper { base: [7; 32], program: 1, says: motion(3, 0) };
    let sign = |paper: &Paper| paper.sign(&CAST.identity(paper.program));
    let first = sign(&paper);
    let have = |number| Says::Have { number, owner: 0, thing: [1; 32] };
    let two = Paper { says: motion(3, 2), ..paper.clone() };
    assert_eq!(proven(&first, &sign(&two)), Ok((1, TWO_VOTES.into())), "two of one number");
    let both = Paper { says: have(3), ..paper.clone() };
    assert_eq!(proven(&first, &sign(&both)), Ok((1, TWO_VOTES.into())), "signed, and never to be");
    let nothing = [
        ("one vote twice", paper.clone()),
        ("another base", Paper { base: [8; 32], ..two.clone() }),
        ("another program", Paper { program: 2, ..two.clone() }),
        ("a later attempt", Paper { says: motion(4, 2), ..paper.clone() }),
        ("HAVE of another attempt", Paper { says: have(2), ..paper.clone() }),
        ("what is held, beside no attempt", Paper { says: have(0), ..paper.clone() }),
        ("what is held of everyone", Paper { says: Says::Holds([2; 32]), ..paper.clone() }),
    ];
    for (what, other) in nothing {
        assert_eq!(proven(&first, &sign(&other)), Err(NoEvidence::NoFault), "{what}");
    }
    let forged = two.sign(&CAST.identity(2));
    assert_eq!(proven(&first, &forged), Err(NoEvidence::NoFault));
}

/// One key of a deal is good for one deck: two READYs of one deal prove a fault wherever they
/// stand.
#[test]
fn two_decks_of_one_deal_prove_it() {
    let ready = |base, deal, deck, signer| {
        let body = Body::Ready(Ready { deal: [deal; 32], deck: [deck; 32] });
        Record { base: [base; 32], state: [0; 32], seat: 1, body }.sign(&CAST.identity(signer))
    };
    let first = ready(7, 1, 1, 1);
    assert_eq!(proven(&first, &ready(8, 1, 2, 1)), Ok((1, TWO_DECKS.into())));
    for (what, other) in [
        ("the same deck again", ready(8, 1, 1, 1)),
        ("another deal", ready(8, 2, 2, 1)),
        ("another signer", ready(8, 1, 2, 2)),
    ] {
        assert_eq!(proven(&first, &other), Err(NoEvidence::NoFault), "{what}");
    }
}

#[test]
fn one_record_proves_what_is_wrong_with_it_and_nothing_else() {
    let log = log();
    let proven = |record: &[u8]| check(&encode(&log[..4], &[record])).map(|found| found.seat);
    // The roster and three agreements: seats commit next, one head for all.
    let wrong = Record { base: base(&log[4]), state: [0; 32], seat: 1, body: Body::Sit };
    let found = proven(&wrong.sign(&CAST.identity(1)));
    assert_eq!(found.map(|seat| seat.number()), Ok(2), "it agrees a second time");
    assert_eq!(proven(&log[4]), Err(NoEvidence::NoFault), "the next record");
    assert_eq!(proven(&wrong.sign(&CAST.identity(2))), Err(NoEvidence::NoFault));
    assert!(proven(&log[3]).is_err(), "an earlier record");
}

/// The head that a record of the log stands on.
fn base(record: &[u8]) -> Hash {
    let record = fairdeal::protocol::log::record::Unchecked::decode(record).expect("a record");
    record.record().base
}

/// In an open deal nothing of a sealed one is signed, and the other way round, though the table
/// asks for a record of that kind.
#[test]
fn a_record_of_the_other_sort_of_deal_is_a_fault() {
    let open = |deal, turn: bool| {
        let mut table = Lockstep::new(Cast { deal, ..CAST }, Bot::Greedy);
        table.run_until(|table| match table.phase() {
            Phase::Turn(_) => turn,
            phase => !turn && phase == Phase::Commit,
        });
        table
    };
    let seal = Commitment {
        seed: [1; 32],
        coins: vec![[2; 32]],
        leaves: vec![[3; 32]; 12],
        key: [4; 32],
        proof: vec![5; 64],
    };
    let (action, opening) = ("show 1".to_owned(), Opening { cards: Vec::new(), proof: Vec::new() });
    let turn = SealedTurn { action: action.clone(), side: None, opening: Some(opening.clone()) };
    for (deal, kind, body) in [
        (DealKind::Sealed, "commitment", Body::Commit([1; 32])),
        (DealKind::Sealed, "turn", Body::Action(action)),
        (DealKind::Open, "commitment", Body::Seal(seal)),
        (DealKind::Open, "turn", Body::SealedAction(turn)),
        (DealKind::Open, "turn", Body::Stuck(opening)),
    ] {
        let open = open(deal, kind == "turn");
        let (log, table) = (open.sessions[0].log(), open.sessions[0].table());
        let seat = table.expected()[0];
        let (base, state) = (*table.head(), *table.state());
        let record = Record { base, state, seat: seat.index() as u8, body };
        let signed = record.sign(&open.cast.identity(record.seat));
        let found = check(&encode(log, &[&signed])).map(|found| (found.seat, found.reason));
        assert_eq!(found, Ok((seat, format!("signed a {kind} of another sort of deal"))));
    }
}

#[test]
fn evidence_has_one_form() {
    let log = log();
    let one = log[4].as_slice();
    for (what, file) in [
        ("no log", encode(&[], &[one])),
        ("no log, two records", encode(&[], &[one, one])),
        ("nothing signed", encode(&log[..4], &[])),
        ("three signed", encode(&log[..4], &[one, one, one])),
        ("nothing", Vec::new()),
        ("no count", EVIDENCE_MAGIC.to_vec()),
        ("another format", b"fairdeal evidence 2\r\n\x01\0\0\0".to_vec()),
    ] {
        assert_eq!(check(&file).map(|found| found.seat), Err(NoEvidence::Form), "{what}");
    }
    let file = encode(&log[..4], &[one]);
    let torn = check(&file[..file.len() - 1]).expect_err("the last record is torn");
    assert!(matches!(torn, NoEvidence::File(_)), "{torn}");
}

/// A log that is wrong itself proves nothing against anybody; the message says where.
#[test]
fn evidence_stands_on_a_right_log() {
    let log = log();
    let number = |log: &[Vec<u8>]| match check(&encode(log, &[&log[0]])) {
        Err(NoEvidence::Log(number, _)) => number,
        other => panic!("{other:?}"),
    };
    assert_eq!(number(&log[1..]), 1, "the roster is missing");
    for record in 2..6 {
        let without = [&log[..record - 1], &log[record..]].concat();
        assert_eq!(number(&without), record, "record {record} is missing");
    }
}
