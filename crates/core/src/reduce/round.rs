//! One round over the nodes of a tree, the longest yields first.

use fxhash::FxHashSet;

use super::shape::{NONE, Shape};
use super::step::{Effort, Step};

/// The identity that stands for all layout together.
pub(super) const LAYOUT: u32 = NONE;

/// Where a round is to go on once a candidate is taken.
#[derive(Clone, Copy, Debug)]
pub(super) struct Place {
    /// How many nodes were finished before.
    finished: usize,
    /// The node at work, by its identity.
    id: u32,
    pub(super) step: Step,
}

/// The state of a round.
#[derive(Clone, Debug)]
pub(super) struct Round {
    pub(super) effort: Effort,
    /// Nodes that are done with, by their identities, in the order in which they were.
    finished: Vec<u32>,
    /// Nodes that were not finished when the shape was new, in the order of visits.
    order: Vec<u32>,
    /// The next of them.
    next: usize,
    /// The node at work and its next step; the layout comes first.
    current: Option<(u32, Option<Step>)>,
}

impl Round {
    pub(super) fn new(shape: &Shape<'_>, effort: Effort) -> Self {
        let layout = match effort {
            Effort::Swift | Effort::Thorough => shape.first_layout_step(),
            Effort::Tokens => None,
        };
        let mut round = Self {
            effort,
            finished: Vec::new(),
            order: Vec::new(),
            next: 0,
            current: Some((LAYOUT, layout)),
        };
        round.sort(shape, &FxHashSet::default());
        round
    }

    fn sort(&mut self, shape: &Shape<'_>, finished: &FxHashSet<u32>) {
        self.next = 0;
        self.order.clear();
        let nodes = 0..shape.tree.nodes().len() as u32;
        self.order.extend(nodes.filter(|&index| {
            shape.width(index as usize) > 0 && !finished.contains(&shape.ids[index as usize])
        }));
        // Stable: of equal widths the one further up is first.
        self.order.sort_by_key(|&index| std::cmp::Reverse(shape.width(index as usize)));
    }

    /// The next candidate: its node, by index (none for layout), and where to go on if it is taken.
    pub(super) fn advance(&mut self, shape: &Shape<'_>) -> Option<(Option<usize>, Place)> {
        loop {
            if let Some((id, step)) = self.current {
                // The node's index: it is the last of the order that was begun, or the one that a
                // candidate was taken at.
                if let Some(step) = step {
                    let index = if id == LAYOUT { None } else { Some(self.index(shape, id)) };
                    self.current = Some((id, self.step_after_refusal(shape, index, step)));
                    return Some((index, Place { finished: self.finished.len(), id, step }));
                }
                self.finished.push(id);
                self.current = None;
            }
            let index = *self.order.get(self.next)?;
            self.next += 1;
            let id = shape.ids[index as usize];
            let step = shape.first_step(index as usize, self.effort);
            self.current = Some((id, step));
        }
    }

    fn index(&self, shape: &Shape<'_>, id: u32) -> usize {
        // The node at work is the last one begun, but for the first after a candidate was taken.
        let begun = self.next.checked_sub(1).and_then(|last| self.order.get(last));
        match begun {
            Some(&index) if shape.ids[index as usize] == id => index as usize,
            _ => shape.find(id).expect("the node at work is in the tree"),
        }
    }

    fn step_after_refusal(
        &self,
        shape: &Shape<'_>,
        index: Option<usize>,
        step: Step,
    ) -> Option<Step> {
        match (index, self.effort) {
            (Some(index), _) => shape.next_step(index, step),
            // In a swift round layout goes as a whole or stays.
            (None, Effort::Swift) => None,
            (None, _) => shape.next_step(0, step),
        }
    }

    /// Goes on from a place after its candidate was taken; the shape is the new one.
    pub(super) fn resume(&mut self, shape: &Shape<'_>, place: Place) {
        self.finished.truncate(place.finished);
        let mut finished: FxHashSet<u32> = self.finished.iter().copied().collect();
        finished.insert(place.id);
        self.sort(shape, &finished);
        let next = if place.id == LAYOUT {
            shape.step_after(0, place.step)
        } else {
            shape.find(place.id).and_then(|index| shape.step_after(index, place.step))
        };
        // A node that is no longer there, or done with, is finished at once.
        self.current = Some((place.id, next));
    }
}
