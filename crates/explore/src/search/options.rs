//! How a search goes.

use super::Target;
use crate::symbolic::LONGEST;
use fxhash::FxHashSet;
use pleach_concolic::ir::FunctionId;
use pleach_solver::{TermId, Terms};
use std::sync::Arc;

/// A condition on an input, in a table of terms of its own.
#[derive(Clone, Debug)]
pub struct Assumption {
    /// The table, in which variable `i` is the byte at offset `i`.
    pub terms: Arc<Terms>,
    /// The condition, of one bit.
    pub holds: TermId,
}

/// The settings of a search: seed, lengths of inputs in bytes, and bounds on steps and questions.
#[derive(Clone, Debug)]
pub struct Options {
    pub(super) seed: u64,
    pub(super) max_length: usize,
    pub(super) repeats: u32,
    pub(super) queue: usize,
    pub(super) decisions: usize,
    pub(super) solver: pleach_solver::Options,
    pub(super) targets: Vec<Target>,
    pub(super) keeps_on: bool,
    pub(super) assumed: Vec<Assumption>,
    pub(super) without: FxHashSet<FunctionId>,
    pub(super) preferred: FxHashSet<FunctionId>,
    pub(super) varies_lengths: bool,
}

impl Default for Options {
    fn default() -> Self {
        Self {
            seed: 0,
            max_length: 4096,
            repeats: 200,
            queue: 50_000,
            decisions: 1 << 24,
            solver: pleach_solver::Options::new()
                .conflicts(1_000)
                .decisions(100_000)
                .circuit(100_000),
            targets: Vec::new(),
            keeps_on: false,
            assumed: Vec::new(),
            without: FxHashSet::default(),
            preferred: FxHashSet::default(),
            varies_lengths: true,
        }
    }
}

impl Options {
    /// The defaults.
    pub fn new() -> Self {
        Self::default()
    }

    /// What its random choices are made of. The default is 0.
    #[must_use]
    pub fn seed(mut self, seed: u64) -> Self {
        self.seed = seed;
        self
    }

    /// How long inputs may get, in bytes; more than [`LONGEST`] count as these. The default is 4,096.
    #[must_use]
    pub fn max_length(mut self, bytes: usize) -> Self {
        self.max_length = bytes.min(LONGEST);
        self
    }

    /// How often an edge is asked for among the same calls and in rounds of the same order: what bounds loops. The default is 200.
    #[must_use]
    pub fn repeats(mut self, times: u32) -> Self {
        self.repeats = times;
        self
    }

    /// How many candidates are kept. The default is 50,000.
    #[must_use]
    pub fn queue(mut self, candidates: usize) -> Self {
        self.queue = candidates;
        self
    }

    /// How many decisions the runs behind the queue may have together, of 40 bytes each: with half as many the search goes on
    /// from some of their inputs. The default is 16 million.
    #[must_use]
    pub fn decisions(mut self, decisions: usize) -> Self {
        self.decisions = decisions;
        self
    }

    /// What the solver may use for one question. The default is 1,000 conflicts, 100,000 decisions and a circuit of 100,000
    /// variables, as there always are other questions.
    #[must_use]
    pub fn solver(mut self, options: pleach_solver::Options) -> Self {
        self.solver = options;
        self
    }

    /// Where to go first. The default is nowhere.
    #[must_use]
    pub fn targets(mut self, targets: impl IntoIterator<Item = Target>) -> Self {
        self.targets = targets.into_iter().collect();
        self
    }

    /// Whether the search goes there still when it has been there. The default is `false`.
    #[must_use]
    pub fn keeps_on(mut self, keeps_on: bool) -> Self {
        self.keeps_on = keeps_on;
        self
    }

    /// What inputs are to fulfil: nothing is made of one that does not. The default is nothing.
    #[must_use]
    pub fn assumed(mut self, conditions: impl IntoIterator<Item = Assumption>) -> Self {
        self.assumed = conditions.into_iter().collect();
        self
    }

    /// The functions whose decisions stay as they are, with what the standard library decides for them. The default is none.
    #[must_use]
    pub fn without(mut self, functions: impl IntoIterator<Item = FunctionId>) -> Self {
        self.without = functions.into_iter().collect();
        self
    }

    /// The functions whose decisions are drawn four times as often as all others. The default is none.
    #[must_use]
    pub fn preferred(mut self, functions: impl IntoIterator<Item = FunctionId>) -> Self {
        self.preferred = functions.into_iter().collect();
        self
    }

    /// Whether inputs of other lengths are tried that no branch asks for: cut off, and with bytes and rounds of loops repeated, for
    /// what a branch does not see coming, such as a spent stack. A search that is to get somewhere in a few steps has none to spare.
    /// The default is `true`.
    #[must_use]
    pub fn varies_lengths(mut self, varies: bool) -> Self {
        self.varies_lengths = varies;
        self
    }

    /// The seed.
    pub fn get_seed(&self) -> u64 {
        self.seed
    }
}
