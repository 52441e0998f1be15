//! The arm that runs units natively: the command itself, as a process, until its time is over.

use std::fs::{self, File};
use std::io;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::{Duration, SystemTime};

use experiment::{Signal, remove, tell, used_by_all};
use serde_json::Value;

use super::counted::Counted;
use super::{Job, subjects};
use crate::beside::pleach;
use crate::check::with_stack;
use crate::lifting::Lifting;

/// How often the time is looked at.
const TICK: Duration = Duration::from_millis(50);

/// Makes a run. What it has kept then runs with counters, which is nobody's time: the counters, with the processes and the curve of the
/// run, and what it has lifted.
pub fn run(
    job: &Job<'_>,
    program: PathBuf,
    seeds: &[Vec<u8>],
    folder: &Path,
) -> Result<(Counted, Lifting), String> {
    let said = |error: io::Error| format!("{}: {error}", job.of.name);
    let pleach = pleach().map_err(said)?;
    let out = folder.join("native").join(format!("{}-{}", job.of.name, job.seed));
    let bridge = |time: &str| {
        let mut command = bridge(&pleach, job.of.name, time, folder);
        command.args(["--seed", &job.seed.to_string(), "-o"]).arg(&out);
        command
    };
    // What compiles is not charged, nor what finds that nothing has to be compiled.
    finish(bridge("0s").stdout(Stdio::null()))?;
    let report = folder.join("native").join("report");
    let Spent { used: before, .. } = spend(bridge("0s"), &report, None).map_err(said)?;
    remove(&out).map_err(said)?;
    let limit = before + Duration::from_secs(job.seconds);
    let Spent { begun, ended, .. } = spend(bridge("24h"), &report, Some(limit)).map_err(said)?;
    let mut counted = Counted::new(program, f64::INFINITY, &folder.join("place"))?;
    let mut curve = Vec::new();
    for seed in seeds {
        counted.run(seed)?;
    }
    for (at, input) in kept(&out).map_err(said)? {
        if counted.run(&input)? {
            // Its time goes by that of all.
            let part = share(begun, at, ended) * job.seconds as f64;
            curve.push(((100.0 * part).round() / 100.0, counted.edges()));
        }
    }
    let report = json(&fs::read(&report).map_err(said)?)?;
    let number = |key: &str| report[key].as_u64().unwrap_or_default();
    let outcome = |key: &str| report["outcomes"][key].as_u64().unwrap_or_default();
    let lifting = Lifting {
        edges: number("edges"),
        edges_lifted: number("edges_lifted"),
        unit_runs: number("tested"),
        runs: number("runs"),
        alone: (number("lifted"), number("effective")),
        outcomes: ["never", "new", "old", "another"].map(outcome),
        ..Lifting::default()
    };
    (counted.runs, counted.curve) = (number("runs"), curve);
    Ok((counted, lifting))
}

/// What a campaign without changes of whole inputs says of itself after so many seconds.
pub fn report(subject: &str, seconds: u64, folder: &Path) -> Result<Value, String> {
    let pleach = pleach().map_err(|error| error.to_string())?;
    let mut command = bridge(&pleach, subject, &format!("{seconds}s"), folder);
    json(&finish(command.args(["--system", "none"]).stdout(Stdio::piped()))?)
}

/// The command on a subject, with its seeds.
fn bridge(pleach: &Path, subject: &str, time: &str, folder: &Path) -> Command {
    let mut command = with_stack(pleach);
    command.args(["bridge", &format!("bin:{subject}")]).arg(subjects().join("seeds").join(subject));
    command.args(["--units", "native", "--all", "--features", subject, "--time", time]);
    command.args(["--format", "json", "--keep"]).arg(folder.join("kept"));
    command.current_dir(subjects()).stdin(Stdio::null()).stderr(Stdio::null());
    command
}

/// Runs it to its end: what it writes.
fn finish(command: &mut Command) -> Result<Vec<u8>, String> {
    let output = command.spawn().and_then(std::process::Child::wait_with_output);
    let output = output.map_err(|error| format!("`pleach bridge`: {error}"))?;
    match output.status.code() {
        Some(0 | 1) => Ok(output.stdout),
        _ => Err(format!("`pleach bridge` ended with {}", output.status)),
    }
}

fn json(text: &[u8]) -> Result<Value, String> {
    serde_json::from_slice(text).map_err(|error| format!("`pleach bridge`: {error}"))
}

/// A process that has ended.
struct Spent {
    begun: SystemTime,
    ended: SystemTime,
    /// The CPU time.
    used: Duration,
}

/// Runs a command to its end, which it is told of when it has used its time.
fn spend(mut command: Command, report: &Path, limit: Option<Duration>) -> io::Result<Spent> {
    report.parent().map_or(Ok(()), fs::create_dir_all)?;
    let begun = SystemTime::now();
    let mut child = command.stdout(File::create(report)?).spawn()?;
    let mut is_told = false;
    let used = loop {
        let (has_ended, used) = used_by_all(&child)?;
        if has_ended {
            break used;
        }
        if !is_told && limit.is_some_and(|limit| used >= limit) {
            is_told = true;
            tell(&child, Signal::INT)?;
        }
        std::thread::sleep(TICK);
    };
    child.wait()?;
    Ok(Spent { begun, ended: SystemTime::now(), used })
}

/// What a campaign has written, in order.
fn kept(out: &Path) -> io::Result<Vec<(SystemTime, Vec<u8>)>> {
    let mut all = Vec::new();
    for folder in [out.to_owned(), out.join("crashes")] {
        let entries = match fs::read_dir(folder) {
            // Nothing was written.
            Err(error) if error.kind() == io::ErrorKind::NotFound => continue,
            entries => entries?,
        };
        for entry in entries {
            let entry = entry?;
            if entry.file_type()?.is_file() {
                all.push((entry.metadata()?.modified()?, fs::read(entry.path())?));
            }
        }
    }
    all.sort();
    Ok(all)
}

/// Which part of a time is over.
fn share(begun: SystemTime, at: SystemTime, ended: SystemTime) -> f64 {
    let since = |it: SystemTime| it.duration_since(begun).unwrap_or_default().as_secs_f64();
    (since(at) / since(ended).max(f64::MIN_POSITIVE)).min(1.0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_part_of_the_time_is_one_of_all() {
        let at = |seconds| SystemTime::UNIX_EPOCH + Duration::from_secs(seconds);
        assert_eq!(share(at(10), at(15), at(20)), 0.5);
        assert_eq!((share(at(10), at(9), at(20)), share(at(10), at(30), at(20))), (0.0, 1.0));
        assert_eq!(share(at(10), at(10), at(10)), 0.0);
    }
}
