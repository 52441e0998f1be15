//! A subtree takes the place of one that it stands in.

use crate::mutate::Mutator;
use crate::mutate::capabilities::{Mask, RECURSIVE};
use crate::mutate::edit::Edit;
use crate::mutate::work::{Memory, Work};

/// Puts a subtree in the place of one of the same rule above it: `((1))` becomes `(1)`.
pub(in crate::mutate) struct Hoist;

impl Mutator for Hoist {
    fn needs(&self) -> Mask {
        RECURSIVE
    }

    #[pleach_unhooked::unhooked]
    fn mutate(&self, work: &mut Work<'_, '_>) -> bool {
        let Some((upper, lower)) = work.pick_nested(RECURSIVE) else { return false };
        let base = work.base;
        let Memory { path, seams, .. } = &mut *work.memory;
        let (outer, inner) = (path[upper] as usize, path[lower] as usize);
        let mut edit = Edit::new(base, work.out, seams);
        edit.keep(outer);
        let offset = edit.offset() + crate::tree::width(&base.nodes[outer..inner]);
        edit.graft_as(base.nodes[outer].symbol, base, inner, offset);
        edit.skip(base.end(outer));
        edit.finish(&path[..upper]);
        work.out.text().len() != base.text.len()
    }
}
