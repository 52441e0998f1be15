//! Indices into the tables of automata.

macro_rules! id {
    ($(#[$docs:meta])* $name:ident) => {
        $(#[$docs])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub struct $name(pub(super) u32);

        impl $name {
            /// The position in its table.
            #[inline]
            pub fn index(self) -> usize {
                self.0 as usize
            }
        }
    };
}

id! {
    /// A state of a [`Dfa`](super::Dfa).
    StateId
}

id! {
    /// A class of symbols that a [`Dfa`](super::Dfa) does not tell apart.
    ClassId
}

#[cfg(feature = "front")]
id! {
    /// A state of an [`Nfa`](super::Nfa).
    NfaState
}

impl StateId {
    /// The state that every automaton has and from which no string is accepted.
    pub const DEAD: Self = Self(0);
}
