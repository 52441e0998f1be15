//! Two elements of a repetition change places.

use crate::mutate::Mutator;
use crate::mutate::edit::Edit;
use crate::mutate::traits::{LIST, Mask};
use crate::mutate::work::{Memory, Work};

/// Lets two elements of a repetition that differ change places.
pub(in crate::mutate) struct Exchange;

const TRIES: usize = 3;

impl Mutator for Exchange {
    fn name(&self) -> &'static str {
        "exchange"
    }

    fn weight(&self) -> u32 {
        2
    }

    fn needs(&self) -> Mask {
        LIST
    }

    fn mutate(&self, work: &mut Work<'_, '_>) -> bool {
        (0..TRIES).any(|_| exchange(work))
    }
}

fn exchange(work: &mut Work<'_, '_>) -> bool {
    let Some(node) = work.pick(LIST) else { return false };
    let count = work.base.nodes[node].choice as usize;
    if count < 2 {
        return false;
    }
    work.list(node);
    let first = work.words.index(count - 1);
    let second = first + 1 + work.words.index(count - 1 - first);
    let (left, left_text) = work.run(first, first + 1);
    let (right, right_text) = work.run(second, second + 1);
    let text = work.base.text;
    if text[left_text.0..left_text.1] == text[right_text.0..right_text.1] {
        return false;
    }
    let Memory { seams, .. } = &mut *work.memory;
    let mut edit = Edit::new(work.base, work.out, seams);
    edit.keep(left.0);
    edit.graft(work.base, right, right_text);
    edit.skip(left.1);
    edit.keep(right.0);
    edit.graft(work.base, left, left_text);
    edit.skip(right.1);
    edit.finish(&[]);
    true
}
