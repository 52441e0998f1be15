//! What parsing numbers.

use crate::table::{Id as _, id};

/// A position of the dot.
pub(super) type PositionId = u32;
/// A symbol of the grammar as the chart reads it.
pub(super) type SymbolId = u32;
/// A nonterminal of that.
pub(super) type NonterminalId = u32;

id! {
    /// A place in a text, by the bytes before it. Texts have less than 2 GiB.
    Offset
}

impl Default for Offset {
    fn default() -> Self {
        Self::START
    }
}

impl Offset {
    /// Where a text begins.
    pub(super) const START: Self = Self::new(0);

    /// The bytes from another place up to this one.
    #[inline]
    pub(super) fn since(self, before: Self) -> u32 {
        self.get() - before.get()
    }
}

id! {
    /// A state: see [`states`](super::states).
    StateId | NONE
}
id! {
    /// A transition of a state by a symbol; those of one state follow one another.
    TransitionId | NONE
}
id! {
    /// What follows a place of the text, as far as the grammar tells that apart: see [`ahead`](super::ahead).
    AheadId | NONE
}
id! {
    /// A plan: see [`plan`](super::plan).
    PlanId | NONE
}
id! {
    /// A nonterminal of a list of those that end together.
    EndedId | NONE
}
id! {
    /// One of a list of nonterminals that end together, by its place there; and one of a span of nodes.
    MemberId | NONE
}
id! {
    /// An entry that a plan leads to.
    OnwardId
}
id! {
    /// A set of the chart: see [`chart`](super::chart).
    SetId | NONE
}
id! {
    /// An entry of a set.
    EntryId | NONE
}
id! {
    /// A way in which an entry came about, beside the first.
    LinkId | NONE
}
id! {
    /// A nonterminal over a part of the text: see [`nodes`](super::nodes).
    NodeId | NONE
}
id! {
    /// Nodes with the same text, one above the other.
    SpanId
}

impl Default for SpanId {
    fn default() -> Self {
        Self::new(0)
    }
}

id! {
    /// A way in which a node came about, beside the first.
    CompletionId | NONE
}
id! {
    /// A leap over right recursion: see [`leap`](super::leap).
    LeapId | NONE
}

id! {
    /// An element of a chain, and the rest of that: see [`chain`](super::chain).
    ChainId | NONE
}

impl MemberId {
    /// The lowest one.
    pub(super) const FIRST: Self = Self::new(0);
}

impl EndedId {
    /// A member of the list that begins here.
    #[inline]
    pub(super) fn member(self, member: MemberId) -> Self {
        self.plus(member.get())
    }
}
