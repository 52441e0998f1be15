//! A subtree of another tree takes the place of one of the same rule.

use crate::mutate::Mutator;
use crate::mutate::capabilities::{Mask, SHARED};
use crate::mutate::edit::Edit;
use crate::mutate::work::{Memory, Work};
use crate::tree::TreeRef;

/// Puts a subtree of the donor, or of the pool, in the place of one of the same rule. With a donor,
/// three in four are of the donor.
pub(in crate::mutate) struct Splice;

const TRIES: usize = 4;

impl Mutator for Splice {
    fn needs(&self) -> Mask {
        SHARED
    }

    #[pleach_unhooked::unhooked]
    fn mutate(&self, work: &mut Work<'_, '_>) -> bool {
        (0..TRIES).any(|_| match work.donor {
            Some(donor) if !work.random.once_in(4) => from_donor(work, donor),
            _ => from_pool(work),
        })
    }
}

fn from_pool(work: &mut Work<'_, '_>) -> bool {
    let Some(node) = work.pick(SHARED) else { return false };
    let pool = work.pool;
    let drawn = work.rule(node).and_then(|rule| pool.draw(work.table, rule, work.random));
    drawn.is_some_and(|drawn| graft(work, node, drawn, 0))
}

/// A random node of the donor is taken for a node of its rule, so that rules are met as often as the
/// donor has them.
fn from_donor(work: &mut Work<'_, '_>, donor: TreeRef<'_>) -> bool {
    let Some(node) = work.pick(SHARED) else { return false };
    let rule = work.capabilities.rule(work.base.nodes[node].symbol);
    let start = work.random.index(donor.end(0));
    let found = work.capabilities.find_rule(donor, start, rule, |_| true);
    found.is_some_and(|at| graft(work, node, donor, at))
}

/// Puts the subtree of a node of another tree in the place of the last node of the path.
#[pleach_unhooked::unhooked]
fn graft(work: &mut Work<'_, '_>, node: usize, from: TreeRef<'_>, at: usize) -> bool {
    let height = work.height();
    let end = from.end(at);
    let offset = from.offset(at);
    let bytes = crate::tree::width(&from.nodes[at..end]);
    if !work.fits((end - at, bytes), work.cost(node)) || !work.fits_height(from, at, height) {
        return false;
    }
    let Memory { path, seams, .. } = &mut *work.memory;
    let mut edit = Edit::new(work.base, work.out, seams);
    edit.keep(node);
    let start = edit.offset();
    edit.graft_as(work.base.nodes[node].symbol, from, at, offset);
    edit.skip(work.base.end(node));
    if work.base.text[start..edit.offset()] == from.text[offset..offset + bytes] {
        return false;
    }
    edit.finish(path.split_last().map_or(&[], |(_, above)| above));
    true
}
