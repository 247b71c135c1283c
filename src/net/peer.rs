//! What the driver knows of one peer: where it may be, its connections, its stream, and when to
//! try again.

use std::sync::Arc;
use std::time::{Duration, Instant};

use libp2p::swarm::ConnectionId;
use tokio::sync::Notify;
use tokio::task::AbortHandle;

use super::address::Address;
use super::fault::DialFault;
use super::limits::{
    ADDRESSES, ADDRESSES_REACHED, ADDRESSES_SEEN, LEFTOVER, MEETING, PROVEN, RETRY_FIRST,
    RETRY_LAST, STRANGER, UPGRADE, VIA,
};
use super::path::Path;
use super::punch::{Punch, Punched};
use super::reach::Hop;
use super::session::Previous;
use super::target::Dial;

/// One peer.
pub(super) struct Peer {
    places: Places,
    /// Whether it is dialled again for as long as it is known.
    pub(super) keep: bool,
    /// Oldest first.
    pub(super) connections: Vec<PeerConnection>,
    /// Where the relay is through which it was met, and when that was.
    met: Option<(Address, Instant)>,
    pub(super) stream: Stage,
    /// The last session, perhaps still telling its end.
    pub(super) previous: Option<Previous>,
    /// The dial on its way.
    pub(super) dialling: Option<ConnectionId>,
    pub(super) retry: Retry,
    /// The dial through relays on its way.
    pub(super) via: Option<ConnectionId>,
    /// When it is sought through relays.
    pub(super) via_retry: Retry,
    /// When it is dialled directly though it is connected through a relay.
    upgrade: Instant,
    /// Whether it was named as a relay: it is kept, and others are sought through it.
    pub(super) named: bool,
    /// As a relay.
    pub(super) hop: Hop,
    /// Since when it has had no stream.
    pub(super) streamless: Instant,
    /// Its streams that have not said Hello.
    pub(super) hellos: usize,
    /// Who was asked for; answered by Up or a reason.
    pub(super) asked: Option<Dial>,
    /// The most telling reason why it was not reached, until that is told.
    pub(super) fault: DialFault,
    /// The search for a direct path beside the circuit.
    pub(super) punch: Punch,
    /// Whether it was let in by the layer above.
    pub(super) welcome: bool,
    /// Whether we were the ones to look for it.
    pub(super) sought: bool,
    /// Whether we keep a place for it, or carry a circuit of its own.
    pub(super) served: bool,
    /// Until when it is borne as a stranger.
    pub(super) borne: Instant,
    /// When we wanted it gone, and whether for good.
    pub(super) leaving: Option<(Instant, bool)>,
}

/// Where a peer may be, the newest last. One kind does not push out another: what is only told
/// must not make forgotten what is known to be right.
#[derive(Default)]
struct Places {
    /// Where it was dialled and has proven its key.
    reached: Vec<Address>,
    told: Vec<Address>,
    seen: Vec<Address>,
}

impl Places {
    fn is_empty(&self) -> bool {
        self.reached.is_empty() && self.told.is_empty() && self.seen.is_empty()
    }
}

/// Adds addresses as the newest; beyond the limit the ones named longest ago are forgotten.
fn add(list: &mut Vec<Address>, addresses: &[Address], most: usize) {
    for address in addresses.iter().take(most) {
        list.retain(|known| known != address);
        list.push(*address);
    }
    list.drain(..list.len().saturating_sub(most));
}

/// An established connection.
#[derive(Clone, Copy, Debug)]
pub(super) struct PeerConnection {
    pub(super) id: ConnectionId,
    pub(super) path: Path,
    pub(super) since: Instant,
    /// Whether we have asked for its end.
    pub(super) closing: bool,
}

/// How far the one stream is.
pub(super) enum Stage {
    /// There is none.
    Idle,
    /// We are opening one.
    Opening { number: u64, on: ConnectionId, task: AbortHandle },
    /// A session has it; `up` since it told so.
    Session { number: u64, on: ConnectionId, stop: Arc<Notify>, up: Option<Instant> },
}

/// When to try again: 0.5 s, doubled up to 8 s, a quarter up or down.
pub(super) struct Retry {
    at: Instant,
    wait: Duration,
}

impl Peer {
    /// A peer heard of now.
    pub(super) fn new(now: Instant) -> Peer {
        Peer {
            places: Places::default(),
            keep: false,
            connections: Vec::new(),
            met: None,
            stream: Stage::Idle,
            previous: None,
            dialling: None,
            retry: Retry::new(now),
            via: None,
            via_retry: Retry::new(now + VIA),
            upgrade: now,
            named: false,
            hop: Hop::new(now),
            streamless: now,
            hellos: 0,
            asked: None,
            fault: DialFault::NoAddress,
            punch: Punch::default(),
            welcome: false,
            sought: false,
            served: false,
            borne: now + STRANGER,
            leaving: None,
        }
    }

    /// Where it may be: first where it was reached, then where it is said or was seen to be.
    pub(super) fn addresses(&self) -> Vec<Address> {
        let Places { reached, told, seen } = &self.places;
        let mut all: Vec<Address> = Vec::new();
        for address in reached.iter().rev().chain(told.iter().rev()).chain(seen.iter().rev()) {
            if !all.contains(address) {
                all.push(*address);
            }
        }
        all
    }

    /// Adds addresses that the layer above has heard of.
    pub(super) fn learn(&mut self, addresses: &[Address]) {
        add(&mut self.places.told, addresses, ADDRESSES);
    }

    /// Adds addresses at which anybody on the local network may say it is.
    pub(super) fn seen_at(&mut self, addresses: &[Address]) {
        add(&mut self.places.seen, addresses, ADDRESSES_SEEN);
    }

    /// Notes where it was reached.
    pub(super) fn reached_at(&mut self, address: Address) {
        add(&mut self.places.reached, &[address], ADDRESSES_REACHED);
    }

    /// Whether it belongs here, as far as we know.
    pub(super) fn belongs(&self) -> bool {
        self.keep || self.named || self.welcome
    }

    /// Whether it is no stranger: it belongs here, or there is a use for the connection.
    pub(super) fn is_trusted(&self) -> bool {
        self.belongs() || self.sought || self.served || self.hop.is_used()
    }

    /// Whether it is a stranger who has held a connection for nothing long enough.
    pub(super) fn is_idle(&self, now: Instant) -> bool {
        !self.connections.is_empty()
            && !self.is_trusted()
            && self.leaving.is_none()
            && now >= self.borne
    }

    /// Whether it is time to dial it of our own accord.
    pub(super) fn due(&self, now: Instant) -> bool {
        (self.keep || self.named)
            && self.connections.is_empty()
            && self.dialling.is_none()
            && self.leaving.is_none()
            && self.retry.due(now)
            && !self.places.is_empty()
    }

    /// Whether it is time to seek it through relays.
    pub(super) fn due_via(&self, now: Instant) -> bool {
        (self.keep || self.asked.is_some())
            && !self.named
            && self.connections.is_empty()
            && self.via.is_none()
            && self.leaving.is_none()
            && self.via_retry.due(now)
    }

    /// Whether it is time to look for a direct path beside the circuit, and sets the next time.
    pub(super) fn due_upgrade(&mut self, now: Instant) -> bool {
        if self.on_circuit_only() && now >= self.upgrade {
            self.upgrade = now + UPGRADE;
            return self.keep && self.dialling.is_none() && !self.places.is_empty();
        }
        false
    }

    /// Whether it is connected, and through relays only.
    pub(super) fn on_circuit_only(&self) -> bool {
        !self.connections.is_empty()
            && self.connections.iter().all(|connection| connection.path.is_relayed())
    }

    /// Whether this dial is ours; else it is one of libp2p's to punch a hole.
    pub(super) fn dials(&self, id: ConnectionId) -> bool {
        self.via == Some(id) || self.dialling == Some(id)
    }

    /// A direct connection to it, by which it can be our relay.
    pub(super) fn direct(&self) -> Option<&PeerConnection> {
        let open = |c: &&PeerConnection| !c.closing && !c.path.is_relayed();
        self.connections.iter().rev().find(open)
    }

    /// A connection stands: sets when to look for a better one.
    pub(super) fn joined(&mut self, connection: PeerConnection, now: Instant) {
        if self.connections.is_empty() {
            self.streamless = now;
            self.borne = now + STRANGER;
            self.fault = DialFault::NoAddress;
            self.met = match connection.path {
                Path::Relayed { at, .. } => Some((at, now)),
                Path::Direct { .. } => None,
            };
        }
        if connection.path.is_relayed() {
            self.upgrade = now + UPGRADE;
            self.punch = Punch::default();
        }
        self.connections.push(connection);
    }

    /// The hole this connection goes through, if it was punched.
    pub(super) fn punched(&self, connection: &PeerConnection) -> Option<Punched> {
        let (relay, since) = self.met.filter(|_| !connection.path.is_relayed())?;
        Some(Punched { relay, after: connection.since.duration_since(since) })
    }

    /// Whether nothing is left to remember.
    pub(super) fn forgotten(&self) -> bool {
        !self.keep
            && !self.named
            && self.connections.is_empty()
            && self.dialling.is_none()
            && self.via.is_none()
            && self.asked.is_none()
            && self.hellos == 0
            && matches!(self.stream, Stage::Idle)
            && self.previous.as_ref().is_none_or(Previous::is_over)
    }

    /// The connection the stream should run on: a direct one before a relayed one; the one in use
    /// where another came in the same meeting, else the newest.
    pub(super) fn best(&self) -> Option<PeerConnection> {
        let relayed = self.direct().is_none();
        let wanted = |c: &&PeerConnection| !c.closing && c.path.is_relayed() == relayed;
        let open = || self.connections.iter().filter(wanted);
        let newest = open().next_back()?;
        let used = open().find(|connection| self.on() == Some(connection.id));
        let used = used.or(open().next()).unwrap_or(newest);
        let one_meeting = newest.since.duration_since(used.since) < MEETING;
        Some(if one_meeting { *used } else { *newest })
    }

    /// The connection the stream was made for.
    pub(super) fn on(&self) -> Option<ConnectionId> {
        match &self.stream {
            Stage::Idle => None,
            Stage::Opening { on, .. } | Stage::Session { on, .. } => Some(*on),
        }
    }

    /// Whether a session has its stream.
    pub(super) fn in_session(&self) -> bool {
        matches!(self.stream, Stage::Session { .. })
    }

    /// Whether this is the number of the stream, not of an older one.
    pub(super) fn is_current(&self, number: u64) -> bool {
        match &self.stream {
            Stage::Idle => false,
            Stage::Opening { number: n, .. } | Stage::Session { number: n, .. } => *n == number,
        }
    }

    /// Gives up the stream at once; its session still tells Down.
    pub(super) fn stop(&mut self, now: Instant) {
        match std::mem::replace(&mut self.stream, Stage::Idle) {
            Stage::Idle => return,
            Stage::Opening { task, .. } => task.abort(),
            Stage::Session { stop, .. } => stop.notify_one(),
        }
        self.streamless = now;
    }

    /// Notes that the stream is gone, and when to try again.
    pub(super) fn ended(&mut self, now: Instant) {
        if let Stage::Session { up: Some(up), .. } = self.stream
            && now.duration_since(up) > PROVEN
        {
            self.retry.wait = RETRY_FIRST;
            self.via_retry.wait = RETRY_FIRST;
        }
        self.stream = Stage::Idle;
        self.streamless = now;
        self.retry.later(now);
    }

    /// Connections the other side has had time to close, and has not: all but the newest.
    pub(super) fn leftovers(&self, now: Instant) -> &[PeerConnection] {
        match self.connections.split_last() {
            Some((newest, older)) if now.duration_since(newest.since) > LEFTOVER => older,
            _ => &[],
        }
    }
}

impl Retry {
    /// From this time on, and with the first wait.
    pub(super) fn new(at: Instant) -> Retry {
        Retry { at, wait: RETRY_FIRST }
    }

    /// Whether the time has come.
    pub(super) fn due(&self, now: Instant) -> bool {
        now >= self.at
    }

    /// Sets the next time.
    pub(super) fn after(&mut self, now: Instant, wait: Duration) {
        self.at = now + wait;
    }

    /// After a failure: waits, and longer the next time.
    pub(super) fn later(&mut self, now: Instant) {
        // Without randomness peers only meet at the same moments.
        let random = f64::from(getrandom::u32().unwrap_or(0)) / f64::from(u32::MAX);
        let jitter = 0.75 + random / 2.0;
        self.at = now + self.wait.mul_f64(jitter);
        self.wait = (self.wait * 2).min(RETRY_LAST);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn at(port: u16) -> Address {
        Address::new([10, 0, 0, 1].into(), port).expect("an address")
    }

    /// A relay that corrupts what it carries breaks each circuit after a while.
    #[test]
    fn a_way_that_breaks_every_few_seconds_is_taken_again_at_once() {
        let mut now = Instant::now();
        let mut peer = Peer::new(now);
        for _ in 0..10 {
            let up = Some(now);
            let (stop, on) = (Arc::default(), ConnectionId::new_unchecked(1));
            peer.stream = Stage::Session { number: 1, on, stop, up };
            now += Duration::from_secs(2);
            peer.ended(now);
            now += RETRY_FIRST * 2;
            assert!(peer.retry.due(now) && peer.via_retry.due(now));
            peer.via_retry.later(now);
        }
        peer.stream = Stage::Session {
            number: 2,
            on: ConnectionId::new_unchecked(2),
            stop: Arc::default(),
            up: Some(now),
        };
        peer.ended(now);
        peer.ended(now);
        assert!(!peer.retry.due(now + RETRY_FIRST), "one that does not hold is waited for");
    }

    #[test]
    fn what_is_told_and_seen_pushes_out_nothing_that_was_proven() {
        let mut peer = Peer::new(Instant::now());
        peer.reached_at(at(1));
        peer.learn(&[at(2)]);
        for port in 100..200 {
            peer.seen_at(&[at(port)]);
        }
        assert!(peer.addresses().starts_with(&[at(1), at(2)]));
        for port in 200..300 {
            peer.learn(&[at(port)]);
        }
        let addresses = peer.addresses();
        assert_eq!(addresses[..2], [at(1), at(299)]);
        assert_eq!(addresses.len(), 1 + ADDRESSES + ADDRESSES_SEEN);
    }
}
