//! What shadows the machine's values, and what watches its steps.
//!
//! The machine computes concretely. A [`Domain`] may attach a shadow to each scalar and each byte
//! of memory: the bytes of the input it depends on, or a symbolic expression. Where a domain has no
//! use for that, the compiler leaves it out: the machine is generic over it.

use crate::ir::{
    Binary, Cast, Compare, FloatBinary, FloatCompare, FloatUnary, FunctionId, Intrinsic, Pc, Rmw,
};

/// A scalar and its shadow.
#[derive(Clone, Copy, Debug)]
pub struct Value<S> {
    /// Its bits, zeros above its width.
    pub bits: u128,
    /// What is known of it besides.
    pub shadow: S,
}

/// How a scalar is computed from others.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Operation {
    /// Of two integers, of the width that is given.
    Binary(Binary),
    /// One slot of an operation on integers of more than 128 bits; all four slots are operands.
    Wide(Binary),
    /// Of two floats.
    FloatBinary(FloatBinary),
    /// Of one float.
    FloatUnary(FloatUnary),
    /// A boolean from two integers.
    Compare(Compare),
    /// A boolean from two floats.
    FloatCompare(FloatCompare),
    /// From the width that is given to this one.
    Cast(Cast, u8),
    /// The bits from this one on, as many as the width says, of operands of that many bits side by
    /// side, the first one lowest.
    Bits {
        /// The first bit.
        from: u32,
        /// The width of each operand.
        each: u8,
    },
    /// An address: base, index of the width, the scale.
    Index(u32),
    /// The second or the third operand, as the first says.
    Select,
    /// By a function of the compiler's: which of its results.
    Intrinsic(Intrinsic, u8),
    /// What is written after a value was read.
    Rmw(Rmw),
    /// A number from bytes: the first half of them compared to the second half.
    CompareBytes,
    /// By a function of the system's.
    System,
}

/// Where bytes come from outside of the program.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Source {
    /// The standard input.
    Input,
    /// A file, by its number in the order of the files that were given.
    File(u32),
    /// An argument, by its number.
    Argument(u32),
}

/// Whether a run goes on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Flow {
    /// It does.
    Continue,
    /// It stops before its next instruction, from which it can go on.
    Pause,
}

/// Shadows of values, and what is done at each step of interest.
#[allow(unused_variables)]
pub trait Domain {
    /// What is attached to values; the default says nothing.
    type Shadow: Copy + Default + PartialEq + std::fmt::Debug;
    /// Whether shadows are followed.
    const SHADOWED: bool;
    /// Whether branches, edges, calls and returns are told.
    const WATCHED: bool;

    /// The shadow of what is computed; at least one operand has one.
    fn compute(
        &mut self,
        operation: Operation,
        width: u8,
        operands: &[Value<Self::Shadow>],
        result: u128,
    ) -> Self::Shadow {
        Self::Shadow::default()
    }

    /// The shadow of a number that is read from bytes, the first byte lowest; one of them or the
    /// address has a shadow.
    fn load(
        &mut self,
        address: Value<Self::Shadow>,
        bytes: &[Self::Shadow],
        width: u8,
        result: u128,
    ) -> Self::Shadow {
        Self::Shadow::default()
    }

    /// The shadows of the bytes that a value with a shadow is written as.
    fn store(&mut self, value: Value<Self::Shadow>, bytes: &mut [Self::Shadow]) {}

    /// The shadow of a byte from outside.
    fn input(&mut self, source: Source, offset: u64) -> Self::Shadow {
        Self::Shadow::default()
    }

    /// A branch, a switch, or a choice that a system function makes, on a condition.
    fn branch(&mut self, at: Pc, condition: Value<Self::Shadow>, edge: u32) {}

    /// An address with a shadow is read, written, or called.
    fn address(&mut self, at: Pc, address: Value<Self::Shadow>) {}

    /// An edge of the control flow is taken, by its number in the module.
    fn edge(&mut self, edge: u32) {}

    /// A function is entered: its frame begins with its arguments.
    fn call(
        &mut self,
        at: Pc,
        callee: FunctionId,
        arguments: &[u128],
        shadows: &[Self::Shadow],
    ) -> Flow {
        Flow::Continue
    }

    /// A function returns.
    fn leave(&mut self, function: FunctionId) {}
}

/// Nothing besides the values.
#[derive(Clone, Copy, Debug, Default)]
pub struct Plain;

impl Domain for Plain {
    type Shadow = ();
    const SHADOWED: bool = false;
    const WATCHED: bool = false;
}
