//! Calls, returns, panics, and what is done when the stack is empty.

use super::domain::{Domain, Flow, Value};
use super::memory::{Fault, Kind};
use super::outcome::{Location, Stop};
use super::stack::Stack;
use super::{Begun, Machine, Task};
use crate::ir::{FunctionId, Meaning, NO_RESULT, Operand, Pc, SYMBOL_BASE, SymbolId};

/// What a native frame has besides its objects, as a guess: the return address, saved registers.
const FRAME_BYTES: u64 = 64;
/// A panic's message may take that many instructions more than the run may.
const PANIC_STEPS: u64 = 10_000_000;

impl<D: Domain> Machine<D> {
    /// Enters a function whose arguments are given.
    pub(super) fn enter(&mut self, function: FunctionId, arguments: &[u128], dst: u32) {
        let callee = self.module.function(function);
        let (slots, parameters) = (callee.slots, callee.parameters as usize);
        let bytes = u64::from(callee.stack_bytes) + FRAME_BYTES;
        let pc = callee.code.start;
        self.state.stack_bytes += bytes;
        let base = self.state.stack.push(function.0, pc, slots, dst);
        let count = arguments.len().min(parameters);
        self.state.stack.slots[base..base + count].copy_from_slice(&arguments[..count]);
    }

    /// Calls a symbol with the arguments in a row. True if a function was entered.
    pub(super) fn call_symbol(
        &mut self,
        symbol: u32,
        dst: u32,
        row: u32,
        base: usize,
    ) -> Result<bool, Stop> {
        match self.module.meaning(SymbolId(symbol)) {
            Meaning::Function(id) => {
                self.enter_row(id, dst, row, base)?;
                Ok(true)
            }
            Meaning::Declared => {
                let Some((function, uses)) = self.table[symbol as usize] else {
                    return Err(Stop::Symbol(symbol));
                };
                let mut arguments = std::mem::take(&mut self.scratch);
                arguments.clear();
                let count = self.module.rows[row as usize];
                for i in 0..count {
                    let operand = Operand(self.module.rows[(row + 1 + i) as usize]);
                    let value = self.value(base, operand);
                    if let Some(access) = uses {
                        self.told(value, access);
                    }
                    arguments.push(value);
                }
                // Who asks for more arguments than there are reads zeros.
                arguments.resize(arguments.len().max(6), Value::none());
                let result = function(self, &arguments);
                self.scratch = arguments;
                let result = result?;
                if dst != NO_RESULT {
                    self.set(base, dst, result);
                }
                Ok(false)
            }
            _ => Err(Stop::Memory(Fault::Function, 0)),
        }
    }

    /// Calls what an address is of.
    pub(super) fn call_address(
        &mut self,
        address: u128,
        dst: u32,
        row: u32,
        base: usize,
    ) -> Result<bool, Stop> {
        let symbol = self.function_symbol(address as u64)?;
        self.call_symbol(symbol, dst, row, base)
    }

    /// The symbol of a function's address.
    pub(super) fn function_symbol(&self, address: u64) -> Result<u32, Stop> {
        let id = (address >> 32) as usize;
        let symbol = id.checked_sub(1).filter(|&symbol| {
            address & 0xffff_ffff == SYMBOL_BASE && symbol < self.module.symbols.len()
        });
        match symbol {
            Some(symbol) => Ok(symbol as u32),
            None => Err(Stop::Memory(if id == 0 { Fault::Null } else { Fault::Function }, address)),
        }
    }

    fn enter_row(
        &mut self,
        function: FunctionId,
        dst: u32,
        row: u32,
        base: usize,
    ) -> Result<(), Stop> {
        let callee = self.module.function(function);
        let bytes = u64::from(callee.stack_bytes) + FRAME_BYTES;
        if self.state.stack_bytes + bytes > self.options.stack
            || self.state.stack.slots.len() > 1 << 26
        {
            return Err(Stop::StackOverflow);
        }
        self.state.stack_bytes += bytes;
        self.charge(u64::from(callee.slots));
        let callee = self.module.function(function);
        let (pc, slots, parameters) = (callee.code.start, callee.slots, callee.parameters);
        // `push` may move the slots, so that arguments are taken by their places.
        let new = self.state.stack.push(function.0, pc, slots, dst);
        let count = self.module.rows[row as usize].min(parameters);
        for i in 0..count {
            let operand = Operand(self.module.rows[(row + 1 + i) as usize]);
            let value = self.value(base, operand);
            self.set(new, i, value);
        }
        if Some(function) == self.panic_entry {
            self.begin_panic(new, parameters);
        } else if D::WATCHED && self.state.panic.is_none() {
            let stack = &self.state.stack;
            let caller = stack.frames.len().checked_sub(2).map(|caller| stack.frames[caller].pc);
            let end = new + parameters as usize;
            let (arguments, shadows) = (&stack.slots[new..end], &stack.shadows[new..end]);
            let at = Pc(caller.unwrap_or(pc));
            if self.domain.call(at, function, arguments, shadows) == Flow::Pause {
                return Err(Stop::Paused);
            }
        }
        Ok(())
    }

    /// Remembers where a panic comes from. Its message is made by the program itself, which goes on
    /// until it ends, watched by nobody.
    fn begin_panic(&mut self, base: usize, parameters: u32) {
        if self.state.panic.is_some() {
            return;
        }
        // The payload's address and table, the location, two booleans.
        let place = (parameters >= 3).then(|| self.state.stack.slots[base + 2] as u64);
        let location = place.and_then(|place| self.location(place).ok());
        let trace = self.state.stack.iter().skip(1).map(|frame| Pc(frame.pc)).collect();
        self.state.panic = Some(Begun { location, trace });
    }

    /// A `core::panic::Location`: file, line, column.
    fn location(&self, place: u64) -> Result<Location, Fault> {
        let memory = &self.state.memory;
        let file = memory.read(place, 8)? as u64;
        let length = memory.read(place.wrapping_add(8), 8)? as u64;
        let file = memory.bytes(file, length)?;
        Ok(Location {
            // The compiler puts a zero behind it for others, which is not counted.
            file: String::from_utf8_lossy(&file).into_owned(),
            line: memory.read(place.wrapping_add(16), 4)? as u32,
            column: memory.read(place.wrapping_add(20), 4)? as u32,
        })
    }

    /// How many instructions may be executed in all.
    pub(super) fn step_limit(&self) -> u64 {
        let more = if self.state.panic.is_some() { PANIC_STEPS } else { 0 };
        self.options.steps.saturating_add(more)
    }

    /// Returns from the topmost function. True if its caller goes on.
    pub(super) fn leave(&mut self, value: Operand, count: u16, base: usize) -> Result<bool, Stop> {
        let Some(frame) = self.state.stack.frames.last().copied() else {
            return Err(Stop::Unreachable);
        };
        let function = self.module.function(FunctionId(frame.function));
        for i in function.stack.clone() {
            let slot = base + self.module.rows[i as usize] as usize;
            let address = self.state.stack.slots[slot] as u64;
            if address != 0 {
                // What is no longer there was never on the stack.
                let _ = self.state.memory.free(address, Kind::Stack);
            }
        }
        let bytes = u64::from(function.stack_bytes) + FRAME_BYTES;
        self.state.stack_bytes = self.state.stack_bytes.saturating_sub(bytes);
        let wanted = function.results;
        let mut results = std::mem::take(&mut self.scratch);
        results.clear();
        results.extend((0..u32::from(count).min(wanted)).map(|i| self.value(base, value.at(i))));
        self.state.stack.pop();
        if D::WATCHED && self.state.panic.is_none() {
            self.domain.leave(FunctionId(frame.function));
        }
        let caller = self.state.stack.frames.last().map(|caller| {
            (caller.base as usize, self.module.function(FunctionId(caller.function)).slots)
        });
        let Some((caller, slots)) = caller else {
            if D::SHADOWED
                && let Some(&value) = results.first()
                && value.shadow != D::Shadow::default()
            {
                self.domain.returned(self.at, value);
            }
            let values = results.iter().map(|value| value.bits).collect();
            self.scratch = results;
            return self.stack_is_empty(values).map(|()| false);
        };
        if frame.dst != NO_RESULT {
            for (i, &result) in results.iter().enumerate() {
                // A function that is called by an address may return more than its caller expects.
                if frame.dst + (i as u32) < slots {
                    self.set(caller, frame.dst + i as u32, result);
                }
            }
        }
        self.scratch = results;
        Ok(true)
    }

    /// A function that nothing of the program called has returned these values, or nothing has begun.
    pub(super) fn stack_is_empty(&mut self, values: Vec<u128>) -> Result<(), Stop> {
        self.state.stack_bytes = 0;
        match self.state.running.take() {
            Some(Task::Main(_)) => self.end(values.first().map_or(0, |&status| status as i32)),
            Some(Task::Call) => return Err(Stop::Returned(values)),
            _ => {}
        }
        self.next()
    }

    /// Ends the program: nothing is left to do but destructors.
    pub(super) fn end(&mut self, status: i32) {
        self.state.ended = Some(status);
        self.state.running = None;
        self.state.pending.clear();
        self.state.stack = Stack::default();
        self.state.stack_bytes = 0;
    }

    /// Enters what is to be done next.
    pub(super) fn next(&mut self) -> Result<(), Stop> {
        if let Some(status) = self.state.ended {
            let Some((destructor, argument)) = self.state.system.next_destructor() else {
                return Err(Stop::Exit(status));
            };
            let symbol = self.function_symbol(destructor)?;
            let Meaning::Function(id) = self.module.meaning(SymbolId(symbol)) else {
                return Err(Stop::Symbol(symbol));
            };
            self.enter(id, &[u128::from(argument)], NO_RESULT);
            return Ok(());
        }
        let Some(next) = self.state.pending.pop() else {
            return Err(Stop::Returned(Vec::new()));
        };
        self.state.running = Some(next);
        match next {
            Task::Main(id) => {
                let [count, values, _] = self.main_arguments();
                self.enter(id, &[count, values], NO_RESULT);
            }
            Task::Initializer(id) => {
                let arguments = self.main_arguments();
                self.enter(id, &arguments, NO_RESULT);
            }
            Task::Call => {}
        }
        Ok(())
    }
}
