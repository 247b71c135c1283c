//! What is secret in a sealed game, and the search for it in what is said.

use std::collections::{BTreeMap, BTreeSet};

use fairdeal::{
    game::{Action, Seat},
    protocol::{
        codec,
        crypto::{
            commit::seed,
            hash::{Hash, Secret, hash},
            keys::DealSecrets,
        },
        deal::wire::{OpenCard, SealedTurn},
        log::{record::Body, verify::read},
        message::{Message, Talk},
        table::{Deal, Origin, Table},
    },
};

/// What must not be seen, with what it is.
pub type Secrets = BTreeMap<Hash, String>;

/// For each record of the log the secrets it may tell.
pub type Releases = BTreeMap<Vec<u8>, BTreeSet<Hash>>;

fn deal_secrets(of: &[Secret], table: &Table, seat: Seat) -> DealSecrets {
    let t0 = table.deal().context().t0();
    DealSecrets::derive(&seed(&of[seat.index()], t0), t0, seat.index() as u8)
}

/// Everything secret in a game whose seats have these secrets, and which record of its log may
/// tell what.
pub fn secrets_of(of: &[Secret], log: &[u8]) -> (Secrets, Releases) {
    let (mut secrets, mut releases) = (Secrets::new(), Releases::new());
    for (seat, secret) in of.iter().enumerate() {
        secrets.insert(**secret, format!("game secret of seat {}", seat + 1));
    }
    let mut before: Option<Table> = None;
    let read = read(log, |after, signed, _, _| {
        let record = signed.record();
        if let (Some(before), Some(seat)) = (&before, Seat::new(record.seat)) {
            let own = deal_secrets(of, before, seat);
            let mut released = BTreeSet::new();
            match &record.body {
                Body::Seal(_) => add_deal(&mut secrets, before, seat, &own),
                Body::Shuffle(_) if usize::from(record.seat) == of.len() - 1 => {
                    for owner in after.players().seats() {
                        add_shares(&mut secrets, after, owner, &deal_secrets(of, after, owner));
                    }
                }
                Body::Reveal(seed) => {
                    released.insert(*seed);
                }
                Body::Choice(_) => {
                    let salt =
                        hash("choice salt", &[&of[usize::from(record.seat)][..], &record.base]);
                    secrets.insert(salt, format!("choice salt of seat {seat}"));
                }
                Body::ChoiceOpen { salt, .. } => {
                    released.insert(*salt);
                }
                Body::SealedAction(turn) => {
                    if turn.side.is_some() {
                        let what = format!("side salt of seat {seat}");
                        secrets.insert(own.side_salt(&record.base), what);
                    }
                    released = opened(before, seat, turn, &own, &record.base);
                }
                Body::Stuck(opening) => {
                    let origins = before.origins(seat).to_vec();
                    released = opened_cards(before, &origins, &opening.cards, &own);
                }
                _ => {}
            }
            releases.insert(signed.bytes().to_vec(), released);
        }
        before = Some(after.clone());
    });
    assert!(read.is_ok());
    (secrets, releases)
}

fn add_deal(secrets: &mut Secrets, table: &Table, seat: Seat, own: &DealSecrets) {
    secrets.insert(*own.seed(), format!("seed of seat {seat}"));
    let context = table.deal().context();
    for round in 1..=context.rounds() {
        for position in context.positions(seat, round) {
            secrets.insert(own.salt(position), format!("salt of seat {seat}, place {position}"));
        }
    }
}

/// The shares that alone keep a seat's own cards hidden.
fn add_shares(secrets: &mut Secrets, table: &Table, seat: Seat, own: &DealSecrets) {
    let context = table.deal().context();
    for round in 1..=context.rounds() {
        for position in context.positions(seat, round) {
            let share = own_share(table, own, position);
            secrets.insert(share, format!("own share of seat {seat}, place {position}"));
        }
    }
}

fn own_share(table: &Table, own: &DealSecrets, position: u8) -> Hash {
    let Deal::Sealed(deal) = table.deal() else { panic!("a sealed deal") };
    let opened = deal.open(own, &[position], 0, &[0; 32], &[0; 32]).expect("the deck is there").0;
    let [OpenCard::Dealt { share, .. }] = opened.as_slice() else { panic!("one card") };
    *share
}

fn opened(
    before: &Table,
    seat: Seat,
    turn: &SealedTurn,
    own: &DealSecrets,
    base: &Hash,
) -> BTreeSet<Hash> {
    let action: Action = turn.action.parse().expect("it was checked");
    let mut origins = before.origins(seat).to_vec();
    if let Some(scout) = action.scout() {
        let active = before.game().round().and_then(|round| round.active().copied());
        let lay = active.and_then(|set| set.end(scout.end)).expect("a card to scout");
        let scouted = Origin::Scouted { lay, base: *base, side: turn.side.expect("committed") };
        origins.insert(usize::from(scout.place), scouted);
    }
    match (action.span(), &turn.opening) {
        (Some(span), Some(opening)) => {
            let shown = &origins[span.first()..=span.last()];
            opened_cards(before, shown, &opening.cards, own)
        }
        _ => BTreeSet::new(),
    }
}

fn opened_cards(
    before: &Table,
    shown: &[Origin],
    cards: &[OpenCard],
    own: &DealSecrets,
) -> BTreeSet<Hash> {
    assert_eq!(shown.len(), cards.len());
    let mut released = BTreeSet::new();
    for origin in shown {
        match origin {
            Origin::Dealt(position) => {
                released.insert(own.salt(*position));
                released.insert(own_share(before, own, *position));
            }
            Origin::Scouted { base, .. } => {
                released.insert(own.side_salt(base));
            }
        }
    }
    released
}

/// The first secret that is said where it may not be.
pub fn first_leak(
    secrets: &Secrets,
    releases: &Releases,
    said: &[(usize, Talk)],
) -> Option<String> {
    // One that a record has rightly told is no secret any more.
    let mut told: BTreeSet<Hash> = BTreeSet::new();
    // Most windows are ruled out by their first two bytes.
    let mut starts = vec![false; 1 << 16];
    let start = |bytes: &[u8]| usize::from(bytes[0]) << 8 | usize::from(bytes[1]);
    secrets.keys().for_each(|secret| starts[start(secret)] = true);
    let mut last: Option<&Talk> = None;
    for (seat, talk) in said {
        // One record goes to each neighbour in turn.
        if last.replace(talk) == Some(talk) {
            continue;
        }
        let bytes = codec::encode(&Message::Table([0; 32], talk.clone()));
        let records = match talk {
            Talk::Fresh(record) => std::slice::from_ref(record),
            Talk::Records { records, .. } => records.as_slice(),
            _ => &[],
        };
        let releases = records.iter().filter_map(|record| releases.get(record));
        told.extend(releases.flatten());
        for window in bytes.windows(32) {
            if starts[start(window)]
                && let Some(what) = secrets.get(window)
                && !told.contains(window)
            {
                return Some(format!("seat {} told the {what}", seat + 1));
            }
        }
    }
    None
}
