//! Chains: lists that share their ends.
//!
//! What is above a node or a symbol in a tree that is being written, as far as it must not come again below.

use super::budget::Budget;
use super::error::Error;
use super::id::ChainId;
use super::id_vec::IdVec;

/// Chains of one kind of elements.
#[derive(Clone, Debug)]
pub(super) struct Chains<T> {
    /// An element, and the rest.
    links: IdVec<ChainId, (T, ChainId)>,
}

impl<T> Default for Chains<T> {
    fn default() -> Self {
        Self { links: IdVec::default() }
    }
}

impl<T: Copy> Chains<T> {
    pub(super) fn clear(&mut self) {
        self.links.clear();
    }

    /// The chain of an element and a rest.
    pub(super) fn push(
        &mut self,
        budget: &Budget<'_>,
        element: T,
        rest: ChainId,
    ) -> Result<ChainId, Error> {
        budget.room(&mut self.links, 1)?;
        Ok(self.links.push((element, rest)))
    }

    /// The elements of a chain.
    pub(super) fn chain(&self, mut chain: ChainId) -> impl Iterator<Item = T> + '_ {
        std::iter::from_fn(move || {
            let &(element, rest) = self.links.get(chain)?;
            chain = rest;
            Some(element)
        })
    }
}
