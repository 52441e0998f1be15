//! The trees that a mutation begins with: few that cover the grammar's short k-paths. They are always the same ones of a
//! table, and to grow them is most of what it takes to begin, so they are made ahead with it where a grammar is.

#[cfg(feature = "front")]
use crate::entropy::Seeded;
use crate::pack::Pack;
#[cfg(feature = "front")]
use crate::produce::{Cover, CoverOptions};
use crate::table::Table;
use crate::tree::{Node, Tree};

/// What the trees cover: k-paths up to this length, of grammars that have no more than so many, in no more than so many
/// trees.
#[cfg(feature = "front")]
const K: usize = 2;
#[cfg(feature = "front")]
const PATHS: u64 = 1 << 16;
#[cfg(feature = "front")]
const TREES: usize = 256;

/// Goes through the trees: those that were made ahead, and else they are grown.
pub(super) fn each(table: &Table, mut of: impl FnMut(&mut Tree)) {
    let Some(packed) = &table.ahead.trees else { return grow(table, of) };
    let from = &mut &packed[..];
    while !from.is_empty() {
        let tree: Option<(Vec<Node>, Vec<u8>)> = Pack::unpack(from);
        let (nodes, text) = tree.expect("the table was packed by this version");
        of(&mut Tree { nodes, text });
    }
}

#[cfg(feature = "front")]
fn grow(table: &Table, mut of: impl FnMut(&mut Tree)) {
    let options = CoverOptions::new(K).limit(PATHS).size(128).max_nodes(1 << 12);
    let Ok(mut cover) = Cover::new(table, options) else { return };
    let (mut random, mut tree) = (Seeded::new(0), Tree::new());
    for _ in 0..TREES {
        if !cover.next_tree(&mut random, &mut tree) {
            break;
        }
        of(&mut tree);
    }
}

#[cfg(not(feature = "front"))]
fn grow(_: &Table, _: impl FnMut(&mut Tree)) {
    unreachable!("a table is lowered here, or was made ahead with these trees")
}

/// The bytes of the trees.
#[cfg(feature = "front")]
pub(crate) fn pack(table: &Table) -> Vec<u8> {
    let mut out = Vec::new();
    grow(table, |tree| {
        tree.nodes.pack(&mut out);
        tree.text.pack(&mut out);
    });
    out
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::grammar::Grammar;
    use crate::internal;
    use crate::table::Lowering;

    #[test]
    fn trees_made_ahead_are_those_that_are_grown() {
        let grammar = Grammar::parse(r#"a = b{2,3} "x" | "(" a ")" c; b = [a-z]+; c = "y" | a;"#)
            .expect("it reads");
        let table = Lowering::new().lower(&grammar).expect("it lowers").table;
        let (ahead, _) = internal::unpack(&internal::pack(&table, [])).expect("it was packed here");
        assert!(ahead.ahead.trees.is_some() && table.ahead.trees.is_none());
        let [mut left, mut right]: [Vec<Tree>; 2] = Default::default();
        each(&table, |tree| left.push(tree.clone()));
        each(&ahead, |tree| right.push(tree.clone()));
        assert_eq!(left, right);
        assert!(left.len() > 1);
    }
}
