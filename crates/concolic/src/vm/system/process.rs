//! The process: its end, its environment, its signals, and what there is to know of it.

use super::{Call, errno, int, long};
use crate::vm::Machine;
use crate::vm::domain::{Domain, Value};
use crate::vm::outcome::Stop;

pub(super) fn lookup<D: Domain>(name: &str) -> Option<Call<D>> {
    Some(match name {
        "exit" => |_, a| Err(Stop::Exit(a[0].bits as i32)),
        "_exit" | "_Exit" => |machine, a| {
            machine.state.ended = Some(a[0].bits as i32);
            Err(Stop::Exit(a[0].bits as i32))
        },
        "abort" => |_, _| Err(Stop::Abort),
        "atexit" => |_, _| Err(Stop::Other("a function that is called at the end")),
        "getenv" => |machine, a| machine.variable(a[0].bits as u64),
        "setenv" | "unsetenv" | "putenv" => |_, _| Err(Stop::Other("changing the environment")),
        "__errno_location" => |machine, _| Ok(long(machine.state.system.errno as i64)),
        "getpid" | "getppid" => |_, _| Ok(int(1)),
        "getuid" | "geteuid" | "getgid" | "getegid" => |_, _| Ok(int(0)),
        "getauxval" => |_, _| Ok(long(0)),
        "sysconf" => |machine, a| match a[0].bits as u32 {
            // _SC_PAGESIZE, _SC_NPROCESSORS_ONLN
            30 => Ok(long(4096)),
            84 => Ok(long(1)),
            _ => machine.fail_long(errno::INVAL),
        },
        "__xpg_strerror_r" => |machine, a| {
            let error = std::io::Error::from_raw_os_error(a[0].bits as i32).to_string();
            let text = error.split(" (os error ").next().unwrap_or_default();
            let text = format!("{text}\0");
            let length = text.len().min(a[2].bits as usize);
            machine.put_bytes(a[1].bits as u64, &text.as_bytes()[..length])?;
            Ok(int(0))
        },
        // What is looked up by name is what may not be there.
        "dlsym" => |_, _| Ok(Value::none()),
        // No signal comes, whatever is set.
        "signal" | "sigaltstack" | "sigaddset" | "sigdelset" => |_, _| Ok(long(0)),
        "sigemptyset" => |machine, a| machine.signals(a[0].bits as u64, 0),
        "sigfillset" => |machine, a| machine.signals(a[0].bits as u64, 0xff),
        "sigaction" => |machine, a| {
            if a[2].bits != 0 {
                machine.put_bytes(a[2].bits as u64, &[0; 152])?;
            }
            Ok(int(0))
        },
        "raise" => |_, _| Err(Stop::Abort),
        "kill" => |machine, a| match (a[0].bits as i32, a[1].bits as i32) {
            // Itself, its group, and all.
            (-1..=1, 0) => Ok(int(0)),
            (-1..=1, _) => Err(Stop::Abort),
            _ => machine.fail(errno::SRCH),
        },
        "uname" | "gethostname" => |machine, _| machine.fail(errno::NOSYS),
        "getpwuid_r" => |_, _| Ok(int(errno::NOENT)),
        // There are no frames of the processor's to be walked through, and no libraries.
        "_Unwind_Backtrace" | "dl_iterate_phdr" => |_, _| Ok(int(0)),
        "_Unwind_GetIP"
        | "_Unwind_GetIPInfo"
        | "_Unwind_GetLanguageSpecificData"
        | "_Unwind_GetRegionStart"
        | "_Unwind_GetTextRelBase"
        | "_Unwind_GetDataRelBase"
        | "_Unwind_FindEnclosingFunction" => |_, _| Ok(long(0)),
        _ => return None,
    })
}

impl<D: Domain> Machine<D> {
    /// Writes a set of signals of one kind of bytes.
    fn signals(&mut self, set: u64, all: u8) -> super::Answer<D> {
        self.put_bytes(set, &[all; 128])?;
        Ok(int(0))
    }

    fn variable(&mut self, name: u64) -> super::Answer<D> {
        let mut wanted = self.get_string(name)?;
        wanted.push(b'=');
        let mut place = self.state.system.arguments[2] as u64;
        while place != 0 {
            let variable = self.get(place, 8)? as u64;
            if variable == 0 {
                break;
            }
            if self.get_string(variable)?.starts_with(&wanted) {
                return Ok(long(variable.wrapping_add(wanted.len() as u64) as i64));
            }
            place += 8;
        }
        Ok(Value::none())
    }
}
