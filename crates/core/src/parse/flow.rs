//! What may be empty, what comes first and what follows, in a grammar as the chart reads it.
//!
//! Each is the least solution of its equations. Places are looked at again when something that they
//! depend on has changed and not otherwise, so that a chain of rules takes as long as it is, whichever
//! way it is written.

use std::collections::VecDeque;

use super::compiled::{Compiled, NONE};

/// Lists by key, in one array.
pub(super) struct Rows {
    offsets: Vec<u32>,
    items: Vec<u32>,
}

impl Rows {
    pub(super) fn new(keys: usize, pairs: impl Iterator<Item = (u32, u32)> + Clone) -> Self {
        let mut offsets = vec![0_u32; keys + 1];
        for (key, _) in pairs.clone() {
            offsets[key as usize + 1] += 1;
        }
        for key in 0..keys {
            offsets[key + 1] += offsets[key];
        }
        let mut next = offsets.clone();
        let mut items = vec![0; offsets[keys] as usize];
        for (key, item) in pairs {
            items[next[key as usize] as usize] = item;
            next[key as usize] += 1;
        }
        Self { offsets, items }
    }

    pub(super) fn get(&self, key: u32) -> &[u32] {
        &self.items[self.offsets[key as usize] as usize..self.offsets[key as usize + 1] as usize]
    }
}

/// A set that grows.
pub(super) trait Set: Clone {
    /// Takes up another set; tells whether that changed this one.
    fn join(&mut self, other: &Self) -> bool;
}

/// What waits to be looked at, each once at a time.
struct Queue {
    queue: VecDeque<u32>,
    waits: Vec<bool>,
}

impl Queue {
    /// All of so many, the last one first: what stands behind is mostly what others depend on.
    fn all(count: usize) -> Self {
        Self { queue: (0..count as u32).rev().collect(), waits: vec![true; count] }
    }

    fn push(&mut self, one: u32) {
        if !std::mem::replace(&mut self.waits[one as usize], true) {
            self.queue.push_back(one);
        }
    }

    fn pop(&mut self) -> Option<u32> {
        let one = self.queue.pop_front()?;
        self.waits[one as usize] = false;
        Some(one)
    }
}

/// How the places of a grammar depend on one another.
pub(super) struct Flow<'c> {
    grammar: &'c Compiled,
    /// The positions that each nonterminal stands at.
    uses: Rows,
    /// Whether a production begins at each position.
    begins: Vec<bool>,
}

impl<'c> Flow<'c> {
    pub(super) fn new(grammar: &'c Compiled) -> Self {
        let is_used =
            |symbol: u32| symbol != NONE && (symbol as usize) < grammar.nonterminals.len();
        let positions = grammar.positions.iter().zip(0..);
        let used = positions.filter(|(position, _)| is_used(position.symbol));
        let used = used.map(|(position, index)| (position.symbol, index));
        let mut begins = vec![false; grammar.positions.len()];
        for &start in grammar.nonterminals.iter().flat_map(|nonterminal| &nonterminal.starts) {
            begins[start as usize] = true;
        }
        Self { grammar, uses: Rows::new(grammar.nonterminals.len(), used), begins }
    }

    /// Whether the rest of a production may be empty from each position on, and whether each
    /// nonterminal may.
    pub(super) fn nullable(&self) -> (Vec<bool>, Vec<bool>) {
        let grammar = self.grammar;
        let mut rests = vec![false; grammar.positions.len()];
        let mut nullable = vec![false; grammar.nonterminals.len()];
        let mut queue: Vec<u32> = (0..rests.len() as u32)
            .filter(|&index| grammar.positions[index as usize].production != NONE)
            .collect();
        queue.iter().for_each(|&index| rests[index as usize] = true);
        while let Some(index) = queue.pop() {
            for &before in &grammar.incoming[index as usize] {
                let symbol = grammar.positions[before as usize].symbol;
                let is_empty = match grammar.terminal(symbol) {
                    Some(terminal) => grammar.terminals[terminal as usize].1,
                    None => nullable[symbol as usize],
                };
                if is_empty && !std::mem::replace(&mut rests[before as usize], true) {
                    queue.push(before);
                }
            }
            let owner = grammar.positions[index as usize].owner;
            if self.begins[index as usize]
                && !std::mem::replace(&mut nullable[owner as usize], true)
            {
                for &at in self.uses.get(owner) {
                    let target = grammar.positions[at as usize].target;
                    if rests[target as usize] && !std::mem::replace(&mut rests[at as usize], true) {
                        queue.push(at);
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
        find: impl Fn(u32, &[S], &[S]) -> Option<S>,
    ) -> (Vec<S>, Vec<S>) {
        let grammar = self.grammar;
        let mut first = vec![none.clone(); grammar.positions.len()];
        let mut known = vec![none.clone(); grammar.nonterminals.len()];
        let mut queue = Queue::all(first.len());
        while let Some(index) = queue.pop() {
            let Some(found) = find(index, &first, &known) else { continue };
            if !first[index as usize].join(&found) {
                continue;
            }
            for &before in &grammar.incoming[index as usize] {
                if grammar.is_nullable(grammar.positions[before as usize].symbol) {
                    queue.push(before);
                }
            }
            let owner = grammar.positions[index as usize].owner;
            if self.begins[index as usize] && known[owner as usize].join(&found) {
                for &at in self.uses.get(owner) {
                    queue.push(at);
                    // What stands before a token asks for what the token begins with.
                    for &before in &grammar.incoming[at as usize] {
                        if grammar.positions[before as usize].symbol == grammar.layout {
                            queue.push(before);
                        }
                    }
                }
            }
        }
        (first, known)
    }

    /// What follows each nonterminal, from what comes first at each position and what follows all.
    pub(super) fn follow<S: Set>(&self, first: &[S], none: &S, end: &S) -> Vec<S> {
        let grammar = self.grammar;
        let mut follow = vec![none.clone(); grammar.nonterminals.len()];
        follow[0].join(end);
        let inner = |index: u32| {
            let position = &grammar.positions[index as usize];
            let is_inner =
                position.symbol != NONE && (position.symbol as usize) < grammar.nonterminals.len();
            is_inner.then_some((position.symbol, position.target))
        };
        let all = 0..grammar.positions.len() as u32;
        for (symbol, target) in all.clone().filter_map(inner) {
            follow[symbol as usize].join(&first[target as usize]);
        }
        // The nonterminals that end where another one does.
        let last = all.filter_map(|index| {
            let (symbol, target) = inner(index)?;
            let owner = grammar.positions[index as usize].owner;
            (grammar.rest_nullable[target as usize] && owner != symbol).then_some((owner, symbol))
        });
        let last = Rows::new(grammar.nonterminals.len(), last);
        let mut queue = Queue::all(grammar.nonterminals.len());
        while let Some(owner) = queue.pop() {
            for &symbol in last.get(owner) {
                let of_owner = follow[owner as usize].clone();
                if follow[symbol as usize].join(&of_owner) {
                    queue.push(symbol);
                }
            }
        }
        follow
    }
}
