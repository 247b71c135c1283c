//! The network: finds peers, and moves opaque frames between them.
//!
//! A peer is its ed25519 key, proven by every connection. Connected means: one stream stands, and
//! both sides have greeted each other; then frames pass in order until the peer is down. What the
//! frames mean is the business of the layer above, which makes good what a fall loses.

mod address;
mod attempt;
mod crowd;
mod doors;
mod driver;
mod fault;
mod frame;
mod interfaces;
mod invite;
mod key;
mod limits;
mod node;
mod path;
mod peer;
mod probe;
mod punch;
mod reach;
mod segments;
mod session;
mod steer;
mod strangers;
mod streams;
mod swarm;
mod target;
mod trial;
mod words;

pub use address::{Address, NotAnAddress, Reach, Transport};
pub use fault::{DialFault, NetError};
pub use interfaces::is_near;
pub use invite::{Invite, InviteError};
pub use key::{KeyHash, key_hash};
pub use limits::{
    ADDRESSES, CIRCUIT_BYTES, CIRCUIT_TIME, CIRCUITS, FRAME_BYTES, GREETING_BYTES, PORT, RELAYS,
    RESERVATIONS, SECRET_BYTES,
};
pub use node::{Net, NetConfig, NetEvent, Served, start};
pub use path::Path;
pub use probe::{Asked, Mapping, Nat, Probed, probe};
pub use punch::{Punched, Unpunched};
pub use target::{Dial, Target, TargetError};
pub use trial::{Tried, try_path};
pub use words::{key_words, table_words};
