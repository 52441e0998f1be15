//! One run of libFuzzer, or of LibAFL, whose program ends and reports like it.
//!
//! CPU time is the process' own, as the system counts it, so that other load on the machine costs
//! nothing. At its end the engine is asked to stop by SIGUSR1, which it does between two executions:
//! the corpus on disk is whole. Where an input makes the body fail libFuzzer ends; then it is started
//! again on its corpus with another seed, until the budget is spent. LibAFL goes on.

use std::fs::File;
use std::io;
use std::os::unix::process::ExitStatusExt as _;
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::Duration;

use experiment::{attend, remove};

use crate::builds::{Builds, package};
use crate::plan::{Budget, Fuzzer, Job, Start};
use crate::results::Outcome;

/// The most times that it is started.
const STARTS: u32 = 1000;

/// Makes a run, or reads what it came to before.
///
/// # Errors
///
/// Where the engine or the program that replays fails, or a file.
pub fn outcome(builds: &Builds, job: Job, resume: bool) -> io::Result<Outcome> {
    let folder = builds.folder_of(job);
    let stamp = builds.stamp(job)?;
    let result = folder.join("result");
    if resume
        && let Ok(text) = std::fs::read_to_string(&result)
        && let Some(outcome) = Outcome::read(&text, &stamp)
    {
        return Ok(outcome);
    }
    remove(&folder)?;
    let corpus = folder.join("corpus");
    std::fs::create_dir_all(&corpus)?;
    std::fs::create_dir_all(folder.join("artifacts"))?;
    let texts = match job.start {
        Start::Empty => None,
        Start::Texts => Some(package().join("../../oracles/texts").join(job.target.format)),
        Start::Made(made) => Some(builds.made(job.target, made)),
    };
    if let Some(texts) = texts {
        for entry in std::fs::read_dir(texts)? {
            let entry = entry?;
            std::fs::copy(entry.path(), corpus.join(entry.file_name()))?;
        }
    }
    let mut outcome = fuzz(builds, job, &folder)?;
    // LibAFL's splinters of trees, a file each.
    remove(&folder.join("outputs"))?;
    replay(builds, job, &corpus, &mut outcome)?;
    // What is there is whole.
    let fresh = folder.join("result.new");
    std::fs::write(&fresh, outcome.show(&stamp))?;
    std::fs::rename(fresh, result)?;
    Ok(outcome)
}

/// Fuzzes until the budget is spent.
fn fuzz(builds: &Builds, job: Job, folder: &Path) -> io::Result<Outcome> {
    let mut outcome = Outcome::default();
    for start in 0..STARTS {
        let left = match job.budget {
            Budget::Seconds(seconds) => {
                let left = Duration::from_secs(seconds).saturating_sub(outcome.cpu);
                if left.is_zero() {
                    break;
                }
                Some(left)
            }
            Budget::Executions(executions) if outcome.executions >= executions => break,
            Budget::Executions(_) => None,
        };
        let log = folder.join(format!("log-{start}"));
        let mut command = command(builds, job, start, outcome.executions);
        command
            .current_dir(folder)
            .stdin(Stdio::null())
            .stdout(Stdio::null())
            .stderr(File::create(&log)?);
        let mut child = command.spawn()?;
        let used = attend(&mut child, left);
        if used.is_err() {
            let _ = child.kill();
        }
        let status = child.wait()?;
        let used = used?;
        outcome.cpu += used;
        let said = String::from_utf8_lossy(&std::fs::read(&log)?).into_owned();
        let stat = |name: &str| {
            let value = |line: &str| line.strip_prefix(name)?.trim().parse::<u64>().ok();
            said.lines().find_map(value)
        };
        let executions = stat("stat::number_of_executed_units:");
        // A body that overflows its stack ends the process without a word: the last thing said counts.
        let executions = executions.or_else(|| {
            status.signal()?;
            said.lines().rev().find_map(|line| {
                line.strip_prefix('#')?.split_whitespace().next()?.parse::<u64>().ok()
            })
        });
        // It may have been stopped before it was ready to fuzz.
        let early = left.is_some_and(|left| used >= left).then_some(0);
        let Some(executions) = executions.filter(|&executions| executions > 0).or(early) else {
            let tail = said.lines().rev().take(5).collect::<Vec<_>>().join("; ");
            return Err(io::Error::other(format!("the engine failed: {status}: {tail}")));
        };
        outcome.executions += executions;
        outcome.failures += u32::from(executions > 0 && !status.success());
        // LibAFL's program goes on after a failure, and counts.
        outcome.failures += stat("stat::failures:").map_or(0, |count| count as u32);
    }
    Ok(outcome)
}

/// The engine's command for what is left of a run after some starts and executions.
fn command(builds: &Builds, job: Job, start: u32, executions: u64) -> Command {
    let mut command = Command::new(builds.engine(job.target, job.fuzzer));
    let seed = job.seed + start * 1000;
    let runs = match job.budget {
        Budget::Seconds(_) => None,
        Budget::Executions(all) => Some(all - executions),
    };
    if job.fuzzer == Fuzzer::Nautilus {
        command.arg(builds.grammar(job.target)).arg(seed.to_string());
        command.arg(runs.unwrap_or(u64::MAX).to_string());
        return command;
    }
    command
        .arg("corpus")
        .arg(format!("-seed={seed}"))
        .arg(format!("-dict={}", builds.dictionary(job.target).display()))
        // Looking for new files of others goes by the clock.
        .args(["-reload=0", "-print_final_stats=1", "-artifact_prefix=artifacts/"])
        // A hang is a failure like others: a run that sat in one would say nothing of the rest.
        .args(["-timeout=5", "-rss_limit_mb=4096"]);
    if let Some(runs) = runs {
        command.arg(format!("-runs={runs}"));
    }
    command
}

/// Runs the corpus by the program without mutators.
fn replay(builds: &Builds, job: Job, corpus: &Path, outcome: &mut Outcome) -> io::Result<()> {
    let output = Command::new(builds.replay()).arg(job.target.name).arg(corpus).output()?;
    if !output.status.success() {
        let said = String::from_utf8_lossy(&output.stderr);
        return Err(io::Error::other(format!("the replay failed: {}: {said}", output.status)));
    }
    let text = String::from_utf8_lossy(&output.stdout);
    let numbers: Result<Vec<usize>, _> = text.lines().map(str::parse).collect();
    let numbers = numbers.map_err(io::Error::other)?;
    let [total, files, bytes, edges @ ..] = &numbers[..] else {
        return Err(io::Error::other("the replay told nothing"));
    };
    (outcome.total, outcome.files, outcome.bytes) = (*total, *files, *bytes);
    outcome.edges = edges.iter().map(|&edge| edge as u32).collect();
    Ok(())
}
