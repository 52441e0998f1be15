//! The bytes of a token are changed by the caller's engine.

use crate::mutate::Bytes;
use crate::mutate::Mutator;
use crate::mutate::bytes::ByteMutator;
use crate::mutate::capabilities::{Mask, TOKEN};
use crate::mutate::work::Work;
use crate::table::SymbolKind;
use crate::tree::matches;

/// Changes bytes inside one token by the caller's function, or by a plain one of this crate where
/// the caller has none; what its terminal does not have is refused.
pub(in crate::mutate) struct Havoc;

const TRIES: usize = 6;

/// How many bytes a token may gain at a time.
const GAIN: usize = 64;

impl Mutator for Havoc {
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
        let old = work.leaf(node);
        let most = (old.len() + GAIN).min(work.most_instead(work.cost(node)).bytes as usize);
        if most == 0 {
            return false;
        }
        (0..TRIES).any(|_| {
            let text = &mut work.memory.fresh.tree.text;
            text.clear();
            text.extend_from_slice(&old[..old.len().min(most)]);
            let length = text.len();
            text.resize(most, 0);
            let length = match &mut work.bytes {
                Some(bytes) => bytes.mutate(text, length, most),
                None => ByteMutator::new(work.random).mutate(text, length, most),
            };
            text.truncate(length.min(most));
            matches(work.table, terminal, text) && work.retell(node)
        })
    }
}
