//! A subtree is put inside another of the same rule.

use crate::mutate::Mutator;
use crate::mutate::capabilities::{Mask, RECURSIVE};
use crate::mutate::work::Work;
use crate::mutate::wrap::{Frame, wrap};
use crate::tree::TreeRef;

/// Puts a subtree that contains its own rule around the old one: `1` becomes `(1 + 2)`. It is a small one
/// that is grown, or one of the pool.
pub(in crate::mutate) struct Nest;

/// How many subtrees are grown for one that contains its rule, and then drawn from the pool.
const TRIES: [usize; 2] = [2, 8];

/// Nodes of the grown part beyond the smallest, after which it is closed.
const NODES: u64 = 16;

impl Mutator for Nest {
    fn needs(&self) -> Mask {
        RECURSIVE
    }

    #[pleach_unhooked::unhooked]
    fn mutate(&self, work: &mut Work<'_, '_>) -> bool {
        let Some(node) = work.pick(RECURSIVE) else { return false };
        let request = work.request(node, NODES);
        let [grown, drawn] = TRIES;
        for _ in 0..grown {
            if !work.grow(&request) {
                break;
            }
            // Out of the memory that is needed for the paths.
            let mut fresh = std::mem::take(&mut work.memory.fresh);
            fresh.measure(work.table);
            let done = around(work, node, fresh.as_ref());
            work.memory.fresh = fresh;
            if done {
                return true;
            }
        }
        let (pool, table) = (work.pool, work.table);
        (0..drawn).any(|_| {
            let drawn = work.rule(node).and_then(|rule| pool.draw(table, rule, work.random));
            drawn.is_some_and(|drawn| around(work, node, drawn))
        })
    }
}

/// Puts another subtree of its rule in the place of the last node of the path, and that node's subtree
/// inside it; false where the rule is not in there, or the whole would be too large.
#[pleach_unhooked::unhooked]
fn around(work: &mut Work<'_, '_>, node: usize, new: TreeRef<'_>) -> bool {
    let rule = work.capabilities.rule(work.base.nodes[node].symbol);
    let start = work.random.index(new.nodes.len());
    let found = work.capabilities.find_rule(new, start, rule, |at| at > 0);
    let Some(inner) = found else { return false };
    let frame = Frame { tree: new, outer: 0, inner };
    let fits = work.fits_wrapped(frame, 1);
    if fits {
        wrap(work.base, frame, 1, work.memory, work.out);
    }
    fits
}
