//! Rows of variable length in one array (compressed sparse rows).

use crate::pack::Pack;

/// Rows of `T`: the items of all rows one after the other, and where each row begins.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Rows<T> {
    /// Row `r` is `items[offsets[r]..offsets[r + 1]]`.
    offsets: Vec<u32>,
    items: Vec<T>,
}

impl<T> Default for Rows<T> {
    fn default() -> Self {
        Self { offsets: vec![0], items: Vec::new() }
    }
}

impl<T: Copy> Rows<T> {
    /// The items of so many rows, each with its row, in the order in which they come (a counting sort).
    ///
    /// # Panics
    ///
    /// Where an item is of another row.
    pub(crate) fn grouped(
        rows: usize,
        items: impl IntoIterator<Item = (usize, T), IntoIter: Clone>,
    ) -> Self {
        let given = items.into_iter();
        let mut offsets = vec![0_u32; rows + 1];
        for (row, _) in given.clone() {
            offsets[row + 1] += 1;
        }
        for row in 0..rows {
            offsets[row + 1] += offsets[row];
        }
        let mut next = offsets.clone();
        let first = given.clone().next();
        let mut items = first.map_or(Vec::new(), |(_, any)| vec![any; offsets[rows] as usize]);
        for (row, item) in given {
            items[next[row] as usize] = item;
            next[row] += 1;
        }
        Self { offsets, items }
    }
}

impl<T> Rows<T> {
    /// Appends a row.
    #[cfg(feature = "front")]
    pub(crate) fn push(&mut self, row: impl IntoIterator<Item = T>) {
        self.items.extend(row);
        let end = u32::try_from(self.items.len()).expect("lowering bounds the size of a table");
        self.offsets.push(end);
    }

    /// The number of rows.
    #[cfg(feature = "front")]
    pub(crate) fn len(&self) -> usize {
        self.offsets.len() - 1
    }

    /// A row.
    ///
    /// # Panics
    ///
    /// Where there is no such row.
    #[inline]
    pub(crate) fn row(&self, index: usize) -> &[T] {
        let range = self.range(index);
        &self.items[range.start as usize..range.end as usize]
    }

    /// The positions of a row's items in [`Rows::items`].
    #[inline]
    pub(crate) fn range(&self, index: usize) -> std::ops::Range<u32> {
        // The end first: where it is within bounds, so is the start.
        let end = self.offsets[index + 1];
        self.offsets[index]..end
    }

    /// How many items a row has.
    #[inline]
    pub(crate) fn width(&self, index: usize) -> u32 {
        // Offsets ascend.
        self.offsets[index + 1].wrapping_sub(self.offsets[index])
    }

    /// The items of all rows.
    #[inline]
    pub(crate) fn items(&self) -> &[T] {
        &self.items
    }
}

impl<T: Pack> Pack for Rows<T> {
    #[cfg(feature = "front")]
    fn pack(&self, out: &mut Vec<u8>) {
        self.offsets.pack(out);
        self.items.pack(out);
    }

    #[cfg_attr(fuzzing, inline(always))]
    fn unpack(from: &mut &[u8]) -> Option<Self> {
        Some(Self { offsets: Vec::unpack(from)?, items: Vec::unpack(from)? })
    }
}
