//! Questions as text in SMT-LIB 2.6, logic QF_BV, written for other solvers and read again.
//!
//! The last assertion is the goal, those before it the path, and the old values stand in a
//! `set-info` that other solvers pass over. So a file is a whole question.

mod read;
mod write;

pub use read::ReadError;

use crate::{Model, TermId};

/// A satisfiability question: a path's constraints, the goal beside them, and the old values.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Question {
    /// Constraints that hold under the old values.
    pub path: Vec<TermId>,
    /// The constraint that is wanted besides.
    pub goal: TermId,
    /// The old values.
    pub old: Model,
}
