//! Arrays that one type of identifiers indexes, and ranges of identifiers.

use std::marker::PhantomData;
use std::ops::{Deref, DerefMut, Index, IndexMut, Range};

use crate::id::Id;
use crate::pack::Pack;

/// An array that is indexed by `I` and by nothing else.
#[derive(Clone, Debug)]
pub(super) struct IdVec<I, T> {
    items: Vec<T>,
    ids: PhantomData<I>,
}

impl<I, T> Default for IdVec<I, T> {
    fn default() -> Self {
        Self::from(Vec::new())
    }
}

impl<I, T> From<Vec<T>> for IdVec<I, T> {
    fn from(items: Vec<T>) -> Self {
        Self { items, ids: PhantomData }
    }
}

impl<I, T> FromIterator<T> for IdVec<I, T> {
    fn from_iter<F: IntoIterator<Item = T>>(items: F) -> Self {
        Self::from(Vec::from_iter(items))
    }
}

impl<I: Id, T> IdVec<I, T> {
    /// The identifier behind the last one: that of the element which is pushed next.
    #[inline]
    pub(super) fn end(&self) -> I {
        I::at(self.items.len())
    }

    /// Appends an element.
    #[inline]
    pub(super) fn push(&mut self, item: T) -> I {
        let id = self.end();
        self.items.push(item);
        id
    }

    /// All identifiers.
    #[inline]
    pub(super) fn ids(&self) -> IdRange<I> {
        IdRange::new(I::new(0), self.end())
    }

    /// The elements with their identifiers.
    #[inline]
    pub(super) fn pairs(&self) -> impl Iterator<Item = (I, &T)> + Clone {
        self.ids().into_iter().zip(&self.items)
    }

    #[inline]
    pub(super) fn get(&self, id: I) -> Option<&T> {
        self.items.get(id.index())
    }

    #[inline]
    pub(super) fn get_mut(&mut self, id: I) -> Option<&mut T> {
        self.items.get_mut(id.index())
    }

    /// Leaves out all from an identifier on.
    #[inline]
    pub(super) fn truncate(&mut self, end: I) {
        self.items.truncate(end.index());
    }
}

impl<I: Id, T> Index<I> for IdVec<I, T> {
    type Output = T;

    #[inline]
    fn index(&self, id: I) -> &T {
        &self.items[id.index()]
    }
}

impl<I: Id, T> IndexMut<I> for IdVec<I, T> {
    #[inline]
    fn index_mut(&mut self, id: I) -> &mut T {
        &mut self.items[id.index()]
    }
}

impl<I: Id, T> Index<IdRange<I>> for IdVec<I, T> {
    type Output = [T];

    #[inline]
    fn index(&self, ids: IdRange<I>) -> &[T] {
        &self.items[ids.from.index()..ids.to.index()]
    }
}

impl<I: Id, T> IndexMut<IdRange<I>> for IdVec<I, T> {
    #[inline]
    fn index_mut(&mut self, ids: IdRange<I>) -> &mut [T] {
        &mut self.items[ids.from.index()..ids.to.index()]
    }
}

/// What does not index: lengths, slices and room.
impl<I, T> Deref for IdVec<I, T> {
    type Target = Vec<T>;

    #[inline]
    fn deref(&self) -> &Vec<T> {
        &self.items
    }
}

impl<I, T> DerefMut for IdVec<I, T> {
    #[inline]
    fn deref_mut(&mut self) -> &mut Vec<T> {
        &mut self.items
    }
}

impl<'v, I, T> IntoIterator for &'v IdVec<I, T> {
    type Item = &'v T;
    type IntoIter = std::slice::Iter<'v, T>;

    fn into_iter(self) -> Self::IntoIter {
        self.items.iter()
    }
}

impl<I, T: Pack> Pack for IdVec<I, T> {
    #[cfg(feature = "front")]
    fn pack(&self, out: &mut Vec<u8>) {
        self.items.pack(out);
    }

    #[cfg_attr(fuzzing, inline(always))]
    fn unpack(from: &mut &[u8]) -> Option<Self> {
        Vec::unpack(from).map(Self::from)
    }
}

/// Identifiers that follow one another.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct IdRange<I> {
    pub(super) from: I,
    /// The one behind the last.
    pub(super) to: I,
}

impl<I: Id> IdRange<I> {
    #[inline]
    pub(super) fn new(from: I, to: I) -> Self {
        Self { from, to }
    }

    /// None, at some place.
    #[inline]
    pub(super) fn empty(at: I) -> Self {
        Self::new(at, at)
    }

    /// How many there are.
    #[inline]
    pub(super) fn len(self) -> u32 {
        self.to.get() - self.from.get()
    }

    #[inline]
    pub(super) fn is_empty(self) -> bool {
        self.to.get() == self.from.get()
    }

    #[inline]
    pub(super) fn first(self) -> Option<I> {
        (!self.is_empty()).then_some(self.from)
    }

    /// The last one of some.
    #[inline]
    pub(super) fn last(self) -> I {
        I::new(self.to.get() - 1)
    }

    /// All but the last one of some.
    #[inline]
    pub(super) fn without_last(self) -> Self {
        Self::new(self.from, self.last())
    }
}

impl<I: Id> IntoIterator for IdRange<I> {
    type Item = I;
    type IntoIter = Ids<I>;

    #[inline]
    fn into_iter(self) -> Ids<I> {
        Ids { rest: self.from.get()..self.to.get(), ids: PhantomData }
    }
}

/// Goes through a range of identifiers.
#[derive(Clone, Debug)]
pub(super) struct Ids<I> {
    rest: Range<u32>,
    ids: PhantomData<I>,
}

impl<I: Id> Iterator for Ids<I> {
    type Item = I;

    #[inline]
    fn next(&mut self) -> Option<I> {
        self.rest.next().map(I::new)
    }

    #[inline]
    fn size_hint(&self) -> (usize, Option<usize>) {
        self.rest.size_hint()
    }
}

impl<I: Id> DoubleEndedIterator for Ids<I> {
    #[inline]
    fn next_back(&mut self) -> Option<I> {
        self.rest.next_back().map(I::new)
    }
}
