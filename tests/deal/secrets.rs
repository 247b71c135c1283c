//! Nothing that hides a card leaves its seat before the card is opened.

use std::collections::{BTreeMap, BTreeSet};

use fairdeal::{
    bot::Bot,
    game::{Action, Seat},
    protocol::{
        codec,
        crypto::{
            commit::seed,
            hash::{Hash, hash},
            keys::DealSecrets,
        },
        deal::wire::{OpenCard, SealedTurn},
        lobby::DealKind,
        log::{
            file::{MAGIC, frame},
            record::Body,
            verify::read,
        },
        message::{Message, Talk},
        table::{Deal, Origin, Table},
    },
    sim::{Cast, Lockstep},
};

/// What must not be seen, with what it is.
type Secrets = BTreeMap<Hash, String>;

/// For each record of the log the secrets it may tell.
type Releases = BTreeMap<Vec<u8>, BTreeSet<Hash>>;

fn play(seats: u8, seed: u64) -> Lockstep {
    let cast = Cast { seats, deal: DealKind::Sealed, seed };
    let mut table = Lockstep::new(cast, Bot::Greedy);
    table.settle();
    table
}

fn log_file(table: &Lockstep) -> Vec<u8> {
    let frames = table.sessions[0].log().iter().flat_map(|record| frame(record));
    MAGIC.iter().copied().chain(frames).collect()
}

fn deal_secrets(cast: &Cast, table: &Table, seat: Seat) -> DealSecrets {
    let t0 = table.deal().context().t0();
    let number = seat.index() as u8;
    DealSecrets::derive(&seed(&cast.secret(number), t0), t0, number)
}

/// Everything secret in a game, and which record may tell what.
fn secrets_of(table: &Lockstep) -> (Secrets, Releases) {
    let cast = table.cast;
    let (mut secrets, mut releases) = (Secrets::new(), Releases::new());
    for seat in 0..cast.seats {
        secrets.insert(cast.secret(seat), format!("game secret of seat {}", seat + 1));
        secrets.insert(*cast.start(seat).entropy, format!("entropy of seat {}", seat + 1));
    }
    let mut before: Option<Table> = None;
    let read = read(&log_file(table), |after, signed, _, _| {
        let record = signed.record();
        if let (Some(before), Some(seat)) = (&before, Seat::new(record.seat)) {
            let own = deal_secrets(&cast, before, seat);
            let mut released = BTreeSet::new();
            match &record.body {
                Body::Seal(_) => add_deal(&mut secrets, before, seat, &own),
                Body::Shuffle(_) if record.seat == cast.seats - 1 => {
                    for owner in after.players().seats() {
                        add_shares(&mut secrets, after, owner, &deal_secrets(&cast, after, owner));
                    }
                }
                Body::Reveal(seed) => {
                    released.insert(*seed);
                }
                Body::Choice(_) => {
                    let salt = hash("choice salt", &[&cast.secret(record.seat), &record.base]);
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
fn first_leak(secrets: &Secrets, releases: &Releases, said: &[(usize, Talk)]) -> Option<String> {
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
        if let Talk::Fresh(record) = talk {
            told.extend(releases.get(record).into_iter().flatten());
        }
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

#[test]
fn nothing_secret_leaves_before_its_card_is_opened() {
    std::thread::scope(|scope| {
        for seats in 2..=5 {
            scope.spawn(move || search_games(seats, 8));
        }
    });
}

fn search_games(seats: u8, games_max: u64) {
    let (mut games, mut bytes, mut count) = (0, 0, 0);
    for seed in 0..games_max {
        let table = play(seats, seed);
        let (secrets, releases) = secrets_of(&table);
        assert_eq!(first_leak(&secrets, &releases, &table.said), None, "game {seed}");
        let told = format!("{:?}", table.told);
        for secret in secrets.keys() {
            let hex = data_encoding::HEXLOWER.encode(secret);
            let list = format!("{:?}", &secret[..6]);
            assert!(!told.contains(&hex) && !told.contains(list.trim_matches(['[', ']'])));
        }
        games += 1;
        count += secrets.len();
        bytes += table
            .said
            .iter()
            .map(|(_, talk)| codec::encode(&Message::Table([0; 32], talk.clone())).len())
            .sum::<usize>();
    }
    println!("{games} games of {seats}, {bytes} bytes said, searched for {count} secrets");
}

/// The search finds each sort of secret when it is planted.
#[test]
fn a_planted_leak_is_found() {
    let table = play(3, 99);
    let (secrets, releases) = secrets_of(&table);
    let mut kinds: BTreeMap<&str, Hash> = BTreeMap::new();
    for (secret, what) in &secrets {
        kinds.insert(what.split(" of seat").next().unwrap_or_default(), *secret);
    }
    assert_eq!(kinds.len(), 7, "{:?}", kinds.keys());
    for (kind, secret) in kinds {
        let mut said = table.said.clone();
        said.insert(0, (1, Talk::Note([&[0; 7][..], &secret].concat())));
        let found = first_leak(&secrets, &releases, &said).unwrap_or_default();
        assert!(found.contains(kind), "{kind}: {found}");
    }
}
