//! The command `pleach` as a process that says what it has found, until that is what is looked for.

use std::fs::{self, File};
use std::io;
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::time::Duration;

use experiment::{remove, used_by_all};

use crate::beside::{TICK, stop};

/// A time at which no limit by the clock ends a run.
pub const LONG: &str = "24h";

/// What a process came to.
pub struct Watched {
    /// Seconds of CPU time, those of all that it began included, until it has said what is looked for.
    pub hit: Option<f64>,
    /// What it writes to its end.
    pub report: String,
}

/// Runs a command in a folder that is made anew, until it says a line of some kind, or has used so many seconds.
///
/// # Errors
///
/// Where it can't be run, or ends without a report.
pub fn watch(
    mut command: Command,
    place: &Path,
    seconds: u64,
    is_wanted: impl Fn(&str) -> bool,
) -> io::Result<Watched> {
    remove(place)?;
    fs::create_dir_all(place)?;
    let (log, report) = (place.join("log"), place.join("report"));
    let mut child = command
        .arg("-o")
        .arg(place.join("found"))
        .stdin(Stdio::null())
        .stdout(File::create(&report)?)
        .stderr(File::create(&log)?)
        .spawn()?;
    let hit = attend(&mut child, &log, seconds, is_wanted);
    // It is to end before anything else is measured, whatever became of it.
    stop(&mut child)?;
    let report = fs::read_to_string(&report)?;
    match report.is_empty() {
        true => Err(io::Error::other(fs::read_to_string(&log)?.trim_end().to_owned())),
        false => Ok(Watched { hit: hit?, report }),
    }
}

/// Waits until a line of some kind is said, or the time is over, and tells after how many seconds it was.
fn attend(
    child: &mut Child,
    log: &Path,
    seconds: u64,
    is_wanted: impl Fn(&str) -> bool,
) -> io::Result<Option<f64>> {
    loop {
        let (has_ended, time) = used_by_all(child)?;
        if fs::read_to_string(log)?.lines().any(&is_wanted) {
            return Ok(Some(hundredths(time.as_secs_f64())));
        }
        if has_ended || time >= Duration::from_secs(seconds) {
            return Ok(None);
        }
        std::thread::sleep(TICK);
    }
}

/// A time to a hundredth of a second, by which the system counts that of a process.
pub fn hundredths(seconds: f64) -> f64 {
    (100.0 * seconds).round() / 100.0
}

/// Whether a report says in which unit the failure of such a line was found.
pub fn found_by_unit(report: &str, is_wanted: impl Fn(&str) -> bool) -> bool {
    let after = report.lines().skip_while(|line| !is_wanted(line)).skip(1);
    after.take_while(|line| line.starts_with("  ")).any(|line| line.starts_with("  found in "))
}
