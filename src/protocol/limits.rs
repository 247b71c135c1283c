//! Every limit of the protocol, with its reason.

/// Longest frame between neighbours, in bytes: room for a sealed five-seat record with the log
/// records of several turns, small enough that 32 peers cannot fill memory.
pub const FRAME_BYTES_MAX: usize = 64 * 1024;

/// What bincode may claim while decoding, in bytes: it counts allocations, which is up to twice
/// the frame for nested vectors.
pub const DECODE_BYTES_MAX: usize = 2 * FRAME_BYTES_MAX;

/// Longest entry of a log, in bytes: the largest is a verdict about two programs at fault, each
/// proven by two sealed shuffles of 45 cards, 7.5 kB each.
pub const RECORD_BYTES_MAX: usize = 32 * 1024;

/// Longest signed vote, in bytes: the motion of such a verdict.
pub const VOTE_BYTES_MAX: usize = 32 * 1024;

/// Most bytes of records put into one frame when a neighbour is caught up; the rest is room for
/// the envelope.
pub const BATCH_BYTES_MAX: usize = 48 * 1024;

/// Most bytes of records sent to one neighbour in a second, so that asking costs the asker more
/// than the one who answers.
pub const SERVED_BYTES_MAX: usize = 1024 * 1024;

/// Longest log in records: a round of 1,395 actions has been seen, five of them fit thrice.
pub const LOG_RECORDS_MAX: u32 = 32 * 1024;

/// Longest log file in bytes: bounds what `verify` reads into memory.
pub const LOG_BYTES_MAX: u64 = 64 * 1024 * 1024;

/// Widest name in terminal columns.
pub const NAME_COLUMNS_MAX: usize = 24;

/// Longest name in bytes: 24 columns of emoji with joiners stay below it.
pub const NAME_BYTES_MAX: usize = 192;

/// How often a seat tells its neighbours how far its log goes, in milliseconds.
pub const STATUS_MS: u64 = 2_000;

/// How long an unanswered request for records stands before it is asked again, in milliseconds.
pub const GET_MS: u64 = 2_000;

/// How often a restarted seat asks the others for its own newest record, in milliseconds.
pub const ASK_MS: u64 = 2_000;

/// Most signed notes remembered so that none is forwarded twice.
pub const NOTES_MAX: usize = 256;

/// Most notes of one seat forwarded and answered in [`ASK_MS`]: a start with four links takes five,
/// and each of four others that start is answered once.
pub const NOTES_A_SEAT: usize = 32;

/// Most neighbours of one seat: four others, and bots.
pub const LINKS_MAX: usize = 32;

/// The stretch of time in which votes are counted, in milliseconds. A motion is put again after a
/// quarter of it at the earliest.
pub const RETRY_MS: u64 = 2_000;

/// Most votes looked at in [`RETRY_MS`] that one neighbour sends in the name of one program: some
/// eight bases are not final, and a status that differs brings a few votes of each.
pub const VOTES_A_LINK: usize = 48;

/// Most attempts that a seat answers at one base in [`RETRY_MS`]: each answer is an fsync.
pub const HAVES_A_BASE: usize = 8;

/// How long a seat that came back waits after it was answered before it signs, in milliseconds: a
/// copy of it that runs already says so at once.
pub const QUIET_MS: u64 = 1_000;

/// Most votes told to a seat that came back; the newest ones.
pub const HELD_VOTES_MAX: usize = 16;

/// Bases named in one note to the own journal when a tail is undone: 16 kB.
pub const UNDONE_MAX: usize = 512;

/// Longest line of chat in bytes: five rows of a terminal.
pub const CHAT_BYTES_MAX: usize = 500;

/// Most characters without a width of their own in a row: scripts and emoji need three, and a tower
/// of marks would cover the rows above.
pub const MARKS_MAX: usize = 4;

/// How often a seat may say a line, in milliseconds.
pub const CHAT_MS: u64 = 1_000;

/// Lines that a seat may say at once before that holds.
pub const CHAT_BURST: u64 = 5;

/// Starts of one seat's program whose newest line is remembered, so that no old one is told again:
/// more in one game is a seat that floods, and pays by its pace.
pub const CHAT_STARTS_MAX: usize = 8;

/// Ways in which one player says that it can be reached: addresses, and relays.
pub const WAYS_MAX: usize = 10;

/// Longest such way in bytes: an IPv6 address with its port, and the word before a relay's.
pub const WAY_BYTES_MAX: usize = 64;

/// Lines of chat that are kept to be looked at.
pub const CHAT_LINES_MAX: usize = 200;
/// Most who watch a table at a time: a few friends, and most connections stay free for players.
pub const WATCHERS_MAX: usize = 8;

/// Most bytes of records sent to one who watches in a second: an evening's log in half a minute,
/// and eight of them leave a home line to the players.
pub const WATCH_BYTES_MAX: usize = 64 * 1024;

/// What an answer to one who watches costs beside its bytes: at most 32 in a second.
pub const WATCH_ANSWER_COST: usize = 2 * 1024;

/// Most that one who watches may say in a second: one question an answer, and as many again.
pub const WATCH_WORDS_MAX: usize = 64;
