//! What a run decided: the conditions under which another input takes the same path.

use pleach_concolic::ir::{Instruction, Module, Pc};
use pleach_concolic::vm::Access;
use pleach_solver::{Binary, Compare, TermId, Terms};

/// Why a condition is on the path.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Kind {
    /// A branch, or a switch, took an edge.
    Edge(u32),
    /// A value was used as it was.
    Pinned(Access),
    /// The program returned a value.
    Returned,
    /// A byte of the input went into something that is not followed.
    Fixed,
    /// An index lies in the part of a table that was made a term.
    Within,
}

/// A condition that a run's input fulfils.
#[derive(Clone, Copy, Debug)]
pub struct Decision {
    /// The instruction.
    pub at: Pc,
    /// Why.
    pub kind: Kind,
    /// The condition, of one bit: it is 1 for the run's input.
    pub holds: TermId,
    /// What decided: the value of a branch or switch, or what was pinned.
    pub value: TermId,
    /// The innermost calls on the stack, hashed.
    pub context: u64,
    /// The innermost instruction outside of the standard library: this one, or a call around it.
    pub from: Pc,
}

impl Decision {
    /// Whether an input that does not fulfil it takes another path. What else is on a path only keeps the run's
    /// values as they were, which may not matter.
    pub fn is_necessary(&self) -> bool {
        matches!(self.kind, Kind::Edge(_))
    }

    /// The edges that the program may take here instead; none for what is no branch.
    pub fn other_edges(&self, module: &Module) -> Vec<u32> {
        let Kind::Edge(taken) = self.kind else {
            return Vec::new();
        };
        let mut edges = match module.instruction(self.at) {
            Some(&Instruction::Branch { then, otherwise, .. }) => vec![then, otherwise],
            Some(&Instruction::Switch { default, .. }) => {
                let cases = module.cases(self.at).iter().map(|case| case.1);
                cases.chain([default]).collect()
            }
            _ => Vec::new(),
        };
        edges.sort_unstable();
        edges.dedup();
        edges.retain(|&edge| edge != taken);
        edges
    }
}

/// The condition under which a branch or switch on a value takes an edge.
pub fn condition(terms: &mut Terms, module: &Module, at: Pc, value: TermId, edge: u32) -> TermId {
    match module.instruction(at) {
        Some(&Instruction::Switch { default, .. }) => {
            let width = terms.width(value);
            // A term may be narrower than the value, which has zeros above it then.
            let most = u128::MAX >> (128 - u32::from(width));
            let (mut here, mut elsewhere) = (Vec::new(), Vec::new());
            for &(case, to) in module.cases(at).iter().filter(|it| it.0 <= most) {
                let case = terms.constant(width, case);
                let is = terms.compare(Compare::Eq, value, case);
                if to == edge { here.push(is) } else { elsewhere.push(is) }
            }
            if edge != default {
                return any(terms, here);
            }
            let elsewhere = any(terms, elsewhere);
            terms.not(elsewhere)
        }
        Some(&Instruction::Branch { then, .. }) => {
            let bit = terms.extract(value, 0, 1);
            if edge == then { bit } else { terms.not(bit) }
        }
        _ => terms.constant(1, 1),
    }
}

/// Whether one of some bits is set: a tree, so that it is not deep.
fn any(terms: &mut Terms, mut bits: Vec<TermId>) -> TermId {
    if bits.is_empty() {
        return terms.constant(1, 0);
    }
    while bits.len() > 1 {
        bits = bits
            .chunks(2)
            .map(|pair| match *pair {
                [a, b] => terms.binary(Binary::Or, a, b),
                _ => pair[0],
            })
            .collect();
    }
    bits[0]
}
