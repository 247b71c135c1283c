//! The sealed deal: a deck nobody can read or rig, a card nobody reads before its time.
//!
//! What a log says of it: commitments, shuffles with their proofs, shares. Everything here is
//! public; what a seat keeps secret is in [`DealSecrets`] and never gets into a table's state.

mod audit;

use std::{num::NonZeroU8, sync::OnceLock};

use super::{
    Context,
    wire::{Commitment, OpenCard, Shares, Shuffle},
};
use crate::{
    game::{Card, Seat, deck},
    planted::{Bug, planted},
    protocol::{
        codec,
        crypto::{
            bayer_groth::ShuffleProof,
            commit::{
                coin_commitment, coins, commitments, first_stage, leaf, next_stage,
                seed_commitment, starter, turned,
            },
            deck::Deck,
            error::CryptoError,
            group::Point,
            hash::Hash,
            keys::{DealSecrets, joint_key},
            share::{Purpose, ShareContext, card, own_card, prove_shares, verify_shares},
            shuffle::{ShuffleContext, shuffle_and_prove, verify_shuffle},
            sigma::{SigmaProof, prove_key, verify_key},
        },
    },
};

/// A sealed deal as its records have it so far.
#[derive(Debug, Clone)]
pub struct SealedDeal {
    context: Context,
    /// By rank among the seats dealt in, as are the keys.
    committed: Vec<Commitment>,
    keys: Vec<Point>,
    t1: Hash,
    joint: Option<Point>,
    /// The stage before each shuffle and the deck it was given; the last is the final deck's.
    stages: Vec<(Hash, Deck)>,
    /// By rank and deck position: the shares others may know.
    shares: Vec<Vec<Option<Point>>>,
    /// The joint coin of each round whose shares are all there.
    coins: Vec<Hash>,
    /// What the checks have parsed of records that are not yet taken.
    parsed: Parsed,
}

/// Points of records that this seat made or a check found right. To parse one again would take its
/// square root again.
#[derive(Debug, Clone)]
struct Parsed {
    deck: OnceLock<Deck>,
    /// By seat.
    shares: Vec<OnceLock<Vec<Point>>>,
}

/// What is wrong with a record of a sealed deal.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum DealError {
    /// A key, deck, share or proof is.
    #[error(transparent)]
    Crypto(#[from] CryptoError),
    /// Something committed to is opened as something else.
    #[error("{0} is not the one committed to")]
    Opened(&'static str),
    /// A seat that has no part in this deal.
    #[error("seat {0} is not dealt in")]
    NotDealtIn(Seat),
    /// The records before it do not lead here.
    #[error("the deal has not come so far")]
    Early,
    /// The final decks differ.
    #[error("it does not name the deck that the shuffles give")]
    Stage,
    /// The shares of a position give no card.
    #[error("position {0} opens as no card")]
    NoCard(u8),
    /// The seed gives something else than was signed.
    #[error("the revealed seed gives another {0} than the seat signed")]
    Audit(&'static str),
}

impl SealedDeal {
    /// A deal to which nobody has committed yet.
    pub fn new(context: Context) -> SealedDeal {
        let n = usize::from(context.players().count());
        SealedDeal {
            context,
            committed: Vec::new(),
            keys: Vec::new(),
            t1: [0; 32],
            joint: None,
            stages: Vec::new(),
            shares: Vec::new(),
            coins: Vec::new(),
            parsed: Parsed { deck: OnceLock::new(), shares: vec![OnceLock::new(); n] },
        }
    }

    /// What the deal is bound to.
    pub fn context(&self) -> &Context {
        &self.context
    }

    /// `T1`, once all have committed.
    pub fn t1(&self) -> &Hash {
        &self.t1
    }

    /// Rounds of the deal whose shares are all there.
    pub fn rounds_open(&self) -> u8 {
        self.coins.len() as u8
    }

    /// The commitment of a seat with these secrets; `hedge` is 32 bytes of OS randomness.
    pub fn commitment(&self, seat: Seat, secrets: &DealSecrets, hedge: &Hash) -> Commitment {
        Commitment {
            proof: prove_key(secrets, hedge).to_bytes().to_vec(),
            ..self.commitment_of(seat, secrets)
        }
    }

    /// The same without the proof: what follows from the secrets alone.
    fn commitment_of(&self, seat: Seat, secrets: &DealSecrets) -> Commitment {
        let (t0, own) = (self.context.t0(), seat.index() as u8);
        let rounds = 1..=self.context.rounds();
        let leaf_at = |position: u8| leaf(t0, own, position, &secrets.salt(position));
        Commitment {
            seed: seed_commitment(t0, own, secrets.seed()),
            coins: rounds
                .clone()
                .map(|round| coin_commitment(t0, own, round, &secrets.coin(round)))
                .collect(),
            leaves: self.own_positions(seat).into_iter().map(leaf_at).collect(),
            key: *secrets.public().bytes(),
            proof: Vec::new(),
        }
    }

    fn rank(&self, seat: Seat) -> Result<usize, DealError> {
        self.context.rank(seat).ok_or(DealError::NotDealtIn(seat))
    }

    fn committed(&self, seat: Seat) -> Result<&Commitment, DealError> {
        self.committed.get(self.rank(seat)?).ok_or(DealError::Early)
    }

    fn key(&self, seat: Seat) -> Result<&Point, DealError> {
        self.keys.get(self.rank(seat)?).ok_or(DealError::Early)
    }

    /// The positions of a seat in all rounds of the deal, in deck order.
    fn own_positions(&self, seat: Seat) -> Vec<u8> {
        let rounds = 1..=self.context.rounds();
        rounds.flat_map(|round| self.context.positions(seat, round)).collect()
    }

    /// Checks COMMIT.
    ///
    /// # Errors
    /// [`DealError::Crypto`]: a count, the key or its proof is wrong.
    pub fn check_commitment(&self, seat: Seat, body: &Commitment) -> Result<(), DealError> {
        let count = |what, expected: usize, found: usize| {
            let error = CryptoError::Length { what, expected, found };
            if expected == found { Ok(()) } else { Err(DealError::Crypto(error)) }
        };
        count("coins", self.context.rounds().into(), body.coins.len())?;
        count("leaves", self.own_positions(seat).len(), body.leaves.len())?;
        let key = Point::parse(&body.key, "the public key")?;
        let proof = SigmaProof::parse(&body.proof)?;
        Ok(verify_key(self.context.t0(), seat.index() as u8, &key, &proof)?)
    }

    /// Takes the commitments of all seats, by seat.
    ///
    /// # Errors
    /// [`DealError::Crypto`] if two have one key or the keys cancel out.
    pub fn take_commitments(&mut self, bodies: Vec<Commitment>) -> Result<(), DealError> {
        let encoded: Vec<Vec<u8>> = bodies.iter().map(codec::encode).collect();
        let parts: Vec<&[u8]> = encoded.iter().map(Vec::as_slice).collect();
        let keys = bodies.iter().map(|body| Point::parse(&body.key, "the public key"));
        self.keys = keys.collect::<Result<_, _>>()?;
        let joint = joint_key(&self.keys)?;
        self.t1 = commitments(self.context.t0(), &parts);
        let pairs: Vec<u8> =
            deck::deck(self.context.players()).iter().map(|card| card.pair()).collect();
        self.stages = vec![(first_stage(&self.t1, &joint), Deck::initial(&pairs)?)];
        self.joint = Some(joint);
        self.shares = vec![vec![None; pairs.len()]; bodies.len()];
        self.committed = bodies;
        Ok(())
    }

    /// The deck to be shuffled next and what its shuffle is bound to.
    fn at_stage(&self, index: usize) -> Result<(ShuffleContext<'_>, &Deck), DealError> {
        let (stage, deck) = self.stages.get(index).ok_or(DealError::Early)?;
        let joint = self.joint.as_ref().ok_or(DealError::Early)?;
        Ok((ShuffleContext { t1: &self.t1, stage, joint }, deck))
    }

    /// The shuffle of the seat whose turn it is; `hedge` is 32 bytes of OS randomness.
    ///
    /// # Errors
    /// [`DealError::Early`] before all have committed.
    pub fn shuffle(&self, secrets: &DealSecrets, hedge: &Hash) -> Result<Shuffle, DealError> {
        let seat = Seat::new(secrets.seat()).ok_or(DealError::Early)?;
        let (context, input) = self.at_stage(self.rank(seat)?)?;
        let (deck, proof) = shuffle_and_prove(secrets, &context, input, hedge);
        let body = Shuffle { deck: deck.bytes().to_vec(), proof: proof.to_bytes() };
        self.parsed.deck.get_or_init(|| deck);
        Ok(body)
    }

    /// Checks SHUFFLE of the seat whose turn it is.
    ///
    /// # Errors
    /// [`DealError::Crypto`]: the deck or the proof is wrong.
    pub fn check_shuffle(&self, seat: Seat, body: &Shuffle) -> Result<(), DealError> {
        let (context, input) = self.at_stage(self.rank(seat)?)?;
        let known = self.parsed.deck.get().filter(|deck| deck.bytes() == body.deck).cloned();
        let output = known.map_or_else(|| Deck::parse(&body.deck, input.len()), Ok)?;
        let proof = ShuffleProof::parse(&body.proof, input.len())?;
        if planted(Bug::AnyShuffle) {
            return Ok(());
        }
        verify_shuffle(&context, seat.index() as u8, input, &output, &proof)?;
        self.parsed.deck.get_or_init(|| output);
        Ok(())
    }

    /// Takes a checked SHUFFLE.
    ///
    /// # Errors
    /// [`DealError`] if it is not of this deal.
    pub fn take_shuffle(&mut self, seat: Seat, body: &Shuffle) -> Result<(), DealError> {
        let parsed = self.parsed.deck.take().filter(|deck| deck.bytes() == body.deck);
        let (context, input) = self.at_stage(self.rank(seat)?)?;
        let output = parsed.map_or_else(|| Deck::parse(&body.deck, input.len()), Ok)?;
        let stage = next_stage(context.stage, seat.index() as u8, &output, &body.proof);
        self.stages.push((stage, output));
        Ok(())
    }

    /// `S_n`: the final deck and all that led to it.
    ///
    /// # Errors
    /// [`DealError::Early`] before every seat has shuffled.
    pub fn final_stage(&self) -> Result<&Hash, DealError> {
        self.last().map(|(stage, _)| stage)
    }

    /// Checks READY.
    ///
    /// # Errors
    /// [`DealError::Stage`] if it names another deck.
    pub fn check_ready(&self, stage: &Hash) -> Result<(), DealError> {
        if self.final_stage()? == stage { Ok(()) } else { Err(DealError::Stage) }
    }

    fn last(&self) -> Result<&(Hash, Deck), DealError> {
        let n = usize::from(self.context.dealt_in().count());
        self.stages.get(n).ok_or(DealError::Early)
    }

    fn share_context(&self, purpose: Purpose) -> Result<(ShareContext<'_>, &Deck), DealError> {
        let (stage, deck) = self.last()?;
        Ok((ShareContext { t1: &self.t1, stage, purpose }, deck))
    }

    /// SHARES of a seat for a round of the deal (from 1).
    ///
    /// # Errors
    /// [`DealError::Early`] before every seat has shuffled.
    pub fn shares(
        &self,
        seat: Seat,
        round: u8,
        secrets: &DealSecrets,
        hedge: &Hash,
    ) -> Result<Shares, DealError> {
        let (context, deck) = self.share_context(Purpose::Share { round })?;
        let positions = self.context.positions_of_others(seat, round);
        let (shares, proof) = prove_shares(secrets, &context, deck, &positions, hedge)?;
        Ok(Shares {
            shares: shares.iter().map(|share| *share.bytes()).collect(),
            proof: proof.to_bytes().to_vec(),
            coin: secrets.coin(round),
        })
    }

    /// Checks SHARES of a seat for a round.
    ///
    /// # Errors
    /// [`DealError`]: a share, the proof or the coin is wrong.
    pub fn check_shares(&self, seat: Seat, round: u8, body: &Shares) -> Result<(), DealError> {
        let own = seat.index() as u8;
        let (context, deck) = self.share_context(Purpose::Share { round })?;
        let positions = self.context.positions_of_others(seat, round);
        let key = self.key(seat)?;
        let shares = parse_shares(body)?;
        let proof = SigmaProof::parse(&body.proof)?;
        let committed = self.committed(seat)?;
        let coin = coin_commitment(self.context.t0(), own, round, &body.coin);
        if committed.coins.get(usize::from(round) - 1) != Some(&coin) {
            return Err(DealError::Opened("the coin"));
        }
        verify_shares(&context, own, key, deck, &positions, &shares, &proof)?;
        if let Some(parsed) = self.parsed.shares.get(seat.index()) {
            parsed.get_or_init(|| shares);
        }
        Ok(())
    }

    /// Takes the checked SHARES of all seats for a round.
    ///
    /// # Errors
    /// [`DealError`] if they are not of this deal.
    pub fn take_shares(&mut self, round: u8, bodies: &[Shares]) -> Result<(), DealError> {
        for (seat, body) in self.context.dealt_in().iter().zip(bodies) {
            let positions = self.context.positions_of_others(seat, round);
            let parsed = self.parsed.shares.get_mut(seat.index()).and_then(OnceLock::take);
            let parsed = parsed.filter(|all| all.iter().map(Point::bytes).eq(&body.shares));
            let shares = parsed.map_or_else(|| parse_shares(body), Ok)?;
            for (position, share) in positions.into_iter().zip(shares) {
                self.put_share(seat, position, share);
            }
        }
        let all: Vec<Hash> = bodies.iter().map(|body| body.coin).collect();
        self.coins.push(coins(&self.t1, round, &all));
        Ok(())
    }

    fn put_share(&mut self, seat: Seat, position: u8, share: Point) {
        let row = self.context.rank(seat).and_then(|rank| self.shares.get_mut(rank));
        if let Some(place) = row.and_then(|row| row.get_mut(usize::from(position))) {
            *place = Some(share);
        }
    }

    /// Who starts round 1 of the game, if this is its deal.
    pub fn start(&self) -> Option<Seat> {
        let count = NonZeroU8::new(self.context.dealt_in().count())?;
        self.context.drawn(starter(&self.t1, self.coins.first()?, count))
    }

    /// Opens dealt cards of `seat` in a round: the shares, their proof and the salts. `head` is
    /// the base of the record, `number` that of the log's record.
    ///
    /// # Errors
    /// [`DealError::Early`] before the shares of the round are there.
    pub fn open(
        &self,
        secrets: &DealSecrets,
        positions: &[u8],
        number: u64,
        head: &Hash,
        hedge: &Hash,
    ) -> Result<(Vec<OpenCard>, Vec<u8>), DealError> {
        if positions.is_empty() {
            return Ok((Vec::new(), Vec::new()));
        }
        let (context, deck) = self.share_context(Purpose::Open { number, head: *head })?;
        let (shares, proof) = prove_shares(secrets, &context, deck, positions, hedge)?;
        let card = |(share, position): (&Point, &u8)| OpenCard::Dealt {
            share: *share.bytes(),
            salt: secrets.salt(*position),
        };
        Ok((shares.iter().zip(positions).map(card).collect(), proof.to_bytes().to_vec()))
    }

    /// Checks the proof of an opening of dealt cards of `seat`: position, share and salt of each.
    /// `at` are the number and base of the record.
    ///
    /// # Errors
    /// [`DealError`]: a share or the proof is wrong.
    pub fn prove_opening(
        &self,
        seat: Seat,
        opened: &[(u8, Hash, Hash)],
        proof: &[u8],
        (number, head): (u64, &Hash),
    ) -> Result<(), DealError> {
        if opened.is_empty() {
            let wrong = CryptoError::Length { what: "proof", expected: 0, found: proof.len() };
            return if proof.is_empty() { Ok(()) } else { Err(wrong.into()) };
        }
        let (context, deck) = self.share_context(Purpose::Open { number, head: *head })?;
        let positions: Vec<u8> = opened.iter().map(|(position, ..)| *position).collect();
        let shares = opened.iter().map(|(_, share, _)| Point::parse(share, "a share"));
        let shares: Vec<Point> = shares.collect::<Result<_, _>>()?;
        let key = self.key(seat)?;
        let proof = SigmaProof::parse(proof)?;
        let own = seat.index() as u8;
        Ok(verify_shares(&context, own, key, deck, &positions, &shares, &proof)?)
    }

    /// The cards of an opening as they were dealt, in a round of the deal. Its proof is not
    /// checked here.
    ///
    /// # Errors
    /// [`DealError`]: a salt is wrong, or there is no such card.
    pub fn read_opening(
        &self,
        seat: Seat,
        round: u8,
        opened: &[(u8, Hash, Hash)],
    ) -> Result<Vec<Card>, DealError> {
        let (_, deck) = self.last()?;
        let read = |(position, share, salt): &(u8, Hash, Hash)| {
            self.check_leaf(seat, *position, salt)?;
            let share = Point::parse(share, "a share")?;
            let mut all = self.shares_of_others(seat, *position)?;
            all.push(&share);
            let pair = card(deck, *position, &all)?.ok_or(DealError::NoCard(*position))?;
            self.as_dealt(seat, round, *position, pair, salt)
        };
        opened.iter().map(read).collect()
    }

    fn check_leaf(&self, seat: Seat, position: u8, salt: &Hash) -> Result<(), DealError> {
        let committed = self.committed(seat)?;
        let index = self.own_positions(seat).iter().position(|own| *own == position);
        let known = index.and_then(|index| committed.leaves.get(index));
        if known == Some(&leaf(self.context.t0(), seat.index() as u8, position, salt)) {
            Ok(())
        } else {
            Err(DealError::Opened("a card's salt"))
        }
    }

    fn shares_of_others(&self, owner: Seat, position: u8) -> Result<Vec<&Point>, DealError> {
        let others = self.context.dealt_in().iter().filter(|seat| *seat != owner);
        let share = |seat: Seat| {
            let row = self.context.rank(seat).and_then(|rank| self.shares.get(rank));
            let share = row.and_then(|row| row.get(usize::from(position)));
            share.and_then(Option::as_ref).ok_or(DealError::Early)
        };
        others.map(share).collect()
    }

    /// The card with its orientation, which its owner's salt and all coins decide together.
    fn as_dealt(
        &self,
        owner: Seat,
        round: u8,
        position: u8,
        pair: u8,
        salt: &Hash,
    ) -> Result<Card, DealError> {
        let coins = self.coins.get(usize::from(round) - 1).ok_or(DealError::Early)?;
        let turned = turned(&self.t1, coins, owner.index() as u8, position, salt);
        Card::from_pair(pair, turned).ok_or(DealError::NoCard(position))
    }

    /// The own hand of a round, as dealt: what the owner alone can compute.
    ///
    /// # Errors
    /// [`DealError::Early`] before the shares of the round are there.
    pub fn own_hand(&self, secrets: &DealSecrets, round: u8) -> Result<Vec<Card>, DealError> {
        let (_, deck) = self.last()?;
        let Some(seat) = Seat::new(secrets.seat()) else { return Err(DealError::Early) };
        let one = |position: u8| {
            let others = self.shares_of_others(seat, position)?;
            let pair = own_card(secrets, deck, position, &others)?;
            let pair = pair.ok_or(DealError::NoCard(position))?;
            self.as_dealt(seat, round, position, pair, &secrets.salt(position))
        };
        self.context.positions(seat, round).into_iter().map(one).collect()
    }
}

fn parse_shares(body: &Shares) -> Result<Vec<Point>, CryptoError> {
    body.shares.iter().map(|share| Point::parse(share, "a share")).collect()
}
