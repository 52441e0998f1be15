//! Call profiles: which functions call which in the runs of a program, and how much two functions have to do with each other.
//!
//! Of each run there is the set of calls that were made, from function to function. The relevance of two functions is how often
//! they occur in the same run with one calling the other, directly or through others, as a part of the runs in which
//! each occurs at all: r(f, g) = (w / z(f) + w / z(g)) / 2. An extended unit is a function with those that it leads to and that are
//! among the most relevant to it.

use fxhash::FxHashMap;
use std::collections::{BTreeMap, BTreeSet};

/// A function, by a number that the caller has given it.
pub type Node = u32;

/// The call statistics of a program's runs, from which relevance of functions follows.
#[derive(Clone, Debug, Default)]
pub struct Profiles {
    runs: u64,
    /// In how many runs each function occurs.
    occurs: BTreeMap<Node, u64>,
    /// In how many runs one of two functions calls the other, directly or through others; the smaller number is first.
    together: FxHashMap<(Node, Node), u64>,
    /// All calls of all runs.
    calls: BTreeMap<Node, BTreeSet<Node>>,
}

impl Profiles {
    /// Adds a run: its calls, each once or more, from caller to callee.
    pub fn add(&mut self, calls: impl IntoIterator<Item = (Node, Node)>) {
        self.runs += 1;
        let mut run: BTreeMap<Node, BTreeSet<Node>> = BTreeMap::new();
        for (caller, callee) in calls {
            run.entry(caller).or_default().insert(callee);
            run.entry(callee).or_default();
            self.calls.entry(caller).or_default().insert(callee);
        }
        // By their order, as a large program has some hundred functions in reach of each of some thousand.
        let nodes: Vec<Node> = run.keys().copied().collect();
        let place = |node: &Node| nodes.binary_search(node).ok();
        let callees: Vec<Vec<usize>> =
            run.values().map(|callees| callees.iter().filter_map(place).collect()).collect();
        let mut reached_from = vec![usize::MAX; nodes.len()];
        let mut pairs: Vec<(Node, Node)> = Vec::new();
        let mut open = Vec::new();
        for (from, &node) in nodes.iter().enumerate() {
            *self.occurs.entry(node).or_default() += 1;
            open.push(from);
            while let Some(at) = open.pop() {
                for &callee in &callees[at] {
                    if std::mem::replace(&mut reached_from[callee], from) != from {
                        open.push(callee);
                        let other = nodes[callee];
                        pairs
                            .extend((callee != from).then_some((node.min(other), node.max(other))));
                    }
                }
            }
        }
        // Two that call each other are one pair.
        pairs.sort_unstable();
        pairs.dedup();
        for pair in pairs {
            *self.together.entry(pair).or_default() += 1;
        }
    }

    /// How many runs there were.
    pub fn runs(&self) -> u64 {
        self.runs
    }

    /// The functions that occur.
    pub fn functions(&self) -> impl Iterator<Item = Node> + '_ {
        self.occurs.keys().copied()
    }

    /// Whether a function occurs in some run.
    pub fn occurs(&self, function: Node) -> bool {
        self.occurs.contains_key(&function)
    }

    /// How relevant two functions are to each other: 0 to 1.
    pub fn relevance(&self, f: Node, g: Node) -> f64 {
        let Some(&both) = self.together.get(&(f.min(g), f.max(g))) else { return 0.0 };
        let part = |function| both as f64 / self.occurs[&function] as f64;
        (part(f) + part(g)) / 2.0
    }

    /// The functions that one calls itself.
    pub(crate) fn callees(&self, from: Node) -> impl Iterator<Item = Node> + '_ {
        self.calls.get(&from).into_iter().flatten().copied()
    }

    /// The functions that call one, directly or through functions that do not count.
    pub(crate) fn callers(&self, of: Node, counts: impl Fn(Node) -> bool) -> BTreeSet<Node> {
        let mut callers: BTreeMap<Node, BTreeSet<Node>> = BTreeMap::new();
        for (&from, callees) in &self.calls {
            for &callee in callees {
                callers.entry(callee).or_default().insert(from);
            }
        }
        reached(&callers, of, |it| !counts(it))
    }

    /// The extended unit of each function that occurs: of all pairs of which one calls the other, the most relevant ones count, so many in
    /// 100, and those that are as relevant as the last of these.
    pub fn extended(&self, percent: u32) -> BTreeMap<Node, BTreeSet<Node>> {
        let mut all: Vec<f64> = self.together.keys().map(|&(f, g)| self.relevance(f, g)).collect();
        all.sort_by(|a, b| b.total_cmp(a));
        let counted = (all.len() * percent.min(100) as usize).div_ceil(100);
        let least = counted.checked_sub(1).and_then(|last| all.get(last));
        let least = least.copied().unwrap_or(f64::INFINITY);
        let extended = |from| {
            let mut unit = reached(&self.calls, from, |_| true);
            unit.retain(|&to| self.relevance(from, to) >= least);
            unit.insert(from);
            (from, unit)
        };
        self.functions().map(extended).collect()
    }

    /// Puts functions that are drawn at random in place of those of extended units, as many, out of all that a function calls directly
    /// or through others. What is drawn with is given a limit, which is not 0, and gives a number below it.
    pub fn redraw(
        &self,
        extended: &mut BTreeMap<Node, BTreeSet<Node>>,
        below: &mut dyn FnMut(usize) -> usize,
    ) {
        for (&from, unit) in extended {
            let mut all: Vec<Node> = reached(&self.calls, from, |_| true).into_iter().collect();
            all.retain(|&to| to != from);
            let wanted = unit.len() - 1;
            *unit = BTreeSet::from([from]);
            while unit.len() <= wanted && !all.is_empty() {
                unit.insert(all.swap_remove(below(all.len())));
            }
        }
    }
}

/// What is called from a function on, directly or through others; what does not go on is reached and not gone through.
pub(crate) fn reached<T: Copy + Ord>(
    calls: &BTreeMap<T, BTreeSet<T>>,
    from: T,
    goes_on: impl Fn(T) -> bool,
) -> BTreeSet<T> {
    let mut found = BTreeSet::new();
    let mut open = vec![from];
    while let Some(function) = open.pop() {
        for &callee in calls.get(&function).into_iter().flatten() {
            if found.insert(callee) && goes_on(callee) {
                open.push(callee);
            }
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    const MAIN: Node = 0;

    /// Four runs of a program of main and ten functions.
    fn example() -> Profiles {
        let mut profiles = Profiles::default();
        profiles.add([(MAIN, 1), (1, 5), (5, 7)]);
        profiles.add([(MAIN, 1), (1, 5), (5, 8), (8, 9)]);
        profiles.add([(MAIN, 1), (1, 5), (5, 7), (5, 8), (8, 9), (8, 10)]);
        profiles.add([(MAIN, 1), (1, 3), (3, 6), (6, 10)]);
        profiles
    }

    #[test]
    fn relevance_is_as_the_definition_says() {
        let profiles = example();
        let close = |f, g, is: f64| {
            assert!((profiles.relevance(f, g) - is).abs() < 1e-12, "{f} {g}");
            assert!((profiles.relevance(g, f) - is).abs() < 1e-12, "{g} {f}");
        };
        close(5, 7, (2.0 / 3.0 + 1.0) / 2.0);
        // One of the two runs with the tenth function calls it through the fifth.
        close(5, 10, (1.0 / 3.0 + 1.0 / 2.0) / 2.0);
        close(MAIN, 1, 1.0);
        close(3, 5, 0.0);
        assert_eq!(profiles.runs(), 4);
    }

    #[test]
    fn an_extended_unit_has_what_is_called_and_among_the_most_relevant() {
        let profiles = example();
        let all = profiles.extended(100);
        assert_eq!(all[&5], BTreeSet::from([5, 7, 8, 9, 10]));
        let none = profiles.extended(0);
        assert_eq!(none[&5], BTreeSet::from([5]));
        // The pairs that are always together are more than a fifth of all.
        let some = profiles.extended(20);
        assert_eq!(some[&8], BTreeSet::from([8, 9]));
        assert_eq!(some[&5], BTreeSet::from([5]));
        assert_eq!(some[&3], BTreeSet::from([3, 6]));
    }

    #[test]
    fn what_is_drawn_at_random_is_called_and_as_much_as_was_there() {
        let profiles = example();
        for percent in [0, 20, 100] {
            let extended = profiles.extended(percent);
            let all = profiles.extended(100);
            let (mut drawn, mut number) = (extended.clone(), 0);
            profiles.redraw(&mut drawn, &mut |limit| {
                number += 7;
                number % limit
            });
            for (from, unit) in &drawn {
                assert!(unit.contains(from) && unit.is_subset(&all[from]), "{from}: {unit:?}");
                assert_eq!(unit.len(), extended[from].len(), "{from}");
            }
            assert_eq!(drawn == extended, percent != 20);
        }
    }

    #[test]
    fn a_function_is_called_through_those_that_do_not_count() {
        let profiles = example();
        assert_eq!(profiles.callers(9, |it| it != 8), BTreeSet::from([5, 8]));
        assert_eq!(profiles.callers(9, |_| true), BTreeSet::from([8]));
        assert_eq!(profiles.callers(1, |_| false), BTreeSet::from([MAIN]));
    }

    #[test]
    fn recursion_ends() {
        let mut profiles = Profiles::default();
        profiles.add([(MAIN, 1), (1, 2), (2, 1), (2, 2)]);
        assert_eq!(profiles.extended(100)[&2], BTreeSet::from([1, 2]));
    }
}
