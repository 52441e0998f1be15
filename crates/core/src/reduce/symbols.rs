//! Bytes inside tokens: fewer symbols, and plainer ones.

use super::assemble::Piece;
use super::shape::Shape;
use crate::grammar::Encoding;
use crate::regular::{Dfa, Transition};
use crate::table::{Symbol, SymbolKind, Terminal, encode, plain_symbol};

/// What a leaf's text may be.
enum Leaf<'t> {
    Literal(&'t [u8]),
    Class(&'t [(u32, u32)]),
    Automaton(&'t Dfa),
}

fn leaf<'t>(shape: &Shape<'t>, index: usize) -> Option<Leaf<'t>> {
    let table = shape.table;
    let symbol = shape.symbol(index);
    if symbol == Symbol::LAYOUT {
        return table.layout().map(|layout| Leaf::Automaton(layout.automaton()));
    }
    let SymbolKind::Terminal(occurrence) = symbol.kind() else { return None };
    match table.terminal(table.terminal_at(occurrence)?) {
        Terminal::Literal { ignore_case: false, .. } => None,
        Terminal::Literal { bytes, ignore_case: true } => Some(Leaf::Literal(bytes)),
        Terminal::Class { ranges } => Some(Leaf::Class(ranges)),
        Terminal::Regular { automaton } => Some(Leaf::Automaton(automaton)),
    }
}

fn symbols(shape: &Shape<'_>, index: usize) -> Vec<u32> {
    let text = shape.text(index);
    match (shape.table.encoding(), std::str::from_utf8(text)) {
        (Encoding::Unicode, Ok(text)) => text.chars().map(u32::from).collect(),
        _ => text.iter().map(|&byte| byte.into()).collect(),
    }
}

fn bytes(shape: &Shape<'_>, symbols: &[u32]) -> Box<[u8]> {
    let mut bytes = Vec::with_capacity(symbols.len());
    for &symbol in symbols {
        encode(shape.table.encoding(), symbol, &mut bytes);
    }
    bytes.into()
}

/// The symbols of a leaf whose text may be another; none where it may not, or is empty.
pub(super) fn count(shape: &Shape<'_>, index: usize) -> Option<u32> {
    leaf(shape, index)?;
    let count = symbols(shape, index).len() as u32;
    (count > 0).then_some(count)
}

/// A leaf without some of its symbols.
pub(super) fn without(shape: &Shape<'_>, index: usize, size: u32, end: u32) -> Option<Vec<Piece>> {
    let Leaf::Automaton(automaton) = leaf(shape, index)? else { return None };
    let mut left = symbols(shape, index);
    let end = (end as usize).min(left.len());
    left.drain(end.saturating_sub(size as usize)..end);
    if !automaton.contains(left.iter().copied()) {
        return None;
    }
    if left.is_empty() && shape.symbol(index) == Symbol::LAYOUT {
        // Dropping layout leaves is an operator of its own.
        return None;
    }
    Some(shape.instead(index, [Piece::Leaf(index as u32, bytes(shape, &left))]))
}

/// More symbols than this are made plainer all at once, not each by itself.
const MOST_SYMBOLS: usize = 4096;

/// How plain a symbol is, the plainest first: letters, digits, the rest of printable ASCII, others.
/// A plainer one has no more bytes.
fn plainness(symbol: u32) -> (u32, u32) {
    let kind = match char::from_u32(symbol) {
        Some('a'..='z') => 0,
        Some('A'..='Z') => 1,
        Some('0'..='9') => 2,
        Some(' '..='~') => 3,
        _ => 4,
    };
    (kind, symbol)
}

/// A leaf with plainer symbols: with 0 all that the grammar cannot tell from what was there, else
/// the one at `at - 1`, the plainest that its terminal accepts there.
pub(super) fn plainer(shape: &Shape<'_>, index: usize, at: u32) -> Option<Vec<Piece>> {
    let before = symbols(shape, index);
    let mut after = before.clone();
    match (leaf(shape, index)?, (at as usize).checked_sub(1)) {
        (Leaf::Literal(bytes), at) => {
            // Only the case of letters differs, so there are as many symbols.
            let plain = match std::str::from_utf8(bytes) {
                Ok(text) if shape.table.encoding() == Encoding::Unicode => {
                    text.chars().map(u32::from).collect()
                }
                _ => bytes.iter().map(|&byte| byte.into()).collect::<Vec<u32>>(),
            };
            match at {
                None => after = plain,
                Some(at) => *after.get_mut(at)? = *plain.get(at)?,
            }
        }
        (Leaf::Class(ranges), _) => after = vec![plain_symbol(ranges)],
        (Leaf::Automaton(automaton), None) => {
            for symbol in &mut after {
                if let Some(class) = automaton.class(*symbol) {
                    *symbol = plain_symbol(automaton.class_ranges(class));
                }
            }
        }
        (Leaf::Automaton(automaton), Some(at)) => {
            let symbol = *before.get(at).filter(|_| before.len() <= MOST_SYMBOLS)?;
            let step = |state, &symbol: &u32| automaton.step(state, symbol);
            let state = before[..at].iter().fold(automaton.start(), step);
            let accepts = |transition: &&Transition| {
                automaton.is_accepting(before[at + 1..].iter().fold(transition.target, step))
            };
            let transitions = automaton.transitions(state).iter().filter(accepts);
            let plainest = transitions
                .map(|transition| plain_symbol(automaton.class_ranges(transition.class)))
                .min_by_key(|&symbol| plainness(symbol))?;
            if plainness(plainest) < plainness(symbol) {
                after[at] = plainest;
            }
        }
    }
    let changed = after != before;
    changed.then(|| shape.instead(index, [Piece::Leaf(index as u32, bytes(shape, &after))]))
}
