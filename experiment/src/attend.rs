//! Processes that run for a while of CPU time.
//!
//! It is the process' own time, as the system counts it, so that other load on the machine costs nothing.

use std::io;
use std::process::Child;
use std::time::{Duration, Instant};

use rustix::process::{Pid, Signal, kill_process};

/// How often the time is looked at.
const TICK: Duration = Duration::from_millis(10);

/// How long a process may take to stop when it was told to.
const PATIENCE: Duration = Duration::from_secs(60);

/// Waits for the end of a process, asks it to stop by SIGUSR1 when it has used so much time, and gives the
/// time that it has used. It is still to be waited for.
///
/// # Errors
///
/// Where the system does not tell the time, or the process does not stop.
pub fn attend(child: &mut Child, budget: Option<Duration>) -> io::Result<Duration> {
    let pid = Pid::from_child(child);
    let mut told = None;
    loop {
        let (ended, used) = used(pid)?;
        if ended {
            return Ok(used);
        }
        match (budget, told) {
            (Some(budget), None) if used >= budget => {
                kill_process(pid, Signal::USR1)?;
                told = Some(Instant::now());
            }
            (_, Some(at)) if at.elapsed() > PATIENCE => {
                return Err(io::Error::other("the engine does not stop"));
            }
            _ => {}
        }
        std::thread::sleep(TICK);
    }
}

/// Whether a child has ended, and the CPU time that it has used: fields 3, 14 and 15 of proc(5)'s
/// `stat`, which the system keeps until the child is waited for.
fn used(pid: Pid) -> io::Result<(bool, Duration)> {
    let text = std::fs::read_to_string(format!("/proc/{}/stat", pid.as_raw_nonzero()))?;
    // The program's name, in parentheses, may have any character.
    let fields: Vec<_> =
        text.rsplit(')').next().unwrap_or_default().split_ascii_whitespace().collect();
    let ticks = |at: usize| fields.get(at).and_then(|field| field.parse::<u64>().ok());
    let (Some(user), Some(system)) = (ticks(11), ticks(12)) else {
        return Err(io::Error::other("the system does not tell the time of a process"));
    };
    let used = (user + system) as f64 / rustix::param::clock_ticks_per_second() as f64;
    Ok((matches!(fields[0], "Z" | "X"), Duration::from_secs_f64(used)))
}
