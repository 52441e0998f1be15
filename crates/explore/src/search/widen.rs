//! What is gone back to when nothing else is left: decisions that were left out, as others like them were tried often.
//!
//! A loop has more rounds than are negated, and each place is tried so often and not more: what bounds loops would end a search of a
//! small program early. So inputs of which something was left are kept, and are run again with twice these bounds. What was asked of
//! the same decisions in the same order is not asked once more.

use super::breed::FIRST;
use super::queue::Left;
use super::{Explorer, INPUTS, Reason, Waiting};
use crate::path::Decision;
use fxhash::{FxHashSet, FxHasher};
use pleach_solver::Terms;
use std::hash::{Hash, Hasher};

/// Inputs of about so many bytes count as of the same length.
const LENGTHS: usize = 8;

/// How far bounds were widened, and what was asked so far.
#[derive(Debug, Default)]
pub(super) struct Widened {
    /// How often they were doubled.
    times: u32,
    /// The inputs that are still to be run with the bounds that there are.
    left: Vec<Left>,
    /// Decisions in their order and the edge that was asked for behind them, hashed.
    asked: FxHashSet<u64>,
}

impl Widened {
    /// How many rounds of a loop are negated from its begin on.
    pub(super) fn first(&self) -> u32 {
        widened(FIRST, self.times)
    }

    /// Notes that an edge is asked for behind some decisions of an input's run.
    pub(super) fn note(
        &mut self,
        input: &[u8],
        before: &[Decision],
        terms: &Terms,
        edge: Option<u32>,
    ) {
        let mut path = Path::default();
        before.iter().for_each(|decision| path.push(decision, terms, input));
        if self.asked.len() >= INPUTS {
            self.asked.clear();
        }
        self.asked.insert(path.to(input.len(), edge));
    }

    /// Whether an edge was asked for behind these decisions. Of a value that was pinned there may be others each time.
    pub(super) fn is_asked(&self, path: Path, length: usize, edge: Option<u32>) -> bool {
        edge.is_some() && self.asked.contains(&path.to(length, edge))
    }
}

/// A number that was doubled so often.
fn widened(number: u32, times: u32) -> u32 {
    1u32.checked_shl(times).map_or(u32::MAX, |by| number.saturating_mul(by))
}

/// Decisions in their order, hashed.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Path(u64);

impl Path {
    /// Goes on by a decision of an input's run. What was pinned is told by the bytes that it depends on: terms have other numbers each time
    /// they are made.
    pub(super) fn push(&mut self, decision: &Decision, terms: &Terms, input: &[u8]) {
        let mut hasher = FxHasher::default();
        (self.0, decision.at, decision.kind).hash(&mut hasher);
        if !decision.is_necessary() {
            for &variable in terms.variables(decision.value) {
                (variable, input.get(variable as usize)).hash(&mut hasher);
            }
        }
        self.0 = hasher.finish();
    }

    /// With the edge that is wanted next, of an input of this length: longer ones may grow further.
    fn to(self, length: usize, edge: Option<u32>) -> u64 {
        let mut hasher = FxHasher::default();
        (self.0, length / LENGTHS, edge).hash(&mut hasher);
        hasher.finish()
    }
}

impl Explorer {
    /// How often a place is tried so far.
    pub(super) fn repeats(&self) -> u32 {
        widened(self.options.repeats, self.widened.times)
    }

    /// An input of which something was left, to be run again; all of them with the same bounds, and then with others.
    pub(super) fn go_back(&mut self) -> Option<Waiting> {
        if self.widened.left.is_empty() {
            self.widened.left = self.queue.take_left();
            // Where there is nothing, more may be added later, and the bounds stay as they are.
            if self.widened.left.is_empty() {
                return None;
            }
            self.widened.times += 1;
        }
        let at = self.random.below(self.widened.left.len());
        let (input, of) = self.widened.left.swap_remove(at);
        Some(Waiting { input, reason: Reason::Again, of })
    }
}
