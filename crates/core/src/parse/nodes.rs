//! The nodes of the chart: nonterminals over parts of the text, and how they came about.
//!
//! Productions of one symbol stand above one another by the dozen, as operands have them. A plan
//! says which, so the nodes of one plan are kept as one span: the first of them, and where in the
//! plans the others are.

use fxhash::FxHashMap;

use super::budget::Budget;
use super::compiled::NONE;
use super::error::Error;
use super::index::Index;
use super::plan::{Ended, Plans};

/// Set in [`Completion::entry`] where a production is one symbol, whose node the rest is.
pub(super) const UNIT: u32 = 1 << 31;

/// Stands in [`Completion::position`] where a leap led to the node.
pub(super) const LEAP: u32 = u32::MAX;

/// The node of the whole text where that is empty.
pub(super) const EMPTY: u32 = u32::MAX - 1;

/// The bits of a node's number that say which of its span it is; the others are the span.
const WIDTH: u32 = 5;

/// The most nodes of a span.
pub(super) const MOST_NODES: usize = 1 << WIDTH;

/// The most spans: [`UNIT`] is no part of a number.
pub(super) const MOST_SPANS: usize = (UNIT >> WIDTH) as usize;

/// Nodes with the same text, one above the other.
#[derive(Clone, Copy, Debug)]
struct Span {
    /// The first one in [`Plans::ended`]; [`SEVERAL`] is added where a node came about in several
    /// ways and is not the first.
    first: u32,
    /// The set where they begin.
    origin: u32,
    /// How the first one came about.
    completion: Completion,
}

const SEVERAL: u32 = 1 << 31;

/// How a node came about: an entry, and a position of its state where a production ends.
#[derive(Clone, Copy, Debug)]
pub(super) struct Completion {
    pub(super) position: u32,
    /// That entry; where [`UNIT`] is set the node of the one symbol of the production; the leap
    /// where the position is [`LEAP`].
    pub(super) entry: u32,
    /// The next one of the same node in [`Nodes::completions`], or [`NONE`].
    pub(super) more: u32,
}

/// A span of the set that is being made.
#[derive(Clone, Copy, Debug)]
struct Here {
    span: u32,
    /// Its nodes, in [`Plans::ended`].
    ended: (u32, u32),
    /// A bit for each of their symbols.
    mask: u64,
    /// The next one with the same origin.
    next: u32,
}

/// The nodes of a chart.
#[derive(Clone, Debug, Default)]
pub(super) struct Nodes {
    spans: Vec<Span>,
    completions: Vec<Completion>,
    /// The further ways of nodes that are not the first of their spans.
    several: FxHashMap<u32, u32>,
    here: Vec<Here>,
    /// The spans of the set that is being made, by their origins.
    heads: Index,
}

/// The bit of a symbol in a mask.
pub(super) fn bit(symbol: u32) -> u64 {
    1 << (symbol.wrapping_mul(0x9E37_79B9) >> 26)
}

/// Which of its span a node is.
fn index(node: u32) -> u32 {
    node & ((1 << WIDTH) - 1)
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

    pub(super) fn len(&self) -> usize {
        self.spans.len()
    }

    /// About how many bytes the nodes take.
    pub(super) fn memory(&self) -> u64 {
        let words = 5 * self.spans.len() + 3 * self.completions.len() + 4 * self.several.len();
        4 * words as u64
    }

    /// The spans of this set that begin at an origin, to be looked for in.
    #[inline]
    pub(super) fn head(&mut self, budget: &Budget<'_>, origin: u32) -> Result<u32, Error> {
        Ok(*self.heads.slot(budget, origin)?)
    }

    /// The node of a symbol among some spans.
    #[inline]
    pub(super) fn find(&self, plans: &Plans, mut head: u32, symbol: u32) -> Option<u32> {
        while head != NONE {
            let Here { span, ended: (from, to), mask, next } = self.here[head as usize];
            if mask & bit(symbol) != 0 {
                let ended = &plans.ended[from as usize..to as usize];
                // A plan may have a symbol twice, and the first one counts.
                if let Some(index) = ended.iter().position(|ended| ended.symbol == symbol) {
                    return Some(span << WIDTH | index as u32);
                }
            }
            head = next;
        }
        None
    }

    /// Whether none of some symbols is among some spans.
    #[inline]
    pub(super) fn are_apart(&self, mut head: u32, symbols: u64) -> bool {
        while head != NONE {
            let here = &self.here[head as usize];
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
        origin: u32,
        ended: (u32, u32),
        mask: u64,
        (position, entry): (u32, u32),
    ) -> Result<u32, Error> {
        let span = if TREE { self.spans.len() as u32 } else { 0 };
        if TREE {
            budget.room(&mut self.spans, 1)?;
            let completion = Completion { position, entry, more: NONE };
            self.spans.push(Span { first: ended.0, origin, completion });
        }
        budget.room(&mut self.here, 1)?;
        let index = self.here.len() as u32;
        let next = std::mem::replace(self.heads.slot(budget, origin)?, index);
        self.here.push(Here { span, ended, mask, next });
        Ok(span << WIDTH)
    }

    /// Adds a node when the sets are finished.
    pub(super) fn append(
        &mut self,
        budget: &Budget<'_>,
        origin: u32,
        first: u32,
        (position, entry): (u32, u32),
    ) -> Result<u32, Error> {
        budget.room(&mut self.spans, 1)?;
        let span = self.spans.len() as u32;
        let completion = Completion { position, entry, more: NONE };
        self.spans.push(Span { first, origin, completion });
        Ok(span << WIDTH)
    }

    /// Adds one more way in which a node came about.
    pub(super) fn add<const TREE: bool>(
        &mut self,
        budget: &Budget<'_>,
        node: u32,
        (position, entry): (u32, u32),
    ) -> Result<(), Error> {
        if !TREE {
            return Ok(());
        }
        budget.room(&mut self.completions, 1)?;
        budget.room_in(&mut self.several)?;
        let more = self.completions.len() as u32;
        let span = &mut self.spans[(node >> WIDTH) as usize];
        let head = if index(node) == 0 {
            &mut span.completion.more
        } else {
            span.first |= SEVERAL;
            self.several.entry(node).or_insert(NONE)
        };
        let more = std::mem::replace(head, more);
        self.completions.push(Completion { position, entry, more });
        Ok(())
    }

    #[inline]
    fn ended(&self, plans: &Plans, node: u32) -> Ended {
        let first = self.spans[(node >> WIDTH) as usize].first & !SEVERAL;
        plans.ended[(first + index(node)) as usize]
    }

    pub(super) fn symbol(&self, plans: &Plans, node: u32) -> u32 {
        self.ended(plans, node).symbol
    }

    /// The sum of where the nodes of some spans begin, of every third of these: all of their memory is read.
    pub(super) fn sum(&self, from: u32, to: u32) -> u32 {
        let spans = &self.spans[from as usize..to.max(from) as usize];
        spans.iter().step_by(3).fold(0, |sum, span| sum.wrapping_add(span.origin))
    }

    /// The set where a node begins.
    pub(super) fn origin(&self, node: u32) -> u32 {
        self.spans[(node >> WIDTH) as usize].origin
    }

    /// The first of the ways in which a node came about.
    #[inline]
    pub(super) fn first(&self, plans: &Plans, node: u32) -> Completion {
        let span = &self.spans[(node >> WIDTH) as usize];
        let index = index(node);
        if index == 0 {
            return span.completion;
        }
        let more = if span.first & SEVERAL == 0 {
            NONE
        } else {
            self.several.get(&node).copied().unwrap_or(NONE)
        };
        let Ended { position, below, .. } = plans.ended[((span.first & !SEVERAL) + index) as usize];
        Completion { position, entry: UNIT | (node - index + below), more }
    }

    /// The ways in which a node came about, from one of them on.
    pub(super) fn ways(&self, first: Completion) -> impl Iterator<Item = Completion> + '_ {
        let mut next = Some(first);
        std::iter::from_fn(move || {
            let completion = next?;
            next = self.completions.get(completion.more as usize).copied();
            Some(completion)
        })
    }

    /// Leaves out the ways that are leaps; there is another one.
    pub(super) fn forget_leaps(
        &mut self,
        budget: &Budget<'_>,
        plans: &Plans,
        node: u32,
    ) -> Result<(), Error> {
        let ways: Vec<Completion> =
            self.ways(self.first(plans, node)).filter(|way| way.position != LEAP).collect();
        budget.room(&mut self.completions, ways.len())?;
        budget.room_in(&mut self.several)?;
        let is_first = index(node) == 0;
        let mut more = NONE;
        for &Completion { position, entry, .. } in ways[1..].iter().rev() {
            let index = self.completions.len() as u32;
            self.completions.push(Completion { position, entry, more });
            more = index;
        }
        if is_first {
            self.spans[(node >> WIDTH) as usize].completion = Completion { more, ..ways[0] };
        } else {
            self.several.insert(node, more);
        }
        Ok(())
    }

    /// The nodes of a range of spans that were made with the chart.
    pub(super) fn range(&self, plans: &Plans, from: u32, to: u32) -> Vec<u32> {
        let mut nodes = Vec::new();
        for span in from..to {
            let first = (self.spans[span as usize].first & !SEVERAL) as usize;
            // The first one of each list has none below it.
            let others = plans.ended[first + 1..].iter().take_while(|ended| ended.below != NONE);
            nodes.extend((0..=others.count() as u32).map(|index| span << WIDTH | index));
        }
        nodes
    }
}
