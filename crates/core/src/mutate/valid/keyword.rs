//! A literal becomes another that its rule has as an alternative.

use crate::mutate::Mutator;
use crate::mutate::capabilities::{KEYWORD, Mask};
use crate::mutate::work::{Memory, Work};
use crate::table::SymbolKind;
use crate::tree::Node;

/// Replaces a literal by another alternative of the rule or group that it is an alternative of:
/// `true` by `false`, `+` by `-`.
pub(in crate::mutate) struct Keyword;

const TRIES: usize = 4;

impl Mutator for Keyword {
    fn needs(&self) -> Mask {
        KEYWORD
    }

    #[pleach_unhooked::unhooked]
    fn mutate(&self, work: &mut Work<'_, '_>) -> bool {
        (0..TRIES).any(|_| replace(work))
    }
}

fn replace(work: &mut Work<'_, '_>) -> bool {
    if work.pick(KEYWORD).is_none() {
        return false;
    }
    // From the literal to what it is an alternative of.
    work.memory.path.pop();
    let Some(&node) = work.memory.path.last() else { return false };
    let node = node as usize;
    let literals = &work.capabilities.literals;
    let (Some(rule), choice) = (work.rule(node), work.base.nodes[node].alternative()) else {
        return false;
    };
    let others =
        || work.table.alternatives(rule).filter(|&id| id != choice && literals[id.index()]);
    let Some(other) = others().nth(work.random.index(others().count())) else { return false };
    let [item] = *work.table.items(other) else { return false };
    let SymbolKind::Terminal(occurrence) = item.kind() else { return false };
    let Some(terminal) = work.table.terminal_at(occurrence) else { return false };
    let text = work.table.shortest(terminal);
    let Memory { fresh, .. } = &mut *work.memory;
    fresh.clear();
    let symbol = work.base.nodes[node].symbol;
    fresh.tree.nodes.push(Node { symbol, choice: other.get() });
    fresh.tree.nodes.push(Node { symbol: item, choice: text.len() as u32 });
    fresh.tree.text.extend_from_slice(text);
    let cost = (2, text.len());
    work.fits(cost, work.cost(node)) && work.plant(node)
}
