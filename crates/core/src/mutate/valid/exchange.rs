//! Two elements of a repetition change places.

use crate::mutate::Mutator;
use crate::mutate::capabilities::{LIST, Mask};
use crate::mutate::edit::Edit;
use crate::mutate::work::{Memory, Work};

/// Lets two elements of a repetition that differ change places.
pub(in crate::mutate) struct Exchange;

const TRIES: usize = 3;

impl Mutator for Exchange {
    fn needs(&self) -> Mask {
        LIST
    }

    #[pleach_unhooked::unhooked]
    fn mutate(&self, work: &mut Work<'_, '_>) -> bool {
        (0..TRIES).any(|_| exchange(work))
    }
}

fn exchange(work: &mut Work<'_, '_>) -> bool {
    let Some(node) = work.pick_where(LIST, |node| node.choice > 1) else { return false };
    let count = work.base.nodes[node].choice as usize;
    work.list(node);
    let first = work.random.index(count - 1);
    let second = first + 1 + work.random.index(count - 1 - first);
    let (left, right) = (work.run(first, first + 1), work.run(second, second + 1));
    let text = work.base.text;
    if text[left.text.0..left.text.1] == text[right.text.0..right.text.1] {
        return false;
    }
    let Memory { seams, .. } = &mut *work.memory;
    let mut edit = Edit::new(work.base, work.out, seams);
    edit.keep(left.nodes.0);
    edit.graft(work.base, right.nodes, right.text);
    edit.skip(left.nodes.1);
    edit.keep(right.nodes.0);
    edit.graft(work.base, left.nodes, left.text);
    edit.skip(right.nodes.1);
    edit.finish(&[]);
    true
}
