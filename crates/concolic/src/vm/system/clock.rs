//! The clock, which begins at a fixed time and goes on by a microsecond whenever it is read.

use super::{Answer, Call, int, long};
use crate::build::CLOCK_SECONDS;
use crate::vm::Machine;
use crate::vm::domain::Domain;

pub(super) fn lookup<D: Domain>(name: &str) -> Option<Call<D>> {
    Some(match name {
        "clock_gettime" => |machine, a| machine.now(a[1].bits as u64, 1_000),
        "gettimeofday" => |machine, a| machine.now(a[0].bits as u64, 1),
        "time" => |machine, a| {
            let seconds = machine.tick() / 1_000_000;
            if a[0].bits != 0 {
                machine.put(a[0].bits as u64, 8, u128::from(seconds))?;
            }
            Ok(long(seconds as i64))
        },
        "nanosleep" | "clock_nanosleep" | "usleep" | "sched_yield" => |_, _| Ok(int(0)),
        _ => return None,
    })
}

impl<D: Domain> Machine<D> {
    /// Microseconds.
    fn tick(&mut self) -> u64 {
        self.state.system.ticks += 1;
        CLOCK_SECONDS * 1_000_000 + self.state.system.ticks
    }

    /// Seconds, and what is left in parts of which a microsecond has so many.
    fn now(&mut self, place: u64, parts: u64) -> Answer<D> {
        let now = self.tick();
        self.put(place, 8, u128::from(now / 1_000_000))?;
        self.put(place.wrapping_add(8), 8, u128::from(now % 1_000_000 * parts))?;
        Ok(int(0))
    }
}
