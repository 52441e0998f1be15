//! A recursion is repeated.

use crate::mutate::Mutator;
use crate::mutate::edit::Edit;
use crate::mutate::traits::{Mask, RECURSIVE};
use crate::mutate::work::{Memory, Work};

/// Repeats what stands between a node and one of the same rule above it: `(1)` becomes `((1))`, and
/// the whole stands there 2, 4, ... up to 256 times, as far as the budget allows.
pub(in crate::mutate) struct Recursion;

impl Mutator for Recursion {
    fn name(&self) -> &'static str {
        "recursion"
    }

    fn weight(&self) -> u32 {
        2
    }

    fn needs(&self) -> Mask {
        RECURSIVE
    }

    #[pleach_unhooked::unhooked]
    fn mutate(&self, work: &mut Work<'_, '_>) -> bool {
        let Some((upper, lower)) = work.pick_nested(RECURSIVE) else { return false };
        let base = work.base;
        let path = &work.memory.path;
        let (outer, inner) = (path[upper] as usize, path[lower] as usize);
        let ends = (base.end(outer), base.end(inner));
        let levels = work.references(&path[upper..lower]);
        work.memory.path.truncate(lower + 1);
        let (cost, kept) = (work.cost(outer), work.cost(inner));
        let cost = (cost.0 - kept.0, cost.1 - kept.1);
        if cost.1 == 0 {
            return false;
        }
        // The chance halves with each doubling.
        let mut copies = (2_usize << (work.words.index(1 << 8) | 1 << 7).trailing_zeros()) - 1;
        let height = work.height();
        loop {
            let higher = levels.saturating_mul(copies as u32);
            if work.fits((cost.0 * copies, cost.1 * copies), (0, 0))
                && higher <= height
                && work.fits_height(base, inner, height - higher)
            {
                break;
            }
            copies /= 2;
            if copies == 0 {
                return false;
            }
        }
        repeat(work, (upper, lower), ends, copies);
        true
    }
}

/// Writes the part before the inner node so many times more, and the part after it as often.
fn repeat(
    work: &mut Work<'_, '_>,
    (upper, lower): (usize, usize),
    (outer_end, inner_end): (usize, usize),
    copies: usize,
) {
    let base = work.base;
    let Memory { path, seams, other, .. } = &mut *work.memory;
    let (outer, inner) = (path[upper] as usize, path[lower] as usize);
    let start = base.offset(outer);
    let more = (inner - outer + outer_end - inner_end) as isize;
    let mut edit = Edit::new(base, work.out, seams);
    edit.keep(inner);
    let middle = edit.offset();
    for copy in 1..=copies {
        let root = edit.len();
        edit.graft(base, (outer, inner), (start, middle));
        edit.node_mut(root).symbol = base.nodes[inner].symbol;
        other.clear();
        other.extend(path[upper..lower].iter().map(|&at| at + (root - outer) as u32));
        edit.resize(other, more * (copies - copy) as isize);
    }
    edit.keep(inner_end);
    let after = edit.offset();
    let bytes = crate::tree::width(&base.nodes[inner_end..outer_end]);
    for _ in 0..copies {
        edit.graft(base, (inner_end, outer_end), (after, after + bytes));
    }
    edit.finish(&path[..lower]);
}
