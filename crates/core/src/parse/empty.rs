//! What is empty: no chart holds it, for it takes no text to find out.

use fxhash::FxHashSet;

use super::compile::{Kind, NONE};
use super::extract::{Extraction, Source, Task};

impl Extraction {
    /// Leaves the children of a symbol over the empty text as tasks; gives its alternative or
    /// count, or 0 for a terminal.
    pub(super) fn expand_empty(&mut self, source: &Source<'_>, symbol: u32, chain: u32) -> u32 {
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
