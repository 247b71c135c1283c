//! A random model of the contest of one place: voters, one of whom may lie, an owner that may sign
//! two records, and a network that loses, doubles and reorders. The state machine is the one a
//! session runs.
//!
//! `FAIRDEAL_CONTEST_RUNS=1000000 cargo test --release --test table -- --nocapture` runs more.

use fairdeal::{
    game::{Seat, Seats},
    protocol::contest::{
        Claim, Contest, Id, Proposal, Reason, Settling, Try, Vote, decide, quorum,
    },
};
use rand::{RngExt, SeedableRng, rngs::SmallRng};

/// Records are 1 and 2, claims count up from 10, a verdict is made of its claims.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
struct Name(u64);

impl Id for Name {
    fn verdict(claims: &[Claim<Name>]) -> Name {
        let mix = |all: u64, claim: &Claim<Name>| {
            (all ^ claim.id.0).wrapping_mul(0x9E37_79B9_7F4A_7C15).rotate_left(17)
        };
        Name(claims.iter().fold(1 << 40, mix) | 1 << 63)
    }
}

/// One case of the model.
#[derive(Debug, Clone, Copy)]
struct Case {
    voters: u8,
    liar: bool,
    two_records: bool,
    settling: Settling,
}

impl Case {
    /// Whether the honest alone are a quorum.
    fn must_decide(&self) -> bool {
        self.voters - u8::from(self.liar) >= quorum(self.voters)
    }
}

type Mail = (Seat, Vote<Name>);

struct Voter {
    contest: Contest<Name>,
    took: Option<Name>,
    known: Vec<Mail>,
    /// How much of `known` each other voter was told since the network healed.
    told: Vec<usize>,
}

struct World {
    case: Case,
    rng: SmallRng,
    now: u64,
    /// All voters run honestly but the last one if there is a liar: it says what it likes, and
    /// in half of the runs does its part besides.
    voters: Vec<Voter>,
    liar_works: bool,
    flying: Vec<(usize, Mail)>,
    /// Every vote that was ever signed, for the liar.
    signed: Vec<Mail>,
    names: u64,
    settled: Option<Name>,
}

/// What a run showed.
#[derive(Debug, Default, Clone, Copy)]
struct Tally {
    runs: u64,
    forks: u64,
    verdicts: u64,
    records: u64,
    uncontested: u64,
    stuck: u64,
}

const ABSENT: Seat = Seat::FIRST;

fn seat(index: usize) -> Seat {
    Seat::new(index as u8 + 1).unwrap()
}

impl World {
    fn new(case: Case, seed: u64) -> World {
        let seats: Seats = (0..usize::from(case.voters)).map(seat).collect();
        let voter = |index| Voter {
            contest: Contest::new(seat(index), seats, case.settling),
            took: None,
            known: Vec::new(),
            told: vec![0; case.voters.into()],
        };
        let mut rng = SmallRng::seed_from_u64(seed);
        World {
            case,
            liar_works: case.liar && rng.random_range(0..2) == 0,
            rng,
            now: 0,
            voters: (0..usize::from(case.voters)).map(voter).collect(),
            flying: Vec::new(),
            signed: Vec::new(),
            names: 10,
            settled: None,
        }
    }

    fn count(&self) -> usize {
        self.voters.len()
    }

    fn honest(&self) -> usize {
        self.count() - usize::from(self.case.liar)
    }

    fn draw(&mut self, below: usize) -> usize {
        self.rng.random_range(0..below)
    }

    /// The voters that run the state machine.
    fn workers(&self) -> usize {
        if self.liar_works { self.count() } else { self.honest() }
    }

    /// A signed vote goes out to every other voter; the liar's to some of them.
    fn send(&mut self, from: usize, vote: Vote<Name>) {
        let mail = (seat(from), vote);
        for to in (0..self.workers()).filter(|to| *to != from) {
            if from < self.honest() || self.draw(4) > 0 {
                self.flying.push((to, mail.clone()));
            }
        }
        self.signed.push(mail);
    }

    /// False if it shows a fork.
    fn receive(&mut self, to: usize, mail: Mail) -> bool {
        let voter = &mut self.voters[to];
        if voter.known.contains(&mail) {
            return true;
        }
        if voter.contest.receive(mail.0, mail.1.clone(), self.now) {
            voter.known.push(mail);
        }
        self.settle(to) && self.work(to)
    }

    fn settle(&mut self, at: usize) -> bool {
        if at >= self.honest() {
            return true;
        }
        let Some((_, thing)) = self.voters[at].contest.settled() else { return true };
        *self.settled.get_or_insert(thing) == thing
    }

    /// An honest voter signs all that it owes.
    fn work(&mut self, at: usize) -> bool {
        loop {
            let name = Name(self.names);
            let voter = &mut self.voters[at];
            let Some(vote) = voter.contest.duty(self.now, name) else { return true };
            self.names += 1;
            assert!(voter.contest.receive(seat(at), vote.clone(), self.now), "{vote:?}");
            voter.known.push((seat(at), vote.clone()));
            self.send(at, vote);
            if !self.settle(at) {
                return false;
            }
        }
    }

    fn see(&mut self, at: usize, record: u64) -> bool {
        let voter = &mut self.voters[at];
        let voted = voter.contest.has_voted();
        if voter.contest.see(Name(record)) {
            assert!(!voted, "a record was taken after a vote");
            voter.took = Some(Name(record));
        } else if voter.contest.record() != Some(Name(record)) {
            voter.contest.claim(Reason::Fault, self.now);
        }
        self.work(at)
    }

    fn claim(&mut self, at: usize) -> bool {
        let now = self.now;
        let voter = &mut self.voters[at];
        if voter.took.is_none() && voter.contest.settled().is_none() {
            voter.contest.claim(Reason::Silent, now);
        }
        self.work(at)
    }

    /// One thing that happens while the network is bad.
    fn stir(&mut self) -> bool {
        self.now += self.rng.random_range(0..600);
        let at = self.draw(self.workers());
        match self.draw(100) {
            0..=59 if !self.flying.is_empty() => {
                let index = self.draw(self.flying.len());
                match self.draw(10) {
                    0..=2 => {
                        self.flying.swap_remove(index);
                        true
                    }
                    3 => {
                        let (to, mail) = self.flying[index].clone();
                        self.receive(to, mail)
                    }
                    _ => {
                        let (to, mail) = self.flying.swap_remove(index);
                        self.receive(to, mail)
                    }
                }
            }
            60..=64 => self.claim(at),
            65..=66 => {
                let record = if self.case.two_records { 1 + self.draw(2) as u64 } else { 1 };
                self.see(at, record)
            }
            67..=79 if self.case.liar => {
                self.lie();
                true
            }
            _ => {
                self.now += self.rng.random_range(0..3_000);
                self.work(at)
            }
        }
    }

    /// The liar signs something, for one voter or for all.
    fn lie(&mut self) {
        let liar = self.count() - 1;
        let newest = self.signed.iter().map(|(_, vote)| vote.at()).max();
        let number = newest.map_or(0, |at| at.number) + self.draw(2) as u64;
        let opener = if self.draw(3) == 0 { seat(liar) } else { seat(self.draw(self.count())) };
        let known = newest.filter(|_| self.draw(2) == 0);
        let at = known.unwrap_or(Try { number: number.max(1), opener });
        let Some(vote) = self.invented(liar, at) else { return };
        let to = self.draw(self.honest());
        if self.draw(3) == 0 {
            self.send(liar, vote);
        } else {
            self.signed.push((seat(liar), vote.clone()));
            self.flying.push((to, (seat(liar), vote)));
        }
    }

    fn invented(&mut self, liar: usize, at: Try) -> Option<Vote<Name>> {
        let things: Vec<Name> = self
            .signed
            .iter()
            .filter_map(|(_, vote)| match vote {
                Vote::Confirm { thing, .. } | Vote::Seal { thing, .. } => Some(*thing),
                Vote::Propose(proposal) => Some(proposal.thing),
                Vote::Claim(_) => None,
            })
            .chain([Name(1)])
            .collect();
        let thing = things[self.draw(things.len())];
        Some(match self.draw(8) {
            0..=2 => Vote::Claim(self.false_claim(liar, at)),
            3..=4 => self.false_proposal(liar, at)?,
            5..=6 => Vote::Confirm { at, thing },
            _ => Vote::Seal { at, thing },
        })
    }

    /// A claim that names what the liar likes: any record the owner signed, any certificate there
    /// is, or none.
    fn false_claim(&mut self, liar: usize, at: Try) -> Claim<Name> {
        let records = if self.case.two_records { 3 } else { 2 };
        let record = Some(Name(self.draw(records) as u64)).filter(|name| name.0 > 0);
        let mut certificates = self.certificates();
        certificates.retain(|(of, _)| *of < at);
        let pick = self.draw(certificates.len() + 1);
        self.names += 1;
        Claim {
            voter: seat(liar),
            at,
            reason: Reason::Silent,
            record,
            certificate: certificates.get(pick).copied(),
            id: Name(self.names),
        }
    }

    /// A right proposal of a quorum of claims, of its choice among those ever signed.
    fn false_proposal(&mut self, liar: usize, at: Try) -> Option<Vote<Name>> {
        let at = Try { opener: seat(liar), ..at };
        let mut claims: Vec<Claim<Name>> = Vec::new();
        for index in 0..self.count() {
            let of = |mail: &Mail| match &mail.1 {
                Vote::Claim(claim) if claim.at == at && claim.voter == seat(index) => Some(*claim),
                _ => None,
            };
            let made: Vec<Claim<Name>> = self.signed.iter().filter_map(of).collect();
            if index == liar && self.draw(2) == 0 {
                claims.push(self.false_claim(liar, at));
            } else if !made.is_empty() {
                claims.push(made[self.draw(made.len())]);
            }
        }
        while claims.len() > usize::from(quorum(self.case.voters)) {
            let index = self.draw(claims.len());
            claims.remove(index);
        }
        if claims.len() < usize::from(quorum(self.case.voters)) {
            return None;
        }
        let thing = decide(self.case.voters, &claims);
        Some(Vote::Propose(Proposal { at, claims, thing }))
    }

    /// The certificates that the CONFIRMs ever signed make.
    fn certificates(&self) -> Vec<(Try, Name)> {
        let mut confirms: Vec<(Try, Name, Seat)> = Vec::new();
        for (voter, vote) in &self.signed {
            if let Vote::Confirm { at, thing } = vote {
                confirms.push((*at, *thing, *voter));
            }
        }
        confirms.sort();
        confirms.dedup();
        let same =
            |one: &(Try, Name, Seat), next: &(Try, Name, Seat)| (one.0, one.1) == (next.0, next.1);
        let groups = confirms.chunk_by(same);
        let full = groups.filter(|group| group.len() >= usize::from(quorum(self.case.voters)));
        full.map(|group| (group[0].0, group[0].1)).collect()
    }

    /// The network heals: everything known reaches everyone, time passes, players decide. False
    /// if it shows a fork.
    fn heal(&mut self) -> bool {
        let seconds = if self.case.must_decide() { 240 } else { 4 };
        for _ in 0..seconds {
            self.now += 1_000;
            for from in 0..self.workers() {
                for to in (0..self.workers()).filter(|to| *to != from) {
                    let voter = &mut self.voters[from];
                    let news = voter.known[voter.told[to]..].to_vec();
                    voter.told[to] = voter.known.len();
                    if !news.into_iter().all(|mail| self.receive(to, mail)) {
                        return false;
                    }
                    if !self.tell(from, to) {
                        return false;
                    }
                }
                if !self.claim(from) {
                    return false;
                }
            }
            if self.is_done() {
                break;
            }
        }
        true
    }

    /// What a neighbour is told besides votes: the record held, and what is settled.
    fn tell(&mut self, from: usize, to: usize) -> bool {
        let contest = &self.voters[from].contest;
        let (record, settled) = (contest.record(), contest.settled());
        if let Some((at, thing)) = settled
            && self.case.settling == Settling::Seals
        {
            let sealed = |mail: &&Mail| mail.1 == Vote::Seal { at, thing };
            let known = self.voters[from].known.iter().chain(&self.signed);
            let sealers: Seats = known.filter(sealed).map(|(seat, _)| *seat).collect();
            let settled = self.voters[to].contest.settle(sealers, at, thing);
            assert!(settled || from >= self.honest(), "SEALs are missing");
        }
        let seen = record.is_none_or(|Name(record)| self.see(to, record));
        seen && self.settle(to)
    }

    fn is_done(&self) -> bool {
        let honest = || self.voters.iter().take(self.honest());
        honest().all(|voter| voter.contest.settled().is_some()) || self.is_uncontested()
    }

    /// Whether all honest took one record and nobody ever asked.
    fn is_uncontested(&self) -> bool {
        let first = self.voters[0].took;
        let mut honest = self.voters.iter().take(self.honest());
        first.is_some() && honest.all(|voter| voter.took == first && !voter.contest.is_open())
    }
}

fn run(case: Case, seed: u64, tally: &mut Tally) {
    let mut world = World::new(case, seed);
    let steps = 20 + world.draw(180);
    let sound = (0..steps).all(|_| world.stir()) && world.heal();
    tally.runs += 1;
    if !sound {
        tally.forks += 1;
    } else if !world.is_done() {
        tally.stuck += 1;
    } else {
        match world.settled {
            None => tally.uncontested += 1,
            Some(Name(1 | 2)) => tally.records += 1,
            Some(_) => tally.verdicts += 1,
        }
    }
    assert!(!world.voters.iter().any(|voter| voter.contest.voters().contains(ABSENT)));
}

fn runs() -> u64 {
    let wanted = std::env::var("FAIRDEAL_CONTEST_RUNS").ok();
    wanted.and_then(|runs| runs.parse().ok()).unwrap_or(5_000)
}

/// Runs a case and demands that nothing forks and, where a quorum of the honest exists, that
/// nothing is left undecided.
fn holds(voters: u8, liar: bool, two_records: bool) {
    let case = Case { voters, liar, two_records, settling: Settling::Seals };
    let mut tally = Tally::default();
    let first = u64::from(voters) << 60 | u64::from(liar) << 59 | u64::from(two_records) << 58;
    (0..runs()).for_each(|seed| run(case, first + seed, &mut tally));
    println!("{case:?}: {tally:?}");
    assert_eq!(tally.forks, 0, "{case:?}");
    if case.must_decide() {
        assert_eq!(tally.stuck, 0, "{case:?}");
    }
}

#[test]
fn two_voters_settle_one_thing() {
    holds(2, false, false);
    holds(2, false, true);
}

#[test]
fn two_voters_of_whom_one_lies_settle_one_thing() {
    holds(2, true, false);
    holds(2, true, true);
}

#[test]
fn three_voters_settle_one_thing() {
    holds(3, false, false);
    holds(3, false, true);
}

#[test]
fn three_voters_of_whom_one_lies_settle_one_thing() {
    holds(3, true, false);
    holds(3, true, true);
}

#[test]
fn four_voters_settle_one_thing() {
    holds(4, false, false);
    holds(4, false, true);
}

#[test]
fn four_voters_of_whom_one_lies_settle_one_thing() {
    holds(4, true, false);
    holds(4, true, true);
}

/// The model can find a fork: without SEALs it does.
#[test]
fn without_seals_two_things_are_settled() {
    for (voters, liar) in [(2, false), (3, false), (4, false), (4, true)] {
        let case = Case { voters, liar, two_records: true, settling: Settling::Confirms };
        let mut tally = Tally::default();
        let first = (0..200_000).find(|seed| {
            run(case, *seed, &mut tally);
            tally.forks > 0
        });
        println!("{case:?}: forks in run {first:?}");
        assert!(first.is_some(), "{case:?}: {tally:?}");
    }
}
