//! Sets of what may come next: to find them out, and to ask them.

#[cfg(feature = "front")]
use fxhash::FxHashSet;

#[cfg(feature = "front")]
use super::scan::Bytes;
use crate::id::{Id as _, id};
use crate::pack::packed;

#[cfg(feature = "front")]
/// A set that grows.
pub(super) trait Set: Clone {
    /// Takes up another set; tells whether that changed this one.
    fn join(&mut self, other: &Self) -> bool;
}

id! {
    /// What comes next: a byte or the end of the text, at once or after layout.
    NextId
}

/// How many bytes there are, and the end of the text.
const AT_ONCE: usize = 257;

impl Default for NextId {
    fn default() -> Self {
        Self::END
    }
}

impl NextId {
    /// The byte 0 at once.
    #[cfg(feature = "front")]
    const FIRST: Self = Self::new(0);
    /// The end of the text.
    pub(super) const END: Self = Self::new(256);

    /// The same after layout, which may be empty.
    #[inline]
    pub(super) fn after_layout(self) -> Self {
        self.plus(AT_ONCE as u32)
    }

    /// The byte that comes at once; none for the end of the text and after layout.
    #[inline]
    pub(super) fn byte(self) -> Option<u8> {
        u8::try_from(self.get()).ok()
    }
}

impl From<u8> for NextId {
    #[inline]
    fn from(byte: u8) -> Self {
        Self::new(byte.into())
    }
}

/// A set of what may come next.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub(super) struct Next([u64; 9]);

impl Next {
    #[inline]
    pub(super) fn has(&self, next: NextId) -> bool {
        self.0[next.index() / 64] >> (next.get() % 64) & 1 == 1
    }
}

#[cfg(feature = "front")]
impl Next {
    pub(super) const ALL: Self = Self([u64::MAX; 9]);

    /// The end of the text alone.
    pub(super) fn end() -> Self {
        let mut end = Self::default();
        end.insert(NextId::END);
        end
    }

    pub(super) fn insert(&mut self, next: NextId) {
        self.0[next.index() / 64] |= 1 << (next.get() % 64);
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
    /// The class of each. What stands at once and what stands after layout have classes of their own.
    of: Box<[u16; 2 * AT_ONCE]>,
    /// How many classes there are at once, and after layout.
    pub(super) at_once: u32,
    pub(super) after: u32,
}

packed!(id Next, Next, |next: Next| next.0);
packed!(struct NextClasses { of, at_once, after });
packed!(struct Look { at_once, after });

impl Default for NextClasses {
    fn default() -> Self {
        Self { of: Box::new([0; 2 * AT_ONCE]), at_once: 0, after: 0 }
    }
}

impl NextClasses {
    /// The class of what comes next.
    #[inline]
    pub(super) fn class(&self, next: NextId) -> u16 {
        self.of[next.index()]
    }
}

#[cfg(feature = "front")]
impl NextClasses {
    pub(super) fn new<'n>(sets: impl Iterator<Item = &'n Next>) -> Self {
        let sets: FxHashSet<&Next> = sets.collect();
        let mut of = Box::new([0; 2 * AT_ONCE]);
        let (at_once, after) = of.split_at_mut(AT_ONCE);
        let refine = |classes: &mut [u16], first: NextId| {
            let mut count = 1;
            let mut split: Vec<u16> = Vec::new();
            for set in &sets {
                // The members of each class that are in the set get a class of their own, unless
                // all are.
                let is_in = |i: usize| set.has(first.plus(i as u32));
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
        let counts = (refine(at_once, NextId::FIRST), refine(after, NextId::FIRST.after_layout()));
        // Beyond that, classes are put together; no more is lost than a choice that looks possible.
        of.iter_mut().for_each(|class| *class %= MOST_CLASSES);
        let most = u32::from(MOST_CLASSES);
        Self { of, at_once: counts.0.min(most), after: counts.1.min(most) }
    }

    /// The classes of a set.
    pub(super) fn look(&self, next: &Next) -> Look {
        let mut look = Look::default();
        for (number, &class) in self.of.iter().enumerate() {
            if next.has(NextId::at(number)) {
                let part = if number < AT_ONCE { &mut look.at_once } else { &mut look.after };
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

/// What stands at an offset.
#[inline]
pub(super) fn next_at(text: &[u8], at: usize) -> NextId {
    text.get(at).map_or(NextId::END, |&byte| byte.into())
}
