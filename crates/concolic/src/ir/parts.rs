//! Parts of aggregates and vectors, and the same bits in parts of another width.

use super::ReadError;
use super::constants::Sink;
use super::function::Body;
use super::instructions::{Instruction, Operand};
use super::text::Reader;
use super::types::{Type, TypeId};

impl<'t> Reader<'t> {
    /// The part of an aggregate that the indices at the cursor mean: its type and its first slot.
    pub(super) fn part(&mut self, whole: TypeId) -> Result<(TypeId, u32), ReadError> {
        let (mut ty, mut slot) = (whole, 0);
        while self.line().starts_with(", ") && self.text.as_bytes().get(self.at + 2) != Some(&b'!')
        {
            self.expect(b',')?;
            let index = self.number()?;
            let Some((part, _, first)) = self.types.part(ty, index) else {
                return Err(self.error("a part that there is not"));
            };
            (ty, slot) = (part, slot + first as u32);
        }
        if slot + self.slots(ty)? > self.slots(whole)? {
            return Err(self.error("a part that there is not"));
        }
        Ok((ty, slot))
    }

    pub(super) fn extract_value(
        &mut self,
        body: &mut Body<'t>,
        dst: Option<&'t str>,
    ) -> Result<(), ReadError> {
        let (whole, a) = self.typed(body)?;
        let (ty, slot) = self.part(whole)?;
        self.transfer(body, dst, ty, a.at(slot))
    }

    pub(super) fn insert_value(
        &mut self,
        body: &mut Body<'t>,
        dst: Option<&'t str>,
    ) -> Result<(), ReadError> {
        let (whole, a) = self.typed(body)?;
        self.expect(b',')?;
        let (part, value) = self.typed(body)?;
        let (ty, slot) = self.part(whole)?;
        if ty != part {
            return Err(self.error("a part of another type"));
        }
        let count = self.slots(whole)? as u16;
        let dst = self.result(body, dst, whole)?;
        self.emit(body, Instruction::Move { dst, a, count });
        let count = self.slots(part)? as u16;
        self.emit(body, Instruction::Move { dst: dst + slot, a: value, count });
        Ok(())
    }

    pub(super) fn vector(
        &mut self,
        body: &mut Body<'t>,
    ) -> Result<(TypeId, TypeId, Operand), ReadError> {
        let (ty, a) = self.typed(body)?;
        match *self.types.get(ty) {
            Type::Vector(_, item) => Ok((ty, item, a)),
            _ => Err(self.error("a vector is expected")),
        }
    }

    pub(super) fn extract_lane(
        &mut self,
        body: &mut Body<'t>,
        dst: Option<&'t str>,
    ) -> Result<(), ReadError> {
        let (ty, item, a) = self.vector(body)?;
        self.expect(b',')?;
        let (_, index) = self.integer(body)?;
        let dst = self.result(body, dst, item)?;
        let lanes = self.types.lanes(ty) as u16;
        self.emit(body, Instruction::ExtractLane { lanes, dst, a, index });
        Ok(())
    }

    pub(super) fn insert_lane(
        &mut self,
        body: &mut Body<'t>,
        dst: Option<&'t str>,
    ) -> Result<(), ReadError> {
        let (ty, item, a) = self.vector(body)?;
        self.expect(b',')?;
        let (scalar, value) = self.typed(body)?;
        if scalar != item {
            return Err(self.error("a lane of another type"));
        }
        self.expect(b',')?;
        let (_, index) = self.integer(body)?;
        let dst = self.result(body, dst, ty)?;
        let lanes = self.types.lanes(ty) as u16;
        let row = self.row([a.0, value.0, index.0]);
        self.emit(body, Instruction::InsertLane { lanes, dst, row });
        Ok(())
    }

    pub(super) fn shuffle(
        &mut self,
        body: &mut Body<'t>,
        dst: Option<&'t str>,
    ) -> Result<(), ReadError> {
        let (ty, item, a) = self.vector(body)?;
        self.expect(b',')?;
        let (other, b) = self.typed(body)?;
        if other != ty {
            return Err(self.error("lanes of vectors of different types"));
        }
        self.expect(b',')?;
        let mask_type = self.ty(0)?;
        let mut mask = Vec::new();
        self.constant(mask_type, 0, &mut Sink::Slots(&mut mask), 0)?;
        let lanes = self.types.lanes(ty);
        let row = self.row([a.0, b.0]);
        self.module.rows.extend(mask.iter().map(|&lane| (lane as u32) % (2 * lanes)));
        let result = self.type_id(Type::Vector(mask.len() as u32, item))?;
        let dst = self.result(body, dst, result)?;
        let (from, to) = (lanes as u16, mask.len() as u16);
        self.emit(body, Instruction::Shuffle { from, to, dst, row });
        Ok(())
    }

    pub(super) fn repack(
        &mut self,
        body: &mut Body<'t>,
        dst: Option<&'t str>,
    ) -> Result<(), ReadError> {
        let (from, a) = self.typed(body)?;
        self.expect_word("to")?;
        let to = self.ty(0)?;
        let (from_lanes, to_lanes) = (self.types.lanes(from), self.types.lanes(to));
        let (from_width, to_width) = (self.types.width(from), self.types.width(to));
        if u32::from(from_width) * from_lanes != u32::from(to_width) * to_lanes {
            return Err(self.error("a cast between values of different sizes"));
        }
        if from_lanes == to_lanes {
            return self.transfer(body, dst, to, a);
        }
        let row = [u32::from(from_width), from_lanes, u32::from(to_width), to_lanes];
        let row = self.row(row);
        let dst = self.result(body, dst, to)?;
        self.emit(body, Instruction::Repack { dst, a, row });
        Ok(())
    }
}
