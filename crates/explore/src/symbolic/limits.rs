//! How far values are followed.

/// The bounds of [`Symbolic`](super::Symbolic): on terms, on how a value was computed, on decisions, and on reads from
/// addresses that depend on the input.
#[derive(Clone, Copy, Debug)]
pub struct SymbolicLimits {
    pub(super) terms: usize,
    pub(super) depth: u16,
    pub(super) decisions: usize,
    pub(super) constant: usize,
    pub(super) writable: usize,
}

impl Default for SymbolicLimits {
    fn default() -> Self {
        Self { terms: 4_000_000, depth: 400, decisions: 20_000, constant: 4096, writable: 64 }
    }
}

impl SymbolicLimits {
    /// The defaults.
    pub fn new() -> Self {
        Self::default()
    }

    /// How many terms there may be. The default is 4 million.
    #[must_use]
    pub fn terms(mut self, terms: usize) -> Self {
        self.terms = terms;
        self
    }

    /// Through how many operations a value may have come from the input. The default is 400.
    #[must_use]
    pub fn depth(mut self, operations: u16) -> Self {
        self.depth = operations;
        self
    }

    /// How many decisions a path may have. The default is 20,000.
    #[must_use]
    pub fn decisions(mut self, decisions: usize) -> Self {
        self.decisions = decisions;
        self
    }

    /// At how many places a load from an address that depends on the input may read, in memory that is never written. The
    /// default is 4,096.
    #[must_use]
    pub fn constant(mut self, places: usize) -> Self {
        self.constant = places;
        self
    }

    /// The same in other memory. The default is 64.
    #[must_use]
    pub fn writable(mut self, places: usize) -> Self {
        self.writable = places;
        self
    }
}
