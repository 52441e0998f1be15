//! `pleach-bugs since`: how soon `pleach bridge --since` finds what a change has brought in, beside its system tester alone.
//!
//! The changes are fixes of rows' faults that are taken back. Two arms are the command itself, in the repository with the change
//! that is not committed, with units of the functions that changed: in the machine, and natively. The last is a campaign without any
//! unit, with the same changes of inputs that did something new. All find the program built, and are charged for finding it so and for
//! reading it.

use std::fmt;
use std::fs;
use std::io;
use std::path::Path;
use std::process::{Command, ExitCode, Stdio};

use clap::{Args, ValueEnum};
use experiment::circumstances;
use pleach_bridge::campaign::Event;
use pleach_bridge::system::{Bytes, Changing};
use serde::{Deserialize, Serialize};

use crate::beside::pleach;
use crate::explore::{LENGTH, now};
use crate::fix::{Fix, Reversed, unitless};
use crate::kept::{INSIDE, NATIVE, Records, stamp};
use crate::row::package;
use crate::watched::{LONG, found_by_unit, hundredths, watch};

/// How many times as fast the command is to be, in the median of all fixes.
const WANTED: f64 = 5.0;

#[derive(Args)]
pub struct Since {
    /// Fixes, by the names of their rows [default: all]
    fixes: Vec<String>,
    /// What looks for the faults
    #[arg(long, value_enum, value_delimiter = ',', default_values_t = Arm::ALL)]
    arms: Vec<Arm>,
    /// Seconds of CPU time, those of all processes included
    #[arg(long, default_value_t = 300)]
    seconds: u64,
    /// How many seeds of the campaign
    #[arg(long, default_value_t = 3)]
    seeds: u64,
    /// Makes runs again that have a record
    #[arg(long)]
    again: bool,
    /// Makes no runs: checks that programs fail without the fix, and not with it
    #[arg(long)]
    check: bool,
    /// Writes the table to SINCE.md beside the README, of all fixes that have a record
    #[arg(long)]
    write: bool,
}

/// What looks for the fault.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Arm {
    /// The command, with units of what has changed.
    Since,
    /// The same natively.
    Native,
    /// The system tester alone.
    Alone,
}

impl Arm {
    const ALL: [Self; 3] = [Self::Since, Self::Native, Self::Alone];
    /// Those with units, as the table names them.
    const UNITS: [(Self, &str); 2] = [(Self::Since, "`--since`"), (Self::Native, "natively")];

    /// The sources that decide what it does, but for the fix itself.
    fn sources(self) -> Vec<&'static str> {
        let command = ["src/bin/pleach/bridge/mod.rs", "src/bin/pleach/bridge/since.rs"];
        match self {
            Self::Since | Self::Alone => [&INSIDE[..], &command].concat(),
            Self::Native => [&NATIVE[..], &command].concat(),
        }
    }
}

impl fmt::Display for Arm {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Since => "since",
            Self::Native => "native",
            Self::Alone => "alone",
        })
    }
}

/// What a run came to.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
struct Record {
    /// Seconds of CPU time until the fault was found.
    hit: Option<f64>,
    /// Whether a unit has found it.
    by_unit: bool,
    /// How many seconds it had.
    limit: u64,
}

impl Since {
    /// Makes the runs that have no record yet.
    pub fn run(&self, folder: &Path) -> Result<ExitCode, String> {
        let folder = folder.join("since");
        let mut records = Records::open(folder.join("records"), "since.jsonl")?;
        let fixes = Fix::all(&self.fixes)?;
        if self.check {
            for fix in &fixes {
                fix.reverse(&folder)?;
                println!("{}: as it says", fix.row.name);
            }
            return Ok(ExitCode::SUCCESS);
        }
        let command = pleach().map_err(|error| error.to_string())?;
        for fix in &fixes {
            let mut reversed = None;
            for (arm, seed) in self.runs() {
                let stamp = stamp_of(fix, arm)?;
                let key = key(fix, arm, seed);
                if !self.again && records.get(&key, &stamp).is_some_and(|it| self.is_long(it)) {
                    continue;
                }
                if reversed.is_none() {
                    reversed = Some(fix.reversed(&folder, &stamp)?);
                }
                let Some(reversed) = &reversed else { continue };
                let record = match arm {
                    Arm::Since | Arm::Native => {
                        self.since(fix, reversed, &command, (arm, seed), &folder)?
                    }
                    Arm::Alone => self.alone(fix, reversed, seed)?,
                };
                println!("{key}: {record:?}");
                records.put(key, &stamp, record)?;
            }
            if let Some(line) = self.line(fix, &records) {
                println!("{}", line.text);
            }
        }
        if self.write {
            records.commit()?;
            let path = package().join("SINCE.md");
            let table = self.table(&Fix::all(&[])?, &records)?;
            fs::write(&path, table).map_err(|error| format!("{}: {error}", path.display()))?;
        }
        Ok(ExitCode::SUCCESS)
    }

    /// Whether a run need not be made again at length: it has found the fault, or had as much time.
    fn is_long(&self, record: &Record) -> bool {
        record.hit.is_some() || record.limit >= self.seconds
    }

    /// All runs of a fix.
    fn runs(&self) -> impl Iterator<Item = (Arm, u64)> {
        (0..self.seeds).flat_map(|seed| self.arms.iter().map(move |&arm| (arm, seed)))
    }

    /// Runs the command until it says that the program fails at the place.
    fn since(
        &self,
        fix: &Fix,
        reversed: &Reversed,
        command: &Path,
        (arm, seed): (Arm, u64),
        folder: &Path,
    ) -> Result<Record, String> {
        let said = |error: io::Error| format!("{}: {error}", fix.row.name);
        let place = folder.join("runs").join(&fix.row.name).join(format!("{arm}-{seed}"));
        let seeds = fix.row.seeds()?;
        let bridge = |time: &str| {
            let mut command = Command::new(command);
            command.args(["bridge", "driver/src/lib.rs#run", "--since", "HEAD", "--time", time]);
            command.args(["--seed", &seed.to_string(), "--keep"]).arg(&reversed.kept).args(&seeds);
            if arm == Arm::Native {
                command.args(["--units", "native"]);
            }
            command.current_dir(&reversed.repository).stdin(Stdio::null());
            command
        };
        if arm == Arm::Native {
            // That it is compiled with marks is not charged.
            let ended = bridge("0s").stdout(Stdio::null()).stderr(Stdio::null()).status();
            ended.map_err(said)?;
        }
        let is_wanted = |line: &str| is_failure(line, fix);
        let ended = watch(bridge(LONG), &place, self.seconds, is_wanted).map_err(said)?;
        let by_unit = found_by_unit(&ended.report, is_wanted);
        Ok(Record { hit: ended.hit, by_unit, limit: self.seconds })
    }

    /// Runs a campaign without units until the program fails at the place.
    fn alone(&self, fix: &Fix, reversed: &Reversed, seed: u64) -> Result<Record, String> {
        let begin = now()?;
        let built = reversed.build()?;
        let tester = Changing::new(Bytes, seed, LENGTH);
        let mut campaign = unitless(&built, Some(Box::new(tester)), &fix.seeds()?)?;
        let mut native = built.native.clone();
        while now()? - begin < self.seconds as f64 {
            match campaign.step(&mut native) {
                Event::Ran { error: Some(error), .. } => {
                    return Err(format!("{}: {error}", fix.row.name));
                }
                Event::Ran { failure: Some(at), .. }
                    if fix.is_at(&campaign.failures()[at].location) =>
                {
                    let hit = Some(hundredths(now()? - begin));
                    return Ok(Record { hit, by_unit: false, limit: self.seconds });
                }
                _ => {}
            }
        }
        Ok(Record { hit: None, by_unit: false, limit: self.seconds })
    }

    /// A fix as a line of the table, of one that the last arm and another have run.
    fn line(&self, fix: &Fix, records: &Records<Record>) -> Option<Line> {
        let of =
            |arm| records.soonest((0..self.seeds).map(|seed| key(fix, arm, seed)), |it| it.hit);
        let runs = Arm::ALL.map(of);
        let ratios = Arm::UNITS.map(|(arm, _)| ratio(&of(arm), &of(Arm::Alone)));
        ratios.iter().find(|it| it.is_some())?;
        let mut text = format!(
            "| [`{}`]({}) | {} {} |",
            fix.row.name, fix.facts.source, fix.row.facts.subject, fix.facts.version,
        );
        for runs in &runs {
            text += &format!(" {} |", times(runs));
        }
        for ratio in ratios {
            text += &ratio.map_or(" – |".into(), |it| format!(" {it:.1} |"));
        }
        let is_found = runs.iter().flatten().any(|run| run.hit.is_some());
        Some(Line { text, ratios, is_found })
    }

    /// All records as a table.
    fn table(&self, fixes: &[Fix], records: &Records<Record>) -> Result<String, String> {
        let mut table = format!(
            "# Fixes that are taken back\n\nOn {}: `cargo run --release -p pleach-bugs -- since --seconds {} --seeds {} --write`, that many \
             seconds of CPU time a run, longer runs that were made before included, from the row's seeds, with no grammar. `--since` is \
             `pleach bridge --since HEAD` in a repository whose last commit is the release with the fix, and in whose files the fix alone is taken back; \
             natively is the same with `--units native`, and alone is its system tester without units. A time is when the program failed natively at the fault's place, * where a unit has found \
             that; behind > stands how many seconds a run had that did not find it. All find the program built, and are charged for reading it. A \
             ratio is how many times as fast as alone, by medians, where a run counts as the seconds that the shortest run had that did not find the fault, if it did not find it sooner.\n\n\
             | fix | release | `--since`, seconds | natively, seconds | alone, seconds | `--since` | natively |\n\
             | --- | --- | --- | --- | --- | ---: | ---: |\n",
            circumstances(),
            self.seconds,
            self.seeds,
        );
        let (mut ratios, mut stale) = ([Vec::new(), Vec::new()], Vec::new());
        for fix in fixes {
            let Some(line) = self.line(fix, records) else { continue };
            table += &format!("{}\n", line.text);
            for (all, ratio) in ratios.iter_mut().zip(line.ratios) {
                all.extend(ratio.map(|it| (it, line.is_found)));
            }
            let mut is_stale = false;
            for (arm, seed) in self.runs() {
                is_stale |= records.is_stale(&key(fix, arm, seed), &stamp_of(fix, arm)?);
            }
            if is_stale {
                stale.push(format!("`{}`", fix.row.name));
            }
        }
        for ((_, name), ratios) in Arm::UNITS.iter().zip(ratios) {
            table += &summary(name, &ratios);
        }
        if !stale.is_empty() {
            table += &format!("\nOf an earlier build are runs of {}.\n", stale.join(", "));
        }
        Ok(table)
    }
}

/// A line of the table.
struct Line {
    text: String,
    /// How many times as fast the arms with units are, where both have runs.
    ratios: [Option<f64>; 2],
    /// Whether any run has found the fault.
    is_found: bool,
}

/// What tells runs of a fix from those of other sources.
fn stamp_of(fix: &Fix, arm: Arm) -> Result<String, String> {
    let own = fix.path();
    stamp(&fix.row, &[&arm.sources()[..], &[own.as_str()]].concat())
}

/// What tells a run from the others.
fn key(fix: &Fix, arm: Arm, seed: u64) -> String {
    format!("{}/{arm}/{seed}", fix.row.name)
}

/// Whether a line of what the command says is the fault: a kind, ` at `, a location, and what the panic says.
fn is_failure(line: &str, fix: &Fix) -> bool {
    line.split_once(" at ").is_some_and(|(_, rest)| {
        fix.is_at(rest.split_once(": ").map_or(rest, |(location, _)| location))
    })
}

/// How many times as fast one arm is in the median; none without runs of both. No run has more time than the least that one had without finding
/// the fault: of what would have come later nobody knows.
fn ratio(since: &[Record], alone: &[Record]) -> Option<f64> {
    let misses = since.iter().chain(alone).filter(|run| run.hit.is_none());
    let least = misses.map(|run| run.limit).min().map_or(f64::INFINITY, |limit| limit as f64);
    let middle = |runs: &[Record]| {
        let times = runs.iter().map(|run| run.hit.unwrap_or(f64::INFINITY).min(least)).collect();
        median(times)
    };
    Some(middle(alone)? / middle(since)?)
}

/// The median; of an even number, the mean of the two in the middle.
pub(crate) fn median(mut numbers: Vec<f64>) -> Option<f64> {
    numbers.sort_unstable_by(f64::total_cmp);
    let upper = *numbers.get(numbers.len() / 2)?;
    Some((numbers[(numbers.len() - 1) / 2] + upper) / 2.0)
}

/// The times of all seeds in a cell.
fn times(runs: &[Record]) -> String {
    let time = |run: &Record| match run.hit {
        Some(hit) => format!("{hit:.1}{}", if run.by_unit { "*" } else { "" }),
        None => format!("> {}", run.limit),
    };
    runs.iter().map(time).collect::<Vec<_>>().join(", ")
}

/// What all fixes come to with an arm: how many times as fast, and whether any run has found the fault.
fn summary(name: &str, ratios: &[(f64, bool)]) -> String {
    let all: Vec<f64> = ratios.iter().map(|(ratio, _)| *ratio).collect();
    let found = ratios.iter().filter(|(_, is_found)| *is_found).map(|(ratio, _)| *ratio);
    let found: Vec<f64> = found.collect();
    let (fast, tried, some) =
        (all.iter().filter(|&&ratio| ratio >= WANTED).count(), all.len(), found.len());
    let (Some(median), Some(of_found)) = (median(all), median(found)) else {
        return String::new();
    };
    let is_met = if median >= WANTED { "is met" } else { "is missed" };
    format!(
        "\nIn the median of {tried} fixes, {name} is {median:.1} times as fast; at least {WANTED:.0} times is what was asked for, and {is_met}. \
         It is of {fast} of them. Of {some} some run has found the fault, and of these the median is {of_found:.1}; of the others the ratio is one of limits.\n"
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    fn cron() -> Fix {
        Fix::all(&["cron".into()]).unwrap().remove(0)
    }

    #[test]
    fn a_fault_is_read_from_what_the_command_says() {
        let fix = cron();
        let place = &fix.facts.place;
        assert!(is_failure(&format!("panic at {place}:9: assertion failed: step != 0"), &fix));
        assert!(is_failure(&format!("panic at /kept/{place}:9"), &fix));
        assert!(!is_failure(&format!("panic at other.rs:1:9: not at {place}:9: it"), &fix));
        assert!(!is_failure(&format!("{place}:9"), &fix));
        let report = |unit: &str, other: &str| {
            format!(
                "3 units\npanic at {place}:9: a\n  found/crashes/1\n{unit}panic at b.rs:1:1: b\n  found/crashes/2\n{other}functions: 1\n"
            )
        };
        let unit = "  found in cron::a at b.rs:1\n    at argument 0, +0 to +2: \"a\"\n";
        let is_found = |report: &str| found_by_unit(report, |line| is_failure(line, &fix));
        assert!(is_found(&report(unit, "")));
        assert!(!is_found(&report("", unit)), "the other failure is the unit's");
        assert!(!is_found("functions: 1\n"));
    }

    #[test]
    fn a_miss_counts_as_the_limit() {
        let record = |hit| Record { hit, by_unit: true, limit: 60 };
        let since = [Some(2.0), Some(1.0), None].map(record);
        let alone = [Some(30.0), None, None].map(record);
        assert_eq!(ratio(&since, &alone), Some(30.0));
        assert_eq!(ratio(&since, &[]), None);
        // A run that had less time is no faster for that.
        let short = [Record { hit: None, by_unit: false, limit: 20 }];
        assert_eq!((ratio(&short, &alone), ratio(&alone, &short)), (Some(1.0), Some(1.0)));
        assert_eq!(ratio(&since, &short), Some(10.0));
        assert_eq!(times(&since), "2.0*, 1.0*, > 60");
    }

    #[test]
    fn the_median_of_fixes_is_told_with_what_was_asked_for() {
        assert_eq!(median(vec![4.0, 1.0]), Some(2.5));
        let told = summary("it", &[(1.0, false), (7.0, true), (5.0, true)]);
        assert!(told.contains("of 3 fixes, it is 5.0 times") && told.contains("is met"));
        assert!(told.contains("It is of 2 of them. Of 2 some run"), "{told}");
        assert!(told.contains("the median is 6.0"), "{told}");
        assert!(summary("it", &[(1.0, true), (7.0, true), (4.0, true)]).contains("is missed"));
        assert_eq!(summary("it", &[]), "");
    }
}
