//! How another call of a unit's function gives the unit its context.
//!
//! The free bytes are computed there, each by a term. Whether the unit does there what it did is up to what it was carved with, too: numbers such as
//! lengths among the arguments, and those bytes in reach that do not come from the input, such as a
//! parser's offset. Which of the latter matter a run says, whose loads are watched ([`Unit::recorder`]).

use super::{Context, Part, Place, Unit, is_address};
use fxhash::{FxHashMap, FxHashSet};
use pleach_concolic::vm::Machine;
use pleach_explore::subject::Subject;
use pleach_explore::symbolic::{Shadow, Symbolic};
use pleach_solver::{Compare, TermId};
use std::sync::Arc;

/// How many bytes of a context are compared that do not come from the input.
const MOST: usize = 1 << 14;

/// Bytes one after the other that a unit is carved with and that do not come from the input.
#[derive(Clone, Debug)]
struct Stretch {
    /// The place of the first one among all.
    first: u32,
    address: u64,
    /// The object, and where from the address through which it was found.
    object: u32,
    offset: i64,
    what: What,
}

#[derive(Clone, Debug)]
enum What {
    Bytes(Vec<u8>),
    /// An address, by the object in which it lies and from where on it was found.
    Address(u32, i64),
}

impl Stretch {
    fn len(&self) -> usize {
        match &self.what {
            What::Bytes(bytes) => bytes.len(),
            What::Address(..) => 8,
        }
    }
}

/// What a unit is carved with and does not come from the input, byte by byte, but for its arguments. What is beyond a limit is left out.
#[derive(Clone, Debug, Default)]
pub struct Kept {
    stretches: Vec<Stretch>,
    /// Arguments that are addresses, by their slots: as bytes where the object is a constant.
    arguments: Vec<(u32, What)>,
    count: u32,
}

/// How a call gives a unit its context.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct Binding {
    /// How each free byte is computed, as a term of 8 bits: a constant where nothing is followed.
    pub terms: Vec<TermId>,
    /// What holds where arguments are the same numbers that the unit was carved with.
    pub asked: Vec<TermId>,
    /// The [kept](Kept) bytes that are not known to be the same there, in their order.
    pub others: Vec<Others>,
}

/// Kept bytes one after the other.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Others {
    /// The place of the first one.
    pub begin: u32,
    /// Behind the last one.
    pub end: u32,
    /// What the first one is. The next ones are the same; of bytes that the caller was carved with, those behind that one.
    pub first: Other,
}

/// What a kept byte is in another call.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Other {
    /// Another byte, or none.
    Different,
    /// Computed from what is free in the caller: it is the same if that holds.
    If(TermId),
    /// The same, and one of those that the caller was carved with, by its place among these.
    Kept(u32),
}

impl Kept {
    /// How many bytes these are.
    pub fn len(&self) -> usize {
        self.count as usize
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.count == 0
    }

    fn of(unit: &Unit) -> Kept {
        let context = &unit.call.context;
        let memory = unit.machine.memory();
        let mut objects = FxHashMap::default();
        for (number, object) in (0..).zip(&context.objects) {
            if let Some(extent) = memory.extent(object.address) {
                objects.insert(extent.begin, (number, object.address));
            }
        }
        let free: FxHashSet<u64> = context.memory.iter().map(|&(address, _)| address).collect();
        // An address in an object that was found.
        let known = |word: u64| {
            let extent = memory.extent(word).or_else(|| memory.extent(word - 1))?;
            let &(object, found) = objects.get(&extent.begin)?;
            Some(What::Address(object, word.wrapping_sub(found) as i64))
        };
        let is_constant = |word: u64| memory.extent(word).is_some_and(|it| it.constant);
        let mut kept = Kept::default();
        for &(slot, word) in &context.pointers {
            let bytes = || is_constant(word).then(|| What::Bytes(word.to_le_bytes().to_vec()));
            kept.arguments.extend(known(word).or_else(bytes).map(|what| (slot, what)));
        }
        for (object, found) in (0..).zip(&context.objects) {
            let Some(extent) = memory.extent(found.address) else { continue };
            let room = MOST - kept.count as usize;
            let size = u64::from(extent.size).min(room as u64);
            let Ok(bytes) = memory.bytes(extent.begin, size) else { continue };
            for (begin, bytes) in (extent.begin..).step_by(8).zip(bytes.chunks(8)) {
                let offset = begin.wrapping_sub(found.address) as i64;
                let word = bytes.first_chunk::<8>().map(|bytes| u64::from_le_bytes(*bytes));
                match word.filter(|&word| is_address(memory, word)).and_then(known) {
                    Some(what) => kept.push(begin, object, offset, what),
                    None => {
                        for (at, &byte) in (0..).zip(bytes) {
                            if !free.contains(&(begin + at)) {
                                kept.byte(begin + at, object, offset + at as i64, byte);
                            }
                        }
                    }
                }
            }
        }
        kept
    }

    fn push(&mut self, address: u64, object: u32, offset: i64, what: What) {
        let stretch = Stretch { first: self.count, address, object, offset, what };
        self.count += stretch.len() as u32;
        self.stretches.push(stretch);
    }

    fn byte(&mut self, address: u64, object: u32, offset: i64, byte: u8) {
        if let Some(Stretch { address: begin, object: of, what: What::Bytes(bytes), .. }) =
            self.stretches.last_mut()
            && *of == object
            && *begin + bytes.len() as u64 == address
        {
            bytes.push(byte);
            self.count += 1;
        } else {
            self.push(address, object, offset, What::Bytes(vec![byte]));
        }
    }

    /// The bytes that something is in another call, in which the objects have these addresses.
    fn there(what: &What, addresses: &[Option<u64>]) -> Option<Vec<u8>> {
        Some(match what {
            What::Bytes(bytes) => bytes.clone(),
            &What::Address(object, offset) => {
                addresses[object as usize]?.wrapping_add_signed(offset).to_le_bytes().to_vec()
            }
        })
    }

    /// Gives all of them shadows in a machine that is at the unit's begin.
    pub(super) fn mark(&self, machine: &mut Machine<Symbolic>) {
        let shadows = machine.domain.keep(self.count as usize).to_vec();
        let shadows: Vec<Shadow> = shadows.into_iter().map(Some).collect();
        for stretch in &self.stretches {
            let first = stretch.first as usize;
            let Some(own) = shadows.get(first..first + stretch.len()) else { return };
            // What is not there has no shadow, either.
            let _ = machine.memory_mut().set_shadows(stretch.address, own);
        }
    }
}

impl Binding {
    /// Whether some of the kept bytes, in their order, may be the same in the call.
    pub fn fits(&self, kept: &[u32]) -> bool {
        let different = self.others.iter().filter(|it| it.first == Other::Different);
        different.into_iter().all(|it| {
            let at = kept.partition_point(|&place| place < it.begin);
            kept.get(at).is_none_or(|&place| place >= it.end)
        })
    }

    /// Under what some of the kept bytes, in their order, are the same in the call: conditions, and which of those that
    /// the caller was carved with are the same. None if they are not.
    pub fn same(&self, kept: &[u32]) -> Option<(Vec<TermId>, Vec<u32>)> {
        debug_assert!(kept.is_sorted(), "{kept:?}");
        let (mut holds, mut there) = (self.asked.clone(), Vec::new());
        let mut others = self.others.iter().peekable();
        for &place in kept {
            while others.next_if(|it| it.end <= place).is_some() {}
            match others.peek() {
                Some(it) if it.begin <= place => match it.first {
                    Other::Different => return None,
                    Other::If(is) => holds.push(is),
                    Other::Kept(first) => there.push(first + (place - it.begin)),
                },
                _ => {}
            }
        }
        Some((holds, there))
    }
}

impl Unit {
    /// What it is carved with and does not come from the input.
    pub fn kept(&self) -> Kept {
        Kept::of(self)
    }

    /// The unit as a subject whose runs say on which of these bytes they [depend](pleach_explore::symbolic::Trail::read).
    pub fn recorder(&self, kept: Arc<Kept>) -> Subject {
        self.opened(Some(kept))
    }
}

impl Context {
    /// How a call gives the unit its context: of the same function, which a machine has just entered. None where the call has not all
    /// of the places, or has other arguments where the context's do not come from the input: lengths, or addresses of other constants or
    /// places.
    ///
    /// # Panics
    ///
    /// Where the [kept](Unit::kept) bytes are those of another unit.
    pub fn bind(&self, kept: &Kept, machine: &mut Machine<Symbolic>) -> Option<Binding> {
        let mut asked = Vec::new();
        let addresses = self.addresses(machine);
        let mut numbers = self.fixed.clone();
        for (slot, what) in &kept.arguments {
            let bytes = Kept::there(what, &addresses)?;
            let word = bytes.first_chunk::<8>().map(|bytes| u64::from_le_bytes(*bytes))?;
            numbers.push((*slot, word.into()));
        }
        for (slot, bits) in numbers {
            let there = *machine.frame().get(slot as usize)?;
            let shadow = *machine.frame_mut().1.get(slot as usize)?;
            if there != bits {
                return None;
            }
            let domain = &mut machine.domain;
            if let Some(term) = domain.followed(shadow) {
                let is = domain.terms.constant(domain.terms.width(term), bits);
                asked.push(domain.terms.compare(Compare::Eq, term, is));
            }
        }
        for argument in &self.arguments {
            let parts = (0..).zip(&argument.parts);
            for (byte, &part) in parts {
                let Part::Fixed(value) = part else { continue };
                let place = Place::Argument { slot: argument.slot, byte };
                let term = self.term_at(place, &addresses, machine)?;
                let terms = &mut machine.domain.terms;
                let is = terms.constant(8, value.into());
                asked.push(terms.compare(Compare::Eq, term, is));
            }
        }
        let terms = &machine.domain.terms;
        if asked.iter().any(|&holds| terms.as_constant(holds) == Some(0)) {
            return None;
        }
        asked.retain(|&holds| terms.as_constant(holds).is_none());
        let places = self.places.iter();
        let terms = places.map(|&place| self.term_at(place, &addresses, machine));
        let terms = terms.collect::<Option<Vec<TermId>>>()?;
        let others = kept.others(&addresses, machine);
        Some(Binding { terms, asked, others })
    }

    /// How a byte is computed in another call, in which the objects have these addresses.
    fn term_at(
        &self,
        place: Place,
        addresses: &[Option<u64>],
        machine: &mut Machine<Symbolic>,
    ) -> Option<TermId> {
        let (value, shadow) = match place {
            Place::Argument { slot, byte } => {
                let bits = *machine.frame().get(slot as usize)?;
                let shadow = *machine.frame_mut().1.get(slot as usize)?;
                let value = (bits >> (8 * u32::from(byte))) as u8;
                let domain = &mut machine.domain;
                let Some(term) = domain.followed(shadow) else {
                    return Some(domain.terms.constant(8, value.into()));
                };
                let (width, low) = (domain.terms.width(term), 8 * byte);
                if low >= width {
                    return Some(domain.terms.constant(8, value.into()));
                }
                let part = domain.terms.extract(term, low, 8.min(width - low));
                return Some(domain.terms.zext(part, 8));
            }
            Place::Memory { object, offset } => {
                let address = addresses[object as usize]?.wrapping_add_signed(offset);
                let memory = machine.memory();
                let value = memory.read(address, 1).ok()? as u8;
                let mut shadow: [Shadow; 1] = [None];
                memory.shadows(address, &mut shadow).ok()?;
                // What is free here and not there is a number on which it depends.
                (value, machine.domain.depend(shadow[0]))
            }
        };
        let domain = &mut machine.domain;
        let term = domain.followed(shadow);
        Some(term.unwrap_or_else(|| domain.terms.constant(8, value.into())))
    }
}

impl Kept {
    /// Those that are not known to be the same in another call, in which the objects have these addresses.
    fn others(&self, addresses: &[Option<u64>], machine: &mut Machine<Symbolic>) -> Vec<Others> {
        let mut others: Vec<Others> = Vec::new();
        let mut push = |place: u32, other: Other| {
            if let Some(last) = others.last_mut()
                && last.end == place
                && match (last.first, other) {
                    (Other::Different, Other::Different) => true,
                    (Other::Kept(first), Other::Kept(at)) => at == first + (place - last.begin),
                    _ => false,
                }
            {
                last.end += 1;
            } else {
                others.push(Others { begin: place, end: place + 1, first: other });
            }
        };
        let mut shadows: Vec<Shadow> = Vec::new();
        for stretch in &self.stretches {
            let (places, size) = (stretch.first.., stretch.len());
            let there = addresses[stretch.object as usize];
            let there = there.map(|object| object.wrapping_add_signed(stretch.offset));
            let memory = machine.memory();
            let bytes = there.and_then(|address| {
                shadows.clear();
                shadows.resize(size, None);
                memory.shadows(address, &mut shadows).ok()?;
                memory.bytes(address, size as u64).ok()
            });
            let expected = Kept::there(&stretch.what, addresses);
            let (Some(bytes), Some(expected)) = (bytes, expected) else {
                places.take(size).for_each(|place| push(place, Other::Different));
                continue;
            };
            let pairs = bytes.iter().zip(&expected).zip(&shadows);
            for (place, ((&there, &here), &shadow)) in places.zip(pairs) {
                let domain = &mut machine.domain;
                let other = match (domain.kept(shadow), domain.followed(shadow)) {
                    (Some(_), _) if there != here => Other::Different,
                    (Some(place), _) => Other::Kept(place),
                    (None, Some(term)) => {
                        let is = domain.terms.constant(8, here.into());
                        let holds = domain.terms.compare(Compare::Eq, term, is);
                        match domain.terms.as_constant(holds) {
                            None => Other::If(holds),
                            Some(1) => continue,
                            Some(_) => Other::Different,
                        }
                    }
                    (None, None) if there != here => Other::Different,
                    (None, None) => continue,
                };
                push(place, other);
            }
        }
        others
    }
}
