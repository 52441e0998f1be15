//! Leaves out what has nothing to do with the goal.
//!
//! Constraints that share a variable belong together, and so do those that share one with these. The
//! path's other constraints hold under the old values, and go on holding when none of theirs change.

use super::Slice;
use crate::terms::{Binary, Node, TermId, Terms};
use fxhash::{FxHashMap, FxHashSet};

/// Makes slices, in memory that is used again.
#[derive(Clone, Debug, Default)]
pub(crate) struct Independence {
    /// For each variable one that it belongs together with; a root for itself.
    parents: FxHashMap<u32, u32>,
    seen: FxHashSet<TermId>,
    stack: Vec<TermId>,
    conjuncts: Vec<(TermId, Option<usize>)>,
}

impl Independence {
    /// The slice of a question; with `all` nothing is left out.
    ///
    /// # Errors
    /// A constraint is constantly false: its place in the path, none for the goal.
    pub(crate) fn slice(
        &mut self,
        terms: &Terms,
        path: &[TermId],
        goal: TermId,
        all: bool,
    ) -> Result<Slice, Option<usize>> {
        self.parents.clear();
        self.seen.clear();
        self.conjuncts.clear();
        self.conjoin(terms, goal, None)?;
        let goals = self.conjuncts.len();
        for (place, &constraint) in path.iter().enumerate() {
            self.conjoin(terms, constraint, Some(place))?;
        }
        for at in 0..self.conjuncts.len() {
            let variables = terms.variables(self.conjuncts[at].0);
            for &variable in &variables[1..] {
                self.join(variables[0], variable);
            }
        }
        let mut wanted = FxHashSet::default();
        for at in 0..goals {
            wanted.insert(self.root(terms.variables(self.conjuncts[at].0)[0]));
        }
        let mut slice = Slice::default();
        for at in 0..self.conjuncts.len() {
            let (constraint, owner) = self.conjuncts[at];
            let variables = terms.variables(constraint);
            if all || wanted.contains(&self.root(variables[0])) {
                slice.constraints.push(constraint);
                slice.owners.push(owner);
                slice.variables.extend_from_slice(variables);
            }
        }
        slice.variables.sort_unstable();
        slice.variables.dedup();
        Ok(slice)
    }

    /// Notes the conjuncts of a constraint that are new.
    fn conjoin(
        &mut self,
        terms: &Terms,
        constraint: TermId,
        owner: Option<usize>,
    ) -> Result<(), Option<usize>> {
        self.stack.push(constraint);
        while let Some(term) = self.stack.pop() {
            match terms.as_constant(term) {
                Some(1) => continue,
                Some(_) => {
                    self.stack.clear();
                    return Err(owner);
                }
                None => {}
            }
            if !self.seen.insert(term) {
                continue;
            }
            if let Node::Binary(Binary::And, a, b) = terms.node(term) {
                self.stack.extend([b, a]);
            } else {
                self.conjuncts.push((term, owner));
            }
        }
        Ok(())
    }

    fn root(&mut self, variable: u32) -> u32 {
        let mut at = variable;
        while let Some(&parent) = self.parents.get(&at) {
            // Paths are halved on the way.
            if let Some(&above) = self.parents.get(&parent) {
                self.parents.insert(at, above);
            }
            at = parent;
        }
        at
    }

    fn join(&mut self, a: u32, b: u32) {
        let (a, b) = (self.root(a), self.root(b));
        if a != b {
            self.parents.insert(b, a);
        }
    }
}
