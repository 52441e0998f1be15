//! The results as Markdown.

use std::collections::BTreeSet;
use std::fmt::Write;
use std::io;

use experiment::{Cell, circumstances};

use crate::builds::package;
use crate::plan::{Budget, Fuzzer, target};
use crate::results::{Kind, Outcome, Results};

/// What tells these tables from others in the README: the budgets and how many runs there are.
pub fn title(results: &Results) -> String {
    let budgets: BTreeSet<Budget> = results.kinds.keys().map(|(budget, ..)| *budget).collect();
    let budgets: Vec<_> = budgets.iter().map(ToString::to_string).collect();
    let runs = results.kinds.values().flat_map(Kind::values).map(Vec::len).max().unwrap_or(0);
    format!("{}; {runs} {}", budgets.join(" and "), if runs == 1 { "run" } else { "runs" })
}

/// A table of edges and one of speed for each budget.
pub fn markdown(results: &Results, fuzzers: &[Fuzzer]) -> String {
    let mut out = format!("### {}\n\n{}.\n", title(results), circumstances());
    let budgets: BTreeSet<Budget> = results.kinds.keys().map(|(budget, ..)| *budget).collect();
    for budget in budgets {
        let _ = writeln!(out, "\nEdges of the parser's crates, {budget} a run:\n");
        edges(results, fuzzers, budget, &mut out);
        let _ = writeln!(out, "\nMedians of the same runs:\n");
        speed(results, fuzzers, budget, &mut out);
    }
    out
}

fn edges(results: &Results, fuzzers: &[Fuzzer], budget: Budget, out: &mut String) {
    let mut heads = vec!["target".into(), "crate".into(), "from".into(), "by any, of all".into()];
    heads.extend(fuzzers.iter().map(ToString::to_string));
    let others: Vec<_> = fuzzers.iter().copied().filter(|&one| one != Fuzzer::Pleach).collect();
    heads.extend(others.iter().map(|other| format!("pleach by {other}")));
    row(&heads, out);
    row(
        &vec!["---".into(); 3]
            .into_iter()
            .chain(vec!["---:".into(); heads.len() - 3])
            .collect::<Vec<_>>(),
        out,
    );
    for ((_, name, start), kind) in results.kinds.iter().filter(|((of, ..), _)| *of == budget) {
        let runs = || kind.values().flatten();
        let any: BTreeSet<u32> = runs().flat_map(|run| &run.edges).copied().collect();
        let total = runs().map(|run| run.total).max().unwrap_or(0);
        let parser = target(name).map_or("", |target| target.parser);
        let mut cells = vec![(*name).into(), parser.into(), start.to_string()];
        cells.push(format!("{} of {total}", any.len()));
        cells.extend(fuzzers.iter().map(|fuzzer| cell(kind, *fuzzer).to_string()));
        let own = cell(kind, Fuzzer::Pleach).median();
        cells.extend(others.iter().map(|other| {
            let ratio = own.zip(cell(kind, *other).median()).map(|(own, other)| own / other);
            ratio.map_or("–".into(), |ratio| format!("{ratio:.2}"))
        }));
        row(&cells, out);
    }
}

fn cell(kind: &Kind, fuzzer: Fuzzer) -> Cell {
    let mut cell = Cell::default();
    kind.get(&fuzzer).into_iter().flatten().for_each(|run| cell.extend(Some(run.edges.len())));
    cell
}

fn speed(results: &Results, fuzzers: &[Fuzzer], budget: Budget, out: &mut String) {
    let mut heads = vec!["target".into(), "from".into()];
    for fuzzer in fuzzers {
        heads.extend(
            ["executions/s", "files", "bytes a file", "failures"]
                .map(|what| format!("{fuzzer}: {what}")),
        );
    }
    row(&heads, out);
    row(
        &vec!["---".into(); 2]
            .into_iter()
            .chain(vec!["---:".into(); heads.len() - 2])
            .collect::<Vec<_>>(),
        out,
    );
    for ((_, name, start), kind) in results.kinds.iter().filter(|((of, ..), _)| *of == budget) {
        let mut cells = vec![(*name).into(), start.to_string()];
        for fuzzer in fuzzers {
            let runs = kind.get(fuzzer).map_or(&[][..], Vec::as_slice);
            let per_second =
                |run: &Outcome| run.executions as f64 / run.cpu.as_secs_f64().max(0.01);
            cells.push(middle(runs, per_second));
            cells.push(middle(runs, |run| run.files as f64));
            cells.push(middle(runs, |run| run.bytes as f64 / run.files.max(1) as f64));
            cells.push(middle(runs, |run| run.failures.into()));
        }
        row(&cells, out);
    }
}

/// The median of a figure; of an even number of runs, the lower one in the middle.
fn middle(runs: &[Outcome], figure: impl Fn(&Outcome) -> f64) -> String {
    let mut all: Vec<f64> = runs.iter().map(figure).collect();
    all.sort_by(f64::total_cmp);
    all.get(all.len().saturating_sub(1) / 2).map_or("–".into(), |middle| format!("{middle:.0}"))
}

fn row(cells: &[String], out: &mut String) {
    let _ = writeln!(out, "| {} |", cells.join(" | "));
}

/// Puts tables into the README, in place of those of the same title.
///
/// # Errors
///
/// Where it cannot be read or written.
pub fn write(title: &str, tables: &str) -> io::Result<()> {
    let path = package().join("README.md");
    let readme = std::fs::read_to_string(&path)?;
    std::fs::write(path, placed(&readme, title, tables))
}

fn placed(readme: &str, title: &str, tables: &str) -> String {
    let head = format!("### {title}\n");
    let (before, after) = match readme.find(&head) {
        Some(at) => {
            let body = &readme[at + head.len()..];
            let end = body.find("\n#").map_or(body.len(), |end| end + 1);
            (&readme[..at], &body[end..])
        }
        None => (readme, ""),
    };
    let gap = if after.is_empty() { "" } else { "\n" };
    format!("{}\n\n{tables}{gap}{after}", before.trim_end())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tables_take_the_place_of_those_of_their_title() {
        let readme = placed("# a\n", "1 s", "### 1 s\n\nold\n");
        let readme = placed(&readme, "2 s", "### 2 s\n\nother\n");
        assert_eq!(readme, "# a\n\n### 1 s\n\nold\n\n### 2 s\n\nother\n");
        let readme = placed(&readme, "1 s", "### 1 s\n\nnew\n");
        assert_eq!(readme, "# a\n\n### 1 s\n\nnew\n\n### 2 s\n\nother\n");
    }
}
