//! A token's text is drawn anew.

use crate::mutate::Mutator;
use crate::mutate::capabilities::{Mask, TOKEN};
use crate::mutate::work::Work;
use crate::table::SymbolKind;

/// Gives a regular terminal, a class or a literal that ignores case another random text.
pub(in crate::mutate) struct Token;

/// How often another text is drawn where it is the same.
const TRIES: usize = 3;

impl Mutator for Token {
    fn needs(&self) -> Mask {
        TOKEN
    }

    #[pleach_unhooked::unhooked]
    fn mutate(&self, work: &mut Work<'_, '_>) -> bool {
        let Some(node) = work.pick(TOKEN) else { return false };
        let SymbolKind::Terminal(occurrence) = work.base.nodes[node].symbol.kind() else {
            return false;
        };
        let Some(terminal) = work.table.terminal_at(occurrence) else { return false };
        let most = work.most_instead(work.cost(node)).bytes;
        (0..TRIES).any(|_| {
            let text = &mut work.memory.fresh.tree.text;
            text.clear();
            work.generator.leaf(terminal, most, work.random, text);
            work.retell(node)
        })
    }
}
