//! Other shapes, where that of the inputs is what blocks.
//!
//! While shapes are kept, a branch on what is no byte of a terminal (how many members a list has, which
//! alternative stands somewhere) never goes another way. So when questions lead to nothing new for a while, or none is left, inputs
//! are changed in their shapes: first those of which a question was refused because of what its bytes may become.

use super::{Explorer, Reason, Waiting};

/// After how many questions without a new edge inputs of other shapes are asked for.
pub(super) const BARREN: u32 = 32;
/// How many inputs are known that may get other shapes.
const KNOWN: usize = 256;
/// How often another input is tried where one gets no shape that is new.
const TRIES: usize = 4;

/// What may get another shape.
#[derive(Debug, Default)]
pub(super) struct Shapes {
    /// Inputs that took new edges, and those of other shapes.
    fresh: Vec<Vec<u8>>,
    /// Those of which a question was refused by what their bytes may become.
    blocked: Vec<Vec<u8>>,
    /// How many questions were asked since an edge was new.
    pub(super) barren: u32,
}

impl Explorer {
    /// Notes an input that took so many new edges, or has a shape that was not made by a question.
    pub(super) fn note_shape(&mut self, input: &[u8], edges: u64) {
        if edges > 0 {
            self.shapes.barren = 0;
        }
        if self.shape.is_some() {
            let at = self.random.below(KNOWN);
            keep(&mut self.shapes.fresh, at, input);
        }
    }

    /// Notes an input whose shape excludes what was asked for.
    pub(super) fn note_blocked(&mut self, input: &[u8]) {
        let at = self.random.below(KNOWN);
        if self.shapes.blocked.last().is_none_or(|last| last != input) {
            keep(&mut self.shapes.blocked, at, input);
        }
    }

    /// Makes inputs of other shapes, which are run next.
    pub(super) fn reshape(&mut self) {
        self.shapes.barren = 0;
        for _ in 0..TRIES {
            let Some(shape) = &mut self.shape else { return };
            let Shapes { fresh, blocked, .. } = &mut self.shapes;
            let input = match (blocked.len(), fresh.len()) {
                (0, 0) => return,
                (0, many) => fresh[self.random.below(many)].clone(),
                (many, _) => blocked.swap_remove(self.random.below(many)),
            };
            let others = shape.reshaped(&input, self.random.draw(), self.options.max_length);
            for other in others {
                if other.len() <= self.options.max_length && self.is_new(&other, false) {
                    self.waiting.push_back(Waiting::new(other, Reason::Added));
                }
            }
            if !self.waiting.is_empty() {
                return;
            }
        }
    }
}

/// Keeps an input, in place of the one there where there are too many.
fn keep(all: &mut Vec<Vec<u8>>, at: usize, input: &[u8]) {
    if all.len() < KNOWN {
        all.push(input.to_vec());
    } else {
        all[at] = input.to_vec();
    }
}
