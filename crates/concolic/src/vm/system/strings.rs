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
    /// The values of bytes in memory.
    fn byte_values(&mut self, address: u64, length: u64) -> Result<Vec<Value<D::Shadow>>, Stop> {
        let place = |i| Value::plain(u128::from(address.wrapping_add(i)));
        (0..length).map(|i| self.load(place(i), 8, 1)).collect()
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
        if !D::SHADOWED {
            return Ok(result);
        }
        let mut operands = self.byte_values(a, length)?;
        operands.extend(self.byte_values(b, length)?);
        Ok(self.computed(operation, 32, &operands, result.bits))
    }

    fn length(&mut self, text: Value<D::Shadow>) -> Answer<D> {
        self.told_bytes([text, Value::none()], Value::none());
        let address = text.bits as u64;
        let length = self.get_string(address)?.len() as u64;
        if !D::SHADOWED {
            return Ok(Value::plain(u128::from(length)));
        }
        let operands = self.byte_values(address, length + 1)?;
        Ok(self.computed(Operation::CountBytes, 64, &operands, u128::from(length)))
    }

    fn find_byte(&mut self, a: &[Value<D::Shadow>], last: bool) -> Answer<D> {
        self.told_bytes([a[0], Value::none()], a[2]);
        let (address, byte, length) = (a[0].bits as u64, a[1].bits as u8, a[2].bits as u64);
        let bytes = self.get_bytes(address, length)?;
        let found = if last { memchr::memrchr(byte, &bytes) } else { memchr::memchr(byte, &bytes) };
        let result: Value<D::Shadow> =
            long(found.map_or(0, |index| address.wrapping_add(index as u64) as i64));
        if !D::SHADOWED {
            return Ok(result);
        }
        let mut operands = vec![Value::plain(u128::from(address)), a[1]];
        operands.append(&mut self.byte_values(address, length)?);
        Ok(self.computed(Operation::FindByte { last }, 64, &operands, result.bits))
    }
}
