//! Every limit of the network layer, with its reason.

use std::{num::NonZeroU32, time::Duration};

/// Where a table listens unless told otherwise: no common service, below the ephemeral ports.
pub const PORT: u16 = 7268;

/// Bytes of a frame's payload: what one stranger can make us allocate at a time.
pub const FRAME_BYTES: usize = 64 * 1024;

/// Bytes of a greeting: a name, a table's description and a few numbers.
pub const GREETING_BYTES: usize = 1024;

/// Frames waiting for one peer: far more than are said in the time it takes to be Down.
pub(super) const QUEUE_FRAMES: usize = 1024;

/// Bytes waiting for one peer: room to catch up in one go. Only who is let in is sent much.
pub(super) const QUEUE_BYTES: u32 = 4 * 1024 * 1024;

/// What a queued frame costs beside its bytes, so that empty frames are not free.
pub(super) const QUEUE_FRAME_COST: u32 = 64;

/// Events the layer above has not taken yet; at the limit peers wait, and 64 frames are 4 MiB.
pub(super) const EVENTS: usize = 64;

/// The driver's own events (found, unreachable) kept for a slow reader; the oldest are dropped.
pub(super) const NOTICES: usize = 64;

/// Connections a peer. Never 1: two simultaneous dials would then close both.
pub(super) const CONNECTIONS_A_PEER: u32 = 4;

/// Connections at once of those who have not shown that they belong here. One more gets in, and
/// the network with most of them gives one up; seats and guests are not counted.
pub(super) const STRANGERS: usize = 16;

/// How long a stranger is borne who says nothing that gives a reason to be here: a guest has asked
/// for a seat within two round trips.
pub(super) const STRANGER: Duration = Duration::from_secs(8);

/// How long somebody is borne who only looks, with the invite or from this network: as long as a
/// try of the way here takes, and a list of tables says so anew.
pub(super) const LOOKER: Duration = Duration::from_secs(70);

/// Frames that a stranger may say in a second: to ask is one.
pub(super) const STRANGER_FRAMES: u32 = 8;

/// Bytes of a stranger's frame: a request with a name, an invite's secret and addresses.
pub(super) const STRANGER_FRAME_BYTES: usize = 4096;

/// Handshakes at once that others began over one transport: one costs a signature and a few
/// kilobytes. One more gets in, and the network with most of them gives one up.
pub(super) const HANDSHAKES: usize = 32;

/// How long a handshake that somebody else began may take: five round trips of a slow line, and
/// a lost packet.
pub(super) const HANDSHAKE: Duration = Duration::from_secs(5);

/// How long a handshake that we began may take.
pub(super) const DIAL_TIME: Duration = Duration::from_secs(10);

/// How long those turned away are counted before it is told that there is a flood.
pub(super) const FLOOD_COUNT: Duration = Duration::from_secs(2);

/// After how long without anybody turned away a flood is over, and the next one is told of.
pub(super) const FLOOD_OVER: Duration = Duration::from_secs(120);

/// Addresses of a flood that are counted: more are as bad, and take memory.
pub(super) const FLOOD_ADDRESSES: usize = 4096;

/// Handshakes at once that we began: somebody sought at all `ADDRESSES` by both transports takes
/// 16, and a relay, seats and holes are dialled beside.
pub(super) const DIALS: u32 = 48;

/// Streams of one peer that have not said Hello yet.
pub(super) const HELLOS_A_PEER: usize = 4;

/// Bytes of a TCP segment: with the headers of IPv6 and TCP below 1,000, which pass everywhere.
pub(super) const SEGMENT_BYTES: usize = 900;

/// Unacknowledged bytes of a QUIC stream: four full frames.
pub(super) const QUIC_STREAM_BYTES: u32 = 256 * 1024;

/// Unacknowledged bytes of a QUIC connection: it has one stream, and for moments a second.
pub(super) const QUIC_CONNECTION_BYTES: u32 = 1024 * 1024;

/// Addresses kept of one peer, and in one invite: two networks, IPv4 and IPv6, and changes.
pub const ADDRESSES: usize = 8;

/// Addresses kept at which a peer was reached: home, another network, and changes.
pub(super) const ADDRESSES_REACHED: usize = 4;

/// Addresses kept at which a peer was seen on the local network, where anybody may say so.
pub(super) const ADDRESSES_SEEN: usize = 4;

/// A heartbeat's period. libp2p's own ping closes nothing.
pub(super) const BEAT: Duration = Duration::from_secs(2);

/// Silence after which a peer is Down: three heartbeats.
pub(super) const SILENCE: Duration = Duration::from_secs(6);

/// How long one frame may take to cross: 6.5 kB/s for the largest. Slower holds a buffer for free.
pub(super) const FRAME_TIME: Duration = Duration::from_secs(10);

/// How long the opener waits for Welcome, and the other side for Hello, before trying again.
pub(super) const WELCOME: Duration = Duration::from_secs(2);

/// Streams the opener tries on one connection; then the connection is closed and dialled anew.
pub(super) const OPEN_TRIES: usize = 4;

/// The first wait between two such tries, doubled each time.
pub(super) const OPEN_WAIT: Duration = Duration::from_millis(250);

/// The first wait before a peer is dialled again, doubled up to `RETRY_LAST`, jittered.
pub(super) const RETRY_FIRST: Duration = Duration::from_millis(500);

/// The longest wait before a peer is dialled again.
pub(super) const RETRY_LAST: Duration = Duration::from_secs(8);

/// A stream that held this long proves the peer well: the next wait is `RETRY_FIRST` again. A way
/// that breaks every few seconds carries a game slowly; with longer and longer waits it would not.
pub(super) const PROVEN: Duration = Duration::from_secs(1);

/// By how much the peer that does not open streams dials later, so that both rarely dial at once.
pub(super) const POLITE: Duration = Duration::from_millis(400);

/// Two connections made within this time are one meeting: the one in use stays. Later the
/// newer one is a peer that restarted or moved.
pub(super) const MEETING: Duration = Duration::from_secs(3);

/// A connection without a stream after this time is closed: it is no fairdeal, or a broken one.
pub(super) const STREAMLESS: Duration = Duration::from_secs(10);

/// Where an older connection still stands this long after the newest, and the side that opens
/// streams has not closed it, it is dead: longer than QUIC's own idle time of 10 s.
pub(super) const LEFTOVER: Duration = Duration::from_secs(15);

/// libp2p's idle time; its default of 10 s closes connections between two tries.
pub(super) const IDLE: Duration = Duration::from_secs(60);

/// Between two addresses of somebody whose key is not known: the first good one mostly wins alone,
/// though a program's first QUIC handshake may take 150 ms.
pub(super) const STAGGER: Duration = Duration::from_millis(250);

/// How long a peer we leave gets to take our last frames.
pub(super) const LEAVE: Duration = Duration::from_millis(250);

/// How long the end of a relayed stream is kept to ourselves, while a direct connection or
/// another circuit takes over: a few round trips and a handshake over a slow line.
pub(super) const MOVE: Duration = Duration::from_secs(3);

/// Relays kept at a time, and in one invite: one, and one for when that is gone.
pub const RELAYS: usize = 2;

/// How long after a direct dial a peer is sought through a relay, so that whom the direct way
/// reaches is seldom met twice.
pub(super) const VIA: Duration = Duration::from_millis(300);

/// How often a peer that is connected through a relay only is dialled directly: its network may
/// have changed, and libp2p punches once a circuit.
pub(super) const UPGRADE: Duration = Duration::from_secs(30);

/// How long a circuit through us lives: longer than an evening. libp2p's two minutes cut a game,
/// and 0 closes it at once.
pub const CIRCUIT_TIME: Duration = Duration::from_secs(6 * 60 * 60);

/// Bytes a circuit through us carries in each direction: a game with all its proofs takes two
/// or three million. libp2p's 128 KiB cut a game.
pub const CIRCUIT_BYTES: u64 = 64 * 1024 * 1024;

/// Circuits through us at once: three full tables whose players all need them.
pub const CIRCUITS: usize = 32;

/// Circuits of one peer through us: everybody else at its table, twice while it reconnects.
pub(super) const CIRCUITS_A_PEER: usize = 8;

/// Peers for whom we keep a place to be called at: as many as may be connected.
pub const RESERVATIONS: usize = 32;

/// Reservations, and circuits, that one peer may ask for at once, and again after each
/// `RELAY_RATE`: somebody on a bad line comes back often.
pub(super) const RELAY_BURST: NonZeroU32 = NonZeroU32::MIN.saturating_add(59);

/// See `RELAY_BURST`.
pub(super) const RELAY_RATE: Duration = Duration::from_secs(30);

/// Addresses at which we are seen from outside that are kept: IPv4 and IPv6, the old and the new.
pub(super) const OUTSIDE: usize = 4;

/// How long a look around waits for a relay: longer than two dials take to fail.
pub(super) const PROBE: Duration = Duration::from_secs(25);

/// How long it waits for the router alone: UPnP answers within three seconds, or not at all.
pub(super) const PROBE_REST: Duration = Duration::from_secs(4);

/// How often libp2p tries to punch a hole beside one circuit, ten seconds each.
pub(super) const PUNCHES: u8 = 3;

/// How long the way to a host is tried: ten seconds each for a relay, a dial, and `PUNCHES`, and
/// what is said in between.
pub(super) const TRIAL: Duration = Duration::from_secs(60);

/// The driver's clock: the coarsest step of its waits.
pub(super) const TICK: Duration = Duration::from_millis(100);

/// How long the sockets may take to listen; in practice it is a millisecond.
pub(super) const LISTEN: Duration = Duration::from_secs(5);

/// How long after that an address other than this machine's own may take; it is told in the same
/// breath where there is one.
pub(super) const ADDRESS: Duration = Duration::from_millis(200);

/// How often another free port is tried where TCP and UDP do not both have it.
pub(super) const PORT_TRIES: usize = 16;

/// How long a found address is believed without word from it.
pub(super) const MDNS_TTL: Duration = Duration::from_secs(120);

/// How often the local network is asked: a lobby is looked at for seconds, not minutes.
pub(super) const MDNS_QUERY: Duration = Duration::from_secs(15);

/// Characters read from a pasted invite before anything else: a line with room for decoration.
pub(super) const PASTE_CHARS: usize = 4096;

/// Bytes of a table's secret.
pub const SECRET_BYTES: std::ops::RangeInclusive<usize> = 8..=16;
