//! A recursion is repeated.

use crate::mutate::Mutator;
use crate::mutate::capabilities::{Mask, RECURSIVE};
use crate::mutate::work::Work;
use crate::mutate::wrap::wrap;

/// Repeats what stands between a node and one of the same rule above it: `(1)` becomes `((1))`, and
/// the whole stands there 2, 4, ... up to 256 times, as far as the budget allows.
pub(in crate::mutate) struct Recursion;

impl Mutator for Recursion {
    fn needs(&self) -> Mask {
        RECURSIVE
    }

    #[pleach_unhooked::unhooked]
    fn mutate(&self, work: &mut Work<'_, '_>) -> bool {
        let Some((upper, lower)) = work.pick_nested(RECURSIVE) else { return false };
        let frame = work.frame(upper, lower);
        // The chance halves with each doubling.
        let mut copies = (2_usize << (work.random.index(1 << 8) | 1 << 7).trailing_zeros()) - 1;
        while copies > 0 && !work.fits_wrapped(frame, copies) {
            copies /= 2;
        }
        if copies > 0 {
            wrap(work.base, frame, copies, work.memory, work.out);
        }
        copies > 0
    }
}
