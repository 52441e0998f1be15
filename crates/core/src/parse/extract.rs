//! From the chart to the one tree that the order of derivations prefers.
//!
//! The chart is walked from the root down, without recursion. Where a node came about in one way,
//! and that is nearly always, its children are read off the links from right to left. Elsewhere
//! the ways through the node's production are laid out as a graph, and the best one is taken.
//!
//! The order of two derivations of one text is decided at the first node, in preorder, at which
//! they differ:
//! 1. the alternative that the grammar writes first comes first;
//! 2. then the greater count of a repetition, in which no element beyond the least count is empty;
//! 3. then the longer left child, where layout belongs to the token that it precedes, and the
//!    longer layout.
//!
//! No rule derives itself over its own text, the empty one included. What bindings refuse is in no
//! chart: see [`super::binding`].

use super::chain::Chains;
use super::chart::{Chart, Source};
use super::compiled::{Back, Kind, Production};
use super::error::Error;
use super::graph::{Allowed, Graph, Vertex, Ways};
use super::id::{
    ChainId, CompletionId, EntryId, LinkId, NodeId, NonterminalId, Offset, PositionId, SpanId,
    SymbolId, TokenId,
};
use super::id_vec::IdRange;
use super::nodes::{Completion, Via};
use super::task::{Child, Passed, Task, empties, task};
use crate::id::Id as _;
use crate::table::Symbol;
use crate::tree::{Node, Tree};

/// The memory of extraction.
#[derive(Clone, Debug, Default)]
pub(super) struct Extraction {
    pub(super) tasks: Vec<Task>,
    /// The chains of nodes, and those of nonterminals over the empty text.
    pub(super) above: Chains<NodeId>,
    pub(super) empty: Chains<NonterminalId>,
    pub(super) graph: Graph,
    path: Vec<Task>,
    view: View,
    /// Where productions of a node end.
    pub(super) ends: Vec<Vertex>,
}

/// How far a chart was gone through ahead of the tree that is written.
///
/// A chart takes many times what its text does. Links lead from right to left through it, each from where the one
/// before has led, so a processor would wait for memory at each of them. What is read in order it fetches ahead.
#[derive(Clone, Copy, Debug)]
struct View {
    /// Up to where the text was written.
    at: Offset,
    /// Up to where the chart was gone through, and what that was.
    end: Offset,
    entries: EntryId,
    spans: SpanId,
}

impl Default for View {
    fn default() -> Self {
        let (at, spans) = (Offset::START, SpanId::new(0));
        Self { at, end: at, entries: EntryId::new(0), spans }
    }
}

impl View {
    /// Bytes of text that are gone through at once. Their part of the chart fits the nearer caches.
    const BYTES: u32 = 2048;

    /// Takes note of bytes that were written.
    #[inline]
    fn pass(&mut self, chart: &Chart, bytes: u32) {
        self.at = self.at.plus(bytes);
        if self.at >= self.end {
            self.go_on(chart);
        }
    }

    #[cold]
    #[pleach_unhooked::unhooked]
    fn go_on(&mut self, chart: &Chart) {
        self.end = self.at.plus(Self::BYTES);
        let mut sum = 0_u32;
        let mut last = None;
        while let Some(entry) = chart.entries.get(self.entries)
            && chart.sets[entry.set].at < self.end
        {
            sum = sum.wrapping_add(entry.state.get());
            last = Some(entry.set);
            self.entries = self.entries.plus(2);
        }
        if let Some(set) = last {
            // What extraction adds stands last, and is of any set.
            let spans = IdRange::new(self.spans, self.spans.max(chart.sets[set].spans));
            sum = sum.wrapping_add(chart.nodes.sum(spans));
            self.spans = spans.to;
        }
        std::hint::black_box(sum);
    }
}

impl Extraction {
    /// Writes the tree of a node of the whole text.
    pub(super) fn tree(
        &mut self,
        source: &Source<'_>,
        chart: &mut Chart,
        root: NodeId,
        tree: &mut Tree,
        mut inside: impl FnMut(&mut Tree, Symbol, TokenId, (usize, usize)) -> Result<(), Error>,
    ) -> Result<(), Error> {
        self.tasks.clear();
        self.above.clear();
        self.empty.clear();
        self.view = View::default();
        self.view.pass(chart, 0);
        let budget = source.work.budget;
        budget.room(&mut self.tasks, 1)?;
        let first = source.work.grammar.nonterminals[NonterminalId::TEXT].starts[0];
        let start = source.work.grammar.positions[first];
        if root == NodeId::EMPTY {
            let (item, symbol) = (start.item, start.symbol);
            self.tasks.push(Task::Empty { item, symbol, chain: ChainId::NONE });
        } else {
            chart.settle(source, root)?;
            self.expand(source, chart, root, ChainId::NONE)?;
        }
        while let Some(task) = self.tasks.pop() {
            chart.spend(source.work, source.work.end(), 1)?;
            budget.room(&mut tree.nodes, 1)?;
            let (item, choice) = match task {
                Task::Leaf { item, length } => {
                    self.view.pass(chart, length);
                    (item, length)
                }
                Task::Token { item, token, from, to } => {
                    inside(tree, item, token, (from.index(), to.index()))?;
                    self.view.pass(chart, to.since(from));
                    continue;
                }
                Task::Empties { item, symbol, chain, more } => {
                    // There is room for the two, where one was and one more is asked for.
                    budget.room(&mut self.tasks, 2)?;
                    if more > 0 {
                        self.tasks.push(Task::Empties { item, symbol, chain, more: more - 1 });
                    }
                    self.tasks.push(Task::Empty { item, symbol, chain });
                    continue;
                }
                Task::Empty { item, symbol, chain } => {
                    let terminal = symbol.terminal();
                    if let Some(token) = terminal.and_then(|t| source.work.grammar.token(t)) {
                        inside(tree, item, token, (0, 0))?;
                        continue;
                    }
                    (item, self.expand_empty(source, symbol, chain)?)
                }
                Task::Node { mut item, mut node, chain } => {
                    // Productions of one symbol above one another, as operands have them.
                    loop {
                        chart.settle(source, node)?;
                        let first = source.first(chart, node);
                        let Via::Unit(below) = first.way.via() else { break };
                        if first.more != CompletionId::NONE {
                            break;
                        }
                        let position = first.way.position();
                        let end = &source.work.grammar.positions[position];
                        budget.room(&mut tree.nodes, 2)?;
                        tree.nodes.push(Node { symbol: item, choice: end.production.choice() });
                        chart.spend(source.work, source.work.end(), 1)?;
                        item = source.work.grammar.positions[position.before()].item;
                        node = below;
                    }
                    (item, self.expand(source, chart, node, chain)?)
                }
            };
            tree.nodes.push(Node { symbol: item, choice });
        }
        Ok(())
    }

    /// Leaves the children of a node as tasks; gives its alternative or count.
    #[pleach_unhooked::unhooked]
    fn expand(
        &mut self,
        source: &Source<'_>,
        chart: &mut Chart,
        node: NodeId,
        chain: ChainId,
    ) -> Result<u32, Error> {
        let grammar = source.work.grammar;
        let nonterminal = &grammar.nonterminals[source.symbol(chart, node)];
        if nonterminal.cyclic {
            return self.expand_cyclic(source, chart, node, chain);
        }
        let first = source.first(chart, node);
        let (preferred, unique) = self.preferred(source, chart, first);
        let position = preferred.way.position();
        if let Via::Unit(node) = preferred.way.via() {
            let end = &grammar.positions[position];
            let item = grammar.positions[position.before()].item;
            source.work.budget.room(&mut self.tasks, 1)?;
            self.tasks.push(Task::Node { item, node, chain: ChainId::NONE });
            return Ok(end.production.choice());
        }
        let is_repetition = matches!(nonterminal.kind, Kind::Repetition(_));
        let is_sole = first.more == CompletionId::NONE || (unique && !is_repetition);
        if is_sole && let Via::Entry(entry) = preferred.way.via() {
            let base = self.tasks.len();
            if let Some(count) = self.walk(source, chart, node, Vertex { position, entry })? {
                let production = grammar.positions[position].production;
                return Ok(if is_repetition { count } else { production.choice() });
            }
            self.tasks.truncate(base);
        }
        let production = grammar.positions[preferred.way.position()].production;
        let found = self.best(source, chart, node, production, None)?;
        let count = found.expect("a completed node has a way through its first production");
        self.commit(source, node, ChainId::NONE, |_| false)?;
        Ok(count)
    }

    /// The completion by the first production, and whether it is the only one by that.
    fn preferred(
        &self,
        source: &Source<'_>,
        chart: &Chart,
        first: Completion,
    ) -> (Completion, bool) {
        let positions = &source.work.grammar.positions;
        let (mut preferred, mut unique) = (first, true);
        if first.more == CompletionId::NONE {
            return (preferred, unique);
        }
        for completion in chart.nodes.ways(first).skip(1) {
            let of = |c: Completion| positions[c.way.position()].production;
            if of(completion) < of(preferred) {
                (preferred, unique) = (completion, true);
            } else if of(completion) == of(preferred) {
                unique = false;
            }
        }
        (preferred, unique)
    }

    /// The productions that a node came about by, the preferred one first; for a repetition, one
    /// that stands for all.
    #[pleach_unhooked::unhooked]
    pub(super) fn productions(
        &self,
        source: &Source<'_>,
        chart: &Chart,
        node: NodeId,
    ) -> Vec<Production> {
        let positions = &source.work.grammar.positions;
        let mut productions: Vec<Production> = completions(source, chart, node)
            .map(|c| positions[c.way.position()].production)
            .collect();
        productions.sort_unstable();
        productions.dedup();
        productions
    }

    /// Reads the children of a node off the links, as long as there is one way only; gives how
    /// many there are.
    fn walk(
        &mut self,
        source: &Source<'_>,
        chart: &Chart,
        node: NodeId,
        Vertex { mut position, mut entry }: Vertex,
    ) -> Result<Option<u32>, Error> {
        let (grammar, states) = (source.work.grammar, source.states);
        let owner = &grammar.nonterminals[source.symbol(chart, node)];
        let is_repetition = matches!(owner.kind, Kind::Repetition(_));
        let mut count = 0;
        let origin = chart.nodes.origin(node);
        loop {
            source.work.budget.room(&mut self.tasks, 1)?;
            // Elements of repetitions are not empty here, so only the first begins at the origin.
            let begins = !is_repetition || chart.entries[entry].set == origin;
            match grammar.back[position] {
                Back::Begins => return Ok(Some(count)),
                Back::Over(before) if !begins || !owner.starts.contains(&position) => {
                    let link = chart.entries[entry].link;
                    if link.more != LinkId::NONE {
                        return Ok(None);
                    }
                    let edge = Passed { position: before, from: link.before, to: entry };
                    let child = Child::of(link);
                    self.tasks.extend(task(source, chart, edge, child, ChainId::NONE));
                    (entry, position, count) = (link.before, before, count + 1);
                    continue;
                }
                Back::OverLayout(before) => {
                    let state = chart.entries[entry].state;
                    if states.state(state).access == grammar.layout {
                        let link = chart.entries[entry].link;
                        if link.more != LinkId::NONE {
                            return Ok(None);
                        }
                        let edge = Passed { position: before, from: link.before, to: entry };
                        self.tasks.extend(task(
                            source,
                            chart,
                            edge,
                            Child::Terminal,
                            ChainId::NONE,
                        ));
                        entry = link.before;
                    }
                    position = before;
                    continue;
                }
                _ => {}
            }
            let state = chart.entries[entry].state;
            let access = states.state(state).access;
            if access == SymbolId::NONE && owner.starts.binary_search(&position).is_ok() {
                return Ok(Some(count));
            }
            let link = chart.entries[entry].link;
            let incoming = &grammar.incoming[position];
            let mut found = None;
            for &before in incoming {
                let symbol = grammar.positions[before].symbol;
                let nullable = grammar.is_nullable(symbol);
                let certain = !nullable && incoming.len() == 1;
                if access == symbol {
                    let from = chart.entries[link.before].state;
                    if certain || states.holds(from, before) {
                        if found.is_some() || link.more != LinkId::NONE {
                            return Ok(None);
                        }
                        found = Some((before, true));
                    }
                }
                if nullable
                    && (!is_repetition || symbol == grammar.layout)
                    && self.can_skip(source, chart, before, entry)
                {
                    if found.is_some() {
                        return Ok(None);
                    }
                    found = Some((before, false));
                }
            }
            let Some((before, moves)) = found else { return Ok(None) };
            let edge = Passed { position: before, from: link.before, to: entry };
            if moves {
                self.tasks.extend(task(source, chart, edge, Child::of(link), ChainId::NONE));
                entry = link.before;
            } else if let Some(task) = task(source, chart, edge, Child::Empty, ChainId::NONE) {
                self.tasks.push(task);
            }
            count += u32::from(grammar.positions[before].symbol != grammar.layout);
            position = before;
        }
    }

    /// Whether an entry may step over the symbol at a position.
    fn can_skip(
        &self,
        source: &Source<'_>,
        chart: &Chart,
        position: PositionId,
        entry: EntryId,
    ) -> bool {
        let grammar = source.work.grammar;
        let state = chart.entries[entry].state;
        let is_layout = grammar.positions[position].symbol == grammar.layout;
        source.states.holds(state, position)
            && !(is_layout && source.work.is_blocked(chart.at(entry)))
    }

    /// Finds the best way through a production of a node, or through a repetition, and leaves it
    /// as the path; gives the alternative or count.
    #[pleach_unhooked::unhooked]
    pub(super) fn best(
        &mut self,
        source: &Source<'_>,
        chart: &mut Chart,
        node: NodeId,
        production: Production,
        allowed: Allowed<'_>,
    ) -> Result<Option<u32>, Error> {
        let grammar = source.work.grammar;
        let nonterminal = &grammar.nonterminals[source.symbol(chart, node)];
        if !matches!(nonterminal.kind, Kind::Repetition(_)) {
            self.gather(source, chart, node, |found| found == production)?;
            let ways = Ways::Sequence;
            if !self.graph.build(source, chart, node, ways, &self.ends, allowed)? {
                return Ok(None);
            }
            self.graph.path(source, chart, ways, &self.ends, &mut self.path)?;
            return Ok(Some(production.choice()));
        }
        self.gather(source, chart, node, |_| true)?;
        if self.graph.build(source, chart, node, Ways::Filled, &self.ends, allowed)? {
            let count = self.graph.path(source, chart, Ways::Filled, &self.ends, &mut self.path)?;
            return Ok(Some(count));
        }
        let Kind::Repetition(repetition) = nonterminal.kind else { return Ok(None) };
        let least = source.work.table.repetition(repetition).min;
        // A greater one is not counted to the end, and no text here has elements for all of it: the
        // last are empty, as those beyond are.
        let counted = least.min(grammar.counted + 1);
        self.gather(source, chart, node, |found| found == Production::count(counted))?;
        if self.graph.build(source, chart, node, Ways::Least, &self.ends, allowed)? {
            self.graph.path(source, chart, Ways::Least, &self.ends, &mut self.path)?;
            if least > counted {
                source.work.budget.room(&mut self.path, 1)?;
                self.path.push(empties(
                    grammar,
                    nonterminal.starts[0],
                    ChainId::NONE,
                    least - counted - 1,
                ));
            }
            return Ok(Some(least));
        }
        Ok(None)
    }

    /// The positions and entries where productions of a node end.
    pub(super) fn gather(
        &mut self,
        source: &Source<'_>,
        chart: &Chart,
        node: NodeId,
        wanted: impl Fn(Production) -> bool,
    ) -> Result<(), Error> {
        self.ends.clear();
        for completion in completions(source, chart, node) {
            let position = completion.way.position();
            let production = source.work.grammar.positions[position].production;
            if wanted(production)
                && let Via::Entry(entry) = completion.way.via()
            {
                source.work.budget.room(&mut self.ends, 1)?;
                self.ends.push(Vertex { position, entry });
            }
        }
        Ok(())
    }

    /// Turns the path into tasks. Children with the node's own text get a chain that leads over it.
    pub(super) fn commit(
        &mut self,
        source: &Source<'_>,
        node: NodeId,
        chain: ChainId,
        same_text: impl Fn(NodeId) -> bool,
    ) -> Result<(), Error> {
        source.work.budget.room(&mut self.tasks, self.path.len())?;
        let mut longer = ChainId::NONE;
        for &task in self.path.iter().rev() {
            self.tasks.push(match task {
                Task::Node { item, node: child, .. } if same_text(child) => {
                    if longer == ChainId::NONE {
                        longer = self.above.push(source.work.budget, node, chain)?;
                    }
                    Task::Node { item, node: child, chain: longer }
                }
                task => task,
            });
        }
        Ok(())
    }
}

pub(super) fn completions<'s>(
    source: &Source<'_>,
    chart: &'s Chart,
    node: NodeId,
) -> impl Iterator<Item = Completion> + use<'s> {
    chart.nodes.ways(source.first(chart, node))
}
