//! A recursion is repeated as often as there is room.

use crate::entropy::Entropy;
use crate::mutate::Mutator;
use crate::mutate::capabilities::{Mask, RECURSIVE};
use crate::mutate::edit::mend;
use crate::mutate::recursions::Recursions;
use crate::mutate::work::Work;
use crate::mutate::wrap::{Frame, wrap};
use crate::table::SymbolKind;
use crate::tree::{SizedTree, width};

/// Repeats a recursion as often as there is room, or half as often, and so on: parsers that recurse spend their stacks.
///
/// Half of the recursions are of the input, as `recursion` has them; the others are the smallest that one of the
/// references in the body of a rule leads to.
pub(in crate::mutate) struct Deepen;

impl Mutator for Deepen {
    fn is_far(&self) -> bool {
        true
    }

    fn needs(&self) -> Mask {
        RECURSIVE
    }

    #[pleach_unhooked::unhooked]
    fn mutate(&self, work: &mut Work<'_, '_>) -> bool {
        deepen(work, close)
    }
}

/// The most frames: as many as fit an engine's usual length of inputs, 4,096 bytes, where each has one.
const MOST: usize = 1 << 12;

/// So many frames are put first. What stands between the second and the third is then what stands between any two: layout
/// too, which need not be looked for at each of thousands.
const FIRST: usize = 3;

/// Makes what is grown close at once.
struct Spent;

impl Entropy for Spent {
    fn next_u64(&mut self) -> u64 {
        0
    }

    fn is_exhausted(&self) -> bool {
        true
    }
}

/// Finds a recursion, puts it a few times around a node, and hands that on with one of the copies, the second.
pub(in crate::mutate) fn deepen(
    work: &mut Work<'_, '_>,
    finish: impl FnOnce(&mut Work<'_, '_>, Frame<'_>, Frame<'_>) -> bool,
) -> bool {
    // Out of the memory that is needed for the paths.
    let [mut fresh, mut few] = [&mut work.memory.fresh, &mut work.memory.few].map(std::mem::take);
    let done = frame(work, &mut fresh).is_some_and(|frame| {
        let [outer, inner] = put_few(work, frame, &mut few);
        finish(work, frame, Frame { tree: few.as_ref(), outer, inner })
    });
    (work.memory.fresh, work.memory.few) = (fresh, few);
    done
}

/// What is to be repeated, around the last node of the path.
fn frame<'f, 'w: 'f>(work: &mut Work<'w, '_>, fresh: &'f mut SizedTree) -> Option<Frame<'f>> {
    let found = match work.random.once_in(2) {
        true => work.pick_nested(RECURSIVE),
        false => None,
    };
    let frame = match found {
        Some((upper, lower)) => work.frame(upper, lower),
        None => grown(work, fresh)?,
    };
    work.fits_wrapped(frame, FIRST).then_some(frame)
}

/// The smallest subtree in which one of the references in the body of a rule leads to the rule again.
#[pleach_unhooked::unhooked]
fn grown<'f>(work: &mut Work<'_, '_>, fresh: &'f mut SizedTree) -> Option<Frame<'f>> {
    let is_named = |node: crate::tree::Node| !matches!(node.symbol.kind(), SymbolKind::Group(_));
    let node = work.pick_where(RECURSIVE, is_named)?;
    let rule = work.rule(node)?;
    // It closes where the way is left, and not by a number of nodes.
    let request = work.request(node, u64::MAX);
    let Work { table, random, .. } = work;
    let memory = &mut *work.memory;
    let recursions = memory.recursions.get_or_insert_with(|| Recursions::new(table));
    if !recursions.chain(table, rule, random, &mut memory.chain)
        || !work.generator.grow_along(&request, &memory.chain, &mut Spent, &mut fresh.tree)
    {
        return None;
    }
    fresh.measure(table);
    let tree = fresh.as_ref();
    let inner = work.capabilities.find_rule(tree, tree.nodes.len() - 1, rule.get(), |at| at > 0)?;
    Some(Frame { tree, outer: 0, inner })
}

/// Writes the base with the first frames, and gives where the second of them and the third are.
fn put_few(work: &mut Work<'_, '_>, frame: Frame<'_>, few: &mut SizedTree) -> [usize; 2] {
    wrap(work.base, frame, FIRST, work.memory, few);
    let first = work.memory.path.last().map_or(0, |&at| at as usize);
    let mut marks = [1, 2].map(|copy| first + copy * (frame.inner - frame.outer));
    mend(work.table, few, &work.memory.seams, &mut work.memory.other, &mut marks);
    marks
}

/// Of some frames that have room, how many there are to be: all, or half as many, and so on.
pub(in crate::mutate) fn count(work: &mut Work<'_, '_>, most: usize) -> usize {
    most.min(MOST) >> (work.random.next_u64() | 1 << MOST.ilog2()).trailing_zeros()
}

/// Puts more frames in the place of one.
fn close(work: &mut Work<'_, '_>, alone: Frame<'_>, frame: Frame<'_>) -> bool {
    let Frame { tree, inner, .. } = frame;
    let (nodes, bytes) = frame.cost();
    let most = work.room.nodes.saturating_sub(tree.nodes.len()) / nodes;
    let mut copies = count(work, most.min(work.room.bytes.saturating_sub(tree.text.len()) / bytes));
    while copies > 0 && !work.fits_wrapped(alone, copies + FIRST) {
        copies /= 2;
    }
    if copies == 0 {
        return false;
    }
    tree.descend(inner, &mut work.memory.path);
    wrap(tree, frame, copies, work.memory, work.out);
    work.memory.seams.clear();
    true
}

/// Writes what is before the inner node of a frame many times, and nothing behind.
pub(in crate::mutate) fn open(work: &mut Work<'_, '_>, alone: Frame<'_>, frame: Frame<'_>) -> bool {
    let Frame { tree, outer, inner } = frame;
    let start = tree.offset(outer);
    let before = &tree.text[start..start + width(&tree.nodes[outer..inner])];
    if before.is_empty() {
        return false;
    }
    // Besides the first frame, and what would stand in the last.
    let high = (work.height() / alone.levels(&mut work.memory.other).max(1)).saturating_sub(2);
    let most = work.room.bytes.saturating_sub(start) / before.len();
    let copies = count(work, most.min(high as usize));
    work.out.clear();
    let text = &mut work.out.tree.text;
    text.extend_from_slice(&tree.text[..start]);
    (0..copies).for_each(|_| text.extend_from_slice(before));
    copies > 0
}
