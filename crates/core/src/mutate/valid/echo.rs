//! What stands at one place comes to others.

use crate::mutate::Mutator;
use crate::mutate::capabilities::{Mask, SHARED};
use crate::mutate::edit::Edit;
use crate::mutate::work::{Memory, Work};
use crate::tree::width;

/// Puts a copy of a subtree in the place of another of its rule, of all that have that one's text, or of all of the rule:
/// names and numbers that must agree do then.
pub(in crate::mutate) struct Echo;

const TRIES: usize = 4;

/// The most places.
const MOST: usize = 32;

/// In whose place.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Places {
    One,
    Alike,
    All,
}

impl Mutator for Echo {
    fn needs(&self) -> Mask {
        SHARED
    }

    #[pleach_unhooked::unhooked]
    fn mutate(&self, work: &mut Work<'_, '_>) -> bool {
        (0..TRIES).any(|_| echo(work))
    }
}

fn echo(work: &mut Work<'_, '_>) -> bool {
    let Some(old) = work.pick(SHARED) else { return false };
    let base = work.base;
    let rule = work.capabilities.rule(base.nodes[old].symbol);
    let start = work.random.index(base.end(0));
    let apart = |at| base.end(at) <= old || base.end(old) <= at;
    let Some(new) = work.capabilities.find_rule(base, start, rule, apart) else { return false };
    if text(work, old) == text(work, new) {
        return false;
    }
    let places = match work.random.index(4) {
        0 | 1 => Places::One,
        2 => Places::Alike,
        _ => Places::All,
    };
    find(work, (old, new), places);
    let (copy, room) = (work.cost(new), &work.memory.elements);
    let gone = room.iter().map(|&at| work.cost(at as usize));
    let gone = gone.fold((0, 0), |all, one| (all.0 + one.0, all.1 + one.1));
    let count = room.len();
    if count == 0 || !work.fits((copy.0 * count, copy.1 * count), gone) {
        return false;
    }
    write(work, new);
    true
}

#[pleach_unhooked::unhooked]
fn text<'w>(work: &Work<'w, '_>, node: usize) -> &'w [u8] {
    let start = work.base.offset(node);
    &work.base.text[start..start + work.cost(node).1]
}

/// Finds the places, none of which is in another, at which the new subtree is not too high.
fn find(work: &mut Work<'_, '_>, (old, new): (usize, usize), places: Places) {
    let base = work.base;
    let (rule, wanted) = (work.capabilities.rule(base.nodes[old].symbol), text(work, old));
    let mut found = std::mem::take(&mut work.memory.elements);
    found.clear();
    let mut at = if places == Places::One { old } else { 0 };
    // A node that was passed, and where its text begins.
    let (mut passed, mut start) = (0, 0);
    while found.len() < MOST {
        let is_one = |&at: &usize| work.capabilities.rule(base.nodes[at].symbol) == rule;
        let Some(next) = (at..base.end(0)).find(is_one) else { break };
        at = next + 1;
        let apart = base.end(next) <= new || base.end(new) <= next;
        if !apart {
            continue;
        }
        if places == Places::Alike {
            start += width(&base.nodes[passed..next]);
            passed = next;
            let text = &base.text[start..];
            if !text.starts_with(wanted) || work.cost(next).1 != wanted.len() {
                continue;
            }
        }
        base.descend(next, &mut work.memory.path);
        let height = work.height();
        if work.fits_height(base, new, height) {
            found.push(next as u32);
            at = base.end(next);
        }
        if places == Places::One {
            break;
        }
    }
    work.memory.elements = found;
}

/// Writes the base with the new subtree in the places that were found.
fn write(work: &mut Work<'_, '_>, new: usize) {
    let base = work.base;
    let (start, size) = (base.offset(new), base.sizes[new]);
    let Memory { path, other: shifts, elements, seams, .. } = &mut *work.memory;
    let mut edit = Edit::new(base, work.out, seams);
    // By how much what stands behind so many places has moved.
    shifts.clear();
    shifts.push(0);
    for &at in &*elements {
        let by = size.wrapping_sub(base.sizes[at as usize]);
        base.descend(at as usize, path);
        path.pop();
        for above in &mut *path {
            *above = above.wrapping_add(shifts[elements.partition_point(|place| place < above)]);
        }
        edit.keep(at as usize);
        edit.resize(path, by as i32 as isize);
        edit.graft_as(base.nodes[at as usize].symbol, base, new, start);
        edit.skip(base.end(at as usize));
        shifts.push(shifts[shifts.len() - 1].wrapping_add(by));
    }
    edit.finish(&[]);
}
