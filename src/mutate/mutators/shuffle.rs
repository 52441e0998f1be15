//! Neighbours in a repetition are put in another order.

use crate::mutate::Mutator;
use crate::mutate::edit::Edit;
use crate::mutate::traits::{LIST, Mask};
use crate::mutate::work::{Memory, Work};

/// Shuffles up to 8 elements of a repetition that stand side by side.
pub(in crate::mutate) struct Shuffle;

const TRIES: usize = 3;
const WINDOW: usize = 8;

impl Mutator for Shuffle {
    fn name(&self) -> &'static str {
        "shuffle"
    }

    fn weight(&self) -> u32 {
        1
    }

    fn needs(&self) -> Mask {
        LIST
    }

    fn mutate(&self, work: &mut Work<'_, '_>) -> bool {
        (0..TRIES).any(|_| shuffle(work))
    }
}

fn shuffle(work: &mut Work<'_, '_>) -> bool {
    let Some(node) = work.pick(LIST) else { return false };
    let count = work.base.nodes[node].choice as usize;
    if count < 2 {
        return false;
    }
    work.list(node);
    let length = 2 + work.words.index(count.min(WINDOW) - 1);
    let first = work.words.index(count + 1 - length);
    let Memory { seams, elements, order, .. } = &mut *work.memory;
    order.clear();
    order.extend(first as u32..(first + length) as u32);
    for last in (1..length).rev() {
        order.swap(last, work.words.index(last + 1));
    }
    let run = |at: usize| {
        let (from, to) = (elements[at], elements[at + 1]);
        ((from.0 as usize, to.0 as usize), (from.1 as usize, to.1 as usize))
    };
    let mut edit = Edit::new(work.base, work.out, seams);
    edit.keep(run(first).0.0);
    for &at in order.iter() {
        let (nodes, text) = run(at as usize);
        edit.graft(work.base, nodes, text);
    }
    edit.skip(run(first + length - 1).0.1);
    edit.finish(&[]);
    true
}
