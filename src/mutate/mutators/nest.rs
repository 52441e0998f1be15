//! A subtree is put inside a fresh one of the same rule.

use crate::mutate::Mutator;
use crate::mutate::edit::Edit;
use crate::mutate::traits::{Mask, RECURSIVE};
use crate::mutate::work::{Memory, Work};
use crate::table::SymbolKind;
use crate::tree::width;

/// Grows a subtree that contains its own rule, and puts it around the old one: `1` becomes `(1 + 2)`.
pub(in crate::mutate) struct Nest;

/// How many subtrees are grown for one that contains its rule.
const TRIES: usize = 8;

/// Nodes of the new part beyond the smallest, after which it is closed.
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

    fn mutate(&self, work: &mut Work<'_, '_>) -> bool {
        let Some(node) = work.pick(RECURSIVE) else { return false };
        let plot = work.plot(node, NODES);
        (0..TRIES).any(|_| {
            work.grower.grow(&plot, work.words, &mut work.memory.fresh.tree) && around(work, node)
        })
    }
}

/// Puts the fresh subtree in the place of the last node of the path, and that node's subtree inside
/// it; false where it does not contain the rule, or the whole would be too large.
fn around(work: &mut Work<'_, '_>, node: usize) -> bool {
    let base = work.base;
    let Memory { fresh, other, .. } = &mut *work.memory;
    fresh.measure(work.table);
    let new = fresh.as_ref();
    let count = new.nodes.len();
    let rule = work.traits.rule(base.nodes[node].symbol);
    let start = work.words.index(count);
    let is_one = |&at: &usize| at > 0 && work.traits.rule(new.nodes[at].symbol) == rule;
    let Some(inner) = (start..count).chain(0..start).find(is_one) else { return false };
    new.descend(inner, other);
    let is_reference =
        |&&at: &&u32| matches!(new.nodes[at as usize].symbol.kind(), SymbolKind::Reference(_));
    let deeper = other[..other.len() - 1].iter().filter(is_reference).count() as u32;
    let inner_end = new.end(inner);
    let (start, gone) = (new.offset(inner), width(&new.nodes[inner..inner_end]));
    let more = (count - (inner_end - inner), new.text().len() - gone);
    let height = work.height().saturating_sub(deeper);
    if more.1 == 0 || !work.fits(more, (0, 0)) || !work.fits_height(base, node, height) {
        return false;
    }
    let Memory { fresh, other, path, seams, .. } = &mut *work.memory;
    let (new, end) = (fresh.as_ref(), base.end(node));
    let mut edit = Edit::new(base, work.out, seams);
    edit.keep(node);
    let root = edit.len();
    edit.graft(new, (0, inner), (0, start));
    edit.graft_as(new.nodes[inner].symbol, base, node, edit.offset());
    edit.graft(new, (inner_end, count), (start + gone, new.text().len()));
    edit.skip(end);
    for at in &mut *other {
        *at += root as u32;
    }
    let by = (end - node) as isize - (inner_end - inner) as isize;
    edit.resize(&other[..other.len() - 1], by);
    edit.finish(path.split_last().map_or(&[], |(_, above)| above));
    true
}
