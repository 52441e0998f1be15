//! What reads and writes memory, and the addresses of what is read and written.

use super::ReadError;
use super::constants::signed;
use super::function::Body;
use super::instructions::{Binary, Instruction, Operand, Rmw};
use super::text::Reader;
use super::types::{Leaf, Type, TypeId};

impl<'t> Reader<'t> {
    /// Where the scalars of a type lie, as a part of the module's leaves.
    pub(super) fn leaf_row(
        &mut self,
        body: &mut Body<'t>,
        ty: TypeId,
    ) -> Result<(u32, u16), ReadError> {
        if let Some(&row) = body.leaf_rows.get(&ty) {
            return Ok(row);
        }
        let begin = self.module.leaves.len();
        let leaves: &mut Vec<Leaf> = &mut self.module.leaves;
        if self.types.leaves(ty, leaves).is_none() {
            return Err(self.error("a value that has no place in memory byte by byte"));
        }
        let row = (begin as u32, (self.module.leaves.len() - begin) as u16);
        body.leaf_rows.insert(ty, row);
        Ok(row)
    }

    /// How many bits a vector of parts of bytes has, which lie side by side in memory.
    pub(super) fn packed_bits(&self, ty: TypeId) -> Option<u32> {
        let bits = u32::from(self.types.width(ty)) * self.types.lanes(ty);
        let packed = matches!(self.types.get(ty), Type::Vector(..))
            && !self.types.width(ty).is_multiple_of(8)
            && bits <= 128;
        packed.then_some(bits)
    }

    /// A slot without a name.
    pub(super) fn spare(&mut self, body: &mut Body<'t>) -> Result<u32, ReadError> {
        let ty = self.type_id(Type::Int(128))?;
        self.result(body, None, ty)
    }

    pub(super) fn load(
        &mut self,
        body: &mut Body<'t>,
        dst: Option<&'t str>,
    ) -> Result<(), ReadError> {
        self.skip_flags();
        let ty = self.ty(0)?;
        self.expect(b',')?;
        let address = self.pointer(body)?;
        if let Some(bits) = self.packed_bits(ty) {
            let whole = self.spare(body)?;
            let size = bits.div_ceil(8) as u8;
            let load = Instruction::Load { width: bits as u8, size, dst: whole, address };
            self.emit(body, load);
            let row = self.row([bits, 1, u32::from(self.types.width(ty)), self.types.lanes(ty)]);
            let dst = self.result(body, dst, ty)?;
            self.emit(body, Instruction::Repack { dst, a: Operand::slot(whole), row });
            return Ok(());
        }
        let (leaves, count) = self.leaf_row(body, ty)?;
        let dst = self.result(body, dst, ty)?;
        match self.module.leaves[leaves as usize..] {
            [Leaf { offset: 0, width, size }, ..] if count == 1 => {
                self.emit(body, Instruction::Load { width, size, dst, address });
            }
            _ => self.emit(body, Instruction::LoadRow { dst, address, leaves, count }),
        }
        Ok(())
    }

    pub(super) fn store(&mut self, body: &mut Body<'t>) -> Result<(), ReadError> {
        self.skip_flags();
        let (ty, value) = self.typed(body)?;
        self.expect(b',')?;
        let address = self.pointer(body)?;
        if let Some(bits) = self.packed_bits(ty) {
            let whole = self.spare(body)?;
            let row = self.row([u32::from(self.types.width(ty)), self.types.lanes(ty), bits, 1]);
            self.emit(body, Instruction::Repack { dst: whole, a: value, row });
            let (value, size) = (Operand::slot(whole), bits.div_ceil(8) as u8);
            self.emit(body, Instruction::Store { width: bits as u8, size, address, value });
            return Ok(());
        }
        let (leaves, count) = self.leaf_row(body, ty)?;
        match self.module.leaves[leaves as usize..] {
            [Leaf { offset: 0, width, size }, ..] if count == 1 => {
                self.emit(body, Instruction::Store { width, size, address, value });
            }
            _ => self.emit(body, Instruction::StoreRow { address, value, leaves, count }),
        }
        Ok(())
    }

    pub(super) fn stack(
        &mut self,
        body: &mut Body<'t>,
        dst: Option<&'t str>,
    ) -> Result<(), ReadError> {
        self.eat_word("inalloca");
        let ty = self.ty(0)?;
        let size = self.types.size(ty) as u32;
        let mut count = self.constant_value(1);
        if self.line().starts_with(", i") {
            self.expect(b',')?;
            count = self.integer(body)?.1;
        }
        let pointer = self.type_id(Type::Pointer)?;
        let dst = self.result(body, dst, pointer)?;
        body.stack.push(dst);
        body.stack_bytes += u64::from(size);
        let align = self.line().split_once(", align ").map_or("", |(_, rest)| rest);
        let end = align.find(|it: char| !it.is_ascii_digit()).unwrap_or(align.len());
        // More than LLVM has there is not.
        let align = align[..end].parse::<u64>().unwrap_or(1).clamp(1, 1 << 30);
        let align = align.trailing_zeros() as u8;
        self.emit(body, Instruction::Stack { dst, size, align, count });
        Ok(())
    }

    /// Additions: of what is constant first, then of each index.
    pub(super) fn address(
        &mut self,
        body: &mut Body<'t>,
        dst: Option<&'t str>,
    ) -> Result<(), ReadError> {
        while self.peek_word() == "inrange" || {
            self.skip_flags();
            self.peek_word() == "inrange"
        } {
            self.word();
            self.skip_parentheses()?;
        }
        let pointee = self.ty(0)?;
        self.expect(b',')?;
        let mut base = self.pointer(body)?;
        let pointer = self.type_id(Type::Pointer)?;
        let dst = self.result(body, dst, pointer)?;
        let mut constant = 0i128;
        let mut inside = None;
        let mut emitted = false;
        while self.line().starts_with(", ") && self.text.as_bytes().get(self.at + 2) != Some(&b'!')
        {
            self.expect(b',')?;
            let index_type = self.ty(0)?;
            let (width, lanes) = self.shape(index_type)?;
            if lanes != 1 {
                return Err(self.error("addresses of vectors are not supported"));
            }
            let index = self.value(body, index_type)?;
            let known = index.place().err().map(|i| signed(self.module.constants[i], width));
            let scale = match inside {
                None => {
                    inside = Some(pointee);
                    self.types.size(pointee)
                }
                Some(whole) => {
                    let (part, offset) = self.step(whole, known.unwrap_or(0))?;
                    inside = Some(part);
                    if known.is_some() {
                        constant = constant.wrapping_add(offset);
                        continue;
                    }
                    match self.types.get(whole) {
                        Type::Struct(..) => return Err(self.error("a field has to be constant")),
                        _ => self.types.size(part),
                    }
                }
            };
            if let Some(known) = known {
                constant = constant.wrapping_add(known.wrapping_mul(i128::from(scale)));
                continue;
            }
            let scale = scale as u32;
            self.emit(body, Instruction::Index { width, dst, base, index, scale });
            base = Operand::slot(dst);
            emitted = true;
        }
        if constant != 0 || !emitted {
            let b = self.constant_value(u128::from(constant as u64));
            let op = Binary::Add;
            self.emit(body, Instruction::Binary { op, width: 64, lanes: 1, dst, a: base, b });
        }
        Ok(())
    }

    pub(super) fn rmw(
        &mut self,
        body: &mut Body<'t>,
        dst: Option<&'t str>,
    ) -> Result<(), ReadError> {
        self.skip_flags();
        let op = match self.word() {
            "xchg" => Rmw::Exchange,
            "add" => Rmw::Add,
            "sub" => Rmw::Sub,
            "and" => Rmw::And,
            "nand" => Rmw::Nand,
            "or" => Rmw::Or,
            "xor" => Rmw::Xor,
            "max" => Rmw::SignedMax,
            "min" => Rmw::SignedMin,
            "umax" => Rmw::UnsignedMax,
            "umin" => Rmw::UnsignedMin,
            _ => return Err(self.error("an unknown operation on memory")),
        };
        let address = self.pointer(body)?;
        self.expect(b',')?;
        let (ty, value) = self.typed(body)?;
        let (width, _) = self.scalar_shape(ty)?;
        let dst = self.result(body, dst, ty)?;
        self.emit(body, Instruction::Rmw { op, width, dst, address, value });
        Ok(())
    }

    pub(super) fn exchange(
        &mut self,
        body: &mut Body<'t>,
        dst: Option<&'t str>,
    ) -> Result<(), ReadError> {
        self.skip_flags();
        let address = self.pointer(body)?;
        self.expect(b',')?;
        let (ty, expected) = self.typed(body)?;
        self.expect(b',')?;
        let (new_type, new) = self.typed(body)?;
        let (width, _) = self.scalar_shape(ty)?;
        if new_type != ty {
            return Err(self.error("a new value of another type"));
        }
        let bit = self.type_id(Type::Int(1))?;
        let result = self.type_id(Type::Struct(vec![ty, bit], false))?;
        let dst = self.result(body, dst, result)?;
        let row = self.row([address.0, expected.0, new.0]);
        self.emit(body, Instruction::Exchange { width, dst, row });
        Ok(())
    }
}
