//! The links of the chain. Each is given the [`Slice`] of a question and answers it or passes.

pub(crate) mod cache;
pub(crate) mod independence;
pub(crate) mod intervals;
pub(crate) mod polish;
pub(crate) mod sat;
pub(crate) mod single;

use crate::Model;
use crate::terms::TermId;

/// The constraints that bear on the goal, and the goal among them: conjunctions taken apart, each
/// constraint once, none of them constant.
#[derive(Clone, Debug, Default)]
pub(crate) struct Slice {
    /// The goal's first.
    pub(crate) constraints: Vec<TermId>,
    /// Where each was given: its place in the path, none for the goal.
    pub(crate) owners: Vec<Option<usize>>,
    /// Their variables, sorted.
    pub(crate) variables: Vec<u32>,
}

impl Slice {
    /// How many of the constraints are the goal's.
    pub(crate) fn goals(&self) -> usize {
        self.owners.iter().take_while(|owner| owner.is_none()).count()
    }
}

/// What a link has to say.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Verdict {
    /// All constraints hold under this.
    Sat(Model),
    /// These constraints, by their places in the slice, exclude each other.
    Unsat(Vec<usize>),
    /// Nothing.
    Pass,
}
