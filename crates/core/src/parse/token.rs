//! Tokens that one alternative after the other narrows down to one terminal.

use super::budget::Budget;
use super::compiled::{Compiled, Kind, Production};
use super::error::Error;
use super::id::{NonterminalId, SymbolId, SymbolSort};
use crate::table::{Table, TerminalId};
use crate::tree::{Node, Tree};

/// Alternatives that are looked at before [`single`] gives up.
const MOST_ALTERNATIVES: usize = 256;

/// Reads a token that one alternative after the other narrows down to one terminal, as names and
/// keywords often are; tells whether it is one, and has appended its nodes then.
pub(super) fn single(
    table: &Table,
    grammar: &Compiled,
    budget: &Budget<'_>,
    text: &[u8],
    tree: &mut Tree,
) -> Result<bool, Error> {
    let base = tree.nodes.len();
    let mut looks = 0;
    // For each node since `base` its nonterminal, and which production of that was tried last.
    let mut tried = [(NonterminalId::TEXT, 0); 16];
    let mut depth = 0;
    budget.room(&mut tree.nodes, tried.len() + 1)?;
    let mut place = grammar.positions[grammar.nonterminals[NonterminalId::TEXT].starts[0]];
    loop {
        let found = match place.symbol.sort() {
            SymbolSort::Terminal(terminal) => {
                if is_whole(table, grammar, terminal, text) {
                    tree.nodes.push(Node { symbol: place.item, choice: text.len() as u32 });
                    return Ok(true);
                }
                false
            }
            SymbolSort::Nonterminal(nonterminal) => {
                if depth == tried.len() {
                    break;
                }
                tried[depth] = (nonterminal, 0);
                let choice = Production::NONE.choice();
                tree.nodes.push(Node { symbol: place.item, choice });
                depth += 1;
                true
            }
        };
        // The next alternative of the nearest rule that has one more.
        if !found {
            while depth > 0 {
                let (nonterminal, production) = &mut tried[depth - 1];
                *production += 1;
                if *production < grammar.nonterminals[*nonterminal].starts.len() {
                    break;
                }
                depth -= 1;
                tree.nodes.pop();
            }
        }
        looks += 1;
        if depth == 0 || looks > MOST_ALTERNATIVES {
            break;
        }
        let (nonterminal, production) = tried[depth - 1];
        let nonterminal = &grammar.nonterminals[nonterminal];
        let start = nonterminal.starts[production];
        tree.nodes[base + depth - 1].choice = nonterminal.productions[production].choice();
        place = grammar.positions[start];
        let is_single = place.symbol != SymbolId::NONE
            && grammar.positions[place.target].symbol == SymbolId::NONE;
        if !is_single || matches!(nonterminal.kind, Kind::Repetition(_)) {
            // An alternative of another shape may be the one.
            break;
        }
    }
    tree.nodes.truncate(base);
    Ok(false)
}

/// Whether a terminal has this text.
fn is_whole(table: &Table, grammar: &Compiled, terminal: TerminalId, text: &[u8]) -> bool {
    if let Some(scanner) = grammar.scanner(terminal) {
        return scanner.longest(text, 0) == Some(text.len());
    }
    let mut last = None;
    super::scan::ends(table, terminal, text, 0, |end| last = Some(end));
    last == Some(text.len())
}
