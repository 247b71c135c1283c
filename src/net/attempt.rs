//! Dialling someone whose key is not known yet: each address over each transport, a moment apart,
//! until one answers with the right key.

use std::collections::VecDeque;
use std::time::Instant;

use libp2p::Multiaddr;
use libp2p::swarm::ConnectionId;

use super::address::{Address, Transport};
use super::fault::DialFault;
use super::key::key_hash;
use super::limits::{ADDRESSES, STAGGER};
use super::target::Dial;
use crate::protocol::crypto::identity::PublicKey;

/// One such attempt.
pub(super) struct Attempt {
    who: Dial,
    /// Where a relay is sought.
    relay: Option<Address>,
    plan: VecDeque<Multiaddr>,
    next: Instant,
    pending: Vec<(ConnectionId, Multiaddr)>,
    fault: DialFault,
    found: bool,
}

impl Attempt {
    /// An attempt that begins now: QUIC to all addresses first, then TCP.
    pub(super) fn new(who: Dial, addresses: &[Address], now: Instant) -> Attempt {
        let addresses = addresses.iter().take(ADDRESSES);
        let over = |transport| addresses.clone().map(move |a| a.multiaddr(transport));
        Attempt {
            who,
            relay: None,
            plan: over(Transport::Quic).chain(over(Transport::Tcp)).collect(),
            next: now,
            pending: Vec::new(),
            fault: DialFault::NoAddress,
            found: false,
        }
    }

    /// An attempt to find out whose relay is there.
    pub(super) fn relay(address: Address, now: Instant) -> Attempt {
        Attempt { relay: Some(address), ..Attempt::new(Dial::Anyone, &[address], now) }
    }

    /// Where a relay is sought, if one is.
    pub(super) fn sought_relay(&self) -> Option<Address> {
        self.relay
    }

    /// Leaves out where others already seek the same, so that asking again before the answer does
    /// not heap up dials. Whether anything is left.
    pub(super) fn leave_out(&mut self, others: &[Attempt]) -> bool {
        let same = |other: &&Attempt| other.relay.is_none() && other.who == self.who;
        for other in others.iter().filter(same) {
            let dialled = |address: &Multiaddr| other.pending.iter().any(|(_, at)| at == address);
            self.plan.retain(|address| !dialled(address) && !other.plan.contains(address));
        }
        !self.plan.is_empty()
    }

    /// Who is sought.
    pub(super) fn who(&self) -> Dial {
        self.who
    }

    /// The next address, when its time has come or nothing else is on its way.
    pub(super) fn next(&mut self, now: Instant) -> Option<Multiaddr> {
        if self.found || (now < self.next && !self.pending.is_empty()) {
            return None;
        }
        self.next = now + STAGGER;
        self.plan.pop_front()
    }

    /// A dial there has begun.
    pub(super) fn begun(&mut self, id: ConnectionId, address: Multiaddr) {
        self.pending.push((id, address));
    }

    /// A dial failed; whether it was one of these.
    pub(super) fn failed(&mut self, id: ConnectionId, fault: DialFault) -> bool {
        let ours = self.take(id);
        if ours {
            self.fail(fault);
        }
        ours
    }

    /// Keeps the most telling reason.
    pub(super) fn fail(&mut self, fault: DialFault) {
        self.fault = self.fault.max(fault);
    }

    /// A connection stands; if it was dialled here, whether its key is the one sought.
    pub(super) fn established(&mut self, id: ConnectionId, key: &PublicKey) -> Option<bool> {
        if !self.take(id) {
            return None;
        }
        let right = match self.who {
            Dial::Hash(hash) => key_hash(key) == hash,
            Dial::Key(sought) => *key == sought,
            Dial::Anyone => true,
        };
        self.found |= right;
        if !right {
            self.fail(DialFault::Stranger);
        }
        Some(right)
    }

    /// Whether it is over, and why it failed if it did.
    pub(super) fn over(&self) -> Option<Result<(), DialFault>> {
        let done = self.pending.is_empty() && (self.found || self.plan.is_empty());
        done.then_some(if self.found { Ok(()) } else { Err(self.fault) })
    }

    fn take(&mut self, id: ConnectionId) -> bool {
        let before = self.pending.len();
        self.pending.retain(|(pending, _)| *pending != id);
        self.pending.len() < before
    }
}
