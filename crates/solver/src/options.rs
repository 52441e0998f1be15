//! What a solver may spend, which `budget.rs` counts, and which links it has.

/// The limits of a [`Solver`](crate::Solver), and which links its chain has.
///
/// All limits count steps, none reads a clock: the same questions have the same answers.
#[derive(Clone, Copy, Debug)]
pub struct Options {
    pub(crate) conflicts: u64,
    pub(crate) shared: u64,
    pub(crate) decisions: u64,
    pub(crate) circuit: u32,
    pub(crate) kept: u32,
    pub(crate) steps: u64,
    pub(crate) independence: bool,
    pub(crate) cache: bool,
    pub(crate) bytes: bool,
    pub(crate) intervals: bool,
    pub(crate) subsets: bool,
    pub(crate) polish: bool,
}

impl Default for Options {
    fn default() -> Self {
        Options {
            conflicts: 20_000,
            shared: 100,
            decisions: 2_000_000,
            circuit: 1_000_000,
            kept: 30_000,
            steps: 100_000,
            independence: true,
            cache: true,
            bytes: true,
            intervals: true,
            subsets: true,
            polish: true,
        }
    }
}

impl Options {
    /// The defaults.
    pub fn new() -> Self {
        Self::default()
    }

    /// After how many conflicts the SAT solver gives up. The default is 20,000.
    #[must_use]
    pub fn conflicts(mut self, conflicts: u64) -> Self {
        self.conflicts = conflicts;
        self
    }

    /// After how many conflicts a question leaves the circuit that it shares with others, where
    /// answers come with small cores, for one of its own, which is faster. The default is 100.
    #[must_use]
    pub fn shared(mut self, conflicts: u64) -> Self {
        self.shared = conflicts;
        self
    }

    /// After how many decisions the SAT solver gives up. The default is 2,000,000.
    #[must_use]
    pub fn decisions(mut self, decisions: u64) -> Self {
        self.decisions = decisions;
        self
    }

    /// How many variables the circuit of a question may have. The default is 1,000,000.
    #[must_use]
    pub fn circuit(mut self, variables: u32) -> Self {
        self.circuit = variables;
        self
    }

    /// No more conflicts and no larger circuit than these; what is smaller already stays.
    #[must_use]
    pub fn at_most(mut self, conflicts: u64, circuit: u32) -> Self {
        self.conflicts = self.conflicts.min(conflicts);
        self.circuit = self.circuit.min(circuit);
        self
    }

    /// How many variables a circuit may have that is kept for the next question, with what the SAT
    /// solver has learnt about it. The default is 30,000.
    #[must_use]
    pub fn kept(mut self, variables: u32) -> Self {
        self.kept = variables;
        self
    }

    /// How many operations on intervals, and on rows of 256 values, may be spent on a question.
    /// The default is 100,000.
    #[must_use]
    pub fn steps(mut self, steps: u64) -> Self {
        self.steps = steps;
        self
    }

    /// Whether constraints that share no variables with the goal are left out. The default is `true`.
    #[must_use]
    pub fn independence(mut self, on: bool) -> Self {
        self.independence = on;
        self
    }

    /// Whether the constraints on the goal's own variables are tried first, without those that hold
    /// as before. The default is `true`.
    #[must_use]
    pub fn subsets(mut self, on: bool) -> Self {
        self.subsets = on;
        self
    }

    /// Whether earlier models and cores are tried. The default is `true`.
    #[must_use]
    pub fn cache(mut self, on: bool) -> Self {
        self.cache = on;
        self
    }

    /// Whether questions about one or two bytes are answered from tables. The default is `true`.
    #[must_use]
    pub fn bytes(mut self, on: bool) -> Self {
        self.bytes = on;
        self
    }

    /// Whether intervals are narrowed before a circuit is made. The default is `true`.
    #[must_use]
    pub fn intervals(mut self, on: bool) -> Self {
        self.intervals = on;
        self
    }

    /// Whether bytes of a model are set back to the old ones, or to printable ones, where that
    /// changes nothing else. The default is `true`.
    #[must_use]
    pub fn polish(mut self, on: bool) -> Self {
        self.polish = on;
        self
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_limit_is_lowered_and_never_raised() {
        let options = Options::new().conflicts(10).circuit(1000).at_most(100, 500);
        assert_eq!((options.conflicts, options.circuit), (10, 500));
    }
}
