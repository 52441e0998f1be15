//! Nullable, FIRST and FOLLOW: what may be empty, what comes first and what follows, in a grammar as the chart reads it.
//!
//! Each is the least solution of its equations. Places are looked at again when something that they
//! depend on has changed and not otherwise, so that a chain of rules takes as long as it is, whichever
//! way it is written.

use std::collections::VecDeque;

use super::compiled::{Compiled, Production};
use super::id::{NonterminalId, PositionId, SymbolSort};
use super::id_vec::IdVec;
use super::next::Set;
use crate::id::Id;
use crate::rows::Rows;

/// What waits to be looked at, each once at a time.
struct Queue<I> {
    queue: VecDeque<I>,
    waits: IdVec<I, bool>,
}

impl<I: Id> Queue<I> {
    /// All of so many, the last one first: what stands behind is mostly what others depend on.
    fn all(count: usize) -> Self {
        let waits = IdVec::from(vec![true; count]);
        Self { queue: waits.ids().into_iter().rev().collect(), waits }
    }

    fn push(&mut self, one: I) {
        if !std::mem::replace(&mut self.waits[one], true) {
            self.queue.push_back(one);
        }
    }

    fn pop(&mut self) -> Option<I> {
        let one = self.queue.pop_front()?;
        self.waits[one] = false;
        Some(one)
    }
}

/// What comes first at each position.
pub(super) type First<S> = IdVec<PositionId, S>;
/// What is known of each nonterminal.
pub(super) type Known<S> = IdVec<NonterminalId, S>;

/// How the places of a grammar depend on one another.
pub(super) struct Flow<'c> {
    grammar: &'c Compiled,
    /// The positions that each nonterminal stands at.
    uses: Rows<PositionId>,
    /// Whether a production begins at each position.
    begins: IdVec<PositionId, bool>,
}

impl<'c> Flow<'c> {
    pub(super) fn new(grammar: &'c Compiled) -> Self {
        let positions = grammar.positions.pairs();
        let used = positions
            .filter_map(|(at, position)| Some((position.symbol.nonterminal()?.index(), at)));
        let mut begins = IdVec::from(vec![false; grammar.positions.len()]);
        for &start in grammar.nonterminals.iter().flat_map(|nonterminal| &nonterminal.starts) {
            begins[start] = true;
        }
        Self { grammar, uses: Rows::grouped(grammar.nonterminals.len(), used), begins }
    }

    /// Whether the rest of a production may be empty from each position on, and whether each
    /// nonterminal may.
    pub(super) fn nullable(&self) -> (IdVec<PositionId, bool>, IdVec<NonterminalId, bool>) {
        let grammar = self.grammar;
        let mut rests = IdVec::from(vec![false; grammar.positions.len()]);
        let mut nullable = IdVec::from(vec![false; grammar.nonterminals.len()]);
        let positions = grammar.positions.pairs();
        let ends = positions.filter(|(_, position)| position.production != Production::NONE);
        let mut queue: Vec<PositionId> = ends.map(|(end, _)| end).collect();
        queue.iter().for_each(|&end| rests[end] = true);
        while let Some(at) = queue.pop() {
            for &before in &grammar.incoming[at] {
                let symbol = grammar.positions[before].symbol;
                let is_empty = match symbol.sort() {
                    SymbolSort::Terminal(terminal) => grammar.terminals[terminal].1,
                    SymbolSort::Nonterminal(nonterminal) => nullable[nonterminal],
                };
                if is_empty && !std::mem::replace(&mut rests[before], true) {
                    queue.push(before);
                }
            }
            let owner = grammar.positions[at].owner;
            if self.begins[at] && !std::mem::replace(&mut nullable[owner], true) {
                for &user in self.uses.row(owner.index()) {
                    let target = grammar.positions[user].target;
                    if rests[target] && !std::mem::replace(&mut rests[user], true) {
                        queue.push(user);
                    }
                }
            }
        }
        (rests, nullable)
    }

    /// What comes first at each position and in each nonterminal. `find` says it of a position,
    /// from what is known of positions and of nonterminals.
    pub(super) fn first<S: Set>(
        &self,
        none: &S,
        find: impl Fn(PositionId, &First<S>, &Known<S>) -> Option<S>,
    ) -> (First<S>, Known<S>) {
        let grammar = self.grammar;
        let mut first = IdVec::from(vec![none.clone(); grammar.positions.len()]);
        let mut known = IdVec::from(vec![none.clone(); grammar.nonterminals.len()]);
        let mut queue = Queue::all(first.len());
        while let Some(at) = queue.pop() {
            let Some(found) = find(at, &first, &known) else { continue };
            if !first[at].join(&found) {
                continue;
            }
            for &before in &grammar.incoming[at] {
                if grammar.is_nullable(grammar.positions[before].symbol) {
                    queue.push(before);
                }
            }
            let owner = grammar.positions[at].owner;
            if self.begins[at] && known[owner].join(&found) {
                for &user in self.uses.row(owner.index()) {
                    queue.push(user);
                    // What stands before a token asks for what the token begins with.
                    for &before in &grammar.incoming[user] {
                        if grammar.positions[before].symbol == grammar.layout {
                            queue.push(before);
                        }
                    }
                }
            }
        }
        (first, known)
    }

    /// What follows each nonterminal, from what comes first at each position and what follows all.
    pub(super) fn follow<S: Set>(&self, first: &First<S>, none: &S, end: &S) -> Known<S> {
        let grammar = self.grammar;
        let mut follow = IdVec::from(vec![none.clone(); grammar.nonterminals.len()]);
        follow[NonterminalId::TEXT].join(end);
        let positions = grammar.positions.iter();
        let inner =
            positions.filter_map(|position| Some((position.symbol.nonterminal()?, position)));
        for (symbol, position) in inner.clone() {
            follow[symbol].join(&first[position.target]);
        }
        // The nonterminals that end where another one does.
        let last = inner.filter(|&(symbol, position)| {
            grammar.rest_nullable[position.target] && position.owner != symbol
        });
        let last = last.map(|(symbol, position)| (position.owner.index(), symbol));
        let last = Rows::grouped(grammar.nonterminals.len(), last);
        let mut queue = Queue::<NonterminalId>::all(grammar.nonterminals.len());
        while let Some(owner) = queue.pop() {
            for &symbol in last.row(owner.index()) {
                let of_owner = follow[owner].clone();
                if follow[symbol].join(&of_owner) {
                    queue.push(symbol);
                }
            }
        }
        follow
    }
}
