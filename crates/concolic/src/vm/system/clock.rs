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
        // Nobody waits, and the time is over.
        "nanosleep" => |machine, a| machine.sleep(a[0].bits as u64, false),
        "clock_nanosleep" => |machine, a| {
            // TIMER_ABSTIME
            machine.sleep(a[2].bits as u64, a[1].bits & 1 == 1)
        },
        "usleep" => |machine, a| {
            machine.pass(u64::from(a[0].bits as u32));
            Ok(int(0))
        },
        "sched_yield" => |_, _| Ok(int(0)),
        _ => return None,
    })
}

impl<D: Domain> Machine<D> {
    /// Microseconds.
    fn tick(&mut self) -> u64 {
        self.state.system.ticks += 1;
        CLOCK_SECONDS * 1_000_000 + self.state.system.ticks
    }

    pub(super) fn pass(&mut self, microseconds: u64) {
        let ticks = &mut self.state.system.ticks;
        // As many as a clock has that is asked in nanoseconds.
        *ticks = ticks.saturating_add(microseconds).min(u64::MAX / 1_000_000);
    }

    /// Lets as much time go by as a place says, or until that time.
    pub(super) fn sleep(&mut self, place: u64, is_end: bool) -> Answer<D> {
        let seconds = self.get(place, 8)? as u64;
        let nanoseconds = self.get(place.wrapping_add(8), 8)? as u64;
        let asked = seconds.saturating_mul(1_000_000).saturating_add(nanoseconds.div_ceil(1_000));
        let now = CLOCK_SECONDS * 1_000_000 + self.state.system.ticks;
        self.pass(if is_end { asked.saturating_sub(now) } else { asked });
        Ok(int(0))
    }

    /// Seconds, and what is left in parts of which a microsecond has so many.
    fn now(&mut self, place: u64, parts: u64) -> Answer<D> {
        let now = self.tick();
        self.put(place, 8, u128::from(now / 1_000_000))?;
        self.put(place.wrapping_add(8), 8, u128::from(now % 1_000_000 * parts))?;
        Ok(int(0))
    }
}
