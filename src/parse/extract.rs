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
//! No rule derives itself over its own text, the empty one included.

use fxhash::{FxHashMap, FxHashSet};

use super::chart::{Chart, Link, Work};
use super::compile::{Back, Kind, NONE};
use super::error::Error;
use super::nodes::{Completion, EMPTY, UNIT};
use super::states::States;
use crate::table::Symbol;
use crate::tree::{Node, Tree};

/// What is still to be written, the next last.
#[derive(Clone, Copy, Debug)]
enum Task {
    /// A node of the chart. The chain leads over the nodes above with the same text, as far as
    /// they could derive themselves.
    Node { item: Symbol, node: u32, chain: u32 },
    /// A symbol over the empty text. The chain leads over nonterminals.
    Empty { item: Symbol, symbol: u32, chain: u32 },
    /// A terminal or layout.
    Leaf { item: Symbol, length: u32 },
    /// A token that is a rule or repetition.
    Token { item: Symbol, token: u32, from: u32, length: u32 },
}

/// What stands on an edge.
#[derive(Clone, Copy, Debug)]
enum Child {
    Empty,
    Terminal,
    Node(u32),
}

impl Child {
    fn of(link: Link) -> Self {
        if link.child == NONE { Self::Terminal } else { Self::Node(link.child) }
    }
}

/// A step through a production, from a vertex to a later one.
#[derive(Clone, Copy, Debug)]
struct Edge {
    from: u32,
    to: u32,
    child: Child,
}

/// Which ways through a production count.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Ways {
    /// All of an alternative.
    Sequence,
    /// Those of a repetition in which no element is empty.
    Filled,
    /// Those of a repetition with its least count.
    Least,
}

/// The ways through the productions of one node, as a graph. A vertex is a position and an entry.
#[derive(Clone, Debug, Default)]
struct Graph {
    known: FxHashMap<(u32, u32), u32>,
    vertices: Vec<(u32, u32)>,
    edges: Vec<Edge>,
    /// Where the edges from each vertex begin.
    offsets: Vec<u32>,
    /// The most elements of a repetition from each vertex on, plus one.
    counts: Vec<u32>,
    order: Vec<u32>,
    start: u32,
}

/// The memory of extraction.
#[derive(Clone, Debug, Default)]
pub(super) struct Extraction {
    tasks: Vec<Task>,
    /// Chains: an element, and the rest.
    chains: Vec<(u32, u32)>,
    graph: Graph,
    path: Vec<Task>,
    ends: Vec<(u32, u32)>,
}

/// What extraction reads.
pub(super) struct Source<'p> {
    pub(super) work: &'p Work<'p>,
    pub(super) states: &'p States,
}

impl Source<'_> {
    fn symbol(&self, chart: &Chart, node: u32) -> u32 {
        chart.nodes.symbol(&self.states.plans, node)
    }

    /// The first of the ways in which a node came about.
    #[inline]
    fn first(&self, chart: &Chart, node: u32) -> Completion {
        chart.nodes.first(&self.states.plans, node)
    }
}

/// Nodes over the text of the one above that may be used there; none where all may.
type Allowed<'s> = Option<&'s FxHashSet<u32>>;

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
            let (item, choice) = match task {
                Task::Leaf { item, length } => (item, length),
                Task::Token { item, token, from, length } => {
                    let (from, length) = (from as usize, length as usize);
                    inside(tree, item, token, (from, from + length))?;
                    continue;
                }
                Task::Empty { item, symbol, chain } => {
                    let terminal = source.work.grammar.terminal(symbol);
                    if let Some(token) = terminal.and_then(|t| source.work.grammar.token(t)) {
                        inside(tree, item, token, (0, 0))?;
                        continue;
                    }
                    (item, self.expand_empty(source, symbol, chain))
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
            self.tasks.push(Task::Node { item, node, chain: NONE });
            return Ok(end.production);
        }
        let is_repetition = matches!(nonterminal.kind, Kind::Repetition(_));
        if first.more == NONE || (unique && !is_repetition) {
            let base = self.tasks.len();
            if let Some(count) = self.walk(source, chart, node, preferred) {
                let production = grammar.positions[preferred.position as usize].production;
                return Ok(if is_repetition { count } else { production });
            }
            self.tasks.truncate(base);
        }
        let productions = self.productions(source, chart, node);
        let found = self.best(source, chart, node, productions[0], None)?;
        let count = found.expect("a completed node has a way through its first production");
        self.commit(node, NONE, |_| false);
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
    fn productions(&self, source: &Source<'_>, chart: &Chart, node: u32) -> Vec<u32> {
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
    ) -> Option<u32> {
        let (grammar, states) = (source.work.grammar, source.states);
        let owner = &grammar.nonterminals[source.symbol(chart, node) as usize];
        let is_repetition = matches!(owner.kind, Kind::Repetition(_));
        let (mut position, mut entry, mut count) = (position, entry, 0);
        let origin = chart.nodes.origin(node);
        loop {
            // Elements of repetitions are not empty here, so only the first begins at the origin.
            let begins = !is_repetition || chart.entries[entry as usize].set == origin;
            match grammar.back[position as usize] {
                Back::Begins => return Some(count),
                Back::Over(before) if !begins || !owner.starts.contains(&position) => {
                    let link = chart.entries[entry as usize].link;
                    if link.more != NONE {
                        return None;
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
                            return None;
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
                return Some(count);
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
                            return None;
                        }
                        found = Some((before, true));
                    }
                }
                if nullable
                    && (!is_repetition || symbol == grammar.layout)
                    && self.can_skip(source, chart, before, entry)
                {
                    if found.is_some() {
                        return None;
                    }
                    found = Some((before, false));
                }
            }
            let (before, moves) = found?;
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
    fn best(
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
            self.gather(source, chart, node, |found| found == production);
            let ways = Ways::Sequence;
            if !self.graph.build(source, chart, node, ways, &self.ends, allowed)? {
                return Ok(None);
            }
            self.graph.path(source, chart, ways, &self.ends, &mut self.path);
            return Ok(Some(production));
        }
        self.gather(source, chart, node, |_| true);
        if self.graph.build(source, chart, node, Ways::Filled, &self.ends, allowed)? {
            let count = self.graph.path(source, chart, Ways::Filled, &self.ends, &mut self.path);
            return Ok(Some(count));
        }
        let Kind::Repetition(repetition) = nonterminal.kind else { return Ok(None) };
        let least = source.work.table.repetition(repetition).min;
        self.gather(source, chart, node, |found| found == least);
        if self.graph.build(source, chart, node, Ways::Least, &self.ends, allowed)? {
            let count = self.graph.path(source, chart, Ways::Least, &self.ends, &mut self.path);
            return Ok(Some(count));
        }
        Ok(None)
    }

    /// The positions and entries where productions of a node end.
    fn gather(
        &mut self,
        source: &Source<'_>,
        chart: &Chart,
        node: u32,
        wanted: impl Fn(u32) -> bool,
    ) {
        self.ends.clear();
        for completion in completions(source, chart, node) {
            let position = &source.work.grammar.positions[completion.position as usize];
            if wanted(position.production) {
                self.ends.push((completion.position, completion.entry));
            }
        }
    }

    /// Turns the path into tasks. Children with the node's own text get a chain that leads over it.
    fn commit(&mut self, node: u32, chain: u32, same_text: impl Fn(u32) -> bool) {
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
    }

    fn chain(&self, mut chain: u32) -> impl Iterator<Item = u32> + '_ {
        std::iter::from_fn(move || {
            let &(element, rest) = self.chains.get(chain as usize)?;
            chain = rest;
            Some(element)
        })
    }

    /// As [`Extraction::expand`], of a node that may derive itself: no node of the chain stands
    /// below.
    fn expand_cyclic(
        &mut self,
        source: &Source<'_>,
        chart: &mut Chart,
        node: u32,
        chain: u32,
    ) -> Result<u32, Error> {
        let mut forbidden: FxHashSet<u32> = self.chain(chain).collect();
        forbidden.insert(node);
        let mut component = vec![node];
        let mut next = 0;
        while let Some(&member) = component.get(next) {
            next += 1;
            chart.settle(source, member)?;
            for production in self.productions(source, chart, member) {
                for ways in self.ways(source, chart, member) {
                    self.gather_for(source, chart, member, production, ways);
                    self.graph.build(source, chart, member, ways, &self.ends, None)?;
                    for edge in &self.graph.edges {
                        if let Child::Node(child) = edge.child
                            && same_text(source, chart, child, node)
                            && !forbidden.contains(&child)
                            && !component.contains(&child)
                        {
                            component.push(child);
                        }
                    }
                }
            }
        }
        let mut allowed = FxHashSet::default();
        let mut changed = true;
        while changed {
            changed = false;
            for &member in &component[1..] {
                if allowed.contains(&member) {
                    continue;
                }
                for production in self.productions(source, chart, member) {
                    if self.best(source, chart, member, production, Some(&allowed))?.is_some() {
                        allowed.insert(member);
                        changed = true;
                        break;
                    }
                }
            }
        }
        for production in self.productions(source, chart, node) {
            if let Some(choice) = self.best(source, chart, node, production, Some(&allowed))? {
                let same = |child: u32| same_text(source, chart, child, node);
                self.commit(node, chain, same);
                return Ok(choice);
            }
        }
        unreachable!("a derivation without repetition is shorter than one with it")
    }

    fn ways(&self, source: &Source<'_>, chart: &Chart, node: u32) -> &'static [Ways] {
        let symbol = source.symbol(chart, node);
        match source.work.grammar.nonterminals[symbol as usize].kind {
            Kind::Repetition(_) => &[Ways::Filled, Ways::Least],
            _ => &[Ways::Sequence],
        }
    }

    fn gather_for(
        &mut self,
        source: &Source<'_>,
        chart: &Chart,
        node: u32,
        production: u32,
        ways: &Ways,
    ) {
        match ways {
            Ways::Filled => self.gather(source, chart, node, |_| true),
            _ => self.gather(source, chart, node, |found| found == production),
        }
    }

    /// Leaves the children of a symbol over the empty text as tasks; gives its alternative or
    /// count, or 0 for a terminal.
    fn expand_empty(&mut self, source: &Source<'_>, symbol: u32, chain: u32) -> u32 {
        let grammar = source.work.grammar;
        if grammar.terminal(symbol).is_some() {
            return 0;
        }
        let nonterminal = &grammar.nonterminals[symbol as usize];
        let mut below = NONE;
        if nonterminal.cyclic {
            below = self.chains.len() as u32;
            self.chains.push((symbol, chain));
        }
        if let Kind::Repetition(repetition) = nonterminal.kind {
            let least = source.work.table.repetition(repetition).min;
            let start = nonterminal.starts[0];
            for _ in 0..least {
                self.push_empty(source, start, below, 1);
            }
            return least;
        }
        let start = if nonterminal.cyclic {
            let forbidden: FxHashSet<u32> = self.chain(below).collect();
            let nullable = nullable_without(source, &forbidden);
            let fits = |&&start: &&u32| {
                production(source, start).all(|p| {
                    let symbol = grammar.positions[p as usize].symbol;
                    match grammar.terminal(symbol) {
                        Some(_) => grammar.is_nullable(symbol),
                        None => nullable[symbol as usize],
                    }
                })
            };
            nonterminal.starts.iter().find(fits)
        } else {
            nonterminal.starts.iter().find(|&&start| grammar.rest_nullable[start as usize])
        };
        let &start = start.expect("what derives the empty string does so without repetition");
        let length = production(source, start).count();
        self.push_empty(source, start, below, length);
        grammar.positions[start as usize + length].production
    }

    /// Pushes the symbols of so many positions, and of the layout among them none.
    fn push_empty(&mut self, source: &Source<'_>, start: u32, chain: u32, length: usize) {
        let positions = &source.work.grammar.positions[start as usize..];
        let layout = source.work.grammar.layout;
        let has_layout = positions[0].symbol == layout && length == 1;
        for position in positions[..length + usize::from(has_layout)].iter().rev() {
            if position.symbol != layout || position.symbol == NONE {
                let (item, symbol) = (position.item, position.symbol);
                self.tasks.push(Task::Empty { item, symbol, chain });
            }
        }
    }
}

/// The positions of an alternative that have a symbol after them.
fn production<'s>(source: &Source<'s>, start: u32) -> impl Iterator<Item = u32> + use<'s> {
    let positions = &source.work.grammar.positions;
    (start..).take_while(|&p| positions[p as usize].symbol != NONE)
}

/// Which nonterminals derive the empty string without some others.
fn nullable_without(source: &Source<'_>, forbidden: &FxHashSet<u32>) -> Vec<bool> {
    let grammar = source.work.grammar;
    let mut nullable = vec![false; grammar.nonterminals.len()];
    let mut changed = true;
    while changed {
        changed = false;
        for (index, nonterminal) in grammar.nonterminals.iter().enumerate() {
            if !nonterminal.nullable || nullable[index] || forbidden.contains(&(index as u32)) {
                continue;
            }
            let is_empty = |symbol: u32| match grammar.terminal(symbol) {
                Some(_) => grammar.is_nullable(symbol),
                None => nullable[symbol as usize],
            };
            let derives = nonterminal.starts.iter().any(|&start| {
                let mut position = &grammar.positions[start as usize];
                while position.production == NONE && is_empty(position.symbol) {
                    position = &grammar.positions[position.target as usize];
                }
                position.production != NONE
            });
            if derives {
                nullable[index] = true;
                changed = true;
            }
        }
    }
    nullable
}

fn completions<'s>(
    source: &Source<'_>,
    chart: &'s Chart,
    node: u32,
) -> impl Iterator<Item = Completion> + use<'s> {
    chart.nodes.ways(source.first(chart, node))
}

/// Whether two nodes have the same text, and the first may derive itself.
fn same_text(source: &Source<'_>, chart: &Chart, child: u32, node: u32) -> bool {
    // What may derive itself is never the one symbol of a production that has no entry.
    let end = |node: u32| chart.end(source.first(chart, node));
    source.work.grammar.nonterminals[source.symbol(chart, child) as usize].cyclic
        && chart.nodes.origin(child) == chart.nodes.origin(node)
        && end(child) == end(node)
}

/// A position that is passed, and the entries before and after.
struct Position {
    index: u32,
    from: u32,
    to: u32,
}

/// What is to be written for a symbol that is passed; nothing for layout that is empty.
fn task(
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

impl Graph {
    fn vertex(&mut self, position: u32, entry: u32) -> u32 {
        let next = self.vertices.len() as u32;
        let index = *self.known.entry((position, entry)).or_insert(next);
        if index == next {
            self.vertices.push((position, entry));
        }
        index
    }

    /// Lays out the ways to some ends, backwards; tells whether any begins where the node does.
    fn build(
        &mut self,
        source: &Source<'_>,
        chart: &mut Chart,
        node: u32,
        ways: impl std::borrow::Borrow<Ways>,
        ends: &[(u32, u32)],
        allowed: Allowed<'_>,
    ) -> Result<bool, Error> {
        let (grammar, ways) = (source.work.grammar, *ways.borrow());
        let starts = &grammar.nonterminals[source.symbol(chart, node) as usize].starts;
        self.known.clear();
        self.vertices.clear();
        self.edges.clear();
        self.start = NONE;
        for &(position, entry) in ends {
            self.vertex(position, entry);
        }
        let last = ends.first().map_or(NONE, |&(position, _)| position);
        let mut next = 0;
        while let Some(&(position, entry)) = self.vertices.get(next) {
            let to = next as u32;
            next += 1;
            let state = chart.entries[entry as usize].state;
            let access = source.states.state(state).access;
            if access == NONE && starts.contains(&position) {
                self.start = to;
            }
            for &before in &grammar.incoming[position as usize] {
                if ways == Ways::Least && before >= last {
                    continue;
                }
                let symbol = grammar.positions[before as usize].symbol;
                if access == symbol {
                    let mut next = Some(chart.entries[entry as usize].link);
                    while let Some(link) = next {
                        next = chart.links.get(link.more as usize).copied();
                        let from = chart.entries[link.before as usize].state;
                        if !source.states.holds(from, before) {
                            continue;
                        }
                        let child = match link.child {
                            NONE => Child::Terminal,
                            child => Child::Node(child),
                        };
                        if let (Some(allowed), Child::Node(child)) = (allowed, child)
                            && same_text(source, chart, child, node)
                            && !allowed.contains(&child)
                        {
                            continue;
                        }
                        let from = self.vertex(before, link.before);
                        self.edges.push(Edge { from, to, child });
                        chart.spend(source.work, source.work.text.len() as u32, 1)?;
                    }
                }
                let is_layout = symbol == grammar.layout;
                // An empty token after layout that is not empty fills an element.
                let behind_layout = access == grammar.layout && access != NONE;
                if grammar.is_nullable(symbol)
                    && (ways != Ways::Filled || is_layout != behind_layout)
                    && source.states.holds(state, before)
                    && !(is_layout && source.work.is_blocked(chart.at(entry)))
                {
                    let from = self.vertex(before, entry);
                    self.edges.push(Edge { from, to, child: Child::Empty });
                    chart.spend(source.work, source.work.text.len() as u32, 1)?;
                }
            }
        }
        Ok(self.start != NONE)
    }

    /// The edges from a vertex.
    fn edges_from(&self, vertex: u32) -> &[Edge] {
        let (first, last) = (self.offsets[vertex as usize], self.offsets[vertex as usize + 1]);
        &self.edges[first as usize..last as usize]
    }

    /// Takes the best way from the start; gives how many elements it has.
    fn path(
        &mut self,
        source: &Source<'_>,
        chart: &Chart,
        ways: Ways,
        ends: &[(u32, u32)],
        path: &mut Vec<Task>,
    ) -> u32 {
        let grammar = source.work.grammar;
        self.edges.sort_unstable_by_key(|edge| edge.from);
        self.offsets.clear();
        self.offsets.resize(self.vertices.len() + 1, 0);
        for edge in &self.edges {
            self.offsets[edge.from as usize + 1] += 1;
        }
        for vertex in 0..self.vertices.len() {
            self.offsets[vertex + 1] += self.offsets[vertex];
        }
        if ways == Ways::Filled {
            self.count(source, chart, ends.len());
        }
        path.clear();
        let (mut vertex, mut count) = (self.start, 0);
        let at = |vertex: u32| chart.at(self.vertices[vertex as usize].1);
        loop {
            let is_end = match ways {
                Ways::Filled => self.counts[vertex as usize] == 1,
                _ => (vertex as usize) < ends.len(),
            };
            if is_end {
                return count;
            }
            // The end of the token and of the layout before it, and the edges there.
            let mut best: Option<((u32, u32), Edge, Option<Edge>)> = None;
            let mut offer = |key: (u32, u32), first: Edge, second: Option<Edge>| {
                let last = second.unwrap_or(first).to;
                let fits = ways != Ways::Filled
                    || self.counts[last as usize] + 1 == self.counts[vertex as usize];
                if fits && best.is_none_or(|(known, ..)| key > known) {
                    best = Some((key, first, second));
                }
            };
            for &edge in self.edges_from(vertex) {
                let position = self.vertices[edge.to as usize].0;
                let passed = self.vertices[edge.from as usize].0;
                let is_layout = grammar.positions[passed as usize].symbol == grammar.layout;
                if !is_layout || grammar.positions[position as usize].symbol == NONE {
                    offer((at(edge.to), 0), edge, None);
                    continue;
                }
                for &second in self.edges_from(edge.to) {
                    offer((at(second.to), at(edge.to)), edge, Some(second));
                }
            }
            let Some((_, first, second)) = best else { return count };
            for edge in [Some(first), second].into_iter().flatten() {
                let (index, from) = self.vertices[edge.from as usize];
                let passed = Position { index, from, to: self.vertices[edge.to as usize].1 };
                path.extend(task(source, chart, passed, edge.child, NONE));
                vertex = edge.to;
            }
            count += 1;
        }
    }

    /// How many elements can follow each vertex at most.
    fn count(&mut self, source: &Source<'_>, chart: &Chart, ends: usize) {
        let (grammar, states) = (source.work.grammar, source.states);
        self.counts.clear();
        self.counts.resize(self.vertices.len(), 0);
        self.counts[..ends].fill(1);
        self.order.clear();
        self.order.extend(0..self.vertices.len() as u32);
        let vertices = &self.vertices;
        let is_layout =
            |position: u32| grammar.positions[position as usize].symbol == grammar.layout;
        // Edges lead forward in the text, or from before empty layout to behind it, or over an empty
        // token behind layout.
        self.order.sort_unstable_by_key(|&vertex| {
            let (position, entry) = vertices[vertex as usize];
            let access = states.state(chart.entries[entry as usize].state).access;
            let behind_layout = access == grammar.layout && access != NONE;
            (std::cmp::Reverse(chart.at(entry)), is_layout(position) != behind_layout)
        });
        for i in 0..self.order.len() {
            let vertex = self.order[i];
            let element = u32::from(!is_layout(self.vertices[vertex as usize].0));
            let best = self
                .edges_from(vertex)
                .iter()
                .map(|edge| self.counts[edge.to as usize])
                .filter(|&count| count > 0)
                .max();
            if let Some(best) = best {
                let count = &mut self.counts[vertex as usize];
                *count = (*count).max(best + element);
            }
        }
    }
}
