//! A recursion is repeated, and does not come to its end.

use crate::mutate::Mutator;
use crate::mutate::capabilities::{Mask, RECURSIVE};
use crate::mutate::valid::{deepen, open};
use crate::mutate::work::Work;

/// Repeats what a recursion has before itself as often as there is room, or half as often, and so on, and ends there. What
/// closes it takes no room then, so it is twice as deep.
pub(in crate::mutate) struct Plunge;

impl Mutator for Plunge {
    fn is_far(&self) -> bool {
        true
    }

    fn needs(&self) -> Mask {
        RECURSIVE
    }

    #[pleach_unhooked::unhooked]
    fn mutate(&self, work: &mut Work<'_, '_>) -> bool {
        deepen(work, open)
    }
}
