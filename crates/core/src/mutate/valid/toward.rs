//! A subtree is grown anew so that it covers a k-path.

use crate::entropy::Entropy;
use crate::kpath::{Coverage, Feasibility};
use crate::mutate::Mutator;
use crate::mutate::capabilities::{Capabilities, Mask, VARIED};
use crate::mutate::work::Work;
use crate::table::{RuleId, SymbolKind};

/// Regrows a subtree along a k-path that the caller's coverage lacks.
///
/// The nodes of a path have a shortest chain of references from the root to them. Where the tree has
/// a node of a rule on that chain, the nearest to the path's beginning, what is under it is grown
/// along the rest of the chain and the path; all else is random. Without a coverage, and with one
/// that lacks nothing, it does nothing.
pub(in crate::mutate) struct Toward;

/// How many ranks are looked at for one that is not covered.
const RANKS: u32 = 1 << 16;

/// Nodes of the subtree beyond the smallest, after which it is closed off its way.
const NODES: u64 = 64;

impl Mutator for Toward {
    fn needs(&self) -> Mask {
        VARIED
    }

    #[pleach_unhooked::unhooked]
    fn mutate(&self, work: &mut Work<'_, '_>) -> bool {
        let Some(coverage) = work.coverage else { return false };
        let Some(rank) = uncovered(coverage, work.random) else { return false };
        coverage.index().walk(rank, &mut work.memory.walk);
        let depth = work.room.depth;
        let feasibility =
            work.feasibility.get_or_insert_with(|| Feasibility::new(work.table, depth));
        let (walk, chain) = (&work.memory.walk, &mut work.memory.chain);
        let Some(&first) = walk.first() else { return false };
        if feasibility.depth(first).is_none() {
            return false;
        }
        feasibility.route(first, chain);
        let begin = chain.len() - 1;
        chain.extend_from_slice(&walk[1..]);
        let (node, done) = nearest(work, begin);
        work.base.descend(node, &mut work.memory.path);
        let request = work.request(node, NODES);
        let chain = &work.memory.chain[done..];
        work.generator.grow_along(&request, chain, work.random, &mut work.memory.fresh.tree)
            && work.plant(node)
    }
}

/// A goal that is not covered: the first after a random one.
fn uncovered(coverage: &Coverage, random: &mut impl Entropy) -> Option<u32> {
    let goals = coverage.index().goals();
    let start = goals.start + random.below(goals.len() as u64) as u32;
    coverage.uncovered_near(start, RANKS)
}

/// A node whose rule is that of the furthest reference of the chain before `begin`, and how much of
/// the chain leads to it; the root where there is none.
fn nearest(work: &mut Work<'_, '_>, begin: usize) -> (usize, usize) {
    let base = work.base;
    let rules = work.capabilities.rules_of(base);
    let start = work.random.index(base.end(0));
    for (done, &occurrence) in work.memory.chain[..begin].iter().enumerate().rev() {
        let Some(rule) = work.table.target(occurrence).map(RuleId::get) else { continue };
        if !Capabilities::may_have(rules, rule) {
            continue;
        }
        let is_reference =
            |at: usize| matches!(base.nodes[at].symbol.kind(), SymbolKind::Reference(_));
        if let Some(found) = work.capabilities.find_rule(base, start, rule, is_reference) {
            return (found, done + 1);
        }
    }
    (0, 0)
}
