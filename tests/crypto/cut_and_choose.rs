//! An oracle that shares nothing with Bayer and Groth's proof: the cut-and-choose proof of Sako and
//! Kilian ("Receipt-Free Mix-Type Voting Scheme", EUROCRYPT 1995) with 128 rounds, and the seed
//! audit. All three must give one verdict.

use curve25519_dalek::ristretto::RistrettoPoint;
use curve25519_dalek::scalar::Scalar;
use fairdeal::protocol::crypto::deck::Deck;
use fairdeal::protocol::crypto::group::hash_to_scalar;
use fairdeal::protocol::crypto::hash::hash;
use fairdeal::protocol::crypto::shuffle::{is_shuffle_of, shuffle};
use fairdeal::protocol::crypto::stream::Stream;

use crate::table::{Table, point};
use crate::tamper::cheats;

const ROUNDS: usize = 128;

type Cards = Vec<(RistrettoPoint, RistrettoPoint)>;

/// A permutation and re-randomisers: `out[i] = in[map[i]] + (rho[i] G, rho[i] PK)`.
#[derive(Clone)]
struct Step {
    map: Vec<u8>,
    rho: Vec<Scalar>,
}

impl Step {
    fn apply(&self, joint: &RistrettoPoint, input: &Cards) -> Cards {
        let row = self.map.iter().zip(&self.rho);
        row.map(|(from, rho)| {
            let (a, b) = input[usize::from(*from)];
            (a + RistrettoPoint::mul_base(rho), b + joint * rho)
        })
        .collect()
    }
}

/// A proof: in each round a deck in between, and the way to it from the one end or the other.
struct Oracle {
    between: Vec<Cards>,
    opened: Vec<Step>,
}

impl Oracle {
    /// What a prover who claims `step` leads from `input` to `output` answers.
    fn prove(joint: &RistrettoPoint, input: &Cards, output: &Cards, step: &Step) -> Self {
        let first: Vec<Step> = (0..ROUNDS)
            .map(|round| {
                let tag = (round as u32).to_le_bytes();
                let rho = |i: u8| hash_to_scalar("oracle rho", &[&tag, &[i]]);
                let cards = input.len() as u8;
                Step {
                    map: Stream::new(&hash("oracle map", &[&tag])).permutation(cards),
                    rho: (0..cards).map(rho).collect(),
                }
            })
            .collect();
        let between: Vec<Cards> = first.iter().map(|step| step.apply(joint, input)).collect();
        let bits = challenge(joint, input, output, &between);
        let open = |(first, bit): (Step, bool)| if bit { rest(&first, step) } else { first };
        Self { opened: first.into_iter().zip(bits).map(open).collect(), between }
    }

    fn verify(&self, joint: &RistrettoPoint, input: &Cards, output: &Cards) -> bool {
        let bits = challenge(joint, input, output, &self.between);
        let rounds = self.between.iter().zip(&self.opened).zip(bits);
        self.between.len() == ROUNDS
            && rounds.into_iter().all(|((between, opened), bit)| {
                let mut sorted = opened.map.clone();
                sorted.sort_unstable();
                let (from, to) = if bit { (between, output) } else { (input, between) };
                sorted.iter().map(|i| usize::from(*i)).eq(0..input.len())
                    && opened.apply(joint, from) == *to
            })
    }
}

/// The step that leads from where `first` ends to where `whole` ends.
fn rest(first: &Step, whole: &Step) -> Step {
    let place = |from: &u8| first.map.iter().position(|other| other == from).unwrap();
    let map: Vec<usize> = whole.map.iter().map(place).collect();
    let rho = whole.rho.iter().zip(&map).map(|(rho, place)| rho - first.rho[*place]);
    Step { rho: rho.collect(), map: map.iter().map(|place| *place as u8).collect() }
}

fn challenge(
    joint: &RistrettoPoint,
    input: &Cards,
    output: &Cards,
    between: &[Cards],
) -> Vec<bool> {
    let mut bytes = joint.compress().to_bytes().to_vec();
    for (a, b) in [input, output].into_iter().chain(between).flatten() {
        bytes.extend(a.compress().to_bytes());
        bytes.extend(b.compress().to_bytes());
    }
    let digest = hash("oracle", &[&bytes]);
    (0..ROUNDS).map(|bit| digest[bit / 8] >> (bit % 8) & 1 == 1).collect()
}

fn cards(bytes: &[u8]) -> Cards {
    bytes.chunks(64).map(|card| (point(&card[..32]), point(&card[32..]))).collect()
}

#[test]
fn bayer_groth_cut_and_choose_and_the_audit_agree() {
    let table = Table::new(3, 6);
    for seat in 1..3 {
        let honest = table.decks[seat + 1].bytes();
        let proof = table.proofs[seat].to_bytes();
        let (secrets, stage) = (&table.secrets[seat], &table.stages[seat]);
        let seed = secrets.seed();
        let step = Step {
            map: Stream::new(&hash("perm", &[seed, stage])).permutation(6),
            rho: (0..6u8).map(|i| hash_to_scalar("rho", &[seed, stage, &[i]])).collect(),
        };
        let (joint, input) = (point(table.joint.bytes()), cards(table.decks[seat].bytes()));
        let (context, deck) = (table.context(seat), &table.decks[seat]);
        let audited = shuffle(secrets, &context, deck);
        let mut cases = vec![("honest", honest.to_vec())];
        cases.extend(cheats(&table, honest));
        for (name, output) in cases {
            let verdict = table.verdict(seat, &output, &proof).is_ok();
            let output_cards = cards(&output);
            let oracle = Oracle::prove(&joint, &input, &output_cards, &step);
            assert_eq!(oracle.verify(&joint, &input, &output_cards), verdict, "{name}");
            assert_eq!(audited.bytes() == output, verdict, "{name}");
            let output = Deck::parse(&output, 6).unwrap();
            assert_eq!(is_shuffle_of(&output, secrets, &context, deck), verdict, "{name}");
            assert_eq!(verdict, name == "honest");
        }
    }
}
