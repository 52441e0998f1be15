//! Bytes inside tokens: fewer symbols, and plainer ones.

use super::assemble::Piece;
use super::shape::Shape;
use crate::grammar::Encoding;
use crate::regular::Dfa;
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

/// A leaf with its plainest symbols, or with one of them: those that the automaton cannot tell
/// from what was there, so that every symbol has one plainest and being plain is the end of it.
pub(super) fn plainer(shape: &Shape<'_>, index: usize, at: u32) -> Option<Vec<Piece>> {
    let before = symbols(shape, index);
    let plain: Vec<u32> = match leaf(shape, index)? {
        Leaf::Literal(bytes) => match std::str::from_utf8(bytes) {
            Ok(text) if shape.table.encoding() == Encoding::Unicode => {
                text.chars().map(u32::from).collect()
            }
            _ => bytes.iter().map(|&byte| byte.into()).collect(),
        },
        Leaf::Class(ranges) => vec![plain_symbol(ranges)],
        Leaf::Automaton(automaton) => {
            let class = |&symbol: &u32| automaton.class(symbol);
            let plain = before.iter().map(|symbol| {
                class(symbol).map_or(*symbol, |id| plain_symbol(automaton.class_ranges(id)))
            });
            plain.collect()
        }
    };
    let mut after = before.clone();
    match at.checked_sub(1) {
        None => after = plain,
        // With one symbol, one is all.
        Some(_) if before.len() == 1 => return None,
        Some(at) => *after.get_mut(at as usize)? = *plain.get(at as usize)?,
    }
    let changed = after != before;
    changed.then(|| shape.instead(index, [Piece::Leaf(index as u32, bytes(shape, &after))]))
}
