//! The prover.

use std::iter::once;

use curve25519_dalek::constants::RISTRETTO_BASEPOINT_POINT as G;
use curve25519_dalek::ristretto::RistrettoPoint;
use curve25519_dalek::scalar::Scalar;
use curve25519_dalek::traits::Identity;
use subtle::{Choice, ConditionallySelectable};
use zeroize::Zeroizing;

use super::{LastCommitments, Responses, ShuffleProof, Statement};
use super::{challenge_e, challenge_x, challenge_yz, powers};
use crate::protocol::crypto::group::{CARDS_MAX, Point, commit, commitment_key, sum_of_products};
use crate::protocol::crypto::transcript::Nonces;
use crate::protocol::crypto::witness::Witness;

/// Proves `statement`; with a witness that is none, the result is a proof that does not hold.
pub(in crate::protocol::crypto) fn prove(
    statement: &Statement<'_>,
    witness: &Witness,
    mut nonces: Nonces,
) -> ShuffleProof {
    let blinds = Blinds::draw(statement.output.len(), &mut nonces);
    prove_with(statement, witness, &blinds, |powers| witness.arrange(powers))
}

/// The prover's secret scalars, named as in the parent module.
pub(super) struct Blinds {
    pub(super) r: [Zeroizing<Scalar>; 6],
    pub(super) tau: Zeroizing<Scalar>,
    pub(super) alpha: Zeroizing<Vec<Scalar>>,
    pub(super) d: Zeroizing<Vec<Scalar>>,
    pub(super) delta: Zeroizing<Vec<Scalar>>,
}

impl Blinds {
    /// Draws r1 to r6, τ0, α, d, and δ in this order, and replaces the ends of δ.
    pub(super) fn draw(len: usize, nonces: &mut Nonces) -> Self {
        let r = std::array::from_fn(|_| Zeroizing::new(nonces.draw()));
        let tau = Zeroizing::new(nonces.draw());
        let alpha = nonces.draw_many(len);
        let d = nonces.draw_many(len);
        let mut delta = nonces.draw_many(len);
        if let ([first, .., last], [d_first, ..]) = (delta.as_mut_slice(), d.as_slice()) {
            *first = *d_first;
            *last = Scalar::ZERO;
        }
        Self { r, tau, alpha, d, delta }
    }
}

/// The proof with these blinds, and with the `b` that `arrange` makes of the powers of x: the tests
/// have dishonest ones.
pub(super) fn prove_with(
    statement: &Statement<'_>,
    witness: &Witness,
    blinds: &Blinds,
    arrange: impl FnOnce(&[Scalar]) -> Zeroizing<Vec<Scalar>>,
) -> ShuffleProof {
    let [r1, r2, r3, r4, r5, r6] = &blinds.r;
    let mut transcript = statement.transcript();

    let pi = secret(witness.map.iter().map(|from| Scalar::from(*from) + Scalar::ONE));
    let c_pi = commit_small(&witness.map, r1);
    let x = challenge_x(&mut transcript, &c_pi);

    let b = arrange(&powers(&x, pi.len()));
    let c_b = commit(&b, r2);
    let (y, z) = challenge_yz(&mut transcript, &c_b);

    let a = secret(pi.iter().zip(b.iter()).map(|(pi, b)| y * pi + b - z));
    let q = secret(a.iter().scan(Scalar::ONE, |product, a| {
        *product *= a;
        Some(*product)
    }));
    let last = last_commitments(statement, blinds, &a, &q);
    let e = challenge_e(&mut transcript, &last);

    let rho: Zeroizing<Scalar> =
        Zeroizing::new(b.iter().zip(witness.rhos.iter()).map(|(b, rho)| b * rho).sum());
    let respond = |secrets: &[Scalar], blinds: &[Scalar]| -> Vec<Scalar> {
        secrets.iter().zip(blinds).map(|(secret, blind)| e * secret + blind).collect()
    };
    let inner = 1..a.len() - 1;
    let responses = Responses {
        o: respond(&b, &blinds.alpha),
        o_r: e * **r2 + **r3,
        tau: *blinds.tau - e * *rho,
        a: respond(&a, &blinds.d),
        b: respond(&q[inner.clone()], &blinds.delta[inner]),
        r: e * (y * **r1 + **r2) + **r4,
        s: e * **r6 + **r5,
    };
    ShuffleProof { c_pi, c_b, last, responses }
}

/// Step 3 and 4 of the parent module, for `a` and its products `q`.
fn last_commitments(
    statement: &Statement<'_>,
    blinds: &Blinds,
    a: &[Scalar],
    q: &[Scalar],
) -> LastCommitments {
    let Blinds { r: [_, _, r3, r4, r5, r6], tau, alpha, d, delta } = blinds;
    let next = 1..a.len();
    let minus_cross = secret(next.clone().map(|i| -delta[i - 1] * d[i]));
    let cross = secret(next.map(|i| delta[i] - a[i] * delta[i - 1] - q[i - 1] * d[i]));
    let (output, joint) = (statement.output.cards(), statement.context.joint.inner());
    let blinding = secret(once(&**tau).chain(alpha.iter()).copied());
    let combine = |points: Vec<RistrettoPoint>| Point::new(sum_of_products(&blinding, &points));
    LastCommitments {
        c_alpha: commit(alpha, r3),
        e_a: combine(once(G).chain(output.iter().map(|card| card.a)).collect()),
        e_b: combine(once(*joint).chain(output.iter().map(|card| card.b)).collect()),
        c_d: commit(d, r4),
        c_delta: commit(&minus_cross, r5),
        c_cross: commit(&cross, r6),
    }
}

/// `com(π; blind)` in constant time: the same as `commit`, but with values below 64 only the low
/// six bits need be looked at.
fn commit_small(map: &[u8], blind: &Scalar) -> Point {
    const { assert!(CARDS_MAX < 64) };
    let (base, generators) = (commitment_key().first(), commitment_key().iter().skip(1));
    let mut sum = RistrettoPoint::identity();
    for bit in (0..6).rev() {
        sum += sum;
        for (from, generator) in map.iter().zip(generators.clone()) {
            let added = sum + generator;
            sum.conditional_assign(&added, Choice::from(((from + 1) >> bit) & 1));
        }
    }
    Point::new(base.map_or(sum, |base| sum + base * blind))
}

fn secret(scalars: impl Iterator<Item = Scalar>) -> Zeroizing<Vec<Scalar>> {
    Zeroizing::new(scalars.collect())
}
