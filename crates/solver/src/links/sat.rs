//! The last link: constraints as a circuit, and a SAT solver.
//!
//! One circuit serves many questions, each of which assumes its constraints; so what was learnt is
//! kept. Before a search all inputs are assumed to have their old values. That takes no search, and
//! leaves every gate with its old value as the first one to try: the model that is found then differs
//! little from the old one.
//!
//! What is not answered so after some conflicts is asked again of a circuit for this question alone,
//! whose constraints are asserted, those with few variables first. Then what they fix is constant in
//! the circuits of the others, which shrink to what is really open; but there is no core to read off,
//! so all constraints stand for it.

use super::{Slice, Verdict};
use crate::blast::{Circuit, Found};
use crate::budget::Budget;
use crate::terms::Terms;
use crate::{Model, Options, Reason};
use batsat::Lit;

/// How often a core is solved for itself in the hope of a smaller one.
const CORE_ROUNDS: usize = 2;

/// How many conflicts a search for a model of printable bytes may have.
const NICE_CONFLICTS: u64 = 100;

/// The circuit that is kept, once there is one.
#[derive(Default)]
pub(crate) struct Sat {
    circuit: Option<Circuit>,
    /// How many conflicts the searches for the last question had.
    conflicts: u64,
}

impl Sat {
    pub(crate) fn solve(
        &mut self,
        terms: &Terms,
        slice: &Slice,
        old: &Model,
        options: &Options,
    ) -> Result<Verdict, Reason> {
        let kept = self.circuit.take().filter(|circuit| circuit.size() <= options.kept);
        let mut circuit = kept.unwrap_or_else(Circuit::new);
        self.conflicts = 0;
        let before = circuit.all_conflicts();
        let largest = circuit.size().saturating_add(options.circuit);
        let mut wanted = Vec::with_capacity(slice.constraints.len());
        for &constraint in &slice.constraints {
            let literal = circuit.literal(terms, constraint, largest);
            wanted.push(literal.ok_or(Reason::Size)?);
        }
        let budget = Budget::new(options);
        remember(&mut circuit, slice, old, budget);
        let few = Budget { conflicts: budget.conflicts.min(options.shared), ..budget };
        let found = match circuit.search(&wanted, few) {
            Found::Sat => {
                let model = read(&circuit, slice, old);
                let better = match options.polish {
                    true => printable(&mut circuit, wanted, slice, old, &model),
                    false => None,
                };
                Some(Verdict::Sat(better.unwrap_or(model)))
            }
            Found::Unsat(core) => Some(Verdict::Unsat(shrunk(&mut circuit, &wanted, core, budget))),
            Found::Stopped => None,
        };
        self.conflicts = circuit.all_conflicts() - before;
        self.circuit = Some(circuit);
        found.map_or_else(|| self.solve_alone(terms, slice, old, options), Ok)
    }

    /// Asks a circuit in which the constraints are asserted.
    fn solve_alone(
        &mut self,
        terms: &Terms,
        slice: &Slice,
        old: &Model,
        options: &Options,
    ) -> Result<Verdict, Reason> {
        let mut order: Vec<usize> = (0..slice.constraints.len()).collect();
        order.sort_by_key(|&at| terms.variables(slice.constraints[at]).len());
        let mut circuit = Circuit::new();
        for at in order {
            let constraint = slice.constraints[at];
            let Some(lit) = circuit.literal(terms, constraint, options.circuit) else {
                return Err(Reason::Size);
            };
            circuit.assert(lit);
        }
        let budget = Budget::new(options);
        remember(&mut circuit, slice, old, Budget { conflicts: 0, ..budget });
        let found = circuit.search_asserted(budget);
        self.conflicts += circuit.all_conflicts();
        match found {
            Found::Sat => Ok(Verdict::Sat(read(&circuit, slice, old))),
            Found::Unsat(_) => Ok(Verdict::Unsat((0..slice.constraints.len()).collect())),
            Found::Stopped => Err(Reason::Conflicts),
        }
    }

    /// How many conflicts the searches for the last question had.
    pub(crate) fn conflicts(&self) -> u64 {
        self.conflicts
    }
}

/// A model in which those bytes can be printed that were changed to what can't, if one is found
/// soon.
fn printable(
    circuit: &mut Circuit,
    mut wanted: Vec<Lit>,
    slice: &Slice,
    old: &Model,
    model: &Model,
) -> Option<Model> {
    let asked = wanted.len();
    let mut bytes: Vec<[Lit; 3]> = Vec::new();
    for (variable, bits) in circuit.inputs() {
        let value = model.get(variable);
        let changed =
            slice.variables.binary_search(&variable).is_ok() && value != old.get(variable);
        if let [_, _, _, _, _, low, middle, top] = *bits
            && changed
            && !matches!(value, 0x20..=0x7e)
        {
            bytes.push([low, middle, top]);
        }
    }
    for [low, middle, top] in bytes {
        wanted.push(!top);
        wanted.push(circuit.or(low, middle));
    }
    let budget = Budget { conflicts: NICE_CONFLICTS, decisions: u64::MAX };
    let found = wanted.len() > asked && circuit.search(&wanted, budget) == Found::Sat;
    found.then(|| read(circuit, slice, old))
}

/// A core of the core, while it gets smaller.
fn shrunk(
    circuit: &mut Circuit,
    wanted: &[Lit],
    mut core: Vec<usize>,
    budget: Budget,
) -> Vec<usize> {
    for _ in 0..CORE_ROUNDS {
        let lits: Vec<Lit> = core.iter().map(|&at| wanted[at]).collect();
        let Found::Unsat(again) = circuit.search(&lits, budget) else { break };
        if again.len() == core.len() {
            break;
        }
        core = again.into_iter().map(|at| core[at]).collect();
    }
    core
}

/// Lets every gate have its old value as the first one to try.
fn remember(circuit: &mut Circuit, slice: &Slice, old: &Model, budget: Budget) {
    let mut assumed: Vec<Lit> = Vec::new();
    for (variable, bits) in circuit.inputs() {
        if slice.variables.binary_search(&variable).is_ok() {
            let value = old.get(variable);
            let bits = bits.iter().enumerate();
            assumed.extend(bits.map(|(at, &bit)| bit.apply_sign(value >> at & 1 == 1)));
        }
    }
    // Nothing depends on the answer: what was tried last is what is tried first.
    circuit.search(&assumed, budget);
}

/// The old values with those of the slice's variables that a search found.
fn read(circuit: &Circuit, slice: &Slice, old: &Model) -> Model {
    let mut model = old.clone();
    for (variable, bits) in circuit.inputs() {
        if slice.variables.binary_search(&variable).is_ok() {
            let bits = bits.iter().rev();
            let value = bits.fold(0, |v, &bit| v << 1 | u128::from(circuit.value(bit)));
            model.set(variable, value);
        }
    }
    model
}
