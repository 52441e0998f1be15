//! What parsing numbers: identifiers of what several files know.

use crate::id::{Id as _, id};
use crate::table::TerminalId;

id! {
    /// A nonterminal of a grammar as the chart reads it: see [`compiled`](super::compiled).
    NonterminalId | NONE
}
id! {
    /// A place of the dot in a production. Those of one production follow one another.
    PositionId | NONE
}
id! {
    /// A nonterminal or, with the high bit set, a terminal: all of these come behind all of those.
    SymbolId | NONE
}
id! {
    /// A token that is a rule or repetition, among those.
    TokenId
}

#[cfg(feature = "front")]
id! {
    /// A rule in a context: see [`binding`](super::binding).
    ContextId
}

impl NonterminalId {
    /// The whole text.
    pub(super) const TEXT: Self = Self::new(0);

    /// Its bit in a mask of nonterminals, which it may share with others.
    #[inline]
    pub(super) fn bit(self) -> u64 {
        1 << (self.get().wrapping_mul(0x9E37_79B9) >> 26)
    }
}

impl PositionId {
    /// The position before one that is not the first of its production.
    #[inline]
    pub(super) fn before(self) -> Self {
        Self::new(self.get() - 1)
    }
}

/// Set in symbols that are terminals.
const TERMINAL: u32 = 1 << 31;

/// What a symbol is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum SymbolSort {
    Nonterminal(NonterminalId),
    /// A terminal of the table, or layout, or a token that is a rule or repetition, which are numbered on from there.
    Terminal(TerminalId),
}

impl SymbolId {
    /// The terminal that a symbol is, layout included; none for [`SymbolId::NONE`].
    #[inline]
    pub(super) fn terminal(self) -> Option<TerminalId> {
        let is_terminal = self.get() & TERMINAL != 0 && self != Self::NONE;
        is_terminal.then(|| TerminalId::new(self.get() & !TERMINAL))
    }

    /// The nonterminal that a symbol is; none for [`SymbolId::NONE`].
    #[inline]
    pub(super) fn nonterminal(self) -> Option<NonterminalId> {
        (self.get() & TERMINAL == 0).then(|| NonterminalId::new(self.get()))
    }

    /// What a symbol is that is not [`SymbolId::NONE`].
    #[inline]
    pub(super) fn sort(self) -> SymbolSort {
        match self.get() & TERMINAL {
            0 => SymbolSort::Nonterminal(NonterminalId::new(self.get())),
            _ => SymbolSort::Terminal(TerminalId::new(self.get() & !TERMINAL)),
        }
    }
}

impl From<NonterminalId> for SymbolId {
    #[inline]
    fn from(nonterminal: NonterminalId) -> Self {
        Self::new(nonterminal.get())
    }
}

impl From<TerminalId> for SymbolId {
    #[inline]
    fn from(terminal: TerminalId) -> Self {
        Self::new(TERMINAL | terminal.get())
    }
}

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
    /// What follows a place of the text, as far as the grammar tells that apart: see [`lookahead`](super::lookahead).
    LookaheadId | NONE
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
