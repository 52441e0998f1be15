//! Processes that run for a while of CPU time.
//!
//! It is the process' own time, as the system counts it, so that other load on the machine costs nothing.

use std::io;
use std::process::Child;
use std::time::{Duration, Instant};

pub use rustix::process::Signal;
use rustix::process::{Pid, kill_process};

/// How often the time is looked at.
const TICK: Duration = Duration::from_millis(10);

/// How long a process may take to stop when it was told to, before it is killed: an engine stops after an execution, and the
/// parser under it may hang.
const PATIENCE: Duration = Duration::from_secs(60);

/// Waits for the end of a process, asks it to stop by SIGUSR1 when it has used so much time, kills it where it does not stop
/// within a minute, and gives the time that it has used. It is still to be waited for.
///
/// # Errors
///
/// Where the system does not tell the time, or refuses a signal.
pub fn attend(child: &mut Child, budget: Option<Duration>) -> io::Result<Duration> {
    let mut told = None;
    loop {
        let (ended, used) = used(child)?;
        if ended {
            return Ok(used);
        }
        match (budget, told) {
            (Some(budget), None) if used >= budget => {
                tell(child, Signal::USR1)?;
                told = Some(Instant::now());
            }
            (_, Some(at)) if at.elapsed() > PATIENCE => {
                child.kill()?;
                told = Some(Instant::now());
            }
            _ => {}
        }
        std::thread::sleep(TICK);
    }
}

/// Sends a signal to a child that was not waited for yet.
///
/// # Errors
///
/// Where the system refuses.
pub fn tell(child: &Child, signal: Signal) -> io::Result<()> {
    Ok(kill_process(Pid::from_child(child), signal)?)
}

/// Whether a child has ended, and the CPU time that it has used, with what it has waited for: fields 3 and 14 to 17 of
/// proc(5)'s `stat`, which the system keeps until the child is waited for.
///
/// # Errors
///
/// Where the system does not tell the time.
pub fn used(child: &Child) -> io::Result<(bool, Duration)> {
    used_by(child.id())
}

/// As [`used`], with the time of all that it has started, or taken on, and not waited for yet.
///
/// # Errors
///
/// Where the system does not tell the time of the child itself.
pub fn used_by_all(child: &Child) -> io::Result<(bool, Duration)> {
    let (has_ended, mut all) = used(child)?;
    let mut left = children(child.id());
    while let Some(process) = left.pop() {
        // One that has ended since is counted by the one that has waited for it.
        all += used_by(process).map_or(Duration::ZERO, |it| it.1);
        left.extend(children(process));
    }
    Ok((has_ended, all))
}

/// The children of a process's threads.
fn children(process: u32) -> Vec<u32> {
    let tasks = std::fs::read_dir(format!("/proc/{process}/task")).into_iter().flatten().flatten();
    let lists = tasks.filter_map(|task| std::fs::read_to_string(task.path().join("children")).ok());
    let all = lists.flat_map(|list| {
        list.split_ascii_whitespace().filter_map(|it| it.parse().ok()).collect::<Vec<_>>()
    });
    all.collect()
}

fn used_by(process: u32) -> io::Result<(bool, Duration)> {
    let text = std::fs::read_to_string(format!("/proc/{process}/stat"))?;
    // The program's name, in parentheses, may have any character.
    let fields: Vec<_> =
        text.rsplit(')').next().unwrap_or_default().split_ascii_whitespace().collect();
    let ticks = |at: usize| fields.get(at).and_then(|field| field.parse::<u64>().ok());
    let ticks: Option<u64> = (11..15).map(ticks).sum();
    let Some(ticks) = ticks else {
        return Err(io::Error::other("the system does not tell the time of a process"));
    };
    let used = ticks as f64 / rustix::param::clock_ticks_per_second() as f64;
    Ok((matches!(fields[0], "Z" | "X"), Duration::from_secs_f64(used)))
}
