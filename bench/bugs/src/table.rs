//! `pleach-bugs table`: what the records come to, as Markdown and as a page.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;
use std::path::Path;
use std::process::ExitCode;

use clap::Args;
use experiment::circumstances;

use crate::draw;
use crate::gain;
use crate::page;
use crate::plan::Method;
use crate::record::{LIMITS, Record, committed_file, lines, records};
use crate::row::{Row, package, root, rows};

#[derive(Args)]
pub struct Table {
    /// The limit of the runs, in seconds of CPU time
    #[arg(long, default_value_t = 120)]
    seconds: u64,
    /// Writes the tables to RESULTS-<SECONDS>.md, the page to results-<SECONDS>.html and the records to
    /// records-<SECONDS>.jsonl, from which `run` goes on anywhere, beside the README; those of two minutes, short, to the
    /// repository's README.md, too
    #[arg(long)]
    write: bool,
    /// Where to write the page
    #[arg(long, value_name = "FILE")]
    html: Option<std::path::PathBuf>,
}

/// The runs of one row by one method.
#[derive(Clone, Debug, Default)]
pub struct Cell {
    /// After how many seconds the fault was found, the least first.
    hits: Vec<f64>,
    /// How many runs there are.
    runs: usize,
    /// How many places of other faults were come upon.
    elsewhere: usize,
}

impl Cell {
    fn new<'r>(records: impl Iterator<Item = &'r Record>) -> Self {
        let mut cell = Self::default();
        let mut others = BTreeSet::new();
        for record in records {
            cell.runs += 1;
            cell.hits.extend(record.hit);
            others.extend(record.elsewhere.keys());
        }
        cell.hits.sort_by(f64::total_cmp);
        cell.elsewhere = others.len();
        cell
    }

    /// After how many seconds some of so many runs found the fault.
    #[cfg(test)]
    pub fn of(hits: &[f64], runs: usize) -> Self {
        Self { hits: hits.to_vec(), runs, elsewhere: 0 }
    }

    /// Whether the fault counts as found: in at least two of three seeds, or as large a share of others.
    pub fn is_found(&self) -> bool {
        self.runs > 0 && self.hits.len() * 3 >= self.runs * 2
    }

    /// The median of the times of all runs, where that run found the fault; of an even number, the later one.
    pub fn median(&self) -> Option<f64> {
        self.hits.get(self.runs / 2).copied()
    }
}

/// How many hits of how many runs, the median, and the least and the most where there are several. A run
/// without a hit counts as the limit.
fn shown(cell: &Cell, limit: u64) -> String {
    let time = |at: usize| match cell.hits.get(at) {
        Some(seconds) => format!("{seconds:.2}"),
        None => format!("> {limit}"),
    };
    match cell.runs {
        0 => "–".into(),
        1 => time(0),
        runs => {
            let found = cell.hits.len();
            format!("{found}/{runs}: {} ({}–{})", time(runs / 2), time(0), time(runs - 1))
        }
    }
}

/// The cells of some records, by row and method.
pub type Cells = BTreeMap<(String, Method), Cell>;

/// The cells of all runs of each row by each method.
pub fn cells(records: &[Record]) -> Cells {
    let mut groups: BTreeMap<_, Vec<&Record>> = BTreeMap::new();
    for record in records {
        groups.entry((record.row.clone(), record.method)).or_default().push(record);
    }
    groups.into_iter().map(|(key, group)| (key, Cell::new(group.into_iter()))).collect()
}

impl Table {
    /// Prints the tables, and writes what is asked for.
    pub fn run(&self, folder: &Path) -> Result<ExitCode, String> {
        let records = records(folder, self.seconds)?;
        let cells = cells(&records);
        let rows = rows(&[])?;
        let rows: Vec<&Row> = rows
            .iter()
            .filter(|row| {
                Method::ALL.iter().any(|&method| cells.contains_key(&(row.name.clone(), method)))
            })
            .collect();
        let methods: Vec<Method> = Method::ALL
            .into_iter()
            .filter(|&method| cells.keys().any(|(_, of)| *of == method))
            .collect();
        let tables = markdown(&rows, &methods, &cells, self.seconds, &draw::in_turn()?);
        print!("{tables}");
        let page = page::html(&rows, &methods, &cells, self.seconds, &circumstances());
        let write = |path: &Path, text: &str| {
            std::fs::write(path, text).map_err(|error| format!("{}: {error}", path.display()))
        };
        if let Some(path) = &self.html {
            write(path, &page)?;
        }
        if self.write {
            let lines = lines(&records).map_err(|error| error.to_string())?;
            write(&committed_file(self.seconds), &lines)?;
            write(&package().join(format!("RESULTS-{}.md", self.seconds)), &tables)?;
            write(&package().join(format!("results-{}.html", self.seconds)), &page)?;
            if self.seconds == LIMITS[0] {
                let path = root().join("README.md");
                let readme = std::fs::read_to_string(&path).map_err(|error| error.to_string())?;
                write(&path, &gain::put(&readme, &gain::table(&rows, &cells, self.seconds))?)?;
                let chart = gain::chart(&rows, &cells, self.seconds);
                write(&root().join("docs/bugs.svg"), &chart)?;
            }
        }
        Ok(ExitCode::SUCCESS)
    }
}

/// A sort of rows: its name, and whether a row is of it.
type Sort<'s> = (&'static str, &'s dyn Fn(&Row) -> bool);

/// The tables: a row for each row, and how many were found of each sort.
fn markdown(
    rows: &[&Row],
    methods: &[Method],
    cells: &Cells,
    seconds: u64,
    in_turn: &BTreeSet<String>,
) -> String {
    let mut out = format!("# {seconds} s of CPU time a run\n\n{}.\n\n", circumstances());
    let names: Vec<String> = methods.iter().map(ToString::to_string).collect();
    let _ = writeln!(out, "| row | crate | kind | deep | tuning | plain | {} |", names.join(" | "));
    let _ =
        writeln!(out, "| --- | --- | --- | --- | --- | --- |{}", " --- |".repeat(methods.len()));
    let yes = |is: bool| if is { "yes" } else { "no" };
    for row in rows {
        let facts = &row.facts;
        let times = methods.iter().map(|&method| {
            let cell = cells.get(&(row.name.clone(), method));
            cell.map_or_else(|| "–".into(), |cell| shown(cell, seconds))
        });
        let _ = writeln!(
            out,
            "| {} | {} {} | {} | {} | {} | {} | {} |",
            row.name,
            facts.subject,
            facts.version,
            facts.kind,
            yes(facts.deep),
            yes(facts.tuning),
            yes(facts.plain),
            times.collect::<Vec<_>>().join(" | ")
        );
    }
    let _ =
        writeln!(out, "\nFound, of those that a method runs:\n\n| rows | {} |", names.join(" | "));
    let _ = writeln!(out, "| --- |{}", " ---: |".repeat(methods.len()));
    let sorts: [Sort<'_>; 8] = [
        ("all", &|_| true),
        ("known", &|row| !row.is_planted()),
        ("known, drawn in turn", &|row| in_turn.contains(&row.name)),
        ("planted", &Row::is_planted),
        ("deep", &|row| row.facts.deep),
        ("with a grammar", &|row| row.grammar().is_some()),
        ("for tuning", &|row| row.facts.tuning),
        ("not for tuning", &|row| !row.facts.tuning),
    ];
    for (sort, of) in sorts {
        let counts = methods.iter().map(|&method| {
            let run: Vec<&Cell> = rows
                .iter()
                .filter(|row| of(row))
                .filter_map(|row| cells.get(&(row.name.clone(), method)))
                .collect();
            format!("{} of {}", run.iter().filter(|cell| cell.is_found()).count(), run.len())
        });
        let _ = writeln!(out, "| {sort} | {} |", counts.collect::<Vec<_>>().join(" | "));
    }
    let _ = writeln!(
        out,
        "\nOther faults that were come upon, in places:\n\n| row | {} |",
        names.join(" | ")
    );
    let _ = writeln!(out, "| --- |{}", " ---: |".repeat(methods.len()));
    for row in rows {
        let of = |method: &Method| {
            cells.get(&(row.name.clone(), *method)).map_or(0, |cell| cell.elsewhere)
        };
        let counts: Vec<usize> = methods.iter().map(of).collect();
        if counts.iter().any(|&count| count > 0) {
            let counts: Vec<String> = counts.iter().map(ToString::to_string).collect();
            let _ = writeln!(out, "| {} | {} |", row.name, counts.join(" | "));
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_that_were_drawn_in_turn_are_counted_apart() {
        let (rows, limit) = (rows(&[]).unwrap(), 120);
        let record = |row: &Row| Record {
            row: row.name.clone(),
            method: Method::LibFuzzer,
            seed: 1,
            seconds: limit,
            stamp: String::new(),
            // It was tried before its turn.
            hit: (row.name != "vte").then_some(1.0),
            cpu: 1.0,
            starts: 1,
            elsewhere: BTreeMap::new(),
            edges: None,
        };
        let rows: Vec<&Row> =
            rows.iter().filter(|row| ["adsb", "cron", "vte"].contains(&&*row.name)).collect();
        let records: Vec<Record> = rows.iter().map(|row| record(row)).collect();
        let tables = markdown(
            &rows,
            &[Method::LibFuzzer],
            &cells(&records),
            limit,
            &draw::in_turn().unwrap(),
        );
        assert!(
            tables.contains(
                "| known | 2 of 3 |\n| known, drawn in turn | 1 of 1 |\n| planted | 0 of 0 |"
            ),
            "{tables}"
        );
    }

    #[test]
    fn two_of_three_seeds_are_found_and_a_miss_counts_as_the_limit() {
        assert!(Cell::of(&[1.0, 2.0], 3).is_found());
        assert!(!Cell::of(&[1.0], 3).is_found());
        assert!(!Cell::of(&[], 0).is_found());
        assert_eq!(Cell::of(&[1.0, 2.0], 3).median(), Some(2.0));
        assert_eq!(Cell::of(&[1.0], 3).median(), None);
        assert_eq!(shown(&Cell::of(&[1.0, 2.5], 3), 120), "2/3: 2.50 (1.00–> 120)");
        assert_eq!(shown(&Cell::of(&[1.0], 1), 120), "1.00");
        assert_eq!(shown(&Cell::of(&[], 1), 10), "> 10");
    }
}
