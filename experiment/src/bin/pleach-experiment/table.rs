//! The results as Markdown.

use std::fmt::{self, Write};
use std::time::Duration;

use experiment::Cell;

use crate::method::Method;

/// What corpora are alike in.
#[derive(Clone, Copy, Debug)]
pub enum Budget {
    /// Their bytes.
    Bytes(usize),
    /// The time that production took.
    Time(Duration),
}

impl fmt::Display for Budget {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Bytes(bytes @ 0..10_000) => write!(f, "{bytes} B"),
            Self::Bytes(bytes) => write!(f, "{:.0} kB", *bytes as f64 / 1000.0),
            Self::Time(time) => write!(f, "{time:?}"),
        }
    }
}

/// A row: one subject at one budget.
#[derive(Clone, Debug)]
pub struct Row {
    /// The grammar.
    pub grammar: &'static str,
    /// The parser's crate.
    pub parser: &'static str,
    /// The budget.
    pub budget: Budget,
    /// How many edges the parser's crates have.
    pub total: usize,
    /// How many of them any method ran in any run of the subject.
    pub any: usize,
    /// By method.
    pub cells: Vec<Cell>,
}

impl Row {
    /// The best median of some methods.
    fn best(&self, methods: &[Method], of: &[Method]) -> Option<f64> {
        let cells = methods.iter().zip(&self.cells);
        let medians =
            cells.filter(|(method, _)| of.contains(method)).filter_map(|(_, cell)| cell.median());
        medians.reduce(f64::max)
    }

    /// How many times the edges of some methods, of which the best counts, k-path production of one k runs.
    fn ratio(&self, methods: &[Method], k: usize, of: &[Method]) -> Option<f64> {
        Some(self.best(methods, &[Method::KPath(k)])? / self.best(methods, of)?)
    }
}

/// Each k of which a column has the ratio to what it is compared with.
const RATIOS: [usize; 3] = [1, 2, 3];

/// What it is compared with.
const BESIDE: [(&str, &[Method]); 3] = [
    ("uniform", &[Method::Uniform, Method::UniformShort]),
    ("random", &[Method::Typical]),
    ("learnt", &[Method::Learnt]),
];

/// A table of all rows.
pub fn markdown(rows: &[Row], methods: &[Method]) -> String {
    let mut out = String::from("| grammar | parser | edges run by any, of all | budget |");
    let mut rule = String::from("| --- | --- | ---: | ---: |");
    for method in methods {
        let _ = write!(out, " {method} |");
        rule.push_str(" ---: |");
    }
    let _ = writeln!(out, "\n{rule}");
    for row in rows {
        let Row { grammar, parser, budget, total, any, cells, .. } = row;
        let _ = write!(out, "| {grammar} | {parser} | {any} of {total} | {budget} |");
        for cell in cells {
            let _ = write!(out, " {cell} |");
        }
        out.push('\n');
    }
    out
}

/// How many times the edges of other ways k-path production runs, by row and in the median of each kind of budget.
pub fn ratios(rows: &[Row], methods: &[Method]) -> String {
    let mut out = String::from("| grammar | budget |");
    let mut rule = String::from("| --- | ---: |");
    let columns: Vec<_> = BESIDE.iter().flat_map(|&beside| RATIOS.map(|k| (k, beside))).collect();
    for (k, (name, _)) in &columns {
        let _ = write!(out, " k = {k} by {name} |");
        rule.push_str(" ---: |");
    }
    let _ = writeln!(out, "\n{rule}");
    let line = |grammar: &str, budget: &str, ratios: &[Option<f64>]| {
        let shown = |ratio: &Option<f64>| ratio.map_or("–".into(), |ratio| format!("{ratio:.2}"));
        let cells: Vec<String> = ratios.iter().map(shown).collect();
        format!("| {grammar} | {budget} | {} |\n", cells.join(" | "))
    };
    let of = |row: &Row| -> Vec<_> {
        columns.iter().map(|&(k, (_, of))| row.ratio(methods, k, of)).collect()
    };
    for row in rows {
        out += &line(row.grammar, &row.budget.to_string(), &of(row));
    }
    for (budget, is_time) in [("equal bytes", false), ("equal time", true)] {
        let alike = |row: &&Row| matches!(row.budget, Budget::Time(_)) == is_time;
        let rows: Vec<_> = rows.iter().filter(alike).map(of).collect();
        let median = |at: usize| {
            let mut all: Vec<f64> = rows.iter().filter_map(|row| row[at]).collect();
            all.sort_by(f64::total_cmp);
            all.get(all.len().saturating_sub(1) / 2).copied()
        };
        out += &line("median", budget, &(0..columns.len()).map(median).collect::<Vec<_>>());
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_row_shows_medians_with_their_spread_and_the_better_baseline() {
        let methods = [Method::KPath(2), Method::Uniform, Method::UniformShort, Method::Purdom];
        let cells = [&[30, 10, 23, 21][..], &[10], &[20, 20], &[]].map(|edges| {
            let mut cell = Cell::default();
            edges.iter().for_each(|&edges| cell.extend(Some(edges)));
            cell
        });
        let row = Row {
            grammar: "json",
            parser: "serde_json 1",
            budget: Budget::Bytes(1000),
            total: 99,
            any: 40,
            cells: cells.to_vec(),
        };
        let table = markdown(std::slice::from_ref(&row), &methods);
        let expected = "| json | serde_json 1 | 40 of 99 | 1000 B | 22 (10–30) | 10 | 20 | – |";
        assert_eq!(table.lines().last(), Some(expected));
        let columns = |line: &str| line.matches('|').count();
        assert!(table.lines().all(|line| columns(line) == columns(expected)), "{table}");
        let table = ratios(&[row], &methods);
        let expected = "| json | 1000 B | – | 1.10 | – | – | – | – | – | – | – |";
        assert_eq!(table.lines().nth(2), Some(expected));
        assert_eq!(
            table.lines().nth(3),
            Some(&*expected.replace("json | 1000 B", "median | equal bytes"))
        );
        assert!(table.lines().all(|line| columns(line) == columns(expected)), "{table}");
    }
}
