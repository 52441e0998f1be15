//! A function's call as a unit: its context, and which bytes of it come from the program's input.
//!
//! The machine runs the whole program with terms as shadows, so that each byte in memory says how it is computed from
//! the input: that is the mapping, and a solver turns it around. What a call reaches is walked from its
//! arguments on, through every word that is an address. Addresses stay as they are, and so does what depends on the
//! input's length: a unit has the objects of its run, of the same sizes.

mod binding;
mod texts;

pub use crate::sampling::{ContextLimits, Sampling};
pub use binding::{Binding, Kept, Other, Others};
pub use texts::Kinds;

use fxhash::{FxHashMap, FxHashSet};
use pleach_concolic::ir::{FunctionId, Module, Pc};
use pleach_concolic::vm::{Machine, Memory, Outcome};
use pleach_explore::path::Decision;
use pleach_explore::search::Assumption;
use pleach_explore::subject::{Enter, Site, Subject};
use pleach_explore::symbolic::{LENGTH, Shadow, Symbolic};
use pleach_solver::{TermId, Terms};
use std::hash::{Hash, Hasher};
use std::sync::Arc;
use texts::Texts;

/// Where a byte of a context lies, from the call's arguments on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Place {
    /// A byte of a scalar argument, the lowest one first.
    Argument {
        /// The argument.
        slot: u32,
        /// The byte.
        byte: u8,
    },
    /// A byte in memory.
    Memory {
        /// The object, by its place among those in reach.
        object: u32,
        /// Where, from the address through which the object was found.
        offset: i64,
    },
}

/// An object in reach, by the address through which it was found first.
#[derive(Clone, Copy, Debug)]
struct Object {
    address: u64,
    /// Where this address lies: in an argument, or at an offset from another object's address.
    from: Root,
}

#[derive(Clone, Copy, Debug)]
enum Root {
    Argument(u32),
    Object(u32, i64),
}

/// What the free bytes of a part of the context are together.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// A number, its lowest byte first.
    Number,
    /// Bytes one after the other.
    Text,
}

/// Free bytes that belong together.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Group {
    /// The first one.
    pub begin: u32,
    /// Behind the last one.
    pub end: u32,
    /// What they are.
    pub kind: Kind,
}

/// A byte of a scalar argument.
#[derive(Clone, Copy, Debug)]
enum Part {
    Fixed(u8),
    Free(u32),
}

/// An argument that has free bytes.
#[derive(Clone, Debug)]
struct Argument {
    slot: u32,
    /// Of its term, in bits.
    width: u8,
    parts: Vec<Part>,
}

/// What a call reaches, and which bytes of it are free.
///
/// The free bytes are one row, which is the input of the unit: what is a copy of the same is there once.
#[derive(Clone, Debug, Default)]
pub struct Context {
    /// Of each free byte the term that computes it from the program's input, of 8 bits.
    pub terms: Vec<TermId>,
    /// The bytes as the program had them.
    pub values: Vec<u8>,
    /// Where each lies first.
    pub places: Vec<Place>,
    /// Which belong together, in their order and without overlaps.
    pub groups: Vec<Group>,
    /// Whether there was more than the limits admit.
    pub is_cut: bool,
    objects: Vec<Object>,
    arguments: Vec<Argument>,
    /// Arguments that are addresses, by their slots.
    pointers: Vec<(u32, u64)>,
    /// Arguments that are no addresses and have no free bytes, by their slots.
    fixed: Vec<(u32, u128)>,
    /// Addresses, each with its free byte.
    memory: Vec<(u64, u32)>,
    known: FxHashMap<TermId, u32>,
}

/// Of a value, byte by byte, the bits and the terms.
struct Walk<'a> {
    machine: &'a mut Machine<Symbolic>,
    limits: ContextLimits,
    context: Context,
    /// Where objects begin that were found.
    seen: FxHashSet<u64>,
}

impl Context {
    /// What the function reaches that a machine has just entered. Nothing is free if nothing comes from the input.
    pub fn of(machine: &mut Machine<Symbolic>, limits: ContextLimits) -> Context {
        let module = Arc::clone(machine.module());
        let at = machine.trace().first().copied();
        let function = at.and_then(|at| module.function_at(at));
        let count = function.map_or(0, |it| module.function(it).parameters as usize);
        let mut walk =
            Walk { machine, limits, context: Context::default(), seen: FxHashSet::default() };
        walk.arguments(count);
        let mut next = 0;
        while let Some(&object) = walk.context.objects.get(next) {
            walk.object(next as u32, object.address);
            next += 1;
        }
        walk.context
    }

    /// Where the objects are in another call of the same function; nothing for those that are not there.
    fn addresses(&self, machine: &Machine<Symbolic>) -> Vec<Option<u64>> {
        let (frame, memory) = (machine.frame(), machine.memory());
        let mut addresses: Vec<Option<u64>> = Vec::with_capacity(self.objects.len());
        for object in &self.objects {
            addresses.push(match object.from {
                Root::Argument(slot) => frame.get(slot as usize).map(|&bits| bits as u64),
                Root::Object(outer, offset) => addresses[outer as usize]
                    .and_then(|outer| memory.read(outer.wrapping_add_signed(offset), 8).ok())
                    .map(|word| word as u64),
            });
        }
        addresses
    }

    /// What these free bytes are in another call of the same function; nothing for those that are not there.
    ///
    /// # Panics
    ///
    /// Where a parameter is none of this context's.
    pub fn observe(&self, machine: &Machine<Symbolic>, parameters: &[u32]) -> Vec<Option<u8>> {
        let (frame, memory) = (machine.frame(), machine.memory());
        let addresses = self.addresses(machine);
        let read = |&parameter: &u32| match self.places[parameter as usize] {
            Place::Argument { slot, byte } => {
                frame.get(slot as usize).map(|bits| (bits >> (8 * u32::from(byte))) as u8)
            }
            Place::Memory { object, offset } => {
                let address = addresses[object as usize]?.wrapping_add_signed(offset);
                memory.read(address, 1).ok().map(|byte| byte as u8)
            }
        };
        parameters.iter().map(read).collect()
    }

    /// The way to an object from the arguments, such as `argument 0, +8`.
    fn way(&self, object: u32) -> String {
        let mut offsets = Vec::new();
        let mut at = object;
        loop {
            match self.objects[at as usize].from {
                Root::Argument(slot) => {
                    offsets.push(format!("argument {slot}"));
                    break;
                }
                Root::Object(outer, offset) => {
                    offsets.push(format!("{offset:+}"));
                    at = outer;
                }
            }
        }
        offsets.reverse();
        offsets.join(", ")
    }

    /// Where free bytes lie that belong together, for people.
    ///
    /// # Panics
    ///
    /// Where a parameter is none of this context's.
    pub fn describe(&self, parameters: &std::ops::Range<u32>) -> String {
        let count = parameters.len();
        match self.places[parameters.start as usize] {
            Place::Argument { slot, .. } => format!("argument {slot}"),
            Place::Memory { object, offset } if count == 1 => {
                format!("at {}, {offset:+}", self.way(object))
            }
            Place::Memory { object, offset } => {
                let last = offset + count as i64 - 1;
                format!("at {}, {offset:+} to {last:+}", self.way(object))
            }
        }
    }

    /// Whether a free byte is one of the input's, as it is.
    ///
    /// # Panics
    ///
    /// Where a parameter is none of this context's.
    pub fn is_copy(&self, terms: &Terms, parameter: u32) -> bool {
        terms.as_variable(self.terms[parameter as usize]).is_some()
    }
}

impl Walk<'_> {
    fn is_address(&self, word: u64) -> bool {
        is_address(self.machine.memory(), word)
    }

    /// Whether a word is a length or place that comes of the input's length. Text that does, by the address it was read
    /// from, is mostly longer than two bytes.
    fn is_count(&self, word: u64, shadows: &[Shadow]) -> bool {
        let domain = &self.machine.domain;
        let of_length = |&shadow: &Shadow| {
            let term = domain.followed(shadow);
            term.is_some_and(|term| domain.terms.variables(term).contains(&LENGTH))
        };
        word <= u64::from(u16::MAX) && shadows.iter().any(of_length)
    }

    fn found(&mut self, address: u64, from: Root) {
        let extent = self.machine.memory().extent(address);
        // Nobody writes to a constant, so nothing in it comes from the input.
        let Some(extent) = extent.filter(|extent| !extent.constant) else { return };
        if self.context.objects.len() >= self.limits.objects {
            self.context.is_cut = true;
        } else if self.seen.insert(extent.begin) {
            self.context.objects.push(Object { address, from });
        }
    }

    /// The place in the row of a byte that comes from the input and may be another; none for what stays as it is.
    fn parameter(&mut self, term: TermId, value: u8, place: Place) -> Option<u32> {
        if self.machine.domain.terms.as_constant(term).is_some() {
            return None;
        }
        let context = &mut self.context;
        if let Some(&known) = context.known.get(&term) {
            return Some(known);
        }
        if context.values.len() >= self.limits.parameters {
            context.is_cut = true;
            return None;
        }
        let parameter = context.values.len() as u32;
        context.known.insert(term, parameter);
        context.terms.push(term);
        context.values.push(value);
        context.places.push(place);
        Some(parameter)
    }

    fn arguments(&mut self, count: usize) {
        let slots: Vec<u128> = self.machine.frame().iter().take(count).copied().collect();
        let shadows: Vec<Shadow> = self.machine.frame_mut().1[..slots.len()].to_vec();
        for (slot, (&bits, &shadow)) in (0..).zip(slots.iter().zip(&shadows)) {
            if u64::try_from(bits).is_ok_and(|word| self.is_address(word)) {
                self.context.pointers.push((slot, bits as u64));
                self.found(bits as u64, Root::Argument(slot));
                continue;
            }
            let Some(term) = self.machine.domain.followed(shadow) else {
                self.context.fixed.push((slot, bits));
                continue;
            };
            let width = self.machine.domain.terms.width(term);
            if width > 32 && self.is_count(bits as u64, &[shadow]) {
                self.context.fixed.push((slot, bits));
                continue;
            }
            let begin = self.context.values.len() as u32;
            let mut parts = Vec::new();
            for byte in 0..width.div_ceil(8) {
                let terms = &mut self.machine.domain.terms;
                let part = terms.extract(term, 8 * byte, 8.min(width - 8 * byte));
                let part = if terms.width(part) < 8 { terms.zext(part, 8) } else { part };
                let value = (bits >> (8 * u32::from(byte))) as u8;
                let parameter = self.parameter(part, value, Place::Argument { slot, byte });
                parts.push(parameter.map_or(Part::Fixed(value), Part::Free));
            }
            if parts.iter().any(|part| matches!(part, Part::Free(_))) {
                self.context.arguments.push(Argument { slot, width, parts });
            }
            self.group(begin, Kind::Number);
        }
    }

    /// Bytes since the last group are one.
    fn group(&mut self, begin: u32, kind: Kind) {
        let end = self.context.values.len() as u32;
        if end > begin {
            self.context.groups.push(Group { begin, end, kind });
        }
    }

    fn object(&mut self, number: u32, address: u64) {
        let memory = self.machine.memory();
        let Some(extent) = memory.extent(address) else { return };
        let size = u64::from(extent.size).min(self.limits.bytes as u64);
        self.context.is_cut |= size < u64::from(extent.size);
        self.limits.bytes -= size as usize;
        let Ok(bytes) = memory.bytes(extent.begin, size) else { return };
        let mut shadows: Vec<Shadow> = vec![None; bytes.len()];
        if memory.shadows(extent.begin, &mut shadows).is_err() {
            return;
        }
        // Bytes that were found last: where their group begins, and the address behind them.
        let mut open = None;
        for (word, (bytes, shadows)) in (0..).zip(bytes.chunks(8).zip(shadows.chunks(8))) {
            let begin = extent.begin + 8 * word;
            let pointer = bytes.first_chunk::<8>().map(|bytes| u64::from_le_bytes(*bytes));
            if let Some(pointer) = pointer.filter(|&word| self.is_address(word)) {
                let offset = begin.wrapping_sub(address) as i64;
                self.found(pointer, Root::Object(number, offset));
                continue;
            }
            // Most of what a call reaches does not come from the input.
            if shadows.iter().all(Option::is_none) {
                continue;
            }
            if pointer.is_some_and(|word| self.is_count(word, shadows)) {
                continue;
            }
            for (at, (&value, &shadow)) in (begin..).zip(bytes.iter().zip(shadows)) {
                let Some(term) = self.machine.domain.followed(shadow) else { continue };
                let offset = at.wrapping_sub(address) as i64;
                let known = self.context.values.len() as u32;
                let place = Place::Memory { object: number, offset };
                let Some(parameter) = self.parameter(term, value, place) else { continue };
                self.context.memory.push((at, parameter));
                if parameter == known {
                    open = match open {
                        Some((first, end)) if end == at => Some((first, at + 1)),
                        before => {
                            self.close(before, parameter);
                            Some((parameter, at + 1))
                        }
                    };
                }
            }
        }
        let end = self.context.values.len() as u32;
        self.close(open, end);
    }

    /// Ends a group of bytes in memory. What was computed and is as long as a number is taken for one.
    fn close(&mut self, open: Option<(u32, u64)>, end: u32) {
        let Some((begin, _)) = open else { return };
        let terms = &self.machine.domain.terms;
        let is_copy = (begin..end).any(|parameter| self.context.is_copy(terms, parameter));
        let is_number = !is_copy && matches!(end - begin, 1 | 2 | 4 | 8);
        let kind = if is_number { Kind::Number } else { Kind::Text };
        self.context.groups.push(Group { begin, end, kind });
    }
}

/// Whether a word is one of the addresses in memory.
fn is_address(memory: &Memory<Shadow>, word: u64) -> bool {
    // What is behind the last byte is an end of something.
    word > u64::from(u32::MAX)
        && (memory.extent(word).is_some() || memory.extent(word - 1).is_some())
}

/// How a unit gets other values: they are written to where the program had its own.
#[derive(Debug)]
struct Opening {
    context: Arc<Context>,
    /// What its runs tell whether they depend on it.
    kept: Option<Arc<Kept>>,
}

impl Enter for Opening {
    fn enter(&self, machine: &mut Machine<Symbolic>, input: &[u8]) -> Result<(), Outcome> {
        // What the unit reads itself is no value of its own.
        machine.domain.layout = Some(Arc::default());
        let shadows: Vec<Shadow> =
            (0..).zip(input).map(|(at, _)| machine.domain.byte(at)).collect();
        if let Some(kept) = &self.kept {
            kept.mark(machine);
        }
        let memory = machine.memory_mut();
        for &(address, parameter) in &self.context.memory {
            let Some(&byte) = input.get(parameter as usize) else { continue };
            let written = memory.write(address, 1, byte.into());
            let shadow = shadows[parameter as usize];
            written
                .and_then(|()| memory.set_shadows(address, &[shadow]))
                .map_err(|fault| Outcome::Memory { fault, address })?;
        }
        for argument in &self.context.arguments {
            let (bits, shadow) = argument.join(&mut machine.domain.terms, input, &shadows);
            let (slots, marks) = machine.frame_mut();
            slots[argument.slot as usize] = bits;
            marks[argument.slot as usize] = shadow;
        }
        Ok(())
    }

    fn has_length(&self) -> bool {
        false
    }
}

impl Argument {
    /// Its bits and its term, of other free bytes.
    fn join(&self, terms: &mut Terms, input: &[u8], shadows: &[Shadow]) -> (u128, Shadow) {
        let (mut bits, mut all, mut is_free) = (0, None, false);
        for (byte, part) in (0..).zip(&self.parts) {
            let (value, term) = match *part {
                Part::Fixed(value) => (value, None),
                Part::Free(at) => {
                    let at = at as usize;
                    (input.get(at).copied().unwrap_or(0), shadows.get(at).copied().flatten())
                }
            };
            is_free |= term.is_some();
            bits |= u128::from(value) << (8 * byte);
            let term = term.unwrap_or_else(|| terms.constant(8, value.into()));
            all = Some(match all {
                None => term,
                Some(lower) => terms.concat(term, lower),
            });
        }
        let bits = bits & u128::MAX >> (128 - u32::from(self.width));
        let term = all.filter(|_| is_free).map(|all| terms.extract(all, 0, self.width));
        (bits, term.filter(|&term| terms.as_constant(term).is_none()))
    }
}

/// A call in a run of the program, with the path up to it and how its context depends on the input.
#[derive(Clone, Debug)]
pub struct Call {
    /// The program's input.
    pub input: Arc<[u8]>,
    /// What the run decided.
    path: Arc<[Decision]>,
    /// How much of that was before the call.
    before: usize,
    /// What the call reaches.
    pub context: Arc<Context>,
}

impl Call {
    /// A call before which a run has made so many of its decisions.
    pub fn new(
        input: Arc<[u8]>,
        path: Arc<[Decision]>,
        before: usize,
        context: Arc<Context>,
    ) -> Call {
        Call { input, path, before, context }
    }

    /// What the program decided up to the call.
    pub fn prefix(&self) -> &[Decision] {
        &self.path[..self.before.min(self.path.len())]
    }
}

/// A call that was carved out of a run.
#[derive(Debug)]
pub struct Unit {
    /// The function.
    pub function: FunctionId,
    /// Where it is defined.
    pub site: Site,
    /// The calls around it, hashed.
    around: u64,
    /// Which call of the function it was in its run, from 0.
    pub ordinal: u32,
    /// The call.
    pub call: Call,
    machine: Machine<Symbolic>,
    texts: Arc<Kinds>,
}

impl Unit {
    /// Gives its runs room for so many terms, if that is less than [`Sampling::terms`] says.
    pub fn narrow(&mut self, terms: usize) {
        self.machine.domain.narrow(terms);
    }

    /// The unit as a subject: an input is its free bytes.
    pub fn subject(&self) -> Subject {
        self.opened(None)
    }

    /// That what is a text for the program stays one: what a search of the unit is to assume.
    pub fn assumed(&self) -> Vec<Assumption> {
        self.texts.assumed()
    }

    /// What the free bytes may become that are of texts.
    pub fn texts(&self) -> &Arc<Kinds> {
        &self.texts
    }

    /// Forgets what was decided before the call, of which a run may have much.
    pub fn forget_path(&mut self) {
        self.call.path = Arc::new([]);
    }

    fn opened(&self, kept: Option<Arc<Kept>>) -> Subject {
        let context = Arc::clone(&self.call.context);
        Subject::at(self.machine.clone(), Arc::new(Opening { context, kept }))
    }
}

/// Counts of calls that were not carved, or not as a whole, by the reason.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, serde::Serialize)]
pub struct Refused {
    /// Calls that reach nothing that comes from the input.
    pub independent: u64,
    /// Units of which a part stays as it was, as they reach too much.
    pub cut: u64,
}

/// What was met of a function in a run: calls, how many of those that were looked at reach nothing, and whether one became a unit.
#[derive(Clone, Copy, Debug, Default)]
struct Met {
    calls: u32,
    empty: u32,
    is_carved: bool,
}

/// Takes units out of runs.
#[derive(Debug)]
pub struct Carver {
    module: Arc<Module>,
    /// The functions that may be units.
    admitted: FxHashSet<FunctionId>,
    sampling: Sampling,
    /// Of each function among which calls there is a unit.
    sampled: FxHashMap<FunctionId, FxHashSet<u64>>,
    /// What was met in this run.
    calls: FxHashMap<FunctionId, Met>,
    /// In how many runs before the calls of a function that were looked at have reached nothing.
    barren: FxHashMap<FunctionId, u32>,
    found: Vec<Unit>,
    /// Functions whose calls were met.
    pub called: FxHashSet<FunctionId>,
    /// What was not carved.
    pub refused: Refused,
}

/// At how many calls of a function a run stops.
const CALLS: u32 = 4096;
/// How many times the looks at a function are halved, once after each run in which its calls have reached nothing.
const BARREN: u32 = 2;
/// How many calls around it make the context of a unit.
const AROUND: usize = 3;

impl Carver {
    /// One that takes these functions.
    pub fn new(
        module: Arc<Module>,
        admitted: impl IntoIterator<Item = FunctionId>,
        sampling: Sampling,
    ) -> Carver {
        Carver {
            module,
            admitted: admitted.into_iter().collect(),
            sampling,
            sampled: FxHashMap::default(),
            calls: FxHashMap::default(),
            barren: FxHashMap::default(),
            found: Vec::new(),
            called: FxHashSet::default(),
            refused: Refused::default(),
        }
    }

    /// The functions at whose calls the next run stops.
    pub fn begin(&mut self) -> FxHashSet<FunctionId> {
        for (function, met) in self.calls.drain() {
            match met.is_carved {
                true => _ = self.barren.remove(&function),
                false => *self.barren.entry(function).or_default() += u32::from(met.empty > 0),
            }
        }
        let full = |it: &FunctionId| {
            self.sampled.get(it).is_some_and(|calls| calls.len() >= self.sampling.calls)
        };
        self.admitted.iter().filter(|it| !full(it)).copied().collect()
    }

    /// Looks at a call that a machine has just entered: which function it is, and which call of it in this run. Once nothing
    /// is to be learned of a function, the run stops there no more, unless it is the one that is observed.
    pub fn look(
        &mut self,
        machine: &mut Machine<Symbolic>,
        observed: Option<FunctionId>,
    ) -> Option<(FunctionId, u32)> {
        let trace = machine.trace();
        let function = self.module.function_at(*trace.first()?)?;
        let met = self.calls.entry(function).or_default();
        let ordinal = met.calls;
        met.calls += 1;
        let known = self.sampled.entry(function).or_default();
        let barren = self.barren.get(&function).copied().unwrap_or(0);
        let looks = (self.sampling.looks >> barren.min(BARREN)).max(1);
        let is_over = met.calls > CALLS
            || met.empty >= looks
            || known.len() >= self.sampling.calls
            || !self.admitted.contains(&function)
            || machine.domain.terms.is_full();
        if is_over && (observed != Some(function) || met.calls > CALLS) {
            machine.domain.watched.remove(&function);
        }
        let around = around(&trace);
        if is_over || known.contains(&around) {
            return Some((function, ordinal));
        }
        self.called.insert(function);
        let context = Context::of(machine, self.sampling.limits);
        if context.values.is_empty() {
            self.refused.independent += 1;
            met.empty += 1;
            return Some((function, ordinal));
        }
        let Some(site) = self.module.definition(function).map(Site::new) else {
            return Some((function, ordinal));
        };
        known.insert(around);
        met.is_carved = true;
        let mut carved =
            machine.carve(Symbolic::new(Arc::clone(&self.module), self.sampling.terms));
        carved.allow(self.sampling.steps);
        self.found.push(Unit {
            function,
            site,
            around,
            ordinal,
            call: Call::new(
                Arc::new([]),
                Arc::new([]),
                machine.domain.decided(),
                Arc::new(context),
            ),
            machine: carved,
            texts: Arc::default(),
        });
        Some((function, ordinal))
    }

    /// The units of the run, which is over: its input, what it decided, and the terms of that. Those of a run that did nothing new
    /// are not wanted.
    pub fn end(
        &mut self,
        input: &Arc<[u8]>,
        path: &Arc<[Decision]>,
        terms: &Terms,
        is_wanted: bool,
    ) -> Vec<Unit> {
        let mut found = std::mem::take(&mut self.found);
        if !is_wanted {
            for unit in found.drain(..) {
                self.release(&unit);
            }
        }
        if found.is_empty() {
            return found;
        }
        let mut texts = Texts::new(&self.module, terms, input, path);
        for unit in &mut found {
            unit.texts = Arc::new(texts.of(&unit.call.context, unit.call.before));
            (unit.call.input, unit.call.path) = (Arc::clone(input), Arc::clone(path));
            self.refused.cut += u64::from(unit.call.context.is_cut);
        }
        found
    }

    /// A unit is over: a call like it may be carved again.
    pub fn release(&mut self, unit: &Unit) {
        if let Some(calls) = self.sampled.get_mut(&unit.function) {
            calls.remove(&unit.around);
        }
    }

    /// Forgets which calls there are units of: all may come again.
    pub fn forget(&mut self) {
        self.sampled.clear();
    }
}

/// The calls around the innermost one, hashed.
fn around(trace: &[Pc]) -> u64 {
    let mut hasher = fxhash::FxHasher::default();
    for at in trace.iter().skip(1).take(AROUND) {
        at.hash(&mut hasher);
    }
    hasher.finish()
}
