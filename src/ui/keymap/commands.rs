//! What keys can do.

/// What a key does.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Command {
    /// Left, or a smaller number.
    Left,
    /// Right, or a larger number.
    Right,
    /// Up.
    Up,
    /// Down.
    Down,
    /// Left, with the selection growing.
    GrowLeft,
    /// Right, with the selection growing.
    GrowRight,
    /// The place of a letter, from 0.
    Place(u8),
    /// Holds one end of the selection, or lets it go.
    Hold,
    /// The next thing to choose.
    Next,
    /// The one before.
    Before,
    /// Does what is said.
    Enter,
    /// Undoes, or goes back.
    Back,
    /// Scout.
    Scout,
    /// Scout-and-show.
    ScoutShow,
    /// Turns a card or a hand.
    Turn,
    /// Older lines of the log.
    Older,
    /// Newer ones.
    Newer,
    /// A line to the others.
    Talk,
    /// The keys and rules.
    Help,
    /// Leaves.
    Leave,
    /// Leaves for good.
    Withdraw,
    /// Does not wait for a silent seat.
    GoOn,
    /// Yes.
    Yes,
    /// Copies the invite.
    Copy,
    /// Shows the invite as a picture.
    Picture,
    /// Gives a seat to a bot.
    AddBot,
    /// Takes a seat back.
    Remove,
    /// Moves a seat up.
    MoveUp,
    /// Moves a seat down.
    MoveDown,
    /// Lets chance order the seats.
    Shuffle,
    /// The same again.
    Again,
    /// The next round.
    RoundOn,
    /// The round before.
    RoundBack,
    /// The first step.
    First,
    /// The last step.
    Last,
    /// A turn by its number.
    Jump,
    /// Goes on by itself, or stops.
    Play,
    /// Faster.
    Faster,
    /// Slower.
    Slower,
    /// The hand of a seat, by the seat's number.
    Seat(u8),
    /// All hands.
    ShowAll,
    /// No hand.
    HideAll,
}
