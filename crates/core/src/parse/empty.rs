//! What is empty: no chart holds it, for it takes no text to find out.

use fxhash::FxHashSet;

use super::compiled::{Kind, NONE, Position};
use super::error::Error;
use super::extract::{Extraction, Source, Task, empties};
use super::id::{ChainId, NonterminalId, PositionId, SymbolId};

impl Extraction {
    /// Leaves the children of a symbol over the empty text as tasks; gives its alternative or
    /// count, or 0 for a terminal.
    #[pleach_unhooked::unhooked]
    pub(super) fn expand_empty(
        &mut self,
        source: &Source<'_>,
        symbol: SymbolId,
        chain: ChainId,
    ) -> Result<u32, Error> {
        let (grammar, budget) = (source.work.grammar, source.work.budget);
        if grammar.terminal(symbol).is_some() {
            return Ok(0);
        }
        let nonterminal = &grammar.nonterminals[symbol as usize];
        let mut below = ChainId::NONE;
        if nonterminal.cyclic {
            below = self.empty.push(budget, symbol, chain)?;
        }
        if let Kind::Repetition(repetition) = nonterminal.kind {
            let least = source.work.table.repetition(repetition).min;
            if least > 0 {
                budget.room(&mut self.tasks, 1)?;
                self.tasks.push(empties(grammar, nonterminal.starts[0], below, least - 1));
            }
            return Ok(least);
        }
        let start = if nonterminal.cyclic {
            let forbidden: FxHashSet<NonterminalId> = self.empty.chain(below).collect();
            let nullable = nullable_without(source, &forbidden)?;
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
        budget.room(&mut self.tasks, length)?;
        let positions = &grammar.positions[start as usize..];
        for &Position { item, symbol, .. } in positions[..length].iter().rev() {
            if symbol != grammar.layout {
                self.tasks.push(Task::Empty { item, symbol, chain: below });
            }
        }
        Ok(positions[length].production)
    }
}

/// The positions of an alternative that have a symbol after them.
fn production<'s>(
    source: &Source<'s>,
    start: PositionId,
) -> impl Iterator<Item = PositionId> + use<'s> {
    let positions = &source.work.grammar.positions;
    (start..).take_while(|&p| positions[p as usize].symbol != NONE)
}

/// Positions that are looked at in the time of an item.
const POSITIONS_AN_ITEM: usize = 16;

/// Which nonterminals derive the empty string without some others.
fn nullable_without(
    source: &Source<'_>,
    forbidden: &FxHashSet<NonterminalId>,
) -> Result<Vec<bool>, Error> {
    let grammar = source.work.grammar;
    let mut nullable = vec![false; grammar.nonterminals.len()];
    let mut changed = true;
    while changed {
        changed = false;
        let looked = grammar.positions.len() / POSITIONS_AN_ITEM;
        source.work.budget.spend(source.work.text.len(), looked as u64)?;
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
    Ok(nullable)
}
