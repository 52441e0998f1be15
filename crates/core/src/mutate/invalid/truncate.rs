//! The end is cut off.

use super::{leaf, write};
use crate::mutate::Mutator;
use crate::mutate::work::Work;

/// Cuts the text off before a leaf, or inside it.
pub(in crate::mutate) struct Truncate;

impl Mutator for Truncate {
    #[pleach_unhooked::unhooked]
    fn mutate(&self, work: &mut Work<'_, '_>) -> bool {
        let Some((from, to)) = leaf(work) else { return false };
        let at = if work.random.once_in(2) { from } else { from + work.random.index(to - from) };
        // Half of the cuts are in the last quarter: what is read in vain costs an execution, too.
        let text = work.base.text;
        let at = if work.random.once_in(2) { text.len() - 1 - at / 4 } else { at };
        write(work, (at.min(text.len()), text.len()), &[])
    }
}
