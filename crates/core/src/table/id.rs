//! Identifiers: one `u32` newtype for each table.

macro_rules! id {
    ($(#[$doc:meta])* $name:ident) => {
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

        crate::pack::packed!(id $name, $name::new, $name::get);
    };
}

id! {
    /// A rule: the named ones first, then one for each group of the notation.
    RuleId
}
id! {
    /// An alternative of a rule; those of one rule are consecutive.
    AlternativeId
}
id! {
    /// An occurrence: a place where a rule is referenced or a terminal stands. Those of one
    /// named rule's body are consecutive, in the order of the text.
    OccurrenceId
}
id! {
    /// A terminal: a literal, a class or a regular language. Equal ones are one.
    TerminalId
}
id! {
    /// A repetition: `?`, `*`, `+` or counted.
    RepetitionId
}

/// Reads the elements of one `u32` range as identifiers.
macro_rules! ids {
    ($name:ident, $range:expr) => {
        $range.map($name::new)
    };
}
pub(crate) use ids;
