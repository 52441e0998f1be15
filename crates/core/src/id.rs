//! Identifiers: one `u32` newtype for each kind of thing that has a number.

/// What all identifiers have in common: for arrays that are indexed by one type of them.
pub(crate) trait Id: Copy {
    /// The identifier with this index.
    fn new(index: u32) -> Self;

    /// The index as it is stored.
    fn get(self) -> u32;

    /// The index, to index an array with.
    fn index(self) -> usize;

    /// The identifier of the element at a place in an array. Arrays that identifiers index have fewer than 2^32 elements:
    /// lowering bounds tables, and a budget what a parse makes.
    #[inline]
    fn at(place: usize) -> Self {
        Self::new(place as u32)
    }

    /// The identifier so many further on.
    #[inline]
    fn plus(self, more: u32) -> Self {
        Self::new(self.get() + more)
    }
}

/// Defines an identifier; with `| NONE` one that has a value which stands for none.
macro_rules! id {
    ($(#[$doc:meta])* $name:ident $(| $none:ident)?) => {
        $(#[$doc])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
        #[repr(transparent)]
        pub struct $name(u32);

        impl $name {
            /// The identifier with this index.
            #[inline]
            pub const fn new(index: u32) -> Self {
                Self(index)
            }

            /// The index as it is stored.
            #[inline]
            pub const fn get(self) -> u32 {
                self.0
            }

            /// The index, to index an array with.
            #[inline]
            pub const fn index(self) -> usize {
                self.0 as usize
            }
        }

        $(impl $name {
            /// Stands where there is none.
            pub const $none: Self = Self(u32::MAX);
        }

        impl Default for $name {
            fn default() -> Self {
                Self::$none
            }
        })?

        impl $crate::id::Id for $name {
            #[inline]
            fn new(index: u32) -> Self {
                Self::new(index)
            }

            #[inline]
            fn get(self) -> u32 {
                self.get()
            }

            #[inline]
            fn index(self) -> usize {
                self.index()
            }
        }

        $crate::pack::packed!(id $name, $name::new, $name::get);
    };
}
pub(crate) use id;
