//! A subtree is grown anew.

use crate::mutate::Mutator;
use crate::mutate::capabilities::{Mask, VARIED};
use crate::mutate::work::Work;

/// Puts a random subtree in the place of one of the same rule. It is closed 64, 128 or 256
/// nodes beyond the smallest, if it has not ended before.
pub(in crate::mutate) struct Regrow;

/// How often another subtree is grown where the text is the same.
const TRIES: usize = 8;

impl Mutator for Regrow {
    fn needs(&self) -> Mask {
        VARIED
    }

    #[pleach_unhooked::unhooked]
    fn mutate(&self, work: &mut Work<'_, '_>) -> bool {
        let Some(node) = work.pick(VARIED) else { return false };
        let nodes = 64 << work.random.index(3);
        let request = work.request(node, nodes);
        (0..TRIES).any(|_| work.grow(&request) && work.plant(node))
    }
}
