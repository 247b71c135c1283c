//! Links between seats: who is next to whom, and what happens to a message on the way.

use rand::{Rng, RngExt, SeedableRng, rngs::SmallRng};

/// Who is next to whom.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Topology {
    /// Everyone with everyone.
    Mesh,
    /// Everyone with seat 1 only.
    Star,
    /// Each seat with the one before and after it.
    Line,
}

/// How messages fare. Loss and doubling are in one of a thousand.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Network {
    /// Who is next to whom.
    pub topology: Topology,
    /// Messages lost, of a thousand.
    pub loss: u32,
    /// Messages delivered twice, of a thousand.
    pub doubled: u32,
    /// Longest delay in milliseconds. Each message draws its own, so they overtake each other.
    pub delay_ms_max: u64,
}

impl Network {
    /// A network drawn from a seed: loss up to 30 %, doubling up to 50 %, delay up to 2 s.
    pub fn drawn(seed: u64) -> Network {
        let mut rng = SmallRng::seed_from_u64(seed);
        let topologies = [Topology::Mesh, Topology::Star, Topology::Line];
        Network {
            topology: topologies[rng.random_range(0..3)],
            loss: rng.random_range(0..=300),
            doubled: rng.random_range(0..=500),
            delay_ms_max: rng.random_range(1..=2_000),
        }
    }

    /// The same links with nothing wrong.
    pub(super) fn good(&self) -> Network {
        Network { loss: 0, doubled: 0, delay_ms_max: 50, ..*self }
    }

    /// Whether the seats `a` and `b` (from 0) are next to each other.
    pub fn linked(&self, a: usize, b: usize) -> bool {
        match self.topology {
            Topology::Mesh => a != b,
            Topology::Star => a != b && (a == 0 || b == 0),
            Topology::Line => a.abs_diff(b) == 1,
        }
    }

    /// The delays with which one message arrives: none if it is lost, two if it is doubled.
    pub(super) fn deliveries(&self, rng: &mut impl Rng) -> Vec<u64> {
        if rng.random_range(0..1_000) < self.loss {
            return Vec::new();
        }
        let copies = if rng.random_range(0..1_000) < self.doubled { 2 } else { 1 };
        (0..copies).map(|_| rng.random_range(1..=self.delay_ms_max)).collect()
    }
}
