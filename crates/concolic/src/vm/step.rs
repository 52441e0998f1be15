//! The loop: one instruction after the other.

use super::Machine;
use super::compute::{self, DivisionTrap};
use super::domain::{Access, Domain, Operation, Value};
use super::memory::{Fault, Kind};
use super::outcome::Stop;
use crate::ir::{Binary, Cast, Compare, Instruction, Intrinsic, Operand, Pc, mask, signed};
use std::sync::Arc;

impl<S: Default> Value<S> {
    /// A number of which nothing else is known.
    pub(super) fn plain(bits: u128) -> Value<S> {
        Value { bits, shadow: S::default() }
    }

    pub(super) fn none() -> Value<S> {
        Value::plain(0)
    }
}

impl From<DivisionTrap> for Stop {
    fn from(_: DivisionTrap) -> Stop {
        Stop::Division
    }
}

impl<D: Domain> Machine<D> {
    #[inline(always)]
    pub(super) fn bits(&self, base: usize, operand: Operand) -> u128 {
        match operand.place() {
            Ok(slot) => self.state.stack.slots[base + slot],
            Err(constant) => self.module.constants[constant],
        }
    }

    #[inline(always)]
    pub(super) fn value(&self, base: usize, operand: Operand) -> Value<D::Shadow> {
        let shadow = match operand.place() {
            Ok(slot) if D::SHADOWED => self.state.stack.shadows[base + slot],
            _ => D::Shadow::default(),
        };
        Value { bits: self.bits(base, operand), shadow }
    }

    #[inline(always)]
    pub(super) fn set(&mut self, base: usize, slot: u32, value: Value<D::Shadow>) {
        self.state.stack.slots[base + slot as usize] = value.bits;
        if D::SHADOWED {
            self.state.stack.shadows[base + slot as usize] = value.shadow;
        }
    }

    /// A result with its shadow.
    #[inline(always)]
    pub(super) fn computed(
        &mut self,
        operation: Operation,
        width: u8,
        operands: &[Value<D::Shadow>],
        bits: u128,
    ) -> Value<D::Shadow> {
        let default = D::Shadow::default();
        if !D::SHADOWED
            || operands.iter().all(|operand| operand.shadow == default)
            || self.state.panic.is_some()
        {
            return Value::plain(bits);
        }
        Value { bits, shadow: self.domain.compute(self.at, operation, width, operands, bits) }
    }

    /// A value on which the machine depends as it is.
    #[inline(always)]
    fn used(&mut self, base: usize, operand: Operand, access: Access) -> Value<D::Shadow> {
        let value = self.value(base, operand);
        self.told(value, access);
        value
    }

    pub(super) fn load(
        &mut self,
        from: Value<D::Shadow>,
        width: u8,
        size: u8,
    ) -> Result<Value<D::Shadow>, Stop> {
        let address = from.bits as u64;
        let memory = &self.state.memory;
        let bits = memory.read(address, size).map_err(|fault| Stop::Memory(fault, address))?;
        let bits = bits & mask(width);
        if D::SHADOWED && self.state.panic.is_none() {
            let mut shadows = [D::Shadow::default(); 16];
            let shadows = &mut shadows[..usize::from(size.min(16))];
            memory.shadows(address, shadows).map_err(|fault| Stop::Memory(fault, address))?;
            let default = D::Shadow::default();
            if from.shadow != default || shadows.iter().any(|shadow| *shadow != default) {
                let shadow = self.domain.load(self.at, memory, from, shadows, width, bits);
                return Ok(Value { bits, shadow });
            }
        }
        Ok(Value::plain(bits))
    }

    pub(super) fn store(
        &mut self,
        address: u64,
        size: u8,
        value: Value<D::Shadow>,
    ) -> Result<(), Stop> {
        let memory = &mut self.state.memory;
        let wrong = |fault| Stop::Memory(fault, address);
        memory.write(address, size, value.bits).map_err(wrong)?;
        if D::SHADOWED && value.shadow != D::Shadow::default() {
            let mut shadows = [D::Shadow::default(); 16];
            let shadows = &mut shadows[..usize::from(size.min(16))];
            self.domain.store(value, shadows);
            memory.set_shadows(address, shadows).map_err(wrong)?;
        }
        Ok(())
    }

    /// Counts work on so many bytes, or slots, as steps: or few of them could take for ever.
    #[inline]
    pub(super) fn charge(&mut self, amount: u64) {
        self.state.steps = self.state.steps.saturating_add(amount / 64);
    }

    /// Executes until something stops it.
    pub(super) fn execute(&mut self) -> Stop {
        if self.state.stack.depth() == 0
            && let Err(stop) = self.next()
        {
            return stop;
        }
        loop {
            let stop = match self.go_on() {
                Ok(never) => match never {},
                Err(stop) => stop,
            };
            match stop {
                Stop::Paused => return stop,
                Stop::Exit(status) if self.state.ended.is_none() && self.state.panic.is_none() => {
                    self.end(status);
                    if let Err(stop) = self.next() {
                        return stop;
                    }
                }
                _ => {
                    if let Some(frame) = self.state.stack.frames.last_mut() {
                        frame.pc = self.at.0;
                    }
                    return stop;
                }
            }
        }
    }

    fn go_on(&mut self) -> Result<std::convert::Infallible, Stop> {
        let module = Arc::clone(&self.module);
        let code = &module.code[..];
        let mut base;
        let mut pc: u32;
        macro_rules! resume {
            () => {{
                let Some(frame) = self.state.stack.frames.last() else {
                    return Err(Stop::Unreachable);
                };
                base = frame.base as usize;
                pc = frame.pc;
            }};
        }
        resume!();
        let mut limit = self.step_limit();
        loop {
            self.at = Pc(pc);
            if self.state.steps >= limit {
                return Err(Stop::Budget);
            }
            self.state.steps += 1;
            match code[pc as usize] {
                Instruction::Binary { op, width, lanes: 1, dst, a, b } => {
                    let (a, b) = (self.value(base, a), self.value(base, b));
                    let bits = compute::binary(op, width, a.bits, b.bits)?;
                    let value = self.computed(Operation::Binary(op), width, &[a, b], bits);
                    self.set(base, dst, value);
                }
                Instruction::Compare { op, width, lanes: 1, dst, a, b } => {
                    let (a, b) = (self.value(base, a), self.value(base, b));
                    let bits = u128::from(compute::compare(op, width, a.bits, b.bits));
                    let value = self.computed(Operation::Compare(op), width, &[a, b], bits);
                    if D::WATCHED && width == 64 && a.bits != b.bits {
                        self.differed(op, a, b);
                    }
                    self.set(base, dst, value);
                }
                Instruction::Load { width, size, dst, address } => {
                    let address = self.used(base, address, Access::Load);
                    let value = self.load(address, width, size)?;
                    self.set(base, dst, value);
                }
                Instruction::Store { size, address, value, .. } => {
                    let address = self.used(base, address, Access::Store).bits as u64;
                    let value = self.value(base, value);
                    self.store(address, size, value)?;
                }
                Instruction::Move { dst, a, count } => {
                    for i in 0..u32::from(count) {
                        let value = self.value(base, a.at(i));
                        self.set(base, dst + i, value);
                    }
                }
                Instruction::Index { width, dst, base: from, index, scale } => {
                    let (a, b) = (self.value(base, from), self.value(base, index));
                    let offset = (signed(b.bits, width) as u64).wrapping_mul(u64::from(scale));
                    let bits = u128::from((a.bits as u64).wrapping_add(offset));
                    let value = self.computed(Operation::Index(scale), width, &[a, b], bits);
                    self.set(base, dst, value);
                }
                Instruction::Jump { edge } => {
                    pc = self.take(edge, base);
                    continue;
                }
                Instruction::Branch { condition, then, otherwise } => {
                    let condition = self.value(base, condition);
                    let edge = if condition.bits & 1 == 1 { then } else { otherwise };
                    self.decide(pc, condition, edge);
                    pc = self.take(edge, base);
                    continue;
                }
                Instruction::Switch { value, cases, count, default } => {
                    let value = self.value(base, value);
                    let cases = &module.cases[cases as usize..(cases + count) as usize];
                    let found = cases.binary_search_by_key(&value.bits, |case| case.0);
                    let edge = found.map_or(default, |index| cases[index].1);
                    self.decide(pc, value, edge);
                    pc = self.take(edge, base);
                    continue;
                }
                Instruction::Call { symbol, dst, row } => {
                    self.save(pc);
                    if self.call_symbol(symbol, dst, row, base)? {
                        resume!();
                        limit = self.step_limit();
                        continue;
                    }
                }
                Instruction::CallIndirect { callee, dst, row } => {
                    self.save(pc);
                    let callee = self.used(base, callee, Access::Call).bits;
                    if self.call_address(callee, dst, row, base)? {
                        resume!();
                        limit = self.step_limit();
                        continue;
                    }
                }
                Instruction::Return { value, count } => {
                    let goes_on = self.leave(value, count, base)?;
                    resume!();
                    if !goes_on {
                        continue;
                    }
                }
                other => self.rare(other, base)?,
            }
            pc += 1;
        }
    }

    fn save(&mut self, pc: u32) {
        if let Some(frame) = self.state.stack.frames.last_mut() {
            frame.pc = pc;
        }
    }

    #[inline(always)]
    fn decide(&mut self, pc: u32, condition: Value<D::Shadow>, edge: u32) {
        if D::WATCHED && self.state.panic.is_none() {
            self.domain.branch(Pc(pc), condition, edge);
        }
    }

    #[inline(always)]
    fn differed(&mut self, op: Compare, a: Value<D::Shadow>, b: Value<D::Shadow>) {
        let default = D::Shadow::default();
        if matches!(op, Compare::Equal | Compare::NotEqual)
            && a.shadow == default
            && b.shadow == default
            && self.state.panic.is_none()
        {
            self.domain.differed(self.at, a.bits as u64, b.bits as u64);
        }
    }

    /// Moves along an edge, and says where it leads to.
    #[inline(always)]
    fn take(&mut self, edge: u32, base: usize) -> u32 {
        if D::WATCHED && self.state.panic.is_none() {
            self.domain.edge(edge);
        }
        let edge = self.module.edges[edge as usize];
        let begin = edge.moves as usize;
        match edge.count {
            0 => {}
            1 => {
                let dst = self.module.rows[begin];
                let value = self.value(base, Operand(self.module.rows[begin + 1]));
                self.set(base, dst, value);
            }
            count => {
                // All are read before any is written: they may exchange each other's registers.
                let mut values = std::mem::take(&mut self.scratch);
                values.clear();
                for i in 0..count as usize {
                    let operand = Operand(self.module.rows[begin + 2 * i + 1]);
                    values.push(self.value(base, operand));
                }
                for (i, &value) in values.iter().enumerate() {
                    let dst = self.module.rows[begin + 2 * i];
                    self.set(base, dst, value);
                }
                self.scratch = values;
            }
        }
        edge.to
    }

    fn row(&self, row: u32, index: u32) -> Operand {
        Operand(self.module.rows[(row + index) as usize])
    }

    /// What is not worth a place in the loop.
    #[inline(never)]
    fn rare(&mut self, instruction: Instruction, base: usize) -> Result<(), Stop> {
        match instruction {
            Instruction::Cast { op, from, to, lanes, dst, a } => {
                for lane in 0..u32::from(lanes) {
                    let a = self.value(base, a.at(lane));
                    let bits = compute::cast(op, from, to, a.bits);
                    // A cast that changes nothing keeps the shadow as it is.
                    let value = if from == to && matches!(op, Cast::Truncate | Cast::ZeroExtend) {
                        Value { bits, shadow: a.shadow }
                    } else {
                        self.computed(Operation::Cast(op, from), to, &[a], bits)
                    };
                    self.set(base, dst + lane, value);
                }
            }
            Instruction::Binary { op, width, lanes, dst, a, b } => {
                for lane in 0..u32::from(lanes) {
                    let (a, b) = (self.value(base, a.at(lane)), self.value(base, b.at(lane)));
                    let bits = compute::binary(op, width, a.bits, b.bits)?;
                    let value = self.computed(Operation::Binary(op), width, &[a, b], bits);
                    self.set(base, dst + lane, value);
                }
            }
            Instruction::Compare { op, width, lanes, dst, a, b } => {
                for lane in 0..u32::from(lanes) {
                    let (a, b) = (self.value(base, a.at(lane)), self.value(base, b.at(lane)));
                    let bits = u128::from(compute::compare(op, width, a.bits, b.bits));
                    let value = self.computed(Operation::Compare(op), width, &[a, b], bits);
                    self.set(base, dst + lane, value);
                }
            }
            Instruction::Stack { dst, size, align, count } => {
                let count = self.used(base, count, Access::Length).bits as u64;
                let size = u64::from(size).checked_mul(count).ok_or(Stop::StackOverflow)?;
                let address = self.state.memory.allocate(size, 1 << align, Kind::Stack)?;
                self.set(base, dst, Value::plain(u128::from(address)));
            }
            Instruction::Release { slot } => {
                let address = self.state.stack.slots[base + slot as usize] as u64;
                let freed = self.state.memory.free(address, Kind::Stack);
                freed.map_err(|fault| Stop::Memory(fault, address))?;
            }
            Instruction::Select { vector, count, dst, condition, row } => {
                self.select(vector, count, dst, condition, row, base);
            }
            Instruction::LoadRow { dst, address, leaves, count } => {
                let address = self.used(base, address, Access::Load);
                for i in 0..u32::from(count) {
                    let leaf = self.module.leaves[(leaves + i) as usize];
                    let offset = Value::plain(u128::from(leaf.offset));
                    let place = (address.bits as u64).wrapping_add(u64::from(leaf.offset));
                    let add = Operation::Binary(Binary::Add);
                    let place = self.computed(add, 64, &[address, offset], u128::from(place));
                    let value = self.load(place, leaf.width, leaf.size)?;
                    self.set(base, dst + i, value);
                }
            }
            Instruction::StoreRow { address, value, leaves, count } => {
                let address = self.used(base, address, Access::Store).bits as u64;
                for i in 0..u32::from(count) {
                    let leaf = self.module.leaves[(leaves + i) as usize];
                    let value = self.value(base, value.at(i));
                    self.store(address.wrapping_add(u64::from(leaf.offset)), leaf.size, value)?;
                }
            }
            Instruction::Intrinsic { op, width, lanes, dst, row } => {
                self.intrinsic(op, width, lanes, dst, row, base)?;
            }
            Instruction::Rmw { op, width, dst, address, value } => {
                let address = self.used(base, address, Access::Store);
                let size = width.div_ceil(8);
                let old = self.load(address, width, size)?;
                let value = self.value(base, value);
                let bits = compute::rmw(op, width, old.bits, value.bits);
                let new = self.computed(Operation::Rmw(op), width, &[old, value], bits);
                self.store(address.bits as u64, size, new)?;
                self.set(base, dst, old);
            }
            Instruction::Exchange { width, dst, row } => {
                let address = self.used(base, self.row(row, 0), Access::Store);
                let expected = self.value(base, self.row(row, 1));
                let size = width.div_ceil(8);
                let old = self.load(address, width, size)?;
                let same = old.bits == expected.bits;
                if same {
                    let new = self.value(base, self.row(row, 2));
                    self.store(address.bits as u64, size, new)?;
                }
                let operation = Operation::Compare(crate::ir::Compare::Equal);
                let was = self.computed(operation, width, &[old, expected], u128::from(same));
                self.told(was, Access::Choice);
                self.set(base, dst, old);
                self.set(base, dst + 1, was);
            }
            Instruction::Unreachable => return Err(Stop::Unreachable),
            Instruction::Unsupported { what } => return Err(Stop::Instruction(what)),
            other => self.lanes_and_floats(other, base)?,
        }
        Ok(())
    }

    fn lanes_and_floats(&mut self, instruction: Instruction, base: usize) -> Result<(), Stop> {
        match instruction {
            Instruction::FloatBinary { op, width, lanes, dst, a, b } => {
                for lane in 0..u32::from(lanes) {
                    let (a, b) = (self.value(base, a.at(lane)), self.value(base, b.at(lane)));
                    let bits = compute::float_binary(op, width, a.bits, b.bits);
                    let value = self.computed(Operation::FloatBinary(op), width, &[a, b], bits);
                    self.set(base, dst + lane, value);
                }
            }
            Instruction::FloatUnary { op, width, lanes, dst, a } => {
                for lane in 0..u32::from(lanes) {
                    let a = self.value(base, a.at(lane));
                    let bits = compute::float_unary(op, width, a.bits);
                    let value = self.computed(Operation::FloatUnary(op), width, &[a], bits);
                    self.set(base, dst + lane, value);
                }
            }
            Instruction::FloatCompare { op, width, lanes, dst, a, b } => {
                for lane in 0..u32::from(lanes) {
                    let (a, b) = (self.value(base, a.at(lane)), self.value(base, b.at(lane)));
                    let (x, y) = (compute::double(a.bits, width), compute::double(b.bits, width));
                    let bits = u128::from(op.holds(x, y));
                    let value = self.computed(Operation::FloatCompare(op), width, &[a, b], bits);
                    self.set(base, dst + lane, value);
                }
            }
            Instruction::Wide { op, width, dst, a, b } => {
                let all = [a, a.at(1), b, b.at(1)].map(|operand| self.value(base, operand));
                let [a0, a1, b0, b1] = all.map(|value| value.bits);
                let result = compute::wide(op, width, [a0, a1], [b0, b1]);
                for (i, bits) in result.into_iter().enumerate() {
                    let operation = Operation::Wide { op, width, high: i == 1 };
                    let value = self.computed(operation, 128, &all, bits);
                    self.set(base, dst + i as u32, value);
                }
            }
            Instruction::Repack { dst, a, row } => self.repack(dst, a, row, base),
            Instruction::ExtractLane { lanes, dst, a, index } => {
                // A lane that there is not is poison: any will do.
                let index = self.used(base, index, Access::Choice).bits;
                let lane = index as u32 % u32::from(lanes.max(1));
                let value = self.value(base, a.at(lane));
                self.set(base, dst, value);
            }
            Instruction::InsertLane { lanes, dst, row } => {
                let (a, value) = (self.row(row, 0), self.row(row, 1));
                let (value, index) = (self.value(base, value), self.row(row, 2));
                let index = self.used(base, index, Access::Choice).bits;
                let lane = index as u32 % u32::from(lanes.max(1));
                for i in 0..u32::from(lanes) {
                    let value = if i == lane { value } else { self.value(base, a.at(i)) };
                    self.set(base, dst + i, value);
                }
            }
            Instruction::Shuffle { from, to, dst, row } => {
                let (a, b) = (self.row(row, 0), self.row(row, 1));
                let from = u32::from(from);
                for i in 0..u32::from(to) {
                    let lane = self.row(row, 2 + i).0;
                    let source = if lane < from { a.at(lane) } else { b.at(lane - from) };
                    let value = self.value(base, source);
                    self.set(base, dst + i, value);
                }
            }
            _ => return Err(Stop::Other("an instruction in an unexpected place")),
        }
        Ok(())
    }

    fn select(
        &mut self,
        vector: bool,
        count: u16,
        dst: u32,
        condition: Operand,
        row: u32,
        base: usize,
    ) {
        let (a, b) = (self.row(row, 0), self.row(row, 1));
        for i in 0..u32::from(count) {
            let condition = self.value(base, if vector { condition.at(i) } else { condition });
            let (a, b) = (self.value(base, a.at(i)), self.value(base, b.at(i)));
            let chosen = if condition.bits & 1 == 1 { a } else { b };
            let value = if D::SHADOWED && condition.shadow != D::Shadow::default() {
                self.computed(Operation::Select, 0, &[condition, a, b], chosen.bits)
            } else {
                chosen
            };
            self.set(base, dst + i, value);
        }
    }

    fn repack(&mut self, dst: u32, a: Operand, row: u32, base: usize) {
        let [from_width, from_lanes, to_width, to_lanes] = [0, 1, 2, 3].map(|i| self.row(row, i).0);
        let each = from_width as u8;
        let mut sources = Vec::new();
        for lane in 0..to_lanes {
            let (begin, end) = (lane * to_width, (lane + 1) * to_width);
            let (first, last) = (begin / from_width, (end - 1) / from_width);
            sources.clear();
            let mut bits = 0u128;
            for from in first..=last.min(from_lanes - 1) {
                let value = self.value(base, a.at(from));
                let at = i64::from(from * from_width) - i64::from(begin);
                bits |= if at >= 0 { value.bits << at } else { value.bits >> -at };
                sources.push(value);
            }
            bits &= mask(to_width as u8);
            let operation = Operation::Bits { from: begin - first * from_width, each };
            let value = self.computed(operation, to_width as u8, &sources, bits);
            self.set(base, dst + lane, value);
        }
    }

    fn intrinsic(
        &mut self,
        op: Intrinsic,
        width: u8,
        lanes: u16,
        dst: u32,
        row: u32,
        base: usize,
    ) -> Result<(), Stop> {
        use Intrinsic::*;
        match op {
            Trap => return Err(Stop::Trap),
            CopyMemory | FillMemory => {
                let [to, from, length] = [0, 1, 2].map(|i| self.value(base, self.row(row, i)));
                return if op == CopyMemory {
                    self.copy_memory(to, from, length)
                } else {
                    self.fill_memory(to, from, length)
                };
            }
            ReduceAdd | ReduceMul | ReduceAnd | ReduceOr | ReduceXor | ReduceUnsignedMax
            | ReduceUnsignedMin | ReduceSignedMax | ReduceSignedMin => {
                let vector = self.row(row, 0);
                let mut value = self.value(base, vector);
                for lane in 1..u32::from(lanes) {
                    let next = self.value(base, vector.at(lane));
                    let bits = compute::reduce(op, width, value.bits, next.bits);
                    value = self.computed(Operation::Intrinsic(op, 0), width, &[value, next], bits);
                }
                self.set(base, dst, value);
                return Ok(());
            }
            _ => {}
        }
        let two = matches!(
            op,
            UnsignedAddOverflow
                | SignedAddOverflow
                | UnsignedSubOverflow
                | SignedSubOverflow
                | UnsignedMulOverflow
                | SignedMulOverflow
        );
        let inputs: u32 = match op {
            Absolute | PopulationCount | LeadingZeros | TrailingZeros | SwapBytes | ReverseBits => {
                1
            }
            FunnelShiftLeft | FunnelShiftRight | MultiplyAdd => 3,
            _ => 2,
        };
        for lane in 0..u32::from(lanes) {
            let mut operands = [Value::none(); 3];
            for i in 0..inputs {
                // An exponent, and classes, are one for all lanes.
                let one = matches!(op, IntegerPower | FloatClass) && i == 1;
                let lane = if one { 0 } else { lane };
                operands[i as usize] = self.value(base, self.row(row, i).at(lane));
            }
            let [a, b, c] = operands;
            let operands = &operands[..inputs as usize];
            if two {
                let (bits, wraps) = compute::overflowing(op, width, a.bits, b.bits);
                let value = self.computed(Operation::Intrinsic(op, 0), width, operands, bits);
                let wraps = u128::from(wraps);
                let wraps = self.computed(Operation::Intrinsic(op, 1), width, operands, wraps);
                self.set(base, dst + lane, value);
                self.set(base, dst + u32::from(lanes) + lane, wraps);
                continue;
            }
            let (result, bits) = match op {
                UnsignedCompare | SignedCompare => {
                    let result = self.row(row, 2).0 as u8;
                    (result, compute::three_way(op, width, a.bits, b.bits, result))
                }
                _ => (0, compute::intrinsic(op, width, a.bits, b.bits, c.bits)),
            };
            let value = self.computed(Operation::Intrinsic(op, result), width, operands, bits);
            self.set(base, dst + lane, value);
        }
        Ok(())
    }

    /// Copies memory; where the length depends on something, the domain knows of it.
    pub(super) fn copy_memory(
        &mut self,
        to: Value<D::Shadow>,
        from: Value<D::Shadow>,
        length: Value<D::Shadow>,
    ) -> Result<(), Stop> {
        self.told_bytes([to, from], length);
        let (to, from, length) = (to.bits as u64, from.bits as u64, length.bits as u64);
        self.charge(length);
        // First what is read, so that the address in the outcome is the wrong one.
        let memory = &mut self.state.memory;
        memory.check(from, length).map_err(|fault| Stop::Memory(fault, from))?;
        memory.copy(to, from, length).map_err(|fault: Fault| Stop::Memory(fault, to))
    }

    pub(super) fn fill_memory(
        &mut self,
        to: Value<D::Shadow>,
        byte: Value<D::Shadow>,
        length: Value<D::Shadow>,
    ) -> Result<(), Stop> {
        self.told_bytes([to, Value::none()], length);
        let (to, length) = (to.bits as u64, length.bits as u64);
        self.charge(length);
        let memory = &mut self.state.memory;
        memory.check(to, length).map_err(|fault| Stop::Memory(fault, to))?;
        let bytes = vec![byte.bits as u8; length as usize];
        memory.write_bytes(to, &bytes).map_err(|fault| Stop::Memory(fault, to))?;
        if D::SHADOWED && byte.shadow != D::Shadow::default() {
            let shadows = vec![byte.shadow; length as usize];
            memory.set_shadows(to, &shadows).map_err(|fault| Stop::Memory(fault, to))?;
        }
        Ok(())
    }

    #[inline(always)]
    pub(super) fn told(&mut self, value: Value<D::Shadow>, access: Access) {
        if D::SHADOWED && value.shadow != D::Shadow::default() && self.state.panic.is_none() {
            self.domain.address(self.at, value, access);
        }
    }

    pub(super) fn told_bytes(
        &mut self,
        addresses: [Value<D::Shadow>; 2],
        length: Value<D::Shadow>,
    ) {
        for address in addresses {
            self.told(address, Access::Bytes);
        }
        self.told(length, Access::Length);
    }
}
