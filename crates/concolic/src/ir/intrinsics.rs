//! Calls: of functions, and of what the compiler means by functions whose names begin with `llvm.`.

use super::function::Body;
use super::instructions::{
    Binary, Cast, FloatBinary, FloatUnary, Instruction, Intrinsic, NO_RESULT, Operand,
};
use super::text::Reader;
use super::types::{Type, TypeId};
use super::{ReadError, SymbolId, mask};

/// What is called.
enum Callee<'t> {
    Symbol(&'t str, SymbolId),
    Indirect(Operand),
}

/// Functions that do nothing to values.
const IGNORED: [&str; 14] = [
    "llvm.lifetime.",
    "llvm.experimental.noalias",
    "llvm.assume",
    "llvm.dbg.",
    "llvm.donothing",
    "llvm.prefetch",
    "llvm.x86.sse2.pause",
    "llvm.invariant.end",
    "llvm.sideeffect",
    "llvm.pseudoprobe",
    "llvm.stackrestore",
    "llvm.x86.sse2.mfence",
    "llvm.x86.sse2.lfence",
    "llvm.x86.sse.sfence",
];

impl<'t> Reader<'t> {
    pub(super) fn invoke(
        &mut self,
        body: &mut Body<'t>,
        dst: Option<&'t str>,
    ) -> Result<(), ReadError> {
        if body.place == 0 {
            // Where it goes on stands on a line of its own, with its place.
            let at = self.at;
            self.skip_line();
            body.place = self.place();
            self.at = at;
        }
        self.call(body, dst)?;
        self.skip_call_attributes()?;
        self.expect_word("to")?;
        let edge = self.edge(body)?;
        self.expect_word("unwind")?;
        // Nothing unwinds: a panic ends the run.
        self.expect_word("label")?;
        self.name(b'%')?;
        self.emit(body, Instruction::Jump { edge });
        Ok(())
    }

    fn skip_call_attributes(&mut self) -> Result<(), ReadError> {
        while self.peek() == b'#' {
            self.at += 1;
            self.word();
        }
        self.skip_attributes()?;
        while self.peek() == b'#' {
            self.at += 1;
            self.word();
        }
        Ok(())
    }

    pub(super) fn call(
        &mut self,
        body: &mut Body<'t>,
        dst: Option<&'t str>,
    ) -> Result<(), ReadError> {
        self.skip_flags();
        let result = loop {
            self.skip_attributes()?;
            let word = self.peek_word();
            let convention = matches!(
                word,
                "ccc"
                    | "fastcc"
                    | "coldcc"
                    | "cc"
                    | "tailcc"
                    | "preserve_mostcc"
                    | "preserve_allcc"
                    | "preserve_nonecc"
                    | "swiftcc"
                    | "win64cc"
                    | "x86_64_sysvcc"
            );
            if !convention {
                break self.ty(0)?;
            }
            self.at += word.len();
            if word == "cc" {
                self.number()?;
            }
        };
        if self.peek() == b'(' {
            // The type of a function that takes any number of arguments.
            self.skip_parentheses()?;
        }
        if self.peek_word() == "asm" {
            return self.assembly(body, dst, result);
        }
        let callee = match self.peek() {
            b'@' => {
                let name = self.name(b'@')?;
                if IGNORED.iter().any(|prefix| name.starts_with(prefix)) {
                    return self.skip_parentheses();
                }
                Callee::Symbol(name, self.symbol(name))
            }
            _ => {
                let pointer = self.type_id(Type::Pointer)?;
                Callee::Indirect(self.value(body, pointer)?)
            }
        };
        let arguments = self.arguments(body)?;
        if let Callee::Symbol(name, _) = callee
            && let Some(name) = name.strip_prefix("llvm.")
        {
            return self.compiler_function(body, dst, name, result, &arguments);
        }
        let mut row = vec![0];
        for &(ty, value) in &arguments {
            row.extend((0..self.slots(ty)?).map(|i| value.at(i).0));
        }
        row[0] = row.len() as u32 - 1;
        let row = self.row(row);
        let dst = self.result(body, dst, result)?;
        let instruction = match callee {
            Callee::Symbol(_, symbol) => Instruction::Call { symbol: symbol.0, dst, row },
            Callee::Indirect(callee) => Instruction::CallIndirect { callee, dst, row },
        };
        self.emit(body, instruction);
        for slot in std::mem::take(&mut body.copies) {
            self.emit(body, Instruction::Release { slot });
        }
        Ok(())
    }

    fn arguments(&mut self, body: &mut Body<'t>) -> Result<Vec<(TypeId, Operand)>, ReadError> {
        let mut arguments = Vec::new();
        self.expect(b'(')?;
        while !self.eat(b')') {
            let ty = self.ty(0)?;
            if matches!(self.types.get(ty), Type::Valueless) {
                return Err(self.error("arguments that are no values are not supported"));
            }
            let copied = self.argument_attributes()?;
            let value = self.value(body, ty)?;
            let value = match copied {
                Some(copied) if self.types.slots(ty) == Some(1) => {
                    self.copy_of(body, copied, value)?
                }
                Some(_) => return Err(self.error("an address is expected")),
                None => value,
            };
            arguments.push((ty, value));
            if self.peek() != b')' {
                self.expect(b',')?;
            }
        }
        Ok(arguments)
    }

    /// Goes over attributes; the type, if it is a copy that is passed.
    fn argument_attributes(&mut self) -> Result<Option<TypeId>, ReadError> {
        let mut copied = None;
        loop {
            match self.skip_attributes() {
                Ok(()) => return Ok(copied),
                Err(error) if self.peek_word() != "byval" => return Err(error),
                Err(_) => {
                    self.word();
                    self.expect(b'(')?;
                    copied = Some(self.ty(0)?);
                    self.expect(b')')?;
                }
            }
        }
    }

    /// An object on the stack with the same bytes, until the call has returned.
    fn copy_of(
        &mut self,
        body: &mut Body<'t>,
        ty: TypeId,
        value: Operand,
    ) -> Result<Operand, ReadError> {
        let size = self.types.size(ty) as u32;
        let (one, bytes) = (self.constant_value(1), self.constant_value(u128::from(size)));
        let dst = self.spare(body)?;
        body.copies.push(dst);
        self.emit(body, Instruction::Stack { dst, size, align: 0, count: one });
        let row = self.row([dst, value.0, bytes.0]);
        let op = Intrinsic::CopyMemory;
        self.emit(body, Instruction::Intrinsic { op, width: 64, lanes: 1, dst: NO_RESULT, row });
        Ok(Operand::slot(dst))
    }

    /// Assembly that only keeps the compiler from knowing, and questions to the processor, which
    /// answers that it can do nothing special.
    fn assembly(
        &mut self,
        body: &mut Body<'t>,
        dst: Option<&'t str>,
        result: TypeId,
    ) -> Result<(), ReadError> {
        while self.peek() != b'"' {
            if self.word().is_empty() {
                return Err(self.error("assembly is expected"));
            }
        }
        let text = self.quoted()?;
        self.expect(b',')?;
        let constraints = self.quoted()?;
        let arguments = self.arguments(body)?;
        let count = self.slots(result)?;
        if text.contains("cpuid") || text.contains("xgetbv") {
            let zeros = vec![0; count as usize];
            let a = self.constant_row(&zeros)?;
            return self.transfer(body, dst, result, a);
        }
        if !(text.is_empty() || is_comment(text)) {
            return Err(self.error(format!("the assembly {text:?} is not supported")));
        }
        // Each result is the argument that shares its register.
        let dst = self.result(body, dst, result)?;
        let inputs: Vec<&str> = constraints
            .split(',')
            .filter(|constraint| !constraint.starts_with(['=', '~']))
            .collect();
        for output in 0..count {
            let input = inputs.iter().position(|input| input.parse() == Ok(output));
            let argument = input.and_then(|input| arguments.get(input));
            let Some(&(_, a)) = argument.filter(|&&(ty, _)| self.types.slots(ty) == Some(1)) else {
                return Err(self.error("assembly with a result is not supported"));
            };
            self.emit(body, Instruction::Move { dst: dst + output, a, count: 1 });
        }
        Ok(())
    }

    fn compiler_function(
        &mut self,
        body: &mut Body<'t>,
        dst: Option<&'t str>,
        name: &'t str,
        result: TypeId,
        arguments: &[(TypeId, Operand)],
    ) -> Result<(), ReadError> {
        let unknown = |reader: &Self| reader.error(format!("llvm.{name} is not supported"));
        // The types at the end of the name are said by the arguments too.
        let stem = stem(name);
        if let Some(op) = float_unary(stem) {
            let &[(ty, a)] = arguments else { return Err(unknown(self)) };
            let (width, lanes) = self.float_shape(ty)?;
            let dst = self.result(body, dst, ty)?;
            self.emit(body, Instruction::FloatUnary { op, width, lanes, dst, a });
            return Ok(());
        }
        if let Some(op) = float_binary(stem) {
            let &[(ty, a), (other, b)] = arguments else { return Err(unknown(self)) };
            self.same(ty, other)?;
            let (width, lanes) = self.float_shape(ty)?;
            let dst = self.result(body, dst, ty)?;
            self.emit(body, Instruction::FloatBinary { op, width, lanes, dst, a, b });
            return Ok(());
        }
        if let Some(op) = intrinsic(stem) {
            return self.intrinsic(body, dst, op, result, arguments);
        }
        match (stem, arguments) {
            (
                "threadlocal.address"
                | "expect"
                | "expect.with.probability"
                | "ssa.copy"
                | "launder.invariant.group"
                | "strip.invariant.group"
                | "arithmetic.fence",
                &[(ty, a), ..],
            ) => {
                self.same(ty, result)?;
                self.transfer(body, dst, ty, a)
            }
            ("is.constant" | "frameaddress" | "returnaddress" | "stacksave" | "objectsize", _) => {
                // The size of an object may be left unknown: the least, or the greatest that there is.
                let least = arguments.get(1).and_then(|&(_, least)| least.place().err());
                let least = least.is_none_or(|i| self.module.constants[i] != 0);
                let value = if stem == "objectsize" && !least { u128::MAX } else { 0 };
                self.scalar_result(result)?;
                let a = self.constant_value(value & mask(self.types.width(result)));
                self.transfer(body, dst, result, a)
            }
            ("is.fpclass", &[(ty, a), (_, classes)]) => {
                let (width, lanes) = self.float_shape(ty)?;
                self.same_slots(ty, result)?;
                let dst = self.result(body, dst, result)?;
                let row = self.row([a.0, classes.0]);
                let op = Intrinsic::FloatClass;
                self.emit(body, Instruction::Intrinsic { op, width, lanes, dst, row });
                Ok(())
            }
            ("ptrmask", &[(_, a), (ty, b)]) => {
                let (width, lanes) = self.shape(ty)?;
                self.same_slots(result, ty)?;
                self.same_slots(arguments[0].0, ty)?;
                let dst = self.result(body, dst, result)?;
                let op = Binary::And;
                self.emit(body, Instruction::Binary { op, width, lanes, dst, a, b });
                Ok(())
            }
            ("fptoui.sat", &[(ty, a)]) => {
                self.emit_cast(body, dst, Cast::FloatToUnsignedSaturating, ty, a, result)
            }
            ("fptosi.sat", &[(ty, a)]) => {
                self.emit_cast(body, dst, Cast::FloatToSignedSaturating, ty, a, result)
            }
            // Baseline x86-64 has no instruction that rounds once.
            ("fmuladd", &[(ty, a), (second, b), (third, c)]) => {
                self.same(ty, second)?;
                self.same(ty, third)?;
                let (width, lanes) = self.float_shape(ty)?;
                let dst = self.result(body, dst, ty)?;
                let op = FloatBinary::Mul;
                self.emit(body, Instruction::FloatBinary { op, width, lanes, dst, a, b });
                let (op, a) = (FloatBinary::Add, Operand::slot(dst));
                self.emit(body, Instruction::FloatBinary { op, width, lanes, dst, a, b: c });
                Ok(())
            }
            _ => Err(unknown(self)),
        }
    }

    fn same(&self, a: TypeId, b: TypeId) -> Result<(), ReadError> {
        if a == b { Ok(()) } else { Err(self.error("values of one type are expected")) }
    }

    fn same_slots(&self, a: TypeId, b: TypeId) -> Result<(), ReadError> {
        if self.slots(a)? == self.slots(b)? {
            return Ok(());
        }
        Err(self.error("values with equally many lanes are expected"))
    }

    fn scalar_result(&self, ty: TypeId) -> Result<(), ReadError> {
        if self.slots(ty)? == 1 { Ok(()) } else { Err(self.error("one scalar is expected")) }
    }

    fn intrinsic(
        &mut self,
        body: &mut Body<'t>,
        dst: Option<&'t str>,
        op: Intrinsic,
        result: TypeId,
        arguments: &[(TypeId, Operand)],
    ) -> Result<(), ReadError> {
        let wanted = inputs(op);
        if arguments.len() < wanted {
            return Err(self.error("too few arguments"));
        }
        let arguments = &arguments[..wanted];
        let (width, lanes) = match arguments.first() {
            None => (0, 1),
            Some(&(ty, _)) if matches!(op, Intrinsic::MultiplyAdd | Intrinsic::IntegerPower) => {
                self.float_shape(ty)?
            }
            Some(&(ty, _)) => self.shape(ty)?,
        };
        let memory = matches!(op, Intrinsic::CopyMemory | Intrinsic::FillMemory);
        for &(ty, _) in arguments {
            let scalar = memory || op == Intrinsic::IntegerPower;
            if self.slots(ty)? != u32::from(lanes) && !(scalar && self.slots(ty)? == 1) {
                return Err(self.error("values with equally many lanes are expected"));
            }
        }
        let slots = match results(op) {
            Results::Lanes(each) => u32::from(lanes) * each,
            Results::One => 1,
            Results::None => 0,
        };
        if self.slots(result)? != slots {
            return Err(self.error("a result of another type"));
        }
        let row = self.row(arguments.iter().map(|(_, value)| value.0));
        let dst = self.result(body, dst, result)?;
        if matches!(op, Intrinsic::UnsignedCompare | Intrinsic::SignedCompare) {
            // Comparisons in three steps answer in a width of their own, which follows the operands.
            self.module.rows.push(u32::from(self.types.width(result)));
        }
        self.emit(body, Instruction::Intrinsic { op, width, lanes, dst, row });
        Ok(())
    }
}

fn is_comment(assembly: &str) -> bool {
    let inside = assembly.strip_prefix("/*").and_then(|rest| rest.strip_suffix("*/"));
    inside.is_some_and(|inside| !inside.contains("*/"))
}

/// A name without the types at its end, as in `umul.with.overflow.i64`.
fn stem(name: &str) -> &str {
    let mut stem = name;
    while let Some((rest, last)) = stem.rsplit_once('.') {
        let digits = last.trim_start_matches(|c: char| c.is_ascii_alphabetic());
        let letters = &last[..last.len() - digits.len()];
        let ty = matches!(letters, "i" | "f" | "p" | "v" | "bf" | "nxv") && !digits.is_empty();
        if !ty {
            break;
        }
        stem = rest;
    }
    stem
}

/// How many arguments count: those behind them are about undefined behaviour.
fn inputs(op: Intrinsic) -> usize {
    use Intrinsic::*;
    match op {
        Trap => 0,
        Absolute | PopulationCount | LeadingZeros | TrailingZeros | SwapBytes | ReverseBits
        | ReduceAdd | ReduceMul | ReduceAnd | ReduceOr | ReduceXor | ReduceUnsignedMax
        | ReduceUnsignedMin | ReduceSignedMax | ReduceSignedMin => 1,
        FunnelShiftLeft | FunnelShiftRight | MultiplyAdd | CopyMemory | FillMemory => 3,
        _ => 2,
    }
}

enum Results {
    None,
    One,
    Lanes(u32),
}

fn results(op: Intrinsic) -> Results {
    use Intrinsic::*;
    match op {
        Trap | CopyMemory | FillMemory => Results::None,
        ReduceAdd | ReduceMul | ReduceAnd | ReduceOr | ReduceXor | ReduceUnsignedMax
        | ReduceUnsignedMin | ReduceSignedMax | ReduceSignedMin => Results::One,
        UnsignedAddOverflow | SignedAddOverflow | UnsignedSubOverflow | SignedSubOverflow
        | UnsignedMulOverflow | SignedMulOverflow => Results::Lanes(2),
        _ => Results::Lanes(1),
    }
}

fn intrinsic(stem: &str) -> Option<Intrinsic> {
    use Intrinsic::*;
    Some(match stem {
        "uadd.with.overflow" => UnsignedAddOverflow,
        "sadd.with.overflow" => SignedAddOverflow,
        "usub.with.overflow" => UnsignedSubOverflow,
        "ssub.with.overflow" => SignedSubOverflow,
        "umul.with.overflow" => UnsignedMulOverflow,
        "smul.with.overflow" => SignedMulOverflow,
        "uadd.sat" => UnsignedAddSaturating,
        "sadd.sat" => SignedAddSaturating,
        "usub.sat" => UnsignedSubSaturating,
        "ssub.sat" => SignedSubSaturating,
        "ushl.sat" => UnsignedShiftLeftSaturating,
        "sshl.sat" => SignedShiftLeftSaturating,
        "umin" => UnsignedMin,
        "umax" => UnsignedMax,
        "smin" => SignedMin,
        "smax" => SignedMax,
        "ucmp" => UnsignedCompare,
        "scmp" => SignedCompare,
        "abs" => Absolute,
        "ctpop" => PopulationCount,
        "ctlz" => LeadingZeros,
        "cttz" => TrailingZeros,
        "bswap" => SwapBytes,
        "bitreverse" => ReverseBits,
        "fshl" => FunnelShiftLeft,
        "fshr" => FunnelShiftRight,
        "powi" => IntegerPower,
        "fma" => MultiplyAdd,
        "vector.reduce.add" => ReduceAdd,
        "vector.reduce.mul" => ReduceMul,
        "vector.reduce.and" => ReduceAnd,
        "vector.reduce.or" => ReduceOr,
        "vector.reduce.xor" => ReduceXor,
        "vector.reduce.umax" => ReduceUnsignedMax,
        "vector.reduce.umin" => ReduceUnsignedMin,
        "vector.reduce.smax" => ReduceSignedMax,
        "vector.reduce.smin" => ReduceSignedMin,
        "memcpy" | "memmove" | "memcpy.inline" => CopyMemory,
        "memset" | "memset.inline" => FillMemory,
        "trap" | "debugtrap" | "ubsantrap" => Trap,
        _ => return None,
    })
}

fn float_unary(stem: &str) -> Option<FloatUnary> {
    use FloatUnary::*;
    Some(match stem {
        "fabs" => Absolute,
        "sqrt" => SquareRoot,
        "floor" => Floor,
        "ceil" => Ceiling,
        "trunc" => Truncate,
        "round" => RoundHalfAway,
        "rint" | "nearbyint" | "roundeven" => RoundHalfEven,
        "sin" => Sine,
        "cos" => Cosine,
        "tan" => Tangent,
        "exp" => Exponential,
        "exp2" => Exponential2,
        "log" => Logarithm,
        "log2" => Logarithm2,
        "log10" => Logarithm10,
        "canonicalize" => Canonical,
        _ => return None,
    })
}

fn float_binary(stem: &str) -> Option<FloatBinary> {
    use FloatBinary::*;
    Some(match stem {
        "copysign" => CopySign,
        "minnum" | "minimumnum" => MinNum,
        "maxnum" | "maximumnum" => MaxNum,
        "minimum" => Minimum,
        "maximum" => Maximum,
        "pow" => Power,
        _ => return None,
    })
}
