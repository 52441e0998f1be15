//! Elements of a repetition come again.

use crate::mutate::Mutator;
use crate::mutate::capabilities::{ELASTIC, Mask};
use crate::mutate::edit::Edit;
use crate::mutate::work::{Memory, Work};

/// Copies an element of a repetition to another place in it: mostly once, and sometimes 2, 4, ... up
/// to 128 times, as far as the repetition's bounds and the budget allow.
pub(in crate::mutate) struct Replicate;

const TRIES: usize = 3;

impl Mutator for Replicate {
    fn needs(&self) -> Mask {
        ELASTIC
    }

    #[pleach_unhooked::unhooked]
    fn mutate(&self, work: &mut Work<'_, '_>) -> bool {
        (0..TRIES).any(|_| replicate(work))
    }
}

fn replicate(work: &mut Work<'_, '_>) -> bool {
    let Some(node) = work.pick_where(ELASTIC, |node| node.choice > 0) else { return false };
    let crate::table::SymbolKind::Repetition(id) = work.base.nodes[node].symbol.kind() else {
        return false;
    };
    let count = work.base.nodes[node].choice;
    let free = work.table.repetition(id).max - count;
    if free == 0 {
        return false;
    }
    work.list(node);
    let element = work.random.index(count as usize);
    let before = work.random.index(count as usize + 1);
    let run = work.run(element, element + 1);
    let mut copies = 1_u32;
    if work.random.once_in(4) {
        copies = 1 << work.random.index(8);
    }
    copies = copies.min(free);
    let (nodes, bytes) = run.cost();
    let cost = |copies: u32| (nodes * copies as usize, bytes * copies as usize);
    while copies > 0 && !work.fits(cost(copies), (0, 0)) {
        copies /= 2;
    }
    if copies == 0 || bytes == 0 {
        return false;
    }
    let Memory { path, seams, elements, .. } = &mut *work.memory;
    let mut edit = Edit::new(work.base, work.out, seams);
    edit.keep(elements[before] as usize);
    edit.node_mut(node).choice = count + copies;
    for _ in 0..copies {
        edit.graft(work.base, run.nodes, run.text);
    }
    edit.finish(path);
    true
}
