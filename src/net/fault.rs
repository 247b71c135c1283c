//! What goes wrong, in words that say what to try.

use libp2p::core::transport::TransportError;
use libp2p::swarm::DialError;

use super::limits::{FRAME_BYTES, GREETING_BYTES};

/// Why the network cannot do what was asked.
#[derive(Debug, thiserror::Error)]
pub enum NetError {
    /// The secret bytes are no ed25519 key.
    #[error("the identity key cannot be used: restore the profile's key file, or start a new one")]
    Key,
    /// No socket, or none that listens.
    #[error("cannot listen on port {port}: {reason}; try another --port")]
    Listen {
        /// The port asked for; 0 is any.
        port: u16,
        /// What the system said.
        reason: String,
    },
    /// libp2p could not be put together on this machine.
    #[error("the network cannot start: {0}; `--no-lan` leaves out the local search")]
    Start(String),
    /// A greeting over the limit.
    #[error("a greeting of {0} bytes is too long: at most {GREETING_BYTES} pass")]
    Greeting(usize),
    /// A frame over the limit.
    #[error("a frame of {0} bytes is too long: at most {FRAME_BYTES} pass")]
    Frame(usize),
}

/// Why a peer was not reached, the most telling last.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, thiserror::Error)]
pub enum DialFault {
    /// There was nothing to dial.
    #[error("no address of it is known: ask for a new invite")]
    NoAddress,
    /// Silence: a firewall, a router, a machine that is off.
    #[error(
        "no answer: a router or firewall may be in between, or the machine is off; the host can \
         forward the port (TCP and UDP), or meet on one network"
    )]
    NoAnswer,
    /// The relay is there, the peer is not.
    #[error("the relay answers, but the host is not there: is the table still open?")]
    NotAtRelay,
    /// The machine answers, the port does not.
    #[error("the machine answers, but nothing listens there: is the table still open?")]
    Refused,
    /// Our own limit of connections.
    #[error("this program has too many connections open: close some tables and try again")]
    Full,
    /// It is us.
    #[error("that is this program itself: join from another machine or another profile")]
    Own,
    /// The other side hung up before the greeting.
    #[error("the other side hung up at once: its table is full, or its host refused you")]
    Closed,
    /// The circuit, or the connection to a relay, is gone.
    #[error("the way through the relay broke off; it is tried again")]
    Cut,
    /// Another libp2p program, or a version that does not talk to ours.
    #[error("what answers there is not this version of fairdeal: compare `fairdeal --version`")]
    NotFairdeal,
    /// A proven key that is not the one asked for.
    #[error("someone else answers at this address, not the host of the invite: ask for a new one")]
    Stranger,
}

impl DialFault {
    /// The most telling of what libp2p reports.
    pub(super) fn of(error: &DialError) -> DialFault {
        match error {
            DialError::LocalPeerId { .. } => DialFault::Own,
            DialError::NoAddresses => DialFault::NoAddress,
            DialError::WrongPeerId { .. } => DialFault::Stranger,
            DialError::Denied { .. } => DialFault::Full,
            DialError::DialPeerConditionFalse(_) | DialError::Aborted => DialFault::Closed,
            DialError::Transport(errors) => {
                let each = errors.iter().map(|(_, error)| of_transport(error));
                each.max().unwrap_or(DialFault::NoAddress)
            }
        }
    }
}

/// What one address said. The system's own error is wrapped so that its type cannot be named, and
/// its number stands only in the text.
fn of_transport(error: &TransportError<std::io::Error>) -> DialFault {
    let mut cause: Option<&dyn std::error::Error> = Some(error);
    while let Some(error) = cause {
        let text = error.to_string();
        if refused(&text) {
            return DialFault::Refused;
        }
        if text.contains("Relay has no reservation") {
            return DialFault::NotAtRelay;
        }
        cause = error.source();
    }
    DialFault::NoAnswer
}

/// Whether a text holds `(os error N)` and N means that nothing listens.
fn refused(text: &str) -> bool {
    let after = text.rsplit_once("(os error ").map(|(_, after)| after);
    let number = after.and_then(|after| after.split_once(')')).map(|(number, _)| number);
    number.and_then(|number| number.parse().ok()).is_some_and(|number| {
        let error = std::io::Error::from_raw_os_error(number);
        error.kind() == std::io::ErrorKind::ConnectionRefused
    })
}
