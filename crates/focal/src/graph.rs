//! The functions of a program as call profiles have them: by where they are defined, without what the standard library does between.

use fxhash::{FxHashMap, FxHashSet};
use pleach_concolic::ir::{FunctionId, Module, Pc};
use std::collections::{BTreeMap, BTreeSet};

use crate::profile::{Node, reached};

/// The program itself, which calls what no function of its own calls.
pub(crate) const MAIN: Node = 0;

/// Numbers of the program's own functions.
#[derive(Debug)]
pub(crate) struct Functions {
    nodes: FxHashMap<FunctionId, Node>,
    /// The last number that was given.
    last: Node,
}

impl Functions {
    /// Instances of one definition have the same number.
    pub(crate) fn new(module: &Module, own: &[FunctionId]) -> Functions {
        let mut known: FxHashMap<(String, u32, u32), Node> = FxHashMap::default();
        let mut functions = Functions { nodes: FxHashMap::default(), last: MAIN };
        for &function in own {
            let Some(place) = module.definition(function) else { continue };
            let definition = (place.path().display().to_string(), place.line, place.column);
            let node = *known.entry(definition).or_insert_with(|| {
                functions.last += 1;
                functions.last
            });
            functions.nodes.insert(function, node);
        }
        functions
    }

    /// A function's number; none if it is not one of the program's own.
    pub(crate) fn node(&self, function: FunctionId) -> Option<Node> {
        self.nodes.get(&function).copied()
    }

    /// The functions of which this is so for their numbers.
    pub(crate) fn all(&self, is: impl Fn(Node) -> bool) -> Vec<FunctionId> {
        let mut all: Vec<FunctionId> = self
            .nodes
            .iter()
            .filter(|&(_, &node)| is(node))
            .map(|(&function, _)| function)
            .collect();
        all.sort_unstable();
        all
    }

    /// The calls of a run between functions of the program's own.
    pub(crate) fn calls(
        &self,
        module: &Module,
        calls: &FxHashSet<(Pc, FunctionId)>,
    ) -> Vec<(Node, Node)> {
        let mut all: BTreeMap<FunctionId, BTreeSet<FunctionId>> = BTreeMap::new();
        let mut called = BTreeSet::new();
        for &(at, callee) in calls {
            called.insert(callee);
            if let Some(caller) = module.function_at(at).filter(|_| module.is_call(at)) {
                all.entry(caller).or_default().insert(callee);
            }
        }
        let is_foreign = |function| self.node(function).is_none();
        let mut own = Vec::new();
        for &from in all.keys() {
            let node = match self.node(from) {
                Some(node) => node,
                // What nothing has called is where the program begins.
                None if !called.contains(&from) => MAIN,
                None => continue,
            };
            for to in reached(&all, from, is_foreign) {
                own.extend(self.node(to).map(|to| (node, to)));
            }
            if node != MAIN && !called.contains(&from) {
                own.push((MAIN, node));
            }
        }
        own
    }
}
