//! The frames of functions that were called and have not returned.
//!
//! The newest ones lie in one array. A snapshot seals all but the topmost into a part that it shares
//! with the machine, so it costs what was called since the last one and not the whole depth; who
//! returns into a sealed part copies one frame out of it.

use crate::ir::NO_RESULT;
use std::sync::Arc;

/// A function that was called.
#[derive(Clone, Copy, Debug)]
pub(super) struct Frame {
    pub(super) function: u32,
    /// Of a function that calls another the call, of the topmost the instruction it is at.
    pub(super) pc: u32,
    /// Its first slot.
    pub(super) base: u32,
    /// The slot of the caller to which the result goes.
    pub(super) dst: u32,
}

/// Frames, the topmost last.
#[derive(Clone, Debug, Default)]
pub(super) struct Stack<S> {
    pub(super) slots: Vec<u128>,
    pub(super) shadows: Vec<S>,
    pub(super) frames: Vec<Frame>,
    below: Option<Below<S>>,
    depth: usize,
}

/// The lower frames of a sealed part.
#[derive(Clone, Debug)]
struct Below<S> {
    part: Arc<Sealed<S>>,
    frames: usize,
}

#[derive(Debug)]
struct Sealed<S> {
    slots: Vec<u128>,
    shadows: Vec<S>,
    frames: Vec<Frame>,
    below: Option<Below<S>>,
}

impl<S> Drop for Sealed<S> {
    fn drop(&mut self) {
        // One after the other, or a deep stack of parts would overflow ours.
        let mut below = self.below.take();
        while let Some(next) = below {
            below = Arc::into_inner(next.part).and_then(|mut part| part.below.take());
        }
    }
}

impl<S: Copy + Default> Stack<S> {
    /// How many functions were called and have not returned.
    pub(super) fn depth(&self) -> usize {
        self.depth
    }

    /// A new topmost frame of so many slots.
    pub(super) fn push(&mut self, function: u32, pc: u32, slots: u32, dst: u32) -> usize {
        let base = self.slots.len();
        self.slots.resize(base + slots as usize, 0);
        self.shadows.resize(base + slots as usize, S::default());
        self.frames.push(Frame { function, pc, base: base as u32, dst });
        self.depth += 1;
        base
    }

    /// Removes the topmost frame.
    pub(super) fn pop(&mut self) -> Option<Frame> {
        let frame = self.frames.pop()?;
        self.depth -= 1;
        self.slots.truncate(frame.base as usize);
        self.shadows.truncate(frame.base as usize);
        if self.frames.is_empty() {
            self.unseal();
        }
        Some(frame)
    }

    fn unseal(&mut self) {
        let Some(Below { part, frames }) = self.below.take() else {
            return;
        };
        let frame = part.frames[frames - 1];
        let begin = frame.base as usize;
        let end = part.frames.get(frames).map_or(part.slots.len(), |next| next.base as usize);
        self.slots.extend(&part.slots[begin..end]);
        self.shadows.extend(&part.shadows[begin..end]);
        self.frames.push(Frame { base: 0, ..frame });
        self.below =
            if frames > 1 { Some(Below { part, frames: frames - 1 }) } else { part.below.clone() };
    }

    /// Shares all frames but the topmost with who copies this next.
    pub(super) fn seal(&mut self) {
        let Some(top) = self.frames.pop() else {
            return;
        };
        if self.frames.is_empty() {
            self.frames.push(top);
            return;
        }
        let slots = self.slots.split_off(top.base as usize);
        let shadows = self.shadows.split_off(top.base as usize);
        let part = Sealed {
            slots: std::mem::replace(&mut self.slots, slots),
            shadows: std::mem::replace(&mut self.shadows, shadows),
            frames: std::mem::take(&mut self.frames),
            below: self.below.take(),
        };
        let frames = part.frames.len();
        self.below = Some(Below { part: Arc::new(part), frames });
        self.frames.push(Frame { base: 0, ..top });
    }

    /// Forgets all frames but the topmost, and all shadows.
    pub(super) fn keep_top(&mut self) {
        let Some(top) = self.frames.pop() else {
            return;
        };
        self.slots.drain(..top.base as usize);
        self.shadows.clear();
        self.shadows.resize(self.slots.len(), S::default());
        self.frames.clear();
        self.frames.push(Frame { base: 0, dst: NO_RESULT, ..top });
        self.below = None;
        self.depth = 1;
    }

    /// All frames, the topmost first.
    pub(super) fn iter(&self) -> impl Iterator<Item = Frame> + '_ {
        let mut frames: &[Frame] = &self.frames;
        let mut below = self.below.as_ref();
        std::iter::from_fn(move || {
            if frames.is_empty() {
                let next = below?;
                frames = &next.part.frames[..next.frames];
                below = next.part.below.as_ref();
            }
            let (last, rest) = frames.split_last()?;
            frames = rest;
            Some(*last)
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_sealed_stack_returns_frame_by_frame() {
        let mut stack = Stack::<u8>::default();
        let mut copies = Vec::new();
        for i in 0..100_000 {
            let base = stack.push(i, i, 2, 0);
            stack.slots[base] = u128::from(i);
            if i % 3 == 0 {
                stack.seal();
                copies.push(stack.clone());
            }
        }
        assert_eq!(stack.iter().count(), 100_000);
        for i in (0..100_000).rev() {
            let frame = *stack.frames.last().unwrap();
            assert_eq!(frame.function, i);
            assert_eq!(stack.slots[frame.base as usize], u128::from(i));
            stack.pop();
        }
        assert_eq!((stack.depth(), stack.slots.len()), (0, 0));
        let copy = &copies[10];
        assert_eq!(copy.iter().map(|frame| frame.function).collect::<Vec<_>>().len(), 31);
        assert_eq!(copy.iter().last().unwrap().function, 0);
    }

    #[test]
    fn the_topmost_frame_alone_keeps_its_slots_and_nothing_below() {
        let mut stack = Stack::<u8>::default();
        for i in 0..3 {
            let base = stack.push(i, i, 2, 0);
            stack.slots[base + 1] = u128::from(i);
            stack.shadows[base] = 7;
            if i == 0 {
                stack.seal();
            }
        }
        stack.keep_top();
        assert_eq!((&stack.slots[..], &stack.shadows[..]), (&[0, 2][..], &[0, 0][..]));
        assert_eq!(stack.pop().map(|frame| (frame.function, frame.base)), Some((2, 0)));
        assert!(stack.pop().is_none());
        assert_eq!(stack.depth(), 0);
    }
}
