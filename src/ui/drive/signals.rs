//! Signals: what ends, stops and continues a program from outside.

/// What came from outside.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Signal {
    /// Ctrl-C, from outside the screens.
    #[cfg_attr(not(unix), allow(dead_code))]
    Interrupt,
    /// The process is asked to end; the number of the signal.
    End(u8),
    /// The process is asked to stop.
    #[cfg_attr(not(unix), allow(dead_code))]
    Stop,
    /// The process goes on.
    #[cfg_attr(not(unix), allow(dead_code))]
    Continue,
}

#[cfg(unix)]
pub(super) use self::unix::{Signals, stop, suspend};

#[cfg(not(unix))]
pub(super) use self::other::{Signals, stop, suspend};

#[cfg(unix)]
mod unix {
    use std::io;

    use rustix::process::{Signal as Number, getpid, kill_current_process_group, kill_process};
    use tokio::signal::unix::{Signal as Stream, SignalKind, signal};

    use super::Signal;

    /// The signals that are listened to.
    pub(crate) struct Signals {
        interrupt: Stream,
        terminate: Stream,
        hangup: Stream,
        stop: Stream,
        go_on: Stream,
    }

    impl Signals {
        pub(crate) fn listen() -> io::Result<Signals> {
            let on = |number: Number| signal(SignalKind::from_raw(number.as_raw()));
            Ok(Signals {
                interrupt: on(Number::INT)?,
                terminate: on(Number::TERM)?,
                hangup: on(Number::HUP)?,
                stop: on(Number::TSTP)?,
                go_on: on(Number::CONT)?,
            })
        }

        pub(crate) async fn next(&mut self) -> Signal {
            tokio::select! {
                _ = self.interrupt.recv() => Signal::Interrupt,
                _ = self.terminate.recv() => Signal::End(Number::TERM.as_raw() as u8),
                _ = self.hangup.recv() => Signal::End(Number::HUP.as_raw() as u8),
                _ = self.stop.recv() => Signal::Stop,
                _ = self.go_on.recv() => Signal::Continue,
            }
        }
    }

    /// Ctrl-Z: what the terminal would do if it were not in raw mode.
    pub(crate) fn suspend() {
        if let Err(error) = kill_current_process_group(Number::TSTP) {
            tracing::warn!(%error, "not suspended");
        }
    }

    /// Stops this process until it is continued.
    pub(crate) fn stop() {
        if let Err(error) = kill_process(getpid(), Number::STOP) {
            tracing::warn!(%error, "not stopped");
        }
    }
}

#[cfg(not(unix))]
mod other {
    use super::Signal;

    /// Elsewhere there is only Ctrl-C.
    pub(crate) struct Signals;

    impl Signals {
        pub(crate) fn listen() -> std::io::Result<Signals> {
            Ok(Signals)
        }

        pub(crate) async fn next(&mut self) -> Signal {
            // A process that cannot listen is ended by the system.
            let _ = tokio::signal::ctrl_c().await;
            Signal::End(2)
        }
    }

    pub(crate) fn suspend() {}

    pub(crate) fn stop() {}
}
