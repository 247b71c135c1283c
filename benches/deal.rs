//! What a sealed deal costs: `cargo bench --no-default-features --bench deal`.
//!
//! Times are CPU of one core, medians of many runs, taken in turns. The *scaled* column is what a
//! machine would need whose base-point multiplication takes 24 µs, the unit the targets are given
//! in: each time is divided by that of base-point multiplications just before and just after it, so
//! that a machine that is slow for a moment does not count, and the median is taken of that.
//!
//! Base-point multiplication is plain code, most of the rest is AVX-512 or AVX2 where the machine
//! has it: scaled figures of two sorts of machine do not compare, nor do those of one machine at
//! rest and beside other work, which slows plain code more.

use std::hint::black_box;
use std::time::Instant;

use curve25519_dalek::ristretto::RistrettoPoint;
use curve25519_dalek::scalar::Scalar;
use fairdeal::bot::Bot;
use fairdeal::protocol::crypto::bayer_groth::ShuffleProof;
use fairdeal::protocol::crypto::commit;
use fairdeal::protocol::crypto::deck::Deck;
use fairdeal::protocol::crypto::group::{Point, card_points, commitment_key};
use fairdeal::protocol::crypto::hash::Hash;
use fairdeal::protocol::crypto::keys::{DealSecrets, joint_key};
use fairdeal::protocol::crypto::share::{
    Purpose, ShareContext, own_card, prove_shares, shares, verify_shares,
};
use fairdeal::protocol::crypto::shuffle::{ShuffleContext, shuffle_and_prove, verify_shuffle};
use fairdeal::protocol::crypto::sigma::{SigmaProof, prove_key, verify_key};
use fairdeal::protocol::lobby::DealKind;
use fairdeal::protocol::log;
use fairdeal::protocol::table::Phase;
use fairdeal::sim::{Cast, Lockstep};

const SEATS: usize = 5;
const CARDS: usize = 45;
const ROUNDS: usize = 60;
const T0: Hash = [7; 32];
const HEDGE: Hash = [9; 32];

fn main() {
    // The fixed points are computed once a process, before the first deal.
    black_box((card_points(), commitment_key()));
    let deal = Deal::new();
    let mut rows = [
        Row::new("base-point multiplication", None),
        Row::new("shuffle and prove", Some(7_000.0)),
        Row::new("parse and verify a shuffle", Some(2_200.0)),
        Row::new("shares of 36 cards", None),
        Row::new("parse and verify shares of 36 cards", None),
        Row::new("look up 9 own cards", None),
        Row::new("open one card", None),
        Row::new("parse and verify one opening", Some(120.0)),
        Row::new("a whole deal, one seat", Some(20_000.0)),
    ];
    for _ in 0..ROUNDS {
        rows[0].time(100, base_point);
        rows[1].time(1, || deal.shuffle());
        rows[2].time(1, || deal.verify_shuffle(1));
        rows[3].time(1, || deal.shares());
        rows[4].time(1, || deal.verify_shares(1));
        rows[5].time(1, || deal.own_cards());
        rows[6].time(10, || deal.open());
        rows[7].time(10, || deal.verify_opening());
        rows[8].time(1, || deal.whole());
    }
    println!("{:<38}{:>10}{:>10}{:>10}", "", "µs", "scaled", "target");
    for row in rows.iter().chain(&whole_tables()) {
        let target = row.target_us.map(|target| target.to_string()).unwrap_or_default();
        let (us, scaled_us) = (median(&row.us), median(&row.scaled_us));
        println!("{:<38}{us:>10.1}{scaled_us:>10.1}{target:>10}", row.name);
    }
    println!("{:<38}{:>10}{:>10}{:>10}", "bytes one seat sends", deal.bytes_sent(), "", 9_300);
}

/// A table's deal from the first commitment to the cards, with records, signatures and checks of
/// all others' (a seat's part of it), and the check of a whole recorded game.
fn whole_tables() -> Vec<Row> {
    let names = [
        "a table's deal of 2, one seat",
        "a table's deal of 3, one seat",
        "a table's deal of 4, one seat",
        "a table's deal of 5, one seat",
    ];
    let mut rows: Vec<Row> = names.iter().map(|name| Row::new(name, None)).collect();
    let game = include_bytes!("../replays/sealed-5.fairdeal");
    let mut verify = Row::new("verify a sealed game of 5", Some(300_000.0));
    for seed in 0..5 {
        for (seats, row) in (2..).zip(&mut rows) {
            row.time_shared(f64::from(seats), || {
                let cast = Cast::new(seats, DealKind::Sealed, seed);
                let mut table = Lockstep::new(cast, Bot::Random);
                assert!(table.run_until(|table| table.phase() == Phase::Choice));
            });
        }
        verify.time(1, || log::verify::verify(game).map(|report| report.records));
    }
    rows.push(verify);
    rows
}

/// The unit of the scaled column.
fn base_point() -> RistrettoPoint {
    RistrettoPoint::mul_base(&black_box(Scalar::from_bytes_mod_order([0x5A; 32])))
}

/// How long each of these takes, in µs.
fn timed_us<T>(repeats: u32, mut run: impl FnMut() -> T) -> f64 {
    let start = Instant::now();
    for _ in 0..repeats {
        black_box(run());
    }
    start.elapsed().as_secs_f64() * 1e6 / f64::from(repeats)
}

fn median(times: &[f64]) -> f64 {
    let mut times = times.to_vec();
    times.sort_by(f64::total_cmp);
    times[times.len() / 2]
}

struct Row {
    name: &'static str,
    target_us: Option<f64>,
    us: Vec<f64>,
    scaled_us: Vec<f64>,
}

impl Row {
    fn new(name: &'static str, target_us: Option<f64>) -> Self {
        Self { name, target_us, us: Vec::new(), scaled_us: Vec::new() }
    }

    fn time<T>(&mut self, repeats: u32, run: impl FnMut() -> T) {
        self.note(|| timed_us(repeats, run));
    }

    /// Times one run that is the work of so many seats.
    fn time_shared(&mut self, seats: f64, run: impl FnMut()) {
        self.note(|| timed_us(1, run) / seats);
    }

    /// Notes a time beside those of the unit just before and just after.
    fn note(&mut self, time_us: impl FnOnce() -> f64) {
        let before = timed_us(50, base_point);
        let us = time_us();
        let unit_us = (before + timed_us(50, base_point)) / 2.0;
        self.us.push(us);
        self.scaled_us.push(24.0 * us / unit_us);
    }
}

/// A finished deal of five seats and 45 cards, as the bytes the seats sent.
struct Deal {
    secrets: Vec<DealSecrets>,
    keys: Vec<Point>,
    key_proofs: Vec<[u8; SigmaProof::BYTES]>,
    joint: Point,
    t1: Hash,
    stages: Vec<Hash>,
    decks: Vec<Deck>,
    shuffle_proofs: Vec<Vec<u8>>,
    shares: Vec<(Vec<[u8; 32]>, [u8; SigmaProof::BYTES])>,
    /// The shares of each seat for all positions; those of its own are not sent.
    parsed: Vec<Vec<Point>>,
    opening: ([u8; 32], [u8; SigmaProof::BYTES]),
}

impl Deal {
    fn new() -> Self {
        let derive = |seat: usize| DealSecrets::derive(&[seat as u8; 32], &T0, seat as u8);
        let secrets: Vec<_> = (0..SEATS).map(derive).collect();
        let keys: Vec<Point> = secrets.iter().map(|s| s.public().clone()).collect();
        let key_proofs = secrets.iter().map(|s| prove_key(s, &HEDGE).to_bytes()).collect();
        let joint = joint_key(&keys).unwrap();
        let t1 = commit::commitments(&T0, &[]);
        let cards: Vec<u8> = (0..CARDS as u8).collect();
        let mut deal = Self {
            stages: vec![commit::first_stage(&t1, &joint)],
            decks: vec![Deck::initial(&cards).unwrap()],
            shuffle_proofs: Vec::new(),
            shares: Vec::new(),
            parsed: Vec::new(),
            opening: ([0; 32], [0; SigmaProof::BYTES]),
            secrets,
            keys,
            key_proofs,
            joint,
            t1,
        };
        for seat in 0..SEATS {
            let context = deal.shuffle_context(seat);
            let secrets = &deal.secrets[seat];
            let (deck, proof) = shuffle_and_prove(secrets, &context, &deal.decks[seat], &HEDGE);
            let proof = proof.to_bytes();
            let stage = commit::next_stage(&deal.stages[seat], seat as u8, &deck, &proof);
            deal.stages.push(stage);
            deal.decks.push(deck);
            deal.shuffle_proofs.push(proof);
        }
        deal.shares = (0..SEATS).map(|seat| deal.shares_of(seat)).collect();
        let all = |secrets| shares(secrets, deal.last_deck(), &cards).unwrap();
        deal.parsed = deal.secrets.iter().map(all).collect();
        deal.opening = deal.open();
        deal
    }

    fn shuffle_context(&self, seat: usize) -> ShuffleContext<'_> {
        ShuffleContext { t1: &self.t1, stage: &self.stages[seat], joint: &self.joint }
    }

    fn share_context(&self, purpose: Purpose) -> ShareContext<'_> {
        ShareContext { t1: &self.t1, stage: &self.stages[SEATS], purpose }
    }

    fn last_deck(&self) -> &Deck {
        &self.decks[SEATS]
    }

    /// The positions of others.
    fn positions(seat: usize) -> Vec<u8> {
        (0..CARDS).filter(|i| i % SEATS != seat).map(|i| i as u8).collect()
    }

    fn shuffle(&self) -> Vec<u8> {
        let context = self.shuffle_context(0);
        shuffle_and_prove(&self.secrets[0], &context, &self.decks[0], &HEDGE).1.to_bytes()
    }

    fn verify_shuffle(&self, seat: usize) {
        let output = Deck::parse(self.decks[seat + 1].bytes(), CARDS).unwrap();
        let proof = ShuffleProof::parse(&self.shuffle_proofs[seat], CARDS).unwrap();
        let context = self.shuffle_context(seat);
        verify_shuffle(&context, seat as u8, &self.decks[seat], &output, &proof).unwrap();
    }

    fn shares_of(&self, seat: usize) -> (Vec<[u8; 32]>, [u8; SigmaProof::BYTES]) {
        let context = self.share_context(Purpose::Share { round: 0 });
        let positions = Self::positions(seat);
        let (shares, proof) =
            prove_shares(&self.secrets[seat], &context, self.last_deck(), &positions, &HEDGE)
                .unwrap();
        (shares.iter().map(|share| *share.bytes()).collect(), proof.to_bytes())
    }

    fn shares(&self) -> Vec<[u8; 32]> {
        self.shares_of(0).0
    }

    fn verify_shares(&self, seat: usize) {
        let context = self.share_context(Purpose::Share { round: 0 });
        let (shares, proof) = &self.shares[seat];
        let proof = SigmaProof::parse(proof).unwrap();
        let parsed: Vec<Point> =
            shares.iter().map(|share| Point::parse(share, "share").unwrap()).collect();
        let (positions, key) = (Self::positions(seat), &self.keys[seat]);
        verify_shares(&context, seat as u8, key, self.last_deck(), &positions, &parsed, &proof)
            .unwrap();
    }

    fn own_cards(&self) -> usize {
        let own = (0..CARDS as u8).step_by(SEATS);
        let card = |position| {
            let others: Vec<&Point> =
                (1..SEATS).map(|seat| &self.parsed[seat][usize::from(position)]).collect();
            own_card(&self.secrets[0], self.last_deck(), position, &others).unwrap()
        };
        own.filter_map(card).count()
    }

    fn open_context(&self) -> ShareContext<'_> {
        self.share_context(Purpose::Open { number: 3, head: [5; 32] })
    }

    fn open(&self) -> ([u8; 32], [u8; SigmaProof::BYTES]) {
        let context = self.open_context();
        let (shares, proof) =
            prove_shares(&self.secrets[0], &context, self.last_deck(), &[0], &HEDGE).unwrap();
        (*shares[0].bytes(), proof.to_bytes())
    }

    fn verify_opening(&self) {
        let share = [Point::parse(&self.opening.0, "share").unwrap()];
        let proof = SigmaProof::parse(&self.opening.1).unwrap();
        let (context, key) = (self.open_context(), &self.keys[0]);
        verify_shares(&context, 0, key, self.last_deck(), &[0], &share, &proof).unwrap();
    }

    /// What seat 0 computes from COMMIT to its hand.
    fn whole(&self) -> usize {
        let secrets = DealSecrets::derive(&[0; 32], &T0, 0);
        black_box(prove_key(&secrets, &HEDGE));
        for seat in 1..SEATS {
            let proof = SigmaProof::parse(&self.key_proofs[seat]).unwrap();
            let key = Point::parse(self.keys[seat].bytes(), "key").unwrap();
            verify_key(&T0, seat as u8, &key, &proof).unwrap();
        }
        black_box(joint_key(&self.keys).unwrap());
        black_box(self.shuffle());
        (1..SEATS).for_each(|seat| self.verify_shuffle(seat));
        black_box(self.shares());
        (1..SEATS).for_each(|seat| self.verify_shares(seat));
        self.own_cards()
    }

    /// Bodies of COMMIT, SHUFFLE, READY, SHARES and REVEAL, without signatures and frames.
    fn bytes_sent(&self) -> usize {
        let own = CARDS / SEATS;
        let commit = 32 + 32 + 32 * own + 32 + SigmaProof::BYTES;
        let shuffle = self.last_deck().bytes().len() + self.shuffle_proofs[0].len();
        let shares = 32 * (CARDS - own) + SigmaProof::BYTES + 32;
        commit + shuffle + 32 + shares + 32
    }
}
