//! What runs have done so far: the edges they took, for which place of the program, and how often in a run.

use super::queue::Class;
use crate::path::Kind;
use crate::subject::Run;
use fxhash::{FxHashMap, FxHashSet};
use pleach_concolic::ir::Pc;

/// What was taken in any run.
#[derive(Debug)]
pub(super) struct Taken {
    /// A bit for each edge of the control flow.
    pub(super) edges: Vec<u64>,
    /// The edges that runs decided to take by their inputs, with the innermost place outside of the standard library,
    /// and the binary logarithm of how often one run did.
    decided: FxHashSet<(u32, Option<Pc>, u32)>,
}

impl Taken {
    /// Nothing, of so many edges.
    pub(super) fn new(edges: u32) -> Taken {
        Taken { edges: vec![0; (edges as usize).div_ceil(64)], decided: FxHashSet::default() }
    }

    /// Adds a run: how many edges it was the first to take, and whether it took one from a place or as often as none before.
    pub(super) fn add(&mut self, run: &Run) -> (u64, bool) {
        let mut new = 0;
        for (known, &taken) in self.edges.iter_mut().zip(&run.trail.edges) {
            new += u64::from((taken & !*known).count_ones());
            *known |= taken;
        }
        let mut times: FxHashMap<(u32, Option<Pc>), u32> = FxHashMap::default();
        let mut fresh = new > 0;
        for decision in &run.trail.decisions {
            let Kind::Edge(edge) = decision.kind else { continue };
            let times = times.entry((edge, Some(decision.from))).or_default();
            *times += 1;
            if times.is_power_of_two() {
                fresh |= self.decided.insert((edge, Some(decision.from), times.ilog2()));
            }
        }
        (new, fresh)
    }

    pub(super) fn is_taken(&self, edge: u32) -> bool {
        super::report::is_set(&self.edges, edge)
    }

    /// How new it would be to take an edge for a place, or to have another value if there is no edge.
    pub(super) fn class(&self, edge: Option<u32>, from: Option<Pc>) -> Class {
        match edge {
            None => Class::Pinned,
            Some(edge) if !self.is_taken(edge) => Class::New,
            Some(edge) if !self.decided.contains(&(edge, from, 0)) => Class::Called,
            Some(_) => Class::Known,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::path::Decision;
    use crate::symbolic::Trail;
    use pleach_concolic::ir::Module;
    use pleach_concolic::vm::Outcome;
    use pleach_solver::Terms;

    const TEXT: &str = "define i32 @entry(i1 %a) {
start:
  br i1 %a, label %x, label %y
x:
  ret i32 0
y:
  ret i32 1
}
";

    /// A run that took edge 0 so many times for each place.
    fn run(decided: &[(Pc, usize)]) -> Run {
        let holds = Terms::new(10).constant(1, 1);
        let decision = |at: Pc| Decision {
            at,
            kind: Kind::Edge(0),
            holds,
            value: holds,
            context: 0,
            from: at,
        };
        let times = |&(at, times): &(Pc, usize)| std::iter::repeat_n(decision(at), times);
        let decisions = decided.iter().flat_map(times).collect();
        let trail = Trail { decisions, edges: vec![1], ..Trail::default() };
        Run { outcome: Outcome::Exit(0), steps: 1, trail, place: None }
    }

    #[test]
    fn an_edge_is_new_once_and_then_for_each_place_that_it_was_not_decided_for() {
        let module = Module::read(TEXT).unwrap();
        let mut pcs = module.functions().flat_map(|id| module.pcs(id));
        let (one, other) = (pcs.next().unwrap(), pcs.next().unwrap());
        let mut taken = Taken::new(2);
        assert_eq!(taken.class(Some(0), Some(one)), Class::New);
        assert_eq!(taken.add(&run(&[(one, 1)])), (1, true));
        assert_eq!(taken.class(Some(0), Some(one)), Class::Known);
        assert_eq!(taken.class(Some(0), Some(other)), Class::Called);
        assert_eq!(taken.class(Some(1), Some(one)), Class::New);
        assert_eq!(taken.class(None, Some(one)), Class::Pinned);
        assert_eq!(taken.add(&run(&[(other, 1)])), (0, true));
        assert_eq!(taken.class(Some(0), Some(other)), Class::Known);
        assert_eq!(taken.add(&run(&[(one, 1), (other, 1)])), (0, false));
    }

    #[test]
    fn to_take_an_edge_twice_as_often_in_a_run_is_fresh() {
        let module = Module::read(TEXT).unwrap();
        let at = module.functions().flat_map(|id| module.pcs(id)).next().unwrap();
        let mut taken = Taken::new(2);
        let mut fresh = |times: usize| taken.add(&run(&[(at, times)])).1;
        assert_eq!(
            [1, 1, 2, 3, 4, 7, 8].map(&mut fresh),
            [true, false, true, false, true, false, true]
        );
    }
}
