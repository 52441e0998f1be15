//! `pleach-bugs seeds`: what a corpus that covers all k-paths buys as seeds.
//!
//! Runs begin with inputs that cover all k-paths up to 1, 2 and 3, with as many bytes of random sentences, or with nothing. Edges
//! are those that a run's corpus runs in the program without pleach.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::path::Path;
use std::process::ExitCode;
use std::sync::Arc;
use std::{fs, io};

use clap::Args;
use experiment::{Made, circumstances};

use crate::plan::{Corpus, Job, Method};
use crate::record::Record;
use crate::row::{Row, package, root, rows};
use crate::run::{all, make};

/// What is compared.
const CORPORA: [Corpus; 7] = [
    Corpus::Nothing,
    Corpus::Made(Made::Paths(1)),
    Corpus::Made(Made::Sentences(1)),
    Corpus::Made(Made::Paths(2)),
    Corpus::Made(Made::Sentences(2)),
    Corpus::Made(Made::Paths(3)),
    Corpus::Made(Made::Sentences(3)),
];

/// The fuzzers that it is compared with.
const METHODS: [Method; 2] = [Method::LibFuzzer, Method::Pleach];

/// The least time that is told from none, in seconds: that by which the system counts.
const LEAST: f64 = 0.01;

#[derive(Args)]
pub struct Seeds {
    /// Rows with a grammar [default: all of them]
    rows: Vec<String>,
    /// The limit of a run, in seconds of CPU time
    #[arg(long, default_value_t = 60)]
    seconds: u64,
    /// How many seeds of the engine: 1, 2 and so on
    #[arg(long, default_value_t = 1)]
    seeds: u32,
    /// How many runs at once
    #[arg(long, default_value_t = 2)]
    jobs: usize,
    /// Writes the table to SEEDS.md, beside the README
    #[arg(long)]
    write: bool,
}

/// The files and bytes of corpora, by row.
type Sizes = BTreeMap<(String, Corpus), (usize, usize)>;

impl Seeds {
    /// Makes the runs that have no record yet, and prints what they come to.
    pub fn run(&self, folder: &Path) -> Result<ExitCode, String> {
        let rows = rows(&self.rows)?;
        let rows: Vec<&Row> = rows.iter().filter(|row| row.grammar().is_some()).collect();
        let (mut jobs, mut sizes) = (Vec::new(), Sizes::new());
        for &row in &rows {
            eprintln!("building {}", row.name);
            let said = |error: io::Error| format!("{}: {error}", row.name);
            let built = |method| make(row, method, folder, Vec::new()).map_err(said);
            let built = [built(METHODS[0])?, built(METHODS[1])?];
            for corpus in CORPORA {
                let texts = match (corpus, row.grammar()) {
                    (Corpus::Made(made), Some(grammar)) => {
                        made.texts(&root(), &grammar, &folder.join("generated")).map_err(said)?
                    }
                    _ => Vec::new(),
                };
                let bytes = texts.iter().map(Vec::len).sum();
                sizes.insert((row.name.clone(), corpus), (texts.len(), bytes));
                for (method, program) in METHODS.into_iter().zip(&built) {
                    let made = program.from(texts.clone(), built[0].executable().to_owned());
                    let made = Arc::new(made);
                    let job = |seed| Job { row, method, corpus, seed, seconds: self.seconds };
                    jobs.extend((1..=self.seeds).map(|seed| (job(seed), made.clone())));
                }
            }
        }
        let (records, failed) = all(jobs, self.jobs, folder, &[]);
        let table = table(&rows, &records, &sizes, self.seconds);
        print!("{table}");
        if self.write {
            let path = package().join("SEEDS.md");
            fs::write(&path, table).map_err(|error| format!("{}: {error}", path.display()))?;
        }
        Ok(if failed == 0 { ExitCode::SUCCESS } else { ExitCode::from(2) })
    }
}

/// The tables: what each run came to, and how large corpora are.
fn table(rows: &[&Row], records: &[(Job<'_>, Record)], sizes: &Sizes, seconds: u64) -> String {
    let names = CORPORA.map(|corpus| corpus.to_string()).join(" | ");
    let columns = " ---: |".repeat(CORPORA.len());
    let mut out = format!(
        "# Corpora as seeds, {seconds} s of CPU time a run\n\n{}. A time is when the row's fault was found, with the edges \
         until then; a number alone is edges at the end. Edges are those of the corpus in the program without pleach.\n\n\
         | row | fuzzer | {names} |\n| --- | --- |{columns}\n",
        circumstances()
    );
    for row in rows {
        for method in METHODS {
            let cells = CORPORA.map(|corpus| {
                let of = records.iter().filter(|(job, _)| {
                    (&job.row.name, job.method, job.corpus) == (&row.name, method, corpus)
                });
                let cells: Vec<String> = of.map(|(_, record)| shown(record)).collect();
                if cells.is_empty() { "–".into() } else { cells.join(", ") }
            });
            let _ = writeln!(out, "| {} | {method} | {} |", row.name, cells.join(" | "));
        }
    }
    out += &summary(records, &names, &columns, seconds);
    let _ = write!(out, "\nFiles and bytes:\n\n| row | {names} |\n| --- |{columns}\n");
    for row in rows {
        let cells = CORPORA.map(|corpus| {
            let (files, bytes) =
                sizes.get(&(row.name.clone(), corpus)).copied().unwrap_or_default();
            format!("{files}, {bytes}")
        });
        let _ = writeln!(out, "| {} | {} |", row.name, cells.join(" | "));
    }
    out
}

/// How often the fault was found from each corpus, and how much sooner than from nothing.
fn summary(records: &[(Job<'_>, Record)], names: &str, columns: &str, seconds: u64) -> String {
    let limit = seconds as f64;
    let mut out =
        format!("\nOf all runs:\n\n| fuzzer | what | {names} |\n| --- | --- |{columns}\n");
    for method in METHODS {
        let times = CORPORA.map(|corpus| {
            let of = records.iter().filter(|(job, _)| (job.method, job.corpus) == (method, corpus));
            let times =
                of.map(|(job, record)| ((&job.row.name, job.seed), record.hit.unwrap_or(limit)));
            times.collect::<BTreeMap<_, _>>()
        });
        let within = |share: f64| {
            let counts = times.each_ref().map(|times| {
                let found = times.values().filter(|&&time| time < limit * share).count();
                format!("{found} of {}", times.len())
            });
            counts.join(" | ")
        };
        let sooner = times.each_ref().map(|of| {
            let ratios = of.iter().filter_map(|(run, &time)| {
                let nothing = *times[0].get(run)?;
                (time < limit || nothing < limit)
                    .then(|| (nothing.max(LEAST) / time.max(LEAST)).ln())
            });
            let ratios: Vec<f64> = ratios.collect();
            let mean = ratios.iter().sum::<f64>() / ratios.len().max(1) as f64;
            format!("{:.2}", mean.exp())
        });
        let _ = writeln!(out, "| {method} | found | {} |", within(1.0));
        let _ = writeln!(out, "| {method} | in a tenth of the time | {} |", within(0.1));
        let _ = writeln!(
            out,
            "| {method} | times as soon as from nothing, geometric mean | {} |",
            sooner.join(" | ")
        );
    }
    out
}

/// A run in a cell.
fn shown(record: &Record) -> String {
    let edges = record.edges.map_or_else(|| "–".into(), |edges| edges.to_string());
    match record.hit {
        Some(at) => format!("{at:.2} s ({edges})"),
        None => edges,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_run_that_found_the_fault_is_shown_by_its_time() {
        const PATHS: Corpus = Corpus::Made(Made::Paths(2));
        let rows = rows(&["cron".into()]).unwrap();
        let rows: Vec<&Row> = rows.iter().collect();
        let record = |method, corpus, hit, edges| {
            let job = Job { row: rows[0], method, corpus, seed: 1, seconds: 60 };
            let (row, stamp) = ("cron".into(), String::new());
            let elsewhere = BTreeMap::new();
            let record = Record {
                row,
                method,
                seed: 1,
                seconds: 60,
                stamp,
                hit,
                cpu: 60.0,
                starts: 1,
                elsewhere,
                edges,
            };
            (job, record)
        };
        let records = [
            record(Method::LibFuzzer, PATHS, None, Some(70)),
            record(Method::Pleach, PATHS, Some(1.5), Some(60)),
            record(Method::Pleach, Corpus::Nothing, None, Some(50)),
        ];
        let sizes = Sizes::from([(("cron".into(), PATHS), (3, 40))]);
        let table = table(&rows, &records, &sizes, 60);
        assert!(table.contains("| cron | libFuzzer | – | – | – | 70 | – |"), "{table}");
        assert!(table.contains("| cron | pleach | 50 | – | – | 1.50 s (60) | – |"), "{table}");
        assert!(table.contains("| cron | 0, 0 | 0, 0 | 0, 0 | 3, 40 |"), "{table}");
        assert!(
            table.contains("| pleach | found | 0 of 1 | 0 of 0 | 0 of 0 | 1 of 1 |"),
            "{table}"
        );
        assert!(
            table.contains("| libFuzzer | found | 0 of 0 | 0 of 0 | 0 of 0 | 0 of 1 |"),
            "{table}"
        );
        // A minute at least in the place of 1.5 s.
        assert!(table.contains("geometric mean | 1.00 | 1.00 | 1.00 | 40.00 |"), "{table}");
    }
}
