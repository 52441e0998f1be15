//! What a program with one thread asks of threads: its own number, thread-locals with destructors,
//! locks that nobody else holds. To start another one ends the run.

use super::{Answer, Call, errno, int, long};
use crate::vm::Machine;
use crate::vm::domain::{Domain, Value};
use crate::vm::outcome::Stop;
use std::sync::Arc;

/// Where the stack is said to lie: no object ever does, and objects on the stack have addresses of
/// their own.
const STACK: u64 = 0x7fff_ffff_0000_0000;

/// No program has more destructors or keys.
const MAX_REGISTERED: usize = 1 << 16;

/// A key of `pthread_key_create`: its destructor and its value.
#[derive(Clone, Copy, Debug)]
pub(super) struct Key {
    destructor: u64,
    value: u64,
}

/// The destructor of a key with a value, and this value, which is forgotten.
pub(super) fn next_destructor(keys: &mut [Key]) -> Option<(u64, u64)> {
    let key = keys.iter_mut().find(|key| key.destructor != 0 && key.value != 0)?;
    Some((key.destructor, std::mem::take(&mut key.value)))
}

pub(super) fn lookup<D: Domain>(name: &str) -> Option<Call<D>> {
    Some(match name {
        "__cxa_thread_atexit_impl" => |machine, a| {
            let destructor = (a[0].bits as u64, a[1].bits as u64);
            let destructors = Arc::make_mut(&mut machine.state.system.destructors);
            if destructors.len() >= MAX_REGISTERED {
                return Err(Stop::OutOfMemory);
            }
            destructors.push(destructor);
            Ok(int(0))
        },
        "pthread_key_create" => |machine, a| {
            let keys = Arc::make_mut(&mut machine.state.system.keys);
            if keys.len() >= MAX_REGISTERED {
                return Err(Stop::OutOfMemory);
            }
            keys.push(Key { destructor: a[1].bits as u64, value: 0 });
            let number = keys.len() as u128;
            machine.put(a[0].bits as u64, 4, number)?;
            Ok(int(0))
        },
        "pthread_key_delete" => |machine, a| {
            machine.key(a[0].bits)?.destructor = 0;
            Ok(int(0))
        },
        "pthread_setspecific" => |machine, a| {
            machine.key(a[0].bits)?.value = a[1].bits as u64;
            Ok(int(0))
        },
        "pthread_getspecific" => |machine, a| Ok(long(machine.key(a[0].bits)?.value as i64)),
        "pthread_self" => |_, _| Ok(long(1)),
        "gettid" => |_, _| Ok(int(1)),
        "pthread_setname_np"
        | "pthread_attr_init"
        | "pthread_attr_destroy"
        | "pthread_attr_setstacksize"
        | "pthread_mutex_init"
        | "pthread_mutex_lock"
        | "pthread_mutex_trylock"
        | "pthread_mutex_unlock"
        | "pthread_mutex_destroy"
        | "pthread_mutexattr_init"
        | "pthread_mutexattr_settype"
        | "pthread_mutexattr_destroy"
        | "pthread_cond_signal"
        | "pthread_cond_broadcast"
        | "pthread_cond_destroy"
        | "pthread_sigmask" => |_, _| Ok(int(0)),
        "pthread_getattr_np" => |_, _| Ok(int(0)),
        "pthread_attr_getstack" => |machine, a| {
            let size = machine.options.stack;
            machine.put(a[1].bits as u64, 8, u128::from(STACK))?;
            machine.put(a[2].bits as u64, 8, u128::from(size))?;
            Ok(int(0))
        },
        "pthread_attr_getguardsize" => |machine, a| {
            machine.put(a[1].bits as u64, 8, 0)?;
            Ok(int(0))
        },
        // What the crate `psm` asks in assembly: where the stack is, and that it grows downwards.
        "rust_psm_stack_pointer" => |machine, _| {
            let rest = machine.options.stack.saturating_sub(machine.state.stack_bytes);
            Ok(long((STACK + rest) as i64))
        },
        "rust_psm_stack_direction" => |_, _| Ok(int(2)),
        "sched_getaffinity" => |machine, _| machine.fail(errno::INVAL),
        "pthread_create" | "clone" | "fork" | "vfork" | "posix_spawn" | "posix_spawnp"
        | "execvp" | "waitpid" => |_, _| Err(Stop::Thread),
        "pthread_cond_wait" | "pause" | "pthread_join" => |_, _| Err(Stop::Deadlock),
        "pthread_cond_timedwait" => |machine, a| {
            machine.sleep(a[2].bits as u64, true)?;
            Ok(int(errno::TIMEDOUT))
        },
        _ => return None,
    })
}

impl<D: Domain> Machine<D> {
    fn key(&mut self, number: u128) -> Result<&mut Key, Stop> {
        let keys = Arc::make_mut(&mut self.state.system.keys);
        let key = (number as usize).checked_sub(1).and_then(|index| keys.get_mut(index));
        key.ok_or(Stop::Other("a key of a thread-local that there is not"))
    }

    /// Nobody wakes who waits: the time is over, if it has an end.
    pub(super) fn futex(&mut self, a: &[Value<D::Shadow>]) -> Answer<D> {
        let (place, expected, time) = (a[1].bits as u64, a[3].bits as u32, a[4].bits as u64);
        match a[2].bits & 0x7f {
            0 | 9 if self.get(place, 4)? as u32 != expected => self.fail_long(errno::AGAIN),
            0 | 9 if time == 0 => Err(Stop::Deadlock),
            // So long, and until then.
            operation @ (0 | 9) => {
                self.sleep(time, operation == 9)?;
                self.fail_long(errno::TIMEDOUT)
            }
            _ => Ok(long(0)),
        }
    }
}
