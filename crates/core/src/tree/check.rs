//! Whether a tree is a derivation of its table, and its text the yield.

use std::fmt;

use super::Tree;
use crate::table::{RuleId, Symbol, SymbolKind, Table, Terminal, TerminalId};

/// The error of a check: the first node, in preorder, that the table does not allow, and why.
#[derive(Clone, PartialEq, Eq)]
pub struct TreeError {
    /// The node at fault, by its index in preorder.
    node: usize,
    message: &'static str,
}

impl TreeError {
    /// The node at fault, by its index in preorder.
    pub fn node(&self) -> usize {
        self.node
    }
}

impl fmt::Display for TreeError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "node {}: {}", self.node, self.message)
    }
}

crate::displayed::displayed!(TreeError);

impl std::error::Error for TreeError {}

impl Tree {
    /// Checks that the nodes are a derivation from the table's start rule, that every terminal's
    /// text belongs to it, and that the text is the yield.
    ///
    /// # Errors
    ///
    /// The first node that does not fit.
    pub fn check(&self, table: &Table) -> Result<(), TreeError> {
        self.check_from(table, table.start())
    }

    /// The rule that the tree derives, by its root.
    #[cfg(feature = "front")]
    pub(crate) fn root_rule(&self) -> Option<RuleId> {
        match self.nodes.first()?.symbol.kind() {
            SymbolKind::Root(rule) => Some(rule),
            _ => None,
        }
    }

    /// As [`Tree::check`], for a derivation from any rule.
    pub(crate) fn check_from(&self, table: &Table, rule: RuleId) -> Result<(), TreeError> {
        let fail = |node, message| Err(TreeError { node, message });
        // Symbols expected next, the nearest last; repetitions are written with their count.
        let mut expected: Vec<(Symbol, u32)> = vec![(Symbol::root(rule), 1)];
        let mut offset = 0_usize;
        for (index, node) in self.nodes.iter().enumerate() {
            if node.symbol == Symbol::LAYOUT {
                let end = offset + node.choice as usize;
                let Some(text) = self.text.get(offset..end) else {
                    return fail(index, "it yields more than the text has");
                };
                offset = end;
                match table.layout() {
                    Some(layout) if layout.automaton().contains_bytes(text) => continue,
                    _ => return fail(index, "this is no layout of the grammar"),
                }
            }
            while expected.last().is_some_and(|&(_, count)| count == 0) {
                expected.pop();
            }
            let Some((symbol, count)) = expected.last_mut() else {
                return fail(index, "nothing more is expected here");
            };
            if *symbol != node.symbol {
                return fail(index, "another symbol is expected here");
            }
            *count -= 1;
            match node.symbol.kind() {
                SymbolKind::Terminal(occurrence) => {
                    let end = offset + node.choice as usize;
                    let Some(text) = self.text.get(offset..end) else {
                        return fail(index, "it yields more than the text has");
                    };
                    offset = end;
                    let terminal = table.terminal_at(occurrence);
                    if !terminal.is_some_and(|terminal| matches(table, terminal, text)) {
                        return fail(index, "its text is not of its terminal");
                    }
                }
                SymbolKind::Repetition(repetition) => {
                    let repetition = table.repetition(repetition);
                    if node.choice < repetition.min || node.choice > repetition.max {
                        return fail(index, "its count is out of bounds");
                    }
                    expected.push((repetition.element, node.choice));
                }
                _ => {
                    let behind = table.rule_behind(node.symbol);
                    let alternative = node.alternative();
                    if alternative.index() >= table.alternative_count()
                        || behind != Some(table.rule_of(alternative))
                    {
                        return fail(index, "its alternative is of another rule");
                    }
                    expected.extend(table.items(alternative).iter().rev().map(|&s| (s, 1)));
                }
            }
        }
        if expected.iter().any(|&(_, count)| count > 0) {
            return fail(self.nodes.len(), "the tree ends too early");
        }
        if offset != self.text.len() {
            return fail(self.nodes.len(), "the text goes on after the yield");
        }
        Ok(())
    }
}

/// Whether a terminal has this text.
#[pleach_unhooked::unhooked]
pub(crate) fn matches(table: &Table, terminal: TerminalId, text: &[u8]) -> bool {
    match table.terminal(terminal) {
        Terminal::Literal { bytes, ignore_case: false } => text == bytes,
        Terminal::Literal { bytes, ignore_case: true } => text.eq_ignore_ascii_case(bytes),
        Terminal::Class { ranges } => {
            let symbol = match table.encoding() {
                crate::grammar::Encoding::Bytes => match text {
                    [byte] => Some(u32::from(*byte)),
                    _ => None,
                },
                crate::grammar::Encoding::Unicode => {
                    std::str::from_utf8(text).ok().and_then(|text| {
                        let mut chars = text.chars();
                        chars.next().filter(|_| chars.next().is_none()).map(u32::from)
                    })
                }
            };
            symbol.is_some_and(|symbol| {
                ranges.iter().any(|&(low, high)| (low..=high).contains(&symbol))
            })
        }
        Terminal::Regular { automaton } => automaton.contains_bytes(text),
    }
}
