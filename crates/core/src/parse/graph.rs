//! The ways through the productions of one node, where there are several, and the best of them.

use fxhash::{FxHashMap, FxHashSet};

use super::chart::Chart;
use super::compiled::{LONGEST, NONE};
use super::cyclic::same_text;
use super::error::Error;
use super::extract::{Child, Position, Source, Task, task};

/// Nodes over the text of the one above that may be used there; none where all may.
pub(super) type Allowed<'s> = Option<&'s FxHashSet<u32>>;

/// A step through a production, from a vertex to a later one.
#[derive(Clone, Copy, Debug)]
pub(super) struct Edge {
    from: u32,
    to: u32,
    pub(super) child: Child,
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

/// The ways through the productions of one node, as a graph. A vertex is a position and an entry.
#[derive(Clone, Debug, Default)]
pub(super) struct Graph {
    known: FxHashMap<(u32, u32), u32>,
    vertices: Vec<(u32, u32)>,
    pub(super) edges: Vec<Edge>,
    /// Where the edges from each vertex begin.
    offsets: Vec<u32>,
    /// The most elements of a repetition from each vertex on, plus one.
    counts: Vec<u32>,
    /// The vertices, those further on in the text first: what orders them, and the vertex in the low half.
    order: Vec<u64>,
    start: u32,
}

impl Graph {
    #[pleach_unhooked::unhooked]
    fn vertex(&mut self, source: &Source<'_>, position: u32, entry: u32) -> Result<u32, Error> {
        source.work.budget.room_in(&mut self.known)?;
        source.work.budget.room(&mut self.vertices, 1)?;
        let next = self.vertices.len() as u32;
        let index = *self.known.entry((position, entry)).or_insert(next);
        if index == next {
            self.vertices.push((position, entry));
        }
        Ok(index)
    }

    /// Lays out the ways to some ends, backwards; tells whether any begins where the node does.
    pub(super) fn build(
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
            self.vertex(source, position, entry)?;
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
                        let from = self.vertex(source, before, link.before)?;
                        source.work.budget.room(&mut self.edges, 1)?;
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
                    let from = self.vertex(source, before, entry)?;
                    source.work.budget.room(&mut self.edges, 1)?;
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
    #[pleach_unhooked::unhooked]
    pub(super) fn path(
        &mut self,
        source: &Source<'_>,
        chart: &Chart,
        ways: Ways,
        ends: &[(u32, u32)],
        path: &mut Vec<Task>,
    ) -> Result<u32, Error> {
        let (grammar, budget) = (source.work.grammar, source.work.budget);
        self.edges.sort_unstable_by_key(|edge| edge.from);
        self.offsets.clear();
        budget.room(&mut self.offsets, self.vertices.len() + 1)?;
        self.offsets.resize(self.vertices.len() + 1, 0);
        for edge in &self.edges {
            self.offsets[edge.from as usize + 1] += 1;
        }
        for vertex in 0..self.vertices.len() {
            self.offsets[vertex + 1] += self.offsets[vertex];
        }
        if ways == Ways::Filled {
            self.count(source, chart, ends.len())?;
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
                return Ok(count);
            }
            budget.room(path, 2)?;
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
            let Some((_, first, second)) = best else { return Ok(count) };
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
    fn count(&mut self, source: &Source<'_>, chart: &Chart, ends: usize) -> Result<(), Error> {
        let (grammar, states) = (source.work.grammar, source.states);
        let budget = source.work.budget;
        self.counts.clear();
        budget.room(&mut self.counts, self.vertices.len())?;
        self.counts.resize(self.vertices.len(), 0);
        self.counts[..ends].fill(1);
        self.order.clear();
        budget.room(&mut self.order, self.vertices.len())?;
        let is_layout =
            |position: u32| grammar.positions[position as usize].symbol == grammar.layout;
        // Edges lead forward in the text, or from before empty layout to behind it, or over an empty
        // token behind layout.
        let ordered = self.vertices.iter().zip(0_u64..).map(|(&(position, entry), vertex)| {
            let access = states.state(chart.entries[entry as usize].state).access;
            let behind_layout = access == grammar.layout && access != NONE;
            let is_later = u64::from(is_layout(position) != behind_layout);
            // Places in a text have 31 bits.
            (LONGEST as u64 - u64::from(chart.at(entry))) << 33 | is_later << 32 | vertex
        });
        self.order.extend(ordered);
        self.order.sort_unstable();
        for i in 0..self.order.len() {
            let vertex = self.order[i] as u32;
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
        Ok(())
    }
}
