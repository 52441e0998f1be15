//! What a run did: calls, edges, branches, and the bytes of the input that each depends on.
//!
//! [`Profile`] counts calls and edges and costs little; [`Tracer`] also follows which bytes of the
//! input go into each value ([`ByteSets`]) and lists the branches that depend on some. Both add up
//! over as many runs as they watch. [`Recorder`] keeps one run in its order, for people.

mod bytes;
mod path;

pub use bytes::{ByteSet, ByteSets};
pub use path::{Comparison, ComparisonMode, Event, Filter, Recorder, Seen, What};

use crate::ir::{FunctionId, Instruction, Module, Pc};
use crate::vm::{Access, Domain, Flow, Memory, Operation, Source, Value};
use fxhash::FxHashMap;

/// How often each call was made and each edge taken.
#[derive(Clone, Debug, Default)]
pub struct Profile {
    calls: FxHashMap<(Pc, FunctionId), u64>,
    edges: Vec<u64>,
    returns: u64,
}

/// A call of a run as the trace records it: instruction, caller and callee.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Call {
    /// The instruction.
    pub at: Pc,
    /// The function that it belongs to; `None` if the machine itself called.
    pub caller: Option<FunctionId>,
    /// The function that was called.
    pub callee: FunctionId,
    /// Whether it was called by an address.
    pub indirect: bool,
    /// How often.
    pub count: u64,
}

impl Profile {
    /// All calls, in the order of the program.
    pub fn calls(&self, module: &Module) -> Vec<Call> {
        let mut calls: Vec<Call> = self
            .calls
            .iter()
            .map(|(&(at, callee), &count)| Call {
                at,
                caller: module.function_at(at).filter(|_| module.is_call(at)),
                callee,
                indirect: matches!(module.instruction(at), Some(Instruction::CallIndirect { .. })),
                count,
            })
            .collect();
        calls.sort_unstable();
        calls
    }

    /// The edges of the control flow that were taken, and how often.
    pub fn edges(&self) -> impl Iterator<Item = (u32, u64)> + '_ {
        self.edges
            .iter()
            .enumerate()
            .filter(|(_, count)| **count > 0)
            .map(|(edge, &count)| (edge as u32, count))
    }

    /// How many functions have returned.
    pub fn returns(&self) -> u64 {
        self.returns
    }

    fn count_call(&mut self, at: Pc, callee: FunctionId) {
        *self.calls.entry((at, callee)).or_default() += 1;
    }

    fn count_edge(&mut self, edge: u32) {
        let edge = edge as usize;
        if self.edges.len() <= edge {
            self.edges.resize(edge + 1, 0);
        }
        self.edges[edge] += 1;
    }
}

impl Domain for Profile {
    type Shadow = ();
    const SHADOWED: bool = false;
    const WATCHED: bool = true;

    fn edge(&mut self, edge: u32) {
        self.count_edge(edge);
    }

    fn call(&mut self, at: Pc, callee: FunctionId, _: &[u128], _: &[()]) -> Flow {
        self.count_call(at, callee);
        Flow::Continue
    }

    fn leave(&mut self, _: FunctionId) {
        self.returns += 1;
    }
}

/// A taken edge whose condition depends on bytes of the input.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Branch {
    /// The instruction.
    pub at: Pc,
    /// The edge that was taken.
    pub edge: u32,
    /// The value that decided.
    pub value: u128,
    /// What it depends on.
    pub bytes: ByteSet,
}

/// A [`Profile`], and what depends on which bytes of the input.
#[derive(Clone, Debug)]
pub struct Tracer {
    /// Calls and edges.
    pub profile: Profile,
    /// The sets of bytes.
    pub sets: ByteSets,
    branches: Vec<Branch>,
    /// How many branches there were besides.
    left_out: u64,
    limit: usize,
    through_addresses: bool,
    /// Of the instructions that use an address which depends on the input, what it depends on.
    addresses: FxHashMap<Pc, ByteSet>,
    /// Of the slots of arguments, over all calls of a function.
    arguments: FxHashMap<(FunctionId, u32), ByteSet>,
}

impl Tracer {
    /// Follows values; lists up to `limit` branches.
    ///
    /// A value that is read from an address which depends on the input, as in a table, depends on it
    /// too with `through_addresses`; else only on what was written there.
    pub fn new(limit: usize, through_addresses: bool) -> Tracer {
        Tracer {
            profile: Profile::default(),
            sets: ByteSets::default(),
            branches: Vec::new(),
            left_out: 0,
            limit,
            through_addresses,
            addresses: FxHashMap::default(),
            arguments: FxHashMap::default(),
        }
    }

    /// The branches that depend on the input, in the order in which they were decided.
    pub fn branches(&self) -> &[Branch] {
        &self.branches
    }

    /// How many such branches there were beyond the limit.
    pub fn left_out(&self) -> u64 {
        self.left_out
    }

    /// What the addresses depend on that an instruction has read or written.
    pub fn addresses_at(&self, at: Pc) -> ByteSet {
        self.addresses.get(&at).copied().unwrap_or_default()
    }

    /// What a function's argument depends on, by its slot, over all calls.
    pub fn argument(&self, function: FunctionId, slot: u32) -> ByteSet {
        self.arguments.get(&(function, slot)).copied().unwrap_or_default()
    }

    /// A branch in words: the innermost place outside of the standard library, the function there, the
    /// value that decided, the bytes it depends on, and the line that it went on to, if that is another.
    pub fn describe(&self, module: &Module, branch: &Branch) -> String {
        let place = |pc| module.places(pc).find(|place| !place.in_std());
        let mut text = String::new();
        match place(branch.at) {
            Some(at) => {
                let function = crate::ir::demangled(at.function);
                text += &format!("{}:{}:{}: {function}: ", at.file, at.line, at.column);
            }
            None => {
                let function = module.function_at(branch.at).map(|id| module.source_name(id));
                text += &format!("{}: ", function.unwrap_or_default());
            }
        }
        text += &format!("{} of {}", branch.value, self.sets.describe(branch.bytes));
        let to = module.edge(branch.edge).and_then(|(_, to)| place(to));
        if let (Some(to), Some(from)) = (to, place(branch.at))
            && (to.file, to.line) != (from.file, from.line)
        {
            text += &format!(", to line {}", to.line);
        }
        text
    }

    fn all(&mut self, sets: impl IntoIterator<Item = ByteSet>) -> ByteSet {
        sets.into_iter().fold(ByteSet::EMPTY, |all, set| self.sets.union(all, set))
    }
}

/// What the result of an operation depends on, where that can be said of its operands.
fn depends<S>(
    sets: &mut ByteSets,
    operation: Operation,
    operands: &[Value<S>],
    bytes: impl Fn(&S) -> ByteSet,
) -> ByteSet {
    let mut all = |operands: &mut dyn Iterator<Item = &Value<S>>| {
        operands.fold(ByteSet::EMPTY, |all, operand| sets.union(all, bytes(&operand.shadow)))
    };
    match (operation, operands) {
        // Of the two values only one is used.
        (Operation::Select, [condition, a, b]) => {
            let chosen = if condition.bits & 1 == 1 { a } else { b };
            all(&mut [condition, chosen].into_iter())
        }
        // Nothing is looked at behind the first difference.
        (Operation::CompareBytes | Operation::EqualBytes, _) => {
            let (a, b) = operands.split_at(operands.len() / 2);
            let same = a.iter().zip(b).take_while(|(a, b)| a.bits == b.bits).count();
            let seen = (same + 1).min(a.len());
            all(&mut a[..seen].iter().chain(&b[..seen]))
        }
        // Nor behind what was sought.
        (Operation::FindByte { last: false }, [_, sought, bytes @ ..]) => {
            let sought = sought.bits as u8;
            let found = bytes.iter().position(|byte| byte.bits as u8 == sought);
            let seen = found.map_or(operands.len(), |at| at + 3);
            all(&mut operands[..seen].iter())
        }
        _ => all(&mut operands.iter()),
    }
}

impl Domain for Tracer {
    type Shadow = ByteSet;
    const SHADOWED: bool = true;
    const WATCHED: bool = true;

    fn compute(
        &mut self,
        _: Pc,
        operation: Operation,
        _: u8,
        operands: &[Value<ByteSet>],
        _: u128,
    ) -> ByteSet {
        depends(&mut self.sets, operation, operands, |&shadow| shadow)
    }

    fn load(
        &mut self,
        _: Pc,
        _: &Memory<ByteSet>,
        address: Value<ByteSet>,
        bytes: &[ByteSet],
        _: u8,
        _: u128,
    ) -> ByteSet {
        let read = self.all(bytes.iter().copied());
        if self.through_addresses { self.sets.union(read, address.shadow) } else { read }
    }

    fn store(&mut self, value: Value<ByteSet>, bytes: &mut [ByteSet]) {
        bytes.fill(value.shadow);
    }

    fn input(&mut self, source: Source, offset: u64) -> ByteSet {
        self.sets.byte(source, offset)
    }

    fn branch(&mut self, at: Pc, condition: Value<ByteSet>, edge: u32) {
        if condition.shadow == ByteSet::EMPTY {
            return;
        }
        if self.branches.len() >= self.limit {
            self.left_out += 1;
            return;
        }
        self.branches.push(Branch { at, edge, value: condition.bits, bytes: condition.shadow });
    }

    fn address(&mut self, at: Pc, address: Value<ByteSet>, _: Access) {
        let before = self.addresses_at(at);
        let all = self.sets.union(before, address.shadow);
        self.addresses.insert(at, all);
    }

    fn edge(&mut self, edge: u32) {
        self.profile.count_edge(edge);
    }

    fn call(&mut self, at: Pc, callee: FunctionId, _: &[u128], shadows: &[ByteSet]) -> Flow {
        self.profile.count_call(at, callee);
        for (slot, &shadow) in shadows.iter().enumerate() {
            if shadow != ByteSet::EMPTY {
                let before = self.argument(callee, slot as u32);
                let all = self.sets.union(before, shadow);
                self.arguments.insert((callee, slot as u32), all);
            }
        }
        Flow::Continue
    }

    fn leave(&mut self, _: FunctionId) {
        self.profile.returns += 1;
    }
}
