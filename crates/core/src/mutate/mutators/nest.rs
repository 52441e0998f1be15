//! A subtree is put inside another of the same rule.

use crate::mutate::Mutator;
use crate::mutate::edit::Edit;
use crate::mutate::traits::{Mask, RECURSIVE};
use crate::mutate::work::{Memory, Work};
use crate::table::SymbolKind;
use crate::tree::{TreeRef, width};

/// Puts a subtree that contains its own rule around the old one: `1` becomes `(1 + 2)`. It is a small one
/// that is grown, or one of the pool.
pub(in crate::mutate) struct Nest;

/// How many subtrees are grown for one that contains its rule, and then drawn from the pool.
const TRIES: [usize; 2] = [2, 8];

/// Nodes of the grown part beyond the smallest, after which it is closed.
const NODES: u64 = 16;

impl Mutator for Nest {
    fn name(&self) -> &'static str {
        "nest"
    }

    fn weight(&self) -> u32 {
        3
    }

    fn needs(&self) -> Mask {
        RECURSIVE
    }

    #[pleach_unhooked::unhooked]
    fn mutate(&self, work: &mut Work<'_, '_>) -> bool {
        let Some(node) = work.pick(RECURSIVE) else { return false };
        let plot = work.plot(node, NODES);
        let [grown, drawn] = TRIES;
        for _ in 0..grown {
            if !work.grow(&plot) {
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
            let drawn = work.rule(node).and_then(|rule| pool.draw(table, rule, work.words));
            drawn.is_some_and(|drawn| around(work, node, drawn))
        })
    }
}

/// Puts another subtree of its rule in the place of the last node of the path, and that node's subtree
/// inside it; false where the rule is not in there, or the whole would be too large.
#[pleach_unhooked::unhooked]
fn around(work: &mut Work<'_, '_>, node: usize, new: TreeRef<'_>) -> bool {
    let base = work.base;
    let count = new.nodes.len();
    let rule = work.traits.rule(base.nodes[node].symbol);
    let start = work.words.index(count);
    let found = work.traits.find_rule(new, start, rule, |at| at > 0);
    let Some(inner) = found else { return false };
    new.descend(inner, &mut work.memory.other);
    let is_reference =
        |&&at: &&u32| matches!(new.nodes[at as usize].symbol.kind(), SymbolKind::Reference(_));
    let above = work.memory.other.len() - 1;
    let deeper = work.memory.other[..above].iter().filter(is_reference).count() as u32;
    let inner_end = new.end(inner);
    let (start, gone) = (new.offset(inner), width(&new.nodes[inner..inner_end]));
    let more = (count - (inner_end - inner), new.text.len() - gone);
    let height = work.height();
    if more.1 == 0
        || !work.fits(more, (0, 0))
        || !work.fits_height(new, 0, height)
        || !work.fits_height(base, node, height.saturating_sub(deeper))
    {
        return false;
    }
    let Memory { other, path, seams, .. } = &mut *work.memory;
    let end = base.end(node);
    let mut edit = Edit::new(base, work.out, seams);
    edit.keep(node);
    let root = edit.len();
    edit.graft(new, (0, inner), (0, start));
    edit.node_mut(root).symbol = base.nodes[node].symbol;
    edit.graft_as(new.nodes[inner].symbol, base, node, edit.offset());
    edit.graft(new, (inner_end, count), (start + gone, new.text.len()));
    edit.skip(end);
    for at in &mut *other {
        *at += root as u32;
    }
    let by = (end - node) as isize - (inner_end - inner) as isize;
    edit.resize(&other[..above], by);
    edit.finish(path.split_last().map_or(&[], |(_, above)| above));
    true
}
