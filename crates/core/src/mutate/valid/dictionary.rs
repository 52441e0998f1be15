//! A word of the dictionary is put into a token.

use crate::mutate::Mutator;
use crate::mutate::capabilities::{Mask, TOKEN};
use crate::mutate::work::Work;
use crate::table::SymbolKind;
use crate::tree::matches;

/// Puts a word in the place of a token's text, or into it, where the terminal allows that. The words
/// are the caller's and the literals of the grammar.
pub(in crate::mutate) struct Dictionary;

const TRIES: usize = 6;

impl Mutator for Dictionary {
    fn needs(&self) -> Mask {
        TOKEN
    }

    #[pleach_unhooked::unhooked]
    fn mutate(&self, work: &mut Work<'_, '_>) -> bool {
        if work.dictionary.is_empty() {
            return false;
        }
        let Some(node) = work.pick(TOKEN) else { return false };
        let SymbolKind::Terminal(occurrence) = work.base.nodes[node].symbol.kind() else {
            return false;
        };
        let Some(terminal) = work.table.terminal_at(occurrence) else { return false };
        let old = work.leaf(node);
        (0..TRIES).any(|_| {
            let word = &work.dictionary[work.random.index(work.dictionary.len())];
            let text = &mut work.memory.fresh.tree.text;
            text.clear();
            if work.random.once_in(2) {
                text.extend_from_slice(word);
            } else {
                let at = work.random.index(old.len() + 1);
                text.extend_from_slice(&old[..at]);
                text.extend_from_slice(word);
                text.extend_from_slice(&old[at..]);
            }
            matches(work.table, terminal, text) && work.retell(node)
        })
    }
}
