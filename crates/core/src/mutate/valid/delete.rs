//! Elements of a repetition go.

use crate::mutate::Mutator;
use crate::mutate::capabilities::{ELASTIC, Mask};
use crate::mutate::edit::Edit;
use crate::mutate::work::{Memory, Work};
use crate::table::SymbolKind;

/// Leaves out a run of elements of a repetition: mostly one, at most what its least count allows.
pub(in crate::mutate) struct Delete;

const TRIES: usize = 3;

impl Mutator for Delete {
    fn needs(&self) -> Mask {
        ELASTIC
    }

    #[pleach_unhooked::unhooked]
    fn mutate(&self, work: &mut Work<'_, '_>) -> bool {
        (0..TRIES).any(|_| delete(work))
    }
}

fn delete(work: &mut Work<'_, '_>) -> bool {
    let Some(node) = work.pick_where(ELASTIC, |node| node.choice > 0) else { return false };
    let SymbolKind::Repetition(id) = work.base.nodes[node].symbol.kind() else { return false };
    let count = work.base.nodes[node].choice;
    let most = count.saturating_sub(work.table.repetition(id).min);
    if most == 0 {
        return false;
    }
    work.list(node);
    let length = if work.random.once_in(4) { 1 + work.random.index(most as usize) } else { 1 };
    let first = work.random.index(count as usize + 1 - length);
    let run = work.run(first, first + length);
    if run.cost().1 == 0 {
        return false;
    }
    let Memory { path, seams, .. } = &mut *work.memory;
    let mut edit = Edit::new(work.base, work.out, seams);
    edit.keep(run.nodes.0);
    edit.node_mut(node).choice = count - length as u32;
    edit.skip(run.nodes.1);
    edit.finish(path);
    true
}
