//! The results as Markdown.

use std::fmt::Write;

use experiment::Cell;

use crate::method::Method;

/// A row: one subject at one budget.
#[derive(Clone, Debug)]
pub struct Row {
    /// The grammar.
    pub grammar: &'static str,
    /// The parser's crate.
    pub parser: &'static str,
    /// The budget, with its unit.
    pub budget: String,
    /// How many edges the parser's crates have.
    pub total: usize,
    /// How many of them any method ran in any run of the subject.
    pub any: usize,
    /// By method.
    pub cells: Vec<Cell>,
}

impl Row {
    /// The better of the uniform ways' medians.
    pub fn baseline(&self, methods: &[Method]) -> Option<f64> {
        let medians = self.of(methods, Method::is_baseline);
        medians.into_iter().reduce(f64::max)
    }

    /// The medians of some methods.
    fn of(&self, methods: &[Method], which: impl Fn(Method) -> bool) -> Vec<f64> {
        let cells = methods.iter().zip(&self.cells);
        cells.filter(|(method, _)| which(**method)).filter_map(|(_, cell)| cell.median()).collect()
    }

    /// How many times the baseline's edges k-path production of one k runs.
    fn ratio(&self, methods: &[Method], k: usize) -> Option<f64> {
        let median = self.of(methods, |method| method == Method::KPath(k)).first().copied()?;
        Some(median / self.baseline(methods)?)
    }
}

/// Each k of which a column has the ratio to the baseline.
const RATIOS: [usize; 3] = [1, 2, 3];

/// A table of all rows.
pub fn markdown(rows: &[Row], methods: &[Method]) -> String {
    let mut out = String::from("| grammar | parser | edges run by any, of all | budget |");
    let mut rule = String::from("| --- | --- | ---: | ---: |");
    for method in methods {
        let _ = write!(out, " {method} |");
        rule.push_str(" ---: |");
    }
    for k in RATIOS {
        let _ = write!(out, " k = {k} by uniform |");
        rule.push_str(" ---: |");
    }
    let _ = writeln!(out, "\n{rule}");
    for row in rows {
        let Row { grammar, parser, budget, any, total, .. } = row;
        let _ = write!(out, "| {grammar} | {parser} | {any} of {total} | {budget} |");
        for cell in &row.cells {
            let _ = write!(out, " {cell} |");
        }
        for k in RATIOS {
            let ratio = row.ratio(methods, k).map_or("–".into(), |ratio| format!("{ratio:.2}"));
            let _ = write!(out, " {ratio} |");
        }
        out.push('\n');
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
            budget: "1 kB".into(),
            total: 99,
            any: 40,
            cells: cells.to_vec(),
        };
        let table = markdown(&[row], &methods);
        let last = table.lines().last();
        let expected =
            "| json | serde_json 1 | 40 of 99 | 1 kB | 22 (10–30) | 10 | 20 | – | – | 1.10 | – |";
        assert_eq!(last, Some(expected));
        let columns = |line: &str| line.matches('|').count();
        assert!(table.lines().all(|line| columns(line) == columns(expected)), "{table}");
    }
}
