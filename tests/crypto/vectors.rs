//! Every hash and one whole deal, against an implementation in another language
//! (`tests/data/crypto_vectors.py`).

use std::cell::RefCell;
use std::collections::BTreeMap;
use std::num::NonZeroU8;

use fairdeal::protocol::crypto::commit;
use fairdeal::protocol::crypto::deck::Deck;
use fairdeal::protocol::crypto::error::CryptoError;
use fairdeal::protocol::crypto::group::{
    Point, card_points, commitment_key, hash_to_point, hash_to_scalar,
};
use fairdeal::protocol::crypto::hash::{Hash, hash};
use fairdeal::protocol::crypto::keys::{DealSecrets, joint_key};
use fairdeal::protocol::crypto::share::{
    Purpose, ShareContext, own_card, prove_shares, shares, verify_shares,
};
use fairdeal::protocol::crypto::shuffle::{ShuffleContext, shuffle_and_prove, verify_shuffle};
use fairdeal::protocol::crypto::sigma::prove_key;
use fairdeal::protocol::crypto::stream::Stream;
use fairdeal::protocol::crypto::transcript::Transcript;

const FILE: &str = include_str!("../data/crypto_vectors.tsv");

/// The rows not compared yet.
struct Vectors(RefCell<BTreeMap<&'static str, Vec<u8>>>);

impl Vectors {
    fn read(keep: impl Fn(&str) -> bool) -> Self {
        let row = |line: &'static str| {
            let (name, hex) = line.split_once('\t').unwrap();
            let bytes = data_encoding::HEXLOWER.decode(hex.as_bytes()).unwrap();
            (name, bytes)
        };
        Self(RefCell::new(FILE.lines().map(row).filter(|(name, _)| keep(name)).collect()))
    }

    fn take(&self, name: &str) -> Vec<u8> {
        self.0.borrow_mut().remove(name).unwrap_or_else(|| panic!("no row {name}"))
    }

    fn expect(&self, name: &str, found: &[u8]) {
        assert!(self.take(name) == found, "{name} is not what the other implementation found");
    }

    fn assert_all_compared(&self) {
        assert_eq!(self.0.borrow().keys().collect::<Vec<_>>(), Vec::<&&str>::new());
    }
}

#[test]
fn primitives_match() {
    let vectors = Vectors::read(|name| !name.starts_with("deal/"));
    for i in 0..29 {
        let bad = vectors.take(&format!("bad-point/{i}"));
        assert_eq!(Point::parse(&bad, "it"), Err(CryptoError::Point("it")));
    }
    assert_eq!(Point::parse(&[0; 32], "it"), Err(CryptoError::Point("it")));
    for i in 1u64..16 {
        let good = vectors.take(&format!("multiple/{i}"));
        assert_eq!(Point::parse(&good, "it").unwrap().bytes().as_slice(), good);
    }
    let all: Vec<u8> = (0..=255).collect();
    let parts: [&[u8]; 3] = [b"", b"one", &all];
    vectors.expect("H", &hash("vector", &parts));
    vectors.expect("Hs", hash_to_scalar("vector", &parts).as_bytes());
    vectors.expect("Hp", hash_to_point("vector", &parts).compress().as_bytes());
    for i in [0, 44] {
        vectors.expect(&format!("card/{i}"), card_points()[i].compress().as_bytes());
    }
    for i in [0, 1, 60] {
        vectors.expect(&format!("ck/{i}"), commitment_key()[i].compress().as_bytes());
    }
    let mut transcript = Transcript::new("vector");
    transcript.absorb("label", b"data");
    vectors.expect("transcript/1", transcript.challenge("first").as_bytes());
    transcript.absorb("", b"");
    let mut nonces = transcript.nonces(&[1; 32], &[2; 32]);
    vectors.expect("transcript/2", transcript.challenge("second").as_bytes());
    vectors.expect("nonce/0", nonces.draw().as_bytes());
    vectors.expect("nonce/1", nonces.draw().as_bytes());
    for n in [0, 1, 2, 45, 60, 255] {
        let permutation = Stream::new(&hash("vector", &[&[n]])).permutation(n);
        vectors.expect(&format!("permutation/{n}"), &permutation);
    }
    vectors.assert_all_compared();
}

#[test]
fn whole_deal_matches() {
    let vectors = Vectors::read(|name| name.starts_with("deal/"));
    let t0 = hash("vector", &[b"T0"]);
    let derive = |seat: u8| DealSecrets::derive(&commit::seed(&[7 + seat; 32], &t0), &t0, seat);
    let secrets = [derive(0), derive(1)];
    let bodies = secrets.each_ref().map(|seat| commit_body(&t0, seat));
    for (body, seat) in bodies.iter().zip(0u8..) {
        vectors.expect(&format!("deal/commit/{seat}"), body);
    }
    let t1 = commit::commitments(&t0, &bodies.each_ref().map(Vec::as_slice));
    let joint = joint_key(&secrets.each_ref().map(|seat| seat.public().clone())).unwrap();
    vectors.expect("deal/T1", &t1);
    vectors.expect("deal/PK", joint.bytes());
    let (deck, stage) = shuffles(&vectors, &secrets, &t1, &joint);
    let coins = commit::coins(&t1, 1, &secrets.each_ref().map(|seat| seat.coin(1)));
    vectors.expect("deal/R", &coins);
    for seat in &secrets {
        proven_shares(
            &vectors,
            seat,
            &ShareContext { t1: &t1, stage: &stage, purpose: SHARE },
            &deck,
        );
    }
    let mut order = Vec::new();
    let mut turned = Vec::new();
    for position in 0..6u8 {
        let (own, other) = (usize::from(position % 2), usize::from(1 - position % 2));
        let others = shares(&secrets[other], &deck, &[position]).unwrap();
        let card = own_card(&secrets[own], &deck, position, &[&others[0]]).unwrap();
        order.push(card.unwrap());
        let salt = secrets[own].salt(position);
        turned.push(u8::from(commit::turned(&t1, &coins, own as u8, position, &salt)));
    }
    vectors.expect("deal/order", &order);
    vectors.expect("deal/turned", &turned);
    let starter = commit::starter(&t1, &coins, NonZeroU8::new(2).unwrap());
    vectors.expect("deal/starter", &[starter]);
    vectors.assert_all_compared();
}

const SHARE: Purpose = Purpose::Share { round: 1 };

fn hedge(seat: &DealSecrets) -> [u8; 32] {
    [100 + seat.seat(); 32]
}

fn commit_body(t0: &Hash, seat: &DealSecrets) -> Vec<u8> {
    let number = seat.seat();
    let mut body = commit::seed_commitment(t0, number, seat.seed()).to_vec();
    body.extend(commit::coin_commitment(t0, number, 1, &seat.coin(1)));
    for position in (number..6).step_by(2) {
        body.extend(commit::leaf(t0, number, position, &seat.salt(position)));
    }
    body.extend(seat.public().bytes());
    body.extend(prove_key(seat, &hedge(seat)).to_bytes());
    body
}

fn shuffles(vectors: &Vectors, secrets: &[DealSecrets], t1: &Hash, joint: &Point) -> (Deck, Hash) {
    let mut deck = Deck::initial(&[44, 0, 9, 17, 30, 43]).unwrap();
    let mut stage = commit::first_stage(t1, joint);
    vectors.expect("deal/S/0", &stage);
    for seat in secrets {
        let context = ShuffleContext { t1, stage: &stage, joint };
        let (output, proof) = shuffle_and_prove(seat, &context, &deck, &hedge(seat));
        verify_shuffle(&context, seat.seat(), &deck, &output, &proof).unwrap();
        let number = seat.seat() + 1;
        vectors.expect(&format!("deal/deck/{number}"), output.bytes());
        vectors.expect(&format!("deal/proof/{number}"), &proof.to_bytes());
        stage = commit::next_stage(&stage, seat.seat(), &output, &proof.to_bytes());
        vectors.expect(&format!("deal/S/{number}"), &stage);
        deck = output;
    }
    (deck, stage)
}

fn proven_shares(vectors: &Vectors, seat: &DealSecrets, context: &ShareContext<'_>, deck: &Deck) {
    let number = seat.seat();
    let head = hash("vector", &[b"head"]);
    let open = ShareContext { purpose: Purpose::Open { number: 258, head }, ..*context };
    let others: Vec<u8> = (0..6).filter(|position| position % 2 != number).collect();
    for (name, context, positions) in
        [("shares", context, others.as_slice()), ("open", &open, &[number])]
    {
        let (shares, proof) = prove_shares(seat, context, deck, positions, &hedge(seat)).unwrap();
        verify_shares(context, number, seat.public(), deck, positions, &shares, &proof).unwrap();
        let mut bytes: Vec<u8> = shares.iter().flat_map(|share| *share.bytes()).collect();
        bytes.extend(proof.to_bytes());
        vectors.expect(&format!("deal/{name}/{number}"), &bytes);
    }
    let salt = seat.side_salt(&head);
    let side = commit::side_commitment(context.t1, number, &head, number == 1, &salt);
    vectors.expect(&format!("deal/side/{number}"), &side);
}
