//! Rests of a search that finds little, so that a fuzzer on the same cores gets the time.

use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

/// After how much work without a new edge a rest is as long as the work before it; it grows in proportion.
const PATIENCE: Duration = Duration::from_secs(4);
/// How many times as long as the work it is at most.
const MOST: f64 = 9.0;
/// How long it is at least, and for how long nobody is listened to.
const AT_LEAST: Duration = Duration::from_millis(10);
const AT_ONCE: Duration = Duration::from_millis(50);

/// What was worked since an edge was new, and the rest that is owed for it.
#[derive(Debug, Default)]
pub(super) struct Rest {
    barren: Duration,
    owed: Duration,
}

impl Rest {
    /// Notes a step, and whether it took a new edge.
    pub(super) fn note(&mut self, took: Duration, is_new: bool) {
        if is_new {
            *self = Self::default();
            return;
        }
        self.barren = self.barren.saturating_add(took);
        let times = (self.barren.as_secs_f64() / PATIENCE.as_secs_f64()).min(MOST);
        self.owed = self.owed.saturating_add(took.mul_f64(times));
    }

    /// Rests for as long as is owed, if that is worth it, and until there is an end.
    pub(super) fn take(&mut self, stopped: &AtomicBool) {
        if self.owed < AT_LEAST {
            return;
        }
        while !self.owed.is_zero() && !stopped.load(Ordering::Relaxed) {
            let now = self.owed.min(AT_ONCE);
            std::thread::sleep(now);
            self.owed -= now;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rests_grow_until_something_is_new() {
        let mut rest = Rest::default();
        let step = Duration::from_millis(100);
        let mut owed = |is_new, steps: u32| {
            (0..steps).for_each(|_| rest.note(step, is_new));
            std::mem::take(&mut rest.owed)
        };
        assert!(owed(false, 10) < 2 * step, "little after a second");
        owed(false, 30);
        let one = owed(false, 1);
        assert!(one > step && one < 2 * step, "as much as the work after four: {one:?}");
        owed(false, 1000);
        assert_eq!(owed(false, 1), 9 * step);
        assert_eq!(owed(true, 1), Duration::ZERO);
        assert!(owed(false, 10) < 2 * step);
    }

    #[test]
    fn a_rest_ends_with_the_search() {
        let mut rest = Rest { barren: Duration::ZERO, owed: Duration::from_secs(3600) };
        rest.take(&AtomicBool::new(true));
        assert_eq!(rest.owed, Duration::from_secs(3600));
    }
}
