//! The invalid mutators, which leave the language or try to, one a file. One is added as to the valid ones.
//!
//! They write bytes and no tree: what is made need not be a sentence, and what it would be read as
//! is not known.

mod displace;
mod garble;
mod implant;
mod omit;
mod plunge;
mod stammer;
mod truncate;
mod widen;

/// Whether what these mutators write need not be of the language.
pub(super) const BREAKS: bool = true;

pub(super) use displace::Displace;
pub(super) use garble::Garble;
pub(super) use implant::Implant;
pub(super) use omit::Omit;
pub(super) use plunge::Plunge;
pub(super) use stammer::Stammer;
pub(super) use truncate::Truncate;
pub(super) use widen::Widen;

use super::work::Work;
use crate::table::Symbol;
use crate::tree::width;

/// The text of a random leaf that has one, as a range of bytes; layout is one leaf as others are.
#[pleach_unhooked::unhooked]
fn leaf(work: &mut Work<'_, '_>) -> Option<(usize, usize)> {
    let nodes = work.base.nodes;
    let is_one = |&at: &usize| nodes[at].symbol.is_leaf() && nodes[at].choice > 0;
    let start = work.random.index(nodes.len());
    let found = (start..nodes.len()).find(is_one).or_else(|| (0..start).find(is_one))?;
    let offset = width(&nodes[..found]);
    Some((offset, offset + nodes[found].choice as usize))
}

/// The text of a random subtree that is no layout, as a range of bytes, and its symbol.
#[pleach_unhooked::unhooked]
fn subtree(work: &mut Work<'_, '_>) -> (Symbol, (usize, usize)) {
    let node = work.random.index(work.base.end(0));
    let offset = work.base.offset(node);
    let bytes = width(&work.base.nodes[node..work.base.end(node)]);
    (work.base.nodes[node].symbol, (offset, offset + bytes))
}

/// Writes the base with other bytes in the place of a range; false where there would be too many.
#[pleach_unhooked::unhooked]
fn write(work: &mut Work<'_, '_>, (from, to): (usize, usize), bytes: &[&[u8]]) -> bool {
    work.out.clear();
    let text = &mut work.out.tree.text;
    text.extend_from_slice(&work.base.text[..from]);
    for bytes in bytes {
        text.extend_from_slice(bytes);
    }
    text.extend_from_slice(&work.base.text[to..]);
    text.len() <= work.room.bytes
}
