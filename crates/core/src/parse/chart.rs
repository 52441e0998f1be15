//! The chart: which states a text leads to, set by set.
//!
//! A set belongs to an offset of the text. Its entries are pairs of a state and the set where the
//! productions of the state's positions began. How they are found says [`recognise`](super::recognise).
//!
//! Where a tree is wanted, an entry keeps how it came about: the entry before its last symbol, and
//! the node of that symbol. An entry that came about in several ways has several such links.

use super::error::Error;
use super::id::{EntryId, LinkId, MemberId, NodeId, NonterminalId, Offset, SetId, SpanId, StateId};
use super::id_vec::{IdRange, IdVec};
use super::index::Index;
use super::lookahead::Lookahead;
use super::nodes::{Completion, Nodes, Via, Way};
use super::states::States;
use super::steps::Leaps;
use super::work::Work;
use crate::id::id;
use crate::table::TerminalId;

id! {
    /// An entry in a list of those of one set that wait for a nonterminal.
    ActiveId
}
id! {
    /// An entry to be made.
    PendingId | NONE
}
id! {
    /// An end of a terminal in a list of them.
    FoundId
}

/// A state that the text leads to.
#[derive(Clone, Copy, Debug)]
pub(super) struct Entry {
    pub(super) state: StateId,
    /// The set where the productions of the state's positions began.
    pub(super) origin: SetId,
    /// The set that it is in.
    pub(super) set: SetId,
    /// How it came about first, where a tree is wanted.
    pub(super) link: Link,
}

/// How an entry came about.
#[derive(Clone, Copy, Debug)]
pub(super) struct Link {
    /// The entry before the last symbol.
    pub(super) before: EntryId,
    /// The node of that symbol; none for a terminal.
    pub(super) child: NodeId,
    /// The next link of the same entry, if there is one.
    pub(super) more: LinkId,
}

impl Link {
    /// What is predicted did not come about by a symbol.
    pub(super) const NONE: Self =
        Self { before: EntryId::NONE, child: NodeId::NONE, more: LinkId::NONE };
}

/// What the text leads to at one offset.
#[derive(Clone, Copy, Debug)]
pub(super) struct Set {
    pub(super) at: Offset,
    /// Its first span of nodes.
    pub(super) spans: SpanId,
    /// Its entries that wait for a nonterminal, in [`Chart::active`].
    pub(super) active: IdRange<ActiveId>,
    /// The state of the last of them: what is predicted.
    pub(super) predicted: StateId,
    /// How often nonterminals that begin in it ended so far, or the greatest number: a long text
    /// may have more items than that.
    pub(super) ended: u32,
}

/// An entry to be made where a terminal ends.
#[derive(Clone, Copy, Debug)]
pub(super) struct Pending {
    pub(super) before: EntryId,
    pub(super) state: StateId,
    /// The next one at the same offset, if there is one.
    pub(super) next: PendingId,
}

/// The memory of the recogniser.
#[derive(Clone, Debug, Default)]
pub(super) struct Chart {
    pub(super) entries: IdVec<EntryId, Entry>,
    pub(super) links: IdVec<LinkId, Link>,
    pub(super) nodes: Nodes,
    /// How many spans of nodes there were when the last set was finished.
    pub(super) spans: SpanId,
    pub(super) leaps: Leaps,
    pub(super) sets: IdVec<SetId, Set>,
    pub(super) active: IdVec<ActiveId, EntryId>,
    pub(super) pending: IdVec<PendingId, Pending>,
    /// A list of slots of `pending` that are used no more.
    pub(super) free: PendingId,
    /// The first entry to be made at each offset.
    pub(super) waiting: IdVec<Offset, PendingId>,
    pub(super) entry_index: Index<(StateId, SetId), EntryId>,
    pub(super) ahead: Lookahead,
    /// The nodes of a plan, where some of them are known already.
    pub(super) ended: IdVec<MemberId, NodeId>,
    /// For each terminal the set that it was last looked for in, and where it ended.
    pub(super) sought: IdVec<TerminalId, (SetId, IdRange<FoundId>)>,
    pub(super) found: IdVec<FoundId, Offset>,
    /// What was left out where a terminal ended, as far on in the text as that happened.
    pub(super) rejected_at: Offset,
    pub(super) rejected: Vec<(EntryId, StateId)>,
    /// Which terminals went furthest before they did not fit, where they began, and how far.
    pub(super) furthest: Offset,
    pub(super) broken: Vec<(TerminalId, Offset)>,
    /// Where the texts begin and end that were found, if they are looked for everywhere.
    pub(super) parts: Vec<(Offset, Offset)>,
}

impl Chart {
    /// Where the set of an entry is.
    pub(super) fn at(&self, entry: EntryId) -> Offset {
        self.sets[self.entries[entry].set].at
    }

    /// The set where a node ends that came about so.
    pub(super) fn end(&self, way: Way) -> SetId {
        match way.via() {
            Via::Entry(entry) => self.entries[entry].set,
            Via::Leap(leap) => self.leaps.leaps[leap].set,
            Via::Unit(_) => unreachable!("what may derive itself has no production of one node"),
        }
    }

    /// Empties the chart, for a text.
    pub(super) fn clear(&mut self, work: &Work<'_>) -> Result<(), Error> {
        self.forget();
        self.free = PendingId::NONE;
        work.budget.room_exactly(&mut self.waiting, work.text.len() + 1)?;
        self.waiting.resize(work.text.len() + 1, PendingId::NONE);
        self.sought.clear();
        work.budget.room(&mut self.sought, work.grammar.terminals.len())?;
        let unsought = (SetId::NONE, IdRange::empty(FoundId::new(0)));
        self.sought.resize(work.grammar.terminals.len(), unsought);
        self.found.clear();
        self.rejected_at = Offset::START;
        self.rejected.clear();
        self.furthest = Offset::START;
        self.broken.clear();
        Ok(())
    }

    /// Empties the chart, so that it takes no memory by its own account.
    pub(super) fn forget(&mut self) {
        self.entries.clear();
        self.links.clear();
        self.nodes.clear();
        self.leaps.clear();
        self.sets.clear();
        self.active.clear();
        self.pending.clear();
        self.waiting.clear();
        self.parts.clear();
    }

    /// About how many bytes the chart takes.
    pub(super) fn memory(&self) -> u64 {
        let words = 6 * self.entries.len()
            + 3 * (self.links.len() + self.pending.len())
            + 6 * self.sets.len()
            + self.active.len()
            + 2 * self.parts.len()
            + self.waiting.len();
        4 * words as u64 + self.nodes.memory() + self.leaps.memory()
    }

    /// Counts items, and stops where there are too many.
    #[inline]
    pub(super) fn spend(&self, work: &Work<'_>, at: Offset, items: u32) -> Result<(), Error> {
        work.budget.spend(at.index(), items.into())
    }
}

/// What a tree is read from, beside the chart.
pub(super) struct Source<'p> {
    pub(super) work: &'p Work<'p>,
    pub(super) states: &'p States,
}

impl Source<'_> {
    /// The nonterminal of a node.
    pub(super) fn symbol(&self, chart: &Chart, node: NodeId) -> NonterminalId {
        chart.nodes.symbol(&self.states.plans, node)
    }

    /// The first of the ways in which a node came about.
    #[inline]
    pub(super) fn first(&self, chart: &Chart, node: NodeId) -> Completion {
        chart.nodes.first(&self.states.plans, node)
    }

    /// Whether two nodes have the same text, and the first may derive itself.
    pub(super) fn same_text(&self, chart: &Chart, child: NodeId, node: NodeId) -> bool {
        // What may derive itself is never the one symbol of a production that has no entry.
        let end = |node: NodeId| chart.end(self.first(chart, node).way);
        self.work.grammar.nonterminals[self.symbol(chart, child)].cyclic
            && chart.nodes.origin(child) == chart.nodes.origin(node)
            && end(child) == end(node)
    }
}
