//! The nodes of the chart: nonterminals over parts of the text, and how they came about.
//!
//! Productions of one symbol stand above one another by the dozen, as operands have them. A plan
//! says which, so the nodes of one plan are kept as one span: the first of them, and where in the
//! plans the others are.

use fxhash::FxHashMap;

use super::budget::Budget;
use super::error::Error;
use super::id::{
    CompletionId, EndedId, EntryId, LeapId, MemberId, NodeId, NonterminalId, PositionId, SetId,
    SpanId,
};
use super::id_vec::{IdRange, IdVec};
use super::index::Index;
use super::plan::{Ended, Plans};
use crate::id::{Id as _, id};

/// The bits of a node's number that say which of its span it is; the others are the span.
const WIDTH: u32 = 5;

/// The most nodes of a span.
pub(super) const MOST_NODES: u32 = 1 << WIDTH;

/// The most spans: [`UNIT`] is no part of a node's number.
pub(super) const MOST_SPANS: usize = (UNIT >> WIDTH) as usize;

impl NodeId {
    /// The node of the whole text where that is empty.
    pub(super) const EMPTY: Self = Self::new(u32::MAX - 1);

    #[inline]
    fn of(span: SpanId, member: MemberId) -> Self {
        Self::new(span.get() << WIDTH | member.get())
    }

    #[inline]
    fn span(self) -> SpanId {
        SpanId::new(self.get() >> WIDTH)
    }

    /// Which of its span it is.
    #[inline]
    fn member(self) -> MemberId {
        MemberId::new(self.get() & ((1 << WIDTH) - 1))
    }

    /// A node of the span that this one is the first of.
    #[inline]
    pub(super) fn above(self, member: MemberId) -> Self {
        self.plus(member.get())
    }
}

/// Set in [`Way::from`] where a production is one symbol: the rest is its node.
const UNIT: u32 = 1 << 31;

/// How a node came about, in two words.
#[derive(Clone, Copy, Debug)]
pub(super) struct Way {
    /// Where the production ends; nowhere where a leap led to the node.
    position: PositionId,
    /// What [`Way::via`] says.
    from: u32,
}

/// What a node came about by.
#[derive(Clone, Copy, Debug)]
pub(super) enum Via {
    /// An entry in whose state the production ends.
    Entry(EntryId),
    /// The node of the one symbol of the production.
    Unit(NodeId),
    Leap(LeapId),
}

impl Way {
    #[inline]
    pub(super) fn entry(position: PositionId, entry: EntryId) -> Self {
        Self { position, from: entry.get() }
    }

    #[inline]
    pub(super) fn unit(position: PositionId, node: NodeId) -> Self {
        Self { position, from: UNIT | node.get() }
    }

    #[inline]
    pub(super) fn leap(leap: LeapId) -> Self {
        Self { position: PositionId::NONE, from: leap.get() }
    }

    /// Where the production ends, unless a leap led to the node.
    #[inline]
    pub(super) fn position(self) -> PositionId {
        self.position
    }

    #[inline]
    pub(super) fn via(self) -> Via {
        if self.position == PositionId::NONE {
            Via::Leap(LeapId::new(self.from))
        } else if self.from & UNIT != 0 {
            Via::Unit(NodeId::new(self.from & !UNIT))
        } else {
            Via::Entry(EntryId::new(self.from))
        }
    }

    #[inline]
    pub(super) fn is_leap(self) -> bool {
        self.position == PositionId::NONE
    }
}

/// Nodes with the same text, one above the other.
#[derive(Clone, Copy, Debug)]
struct Span {
    /// The first one in [`Plans::ended`]; [`SEVERAL`] is added where a node came about in several
    /// ways and is not the first.
    first: u32,
    /// The set where they begin.
    origin: SetId,
    /// How the first one came about.
    completion: Completion,
}

const SEVERAL: u32 = 1 << 31;

impl Span {
    #[inline]
    fn first(&self) -> EndedId {
        EndedId::new(self.first & !SEVERAL)
    }

    /// Whether a node that is not the first came about in several ways.
    #[inline]
    fn has_several(&self) -> bool {
        self.first & SEVERAL != 0
    }

    fn note_several(&mut self) {
        self.first |= SEVERAL;
    }
}

/// One of the ways in which a node came about.
#[derive(Clone, Copy, Debug)]
pub(super) struct Completion {
    pub(super) way: Way,
    /// The next one of the same node, if there is one.
    pub(super) more: CompletionId,
}

id! {
    /// A span of the set that is being made.
    HereId | NONE
}

/// A span of the set that is being made.
#[derive(Clone, Copy, Debug)]
struct Here {
    span: SpanId,
    /// Its nodes, in [`Plans::ended`].
    ended: IdRange<EndedId>,
    /// A bit for each of their symbols.
    mask: u64,
    /// The next one with the same origin.
    next: HereId,
}

/// The nodes of a chart.
#[derive(Clone, Debug, Default)]
pub(super) struct Nodes {
    spans: IdVec<SpanId, Span>,
    completions: IdVec<CompletionId, Completion>,
    /// The further ways of nodes that are not the first of their spans.
    several: FxHashMap<NodeId, CompletionId>,
    here: IdVec<HereId, Here>,
    /// The spans of the set that is being made, by their origins.
    heads: Index<SetId, HereId>,
}

impl Nodes {
    pub(super) fn clear(&mut self) {
        self.spans.clear();
        self.completions.clear();
        self.several.clear();
    }

    /// Begins another set.
    pub(super) fn next_set(&mut self) {
        self.here.clear();
        self.heads.clear();
    }

    /// The span that is made next.
    pub(super) fn end(&self) -> SpanId {
        self.spans.end()
    }

    /// About how many bytes the nodes take.
    pub(super) fn memory(&self) -> u64 {
        let words = 5 * self.spans.len() + 3 * self.completions.len() + 4 * self.several.len();
        4 * words as u64
    }

    /// The spans of this set that begin at an origin, to be looked for in.
    #[inline]
    pub(super) fn head(&mut self, budget: &Budget<'_>, origin: SetId) -> Result<HereId, Error> {
        Ok(*self.heads.slot(budget, origin, HereId::NONE)?)
    }

    /// The node of a symbol among some spans.
    #[inline]
    pub(super) fn find(
        &self,
        plans: &Plans,
        mut head: HereId,
        symbol: NonterminalId,
    ) -> Option<NodeId> {
        while head != HereId::NONE {
            let Here { span, ended, mask, next } = self.here[head];
            if mask & symbol.bit() != 0 {
                let mut ended = plans.ended[ended].iter();
                // A plan may have a symbol twice, and the first one counts.
                if let Some(member) = ended.position(|ended| ended.symbol == symbol) {
                    return Some(NodeId::of(span, MemberId::at(member)));
                }
            }
            head = next;
        }
        None
    }

    /// Whether none of some symbols is among some spans.
    #[inline]
    pub(super) fn are_apart(&self, mut head: HereId, symbols: u64) -> bool {
        while head != HereId::NONE {
            let here = &self.here[head];
            if here.mask & symbols != 0 {
                return false;
            }
            head = here.next;
        }
        true
    }

    /// Adds a span of so many nodes; gives the number of the first. The others follow it.
    #[inline]
    pub(super) fn push<const TREE: bool>(
        &mut self,
        budget: &Budget<'_>,
        origin: SetId,
        ended: IdRange<EndedId>,
        mask: u64,
        way: Way,
    ) -> Result<NodeId, Error> {
        let span = if TREE { self.spans.end() } else { SpanId::new(0) };
        if TREE {
            budget.room(&mut self.spans, 1)?;
            let completion = Completion { way, more: CompletionId::NONE };
            self.spans.push(Span { first: ended.from.get(), origin, completion });
        }
        budget.room(&mut self.here, 1)?;
        let head = self.heads.slot(budget, origin, HereId::NONE)?;
        let next = std::mem::replace(head, self.here.end());
        self.here.push(Here { span, ended, mask, next });
        Ok(NodeId::of(span, MemberId::FIRST))
    }

    /// Adds a node when the sets are finished.
    pub(super) fn append(
        &mut self,
        budget: &Budget<'_>,
        origin: SetId,
        first: EndedId,
        way: Way,
    ) -> Result<NodeId, Error> {
        budget.room(&mut self.spans, 1)?;
        let completion = Completion { way, more: CompletionId::NONE };
        let span = self.spans.push(Span { first: first.get(), origin, completion });
        Ok(NodeId::of(span, MemberId::FIRST))
    }

    /// Adds one more way in which a node came about.
    pub(super) fn add<const TREE: bool>(
        &mut self,
        budget: &Budget<'_>,
        node: NodeId,
        way: Way,
    ) -> Result<(), Error> {
        if !TREE {
            return Ok(());
        }
        budget.room(&mut self.completions, 1)?;
        budget.room_in(&mut self.several)?;
        let span = &mut self.spans[node.span()];
        let head = if node.member() == MemberId::FIRST {
            &mut span.completion.more
        } else {
            span.note_several();
            self.several.entry(node).or_insert(CompletionId::NONE)
        };
        let more = std::mem::replace(head, self.completions.end());
        self.completions.push(Completion { way, more });
        Ok(())
    }

    #[inline]
    fn ended(&self, plans: &Plans, node: NodeId) -> Ended {
        plans.ended[self.spans[node.span()].first().member(node.member())]
    }

    pub(super) fn symbol(&self, plans: &Plans, node: NodeId) -> NonterminalId {
        self.ended(plans, node).symbol
    }

    /// The sum of where the nodes of some spans begin, of every third of these: all of their memory is read.
    pub(super) fn sum(&self, spans: IdRange<SpanId>) -> u32 {
        let spans = self.spans[spans].iter().step_by(3);
        spans.fold(0, |sum, span| sum.wrapping_add(span.origin.get()))
    }

    /// The set where a node begins.
    pub(super) fn origin(&self, node: NodeId) -> SetId {
        self.spans[node.span()].origin
    }

    /// The first of the ways in which a node came about.
    #[inline]
    pub(super) fn first(&self, plans: &Plans, node: NodeId) -> Completion {
        let span = &self.spans[node.span()];
        let member = node.member();
        if member == MemberId::FIRST {
            return span.completion;
        }
        let more = if !span.has_several() {
            CompletionId::NONE
        } else {
            self.several.get(&node).copied().unwrap_or_default()
        };
        let Ended { position, below, .. } = plans.ended[span.first().member(member)];
        Completion { way: Way::unit(position, NodeId::of(node.span(), below)), more }
    }

    /// The ways in which a node came about, from one of them on.
    pub(super) fn ways(&self, first: Completion) -> impl Iterator<Item = Completion> + '_ {
        let mut next = Some(first);
        std::iter::from_fn(move || {
            let completion = next?;
            next = self.completions.get(completion.more).copied();
            Some(completion)
        })
    }

    /// Leaves out the ways that are leaps; there is another one.
    pub(super) fn forget_leaps(
        &mut self,
        budget: &Budget<'_>,
        plans: &Plans,
        node: NodeId,
    ) -> Result<(), Error> {
        let ways = self.ways(self.first(plans, node)).map(|completion| completion.way);
        let ways: Vec<Way> = ways.filter(|way| !way.is_leap()).collect();
        budget.room(&mut self.completions, ways.len())?;
        budget.room_in(&mut self.several)?;
        let mut more = CompletionId::NONE;
        for &way in ways[1..].iter().rev() {
            more = self.completions.push(Completion { way, more });
        }
        if node.member() == MemberId::FIRST {
            self.spans[node.span()].completion = Completion { way: ways[0], more };
        } else {
            self.several.insert(node, more);
        }
        Ok(())
    }

    /// The nodes of a range of spans that were made with the chart.
    pub(super) fn range(&self, plans: &Plans, spans: IdRange<SpanId>) -> Vec<NodeId> {
        let mut nodes = Vec::new();
        for span in spans {
            let others = IdRange::new(self.spans[span].first().plus(1), plans.ended.end());
            let others = plans.ended[others].iter();
            // The first one of each list has none below it.
            let count = others.take_while(|ended| ended.below != MemberId::NONE).count();
            let members = (0..=count).map(MemberId::at);
            nodes.extend(members.map(|member| NodeId::of(span, member)));
        }
        nodes
    }
}
