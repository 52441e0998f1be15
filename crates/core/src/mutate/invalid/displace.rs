//! Cross-rule substitution: a subtree stands where one of another kind did.

use super::{subtree, write};
use crate::mutate::Mutator;
use crate::mutate::work::Work;

/// Puts the text of a subtree in the place of one that stands for something else.
pub(in crate::mutate) struct Displace;

const TRIES: usize = 4;

impl Mutator for Displace {
    #[pleach_unhooked::unhooked]
    fn mutate(&self, work: &mut Work<'_, '_>) -> bool {
        (0..TRIES).any(|_| {
            let (symbol, to) = subtree(work);
            let (other, from) = subtree(work);
            let text = work.base.text;
            // Of what is the whole text nothing else is left.
            let is_whole = to.1 - to.0 == text.len() || from.1 - from.0 == text.len();
            symbol != other
                && !is_whole
                && text[to.0..to.1] != text[from.0..from.1]
                && write(work, to, &[&text[from.0..from.1]])
        })
    }
}
