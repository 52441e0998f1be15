//! What a solver may spend, and which links it has. Conflicts and decisions are counted in `blast/circuit.rs`, the size of a
//! circuit in `links/sat.rs`, steps in `links/single.rs`.

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
    /// All defaults.
    pub fn new() -> Options {
        Options::default()
    }

    /// After how many conflicts the SAT solver gives up. Default: 20,000.
    pub fn conflicts(self, conflicts: u64) -> Options {
        Options { conflicts, ..self }
    }

    /// After how many conflicts a question leaves the circuit that it shares with others, where
    /// answers come with small cores, for one of its own, which is faster. Default: 100.
    pub fn shared(self, conflicts: u64) -> Options {
        Options { shared: conflicts, ..self }
    }

    /// After how many decisions the SAT solver gives up. Default: 2,000,000.
    pub fn decisions(self, decisions: u64) -> Options {
        Options { decisions, ..self }
    }

    /// How many variables the circuit of a question may have. Default: 1,000,000.
    pub fn circuit(self, variables: u32) -> Options {
        Options { circuit: variables, ..self }
    }

    /// No more conflicts and no larger circuit than these; what is smaller already stays.
    pub fn at_most(self, conflicts: u64, circuit: u32) -> Options {
        let conflicts = self.conflicts.min(conflicts);
        Options { conflicts, circuit: self.circuit.min(circuit), ..self }
    }

    /// How many variables a circuit may have that is kept for the next question, with what the SAT
    /// solver has learnt about it. Default: 30,000.
    pub fn kept(self, variables: u32) -> Options {
        Options { kept: variables, ..self }
    }

    /// How many operations on intervals, and on rows of 256 values, may be spent on a question.
    /// Default: 100,000.
    pub fn steps(self, steps: u64) -> Options {
        Options { steps, ..self }
    }

    /// Whether constraints that share no variables with the goal are left out. Default: true.
    pub fn independence(self, on: bool) -> Options {
        Options { independence: on, ..self }
    }

    /// Whether the constraints on the goal's own variables are tried first, without those that hold
    /// as before. Default: true.
    pub fn subsets(self, on: bool) -> Options {
        Options { subsets: on, ..self }
    }

    /// Whether earlier models and cores are tried. Default: true.
    pub fn cache(self, on: bool) -> Options {
        Options { cache: on, ..self }
    }

    /// Whether questions about one or two bytes are answered from tables. Default: true.
    pub fn bytes(self, on: bool) -> Options {
        Options { bytes: on, ..self }
    }

    /// Whether intervals are narrowed before a circuit is made. Default: true.
    pub fn intervals(self, on: bool) -> Options {
        Options { intervals: on, ..self }
    }

    /// Whether bytes of a model are set back to the old ones, or to printable ones, where that
    /// changes nothing else. Default: true.
    pub fn polish(self, on: bool) -> Options {
        Options { polish: on, ..self }
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
