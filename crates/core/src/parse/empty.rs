//! What is empty: no chart holds it, for it takes no text to find out.

use fxhash::FxHashSet;

use super::chart::Source;
use super::compiled::{Kind, Position, Production};
use super::error::Error;
use super::extract::Extraction;
use super::id::{ChainId, NonterminalId, PositionId, SymbolId, SymbolSort};
use super::id_vec::{IdRange, IdVec};
use super::task::{Task, empties};
use crate::id::Id as _;

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
        let Some(id) = symbol.nonterminal() else { return Ok(0) };
        let nonterminal = &grammar.nonterminals[id];
        let mut below = ChainId::NONE;
        if nonterminal.cyclic {
            below = self.empty.push(budget, id, chain)?;
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
            let fits = |&&start: &&PositionId| {
                grammar.positions[production(source, start)].iter().all(|position| {
                    match position.symbol.sort() {
                        SymbolSort::Terminal(terminal) => grammar.terminals[terminal].1,
                        SymbolSort::Nonterminal(nonterminal) => nullable[nonterminal],
                    }
                })
            };
            nonterminal.starts.iter().find(fits)
        } else {
            nonterminal.starts.iter().find(|&&start| grammar.rest_nullable[start])
        };
        let &start = start.expect("what derives the empty string does so without repetition");
        let passed = production(source, start);
        let positions = &grammar.positions[passed];
        budget.room(&mut self.tasks, positions.len())?;
        for &Position { item, symbol, .. } in positions.iter().rev() {
            if symbol != grammar.layout {
                self.tasks.push(Task::Empty { item, symbol, chain: below });
            }
        }
        Ok(grammar.positions[passed.to].production.choice())
    }
}

/// The positions of an alternative that have a symbol after them.
fn production(source: &Source<'_>, start: PositionId) -> IdRange<PositionId> {
    let positions = &source.work.grammar.positions;
    let mut end = start;
    while positions[end].symbol != SymbolId::NONE {
        end = end.plus(1);
    }
    IdRange::new(start, end)
}

/// Positions that are looked at in the time of an item.
const POSITIONS_AN_ITEM: usize = 16;

/// Which nonterminals derive the empty string without some others.
fn nullable_without(
    source: &Source<'_>,
    forbidden: &FxHashSet<NonterminalId>,
) -> Result<IdVec<NonterminalId, bool>, Error> {
    let grammar = source.work.grammar;
    let mut nullable = IdVec::from(vec![false; grammar.nonterminals.len()]);
    let mut changed = true;
    while changed {
        changed = false;
        let looked = grammar.positions.len() / POSITIONS_AN_ITEM;
        source.work.budget.spend(source.work.text.len(), looked as u64)?;
        for (id, nonterminal) in grammar.nonterminals.pairs() {
            if !nonterminal.nullable || nullable[id] || forbidden.contains(&id) {
                continue;
            }
            let is_empty = |symbol: SymbolId| match symbol.sort() {
                SymbolSort::Terminal(terminal) => grammar.terminals[terminal].1,
                SymbolSort::Nonterminal(nonterminal) => nullable[nonterminal],
            };
            let derives = nonterminal.starts.iter().any(|&start| {
                let mut position = &grammar.positions[start];
                while position.production == Production::NONE && is_empty(position.symbol) {
                    position = &grammar.positions[position.target];
                }
                position.production != Production::NONE
            });
            if derives {
                nullable[id] = true;
                changed = true;
            }
        }
    }
    Ok(nullable)
}
