//! `malloc` and its family, and mapped memory.

use super::{Answer, Call, int, long};
use crate::vm::Machine;
use crate::vm::domain::{Domain, Value};
use crate::vm::memory::{Fault, Kind, MALLOC_ALIGN};
use crate::vm::outcome::Stop;

/// How many bytes an address of a process of x86-64 may name.
const MOST: u64 = 1 << 47;

pub(super) fn lookup<D: Domain>(name: &str) -> Option<Call<D>> {
    Some(match name {
        "malloc" => |machine, a| machine.heap(a[0].bits as u64, MALLOC_ALIGN),
        "calloc" => |machine, a| {
            let size = (a[0].bits as u64).checked_mul(a[1].bits as u64);
            machine.heap(size.unwrap_or(u64::MAX), MALLOC_ALIGN)
        },
        "realloc" => |machine, a| machine.resize(a[0].bits as u64, a[1].bits as u64),
        "aligned_alloc" | "memalign" => {
            |machine, a| machine.heap(a[1].bits as u64, a[0].bits as u64)
        }
        "posix_memalign" => |machine, a| {
            let address = machine.heap(a[2].bits as u64, a[1].bits as u64)?;
            if address.bits == 0 {
                // ENOMEM
                return Ok(int(12));
            }
            machine.put(a[0].bits as u64, 8, address.bits)?;
            Ok(int(0))
        },
        "free" => |machine, a| {
            machine.release(a[0].bits as u64)?;
            Ok(int(0))
        },
        "malloc_usable_size" => |machine, a| {
            let address = a[0].bits as u64;
            let size = machine.state.memory.allocated(address, Kind::Heap);
            Ok(long(size.map_err(|fault| Stop::Memory(fault, address))? as i64))
        },
        "mmap64" | "mmap" => |machine, a| {
            // Only memory that belongs to no file.
            if a[3].bits & 0x20 == 0 {
                return Err(Stop::Other("a file mapped into memory"));
            }
            match machine.heap(a[1].bits as u64, 4096)? {
                // MAP_FAILED
                none if none.bits == 0 => Ok(long(-1)),
                place => Ok(place),
            }
        },
        "munmap" => |machine, a| {
            machine.release(a[0].bits as u64)?;
            Ok(int(0))
        },
        "mprotect" | "madvise" | "prctl" => |_, _| Ok(int(0)),
        _ => return None,
    })
}

impl<D: Domain> Machine<D> {
    /// A new object; null where no system has so much memory, which is what a program is told that asks for what an input says.
    fn heap(&mut self, size: u64, align: u64) -> Answer<D> {
        if size > MOST {
            return Ok(Value::none());
        }
        if align > 1 << 30 || !align.is_power_of_two() {
            return Err(Stop::Other("an alignment of more than a gigabyte"));
        }
        let address = self.state.memory.allocate(size, align, Kind::Heap)?;
        // Its pages are listed when it is first written.
        self.charge(size / 512);
        Ok(Value::plain(u128::from(address)))
    }

    fn release(&mut self, address: u64) -> Result<(), Stop> {
        if address == 0 {
            return Ok(());
        }
        let freed = self.state.memory.free(address, Kind::Heap);
        freed.map_err(|fault: Fault| Stop::Memory(fault, address))
    }

    /// Always moves, so that who keeps an old address is found out.
    fn resize(&mut self, address: u64, size: u64) -> Answer<D> {
        if address == 0 {
            return self.heap(size, MALLOC_ALIGN);
        }
        let old = self.state.memory.allocated(address, Kind::Heap);
        let old = old.map_err(|fault| Stop::Memory(fault, address))?;
        let new = self.heap(size, MALLOC_ALIGN)?;
        if new.bits == 0 {
            return Ok(new);
        }
        self.charge(old.min(size));
        let copied = self.state.memory.copy(new.bits as u64, address, old.min(size));
        copied.map_err(|fault| Stop::Memory(fault, address))?;
        self.release(address)?;
        Ok(new)
    }
}
