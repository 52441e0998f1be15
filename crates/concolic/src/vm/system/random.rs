//! Random bytes, which are always the same: the keys of hash maps are made of them. The file
//! `/dev/urandom` gives none.

use super::{Answer, Call, errno, long};
use crate::build::RANDOM_BYTE;
use crate::vm::Machine;
use crate::vm::domain::Domain;

pub(super) fn lookup<D: Domain>(name: &str) -> Option<Call<D>> {
    Some(match name {
        "getrandom" => |machine, a| machine.random(a[0].bits as u64, a[1].bits as u64),
        "getentropy" => |machine, a| {
            machine.random(a[0].bits as u64, a[1].bits as u64)?;
            Ok(super::int(0))
        },
        "syscall" => |machine, a| match a[0].bits as u32 {
            // `getrandom`, `futex`, `gettid`
            318 => machine.random(a[1].bits as u64, a[2].bits as u64),
            202 => machine.futex(a),
            186 => Ok(long(1)),
            _ => machine.fail_long(errno::NOSYS),
        },
        _ => return None,
    })
}

impl<D: Domain> Machine<D> {
    fn random(&mut self, place: u64, length: u64) -> Answer<D> {
        let memory = &self.state.memory;
        let fault = |fault| crate::vm::outcome::Stop::Memory(fault, place);
        memory.check(place, length).map_err(fault)?;
        self.put_bytes(place, &vec![RANDOM_BYTE; length as usize])?;
        Ok(long(length as i64))
    }
}
