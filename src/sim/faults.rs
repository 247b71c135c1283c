//! What goes wrong with seats, disks, clocks and links: drawn anew for each run of a swarm.

use rand::{RngExt, SeedableRng, rngs::SmallRng};

use super::{
    network::{Network, Topology},
    outcome::Options,
    plan::{Plan, Twice},
};
use crate::{
    bot::Bot,
    protocol::{lobby::DealKind, log::record::Kind},
};

/// Classes of faults, each on or off. They stop when the table heals; from then on every seat
/// runs and the network is good.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Faults {
    /// When the table heals, in milliseconds; never ill if 0.
    pub until_ms: u64,
    /// The longest time between two troubles, in milliseconds.
    pub every_ms: u64,
    /// Seats crash between two of their outputs, and start again from their disks.
    pub crash: bool,
    /// A crash may fall into a write and tear it.
    pub torn: bool,
    /// Writes that fail, of a thousand; each is tried again after a second.
    pub disk: u32,
    /// Clocks jump forward, by so many milliseconds at most.
    pub jump_ms: u64,
    /// Nothing passes one way between two neighbours, for so many milliseconds at most.
    pub one_way_ms: u64,
    /// Links hold what is sent over them for so many milliseconds at most, then let all go.
    pub hold_ms: u64,
    /// Nothing passes between two parts of the table, for so many milliseconds at most.
    pub part_ms: u64,
    /// Players leave, and come back after so many milliseconds at most.
    pub leave_ms: u64,
}

/// A trouble that comes now and then.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Trouble {
    Crash,
    Jump,
    OneWay,
    Hold,
    Part,
    Leave,
}

impl Faults {
    /// Faults drawn from `rng`: each class is on in one of two runs.
    pub fn drawn(rng: &mut SmallRng) -> Faults {
        let mut ms = |most: u64| {
            if rng.random() { rng.random_range(1_000..=most) } else { 0 }
        };
        let (jump_ms, one_way_ms) = (ms(90_000), ms(60_000));
        let (hold_ms, part_ms) = (ms(30_000), ms(150_000));
        let leave_ms = ms(200_000);
        Faults {
            until_ms: rng.random_range(20_000..=240_000),
            every_ms: rng.random_range(2_000..=20_000),
            crash: rng.random(),
            torn: rng.random(),
            disk: if rng.random() { rng.random_range(1..=200) } else { 0 },
            jump_ms,
            one_way_ms,
            hold_ms,
            part_ms,
            leave_ms,
        }
    }

    /// The troubles that are on.
    pub(super) fn troubles(&self) -> Vec<Trouble> {
        let all = [
            (self.crash, Trouble::Crash),
            (self.jump_ms > 0, Trouble::Jump),
            (self.one_way_ms > 0, Trouble::OneWay),
            (self.hold_ms > 0, Trouble::Hold),
            (self.part_ms > 0, Trouble::Part),
            (self.leave_ms > 0, Trouble::Leave),
        ];
        all.into_iter().filter(|(on, _)| *on).map(|(_, trouble)| trouble).collect()
    }
}

/// One run of a swarm: everything in it follows from the deal and the seed.
pub fn swarm(deal: DealKind, seed: u64) -> (Options, Plan) {
    let mut rng = SmallRng::seed_from_u64(seed);
    let mut network = Network::drawn(rng.random());
    if rng.random() {
        network.loss = 0;
    }
    if rng.random() {
        network.doubled = 0;
    }
    let seats = rng.random_range(2..=5);
    let faults = Faults::drawn(&mut rng);
    // In every third run seat 1 keeps bots, in every other one players think.
    let bots = if rng.random_range(0..3) == 0 { rng.random_range(1..seats) } else { 0 };
    let think_ms = if rng.random() { rng.random_range(1..=20_000) } else { 0 };
    let options =
        Options { seats, seed, network, deal, bot: Bot::Random, time_ms_max: 4 * 3_600_000, bots };
    (options, Plan { faults, think_ms, ..Plan::default() })
}

/// One run in which a seat signs two records for one place: with a partition in every other one,
/// among drawn faults in every fourth.
pub fn liar(seed: u64) -> (Options, Plan) {
    let seats = 3 + (seed % 3) as u8;
    let kind = [Kind::Commit, Kind::Choice, Kind::Turn][(seed / 3 % 3) as usize];
    let twice = Twice { seat: (seed % u64::from(seats)) as u8, kind, from: 3 * u32::from(seats) };
    let side = 1 + (seed % ((1 << seats) - 2)) as u8;
    let parted = (seed % 2 == 1).then_some((side, 2_000, 200_000));
    let among = || Faults::drawn(&mut SmallRng::seed_from_u64(seed));
    let faults = if seed % 4 == 2 { among() } else { Faults::default() };
    let drawn = Network::drawn(seed);
    let network = Network {
        topology: Topology::Mesh,
        loss: drawn.loss / 3,
        delay_ms_max: 1 + drawn.delay_ms_max / 4,
        ..drawn
    };
    let (deal, bot) = (DealKind::Open, Bot::Random);
    let time_ms_max = 4 * 3_600_000;
    let options = Options { seats, seed, network, deal, bot, time_ms_max, bots: 0 };
    (options, Plan { twice: Some(twice), parted, faults, ..Plan::default() })
}

/// One run in which a seat votes both ways about going on without others, who fall silent now and
/// then; every fifth is sealed.
pub fn two_faced(seed: u64) -> (Options, Plan) {
    let (mut options, plan) = swarm(DealKind::Open, seed ^ 0x2F00);
    options.seats = options.seats.max(3);
    options.bots = 0;
    if seed.is_multiple_of(5) {
        options.deal = DealKind::Sealed;
    }
    let liar = (seed % u64::from(options.seats)) as u8;
    (options, Plan { both_ways: Some(liar), ..plan })
}
