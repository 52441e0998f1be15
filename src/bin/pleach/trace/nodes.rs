//! Which node of the input's derivation tree bytes belong to.

use std::ops::Range;

use pleach::table::{SymbolKind, Table};
use pleach::tree::{Outline, Tree};

/// What layout is called, which is no rule's.
const LAYOUT: &str = "layout";
/// No node.
const NONE: u32 = u32::MAX;

/// A tree, from its bytes upwards.
pub(super) struct Nodes<'t> {
    table: &'t Table,
    tree: Tree,
    outline: Outline,
    /// For each byte the innermost node of a rule, or of layout, that covers it.
    innermost: Vec<u32>,
    /// For each node the innermost such node above it.
    above: Vec<u32>,
}

impl<'t> Nodes<'t> {
    pub(super) fn new(table: &'t Table, tree: Tree) -> Self {
        let outline = Outline::new(table, &tree);
        let mut innermost = vec![NONE; tree.text().len()];
        let mut above = vec![NONE; tree.nodes().len()];
        // The nodes of rules that are open, and where each ends.
        let mut open: Vec<(u32, usize)> = Vec::new();
        for (index, node) in tree.nodes().iter().enumerate() {
            while open.last().is_some_and(|&(_, end)| end <= index) {
                open.pop();
            }
            above[index] = open.last().map_or(NONE, |&(node, _)| node);
            match node.symbol.kind() {
                SymbolKind::Reference(_) | SymbolKind::Root(_) => {
                    open.push((index as u32, index + outline.size(index) as usize));
                }
                SymbolKind::Terminal(_) => innermost[outline.span(index)].fill(above[index]),
                SymbolKind::Layout => innermost[outline.span(index)].fill(index as u32),
                SymbolKind::Group(_) | SymbolKind::Repetition(_) => {}
            }
        }
        Self { table, tree, outline, innermost, above }
    }

    /// The innermost node that covers some bytes: the name of its rule, and its own bytes.
    pub(super) fn covering(&self, bytes: &Range<u64>) -> Option<(&str, Range<usize>)> {
        let [start, end] = [bytes.start, bytes.end].map(|it| usize::try_from(it).ok());
        let mut node = *self.innermost.get(start?)?;
        while node != NONE && self.outline.span(node as usize).end < end? {
            node = self.above[node as usize];
        }
        let symbol = self.tree.nodes().get(node as usize)?.symbol;
        let name = match self.table.rule_behind(symbol) {
            Some(rule) => self.table.names().rule(rule),
            None => LAYOUT,
        };
        Some((name, self.outline.span(node as usize)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use pleach::grammar::Grammar;
    use pleach::parse::{Parser, Scratch};
    use pleach::table::Lowering;

    #[test]
    fn bytes_belong_to_the_innermost_rule_that_covers_them_all() {
        let text = r#"sum = ( number "+" )* number ; number = digit+ ; digit = [0-9] ;"#;
        let table = Lowering::new().lower(&Grammar::parse(text).unwrap()).unwrap().table;
        let mut tree = Tree::new();
        Parser::new(&table).parse(b"12+345", &mut Scratch::new(), &mut tree).unwrap();
        let nodes = Nodes::new(&table, tree);
        let of = |range: Range<u64>| nodes.covering(&range);
        assert_eq!(of(0..1), Some(("digit", 0..1)));
        assert_eq!(of(3..5), Some(("number", 3..6)));
        assert_eq!(of(2..3), Some(("sum", 0..6)));
        assert_eq!(of(1..4), Some(("sum", 0..6)));
        assert_eq!(of(6..7), None);
        assert_eq!(of(5..7), None);
    }
}
