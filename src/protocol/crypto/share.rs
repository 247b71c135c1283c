//! Shares of the final deck: what each seat contributes to opening a card, and the card.

use curve25519_dalek::ristretto::RistrettoPoint;

use super::deck::Deck;
use super::dleq::Statement;
use super::error::CryptoError;
use super::group::{Point, card_points};
use super::hash::Hash;
use super::keys::DealSecrets;
use super::sigma::SigmaProof;
use super::transcript::Transcript;

/// What shares are sent for; a proof made for one purpose does not serve another.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Purpose {
    /// The cards others own in a round of the deal.
    Share {
        /// The round.
        round: u8,
    },
    /// Own cards, shown in a move.
    Open {
        /// The move's number.
        number: u64,
        /// The log's head the move was made on.
        head: Hash,
    },
}

/// What a proof over shares is bound to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ShareContext<'a> {
    /// T1, the commitments.
    pub t1: &'a Hash,
    /// S_n, the final deck and all that led to it.
    pub stage: &'a Hash,
    /// What the shares are for.
    pub purpose: Purpose,
}

/// `D_i = sk A_i`: this seat's shares of cards of the final deck.
///
/// The key may touch nothing but the final deck, and the share of an own card may leave only when
/// the card is shown.
///
/// # Errors
/// [`CryptoError::Range`] for a position outside the deck.
pub fn shares(
    secrets: &DealSecrets,
    deck: &Deck,
    positions: &[u8],
) -> Result<Vec<Point>, CryptoError> {
    Ok(Point::products(&bases(deck, positions)?, secrets.key()))
}

/// The `A_i` of `positions`.
fn bases(deck: &Deck, positions: &[u8]) -> Result<Vec<RistrettoPoint>, CryptoError> {
    positions.iter().map(|position| deck.card(*position).map(|card| card.a)).collect()
}

/// The shares of `positions` in that order, and one proof for all of them (see the `dleq` module);
/// `hedge` is 32 bytes of OS randomness.
///
/// # Errors
/// [`CryptoError::Range`] for a position outside the deck, [`CryptoError::Length`] for none.
pub fn prove_shares(
    secrets: &DealSecrets,
    context: &ShareContext<'_>,
    deck: &Deck,
    positions: &[u8],
    hedge: &[u8; 32],
) -> Result<(Vec<Point>, SigmaProof), CryptoError> {
    let shares = shares(secrets, deck, positions)?;
    let statement = statement(context, secrets.seat(), secrets.public(), deck, positions, &shares)?;
    let nonces = statement.transcript.nonces(hedge, secrets.seed());
    let proof = statement.prove(secrets.key(), nonces);
    Ok((shares, proof))
}

/// Checks that `shares` are those of `seat`, whose key is `public`, for `positions` in that order.
///
/// # Errors
/// [`CryptoError::Range`] for a position outside the deck, [`CryptoError::Length`] for none or
/// another number of shares, [`CryptoError::Proof`].
pub fn verify_shares(
    context: &ShareContext<'_>,
    seat: u8,
    public: &Point,
    deck: &Deck,
    positions: &[u8],
    shares: &[Point],
    proof: &SigmaProof,
) -> Result<(), CryptoError> {
    statement(context, seat, public, deck, positions, shares)?.verify(proof)
}

/// The card at `position`, given the shares of every seat: the `c` with `M_c = B − Σ D_j`. `None`
/// if there is none, which says that a share is missing, or not of this position.
///
/// # Errors
/// [`CryptoError::Range`] for a position outside the deck.
pub fn card(deck: &Deck, position: u8, shares: &[&Point]) -> Result<Option<u8>, CryptoError> {
    let sum: RistrettoPoint = shares.iter().map(|share| share.inner()).sum();
    Ok(look_up(&(deck.card(position)?.b - sum)))
}

/// The own card at `position`, given the shares of every other seat; as [`card`].
///
/// # Errors
/// [`CryptoError::Range`] for a position outside the deck.
pub fn own_card(
    secrets: &DealSecrets,
    deck: &Deck,
    position: u8,
    others: &[&Point],
) -> Result<Option<u8>, CryptoError> {
    let card = deck.card(position)?;
    let others: RistrettoPoint = others.iter().map(|share| share.inner()).sum();
    Ok(look_up(&(card.b - others - card.a * secrets.key())))
}

fn look_up(message: &RistrettoPoint) -> Option<u8> {
    let card = card_points().iter().position(|point| point == message);
    card.and_then(|card| u8::try_from(card).ok())
}

fn statement<'a>(
    context: &ShareContext<'_>,
    seat: u8,
    public: &'a Point,
    deck: &Deck,
    positions: &[u8],
    shares: &[Point],
) -> Result<Statement<'a>, CryptoError> {
    let (expected, found) = (positions.len().max(1), shares.len());
    if expected != found {
        return Err(CryptoError::Length { what: "shares", expected, found });
    }
    let mut transcript = Transcript::new("dleq");
    transcript.absorb("T1", context.t1);
    transcript.absorb("S", context.stage);
    transcript.absorb("seat", &[seat]);
    match context.purpose {
        Purpose::Share { round } => transcript.absorb("share", &[round]),
        Purpose::Open { number, head } => {
            transcript.absorb("open", &number.to_le_bytes());
            transcript.absorb("head", &head);
        }
    }
    transcript.absorb("pk", public.bytes());
    transcript.absorb("positions", positions);
    for position in positions {
        transcript.absorb("A", deck.a_bytes(*position)?);
    }
    for share in shares {
        transcript.absorb("D", share.bytes());
    }
    let products = shares.iter().map(|share| *share.inner()).collect();
    Ok(Statement { transcript, public, bases: bases(deck, positions)?, products })
}
