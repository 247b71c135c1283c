//! The proof that one deck is a shuffle of another: Bayer and Groth, "Efficient Zero-Knowledge
//! Argument for Correctness of a Shuffle" (EUROCRYPT 2012), with one row (m = 1).
//!
//! The statement: somebody knows a permutation π of the N positions and ρ_1..ρ_N such that
//! `(A'_i, B'_i) = (A_π(i) + ρ_i G, B_π(i) + ρ_i PK)`. Indices below count from 1, and
//! `com(v; r) = r Hh + Σ v_i G_i` is binding as long as nobody knows a relation between its bases.
//!
//! 1. The prover commits to π: `c_π = com(π; r1)`. Challenge x.
//! 2. It commits to the powers in that order, `b_i = x^π(i)`: `c_b = com(b; r2)`. Challenges y, z.
//! 3. *Product argument* (paper, section 5.3). Let `a_i = y π(i) + b_i − z`, to which
//!    `y c_π + c_b − z ΣG_i` commits with `y r1 + r2`, and let `q_i = a_1 ⋯ a_i`. That `q_N` is
//!    `Π (y i + x^i − z)` says, as a polynomial in z, that the pairs `(π(i), b_i)` are the pairs
//!    `(i, x^i)` in some order. For it: random d and δ, but `δ_1 = d_1` and `δ_N = 0`;
//!    `c_d = com(d; r4)`, `c_δ = com(−δ_i d_{i+1}; r5)`,
//!    `c_Δ = com(δ_{i+1} − a_{i+1} δ_i − q_i d_{i+1}; r6)`, the last two for i < N.
//! 4. *Multi-exponentiation argument* (section 4). Then `Σ b_i (A'_i, B'_i)` is
//!    `Σ x^i (A_i, B_i) + Σ b_i ρ_i (G, PK)`, and as π was fixed before x, each ciphertext is
//!    where it should be. For it: random α, τ0; `c_α = com(α; r3)`,
//!    `E = Σ α_i (A'_i, B'_i) + τ0 (G, PK)`. With one row this is a plain proof of a preimage, and
//!    the paper's commitment to the plaintext of E is not needed: α and τ0 hide all there is.
//! 5. One challenge e serves both. The responses: `o = α + e b`, `o_r = r3 + e r2`,
//!    `τ = τ0 − e Σ b_i ρ_i`, `ã = e a + d`, `b̃_i = e q_i + δ_i`, `r̃ = e (y r1 + r2) + r4`,
//!    `s̃ = e r6 + r5`. Neither `b̃_1 = ã_1` nor `b̃_N = e Π (y i + x^i − z)` is sent: the verifier
//!    puts them in, so there is no way to send others.
//!
//! The verifier's five equations, and why they hold, are in the `verify` module.

mod prove;
mod verify;

#[cfg(test)]
mod cheats;

use curve25519_dalek::scalar::Scalar;

pub(super) use prove::prove;

use super::deck::Deck;
use super::error::CryptoError;
use super::group::{Point, parse_scalar};
use super::transcript::Transcript;
use super::witness::ShuffleContext;

/// A proof that one deck is a shuffle of another, well-formed but not yet checked.
///
/// Encoded in 32-byte words: c_π, c_b, c_α, E_A, E_B, c_d, c_δ, c_Δ, then o (N words), o_r, τ, ã
/// (N), b̃_2..b̃_{N−1}, r̃, s̃.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ShuffleProof {
    c_pi: Point,
    c_b: Point,
    last: LastCommitments,
    responses: Responses,
}

/// What the prover commits to after y and z.
#[derive(Clone, Debug, PartialEq, Eq)]
struct LastCommitments {
    c_alpha: Point,
    e_a: Point,
    e_b: Point,
    c_d: Point,
    c_delta: Point,
    c_cross: Point,
}

/// What the prover answers to e.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Responses {
    o: Vec<Scalar>,
    o_r: Scalar,
    tau: Scalar,
    a: Vec<Scalar>,
    b: Vec<Scalar>,
    r: Scalar,
    s: Scalar,
}

impl ShuffleProof {
    /// The length of the proof for a deck of `len` cards: 8 points and 3 `len` + 2 scalars.
    pub const fn bytes_for(len: usize) -> usize {
        (8 + 3 * len + 2) * 32
    }

    /// Reads the proof for a deck of `len` cards.
    ///
    /// # Errors
    /// [`CryptoError::Range`] for fewer than two cards, [`CryptoError::Length`],
    /// [`CryptoError::Point`], [`CryptoError::Scalar`].
    pub fn parse(bytes: &[u8], len: usize) -> Result<Self, CryptoError> {
        let inner = len.checked_sub(2);
        let inner = inner.ok_or(CryptoError::Range { what: "number of cards", value: len })?;
        let (expected, found) = (Self::bytes_for(len), bytes.len());
        if found != expected {
            return Err(CryptoError::Length { what: "shuffle proof", expected, found });
        }
        let mut words = Words(bytes);
        Ok(Self {
            c_pi: words.point()?,
            c_b: words.point()?,
            last: LastCommitments {
                c_alpha: words.point()?,
                e_a: words.point()?,
                e_b: words.point()?,
                c_d: words.point()?,
                c_delta: words.point()?,
                c_cross: words.point()?,
            },
            responses: Responses {
                o: words.scalars(len)?,
                o_r: words.scalar()?,
                tau: words.scalar()?,
                a: words.scalars(len)?,
                b: words.scalars(inner)?,
                r: words.scalar()?,
                s: words.scalar()?,
            },
        })
    }

    /// The canonical encoding.
    pub fn to_bytes(&self) -> Vec<u8> {
        let last = self.last.points().into_iter();
        let points = [&self.c_pi, &self.c_b].into_iter().chain(last);
        let mut bytes: Vec<u8> = points.flat_map(|point| *point.bytes()).collect();
        bytes.extend(self.responses.bytes());
        bytes
    }
}

impl LastCommitments {
    fn points(&self) -> [&Point; 6] {
        [&self.c_alpha, &self.e_a, &self.e_b, &self.c_d, &self.c_delta, &self.c_cross]
    }
}

impl Responses {
    fn bytes(&self) -> Vec<u8> {
        let first = self.o.iter().chain([&self.o_r, &self.tau]).chain(&self.a).chain(&self.b);
        first.chain([&self.r, &self.s]).flat_map(Scalar::to_bytes).collect()
    }
}

/// 32-byte words not yet read.
struct Words<'a>(&'a [u8]);

impl Words<'_> {
    fn word(&mut self) -> &[u8] {
        let (word, rest) = self.0.split_at(self.0.len().min(32));
        self.0 = rest;
        word
    }

    fn point(&mut self) -> Result<Point, CryptoError> {
        Point::parse(self.word(), "a commitment of a shuffle proof")
    }

    fn scalar(&mut self) -> Result<Scalar, CryptoError> {
        parse_scalar(self.word(), "a response of a shuffle proof")
    }

    fn scalars(&mut self, count: usize) -> Result<Vec<Scalar>, CryptoError> {
        (0..count).map(|_| self.scalar()).collect()
    }
}

/// What is proved: `output` is a shuffle of `input`, by this seat, at this point of the deal.
pub(super) struct Statement<'a> {
    pub(super) context: &'a ShuffleContext<'a>,
    pub(super) seat: u8,
    pub(super) input: &'a Deck,
    pub(super) output: &'a Deck,
}

impl Statement<'_> {
    /// The transcript after the whole statement.
    pub(super) fn transcript(&self) -> Transcript {
        let mut transcript = Transcript::new("shuffle");
        transcript.absorb("T1", self.context.t1);
        transcript.absorb("S", self.context.stage);
        transcript.absorb("seat", &[self.seat]);
        transcript.absorb("N", &[self.output.len() as u8]);
        transcript.absorb("PK", self.context.joint.bytes());
        transcript.absorb("in", self.input.bytes());
        transcript.absorb("out", self.output.bytes());
        transcript
    }
}

/// The challenges, each drawn after all it depends on was absorbed; prover and verifier share
/// these functions, so that they cannot differ in the order.
fn challenge_x(transcript: &mut Transcript, c_pi: &Point) -> Scalar {
    transcript.absorb("c_pi", c_pi.bytes());
    transcript.challenge("x")
}

fn challenge_yz(transcript: &mut Transcript, c_b: &Point) -> (Scalar, Scalar) {
    transcript.absorb("c_b", c_b.bytes());
    (transcript.challenge("y"), transcript.challenge("z"))
}

fn challenge_e(transcript: &mut Transcript, last: &LastCommitments) -> Scalar {
    let labels = ["c_alpha", "E_A", "E_B", "c_d", "c_delta", "c_cross"];
    for (label, point) in labels.into_iter().zip(last.points()) {
        transcript.absorb(label, point.bytes());
    }
    transcript.challenge("e")
}

/// x^1 .. x^len.
fn powers(x: &Scalar, len: usize) -> Vec<Scalar> {
    std::iter::successors(Some(*x), |power| Some(power * x)).take(len).collect()
}
