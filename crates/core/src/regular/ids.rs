//! Identifiers of what automata have.

use crate::id::id;

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
    pub const DEAD: Self = Self::new(0);
}
