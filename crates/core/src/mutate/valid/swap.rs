//! Two subtrees of one rule change places.

use crate::mutate::Mutator;
use crate::mutate::capabilities::{Mask, SHARED};
use crate::mutate::edit::Edit;
use crate::mutate::work::{Memory, Work};

/// Lets two subtrees of one rule, of which neither stands in the other, change places.
pub(in crate::mutate) struct Swap;

const TRIES: usize = 4;

impl Mutator for Swap {
    fn needs(&self) -> Mask {
        SHARED
    }

    #[pleach_unhooked::unhooked]
    fn mutate(&self, work: &mut Work<'_, '_>) -> bool {
        (0..TRIES).any(|_| swap(work))
    }
}

fn swap(work: &mut Work<'_, '_>) -> bool {
    let Some(one) = work.pick(SHARED) else { return false };
    let base = work.base;
    let rule = work.capabilities.rule(base.nodes[one].symbol);
    let start = work.random.index(base.end(0));
    let apart = |at| base.end(at) <= one || base.end(one) <= at;
    let Some(other) = work.capabilities.find_rule(base, start, rule, apart) else { return false };
    let height = work.height();
    if !work.fits_height(base, other, height) {
        return false;
    }
    std::mem::swap(&mut work.memory.path, &mut work.memory.other);
    base.descend(other, &mut work.memory.path);
    let height = work.height();
    if !work.fits_height(base, one, height) {
        return false;
    }
    let Memory { path, other: other_path, seams, .. } = &mut *work.memory;
    let (first_path, last_path, first, last) =
        if one < other { (other_path, path, one, other) } else { (path, other_path, other, one) };
    let mut edit = Edit::new(base, work.out, seams);
    edit.keep(first);
    let start = edit.offset();
    let between = crate::tree::width(&base.nodes[first..last]);
    edit.graft_as(base.nodes[first].symbol, base, last, start + between);
    edit.skip(base.end(first));
    let end = edit.offset();
    edit.keep(last);
    edit.graft_as(base.nodes[last].symbol, base, first, start);
    edit.skip(base.end(last));
    if base.text[start..end] == base.text[start + between..edit.offset()] {
        return false;
    }
    // The nodes above both keep their sizes, for what one loses the other gains.
    let by = base.sizes[last] as isize - base.sizes[first] as isize;
    let common = first_path.iter().zip(&*last_path).take_while(|(one, other)| one == other).count();
    edit.resize(&first_path[common..first_path.len() - 1], by);
    // Those above the later one alone stand behind the earlier one.
    let above = last_path.len() - 1;
    for node in &mut last_path[common..above] {
        *node = node.wrapping_add_signed(by as i32);
    }
    edit.resize(&last_path[common..above], -by);
    edit.finish(&[]);
    true
}
