//! Instructions, a few words each.

/// A scalar: a slot of the frame, or a constant of the module.
///
/// The scalars of an aggregate follow each other, whichever it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Operand(pub(crate) u32);

/// The destination of what has no result.
pub(crate) const NO_RESULT: u32 = u32::MAX;

/// Marks constants among operands.
const CONSTANT: u32 = 1 << 31;

impl Operand {
    pub(super) fn constant(index: u32) -> Operand {
        Operand(index | CONSTANT)
    }

    pub(super) fn slot(slot: u32) -> Operand {
        Operand(slot)
    }

    /// The slot, or else the place in the pool of constants.
    #[inline]
    pub(crate) fn place(self) -> Result<usize, usize> {
        if self.0 & CONSTANT == 0 {
            Ok(self.0 as usize)
        } else {
            Err((self.0 & !CONSTANT) as usize)
        }
    }

    /// The operand that many scalars further.
    #[inline]
    pub(crate) fn at(self, offset: u32) -> Operand {
        Operand(self.0 + offset)
    }
}

/// The operation of an instruction on two integers of one width.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[allow(missing_docs)]
pub enum Binary {
    Add,
    Sub,
    Mul,
    UnsignedDiv,
    SignedDiv,
    UnsignedRem,
    SignedRem,
    ShiftLeft,
    LogicalShiftRight,
    ArithmeticShiftRight,
    And,
    Or,
    Xor,
}

/// The operation of an instruction on two floats of one width.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[allow(missing_docs)]
pub enum FloatBinary {
    Add,
    Sub,
    Mul,
    Div,
    Rem,
    CopySign,
    /// The lesser one; the number, where one is none.
    MinNum,
    /// The greater one; the number, where one is none.
    MaxNum,
    /// The lesser one; no number, where one is none.
    Minimum,
    /// The greater one; no number, where one is none.
    Maximum,
    Power,
}

/// The operation of an instruction on one float.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[allow(missing_docs)]
pub enum FloatUnary {
    Negate,
    Absolute,
    SquareRoot,
    Floor,
    Ceiling,
    Truncate,
    RoundHalfAway,
    RoundHalfEven,
    Sine,
    Cosine,
    Tangent,
    Exponential,
    Exponential2,
    Logarithm,
    Logarithm2,
    Logarithm10,
    Canonical,
}

/// The relation between two integers of one width that an instruction asks for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[allow(missing_docs)]
pub enum Compare {
    Equal,
    NotEqual,
    UnsignedLess,
    UnsignedLessEqual,
    UnsignedGreater,
    UnsignedGreaterEqual,
    SignedLess,
    SignedLessEqual,
    SignedGreater,
    SignedGreaterEqual,
}

/// A comparison of floats: for which of the four outcomes it holds, a bit each.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct FloatCompare(pub(crate) u8);

impl FloatCompare {
    pub(crate) const EQUAL: u8 = 1;
    pub(crate) const GREATER: u8 = 2;
    pub(crate) const LESS: u8 = 4;
    pub(crate) const UNORDERED: u8 = 8;

    /// Whether it holds for these numbers.
    pub(crate) fn holds(self, a: f64, b: f64) -> bool {
        let outcome = match a.partial_cmp(&b) {
            Some(std::cmp::Ordering::Equal) => Self::EQUAL,
            Some(std::cmp::Ordering::Greater) => Self::GREATER,
            Some(std::cmp::Ordering::Less) => Self::LESS,
            None => Self::UNORDERED,
        };
        self.0 & outcome != 0
    }
}

/// The conversion of one scalar to another width or kind.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[allow(missing_docs)]
pub enum Cast {
    Truncate,
    ZeroExtend,
    SignExtend,
    FloatToUnsigned,
    FloatToSigned,
    FloatToUnsignedSaturating,
    FloatToSignedSaturating,
    UnsignedToFloat,
    SignedToFloat,
    FloatToFloat,
}

/// What is done to memory in one step that nothing interrupts.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[allow(missing_docs)]
pub enum Rmw {
    Exchange,
    Add,
    Sub,
    And,
    Nand,
    Or,
    Xor,
    SignedMax,
    SignedMin,
    UnsignedMax,
    UnsignedMin,
}

/// Functions of the compiler's that work on scalars.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[allow(missing_docs)]
pub enum Intrinsic {
    /// The result and whether it wraps around.
    UnsignedAddOverflow,
    SignedAddOverflow,
    UnsignedSubOverflow,
    SignedSubOverflow,
    UnsignedMulOverflow,
    SignedMulOverflow,
    UnsignedAddSaturating,
    SignedAddSaturating,
    UnsignedSubSaturating,
    SignedSubSaturating,
    UnsignedShiftLeftSaturating,
    SignedShiftLeftSaturating,
    UnsignedMin,
    UnsignedMax,
    SignedMin,
    SignedMax,
    UnsignedCompare,
    SignedCompare,
    Absolute,
    PopulationCount,
    LeadingZeros,
    TrailingZeros,
    SwapBytes,
    ReverseBits,
    FunnelShiftLeft,
    FunnelShiftRight,
    /// A float to an integer power.
    IntegerPower,
    /// Whether a float is of one of these classes, a bit each.
    FloatClass,
    /// a × b + c, rounded once.
    MultiplyAdd,
    /// All lanes to one.
    ReduceAdd,
    ReduceMul,
    ReduceAnd,
    ReduceOr,
    ReduceXor,
    ReduceUnsignedMax,
    ReduceUnsignedMin,
    ReduceSignedMax,
    ReduceSignedMin,
    /// Memory to memory: to, from, count.
    CopyMemory,
    /// Memory: to, byte, count.
    FillMemory,
    Trap,
}

/// One instruction of the machine, to which the compiler's IR is translated once, when it is read.
/// `dst` is a slot of the frame.
#[derive(Clone, Copy, Debug)]
#[allow(missing_docs)]
pub enum Instruction {
    Binary {
        op: Binary,
        width: u8,
        lanes: u16,
        dst: u32,
        a: Operand,
        b: Operand,
    },
    /// On integers of 129 to 256 bits, each of two slots.
    Wide {
        op: Binary,
        width: u16,
        dst: u32,
        a: Operand,
        b: Operand,
    },
    FloatBinary {
        op: FloatBinary,
        width: u8,
        lanes: u16,
        dst: u32,
        a: Operand,
        b: Operand,
    },
    FloatUnary {
        op: FloatUnary,
        width: u8,
        lanes: u16,
        dst: u32,
        a: Operand,
    },
    Compare {
        op: Compare,
        width: u8,
        lanes: u16,
        dst: u32,
        a: Operand,
        b: Operand,
    },
    FloatCompare {
        op: FloatCompare,
        width: u8,
        lanes: u16,
        dst: u32,
        a: Operand,
        b: Operand,
    },
    Cast {
        op: Cast,
        from: u8,
        to: u8,
        lanes: u16,
        dst: u32,
        a: Operand,
    },
    /// The same bits in scalars of another width: `rows[row..]` is from width, from lanes, to width,
    /// to lanes.
    Repack {
        dst: u32,
        a: Operand,
        row: u32,
    },
    /// `base + index * scale`, the index with its sign.
    Index {
        width: u8,
        dst: u32,
        base: Operand,
        index: Operand,
        scale: u32,
    },
    Load {
        width: u8,
        size: u8,
        dst: u32,
        address: Operand,
    },
    /// Each of `count` scalars, as `leaves[leaves..]` say.
    LoadRow {
        dst: u32,
        address: Operand,
        leaves: u32,
        count: u16,
    },
    Store {
        width: u8,
        size: u8,
        address: Operand,
        value: Operand,
    },
    StoreRow {
        address: Operand,
        value: Operand,
        leaves: u32,
        count: u16,
    },
    /// A new object on the stack, of `size` bytes `count` times, at a multiple of two to the `align`.
    Stack {
        dst: u32,
        size: u32,
        align: u8,
        count: Operand,
    },
    /// The end of the object on the stack whose address a slot has.
    Release {
        slot: u32,
    },
    Move {
        dst: u32,
        a: Operand,
        count: u16,
    },
    /// Of two rows one; with `vector`, decided lane by lane.
    Select {
        vector: bool,
        count: u16,
        dst: u32,
        condition: Operand,
        row: u32,
    },
    ExtractLane {
        lanes: u16,
        dst: u32,
        a: Operand,
        index: Operand,
    },
    /// `rows[row..]` is vector, scalar, index.
    InsertLane {
        lanes: u16,
        dst: u32,
        row: u32,
    },
    /// Lanes of `rows[row]` and `rows[row + 1]`, each of `from` lanes, as the lanes behind say.
    Shuffle {
        from: u16,
        to: u16,
        dst: u32,
        row: u32,
    },
    Intrinsic {
        op: Intrinsic,
        width: u8,
        lanes: u16,
        dst: u32,
        row: u32,
    },
    /// Reads, computes, writes; the value before is the result.
    Rmw {
        op: Rmw,
        width: u8,
        dst: u32,
        address: Operand,
        value: Operand,
    },
    /// `rows[row..]` is address, expected, new; the results are the value before, and whether it was
    /// as expected.
    Exchange {
        width: u8,
        dst: u32,
        row: u32,
    },
    Jump {
        edge: u32,
    },
    Branch {
        condition: Operand,
        then: u32,
        otherwise: u32,
    },
    /// Among `cases[cases..]`, sorted by value, or else along the edge `default`.
    Switch {
        value: Operand,
        cases: u32,
        count: u32,
        default: u32,
    },
    /// A call of a symbol; `rows[row]` is how many arguments there are, and they follow.
    Call {
        symbol: u32,
        dst: u32,
        row: u32,
    },
    CallIndirect {
        callee: Operand,
        dst: u32,
        row: u32,
    },
    Return {
        value: Operand,
        count: u16,
    },
    Unreachable,
    /// An index into what is not supported.
    Unsupported {
        what: u32,
    },
}

/// An edge of the control flow: from where, to where, and what moves along it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct BlockEdge {
    /// The block's last instruction.
    pub from: u32,
    /// The next block's first instruction.
    pub to: u32,
    /// The moves: pairs of a slot and an operand in the module's rows, all read before any is
    /// written.
    pub(crate) moves: u32,
    /// How many.
    pub(crate) count: u32,
}
