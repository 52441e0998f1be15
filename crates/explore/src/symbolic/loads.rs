//! Loads: bytes put together, and selections where the address depends on the input.
//!
//! An address that was computed from an index is remembered with it, so a load from a table asks about
//! the index, in as many steps as the binary logarithm of the table's length: neighbours that are the same are one.

use super::operations::{fit, index};
use super::{LoadKey, Shadow, Symbolic, WORD};
use crate::path::Kind;
use pleach_concolic::ir::Pc;
use pleach_concolic::vm::{Extent, Memory, Value};
use pleach_solver::{Binary, Compare, TermId};

/// How many different neighbours a table may have.
const RUNS: usize = 512;

/// An address `base + index * scale`, modulo two to the 64.
#[derive(Clone, Copy, Debug)]
pub(super) struct Indexed {
    base: u64,
    /// Of 64 bits, with a sign.
    index: TermId,
    scale: u64,
}

/// What a load gave.
#[derive(Clone, Copy, Debug)]
pub(super) struct Selection {
    read: TermId,
    /// Whether the index lies in the table.
    within: TermId,
    index: TermId,
}

/// An object that may be written: its bytes, those with a term as 0, and their terms.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct Content {
    bytes: Vec<u8>,
    shadows: Vec<Shadow>,
}

/// The longest object whose content is kept.
const MOST_CONTENT: u32 = 1 << 9;
/// How many are kept.
const MOST_WRITTEN: usize = 1 << 10;

impl Symbolic {
    /// Remembers how an address was made, if its base does not depend on the input; whether nothing was known of it before.
    pub(super) fn note_index(
        &mut self,
        address: TermId,
        operands: &[Value<Shadow>],
        width: u8,
        scale: u32,
    ) -> bool {
        if let &[base, ref offset] = operands
            && base.shadow.is_none()
            && scale > 0
        {
            let index = index(&mut self.terms, offset, self.lost, width);
            let (base, scale) = (base.bits as u64, u64::from(scale));
            self.indexed.insert(address, Indexed { base, index, scale }).is_none()
        } else {
            false
        }
    }

    /// A constant added to such an address moves its base.
    pub(super) fn note_offset(&mut self, sum: TermId, operands: &[Value<Shadow>]) {
        let &[a, b] = operands else {
            return;
        };
        let (address, offset) = if a.shadow.is_some() { (a, b) } else { (b, a) };
        if let (Some(term), None) = (address.shadow, offset.shadow)
            && let Some(&known) = self.indexed.get(&term)
        {
            let base = known.base.wrapping_add(offset.bits as u64);
            self.indexed.insert(sum, Indexed { base, ..known });
        }
    }

    /// The term of a number from its bytes, the first one lowest.
    pub(super) fn assemble(&mut self, bytes: &[Shadow], width: u8, bits: u128) -> Shadow {
        if let &[Some(byte)] = bytes
            && byte != self.lost
            && width == 8
        {
            return Some(byte);
        }
        let key = self.load_key(bytes, width, bits);
        if let Some(known) = key.and_then(|key| self.assembled.find(&key)) {
            return known;
        }
        let followed = bytes.iter().filter_map(|&byte| self.followed(byte));
        let Some(depth) = followed.map(|byte| self.depth(byte)).max() else {
            let lost = bytes.iter().any(Option::is_some);
            return lost.then_some(self.lost);
        };
        let term = self.joined(bytes, width, bits);
        let shadow = self.shadow(term, depth);
        if let Some(key) = key {
            self.assembled.note(key, shadow);
        }
        shadow
    }

    /// What a number from bytes is remembered by: their terms, and the bits of those that have none.
    fn load_key(&self, bytes: &[Shadow], width: u8, bits: u128) -> Option<LoadKey> {
        let mut shadows = [None; WORD];
        shadows.get_mut(..bytes.len())?.copy_from_slice(bytes);
        let mut known = u64::try_from(bits).ok()?;
        for (i, &byte) in bytes.iter().enumerate() {
            if self.followed(byte).is_some() {
                known &= !(0xff << (8 * i));
            }
        }
        Some((shadows, known, width))
    }

    fn joined(&mut self, bytes: &[Shadow], width: u8, bits: u128) -> TermId {
        if bytes.iter().all(|&byte| self.followed(byte).is_none()) {
            let all = self.terms.constant((8 * bytes.len()).clamp(8, 128) as u8, bits);
            return fit(&mut self.terms, all, width);
        }
        let zero = self.terms.constant(8, 0);
        // A number has 16 bytes at most.
        let mut parts = [zero; 16];
        for (i, (part, &byte)) in parts.iter_mut().zip(bytes).enumerate() {
            *part = match self.followed(byte) {
                Some(byte) => fit(&mut self.terms, byte, 8),
                None => self.terms.constant(8, bits >> (8 * i) & 0xff),
            };
        }
        let count = bytes.len().min(parts.len());
        let all = self.terms.join(&parts[..count]).unwrap_or(zero);
        fit(&mut self.terms, all, width)
    }

    /// What a load gives, whichever of the places of its object the address means; nothing if these are too many.
    pub(super) fn load_from(
        &mut self,
        at: Pc,
        memory: &Memory<Shadow>,
        address: TermId,
        now: u64,
        bytes: &[Shadow],
        width: u8,
    ) -> Option<TermId> {
        let extent = memory.extent(now)?;
        let key = (address, width, extent.begin);
        let is_kept = !extent.constant && extent.size <= MOST_CONTENT;
        let known = if extent.constant {
            self.tables.get(&key).copied().map(Some)
        } else if is_kept {
            self.look(memory, extent)?;
            let written = self.written.get(&key).filter(|(content, _)| *content == self.content);
            written.map(|&(_, selection)| selection)
        } else {
            None
        };
        let selection = match known {
            Some(known) => known,
            None if self.terms.is_full() => return None,
            None => {
                let made = self.select(memory, address, extent, bytes, width);
                match made {
                    Some(made) if extent.constant => {
                        self.tables.insert(key, made);
                    }
                    made if is_kept => {
                        if self.written.len() >= MOST_WRITTEN {
                            self.written.clear();
                        }
                        self.written.insert(key, (self.content.clone(), made));
                    }
                    _ => {}
                }
                made
            }
        };
        let Selection { read, within, index } = selection?;
        self.decide(at, Kind::Within, within, index);
        Some(read)
    }

    /// Looks at what an object is at present.
    fn look(&mut self, memory: &Memory<Shadow>, extent: Extent) -> Option<()> {
        let Content { mut bytes, mut shadows } = std::mem::take(&mut self.content);
        bytes.resize(extent.size as usize, 0);
        shadows.resize(extent.size as usize, None);
        memory.read_into(extent.begin, &mut bytes).ok()?;
        memory.shadows(extent.begin, &mut shadows).ok()?;
        self.depend_on(&mut shadows);
        for (byte, &shadow) in bytes.iter_mut().zip(&shadows) {
            if self.followed(shadow).is_some() {
                *byte = 0;
            }
        }
        self.content = Content { bytes, shadows };
        Some(())
    }

    /// A selection among the places of an object; nothing if they are too many.
    fn select(
        &mut self,
        memory: &Memory<Shadow>,
        address: TermId,
        extent: Extent,
        bytes: &[Shadow],
        width: u8,
    ) -> Option<Selection> {
        let size = u64::try_from(bytes.len()).ok()?;
        let Indexed { base, index, scale } = match self.indexed.get(&address) {
            Some(&known) => known,
            None => {
                let begin = self.terms.constant(64, u128::from(extent.begin));
                let index = self.terms.binary(Binary::Sub, address, begin);
                Indexed { base: extent.begin, index, scale: 1 }
            }
        };
        let table = (base, scale, width, extent.begin);
        if self.varied.contains(&table) {
            return None;
        }
        // The object around the base, in steps of the scale.
        let room = u64::from(extent.size).checked_sub(size)?;
        let (begin, end) = (i128::from(extent.begin), i128::from(extent.begin + room));
        let (base, scale) = (i128::from(base), i128::from(scale));
        let first = -(base - begin).div_euclid(scale);
        let last = (end - base).div_euclid(scale);
        let count = usize::try_from(last - first + 1).ok().filter(|&count| count > 0)?;
        let limit = if extent.constant { self.limits.constant } else { self.limits.writable };
        if count > limit {
            return None;
        }
        let first_index = self.terms.constant(64, first as u64 as u128);
        let from_first = self.terms.binary(Binary::Sub, index, first_index);
        let mut runs: Vec<(usize, TermId)> = Vec::new();
        let mut shadows = [None; 16];
        let shadows = &mut shadows[..bytes.len().min(16)];
        for i in 0..count {
            let place = (base + (first + i as i128) * scale) as u64;
            let bits = memory.read(place, size as u8).ok()?;
            memory.shadows(place, shadows).ok()?;
            self.depend_on(shadows);
            let value = self.joined(shadows, width, bits);
            if runs.last().is_none_or(|&(_, last)| last != value) {
                runs.push((i, value));
            }
            if runs.len() > RUNS {
                if extent.constant {
                    self.varied.insert(table);
                }
                return None;
            }
        }
        let last = self.terms.constant(64, count as u128 - 1);
        let within = self.terms.compare(Compare::Ule, from_first, last);
        let read = self.search(from_first, runs);
        Some(Selection { read, within, index: from_first })
    }

    /// Among runs, which begin at these places, that of an index: pairs, then pairs of these.
    fn search(&mut self, index: TermId, mut runs: Vec<(usize, TermId)>) -> TermId {
        while runs.len() > 1 {
            runs = runs
                .chunks(2)
                .map(|pair| match *pair {
                    [(begin, low), (middle, high)] => {
                        let middle = self.terms.constant(64, middle as u128);
                        let is_low = self.terms.compare(Compare::Ult, index, middle);
                        (begin, self.terms.ite(is_low, low, high))
                    }
                    _ => pair[0],
                })
                .collect();
        }
        runs[0].1
    }
}
