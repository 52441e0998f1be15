//! A function's body: blocks, registers, and every instruction but calls.

use super::instructions::{
    Binary, BlockEdge, Cast, Compare, FloatBinary, FloatCompare, FloatUnary, Instruction,
    NO_RESULT, Operand,
};
use super::text::Reader;
use super::types::{Type, TypeId};
use super::{Function, ReadError, SymbolId};
use fxhash::FxHashMap;

/// No frame has more slots.
const MAX_FRAME: u32 = 1 << 20;

/// A block that was named but not met.
const UNMET: u32 = u32::MAX;

struct Phi {
    block: u32,
    dst: u32,
    count: u32,
    incoming: std::ops::Range<usize>,
}

/// What is known of the function that is being read; its memory is used again for the next one.
#[derive(Default)]
pub(super) struct Body<'t> {
    registers: FxHashMap<&'t str, (u32, u32)>,
    pub(super) slots: u32,
    parameters: u32,
    unnamed: u32,
    blocks: FxHashMap<&'t str, u32>,
    /// The name of the first block.
    first: String,
    starts: Vec<u32>,
    current: u32,
    first_edge: usize,
    /// Of each edge of the function the block it leaves; it is one of the module's, where `to` is
    /// the number of a block until all blocks are met.
    leaves: Vec<u32>,
    phis: Vec<Phi>,
    incoming: Vec<(Operand, u32)>,
    pub(super) stack: Vec<u32>,
    pub(super) stack_bytes: u64,
    /// The slots of copies for the call that is being read.
    pub(super) copies: Vec<u32>,
    pub(super) place: u32,
    pub(super) leaf_rows: FxHashMap<TypeId, (u32, u16)>,
}

impl<'t> Body<'t> {
    pub(super) fn begin(&mut self) {
        self.registers.clear();
        self.blocks.clear();
        self.starts.clear();
        self.leaves.clear();
        self.phis.clear();
        self.incoming.clear();
        self.stack.clear();
        self.copies.clear();
        (self.slots, self.parameters, self.unnamed, self.current) = (0, 0, 0, 0);
        self.stack_bytes = 0;
    }

    fn block(&mut self, name: &'t str) -> u32 {
        if name == self.first {
            return 0;
        }
        let starts = &mut self.starts;
        *self.blocks.entry(name).or_insert_with(|| {
            starts.push(UNMET);
            starts.len() as u32 - 1
        })
    }
}

impl<'t> Reader<'t> {
    pub(super) fn parameter(
        &mut self,
        body: &mut Body<'t>,
        name: &'t str,
        ty: TypeId,
    ) -> Result<(), ReadError> {
        let count = self.slots(ty)?;
        self.register(body, name, count)?;
        body.parameters = body.slots;
        body.unnamed += u32::from(name.bytes().all(|byte| byte.is_ascii_digit()));
        Ok(())
    }

    /// The slots of a register, which may be used before it is met.
    pub(super) fn register(
        &mut self,
        body: &mut Body<'t>,
        name: &'t str,
        count: u32,
    ) -> Result<u32, ReadError> {
        let new = body.slots;
        let &mut (slot, known) = body.registers.entry(name).or_insert((new, count));
        if slot == new && known == count {
            body.slots += count;
            if body.slots > MAX_FRAME {
                return Err(self.error("a function with too many registers"));
            }
        }
        if known != count {
            return Err(self.error(format!("%{name} is used as a value of another type")));
        }
        Ok(slot)
    }

    /// A value of a type.
    pub(super) fn value(&mut self, body: &mut Body<'t>, ty: TypeId) -> Result<Operand, ReadError> {
        if self.peek() == b'%' {
            let name = self.name(b'%')?;
            let count = self.slots(ty)?;
            return Ok(Operand::slot(self.register(body, name, count)?));
        }
        self.constant_operand(ty)
    }

    pub(super) fn typed(&mut self, body: &mut Body<'t>) -> Result<(TypeId, Operand), ReadError> {
        let ty = self.ty(0)?;
        Ok((ty, self.value(body, ty)?))
    }

    pub(super) fn pointer(&mut self, body: &mut Body<'t>) -> Result<Operand, ReadError> {
        let (ty, value) = self.typed(body)?;
        match self.types.get(ty) {
            Type::Pointer => Ok(value),
            _ => Err(self.error("an address is expected")),
        }
    }

    pub(super) fn integer(&mut self, body: &mut Body<'t>) -> Result<(TypeId, Operand), ReadError> {
        let (ty, value) = self.typed(body)?;
        match self.types.get(ty) {
            Type::Int(_) => Ok((ty, value)),
            _ => Err(self.error("an integer is expected")),
        }
    }

    pub(super) fn result(
        &mut self,
        body: &mut Body<'t>,
        dst: Option<&'t str>,
        ty: TypeId,
    ) -> Result<u32, ReadError> {
        let count = self.slots(ty)?;
        match dst {
            _ if count == 0 => Ok(NO_RESULT),
            Some(name) => self.register(body, name, count),
            None => {
                // Nobody asks for it, but it has to go somewhere.
                body.slots += count;
                if body.slots > MAX_FRAME {
                    return Err(self.error("a function with too many registers"));
                }
                Ok(body.slots - count)
            }
        }
    }

    pub(super) fn emit(&mut self, body: &Body<'t>, instruction: Instruction) {
        self.module.code.push(instruction);
        self.module.code_places.push(body.place);
    }

    pub(super) fn row(&mut self, operands: impl IntoIterator<Item = u32>) -> u32 {
        let row = self.module.rows.len() as u32;
        self.module.rows.extend(operands);
        row
    }

    fn pc(&self) -> u32 {
        self.module.code.len() as u32
    }

    pub(super) fn unsupported(&mut self, body: &Body<'t>, what: &str, line: usize) {
        let index = self.module.unsupported.len() as u32;
        self.module.unsupported.push((what.into(), line as u32));
        self.emit(body, Instruction::Unsupported { what: index });
    }

    pub(super) fn function(
        &mut self,
        symbol: SymbolId,
        result: TypeId,
        place: u32,
        body: &mut Body<'t>,
    ) -> Result<(), ReadError> {
        let begin = self.pc();
        let results = self.slots(result)?;
        body.first_edge = self.module.edges.len();
        body.starts.push(begin);
        // The first block may go without a name, and has the number behind the parameters then.
        body.first = body.unnamed.to_string();
        while self.peek() != b'}' {
            if self.label(body)? {
                continue;
            }
            match self.here() {
                0 => return Err(self.error("the function's body is not closed")),
                b'#' => self.skip_line(),
                _ => self.instruction_or_failure(body),
            }
        }
        self.close_block(body);
        self.resolve(body)?;
        self.at += 1;
        let first = self.module.rows.len() as u32;
        self.module.rows.extend(&body.stack);
        self.module.functions.push(Function {
            symbol,
            code: begin..self.pc(),
            parameters: body.parameters,
            slots: body.slots,
            results,
            stack: first..first + body.stack.len() as u32,
            stack_bytes: u32::try_from(body.stack_bytes).unwrap_or(u32::MAX),
            place,
        });
        Ok(())
    }

    /// Begins a block, if there is a label.
    fn label(&mut self, body: &mut Body<'t>) -> Result<bool, ReadError> {
        let at = self.at;
        let name = if self.here() == b'"' {
            self.quoted()?
        } else {
            let word = self.peek_word();
            self.at += word.len();
            word
        };
        if name.is_empty() || self.here() != b':' {
            self.at = at;
            return Ok(false);
        }
        self.at += 1;
        let pc = self.pc();
        if body.starts.len() == 1
            && body.starts[0] == pc
            && body.current == 0
            && body.phis.is_empty()
        {
            // The first block has a name.
            body.first.clear();
            body.first.push_str(name);
            return Ok(true);
        }
        self.close_block(body);
        let block = body.block(name);
        let start = &mut body.starts[block as usize];
        if *start != UNMET {
            return Err(self.error(format!("the label {name} is there twice")));
        }
        *start = self.module.code.len() as u32;
        body.current = block;
        Ok(true)
    }

    /// What would run into the next block fails instead.
    fn close_block(&mut self, body: &mut Body<'t>) {
        let ends = matches!(
            self.module.code.last(),
            Some(
                Instruction::Jump { .. }
                    | Instruction::Branch { .. }
                    | Instruction::Switch { .. }
                    | Instruction::Return { .. }
                    | Instruction::Unreachable
                    | Instruction::Unsupported { .. }
            )
        );
        let empty = body.starts[body.current as usize] == self.pc();
        if !ends || empty {
            let line = self.error("").line;
            self.unsupported(body, "a block without an end", line);
        }
    }

    fn instruction_or_failure(&mut self, body: &mut Body<'t>) {
        let at = self.at;
        let code = self.module.code.len();
        let line = self.line();
        body.place = self.place();
        if let Err(error) = self.instruction(body) {
            self.module.code.truncate(code);
            self.module.code_places.truncate(code);
            self.at = at;
            let words: Vec<&str> = line.split_whitespace().take(4).collect();
            let what = format!("{}: {}", words.join(" "), error.message);
            self.unsupported(body, &what, error.line);
            self.skip_line();
        }
    }

    /// The place in the source that the rest of the line names.
    pub(super) fn place(&self) -> u32 {
        self.line().rsplit_once("!dbg ").map_or(0, |(_, rest)| {
            let end = rest.find([' ', ',', '{']).unwrap_or(rest.len());
            self.module.places.reference(&rest[..end])
        })
    }

    fn instruction(&mut self, body: &mut Body<'t>) -> Result<(), ReadError> {
        let mut dst = None;
        if self.here() == b'%' {
            dst = Some(self.name(b'%')?);
            self.expect(b'=')?;
        }
        let op = self.word();
        if let Some(op) = binary(op) {
            return self.binary(body, dst, op);
        }
        if let Some(op) = float_binary(op) {
            return self.float_binary(body, dst, op);
        }
        match op {
            "load" => self.load(body, dst)?,
            "store" => self.store(body)?,
            "getelementptr" => self.address(body, dst)?,
            "br" => self.branch(body)?,
            "call" => self.call(body, dst)?,
            "tail" | "musttail" | "notail" => {
                self.expect_word("call")?;
                self.call(body, dst)?;
            }
            "invoke" => self.invoke(body, dst)?,
            "icmp" => self.compare(body, dst)?,
            "fcmp" => self.float_compare(body, dst)?,
            "phi" => self.phi(body, dst)?,
            "select" => self.select(body, dst)?,
            "alloca" => self.stack(body, dst)?,
            "ret" => {
                let ty = self.ty(0)?;
                let count = self.slots(ty)?;
                let value = if count == 0 { Operand::slot(0) } else { self.value(body, ty)? };
                self.emit(body, Instruction::Return { value, count: count as u16 });
            }
            "switch" => self.switch(body)?,
            "unreachable" => self.emit(body, Instruction::Unreachable),
            "extractvalue" => self.extract_value(body, dst)?,
            "insertvalue" => self.insert_value(body, dst)?,
            "extractelement" => self.extract_lane(body, dst)?,
            "insertelement" => self.insert_lane(body, dst)?,
            "shufflevector" => self.shuffle(body, dst)?,
            "atomicrmw" => self.rmw(body, dst)?,
            "cmpxchg" => self.exchange(body, dst)?,
            "fence" => {}
            "freeze" => {
                let (ty, a) = self.typed(body)?;
                self.transfer(body, dst, ty, a)?;
            }
            "fneg" => {
                self.skip_flags();
                let (ty, a) = self.typed(body)?;
                let dst = self.result(body, dst, ty)?;
                let (width, lanes) = self.float_shape(ty)?;
                let op = FloatUnary::Negate;
                self.emit(body, Instruction::FloatUnary { op, width, lanes, dst, a });
            }
            _ => self.cast(body, dst, op)?,
        }
        self.skip_line();
        Ok(())
    }

    /// Goes over `nuw`, `nsw`, `exact`, `fast` and their like.
    pub(super) fn skip_flags(&mut self) {
        const FLAGS: [&str; 19] = [
            "nuw", "nsw", "exact", "disjoint", "samesign", "nneg", "fast", "nnan", "ninf", "nsz",
            "arcp", "contract", "afn", "reassoc", "inbounds", "nusw", "atomic", "volatile", "weak",
        ];
        loop {
            self.skip();
            let word = self.peek_word();
            if !FLAGS.contains(&word) {
                return;
            }
            self.at += word.len();
        }
    }

    /// The width and the number of lanes of an operation on integers or addresses.
    pub(super) fn shape(&self, ty: TypeId) -> Result<(u8, u16), ReadError> {
        let item = match *self.types.get(ty) {
            Type::Vector(_, item) => item,
            _ => ty,
        };
        match self.types.get(item) {
            Type::Int(_) | Type::Pointer => Ok((self.types.width(ty), self.types.lanes(ty) as u16)),
            _ => Err(self.error("integers are expected")),
        }
    }

    pub(super) fn scalar_shape(&self, ty: TypeId) -> Result<(u8, u16), ReadError> {
        match self.shape(ty)? {
            (width, 1) => Ok((width, 1)),
            _ => Err(self.error("an integer or an address is expected")),
        }
    }

    pub(super) fn float_shape(&self, ty: TypeId) -> Result<(u8, u16), ReadError> {
        let item = match *self.types.get(ty) {
            Type::Vector(_, item) => item,
            _ => ty,
        };
        match self.types.get(item) {
            Type::Float(_) => Ok((self.types.width(ty), self.types.lanes(ty) as u16)),
            _ => Err(self.error("floats of 32 or 64 bits are expected")),
        }
    }

    fn pair(&mut self, body: &mut Body<'t>) -> Result<(TypeId, Operand, Operand), ReadError> {
        self.skip_flags();
        let (ty, a) = self.typed(body)?;
        self.expect(b',')?;
        let b = self.value(body, ty)?;
        Ok((ty, a, b))
    }

    fn binary(
        &mut self,
        body: &mut Body<'t>,
        dst: Option<&'t str>,
        op: Binary,
    ) -> Result<(), ReadError> {
        let (ty, a, b) = self.pair(body)?;
        let dst = self.result(body, dst, ty)?;
        if let Type::Wide(width) = *self.types.get(ty) {
            let known = matches!(
                op,
                Binary::Add
                    | Binary::Sub
                    | Binary::Mul
                    | Binary::And
                    | Binary::Or
                    | Binary::Xor
                    | Binary::ShiftLeft
                    | Binary::LogicalShiftRight
            );
            if !known {
                return Err(self.error("of integers of more than 128 bits this is not supported"));
            }
            self.emit(body, Instruction::Wide { op, width, dst, a, b });
            self.skip_line();
            return Ok(());
        }
        let (width, lanes) = self.shape(ty)?;
        self.emit(body, Instruction::Binary { op, width, lanes, dst, a, b });
        self.skip_line();
        Ok(())
    }

    fn float_binary(
        &mut self,
        body: &mut Body<'t>,
        dst: Option<&'t str>,
        op: FloatBinary,
    ) -> Result<(), ReadError> {
        let (ty, a, b) = self.pair(body)?;
        let (width, lanes) = self.float_shape(ty)?;
        let dst = self.result(body, dst, ty)?;
        self.emit(body, Instruction::FloatBinary { op, width, lanes, dst, a, b });
        self.skip_line();
        Ok(())
    }

    /// Booleans, as many as a type has lanes.
    fn booleans(&mut self, ty: TypeId) -> Result<TypeId, ReadError> {
        let bit = self.type_id(Type::Int(1))?;
        match *self.types.get(ty) {
            Type::Vector(lanes, _) => self.type_id(Type::Vector(lanes, bit)),
            _ => Ok(bit),
        }
    }

    fn compare(&mut self, body: &mut Body<'t>, dst: Option<&'t str>) -> Result<(), ReadError> {
        self.skip_flags();
        let op = match self.word() {
            "eq" => Compare::Equal,
            "ne" => Compare::NotEqual,
            "ult" => Compare::UnsignedLess,
            "ule" => Compare::UnsignedLessEqual,
            "ugt" => Compare::UnsignedGreater,
            "uge" => Compare::UnsignedGreaterEqual,
            "slt" => Compare::SignedLess,
            "sle" => Compare::SignedLessEqual,
            "sgt" => Compare::SignedGreater,
            "sge" => Compare::SignedGreaterEqual,
            _ => return Err(self.error("a comparison is expected")),
        };
        let (ty, a, b) = self.pair(body)?;
        let (width, lanes) = self.shape(ty)?;
        let booleans = self.booleans(ty)?;
        let dst = self.result(body, dst, booleans)?;
        self.emit(body, Instruction::Compare { op, width, lanes, dst, a, b });
        Ok(())
    }

    fn float_compare(
        &mut self,
        body: &mut Body<'t>,
        dst: Option<&'t str>,
    ) -> Result<(), ReadError> {
        self.skip_flags();
        const E: u8 = FloatCompare::EQUAL;
        const G: u8 = FloatCompare::GREATER;
        const L: u8 = FloatCompare::LESS;
        const U: u8 = FloatCompare::UNORDERED;
        let op = FloatCompare(match self.word() {
            "false" => 0,
            "oeq" => E,
            "ogt" => G,
            "oge" => G | E,
            "olt" => L,
            "ole" => L | E,
            "one" => L | G,
            "ord" => L | G | E,
            "uno" => U,
            "ueq" => U | E,
            "ugt" => U | G,
            "uge" => U | G | E,
            "ult" => U | L,
            "ule" => U | L | E,
            "une" => U | L | G,
            "true" => U | L | G | E,
            _ => return Err(self.error("a comparison is expected")),
        });
        let (ty, a, b) = self.pair(body)?;
        let (width, lanes) = self.float_shape(ty)?;
        let booleans = self.booleans(ty)?;
        let dst = self.result(body, dst, booleans)?;
        self.emit(body, Instruction::FloatCompare { op, width, lanes, dst, a, b });
        Ok(())
    }

    /// A value under another name.
    pub(super) fn transfer(
        &mut self,
        body: &mut Body<'t>,
        dst: Option<&'t str>,
        ty: TypeId,
        a: Operand,
    ) -> Result<(), ReadError> {
        let dst = self.result(body, dst, ty)?;
        let count = self.slots(ty)? as u16;
        self.emit(body, Instruction::Move { dst, a, count });
        Ok(())
    }

    fn cast(
        &mut self,
        body: &mut Body<'t>,
        dst: Option<&'t str>,
        op: &str,
    ) -> Result<(), ReadError> {
        let cast = match op {
            "trunc" => Cast::Truncate,
            "zext" => Cast::ZeroExtend,
            "sext" => Cast::SignExtend,
            "fptoui" => Cast::FloatToUnsigned,
            "fptosi" => Cast::FloatToSigned,
            "uitofp" => Cast::UnsignedToFloat,
            "sitofp" => Cast::SignedToFloat,
            "fptrunc" | "fpext" => Cast::FloatToFloat,
            "ptrtoint" | "ptrtoaddr" | "inttoptr" => Cast::Truncate,
            "bitcast" | "addrspacecast" => return self.repack(body, dst),
            _ => return Err(self.error("an unknown instruction")),
        };
        self.skip_flags();
        let (from_type, a) = self.typed(body)?;
        self.expect_word("to")?;
        let to_type = self.ty(0)?;
        let wide = |ty| matches!(self.types.get(ty), Type::Wide(_));
        match (cast, wide(from_type), wide(to_type)) {
            (_, false, false) => {}
            (Cast::ZeroExtend, false, true) => {
                self.shape(from_type)?;
                let dst = self.result(body, dst, to_type)?;
                self.emit(body, Instruction::Move { dst, a, count: 1 });
                let a = self.constant_value(0);
                self.emit(body, Instruction::Move { dst: dst + 1, a, count: 1 });
                return Ok(());
            }
            (Cast::Truncate, true, false) => {
                let (to, _) = self.scalar_shape(to_type)?;
                let dst = self.result(body, dst, to_type)?;
                self.emit(body, Instruction::Cast { op: cast, from: 128, to, lanes: 1, dst, a });
                return Ok(());
            }
            _ => return Err(self.error("of integers of more than 128 bits this is not supported")),
        }
        self.emit_cast(body, dst, cast, from_type, a, to_type)
    }

    pub(super) fn emit_cast(
        &mut self,
        body: &mut Body<'t>,
        dst: Option<&'t str>,
        op: Cast,
        from_type: TypeId,
        a: Operand,
        to_type: TypeId,
    ) -> Result<(), ReadError> {
        let floats = |cast| match cast {
            Cast::FloatToFloat => (true, true),
            Cast::UnsignedToFloat | Cast::SignedToFloat => (false, true),
            Cast::Truncate | Cast::ZeroExtend | Cast::SignExtend => (false, false),
            _ => (true, false),
        };
        let (from_float, to_float) = floats(op);
        let shape = |reader: &Self, float, ty| {
            if float { reader.float_shape(ty) } else { reader.shape(ty) }
        };
        let (from, lanes) = shape(self, from_float, from_type)?;
        let (to, to_lanes) = shape(self, to_float, to_type)?;
        if lanes != to_lanes {
            return Err(self.error("a conversion between numbers of lanes"));
        }
        let dst = self.result(body, dst, to_type)?;
        self.emit(body, Instruction::Cast { op, from, to, lanes, dst, a });
        Ok(())
    }

    /// The edge to the block whose label stands here.
    pub(super) fn edge(&mut self, body: &mut Body<'t>) -> Result<u32, ReadError> {
        self.expect_word("label")?;
        let name = self.name(b'%')?;
        let to = body.block(name);
        let edge = self.module.edges.len() as u32;
        self.module.edges.push(BlockEdge { from: self.pc(), to, moves: 0, count: 0 });
        body.leaves.push(body.current);
        Ok(edge)
    }

    fn branch(&mut self, body: &mut Body<'t>) -> Result<(), ReadError> {
        if self.peek() == b'l' {
            let edge = self.edge(body)?;
            self.emit(body, Instruction::Jump { edge });
            return Ok(());
        }
        let (_, condition) = self.integer(body)?;
        self.expect(b',')?;
        let then = self.edge(body)?;
        self.expect(b',')?;
        let otherwise = self.edge(body)?;
        self.emit(body, Instruction::Branch { condition, then, otherwise });
        Ok(())
    }

    fn switch(&mut self, body: &mut Body<'t>) -> Result<(), ReadError> {
        let (ty, value) = self.integer(body)?;
        self.expect(b',')?;
        let default = self.edge(body)?;
        self.expect(b'[')?;
        let cases = self.module.cases.len();
        while !self.eat(b']') {
            let case_type = self.ty(0)?;
            if case_type != ty {
                return Err(self.error("a case of another type than the switch"));
            }
            let case = self.scalar(ty, 0)?;
            self.expect(b',')?;
            let edge = self.edge(body)?;
            self.module.cases.push((case, edge));
        }
        self.module.cases[cases..].sort_unstable();
        let count = (self.module.cases.len() - cases) as u32;
        // Its cases stand on lines of their own.
        body.place = self.place();
        self.emit(body, Instruction::Switch { value, cases: cases as u32, count, default });
        Ok(())
    }

    fn phi(&mut self, body: &mut Body<'t>, dst: Option<&'t str>) -> Result<(), ReadError> {
        self.skip_flags();
        let ty = self.ty(0)?;
        let count = self.slots(ty)?;
        let dst = self.result(body, dst, ty)?;
        let begin = body.incoming.len();
        loop {
            self.expect(b'[')?;
            let value = self.value(body, ty)?;
            self.expect(b',')?;
            let name = self.name(b'%')?;
            self.expect(b']')?;
            let from = body.block(name);
            body.incoming.push((value, from));
            if !self.line().starts_with(", [") {
                break;
            }
            self.expect(b',')?;
        }
        body.incoming[begin..].sort_by_key(|&(_, from)| from);
        let incoming = begin..body.incoming.len();
        body.phis.push(Phi { block: body.current, dst, count, incoming });
        Ok(())
    }

    fn select(&mut self, body: &mut Body<'t>, dst: Option<&'t str>) -> Result<(), ReadError> {
        self.skip_flags();
        let (condition_type, condition) = self.typed(body)?;
        self.shape(condition_type)?;
        self.expect(b',')?;
        let (ty, a) = self.typed(body)?;
        self.expect(b',')?;
        let (other, b) = self.typed(body)?;
        if other != ty {
            return Err(self.error("a choice among values of different types"));
        }
        let vector = matches!(self.types.get(condition_type), Type::Vector(..));
        if vector && self.types.lanes(condition_type) != self.types.lanes(ty) {
            return Err(self.error("a choice among other numbers of lanes"));
        }
        let count = self.slots(ty)? as u16;
        let dst = self.result(body, dst, ty)?;
        let row = self.row([a.0, b.0]);
        self.emit(body, Instruction::Select { vector, count, dst, condition, row });
        Ok(())
    }

    /// Once all blocks are met: edges lead to instructions, and move what the block's registers become.
    fn resolve(&mut self, body: &mut Body<'t>) -> Result<(), ReadError> {
        body.phis.sort_by_key(|phi| phi.block);
        for (&from, index) in body.leaves.iter().zip(body.first_edge..) {
            let block = self.module.edges[index].to;
            let to = body.starts[block as usize];
            if to == UNMET {
                return Err(self.error("a label in the function above is not there"));
            }
            let moves = self.module.rows.len() as u32;
            let mut count = 0;
            let first = body.phis.partition_point(|phi| phi.block < block);
            for phi in body.phis[first..].iter().take_while(|phi| phi.block == block) {
                let incoming = &body.incoming[phi.incoming.clone()];
                let at = incoming.partition_point(|&(_, block)| block < from);
                let Some(&(value, _)) = incoming.get(at).filter(|&&(_, block)| block == from)
                else {
                    return Err(self.error("a phi in the function above lacks a predecessor"));
                };
                self.charge(phi.count as usize * 8)?;
                let pairs = (0..phi.count).flat_map(|i| [phi.dst + i, value.at(i).0]);
                self.module.rows.extend(pairs);
                count += phi.count;
            }
            let edge = &mut self.module.edges[index];
            (edge.to, edge.moves, edge.count) = (to, moves, count);
        }
        Ok(())
    }
}

fn binary(word: &str) -> Option<Binary> {
    Some(match word {
        "add" => Binary::Add,
        "sub" => Binary::Sub,
        "mul" => Binary::Mul,
        "udiv" => Binary::UnsignedDiv,
        "sdiv" => Binary::SignedDiv,
        "urem" => Binary::UnsignedRem,
        "srem" => Binary::SignedRem,
        "shl" => Binary::ShiftLeft,
        "lshr" => Binary::LogicalShiftRight,
        "ashr" => Binary::ArithmeticShiftRight,
        "and" => Binary::And,
        "or" => Binary::Or,
        "xor" => Binary::Xor,
        _ => return None,
    })
}

fn float_binary(word: &str) -> Option<FloatBinary> {
    Some(match word {
        "fadd" => FloatBinary::Add,
        "fsub" => FloatBinary::Sub,
        "fmul" => FloatBinary::Mul,
        "fdiv" => FloatBinary::Div,
        "frem" => FloatBinary::Rem,
        _ => return None,
    })
}
