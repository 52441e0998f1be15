//! What runs came to.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt;
use std::io::{self, Write as _};
use std::process::{Command, Stdio};
use std::time::Duration;

use crate::builds::Builds;
use crate::plan::{Budget, Fuzzer, Job, Start};

/// What a run came to.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Outcome {
    /// The time used.
    pub cpu: Duration,
    /// The executions of the body.
    pub executions: u64,
    /// How many inputs made the body fail.
    pub failures: u32,
    /// The files of the corpus, and their bytes.
    pub files: usize,
    /// See above.
    pub bytes: usize,
    /// How many edges the parser's crates have.
    pub total: usize,
    /// The numbers of those that the corpus runs, in rising order.
    pub edges: Vec<u32>,
}

impl fmt::Display for Outcome {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { cpu, executions, failures, files, bytes, edges, .. } = self;
        write!(f, "{} edges, {executions} executions, ", edges.len())?;
        write!(f, "{:.2} s, {failures} failures, {files} files, {bytes} bytes", cpu.as_secs_f64())
    }
}

impl Outcome {
    /// As a text, with what tells the executables.
    pub fn show(&self, stamp: &str) -> String {
        let Self { cpu, executions, failures, files, bytes, total, edges } = self;
        let edges: Vec<_> = edges.iter().map(ToString::to_string).collect();
        format!(
            "{stamp}\n{} {executions} {failures} {files} {bytes} {total}\n{}\n",
            cpu.as_millis(),
            edges.join(" ")
        )
    }

    /// Reads what [`Outcome::show`] wrote; none where that was of other executables.
    pub fn read(text: &str, stamp: &str) -> Option<Self> {
        let mut lines = text.lines();
        if lines.next()? != stamp {
            return None;
        }
        let mut numbers = lines.next()?.split(' ').map(str::parse::<u64>);
        let mut next = || numbers.next()?.ok();
        Some(Self {
            cpu: Duration::from_millis(next()?),
            executions: next()?,
            failures: next()?.try_into().ok()?,
            files: next()?.try_into().ok()?,
            bytes: next()?.try_into().ok()?,
            total: next()?.try_into().ok()?,
            edges: lines
                .next()?
                .split_ascii_whitespace()
                .map(|edge| edge.parse().ok())
                .collect::<Option<_>>()?,
        })
    }
}

/// The runs of one kind, by fuzzer.
pub type Kind = BTreeMap<Fuzzer, Vec<Outcome>>;

/// What all runs came to: by budget, target's name and start.
#[derive(Default)]
pub struct Results {
    /// The runs.
    pub kinds: BTreeMap<(Budget, &'static str, Start), Kind>,
}

impl Results {
    /// Sorts outcomes by the kinds of their runs.
    pub fn new(outcomes: Vec<(Job, Outcome)>) -> Self {
        let mut results = Self::default();
        for (job, outcome) in outcomes {
            let kind = results.kinds.entry((job.budget, job.target.name, job.start)).or_default();
            kind.entry(job.fuzzer).or_default().push(outcome);
        }
        results
    }

    /// Prints in which functions one fuzzer's corpora run edges that another's don't.
    ///
    /// # Errors
    ///
    /// Where the program that replays fails.
    pub fn beyond(&self, builds: &Builds, first: Fuzzer, second: Fuzzer) -> io::Result<()> {
        let has = |kind: &Kind| [first, second].iter().all(|fuzzer| kind.contains_key(fuzzer));
        for ((budget, target, start), kind) in self.kinds.iter().filter(|(_, kind)| has(kind)) {
            let any = |fuzzer| -> BTreeSet<u32> {
                kind.get(&fuzzer)
                    .into_iter()
                    .flatten()
                    .flat_map(|run| &run.edges)
                    .copied()
                    .collect()
            };
            let edges: Vec<u32> = any(first).difference(&any(second)).copied().collect();
            println!(
                "{target} from {start}, {budget}: {} edges by {first} and not by {second}",
                edges.len()
            );
            let mut counts: BTreeMap<String, usize> = BTreeMap::new();
            for name in names(builds, target, &edges)? {
                *counts.entry(name).or_default() += 1;
            }
            let mut counts: Vec<_> = counts.into_iter().collect();
            counts.sort_by_key(|(_, count)| std::cmp::Reverse(*count));
            counts.iter().for_each(|(name, count)| println!("{count:6} {name}"));
        }
        Ok(())
    }
}

/// The mangled names of the functions that hold edges.
fn names(builds: &Builds, target: &str, edges: &[u32]) -> io::Result<Vec<String>> {
    let mut child = Command::new(builds.replay())
        .arg(target)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()?;
    let lines: String = edges.iter().map(|edge| format!("{edge}\n")).collect();
    // It reads all before it writes.
    let sent = child.stdin.take().expect("it is piped").write_all(lines.as_bytes());
    let output = child.wait_with_output()?;
    sent?;
    Ok(String::from_utf8_lossy(&output.stdout).lines().map(str::to_owned).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_outcome_is_read_back_for_the_same_executables() {
        let outcome = Outcome {
            cpu: Duration::from_millis(1234),
            executions: 5,
            failures: 1,
            files: 2,
            bytes: 30,
            total: 400,
            edges: vec![1, 7, 300],
        };
        let text = outcome.show("stamp");
        assert_eq!(Outcome::read(&text, "stamp"), Some(outcome));
        assert_eq!(Outcome::read(&text, "other"), None);
        assert_eq!(Outcome::read(&text[..text.len() / 2], "stamp"), None);
    }
}
