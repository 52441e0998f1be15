//! A token is left out.

use super::{leaf, write};
use crate::mutate::Mutator;
use crate::mutate::work::Work;

/// Leaves out a leaf: a bracket, a comma, a space.
pub(in crate::mutate) struct Omit;

impl Mutator for Omit {
    #[pleach_unhooked::unhooked]
    fn mutate(&self, work: &mut Work<'_, '_>) -> bool {
        leaf(work).is_some_and(|leaf| write(work, leaf, &[]))
    }
}
