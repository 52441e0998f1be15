//! Sets of what may come next: to find them out, and to ask them.

#[cfg(feature = "front")]
use fxhash::FxHashSet;

#[cfg(feature = "front")]
use super::scan::Bytes;
use crate::pack::packed;

#[cfg(feature = "front")]
/// A set that grows.
pub(super) trait Set: Clone {
    /// Takes up another set; tells whether that changed this one.
    fn join(&mut self, other: &Self) -> bool;
}

/// What may come next: a byte or the end of the text at once, or after layout.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub(super) struct Next([u64; 9]);

impl Next {
    /// The end of the text.
    pub(super) const END: u32 = 256;
    /// Added to a byte or the end: it stands after layout, which may be empty.
    pub(super) const AFTER_LAYOUT: u32 = 257;

    #[inline]
    pub(super) fn has(&self, next: u32) -> bool {
        self.0[next as usize / 64] >> (next % 64) & 1 == 1
    }
}

#[cfg(feature = "front")]
impl Next {
    pub(super) const ALL: Self = Self([u64::MAX; 9]);

    /// The end of the text alone.
    pub(super) fn end() -> Self {
        let mut end = Self::default();
        end.insert(Self::END);
        end
    }

    pub(super) fn insert(&mut self, next: u32) {
        self.0[next as usize / 64] |= 1 << (next % 64);
    }

    pub(super) fn of_bytes(bytes: &Bytes) -> Self {
        let mut next = Self::default();
        next.0[..4].copy_from_slice(bytes);
        next
    }

    /// The same bytes, after layout.
    pub(super) fn after_layout(&self) -> Self {
        let mut next = Self::default();
        // The end is the last one at once; behind it stands what comes after layout.
        for (word, &bits) in self.0[..5].iter().enumerate() {
            let bits = if word == 4 { bits & 1 } else { bits };
            next.0[word + 4] |= bits << 1;
            if word < 4 {
                next.0[word + 5] |= bits >> 63;
            }
        }
        next
    }
}

#[cfg(feature = "front")]
impl Set for Next {
    fn join(&mut self, other: &Self) -> bool {
        let mut changed = 0;
        for (word, &more) in self.0.iter_mut().zip(&other.0) {
            changed |= more & !*word;
            *word |= more;
        }
        changed != 0
    }
}

/// Classes of what may follow: all sets of a grammar have the members of a class, or none has.
#[derive(Clone, Debug)]
pub(super) struct NextClasses {
    /// The class of each, as [`Next`] numbers them. What stands at once and what stands after
    /// layout have classes of their own.
    pub(super) of: Box<[u16; 2 * Next::AFTER_LAYOUT as usize]>,
    /// How many classes there are at once, and after layout.
    pub(super) at_once: u32,
    pub(super) after: u32,
}

packed!(id Next, Next, |next: Next| next.0);
packed!(struct NextClasses { of, at_once, after });
packed!(struct Look { at_once, after });

impl Default for NextClasses {
    fn default() -> Self {
        Self { of: Box::new([0; 2 * Next::AFTER_LAYOUT as usize]), at_once: 0, after: 0 }
    }
}

#[cfg(feature = "front")]
impl NextClasses {
    pub(super) fn new<'n>(sets: impl Iterator<Item = &'n Next>) -> Self {
        let sets: FxHashSet<&Next> = sets.collect();
        let mut of = Box::new([0; 2 * Next::AFTER_LAYOUT as usize]);
        let (at_once, after) = of.split_at_mut(Next::AFTER_LAYOUT as usize);
        let refine = |classes: &mut [u16], first: u32| {
            let mut count = 1;
            let mut split: Vec<u16> = Vec::new();
            for set in &sets {
                // The members of each class that are in the set get a class of their own, unless
                // all are.
                let is_in = |i: usize| set.has(first + i as u32);
                split.clear();
                split.resize(usize::from(count), u16::MAX);
                let mut outside = vec![false; usize::from(count)];
                for (i, &class) in classes.iter().enumerate() {
                    outside[usize::from(class)] |= !is_in(i);
                }
                for (i, class) in classes.iter_mut().enumerate() {
                    if is_in(i) && outside[usize::from(*class)] {
                        let split = &mut split[usize::from(*class)];
                        if *split == u16::MAX {
                            *split = count;
                            count += 1;
                        }
                        *class = *split;
                    }
                }
            }
            u32::from(count)
        };
        let counts = (refine(at_once, 0), refine(after, Next::AFTER_LAYOUT));
        // Beyond that, classes are put together; no more is lost than a choice that looks possible.
        of.iter_mut().for_each(|class| *class %= MOST_CLASSES);
        let most = u32::from(MOST_CLASSES);
        Self { of, at_once: counts.0.min(most), after: counts.1.min(most) }
    }

    /// The classes of a set.
    pub(super) fn look(&self, next: &Next) -> Look {
        let mut look = Look::default();
        for (number, &class) in self.of.iter().enumerate() {
            if next.has(number as u32) {
                let part = if number < Next::AFTER_LAYOUT as usize {
                    &mut look.at_once
                } else {
                    &mut look.after
                };
                *part |= 1 << class;
            }
        }
        look
    }
}

/// Classes in a [`Look`].
#[cfg(feature = "front")]
const MOST_CLASSES: u16 = u128::BITS as u16;

/// A set of what may come next, by classes.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Look {
    pub(super) at_once: u128,
    pub(super) after: u128,
}

impl Look {
    /// Takes up another set.
    pub(super) fn join(&mut self, other: &Self) {
        self.at_once |= other.at_once;
        self.after |= other.after;
    }
}

/// What stands at an offset, as [`Next`] numbers it.
#[inline]
pub(super) fn next_at(text: &[u8], at: usize) -> u32 {
    text.get(at).map_or(Next::END, |&byte| byte.into())
}
