//! So much in a stretch of time, and no more until the next.

/// What has been used of a limit.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct Quota {
    window: u64,
    used: usize,
}

impl Quota {
    /// Uses `cost` in this stretch of time (any number for it); false if `most` was used up before.
    /// What starts below the limit may end above it.
    pub(crate) fn take(&mut self, window: u64, cost: usize, most: usize) -> bool {
        if self.window != window {
            *self = Quota { window, used: 0 };
        }
        let free = self.used < most;
        if free {
            self.used += cost;
        }
        free
    }
}

/// One thing each stretch of time, and a few more at once where none was used for a while.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Pace {
    /// When all that was used is made good.
    even_at: u64,
}

impl Pace {
    /// Uses one, of one each `stretch` and at most `burst` at once; false if none is free.
    pub(super) fn take(&mut self, now: u64, stretch: u64, burst: u64) -> bool {
        let even_at = self.even_at.max(now) + stretch;
        let free = even_at <= now + burst * stretch;
        if free {
            self.even_at = even_at;
        }
        free
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_quota_is_used_up_and_begins_anew() {
        let mut quota = Quota::default();
        assert!(quota.take(0, 3, 5) && quota.take(0, 3, 5) && !quota.take(0, 1, 5));
        assert!(quota.take(1, 6, 5) && !quota.take(1, 0, 5) && quota.take(2, 0, 5));
    }

    #[test]
    fn a_pace_lets_a_few_at_once_and_then_one_a_stretch() {
        let mut pace = Pace::default();
        let at = |pace: &mut Pace, now| (0..9).filter(|_| pace.take(now, 10, 3)).count();
        assert_eq!([0, 9, 10, 19, 40, 900].map(|now| at(&mut pace, now)), [3, 0, 1, 0, 3, 3]);
    }
}
