//! Duplicate token: a token comes twice.

use super::{leaf, write};
use crate::mutate::Mutator;
use crate::mutate::work::Work;

/// Writes a leaf twice, or up to 16 times.
pub(in crate::mutate) struct Stammer;

impl Mutator for Stammer {
    #[pleach_unhooked::unhooked]
    fn mutate(&self, work: &mut Work<'_, '_>) -> bool {
        let Some((from, to)) = leaf(work) else { return false };
        let more = if work.random.once_in(2) { 1 } else { 1 + work.random.index(15) };
        let text = work.base.text;
        write(work, (from, from), &[&text[from..to]; 15][..more])
    }
}
