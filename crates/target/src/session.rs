//! A fuzzer in the process of a target.

use std::mem::ManuallyDrop;
use std::sync::OnceLock;
use std::time::Instant;

use pleach_core::fuzz::Fuzzer;

/// The variable that asks for statistics.
pub(crate) const STATISTICS: &str = "PLEACH_STATISTICS";

/// After how many calls statistics are told for the first time.
const FIRST: u64 = 1 << 16;

/// A clock.
pub(crate) fn nanoseconds() -> u64 {
    static BEGAN: OnceLock<Instant> = OnceLock::new();
    BEGAN.get_or_init(Instant::now).elapsed().as_nanos() as u64
}

/// A fuzzer that tells its statistics, where it has any: each time that there were twice as many calls, for an engine's
/// process that is interrupted or dies ends at once, and at the end of one that does not.
pub struct Session<'t> {
    /// It lives as long as the process: code that takes it apart would have counters for the engine to go through.
    fuzzer: ManuallyDrop<Fuzzer<'t>>,
    next: u64,
}

impl<'t> Session<'t> {
    pub(crate) fn new(fuzzer: Fuzzer<'t>) -> Self {
        Self { fuzzer: ManuallyDrop::new(fuzzer), next: FIRST }
    }

    /// Calls the fuzzer.
    pub fn with<T>(&mut self, body: impl FnOnce(&mut Fuzzer<'t>) -> T) -> T {
        let result = body(&mut self.fuzzer);
        if let Some(statistics) = self.fuzzer.statistics()
            && statistics.calls() >= self.next
        {
            self.next *= 2;
            eprintln!("{statistics}");
        }
        result
    }
}

impl Drop for Session<'_> {
    fn drop(&mut self) {
        if let Some(statistics) = self.fuzzer.statistics() {
            eprintln!("{statistics}");
        }
    }
}
