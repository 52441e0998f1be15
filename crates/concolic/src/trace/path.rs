//! The path of one run: its calls and branches in their order, with what was compared.
//!
//! The condition of a branch is one bit, so what a person wants to see is lost by then. A value's
//! shadow therefore has, beside the set of bytes, the number of the comparison that made it. Of
//! comparisons the last ones are kept: a branch mostly follows at once.
//!
//! Most of a run is of no interest to who reads it. What the path shows is decided while it is recorded,
//! so that memory goes by what is shown; of the rest it is counted what depends on the input.

use super::{ByteSet, ByteSets, Profile, depends};
use crate::ir::{Binary, Cast, Compare, FloatCompare, FunctionId, Intrinsic, Module, Pc, Place};
use crate::vm::{Domain, Flow, Memory, Operation, Source, Value};
use fxhash::FxHashMap;
use std::collections::VecDeque;
use std::fmt;
use std::sync::Arc;

/// How many comparisons are remembered.
const COMPARISONS: usize = 1 << 16;
/// How many of the bytes that two texts have are kept.
const KEPT: usize = 64;

/// The choice of which functions, places and events a recorded path has.
pub struct Filter {
    /// Whether a place is of interest: functions that are defined there, and branches.
    pub shows: Box<dyn Fn(&Place<'_>) -> bool>,
    /// Nothing but what is within a call of one of these functions, by the ends of their paths: `parse` as well as
    /// `Uri::parse`. None: the whole run.
    pub functions: Vec<String>,
    /// Also branches that do not depend on the input.
    pub independent: bool,
}

impl fmt::Debug for Filter {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Filter")
            .field("functions", &self.functions)
            .field("independent", &self.independent)
            .finish_non_exhaustive()
    }
}

/// One entry of a recorded path, with its depth among calls.
#[derive(Clone, Debug, PartialEq)]
pub struct Event {
    /// How many calls that are shown it is within.
    pub depth: u32,
    /// What happened.
    pub what: What,
}

/// The kinds of entries of a recorded path: calls, branches, and counts of hidden branches.
#[derive(Clone, Debug, PartialEq)]
pub enum What {
    /// A function was entered.
    Call {
        /// The call.
        at: Pc,
        /// The function.
        callee: FunctionId,
        /// What the values of its arguments depend on; not what they point to.
        bytes: ByteSet,
    },
    /// One of several ways was taken.
    Branch {
        /// The branch or switch.
        at: Pc,
        /// The edge.
        edge: u32,
        /// The value that decided.
        value: u128,
        /// What it depends on.
        bytes: ByteSet,
        /// The comparison that made the value, if one did.
        comparison: Option<Comparison>,
    },
    /// Branches that are not shown and depend on the input.
    Hidden {
        /// How many.
        count: u64,
        /// What they depend on.
        bytes: ByteSet,
    },
}

/// Two values that were compared.
#[derive(Clone, Debug, PartialEq)]
pub struct Comparison {
    /// The values, and how they are compared.
    pub mode: ComparisonMode,
    /// Whether that holds.
    pub holds: bool,
    /// What the two depend on.
    pub bytes: [ByteSet; 2],
}

/// How two values are compared.
#[derive(Clone, Debug, PartialEq)]
pub enum ComparisonMode {
    /// Integers of a width.
    Integers(Compare, u8, [u128; 2]),
    /// Floats of a width, by their bits.
    Floats(FloatCompare, u8, [u128; 2]),
    /// Integers of a width that are added, subtracted or multiplied: whether that overflows.
    Overflow(Intrinsic, u8, [u128; 2]),
    /// Bytes in memory, as far as they are kept: whether they are equal, or which are the lesser ones.
    Bytes([Box<[u8]>; 2]),
}

/// What a value depends on, and the comparison that made it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Seen {
    bytes: ByteSet,
    /// Its number, from 1; 0 where there is none.
    comparison: u64,
}

impl Seen {
    fn of(bytes: ByteSet) -> Seen {
        Seen { bytes, comparison: 0 }
    }
}

/// A function that was entered and has not returned.
#[derive(Clone, Copy, Debug)]
struct Frame {
    /// Whether its call is shown.
    shown: bool,
    /// Whether it is one that was asked for by name.
    named: bool,
}

/// The shadow domain that records the path of a run, for people to read.
#[derive(Debug)]
pub struct Recorder {
    /// Calls and edges, those that are not shown too.
    pub profile: Profile,
    /// The sets of bytes.
    pub sets: ByteSets,
    module: Arc<Module>,
    filter: Filter,
    /// Of each function whether it is shown by where it is defined, and by its name.
    functions: Vec<Frame>,
    /// Whether branches are shown.
    branches: FxHashMap<Pc, bool>,
    stack: Vec<Frame>,
    /// How many frames of the stack are shown, and how many were asked for.
    depth: u32,
    within: u32,
    comparisons: VecDeque<Comparison>,
    /// How many there were.
    compared: u64,
    first: Vec<Event>,
    last: VecDeque<Event>,
    left_out: u64,
    limit: usize,
}

impl Recorder {
    /// Nothing yet; the first and the last `limit` events will be kept.
    pub fn new(module: Arc<Module>, filter: Filter, limit: usize) -> Recorder {
        let frame = |id| Frame {
            shown: module.definition(id).is_some_and(|place| (filter.shows)(&place)),
            named: is_named(&module.source_name(id), &filter.functions),
        };
        let functions = module.functions().map(frame).collect();
        Recorder {
            profile: Profile::default(),
            sets: ByteSets::default(),
            module,
            filter,
            functions,
            branches: FxHashMap::default(),
            stack: Vec::new(),
            depth: 0,
            within: 0,
            comparisons: VecDeque::new(),
            compared: 0,
            first: Vec::new(),
            last: VecDeque::new(),
            left_out: 0,
            limit,
        }
    }

    /// The functions that were asked for by name.
    pub fn named(&self) -> impl Iterator<Item = FunctionId> + '_ {
        self.module.functions().filter(|id| self.functions[id.0 as usize].named)
    }

    /// The events in their order.
    pub fn events(&self) -> impl Iterator<Item = &Event> {
        self.first.iter().chain(&self.last)
    }

    /// How many events were not kept, and how many of the first ones stand before them.
    pub fn left_out(&self) -> (u64, usize) {
        (self.left_out, self.first.len())
    }

    /// Whether a place is of interest.
    pub fn shows(&self, place: &Place<'_>) -> bool {
        (self.filter.shows)(place)
    }

    /// Where a call is, if that is of interest.
    pub fn caller(&self, at: Pc) -> Option<Place<'_>> {
        let is_call = self.module.is_call(at);
        self.module.places(at).find(|place| is_call && self.shows(place))
    }

    /// Where an instruction is shown: the innermost place that is of interest, or else the innermost one outside of
    /// the standard library, or else the innermost one.
    pub fn place(&self, pc: Pc) -> Option<Place<'_>> {
        let shown = self.module.places(pc).find(|place| (self.filter.shows)(place));
        shown
            .or_else(|| self.module.places(pc).find(|place| !place.in_std()))
            .or_else(|| self.module.places(pc).next())
    }

    fn shows_branch(&mut self, at: Pc) -> bool {
        if let Some(&shown) = self.branches.get(&at) {
            return shown;
        }
        let named =
            self.module.function_at(at).is_some_and(|id| self.functions[id.0 as usize].named);
        let shown = named || self.module.places(at).any(|place| (self.filter.shows)(&place));
        self.branches.insert(at, shown);
        shown
    }

    fn is_within(&self) -> bool {
        self.within > 0 || self.filter.functions.is_empty()
    }

    fn push(&mut self, depth: u32, what: What) {
        let event = Event { depth, what };
        if self.first.len() < self.limit {
            self.first.push(event);
            return;
        }
        self.last.push_back(event);
        if self.last.len() > self.limit {
            self.last.pop_front();
            self.left_out += 1;
        }
    }

    /// Counts a branch that is not shown, with those just before it.
    fn hide(&mut self, more: ByteSet) {
        let depth = self.depth;
        let last = self.last.back_mut().or_else(|| self.first.last_mut());
        match last {
            Some(Event { depth: its, what: What::Hidden { count, bytes } }) if *its == depth => {
                *count += 1;
                *bytes = self.sets.union(*bytes, more);
            }
            _ => self.push(depth, What::Hidden { count: 1, bytes: more }),
        }
    }

    fn compare(&mut self, comparison: Comparison) -> u64 {
        self.comparisons.push_back(comparison);
        if self.comparisons.len() > COMPARISONS {
            self.comparisons.pop_front();
        }
        self.compared += 1;
        self.compared
    }

    fn comparison(&self, number: u64) -> Option<&Comparison> {
        let ago = self.compared.checked_sub(number)?;
        let index = self.comparisons.len().checked_sub(1 + usize::try_from(ago).ok()?)?;
        self.comparisons.get(index).filter(|_| number > 0)
    }

    /// The comparison that a result comes from.
    fn origin(
        &mut self,
        operation: Operation,
        width: u8,
        operands: &[Value<Seen>],
        result: u128,
    ) -> u64 {
        let bytes = || [operands[0].shadow.bytes, operands[1].shadow.bytes];
        let holds = result & 1 == 1;
        match (operation, operands) {
            (Operation::Compare(compare), [a, b]) => {
                // What bytes in memory came to is compared to zero.
                let of_bytes = [a, b].map(|it| it.shadow.comparison).into_iter().find(|&number| {
                    matches!(
                        self.comparison(number),
                        Some(Comparison { mode: ComparisonMode::Bytes(_), .. })
                    )
                });
                of_bytes.unwrap_or_else(|| {
                    let mode = ComparisonMode::Integers(compare, width, [a.bits, b.bits]);
                    self.compare(Comparison { mode, holds, bytes: bytes() })
                })
            }
            (Operation::FloatCompare(compare), [a, b]) => {
                let mode = ComparisonMode::Floats(compare, width, [a.bits, b.bits]);
                self.compare(Comparison { mode, holds, bytes: bytes() })
            }
            // The second of its results; the first one is the number.
            (Operation::Intrinsic(intrinsic, 1), [a, b]) => {
                let mode = ComparisonMode::Overflow(intrinsic, width, [a.bits, b.bits]);
                self.compare(Comparison { mode, holds, bytes: bytes() })
            }
            (Operation::CompareBytes | Operation::EqualBytes, _) => {
                let halves = operands.split_at(operands.len() / 2);
                let sides = [halves.0, halves.1];
                let mode = ComparisonMode::Bytes(
                    sides.map(|it| it.iter().take(KEPT).map(|it| it.bits as u8).collect()),
                );
                let bytes = sides.map(|side| {
                    side.iter()
                        .fold(ByteSet::EMPTY, |all, it| self.sets.union(all, it.shadow.bytes))
                });
                self.compare(Comparison { mode, holds: result == 0, bytes })
            }
            // One of two booleans decides: the one that is what the result is.
            (Operation::Binary(Binary::And | Binary::Or), [a, b]) if width == 1 => {
                let of = |it: &Value<Seen>| (it.bits == result).then_some(it.shadow.comparison);
                of(a).filter(|&it| it > 0).or_else(|| of(b)).unwrap_or(0)
            }
            (Operation::Select, [condition, a, b]) => {
                let chosen = if condition.bits & 1 == 1 { a } else { b };
                match chosen.shadow.comparison {
                    0 if result <= 1 => condition.shadow.comparison,
                    number => number,
                }
            }
            (Operation::Binary(Binary::Xor), [a, b]) if width == 1 => {
                a.shadow.comparison.max(b.shadow.comparison)
            }
            (Operation::Cast(Cast::Truncate | Cast::ZeroExtend | Cast::SignExtend, _), [a]) => {
                a.shadow.comparison
            }
            _ => 0,
        }
    }
}

/// Whether a function's name is one of these or ends in one.
fn is_named(name: &str, wanted: &[String]) -> bool {
    // `Uri::from_str` is what `<Uri as FromStr>::from_str` is called.
    let of_type =
        name.strip_prefix('<').and_then(|it| it.split_once(" as ")).and_then(|(of, rest)| {
            let (_, method) = rest.rsplit_once(">::")?;
            Some(format!("{of}::{method}"))
        });
    // So is an instance of a generic function, which ends in its types.
    let generic = name.strip_suffix('>').and_then(|it| it.rsplit_once("::<")).map(|(path, _)| path);
    let names = [Some(name), of_type.as_deref(), generic];
    wanted.iter().any(|wanted| {
        names.into_iter().flatten().any(|name| {
            let before = name.strip_suffix(wanted.as_str());
            before.is_some_and(|it| it.is_empty() || it.ends_with("::"))
        })
    })
}

impl Domain for Recorder {
    type Shadow = Seen;
    const SHADOWED: bool = true;
    const WATCHED: bool = true;

    fn compute(
        &mut self,
        _: Pc,
        operation: Operation,
        width: u8,
        operands: &[Value<Seen>],
        result: u128,
    ) -> Seen {
        let bytes = depends(&mut self.sets, operation, operands, |shadow| shadow.bytes);
        Seen { bytes, comparison: self.origin(operation, width, operands, result) }
    }

    fn load(
        &mut self,
        _: Pc,
        _: &Memory<Seen>,
        _: Value<Seen>,
        bytes: &[Seen],
        _: u8,
        _: u128,
    ) -> Seen {
        let all = bytes.iter().fold(ByteSet::EMPTY, |all, it| self.sets.union(all, it.bytes));
        let comparison = match bytes {
            // A boolean that was in memory.
            [only] => only.comparison,
            _ => 0,
        };
        Seen { bytes: all, comparison }
    }

    fn store(&mut self, value: Value<Seen>, bytes: &mut [Seen]) {
        bytes.fill(value.shadow);
    }

    fn input(&mut self, source: Source, offset: u64) -> Seen {
        Seen::of(self.sets.byte(source, offset))
    }

    fn branch(&mut self, at: Pc, condition: Value<Seen>, edge: u32) {
        let bytes = condition.shadow.bytes;
        if !self.is_within() || (bytes == ByteSet::EMPTY && !self.filter.independent) {
            return;
        }
        if !self.shows_branch(at) {
            if bytes != ByteSet::EMPTY {
                self.hide(bytes);
            }
            return;
        }
        let comparison = self.comparison(condition.shadow.comparison).cloned();
        let value = condition.bits;
        self.push(self.depth, What::Branch { at, edge, value, bytes, comparison });
    }

    fn edge(&mut self, edge: u32) {
        self.profile.count_edge(edge);
    }

    fn call(&mut self, at: Pc, callee: FunctionId, _: &[u128], shadows: &[Seen]) -> Flow {
        self.profile.count_call(at, callee);
        let Frame { shown, named } = self.functions[callee.0 as usize];
        self.within += u32::from(named);
        let shown = (shown || named) && self.is_within();
        if shown {
            let all = shadows.iter().fold(ByteSet::EMPTY, |all, it| self.sets.union(all, it.bytes));
            self.push(self.depth, What::Call { at, callee, bytes: all });
        }
        self.depth += u32::from(shown);
        self.stack.push(Frame { shown, named });
        Flow::Continue
    }

    fn leave(&mut self, _: FunctionId) {
        self.profile.returns += 1;
        // What the machine itself has entered is no call.
        if let Some(frame) = self.stack.pop() {
            self.depth -= u32::from(frame.shown);
            self.within -= u32::from(frame.named);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn functions_are_named_by_the_ends_of_their_paths() {
        let named = |name: &str, wanted: &str| is_named(name, &[wanted.to_owned()]);
        assert!(named("uri::Uri::parse", "parse") && named("uri::Uri::parse", "Uri::parse"));
        assert!(named("uri::Uri::parse", "uri::Uri::parse"));
        let of_trait = "<uri::Uri as core::str::traits::FromStr>::from_str";
        assert!(named(of_trait, "from_str") && named(of_trait, "Uri::from_str"));
        assert!(named("uri::parse_as::<u8>", "parse_as"));
        assert!(!named("uri::Uri::reparse", "parse") && !named("uri::Uri::parse", "Uri"));
        assert!(!is_named("uri::parse", &[]));
    }
}
