//! The search for a direct path beside a circuit: libp2p lets both sides dial each other at one
//! moment, at the addresses that others see of them, up to `PUNCHES` times.

use std::fmt;
use std::time::Duration;

use libp2p::swarm::DialError;

use super::address::{Address, Transport};
use super::fault::DialFault;
use super::limits::PUNCHES;

/// Why no direct path to a peer was found; as text, in words.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Unpunched {
    /// Where the peer was dialled in vain; empty if it never came to that.
    pub tried: Vec<(Address, Transport)>,
    /// The most telling that was heard there.
    pub fault: Option<DialFault>,
}

/// A hole that was punched.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Punched {
    /// Where the relay is through which the peer was met.
    pub relay: Address,
    /// How long after that it was reached directly.
    pub after: Duration,
}

/// The search beside one circuit.
#[derive(Default)]
pub(super) struct Punch {
    failed: u8,
    over: bool,
    reason: Unpunched,
}

impl Punch {
    /// A dial of this search failed; whether it was the last.
    pub(super) fn failed(&mut self, error: &DialError) -> bool {
        let reason = &mut self.reason;
        reason.fault = reason.fault.max(Some(DialFault::of(error)));
        if let DialError::Transport(errors) = error {
            for tried in errors.iter().filter_map(|(to, _)| Address::from_multiaddr(to)) {
                if !reason.tried.contains(&tried) {
                    reason.tried.push(tried);
                }
            }
        }
        self.failed = self.failed.saturating_add(1);
        self.failed >= PUNCHES
    }

    /// Ends the search; gives why it failed, once.
    pub(super) fn give_up(&mut self) -> Option<Unpunched> {
        let first = !std::mem::replace(&mut self.over, true);
        first.then(|| std::mem::take(&mut self.reason))
    }
}

impl fmt::Display for Unpunched {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let places: Vec<String> =
            self.tried.iter().map(|(to, over)| format!("{to} over {over}")).collect();
        match (places.is_empty(), self.fault) {
            (true, Some(fault)) => write!(f, "{fault}"),
            (true, None) => f.write_str("neither side could tell the other where to dial"),
            (false, Some(DialFault::Refused)) => {
                write!(f, "nothing listens at {}", places.join(", "))
            }
            (false, _) => write!(f, "no answer at {}", places.join(", ")),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_third_failure_is_the_last_and_the_reason_is_given_once() {
        let mut punch = Punch::default();
        assert!(!punch.failed(&DialError::Aborted) && !punch.failed(&DialError::Aborted));
        assert!(punch.failed(&DialError::Aborted));
        let reason = punch.give_up().expect("a reason");
        assert_eq!(reason.fault, Some(DialFault::Closed));
        assert_eq!(punch.give_up(), None);
    }

    #[test]
    fn the_reason_names_the_places() {
        let at: Address = "198.51.100.7:4000".parse().expect("an address");
        let tried = vec![(at, Transport::Quic), (at, Transport::Tcp)];
        let reason = Unpunched { tried, fault: Some(DialFault::NoAnswer) };
        let words = "no answer at 198.51.100.7:4000 over QUIC, 198.51.100.7:4000 over TCP";
        assert_eq!(reason.to_string(), words);
        let words = "neither side could tell the other where to dial";
        assert_eq!(Unpunched::default().to_string(), words);
    }
}
