//! The last link: constraints as a circuit, and a SAT solver.
//!
//! One circuit serves many questions, each of which assumes its constraints; so what was learnt is
//! kept. Before a search all inputs are assumed to have their old values. That takes no search, and
//! leaves every gate with its old value as the first one to try: the model that is found then differs
//! little from the old one.

use super::{Slice, Verdict};
use crate::blast::{Circuit, Found, Limits};
use crate::terms::Terms;
use crate::{Model, Options, Reason};
use batsat::Lit;

/// How often a core is solved for itself in the hope of a smaller one.
const CORE_ROUNDS: usize = 4;

/// The circuit that is kept, and how much it was used.
pub(crate) struct Sat {
    circuit: Circuit,
}

impl Sat {
    pub(crate) fn new() -> Sat {
        Sat { circuit: Circuit::new() }
    }

    pub(crate) fn solve(
        &mut self,
        terms: &Terms,
        slice: &Slice,
        old: &Model,
        options: &Options,
    ) -> Result<Verdict, Reason> {
        if self.circuit.size() > options.kept {
            self.circuit = Circuit::new();
        }
        let largest = self.circuit.size().saturating_add(options.circuit);
        let mut wanted = Vec::with_capacity(slice.constraints.len());
        for &constraint in &slice.constraints {
            let Some(lit) = self.circuit.literal(terms, constraint, largest) else {
                self.circuit = Circuit::new();
                return Err(Reason::Size);
            };
            wanted.push(lit);
        }
        let limits = Limits { conflicts: options.conflicts, decisions: options.decisions };
        self.remember(slice, old, limits);
        match self.circuit.search(&wanted, limits) {
            Found::Sat => Ok(Verdict::Sat(self.model(slice, old))),
            Found::Unsat(core) => Ok(Verdict::Unsat(self.shrunk(&wanted, core, limits))),
            Found::Stopped => Err(Reason::Conflicts),
        }
    }

    /// How many conflicts the last search had.
    pub(crate) fn conflicts(&self) -> u64 {
        self.circuit.conflicts()
    }

    /// Lets every gate have its old value as the first one to try.
    fn remember(&mut self, slice: &Slice, old: &Model, limits: Limits) {
        let mut assumed: Vec<Lit> = Vec::new();
        for (variable, bits) in self.circuit.inputs() {
            if slice.variables.binary_search(&variable).is_ok() {
                let value = old.get(variable);
                let bits = bits.iter().enumerate();
                assumed.extend(bits.map(|(at, &bit)| bit.apply_sign(value >> at & 1 == 1)));
            }
        }
        // Definitions hold for all inputs, so this is satisfiable, and nothing depends on it.
        self.circuit.search(&assumed, limits);
    }

    fn model(&self, slice: &Slice, old: &Model) -> Model {
        let mut model = old.clone();
        for (variable, bits) in self.circuit.inputs() {
            if slice.variables.binary_search(&variable).is_ok() {
                let bits = bits.iter().rev();
                let value = bits.fold(0, |v, &bit| v << 1 | u128::from(self.circuit.value(bit)));
                model.set(variable, value);
            }
        }
        model
    }

    /// A core of the core, while it gets smaller.
    fn shrunk(&mut self, wanted: &[Lit], mut core: Vec<usize>, limits: Limits) -> Vec<usize> {
        for _ in 0..CORE_ROUNDS {
            let lits: Vec<Lit> = core.iter().map(|&at| wanted[at]).collect();
            let Found::Unsat(again) = self.circuit.search(&lits, limits) else { break };
            if again.len() == core.len() {
                break;
            }
            core = again.into_iter().map(|at| core[at]).collect();
        }
        core
    }
}
