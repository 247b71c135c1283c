//! Bugs planted on purpose: tests that cannot fail hold nothing.
//!
//! Without the feature `planted` none is there, and the compiler drops the question. With it, the
//! environment variable `FAIRDEAL_PLANTED` names the one that is.

/// A planted bug.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Bug {
    /// A set that is equal to the active one beats it.
    EqualBeats,
    /// A scout gives its owner no token.
    NoToken,
    /// A stalled round costs the owner of the active set its hand.
    NobodySpared,
    /// A signature is not checked.
    AnySignature,
    /// A record may name any state of the game.
    AnyState,
    /// A head does not depend on the head before it.
    LooseHead,
    /// A revealed seed need not be the one committed to.
    AnySeed,
    /// An opened choice need not be the one committed to.
    AnyChoice,
    /// The proof of a shuffle is not checked.
    AnyShuffle,
    /// The proof of opened cards is not checked.
    AnyOpening,
    /// An own record leaves before it is written down.
    SendsFirst,
    /// What the journal holds is forgotten at a start.
    ForgetsJournal,
    /// A seat that is behind does not ask.
    NeverAsks,
    /// Two records for one place prove nothing.
    NoProof,
    /// A program goes on above what it holds without the word of the others.
    GoesOnAtOnce,
    /// What is undone stays in the file.
    KeepsUndone,
    /// A record torn by a crash stays in the file.
    KeepsTorn,
    /// The last own record of a journal is not read.
    DropsLast,
}

impl Bug {
    /// All of them.
    pub const ALL: [Bug; 18] = [
        Bug::EqualBeats,
        Bug::NoToken,
        Bug::NobodySpared,
        Bug::AnySignature,
        Bug::AnyState,
        Bug::LooseHead,
        Bug::AnySeed,
        Bug::AnyChoice,
        Bug::AnyShuffle,
        Bug::AnyOpening,
        Bug::SendsFirst,
        Bug::ForgetsJournal,
        Bug::NeverAsks,
        Bug::NoProof,
        Bug::GoesOnAtOnce,
        Bug::KeepsUndone,
        Bug::KeepsTorn,
        Bug::DropsLast,
    ];
}

/// Whether a bug is planted.
#[cfg(not(feature = "planted"))]
pub const fn planted(_: Bug) -> bool {
    false
}

/// Whether a bug is planted.
#[cfg(feature = "planted")]
pub fn planted(bug: Bug) -> bool {
    use std::sync::OnceLock;

    static PLANTED: OnceLock<Option<Bug>> = OnceLock::new();
    let named = || {
        let name = std::env::var("FAIRDEAL_PLANTED").ok()?;
        Bug::ALL.into_iter().find(|bug| format!("{bug:?}") == name)
    };
    *PLANTED.get_or_init(named) == Some(bug)
}
