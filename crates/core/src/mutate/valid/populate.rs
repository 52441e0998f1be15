//! A repetition gets more elements, each grown by itself.

use crate::mutate::Mutator;
use crate::mutate::capabilities::{ELASTIC, Mask};
use crate::mutate::edit::Edit;
use crate::mutate::work::{Memory, Work};
use crate::produce::Request;
use crate::table::SymbolKind;
use crate::tree::{Node, SizedTree};

/// Grows new elements at a place in a repetition: mostly one, and sometimes up to 2, 4, ... or 64, as far
/// as the repetition's bounds and the budget allow. Unlike copies they differ, so a map that the
/// target makes of them grows.
pub(in crate::mutate) struct Populate;

const TRIES: usize = 3;

/// Nodes of an element beyond the smallest, after which it is closed.
const NODES: u64 = 8;

impl Mutator for Populate {
    fn needs(&self) -> Mask {
        ELASTIC
    }

    #[pleach_unhooked::unhooked]
    fn mutate(&self, work: &mut Work<'_, '_>) -> bool {
        // Out of the memory that is needed for the elements.
        let mut fresh = std::mem::take(&mut work.memory.fresh);
        let done = (0..TRIES).any(|_| populate(work, &mut fresh));
        work.memory.fresh = fresh;
        done
    }
}

#[pleach_unhooked::unhooked]
fn populate(work: &mut Work<'_, '_>, fresh: &mut SizedTree) -> bool {
    let table = work.table;
    let has_room = |node: Node| match node.symbol.kind() {
        SymbolKind::Repetition(id) => node.choice < table.repetition(id).max,
        _ => false,
    };
    let Some(node) = work.pick_where(ELASTIC, has_room) else { return false };
    let SymbolKind::Repetition(id) = work.base.nodes[node].symbol.kind() else { return false };
    let count = work.base.nodes[node].choice;
    let repetition = table.repetition(id);
    let mut most = 1_u32;
    if work.random.once_in(4) {
        most = 1 << work.random.index(7);
    }
    let most = most.min(repetition.max - count);
    work.list(node);
    let before = work.random.index(count as usize + 1);
    let mut request = Request { symbol: repetition.element, ..work.request(node, NODES) };
    request.most = work.most_instead((0, 0));
    let Memory { path, seams, elements, .. } = &mut *work.memory;
    let mut edit = Edit::new(work.base, work.out, seams);
    edit.keep(elements[before] as usize);
    let (mut grown, mut bytes) = (0, 0);
    while grown < most && work.generator.grow(&request, work.random, &mut fresh.tree) {
        fresh.measure(table);
        let (nodes, text) = (fresh.sizes.len(), fresh.text().len());
        edit.graft(fresh.as_ref(), (0, nodes), (0, text));
        request.most.nodes = request.most.nodes.saturating_sub(nodes as u64);
        request.most.bytes = request.most.bytes.saturating_sub(text as u64);
        bytes += text;
        grown += 1;
    }
    edit.node_mut(node).choice = count + grown;
    edit.finish(path);
    bytes > 0
}
