//! How a search goes.

use super::Target;
#[cfg(doc)]
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
    /// What its random choices are made of. Default: 0.
    pub seed: u64,
    /// How long inputs may get, in bytes, at most [`LONGEST`]. Default: 4,096.
    pub max_length: usize,
    /// How often an edge is asked for among the same calls and in rounds of the same order: what bounds loops. Default: 200.
    pub repeats: u32,
    /// How many candidates are kept. Default: 50,000.
    pub queue: usize,
    /// What the solver may use for one question. Default: 1,000 conflicts, 100,000 decisions and a circuit of 100,000
    /// variables, as there always are other questions.
    pub solver: pleach_solver::Options,
    /// Where to go first. Default: nowhere.
    pub targets: Vec<Target>,
    /// Whether the search goes there still when it has been there. Default: no.
    pub keeps_on: bool,
    /// What inputs are to fulfil: nothing is made of one that does not. Default: nothing.
    pub assumed: Vec<Assumption>,
    /// The functions whose decisions are made otherwise, with what the standard library decides for them. Default: all.
    pub within: Option<FxHashSet<FunctionId>>,
    /// The functions whose decisions are drawn four times as often as all others. Default: none.
    pub preferred: FxHashSet<FunctionId>,
    /// Whether inputs of other lengths are tried that no branch asks for: cut off, and with bytes and rounds of loops repeated, for
    /// what a branch does not see coming, such as a spent stack. A search that is to get somewhere in a few steps has none to spare.
    /// Default: yes.
    pub varies_lengths: bool,
}

impl Default for Options {
    fn default() -> Options {
        Options {
            seed: 0,
            max_length: 4096,
            repeats: 200,
            queue: 50_000,
            solver: pleach_solver::Options::new()
                .conflicts(1_000)
                .decisions(100_000)
                .circuit(100_000),
            targets: Vec::new(),
            keeps_on: false,
            assumed: Vec::new(),
            within: None,
            preferred: FxHashSet::default(),
            varies_lengths: true,
        }
    }
}
