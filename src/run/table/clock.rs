//! The table's time, in which this program was awake: a machine that slept has heard nobody, and
//! so nobody was silent.

use std::time::Duration;

use tokio::time::Instant;

/// How long nothing may happen before the program has been asleep: it wakes each second.
const ASLEEP: Duration = Duration::from_secs(5);

/// A clock that stands still while the program sleeps.
pub(super) struct Clock {
    begun: Instant,
    /// When the program last began to wait.
    awake: Instant,
    asleep: Duration,
}

impl Clock {
    /// A clock at zero.
    pub(super) fn start() -> Clock {
        let now = Instant::now();
        Clock { begun: now, awake: now, asleep: Duration::ZERO }
    }

    /// The time.
    pub(super) fn now(&self) -> Duration {
        self.begun.elapsed().saturating_sub(self.asleep)
    }

    /// The program waits, until then or the next full second: gives when that is.
    pub(super) fn waits(&mut self, until: Duration) -> Instant {
        self.awake = Instant::now();
        let second = Duration::from_secs(self.now().as_secs() + 1);
        self.begun + self.asleep + until.min(second)
    }

    /// The program goes on; for how long it has slept, if it has.
    pub(super) fn wakes(&mut self) -> Option<Duration> {
        self.wakes_at(Instant::now())
    }

    fn wakes_at(&mut self, now: Instant) -> Option<Duration> {
        let away = now.saturating_duration_since(self.awake);
        self.awake = now;
        let slept = (away >= ASLEEP).then_some(away);
        self.asleep += slept.unwrap_or_default();
        slept
    }
}

/// That this program was asleep, in words.
pub(super) fn asleep_words(slept: Duration) -> String {
    format!("This program was asleep for {} s; catching up with the others.", slept.as_secs())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sleep_is_not_time_at_the_table() {
        let mut clock = Clock::start();
        let second = clock.waits(Duration::from_secs(60));
        assert!(second <= clock.begun + Duration::from_secs(1));
        assert_eq!(clock.wakes_at(second), None, "as planned");
        let late = second + Duration::from_secs(100);
        assert_eq!(clock.wakes_at(late), Some(Duration::from_secs(100)));
        assert!(clock.waits(Duration::from_secs(60)) >= clock.begun + Duration::from_secs(100));
        assert_eq!(clock.now(), Duration::ZERO, "all of it was sleep");
    }
}
