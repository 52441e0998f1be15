//! What is still to be written of a tree.

use super::chart::{Chart, Link, Source};
use super::compiled::Compiled;
use super::id::{ChainId, EntryId, NodeId, Offset, PositionId, SymbolId, TokenId};
use crate::table::Symbol;

/// What is still to be written, the next last.
#[derive(Clone, Copy, Debug)]
pub(super) enum Task {
    /// A node of the chart. The chain leads over the nodes above with the same text, as far as
    /// they could derive themselves.
    Node { item: Symbol, node: NodeId, chain: ChainId },
    /// A symbol over the empty text. The chain leads over nonterminals.
    Empty { item: Symbol, symbol: SymbolId, chain: ChainId },
    /// The same so many times, and once more.
    Empties { item: Symbol, symbol: SymbolId, chain: ChainId, more: u32 },
    /// A terminal or layout.
    Leaf { item: Symbol, length: u32 },
    /// A token that is a rule or repetition.
    Token { item: Symbol, token: TokenId, from: Offset, to: Offset },
}

/// What stands on an edge.
#[derive(Clone, Copy, Debug)]
pub(super) enum Child {
    Empty,
    Terminal,
    Node(NodeId),
}

impl Child {
    pub(super) fn of(link: Link) -> Self {
        if link.child == NodeId::NONE { Self::Terminal } else { Self::Node(link.child) }
    }
}

/// What is to be written for an element of a repetition that is empty so many times, and once more.
pub(super) fn empties(grammar: &Compiled, start: PositionId, chain: ChainId, more: u32) -> Task {
    let mut position = &grammar.positions[start];
    if position.symbol == grammar.layout {
        position = &grammar.positions[position.target];
    }
    Task::Empties { item: position.item, symbol: position.symbol, chain, more }
}

/// A position that is passed, and the entries before and after.
pub(super) struct Passed {
    pub(super) position: PositionId,
    pub(super) from: EntryId,
    pub(super) to: EntryId,
}

/// What is to be written for a symbol that is passed; nothing for layout that is empty.
pub(super) fn task(
    source: &Source<'_>,
    chart: &Chart,
    Passed { position, from, to }: Passed,
    child: Child,
    chain: ChainId,
) -> Option<Task> {
    let position = &source.work.grammar.positions[position];
    let (item, symbol) = (position.item, position.symbol);
    match child {
        Child::Node(node) => Some(Task::Node { item, node, chain }),
        Child::Terminal => {
            let (from, to) = (chart.at(from), chart.at(to));
            let grammar = source.work.grammar;
            let terminal = symbol.terminal().expect("the child is one");
            Some(match grammar.token(terminal) {
                Some(token) => Task::Token { item, token, from, to },
                None => Task::Leaf { item, length: to.since(from) },
            })
        }
        Child::Empty if symbol == source.work.grammar.layout => None,
        Child::Empty => Some(Task::Empty { item, symbol, chain }),
    }
}
