//! The ways through the productions of one node, where there are several, and the best of them.

use fxhash::{FxHashMap, FxHashSet};

use super::chart::{Chart, Source};
use super::error::Error;
use super::id::{ChainId, EntryId, NodeId, Offset, PositionId, SymbolId};
use super::id_vec::{IdRange, IdVec};
use super::limits::LONGEST;
use super::task::{Child, Passed, Task, task};
use crate::id::{Id as _, id};

id! {
    /// A vertex of a graph.
    VertexId
}
id! {
    /// An edge of a graph, where edges are in order.
    EdgeId
}

/// Nodes over the text of the one above that may be used there; none where all may.
pub(super) type Allowed<'s> = Option<&'s FxHashSet<NodeId>>;

/// A step through a production, from a vertex to a later one.
#[derive(Clone, Copy, Debug)]
pub(super) struct Edge {
    from: VertexId,
    to: VertexId,
    pub(super) child: Child,
}

/// A place on the ways through a production: a position, and the entry whose state has it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) struct Vertex {
    pub(super) position: PositionId,
    pub(super) entry: EntryId,
}

/// Which ways through a production count.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Ways {
    /// All of an alternative.
    Sequence,
    /// Those of a repetition in which no element is empty.
    Filled,
    /// Those of a repetition with its least count.
    Least,
}

/// The ways through the productions of one node, as a graph.
#[derive(Clone, Debug, Default)]
pub(super) struct Graph {
    known: FxHashMap<Vertex, VertexId>,
    vertices: IdVec<VertexId, Vertex>,
    pub(super) edges: IdVec<EdgeId, Edge>,
    /// Where the edges from each vertex begin.
    offsets: IdVec<VertexId, EdgeId>,
    /// The most elements of a repetition from each vertex on, plus one.
    counts: IdVec<VertexId, u32>,
    /// The vertices, those further on in the text first: what orders them, and the vertex in the low half.
    order: Vec<u64>,
    start: Option<VertexId>,
}

impl Graph {
    #[pleach_unhooked::unhooked]
    fn vertex(&mut self, source: &Source<'_>, vertex: Vertex) -> Result<VertexId, Error> {
        source.work.budget.room_in(&mut self.known)?;
        source.work.budget.room(&mut self.vertices, 1)?;
        let next = self.vertices.end();
        let id = *self.known.entry(vertex).or_insert(next);
        if id == next {
            self.vertices.push(vertex);
        }
        Ok(id)
    }

    /// Lays out the ways to some ends, backwards; tells whether any begins where the node does.
    pub(super) fn build(
        &mut self,
        source: &Source<'_>,
        chart: &mut Chart,
        node: NodeId,
        ways: impl std::borrow::Borrow<Ways>,
        ends: &[Vertex],
        allowed: Allowed<'_>,
    ) -> Result<bool, Error> {
        let (grammar, ways) = (source.work.grammar, *ways.borrow());
        let starts = &grammar.nonterminals[source.symbol(chart, node)].starts;
        self.known.clear();
        self.vertices.clear();
        self.edges.clear();
        self.start = None;
        for &end in ends {
            self.vertex(source, end)?;
        }
        let last = ends.first().map_or(PositionId::NONE, |end| end.position);
        let mut next = VertexId::new(0);
        while let Some(&Vertex { position, entry }) = self.vertices.get(next) {
            let to = next;
            next = next.plus(1);
            let state = chart.entries[entry].state;
            let access = source.states.state(state).access;
            if access == SymbolId::NONE && starts.contains(&position) {
                self.start = Some(to);
            }
            for &before in &grammar.incoming[position] {
                if ways == Ways::Least && before >= last {
                    continue;
                }
                let symbol = grammar.positions[before].symbol;
                if access == symbol {
                    let mut next = Some(chart.entries[entry].link);
                    while let Some(link) = next {
                        next = chart.links.get(link.more).copied();
                        let from = chart.entries[link.before].state;
                        if !source.states.holds(from, before) {
                            continue;
                        }
                        let child = Child::of(link);
                        if let (Some(allowed), Child::Node(child)) = (allowed, child)
                            && source.same_text(chart, child, node)
                            && !allowed.contains(&child)
                        {
                            continue;
                        }
                        let from = Vertex { position: before, entry: link.before };
                        let from = self.vertex(source, from)?;
                        source.work.budget.room(&mut self.edges, 1)?;
                        self.edges.push(Edge { from, to, child });
                        chart.spend(source.work, source.work.end(), 1)?;
                    }
                }
                let is_layout = symbol == grammar.layout;
                // An empty token after layout that is not empty fills an element.
                let behind_layout = access == grammar.layout && access != SymbolId::NONE;
                if grammar.is_nullable(symbol)
                    && (ways != Ways::Filled || is_layout != behind_layout)
                    && source.states.holds(state, before)
                    && !(is_layout && source.work.is_blocked(chart.at(entry)))
                {
                    let from = self.vertex(source, Vertex { position: before, entry })?;
                    source.work.budget.room(&mut self.edges, 1)?;
                    self.edges.push(Edge { from, to, child: Child::Empty });
                    chart.spend(source.work, source.work.end(), 1)?;
                }
            }
        }
        Ok(self.start.is_some())
    }

    /// The edges from a vertex.
    fn edges_from(&self, vertex: VertexId) -> &[Edge] {
        let (first, end) = (self.offsets[vertex], self.offsets[vertex.plus(1)]);
        &self.edges[IdRange::new(first, end)]
    }

    /// Takes the best way from the start; gives how many elements it has.
    #[pleach_unhooked::unhooked]
    pub(super) fn path(
        &mut self,
        source: &Source<'_>,
        chart: &Chart,
        ways: Ways,
        ends: &[Vertex],
        path: &mut Vec<Task>,
    ) -> Result<u32, Error> {
        let (grammar, budget) = (source.work.grammar, source.work.budget);
        self.edges.sort_unstable_by_key(|edge| edge.from);
        self.offsets.clear();
        budget.room(&mut self.offsets, self.vertices.len() + 1)?;
        self.offsets.resize(self.vertices.len() + 1, EdgeId::new(0));
        for edge in &self.edges {
            let end = &mut self.offsets[edge.from.plus(1)];
            *end = end.plus(1);
        }
        for vertex in self.vertices.ids() {
            let before = self.offsets[vertex];
            let end = &mut self.offsets[vertex.plus(1)];
            *end = end.plus(before.get());
        }
        if ways == Ways::Filled {
            self.count(source, chart, ends.len())?;
        }
        path.clear();
        let (mut vertex, mut count) = (self.start.expect("a way begins there"), 0);
        let at = |vertex: VertexId| chart.at(self.vertices[vertex].entry);
        loop {
            let is_end = match ways {
                Ways::Filled => self.counts[vertex] == 1,
                _ => vertex.index() < ends.len(),
            };
            if is_end {
                return Ok(count);
            }
            budget.room(path, 2)?;
            // The end of the token and of the layout before it, and the edges there.
            let mut best: Option<((Offset, Offset), Edge, Option<Edge>)> = None;
            let mut offer = |key: (Offset, Offset), first: Edge, second: Option<Edge>| {
                let last = second.unwrap_or(first).to;
                let fits = ways != Ways::Filled || self.counts[last] + 1 == self.counts[vertex];
                if fits && best.is_none_or(|(known, ..)| key > known) {
                    best = Some((key, first, second));
                }
            };
            for &edge in self.edges_from(vertex) {
                let position = self.vertices[edge.to].position;
                let passed = self.vertices[edge.from].position;
                let is_layout = grammar.positions[passed].symbol == grammar.layout;
                if !is_layout || grammar.positions[position].symbol == SymbolId::NONE {
                    offer((at(edge.to), Offset::START), edge, None);
                    continue;
                }
                for &second in self.edges_from(edge.to) {
                    offer((at(second.to), at(edge.to)), edge, Some(second));
                }
            }
            let Some((_, first, second)) = best else { return Ok(count) };
            for edge in [Some(first), second].into_iter().flatten() {
                let Vertex { position, entry: from } = self.vertices[edge.from];
                let passed = Passed { position, from, to: self.vertices[edge.to].entry };
                path.extend(task(source, chart, passed, edge.child, ChainId::NONE));
                vertex = edge.to;
            }
            count += 1;
        }
    }

    /// How many elements can follow each vertex at most.
    fn count(&mut self, source: &Source<'_>, chart: &Chart, ends: usize) -> Result<(), Error> {
        let (grammar, states) = (source.work.grammar, source.states);
        let budget = source.work.budget;
        self.counts.clear();
        budget.room(&mut self.counts, self.vertices.len())?;
        self.counts.resize(self.vertices.len(), 0);
        self.counts[IdRange::new(VertexId::new(0), VertexId::at(ends))].fill(1);
        self.order.clear();
        budget.room(&mut self.order, self.vertices.len())?;
        let is_layout = |position: PositionId| grammar.positions[position].symbol == grammar.layout;
        let longest = Offset::at(LONGEST);
        // Edges lead forward in the text, or from before empty layout to behind it, or over an empty
        // token behind layout.
        let ordered = self.vertices.pairs().map(|(vertex, &Vertex { position, entry })| {
            let access = states.state(chart.entries[entry].state).access;
            let behind_layout = access == grammar.layout && access != SymbolId::NONE;
            let is_later = u64::from(is_layout(position) != behind_layout);
            // Places in a text have 31 bits.
            let left = u64::from(longest.since(chart.at(entry)));
            left << 33 | is_later << 32 | u64::from(vertex.get())
        });
        self.order.extend(ordered);
        self.order.sort_unstable();
        for i in 0..self.order.len() {
            let vertex = VertexId::new(self.order[i] as u32);
            let element = u32::from(!is_layout(self.vertices[vertex].position));
            let best = self
                .edges_from(vertex)
                .iter()
                .map(|edge| self.counts[edge.to])
                .filter(|&count| count > 0)
                .max();
            if let Some(best) = best {
                let count = &mut self.counts[vertex];
                *count = (*count).max(best + element);
            }
        }
        Ok(())
    }
}
