//! The partition of all symbols into classes.
//!
//! Classes are numbered by their least symbol and neighbouring ranges of one class are one, so
//! a partition has exactly one representation.

use std::fmt;

#[cfg(feature = "front")]
use fxhash::FxHashMap;

#[cfg(feature = "front")]
use super::RegularError;
use super::ids::ClassId;
#[cfg(feature = "front")]
use super::limits::AutomatonLimits;
use crate::pack::Pack;

/// The label of what lies outside the universe, in lists of labelled segments.
#[cfg(feature = "front")]
pub(super) const OUTSIDE: u32 = u32::MAX;

/// A partition of the universe; what lies outside is one more class after the last.
#[derive(Clone, PartialEq, Eq)]
pub(super) struct Classes {
    /// The first symbol of each segment, ascending from 0; segments cover all of `u32`.
    starts: Vec<u32>,
    /// The class of each segment; `count` stands for "outside the universe".
    labels: Vec<u32>,
    /// The class of each symbol below 256.
    low: Box<[u32; 256]>,
    /// The number of classes within the universe.
    count: u32,
    /// The ranges of class 0, of class 1 and so on, each sorted, disjoint and inclusive.
    ranges: Vec<(u32, u32)>,
    /// For each range, how many symbols of its class stand in the ranges before it.
    before: Vec<u32>,
    /// Where in `ranges` each class begins; one more entry than classes.
    offsets: Vec<u32>,
    /// The number of symbols of each class.
    sizes: Vec<u64>,
}

impl Pack for Classes {
    #[cfg(feature = "front")]
    fn pack(&self, out: &mut Vec<u8>) {
        self.starts.pack(out);
        self.labels.pack(out);
        self.count.pack(out);
    }

    #[cfg_attr(fuzzing, inline(always))]
    fn unpack(from: &mut &[u8]) -> Option<Self> {
        let (starts, labels) = (Vec::unpack(from)?, Vec::unpack(from)?);
        Some(Self::of_segments(starts, labels, u32::unpack(from)?))
    }
}

impl fmt::Debug for Classes {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_list()
            .entries((0..self.count).map(|class| self.ranges(ClassId::new(class))))
            .finish()
    }
}

impl Classes {
    /// A partition from labelled segments, and the class of each label.
    ///
    /// `segments` are first symbols, ascending from 0, each with a label below `label_count` or
    /// [`OUTSIDE`]. A label without a segment gets a class number that is not in use.
    #[cfg(feature = "front")]
    pub(super) fn new(segments: &[(u32, u32)], label_count: usize) -> (Self, Vec<u32>) {
        let mut class_of = vec![OUTSIDE; label_count];
        let mut count = 0;
        for &(_, label) in segments {
            if label != OUTSIDE && class_of[label as usize] == OUTSIDE {
                class_of[label as usize] = count;
                count += 1;
            }
        }
        let (mut starts, mut labels) = (Vec::new(), Vec::new());
        for &(start, label) in segments {
            let class = if label == OUTSIDE { count } else { class_of[label as usize] };
            if labels.last() != Some(&class) {
                starts.push(start);
                labels.push(class);
            }
        }
        (Self::of_segments(starts, labels, count), class_of)
    }

    /// A partition from the first symbols and the classes of its segments.
    fn of_segments(starts: Vec<u32>, labels: Vec<u32>, count: u32) -> Self {
        let mut classes = Self {
            starts,
            labels,
            low: Box::new([0; 256]),
            count,
            ranges: Vec::new(),
            before: Vec::new(),
            offsets: Vec::new(),
            sizes: Vec::new(),
        };
        classes.fill();
        classes
    }

    /// Computes everything that follows from the segments.
    #[pleach_unhooked::unhooked]
    fn fill(&mut self) {
        let count = self.count as usize;
        let mut segment = 0;
        for symbol in 0..256 {
            if self.starts.get(segment + 1) == Some(&symbol) {
                segment += 1;
            }
            self.low[symbol as usize] = self.labels[segment];
        }
        self.offsets = vec![0; count + 1];
        for &label in self.labels.iter().filter(|&&label| label != self.count) {
            self.offsets[label as usize + 1] += 1;
        }
        for class in 0..count {
            self.offsets[class + 1] += self.offsets[class];
        }
        let total = self.offsets[count] as usize;
        self.ranges = vec![(0, 0); total];
        self.before = vec![0; total];
        self.sizes = vec![0; count];
        let mut cursors = self.offsets.clone();
        for (i, &label) in self.labels.iter().enumerate() {
            if label == self.count {
                continue;
            }
            let class = label as usize;
            let high = self.starts.get(i + 1).map_or(u32::MAX, |&next| next - 1);
            let slot = cursors[class] as usize;
            cursors[class] += 1;
            self.ranges[slot] = (self.starts[i], high);
            // Only the whole of `u32` has 2^32 symbols, and it is a single range.
            self.before[slot] = self.sizes[class] as u32;
            self.sizes[class] += u64::from(high - self.starts[i]) + 1;
        }
    }

    pub(super) fn count(&self) -> usize {
        self.count as usize
    }

    /// The class of a symbol, as a column of the transition table.
    #[inline]
    pub(super) fn of(&self, symbol: u32) -> u32 {
        match self.low.get(symbol as usize) {
            Some(&class) => class,
            None => {
                // `starts[0]` is 0, so that at least one start is no greater than the symbol.
                let after = self.starts.partition_point(|&start| start <= symbol);
                self.labels[after - 1]
            }
        }
    }

    pub(super) fn ranges(&self, class: ClassId) -> &[(u32, u32)] {
        let class = class.index();
        &self.ranges[self.offsets[class] as usize..self.offsets[class + 1] as usize]
    }

    pub(super) fn size(&self, class: ClassId) -> u64 {
        self.sizes[class.index()]
    }

    /// The symbol of a class that has `index` symbols of it before it.
    pub(super) fn symbol(&self, class: ClassId, index: u64) -> Option<u32> {
        let first = self.offsets[class.index()] as usize;
        let last = self.offsets[class.index() + 1] as usize;
        if index >= self.size(class) {
            return None;
        }
        let before = &self.before[first..last];
        let after = before.partition_point(|&count| u64::from(count) <= index);
        let slot = first + after - 1;
        Some(self.ranges[slot].0 + (index - u64::from(self.before[slot])) as u32)
    }

    /// All symbols of the universe, as sorted, disjoint, inclusive ranges.
    #[cfg(feature = "front")]
    pub(super) fn universe(&self) -> Vec<(u32, u32)> {
        let mut all = self.ranges.clone();
        super::alphabet::normalize(&mut all);
        all
    }

    /// The partition in which classes with the same label are one, and the class of each label.
    #[cfg(feature = "front")]
    pub(super) fn merge(&self, label_of: &[u32], label_count: usize) -> (Self, Vec<u32>) {
        let relabel = |&label: &u32| label_of.get(label as usize).copied().unwrap_or(OUTSIDE);
        let labels = self.labels.iter().map(relabel);
        let segments: Vec<_> = self.starts.iter().copied().zip(labels).collect();
        Self::new(&segments, label_count)
    }

    /// The coarsest partition that refines two, and the columns that each class has in them.
    #[cfg(feature = "front")]
    pub(super) fn join(&self, other: &Self) -> (Self, Vec<(u32, u32)>) {
        let mut pairs = Vec::new();
        let mut label_of = FxHashMap::default();
        let mut segments = Vec::with_capacity(self.starts.len() + other.starts.len());
        let (mut i, mut j) = (0, 0);
        let mut start = 0;
        loop {
            let pair = (self.labels[i], other.labels[j]);
            let label = if pair == (self.count, other.count) {
                OUTSIDE
            } else {
                *label_of.entry(pair).or_insert_with(|| {
                    pairs.push(pair);
                    pairs.len() as u32 - 1
                })
            };
            segments.push((start, label));
            let next = match (self.starts.get(i + 1), other.starts.get(j + 1)) {
                (Some(&a), Some(&b)) => a.min(b),
                (Some(&a), None) | (None, Some(&a)) => a,
                (None, None) => break,
            };
            i += usize::from(self.starts.get(i + 1) == Some(&next));
            j += usize::from(other.starts.get(j + 1) == Some(&next));
            start = next;
        }
        // Labels were given in the order of their least symbols, as classes are.
        let (classes, _) = Self::new(&segments, pairs.len());
        (classes, pairs)
    }

    /// The coarsest partition of a universe in which each set is a union of classes, and the
    /// classes of each set.
    ///
    /// The ends of all ranges cut the universe into segments, and each set splits the labels that
    /// it has a part of but not the whole of (partition refinement, Paige and Tarjan, 1987).
    #[cfg(feature = "front")]
    pub(super) fn refine(
        universe: &[(u32, u32)],
        sets: &[Box<[(u32, u32)]>],
        limits: &AutomatonLimits,
        budget: &mut u64,
    ) -> Result<(Self, Vec<Vec<u32>>), RegularError> {
        let starts = segment_starts(universe, sets);
        let mut labels = vec![OUTSIDE; starts.len()];
        let mut sizes = vec![0_u32];
        for segment in segments_of(&starts, universe) {
            labels[segment] = 0;
            sizes[0] += 1;
        }
        // Per label: how many of its segments the set at hand has, and what they become.
        let mut touched = vec![(0_u32, 0_u32)];
        let mut seen = Vec::new();
        for set in sets {
            let mut steps = 1;
            for segment in segments_of(&starts, set).filter(|&i| labels[i] != OUTSIDE) {
                let label = labels[segment];
                if touched[label as usize].0 == 0 {
                    seen.push(label);
                }
                touched[label as usize].0 += 1;
                steps += 1;
            }
            limits.spend(budget, steps)?;
            for &label in &seen {
                let count = touched[label as usize].0;
                touched[label as usize].1 = label;
                if count < sizes[label as usize] {
                    touched[label as usize].1 = sizes.len() as u32;
                    sizes[label as usize] -= count;
                    sizes.push(count);
                    touched.push((0, 0));
                }
            }
            for segment in segments_of(&starts, set) {
                if labels[segment] != OUTSIDE {
                    labels[segment] = touched[labels[segment] as usize].1;
                }
            }
            for label in seen.drain(..) {
                touched[label as usize].0 = 0;
            }
        }
        let segments: Vec<_> = starts.iter().copied().zip(labels.iter().copied()).collect();
        let (classes, class_of) = Self::new(&segments, sizes.len());
        let mut last_set = vec![usize::MAX; classes.count()];
        let mut of_sets = Vec::with_capacity(sets.len());
        for (i, set) in sets.iter().enumerate() {
            let mut columns = Vec::new();
            for segment in segments_of(&starts, set).filter(|&i| labels[i] != OUTSIDE) {
                let class = class_of[labels[segment] as usize];
                if last_set[class as usize] != i {
                    last_set[class as usize] = i;
                    columns.push(class);
                }
            }
            of_sets.push(columns);
        }
        Ok((classes, of_sets))
    }
}

/// Where segments begin if every end of a range is a cut.
#[cfg(feature = "front")]
fn segment_starts(universe: &[(u32, u32)], sets: &[Box<[(u32, u32)]>]) -> Vec<u32> {
    let mut starts = vec![0];
    for &(low, high) in universe.iter().chain(sets.iter().flat_map(|set| set.iter())) {
        starts.push(low);
        starts.extend(high.checked_add(1));
    }
    starts.sort_unstable();
    starts.dedup();
    starts
}

/// The segments that a set of ranges, whose ends are all cuts, consists of.
#[cfg(feature = "front")]
fn segments_of<'a>(
    starts: &'a [u32],
    ranges: &'a [(u32, u32)],
) -> impl Iterator<Item = usize> + 'a {
    ranges.iter().flat_map(|&(low, high)| {
        let first = starts.partition_point(|&start| start < low);
        let last = starts.partition_point(|&start| start <= high);
        first..last
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn refine(universe: &[(u32, u32)], sets: &[&[(u32, u32)]]) -> (Classes, Vec<Vec<u32>>) {
        let sets: Vec<Box<[(u32, u32)]>> = sets.iter().map(|&set| set.into()).collect();
        let limits = AutomatonLimits::default();
        Classes::refine(universe, &sets, &limits, &mut limits.get_steps()).expect("small")
    }

    #[test]
    fn refinement_is_the_coarsest_that_respects_the_sets() {
        let (classes, of_sets) =
            refine(&[(0, 300), (500, 600)], &[&[(10, 20), (290, 510)], &[(15, 30)], &[(0, 600)]]);
        assert_eq!(classes.count(), 4);
        assert_eq!(classes.ranges(ClassId::new(0)), [(0, 9), (31, 289), (511, 600)]);
        assert_eq!(classes.ranges(ClassId::new(1)), [(10, 14), (290, 300), (500, 510)]);
        assert_eq!(classes.ranges(ClassId::new(2)), [(15, 20)]);
        assert_eq!(classes.ranges(ClassId::new(3)), [(21, 30)]);
        assert_eq!(of_sets, [vec![1, 2], vec![2, 3], vec![0, 1, 2, 3]]);
        assert_eq!(classes.universe(), [(0, 300), (500, 600)]);
        for (symbol, class) in [(0, 0), (255, 0), (256, 0), (300, 1), (400, 4), (u32::MAX, 4)] {
            assert_eq!(classes.of(symbol), class, "symbol {symbol}");
        }
    }

    #[test]
    fn symbols_of_a_class_are_counted_across_its_ranges() {
        let (classes, _) = refine(&[(0, u32::MAX)], &[&[(5, 6), (9, 9), (u32::MAX, u32::MAX)]]);
        assert_eq!(classes.size(ClassId::new(1)), 4);
        let all: Vec<_> = (0..5).map(|i| classes.symbol(ClassId::new(1), i)).collect();
        assert_eq!(all, [Some(5), Some(6), Some(9), Some(u32::MAX), None]);
        let (whole, _) = refine(&[(0, u32::MAX)], &[]);
        assert_eq!(whole.size(ClassId::new(0)), 1 << 32);
        assert_eq!(whole.symbol(ClassId::new(0), u64::from(u32::MAX)), Some(u32::MAX));
    }

    #[test]
    fn a_join_knows_its_columns_on_both_sides() {
        let (a, _) = refine(&[(0, 9)], &[&[(3, 5)]]);
        let (b, _) = refine(&[(5, 20)], &[&[(20, 20)]]);
        let (both, pairs) = a.join(&b);
        assert_eq!(both.ranges(ClassId::new(0)), [(0, 2)]);
        assert_eq!(pairs, [(0, 2), (1, 2), (1, 0), (0, 0), (2, 0), (2, 1)]);
        assert_eq!(both.universe(), [(0, 20)]);
        let (merged, class_of) = both.merge(&[1, 0, 1, 1, 1, 1], 2);
        assert_eq!(merged.ranges(ClassId::new(0)), [(0, 2), (5, 20)]);
        assert_eq!(class_of, [1, 0]);
    }
}
