//! Which unit is worth most: the one behind whose call most code lies that no run has come to.

use fxhash::{FxHashMap, FxHashSet};
use pleach_concolic::ir::{FunctionId, Module, Pc};
use pleach_explore::search::is_set;

/// The program's calls, and the edges of each function.
#[derive(Debug)]
pub(crate) struct Graph {
    /// Of each edge the function, if it is not of the standard library.
    functions: Vec<Option<FunctionId>>,
    callees: FxHashMap<FunctionId, Vec<FunctionId>>,
    known: FxHashSet<(Pc, FunctionId)>,
}

impl Graph {
    pub(crate) fn new(module: &Module) -> Graph {
        let of = |edge: u32| {
            let (at, _) = module.edge(edge)?;
            let is_own = module.places(at).next().is_some_and(|place| !place.in_std());
            module.function_at(at).filter(|_| is_own)
        };
        let functions = (0..module.edges()).map(of).collect();
        let mut graph =
            Graph { functions, callees: FxHashMap::default(), known: FxHashSet::default() };
        for function in module.functions() {
            let callees = module.pcs(function).filter_map(|at| module.callee(at));
            let callees: FxHashSet<FunctionId> = callees.collect();
            let mut callees: Vec<FunctionId> = callees.into_iter().collect();
            callees.sort_unstable();
            graph.callees.insert(function, callees);
        }
        graph
    }

    /// Adds calls that a run made: those by address are only seen.
    pub(crate) fn add(&mut self, module: &Module, calls: &FxHashSet<(Pc, FunctionId)>) {
        for &(at, callee) in calls {
            if module.callee(at).is_none()
                && self.known.insert((at, callee))
                && let Some(caller) = module.function_at(at)
            {
                let callees = self.callees.entry(caller).or_default();
                if let Err(place) = callees.binary_search(&callee) {
                    callees.insert(place, callee);
                }
            }
        }
    }

    /// How many edges of each function were not taken.
    pub(crate) fn missing(&self, taken: &[u64]) -> FxHashMap<FunctionId, u32> {
        let mut missing = FxHashMap::default();
        for (edge, function) in (0..).zip(&self.functions) {
            if let Some(function) = function
                && !is_set(taken, edge)
            {
                *missing.entry(*function).or_default() += 1;
            }
        }
        missing
    }

    /// How many are in a function and in all that it calls.
    pub(crate) fn behind(&self, function: FunctionId, missing: &FxHashMap<FunctionId, u32>) -> u32 {
        let (mut seen, mut stack) = (FxHashSet::default(), vec![function]);
        let mut all = 0;
        while let Some(next) = stack.pop() {
            if seen.insert(next) {
                all += missing.get(&next).copied().unwrap_or(0);
                stack.extend(self.callees.get(&next).into_iter().flatten());
            }
        }
        all
    }
}
