//! Bytes in memory: comparing, searching, copying.

use super::{Answer, Call, int, long};
use crate::vm::Machine;
use crate::vm::domain::{Domain, Operation, Value};
use crate::vm::outcome::Stop;

pub(super) fn lookup<D: Domain>(name: &str) -> Option<Call<D>> {
    Some(match name {
        "memcmp" => |machine, a| machine.compare_memory(a[0], a[1], a[2], Operation::CompareBytes),
        "bcmp" => |machine, a| machine.compare_memory(a[0], a[1], a[2], Operation::EqualBytes),
        "memcpy" | "memmove" => |machine, a| {
            machine.copy_memory(a[0], a[1], a[2])?;
            Ok(a[0])
        },
        "memset" => |machine, a| {
            machine.fill_memory(a[0], a[1], a[2])?;
            Ok(a[0])
        },
        "strlen" => |machine, a| machine.length(a[0]),
        "memchr" => |machine, a| machine.find_byte(a, false),
        "memrchr" => |machine, a| machine.find_byte(a, true),
        _ => return None,
    })
}

impl<D: Domain> Machine<D> {
    /// The values of bytes that were read from memory.
    pub(super) fn byte_values(
        &mut self,
        address: u64,
        bytes: &[u8],
    ) -> Result<Vec<Value<D::Shadow>>, Stop> {
        let mut shadows = vec![D::Shadow::default(); bytes.len()];
        let found = self.state.memory.shadows(address, &mut shadows);
        found.map_err(|fault| Stop::Memory(fault, address))?;
        let places = (address..).zip(bytes.iter().zip(shadows));
        places
            .map(|(place, (&byte, shadow))| {
                let (place, byte) = (u128::from(place), u128::from(byte));
                if shadow == D::Shadow::default() {
                    return Ok(Value::plain(byte));
                }
                self.load(Value::plain(place), 8, 1)
            })
            .collect()
    }

    fn compare_memory(
        &mut self,
        a: Value<D::Shadow>,
        b: Value<D::Shadow>,
        length: Value<D::Shadow>,
        operation: Operation,
    ) -> Answer<D> {
        self.told_bytes([a, b], length);
        let length = length.bits as u64;
        let (a, b) = (a.bits as u64, b.bits as u64);
        let (x, y) = (self.get_bytes(a, length)?, self.get_bytes(b, length)?);
        let difference = x.iter().zip(&y).find(|(x, y)| x != y);
        let bits = match difference {
            None => 0,
            Some(_) if operation == Operation::EqualBytes => 1,
            Some((x, y)) => i32::from(*x) - i32::from(*y),
        };
        let result: Value<D::Shadow> = int(bits);
        let memory = &self.state.memory;
        if !memory.is_shadowed(a, length) && !memory.is_shadowed(b, length) {
            return Ok(result);
        }
        let mut operands = self.byte_values(a, &x)?;
        operands.extend(self.byte_values(b, &y)?);
        Ok(self.computed(operation, 32, &operands, result.bits))
    }

    fn length(&mut self, text: Value<D::Shadow>) -> Answer<D> {
        self.told_bytes([text, Value::none()], Value::none());
        let address = text.bits as u64;
        let bytes = self.get_terminated(address)?;
        let length = bytes.len() as u128 - 1;
        if !self.state.memory.is_shadowed(address, bytes.len() as u64) {
            return Ok(Value::plain(length));
        }
        let operands = self.byte_values(address, &bytes)?;
        Ok(self.computed(Operation::CountBytes, 64, &operands, length))
    }

    fn find_byte(&mut self, a: &[Value<D::Shadow>], last: bool) -> Answer<D> {
        self.told_bytes([a[0], Value::none()], a[2]);
        let (address, byte, length) = (a[0].bits as u64, a[1].bits as u8, a[2].bits as u64);
        let bytes = self.get_bytes(address, length)?;
        let found = if last { memchr::memrchr(byte, &bytes) } else { memchr::memchr(byte, &bytes) };
        let result: Value<D::Shadow> =
            long(found.map_or(0, |index| address.wrapping_add(index as u64) as i64));
        if a[1].shadow == D::Shadow::default() && !self.state.memory.is_shadowed(address, length) {
            return Ok(result);
        }
        let mut operands = vec![Value::plain(u128::from(address)), a[1]];
        operands.append(&mut self.byte_values(address, &bytes)?);
        Ok(self.computed(Operation::FindByte { last }, 64, &operands, result.bits))
    }
}
