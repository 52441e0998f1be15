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

use super::chart::{Chart, Link, Work};
use super::compiled::{Back, Compiled, Kind, NONE};
use super::error::Error;
use super::graph::{Allowed, Graph, Ways};
use super::nodes::{Completion, EMPTY, UNIT};
use super::states::States;
use crate::table::Symbol;
use crate::tree::{Node, Tree};

/// What is still to be written, the next last.
#[derive(Clone, Copy, Debug)]
pub(super) enum Task {
    /// A node of the chart. The chain leads over the nodes above with the same text, as far as
    /// they could derive themselves.
    Node { item: Symbol, node: u32, chain: u32 },
    /// A symbol over the empty text. The chain leads over nonterminals.
    Empty { item: Symbol, symbol: u32, chain: u32 },
    /// The same so many times, and once more.
    Empties { item: Symbol, symbol: u32, chain: u32, more: u32 },
    /// A terminal or layout.
    Leaf { item: Symbol, length: u32 },
    /// A token that is a rule or repetition.
    Token { item: Symbol, token: u32, from: u32, length: u32 },
}

/// What stands on an edge.
#[derive(Clone, Copy, Debug)]
pub(super) enum Child {
    Empty,
    Terminal,
    Node(u32),
}

impl Child {
    fn of(link: Link) -> Self {
        if link.child == NONE { Self::Terminal } else { Self::Node(link.child) }
    }
}

/// The memory of extraction.
#[derive(Clone, Debug, Default)]
pub(super) struct Extraction {
    pub(super) tasks: Vec<Task>,
    /// Chains: an element, and the rest.
    pub(super) chains: Vec<(u32, u32)>,
    pub(super) graph: Graph,
    path: Vec<Task>,
    view: View,
    pub(super) ends: Vec<(u32, u32)>,
}

/// How far a chart was gone through ahead of the tree that is written.
///
/// A chart takes many times what its text does. Links lead from right to left through it, each from where the one
/// before has led, so a processor would wait for memory at each of them. What is read in order it fetches ahead.
#[derive(Clone, Copy, Debug, Default)]
struct View {
    /// The bytes that were written.
    at: u32,
    /// The offset up to which the chart was gone through, and what that was.
    end: u32,
    entries: usize,
    spans: u32,
}

impl View {
    /// Bytes of text that are gone through at once. Their part of the chart fits the nearer caches.
    const BYTES: u32 = 2048;

    /// Takes note of bytes that were written.
    #[inline]
    fn pass(&mut self, chart: &Chart, bytes: u32) {
        self.at += bytes;
        if self.at >= self.end {
            self.go_on(chart);
        }
    }

    #[cold]
    #[pleach_unhooked::unhooked]
    fn go_on(&mut self, chart: &Chart) {
        self.end = self.at.saturating_add(Self::BYTES);
        let mut sum = 0_u32;
        let mut last = None;
        while let Some(entry) = chart.entries.get(self.entries)
            && chart.sets[entry.set as usize].at < self.end
        {
            sum = sum.wrapping_add(entry.state);
            last = Some(entry.set);
            self.entries += 2;
        }
        if let Some(set) = last {
            let spans = chart.sets[set as usize].spans;
            sum = sum.wrapping_add(chart.nodes.sum(self.spans, spans));
            // What extraction adds stands last, and is of any set.
            self.spans = self.spans.max(spans);
        }
        std::hint::black_box(sum);
    }
}

/// What extraction reads.
pub(super) struct Source<'p> {
    pub(super) work: &'p Work<'p>,
    pub(super) states: &'p States,
}

impl Source<'_> {
    pub(super) fn symbol(&self, chart: &Chart, node: u32) -> u32 {
        chart.nodes.symbol(&self.states.plans, node)
    }

    /// The first of the ways in which a node came about.
    #[inline]
    pub(super) fn first(&self, chart: &Chart, node: u32) -> Completion {
        chart.nodes.first(&self.states.plans, node)
    }
}

impl Extraction {
    /// Writes the tree of a node of the whole text.
    pub(super) fn tree(
        &mut self,
        source: &Source<'_>,
        chart: &mut Chart,
        root: u32,
        tree: &mut Tree,
        mut inside: impl FnMut(&mut Tree, Symbol, u32, (usize, usize)) -> Result<(), Error>,
    ) -> Result<(), Error> {
        self.tasks.clear();
        self.chains.clear();
        self.view = View::default();
        self.view.pass(chart, 0);
        let budget = source.work.budget;
        budget.room(&mut self.tasks, 1)?;
        let first = source.work.grammar.nonterminals[0].starts[0];
        let start = source.work.grammar.positions[first as usize];
        if root == EMPTY {
            self.tasks.push(Task::Empty { item: start.item, symbol: start.symbol, chain: NONE });
        } else {
            chart.settle(source, root)?;
            self.expand(source, chart, root, NONE)?;
        }
        while let Some(task) = self.tasks.pop() {
            chart.spend(source.work, source.work.text.len() as u32, 1)?;
            budget.room(&mut tree.nodes, 1)?;
            let (item, choice) = match task {
                Task::Leaf { item, length } => {
                    self.view.pass(chart, length);
                    (item, length)
                }
                Task::Token { item, token, from, length } => {
                    let (from, length) = (from as usize, length as usize);
                    inside(tree, item, token, (from, from + length))?;
                    self.view.pass(chart, length as u32);
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
                    let terminal = source.work.grammar.terminal(symbol);
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
                        if first.more != NONE || first.entry & UNIT == 0 {
                            break;
                        }
                        let end = &source.work.grammar.positions[first.position as usize];
                        budget.room(&mut tree.nodes, 2)?;
                        tree.nodes.push(Node { symbol: item, choice: end.production });
                        chart.spend(source.work, source.work.text.len() as u32, 1)?;
                        item = source.work.grammar.positions[first.position as usize - 1].item;
                        node = first.entry & !UNIT;
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
        node: u32,
        chain: u32,
    ) -> Result<u32, Error> {
        let grammar = source.work.grammar;
        let nonterminal = &grammar.nonterminals[source.symbol(chart, node) as usize];
        if nonterminal.cyclic {
            return self.expand_cyclic(source, chart, node, chain);
        }
        let first = source.first(chart, node);
        let (preferred, unique) = self.preferred(source, chart, first);
        if preferred.entry & UNIT != 0 && preferred.entry != NONE {
            let end = &grammar.positions[preferred.position as usize];
            let item = grammar.positions[preferred.position as usize - 1].item;
            let node = preferred.entry & !UNIT;
            source.work.budget.room(&mut self.tasks, 1)?;
            self.tasks.push(Task::Node { item, node, chain: NONE });
            return Ok(end.production);
        }
        let is_repetition = matches!(nonterminal.kind, Kind::Repetition(_));
        if first.more == NONE || (unique && !is_repetition) {
            let base = self.tasks.len();
            if let Some(count) = self.walk(source, chart, node, preferred)? {
                let production = grammar.positions[preferred.position as usize].production;
                return Ok(if is_repetition { count } else { production });
            }
            self.tasks.truncate(base);
        }
        let productions = self.productions(source, chart, node);
        let found = self.best(source, chart, node, productions[0], None)?;
        let count = found.expect("a completed node has a way through its first production");
        self.commit(source, node, NONE, |_| false)?;
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
        if first.more == NONE {
            return (preferred, unique);
        }
        for completion in chart.nodes.ways(first).skip(1) {
            let of = |c: Completion| positions[c.position as usize].production;
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
    pub(super) fn productions(&self, source: &Source<'_>, chart: &Chart, node: u32) -> Vec<u32> {
        let positions = &source.work.grammar.positions;
        let mut productions: Vec<u32> = completions(source, chart, node)
            .map(|c| positions[c.position as usize].production)
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
        node: u32,
        Completion { position, entry, .. }: Completion,
    ) -> Result<Option<u32>, Error> {
        let (grammar, states) = (source.work.grammar, source.states);
        let owner = &grammar.nonterminals[source.symbol(chart, node) as usize];
        let is_repetition = matches!(owner.kind, Kind::Repetition(_));
        let (mut position, mut entry, mut count) = (position, entry, 0);
        let origin = chart.nodes.origin(node);
        loop {
            source.work.budget.room(&mut self.tasks, 1)?;
            // Elements of repetitions are not empty here, so only the first begins at the origin.
            let begins = !is_repetition || chart.entries[entry as usize].set == origin;
            match grammar.back[position as usize] {
                Back::Begins => return Ok(Some(count)),
                Back::Over(before) if !begins || !owner.starts.contains(&position) => {
                    let link = chart.entries[entry as usize].link;
                    if link.more != NONE {
                        return Ok(None);
                    }
                    let edge = Position { index: before, from: link.before, to: entry };
                    let child = Child::of(link);
                    self.tasks.extend(task(source, chart, edge, child, NONE));
                    (entry, position, count) = (link.before, before, count + 1);
                    continue;
                }
                Back::OverLayout(before) => {
                    let state = chart.entries[entry as usize].state;
                    if states.state(state).access == grammar.layout {
                        let link = chart.entries[entry as usize].link;
                        if link.more != NONE {
                            return Ok(None);
                        }
                        let edge = Position { index: before, from: link.before, to: entry };
                        self.tasks.extend(task(source, chart, edge, Child::Terminal, NONE));
                        entry = link.before;
                    }
                    position = before;
                    continue;
                }
                _ => {}
            }
            let state = chart.entries[entry as usize].state;
            let access = states.state(state).access;
            if access == NONE && owner.starts.binary_search(&position).is_ok() {
                return Ok(Some(count));
            }
            let link = chart.entries[entry as usize].link;
            let incoming = &grammar.incoming[position as usize];
            let mut found = None;
            for &before in incoming {
                let symbol = grammar.positions[before as usize].symbol;
                let nullable = grammar.is_nullable(symbol);
                let certain = !nullable && incoming.len() == 1;
                if access == symbol {
                    let from = chart.entries[link.before as usize].state;
                    if certain || states.holds(from, before) {
                        if found.is_some() || link.more != NONE {
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
            let edge = Position { index: before, from: link.before, to: entry };
            if moves {
                self.tasks.extend(task(source, chart, edge, Child::of(link), NONE));
                entry = link.before;
            } else if let Some(task) = task(source, chart, edge, Child::Empty, NONE) {
                self.tasks.push(task);
            }
            count += u32::from(grammar.positions[before as usize].symbol != grammar.layout);
            position = before;
        }
    }

    /// Whether an entry may step over the symbol at a position.
    fn can_skip(&self, source: &Source<'_>, chart: &Chart, position: u32, entry: u32) -> bool {
        let grammar = source.work.grammar;
        let state = chart.entries[entry as usize].state;
        let is_layout = grammar.positions[position as usize].symbol == grammar.layout;
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
        node: u32,
        production: u32,
        allowed: Allowed<'_>,
    ) -> Result<Option<u32>, Error> {
        let grammar = source.work.grammar;
        let nonterminal = &grammar.nonterminals[source.symbol(chart, node) as usize];
        if !matches!(nonterminal.kind, Kind::Repetition(_)) {
            self.gather(source, chart, node, |found| found == production)?;
            let ways = Ways::Sequence;
            if !self.graph.build(source, chart, node, ways, &self.ends, allowed)? {
                return Ok(None);
            }
            self.graph.path(source, chart, ways, &self.ends, &mut self.path)?;
            return Ok(Some(production));
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
        self.gather(source, chart, node, |found| found == counted)?;
        if self.graph.build(source, chart, node, Ways::Least, &self.ends, allowed)? {
            self.graph.path(source, chart, Ways::Least, &self.ends, &mut self.path)?;
            if least > counted {
                source.work.budget.room(&mut self.path, 1)?;
                self.path.push(empties(grammar, nonterminal.starts[0], NONE, least - counted - 1));
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
        node: u32,
        wanted: impl Fn(u32) -> bool,
    ) -> Result<(), Error> {
        self.ends.clear();
        for completion in completions(source, chart, node) {
            let position = &source.work.grammar.positions[completion.position as usize];
            if wanted(position.production) {
                source.work.budget.room(&mut self.ends, 1)?;
                self.ends.push((completion.position, completion.entry));
            }
        }
        Ok(())
    }

    /// Turns the path into tasks. Children with the node's own text get a chain that leads over it.
    pub(super) fn commit(
        &mut self,
        source: &Source<'_>,
        node: u32,
        chain: u32,
        same_text: impl Fn(u32) -> bool,
    ) -> Result<(), Error> {
        source.work.budget.room(&mut self.tasks, self.path.len())?;
        source.work.budget.room(&mut self.chains, 1)?;
        let mut longer = NONE;
        for &task in self.path.iter().rev() {
            self.tasks.push(match task {
                Task::Node { item, node: child, .. } if same_text(child) => {
                    if longer == NONE {
                        longer = self.chains.len() as u32;
                        self.chains.push((node, chain));
                    }
                    Task::Node { item, node: child, chain: longer }
                }
                task => task,
            });
        }
        Ok(())
    }

    pub(super) fn chain(&self, mut chain: u32) -> impl Iterator<Item = u32> + '_ {
        std::iter::from_fn(move || {
            let &(element, rest) = self.chains.get(chain as usize)?;
            chain = rest;
            Some(element)
        })
    }
}

/// What is to be written for an element of a repetition that is empty so many times, and once more.
pub(super) fn empties(grammar: &Compiled, start: u32, chain: u32, more: u32) -> Task {
    let mut position = &grammar.positions[start as usize];
    if position.symbol == grammar.layout {
        position = &grammar.positions[position.target as usize];
    }
    Task::Empties { item: position.item, symbol: position.symbol, chain, more }
}

pub(super) fn completions<'s>(
    source: &Source<'_>,
    chart: &'s Chart,
    node: u32,
) -> impl Iterator<Item = Completion> + use<'s> {
    chart.nodes.ways(source.first(chart, node))
}

/// A position that is passed, and the entries before and after.
pub(super) struct Position {
    pub(super) index: u32,
    pub(super) from: u32,
    pub(super) to: u32,
}

/// What is to be written for a symbol that is passed; nothing for layout that is empty.
pub(super) fn task(
    source: &Source<'_>,
    chart: &Chart,
    Position { index, from, to }: Position,
    child: Child,
    chain: u32,
) -> Option<Task> {
    let position = &source.work.grammar.positions[index as usize];
    let (item, symbol) = (position.item, position.symbol);
    match child {
        Child::Node(node) => Some(Task::Node { item, node, chain }),
        Child::Terminal => {
            let (from, to) = (chart.at(from), chart.at(to));
            let grammar = source.work.grammar;
            let terminal = grammar.terminal(symbol).expect("the child is one");
            Some(match grammar.token(terminal) {
                Some(token) => Task::Token { item, token, from, length: to - from },
                None => Task::Leaf { item, length: to - from },
            })
        }
        Child::Empty if symbol == source.work.grammar.layout => None,
        Child::Empty => Some(Task::Empty { item, symbol, chain }),
    }
}
