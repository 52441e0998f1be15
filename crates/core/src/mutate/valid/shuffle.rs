//! Neighbours in a repetition are put in another order.

use crate::mutate::Mutator;
use crate::mutate::capabilities::{LIST, Mask};
use crate::mutate::edit::Edit;
use crate::mutate::work::{Memory, Run, Work};
use crate::tree::width;

/// Shuffles up to 8 elements of a repetition that stand side by side.
pub(in crate::mutate) struct Shuffle;

const TRIES: usize = 3;
const WINDOW: usize = 8;

impl Mutator for Shuffle {
    fn needs(&self) -> Mask {
        LIST
    }

    #[pleach_unhooked::unhooked]
    fn mutate(&self, work: &mut Work<'_, '_>) -> bool {
        (0..TRIES).any(|_| shuffle(work))
    }
}

fn shuffle(work: &mut Work<'_, '_>) -> bool {
    let Some(node) = work.pick_where(LIST, |node| node.choice > 1) else { return false };
    let count = work.base.nodes[node].choice as usize;
    work.list(node);
    let length = 2 + work.random.index(count.min(WINDOW) - 1);
    let first = work.random.index(count + 1 - length);
    let mut runs = [work.run(first, first); WINDOW];
    for at in 0..length {
        let from = if at == 0 { runs[0].text.1 } else { runs[at - 1].text.1 };
        let elements = &work.memory.elements;
        let nodes = (elements[first + at] as usize, elements[first + at + 1] as usize);
        let text = (from, from + width(&work.base.nodes[nodes.0..nodes.1]));
        runs[at] = Run { nodes, text };
    }
    let (start, end) = (runs[0].nodes.0, runs[length - 1].nodes.1);
    for last in (1..length).rev() {
        runs.swap(last, work.random.index(last + 1));
    }
    let Memory { seams, .. } = &mut *work.memory;
    let mut edit = Edit::new(work.base, work.out, seams);
    edit.keep(start);
    for run in &runs[..length] {
        edit.graft(work.base, run.nodes, run.text);
    }
    edit.skip(end);
    edit.finish(&[]);
    true
}
