//! Derivation trees: flat, in preorder.
//!
//! A [`Tree`] is an array of [`Node`]s and the bytes they yield. A node is two words: what it
//! stands for, and the choice made there (the alternative, the count of a repetition, or the
//! length of a leaf). How many children a node has follows from the table, so a tree is written
//! front to back without going back, and copied as memory. What needs looking ahead, sizes of
//! subtrees and spans in the text, is an [`Outline`], made in one pass when it is wanted. A tree that
//! is to be edited keeps the sizes alone: a [`SizedTree`].

mod check;
mod outline;
mod sized;

pub use check::TreeError;
pub(crate) use check::matches;
pub use outline::Outline;
pub(crate) use sized::width;
pub use sized::{SizedTree, TreeRef};

use crate::table::{AlternativeId, Symbol, SymbolKind, Table};

/// A symbol and the choice made at it: eight bytes of a derivation tree in preorder.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(C)]
pub struct Node {
    /// What the node stands for.
    pub symbol: Symbol,
    /// The choice made there, by the kind of the symbol: the alternative of a root, reference or
    /// group; the count of a repetition; the length in bytes of a terminal or of layout.
    pub choice: u32,
}

impl Node {
    /// The alternative of a root, reference or group.
    #[inline]
    pub fn alternative(self) -> AlternativeId {
        AlternativeId::new(self.choice)
    }

    /// How many nodes stand directly under this one, layout left out.
    ///
    /// # Panics
    ///
    /// Where its alternative is none of the table.
    #[inline]
    pub fn arity(self, table: &Table) -> u32 {
        match self.symbol.kind() {
            SymbolKind::Reference(_) | SymbolKind::Group(_) | SymbolKind::Root(_) => {
                table.arity(self.alternative())
            }
            SymbolKind::Repetition(_) => self.choice,
            SymbolKind::Terminal(_) | SymbolKind::Layout => 0,
        }
    }
}

/// A derivation as nodes in preorder, with the text that its leaves yield.
///
/// Nodes are in preorder; the first is the root. A layout leaf stands before the token that it
/// precedes and counts as no child.
///
/// # Examples
///
/// ```
/// use pleach::parse::Parser;
/// use pleach::table::Table;
/// use pleach::tree::Outline;
///
/// let table = Table::parse(r#"sum = number ( "+" number )* ; number = [0-9]+ ;"#)?;
/// let tree = Parser::new(&table).tree(b"1+20")?;
/// let outline = Outline::new(&table, &tree);
/// let mut rules = Vec::new();
/// for (at, node) in tree.nodes().iter().enumerate() {
///     let Some(rule) = table.rule_behind(node.symbol) else { continue };
///     // Groups are rules without a name.
///     if !table.names().rule(rule).is_empty() {
///         rules.push((table.names().rule(rule), outline.span(at)));
///     }
/// }
/// assert_eq!(rules, [("sum", 0..4), ("number", 0..1), ("number", 2..4)]);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Tree {
    pub(crate) nodes: Vec<Node>,
    pub(crate) text: Vec<u8>,
}

impl Tree {
    /// An empty tree, to be filled by a producer.
    pub fn new() -> Self {
        Self::default()
    }

    /// The nodes in preorder.
    #[inline]
    pub fn nodes(&self) -> &[Node] {
        &self.nodes
    }

    /// The yield: what the leaves say, one after the other.
    #[inline]
    pub fn text(&self) -> &[u8] {
        &self.text
    }

    /// Empties the tree and keeps its memory.
    pub fn clear(&mut self) {
        self.nodes.clear();
        self.text.clear();
    }

    /// Takes the yield out of the tree.
    pub fn into_text(self) -> Vec<u8> {
        self.text
    }
}
