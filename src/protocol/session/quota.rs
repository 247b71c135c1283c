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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_quota_is_used_up_and_begins_anew() {
        let mut quota = Quota::default();
        assert!(quota.take(0, 3, 5) && quota.take(0, 3, 5) && !quota.take(0, 1, 5));
        assert!(quota.take(1, 6, 5) && !quota.take(1, 0, 5) && quota.take(2, 0, 5));
    }
}
