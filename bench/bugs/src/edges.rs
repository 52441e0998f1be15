//! `pleach-bugs edges`: how many edges of crates that nobody tuned for a corpus comes to from nothing, with pleach and without.
//!
//! The rows' own faults are passed over, as all others are. Edges are those of the corpus at the end, in the program without pleach.

use std::fmt::Write as _;
use std::path::Path;
use std::process::ExitCode;
use std::sync::Arc;
use std::{fs, io};

use clap::Args;
use experiment::{circumstances, remove};

use crate::plan::{Corpus, Job, Method};
use crate::record::{Record, folder_of};
use crate::row::{Kind, Row, package, rows};
use crate::run::{Made, all, edges, make};

/// The rows: one of each crate that has a row with a grammar and none for tuning, and is not in `fuzz/compare`.
const ROWS: [&str; 11] = [
    "blurhash",
    "cookie-age",
    "parse-duration",
    "planted-graphql-fragment",
    "pulldown-latex",
    "rnix",
    "rulex-utf8",
    "rustc-demangle",
    "semver-req",
    "version-compare",
    "yaml-safer",
];

/// The fuzzers that are compared.
const METHODS: [Method; 2] = [Method::LibFuzzer, Method::Pleach];

#[derive(Args)]
pub struct Edges {
    /// Rows with a grammar [default: one of each crate that nobody tuned for, and that is not in `fuzz/compare`]
    rows: Vec<String>,
    /// The limit of a run, in seconds of CPU time
    #[arg(long, default_value_t = 60)]
    seconds: u64,
    /// How many seeds of the engine: 1, 2 and so on
    #[arg(long, default_value_t = 3)]
    seeds: u32,
    /// How many runs at once
    #[arg(long, default_value_t = 2)]
    jobs: usize,
    /// Writes the table to EDGES.md, beside the README
    #[arg(long)]
    write: bool,
}

/// What the runs of a row come to.
struct Outcome<'r> {
    row: &'r Row,
    /// The edges of each method's runs, in order.
    edges: [Vec<u64>; 2],
    /// How often an execution ended a run of each method.
    ends: [u32; 2],
    /// The edges of all corpora together.
    union: u64,
}

impl Edges {
    /// Makes the runs that have no record yet, and prints what they come to.
    pub fn run(&self, folder: &Path) -> Result<ExitCode, String> {
        let names = match &self.rows[..] {
            [] => ROWS.map(String::from).to_vec(),
            names => names.to_vec(),
        };
        // Programs that pass over the rows' own faults are others than those of the benchmark.
        let folder = folder.join("edges");
        let mut rows = rows(&names)?;
        for row in &mut rows {
            row.facts.kind = Kind::Panic;
            row.facts.place.clear();
        }
        let (mut jobs, mut programs) = (Vec::new(), Vec::new());
        for row in rows.iter().filter(|row| row.grammar().is_some()) {
            eprintln!("building {}", row.name);
            let said = |error: io::Error| format!("{}: {error}", row.name);
            let built = METHODS.map(|method| make(row, method, &folder, Vec::new()).map_err(said));
            let [alone, with] = built;
            let built = [alone?, with?];
            let replays = built[0].executable().to_owned();
            for (method, program) in METHODS.into_iter().zip(&built) {
                let made = Arc::new(program.from(Vec::new(), replays.clone()).keeping());
                let (corpus, seconds) = (Corpus::Nothing, self.seconds);
                let job = |seed| Job { row, method, corpus, seed, seconds };
                jobs.extend((1..=self.seeds).map(|seed| (job(seed), made.clone())));
            }
            programs.push((row, built));
        }
        let (records, failed) = all(jobs, self.jobs, &folder, &[]);
        let outcomes: io::Result<Vec<_>> = programs
            .iter()
            .map(|(row, [alone, _])| outcome(row, alone, &records, &folder))
            .collect();
        let table = self.table(&outcomes.map_err(|error| error.to_string())?);
        print!("{table}");
        if self.write {
            let path = package().join("EDGES.md");
            fs::write(&path, table).map_err(|error| format!("{}: {error}", path.display()))?;
        }
        Ok(if failed == 0 { ExitCode::SUCCESS } else { ExitCode::from(2) })
    }

    /// The runs as a table.
    fn table(&self, outcomes: &[Outcome<'_>]) -> String {
        let mut out = format!(
            "# Edges of crates that nobody tuned for, {} s of CPU time a run\n\n{}: `cargo run --release -p pleach-bugs -- edges --seeds {} --write`. \
             libFuzzer alone and with pleach at its defaults, from nothing; both have the grammar's dictionary. Edges are those of the corpus at the \
             end in the program without pleach: the median, of two runs the greater, with the least and the most. An execution that fails or takes more than five \
             seconds ends a process, which is counted, and the next goes on from the corpus.\n\n\
             | row | crate | by any | libFuzzer | pleach | pleach by libFuzzer | any by libFuzzer | failures of libFuzzer | of pleach |\n\
             | --- | --- | ---: | ---: | ---: | ---: | ---: | ---: | ---: |\n",
            self.seconds,
            circumstances(),
            self.seeds
        );
        for Outcome { row, edges, ends, union } in outcomes {
            let (Some(alone), Some(with)) = (spread(&edges[0]), spread(&edges[1])) else {
                continue;
            };
            let shown =
                |(middle, least, most): (u64, u64, u64)| format!("{middle} ({least}–{most})");
            let by = |edges: u64| format!("{:.3}", edges as f64 / alone.0 as f64);
            let _ = writeln!(
                out,
                "| {} | {} {} | {union} | {} | {} | {} | {} | {} | {} |",
                row.name,
                row.facts.subject,
                row.facts.version,
                shown(alone),
                shown(with),
                by(with.0),
                by(*union),
                ends[0],
                ends[1]
            );
        }
        out
    }
}

/// What the runs of a row came to, with the edges of their corpora together.
fn outcome<'r>(
    row: &'r Row,
    replays: &Made,
    records: &[(Job<'_>, Record)],
    folder: &Path,
) -> io::Result<Outcome<'r>> {
    let of_row = || records.iter().filter(|(job, _)| job.row.name == row.name);
    let of = |method| of_row().filter(move |(job, _)| job.method == method);
    let place = folder.join("union").join(&row.name);
    remove(&place)?;
    let united = place.join("corpus");
    fs::create_dir_all(&united)?;
    for (job, _) in of_row() {
        for entry in fs::read_dir(folder_of(folder, job).join("corpus"))? {
            let entry = entry?;
            fs::copy(entry.path(), united.join(entry.file_name()))?;
        }
    }
    let union = edges(replays.executable(), &place)?;
    remove(&place)?;
    Ok(Outcome {
        row,
        edges: METHODS.map(|method| of(method).filter_map(|(_, run)| run.edges).collect()),
        ends: METHODS.map(|method| of(method).map(|(_, run)| run.starts - 1).sum()),
        union,
    })
}

/// Median, least and most.
pub fn spread(edges: &[u64]) -> Option<(u64, u64, u64)> {
    let mut edges = edges.to_vec();
    edges.sort_unstable();
    Some((*edges.get(edges.len() / 2)?, *edges.first()?, *edges.last()?))
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;

    /// Crates that `fuzz/compare` has, by themselves or as what they are made with.
    const COMPARED: [&str; 3] = ["regex", "sqlparser", "url"];

    #[test]
    fn rows_are_one_of_each_crate_that_nobody_tuned_for() {
        let all = rows(&[]).unwrap();
        let tuned: BTreeSet<&str> =
            all.iter().filter(|row| row.facts.tuning).map(|row| &*row.facts.subject).collect();
        let asked: BTreeSet<&str> = all
            .iter()
            .filter(|row| row.grammar().is_some() && row.facts.subject != "none")
            .map(|row| &*row.facts.subject)
            .filter(|subject| !tuned.contains(subject) && !COMPARED.contains(subject))
            .collect();
        let chosen = rows(&ROWS.map(String::from)).unwrap();
        let subjects: Vec<&str> = chosen.iter().map(|row| &*row.facts.subject).collect();
        assert_eq!(subjects.iter().copied().collect::<BTreeSet<_>>(), asked);
        assert_eq!(subjects.len(), asked.len());
    }

    #[test]
    fn medians_are_compared() {
        let rows = rows(&["cron".into()]).unwrap();
        let outcome = Outcome {
            row: &rows[0],
            edges: [vec![100, 90, 120], vec![130, 110, 125]],
            ends: [0, 3],
            union: 150,
        };
        let asked = Edges { rows: Vec::new(), seconds: 60, seeds: 3, jobs: 1, write: false };
        let table = asked.table(&[outcome]);
        let cells = "| 150 | 100 (90–120) | 125 (110–130) | 1.250 | 1.500 | 0 | 3 |";
        assert!(table.contains(cells), "{table}");
    }
}
