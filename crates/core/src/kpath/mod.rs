//! k-path coverage: counts, dense ranks, coverage of trees, and what remains to be covered.
//!
//! The nodes are the table's occurrences; an edge goes from a reference to each occurrence in the
//! body of the rule it refers to; a k-path is a walk of k nodes (Havrikov and Zeller,
//! "Systematically Covering Input Structure", ASE 2019). A tree covers the walks that stand on its
//! chains from the root to the leaves.
//!
//! Nothing is enumerated: [`WalkCounts`] counts by dynamic programming, [`PathIndex`] gives each
//! walk a dense rank and each rank its walk, [`Coverage`] is a bit set over the ranks, and
//! [`Feasibility`] says which walks trees of a bounded depth can cover.

mod count;
mod coverage;
mod feasible;
mod goals;
mod index;
mod windows;

pub use count::{PathCount, WalkCounts};
pub use coverage::{Coverage, CoverageSummary};
pub use feasible::{Feasibility, Reason};
pub use index::{KPathError, PathIndex, Scope};

pub(crate) use coverage::RepetitionCounts;
pub(crate) use feasible::{alternative_needs, least_enough};
pub(crate) use goals::Goals;
