//! What shadows the machine's values, and what watches its steps.
//!
//! The machine computes concretely. A [`Domain`] may attach a shadow to each scalar and each byte
//! of memory: the bytes of the input it depends on, or a symbolic expression. Where a domain has no
//! use for that, the compiler leaves it out: the machine is generic over it.

use super::memory::Memory;
use crate::ir::{
    Binary, Cast, Compare, FloatBinary, FloatCompare, FloatUnary, FunctionId, Intrinsic, Pc, Rmw,
};

/// A scalar of the machine, its bits beside what a [`Domain`] knows of it.
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
    /// One slot of an operation on integers of more than 128 bits; the operands are all four slots, the
    /// lower one of each first.
    Wide {
        /// The operation.
        op: Binary,
        /// How many bits both slots of a number have together.
        width: u16,
        /// Whether it is the higher slot of the result.
        high: bool,
    },
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
    /// By a function of the compiler's: which of its results, or, where it answers in a width of its own,
    /// that width.
    Intrinsic(Intrinsic, u8),
    /// What is written after a value was read.
    Rmw(Rmw),
    /// A number from bytes: the first half of them compared to the second half; 0, or the difference of
    /// the first two that differ.
    CompareBytes,
    /// 0 if the first half of the bytes is as the second half, else 1.
    EqualBytes,
    /// The address of a byte, or 0: the address of the first one, the byte sought, the bytes.
    FindByte {
        /// Whether the last one is sought, and not the first.
        last: bool,
    },
    /// How many bytes are before the first zero, which is the last operand.
    CountBytes,
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

/// What is done with a value on which the machine depends as it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Access {
    /// An address from which scalars are read: [`Domain::load`] follows for each.
    Load,
    /// An address that is written.
    Store,
    /// An address that is called.
    Call,
    /// An address from or to which many bytes are copied, or at which many are compared.
    Bytes,
    /// How many bytes these are, or an object has, or a time is long.
    Length,
    /// A number that chooses: a lane, whether memory is exchanged, a byte of a name that the system
    /// looks up.
    Choice,
}

/// A domain's answer to the machine: to go on, or to pause before the next instruction.
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

    /// The shadow of what an instruction computes; at least one operand has one.
    fn compute(
        &mut self,
        at: Pc,
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
        at: Pc,
        memory: &Memory<Self::Shadow>,
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

    /// A value with a shadow is used as it is: an address, a length, a choice.
    fn address(&mut self, at: Pc, address: Value<Self::Shadow>, access: Access) {}

    /// Two numbers of 64 bits, of which nothing is known besides, are compared and are not the same.
    fn differed(&mut self, at: Pc, a: u64, b: u64) {}

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

    /// The function that was entered from outside has returned a value with a shadow.
    fn returned(&mut self, at: Pc, value: Value<Self::Shadow>) {}
}

/// The domain without shadows, for runs of which only the values matter.
#[derive(Clone, Copy, Debug, Default)]
pub struct Plain;

impl Domain for Plain {
    type Shadow = ();
    const SHADOWED: bool = false;
    const WATCHED: bool = false;
}
