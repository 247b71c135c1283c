//! Where keys are pressed: each place has keys of its own.

/// Where keys are pressed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Mode {
    /// The home screen.
    Home,
    /// A line to be typed.
    Typing,
    /// A list to choose from.
    List,
    /// A recorded game.
    Replay,
    /// A text to read.
    Reading,
    /// The lobby, as the host.
    Lobby,
    /// The lobby, as a guest.
    Guest,
    /// Keep or flip.
    Choice,
    /// Choosing cards of the hand.
    Hand,
    /// Placing a scouted card.
    Scout,
    /// Choosing what to show after a scout.
    ScoutShow,
    /// The points of a round, or a lesson that is done.
    Score,
    /// The end of the game.
    End,
    /// "Leave the game?"
    Leave,
    /// "Begin with fewer players?"
    Begin,
}
