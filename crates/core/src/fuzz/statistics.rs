//! What each mutator does in a campaign, and what the engine keeps of it.

use std::fmt;

use super::cache::hash;

/// The counters of one mutator: inputs written, inputs that the engine kept, and time.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Share {
    /// Its name, of [`MUTATORS`](crate::mutate::MUTATORS); or `bytes` for the engine's own mutator, `word` for one word,
    /// `fresh` for a fresh sentence, `join` for a beginning of one input and an end of another.
    pub name: &'static str,
    /// How many inputs it wrote.
    pub calls: u64,
    /// How many of these the engine handed over again after others: it has them in its corpus.
    pub kept: u64,
    /// How long that took, reading included, in the clock's units.
    pub time: u64,
}

/// The counters of all mutators of a [`Fuzzer`](super::Fuzzer), kept where
/// [`Options::clock`](super::Options::clock) gives a clock.
#[derive(Clone)]
pub struct Statistics {
    clock: fn() -> u64,
    shares: Vec<Share>,
    /// When the first call began, and the last.
    first: Option<u64>,
    began: u64,
    /// By the high bits of a hash: the others of the last result with these, and in place of the lowest the number of its
    /// share and one; 0 for none.
    results: Box<[u64]>,
}

/// How many results are remembered: an entry of a corpus of thousands is handed over some 100,000 calls after it was made.
const RESULTS_BITS: u32 = 20;

/// The bits of a share's number.
const SHARE: u64 = (1 << 6) - 1;

impl Statistics {
    pub(super) fn new(clock: fn() -> u64) -> Self {
        let results = vec![0; 1 << RESULTS_BITS].into();
        Self { clock, shares: Vec::new(), first: None, began: 0, results }
    }

    /// What each did that did anything, in the order in which they first did.
    pub fn shares(&self) -> &[Share] {
        &self.shares
    }

    /// How many inputs were written.
    pub fn calls(&self) -> u64 {
        self.shares.iter().map(|share| share.calls).sum()
    }

    pub(super) fn begin(&mut self) {
        self.began = (self.clock)();
        self.first.get_or_insert(self.began);
    }

    /// The engine has handed over a text that is not the last result.
    pub(super) fn keep(&mut self, text: &[u8]) {
        let hash = hash(text);
        let result = &mut self.results[(hash >> (u64::BITS - RESULTS_BITS)) as usize];
        if *result & SHARE != 0 && *result & !SHARE == hash & !SHARE {
            self.shares[(*result & SHARE) as usize - 1].kept += 1;
            *result = 0;
        }
    }

    pub(super) fn end(&mut self, name: &'static str, text: &[u8]) {
        let found = self.shares.iter().position(|share| share.name == name);
        let at = found.unwrap_or_else(|| {
            self.shares.push(Share { name, calls: 0, kept: 0, time: 0 });
            self.shares.len() - 1
        });
        let share = &mut self.shares[at];
        share.calls += 1;
        share.time += (self.clock)().saturating_sub(self.began);
        let hash = hash(text);
        let result = &mut self.results[(hash >> (u64::BITS - RESULTS_BITS)) as usize];
        *result = hash & !SHARE | (at as u64 + 1) & SHARE;
    }
}

/// A line for each mutator, those first of which the engine kept most; the share of time is that of all time since the first
/// call.
impl fmt::Display for Statistics {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let all = (self.clock)().saturating_sub(self.first.unwrap_or_default()).max(1);
        let percent = |time: u64| 100.0 * time as f64 / all as f64;
        let mut shares: Vec<&Share> = self.shares.iter().collect();
        shares.sort_by_key(|share| (std::cmp::Reverse(share.kept), share.name));
        write!(f, "{:<12}{:>12}{:>8}{:>8}", "mutator", "calls", "kept", "time %")?;
        let sum = |of: fn(&Share) -> u64| self.shares.iter().map(of).sum::<u64>();
        let total = Share {
            name: "all",
            calls: self.calls(),
            kept: sum(|share| share.kept),
            time: sum(|share| share.time),
        };
        for Share { name, calls, kept, time } in shares.into_iter().chain([&total]) {
            write!(f, "\n{name:<12}{calls:>12}{kept:>8}{:>8.2}", percent(*time))?;
        }
        Ok(())
    }
}
