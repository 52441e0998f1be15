//! Recording a derivation tree, or not, from the same generator.

/// A node in preorder: what it stands for and the alternative taken there.
///
/// Eight bytes, like a node of pleach's own trees.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Node {
    /// The rule.
    pub symbol: u32,
    /// The rule's alternative, counted from 0.
    pub choice: u32,
}

/// Who is told of each node of the derivation tree, in preorder.
pub trait Record {
    /// Whether nodes are kept; where they are not, the code that finds them compiles to nothing.
    const KEEPS: bool;

    /// The next node.
    fn node(&mut self, symbol: u32, choice: u32);
}

/// No tree.
impl Record for () {
    const KEEPS: bool = false;

    #[inline(always)]
    fn node(&mut self, _symbol: u32, _choice: u32) {}
}

impl Record for Vec<Node> {
    const KEEPS: bool = true;

    #[inline(always)]
    fn node(&mut self, symbol: u32, choice: u32) {
        self.push(Node { symbol, choice });
    }
}
